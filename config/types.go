package config

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/claudeops/claudeops/schedule"
)

// The types below decode themselves. (envconfig never calls Decode with an empty value.) Their errors complete the line `NAME="value":
// …`, so they say what is wrong and how to write the value.

// oneOf decodes one of a few words.
func oneOf[S ~string](into *S, value string, allowed ...S) error {
	if !slices.Contains(allowed, S(value)) {
		return fmt.Errorf("none of %s", strings.ReplaceAll(strings.Trim(fmt.Sprint(allowed), "[]"), " ", ", "))
	}
	*into = S(value)
	return nil
}

// Agency is what makes the observations of Tier 1.
type Agency string

// The values of CLAUDEOPS_TIER1_AGENT. Auto means Claude if its program and a credential are available, and Probe otherwise.
const (
	Auto   Agency = "auto"
	Claude Agency = "claude"
	Probe  Agency = "probe"
)

// Decode implements envconfig.Decoder.
func (a *Agency) Decode(value string) error { return oneOf(a, value, Claude, Probe, Auto) }

// Approval says which remediations a person must permit before they run.
type Approval string

// The values of CLAUDEOPS_APPROVAL, and of approval in the services file. With ApproveTier3, a person permits what Tier 3 wants to restart
// or redeploy; with ApproveRemediation, what any tier wants to.
const (
	ApproveNone        Approval = "none"
	ApproveTier3       Approval = "tier3"
	ApproveRemediation Approval = "remediation"
)

// Approvals are the values of Approval.
func Approvals() []Approval { return []Approval{ApproveNone, ApproveTier3, ApproveRemediation} }

// Decode implements envconfig.Decoder.
func (a *Approval) Decode(value string) error { return oneOf(a, value, Approvals()...) }

// Needed reports whether a person must permit a restart or redeployment that a tier wants.
func (a Approval) Needed(tier int) bool {
	return a == ApproveRemediation || a == ApproveTier3 && tier == 3
}

// ApprovalLink says who decides by the link in a message about a proposal.
type ApprovalLink string

// The values of CLAUDEOPS_APPROVAL_LINK: people who are logged in to the dashboard, or whoever has the link.
const (
	LinkLogin  ApprovalLink = "login"
	LinkBearer ApprovalLink = "bearer"
)

// Decode implements envconfig.Decoder.
func (l *ApprovalLink) Decode(value string) error { return oneOf(l, value, LinkLogin, LinkBearer) }

// LogFormat is the format of log lines.
type LogFormat string

// The values of CLAUDEOPS_LOG_FORMAT.
const (
	Text LogFormat = "text"
	JSON LogFormat = "json"
)

// Decode implements envconfig.Decoder.
func (f *LogFormat) Decode(value string) error { return oneOf(f, value, Text, JSON) }

// LogLevel is the least severe level that is logged. The zero value means info.
type LogLevel slog.Level

// Level makes a LogLevel a slog.Leveler.
func (l LogLevel) Level() slog.Level { return slog.Level(l) }

// Decode implements envconfig.Decoder.
func (l *LogLevel) Decode(value string) error {
	level, known := map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "warning": slog.LevelWarn, "error": slog.LevelError,
	}[strings.ToLower(value)]
	if !known {
		return errors.New("none of debug, info, warn, error")
	}
	*l = LogLevel(level)
	return nil
}

// Names are names of environment variables.
type Names []string

// Decode implements envconfig.Decoder. Names are separated by commas or blanks.
func (n *Names) Decode(value string) error {
	var names Names
	for _, name := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
		if !variableName.MatchString(name) {
			return fmt.Errorf("%q is not a name of a variable; write names like DOCKER_HOST,PGPASSFILE", name)
		}
		names = append(names, name)
	}
	*n = names
	return nil
}

// unescapedField matches the text between newlines and commas that are not escaped with a backslash.
var unescapedField = regexp.MustCompile(`(?:\\[^\n]|[^,\n])+`)

// Patterns are file patterns: ** matches any directories, * any text within a name, and a backslash escapes the next character.
type Patterns []string

// Decode implements envconfig.Decoder. Patterns are separated by commas or newlines.
func (p *Patterns) Decode(value string) error {
	var all Patterns
	for _, pattern := range unescapedField.FindAllString(value, -1) {
		if pattern = strings.TrimSpace(pattern); pattern == "" {
			continue
		}
		if !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "**/") {
			return fmt.Errorf("%q is neither an absolute path nor a name in any folder; write it like /srv/backup/** or **/*.bak", pattern)
		}
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%q is no pattern (%w); write it like /srv/backup/** or **/*.bak", pattern, err)
		}
		all = append(all, pattern)
	}
	*p = all
	return nil
}

// Literal returns the pattern that matches only one path.
func Literal(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, ",", `\,`).Replace(path)
}

// Schedule says when cycles run: at the times of all expressions. It has at least one.
type Schedule []schedule.Expression

// String returns the expressions as given, in the form that Decode accepts.
func (s Schedule) String() string {
	texts := make([]string, len(s))
	for i, expression := range s {
		texts[i] = expression.String()
	}
	return strings.Join(texts, "; ")
}

// Decode implements envconfig.Decoder. Expressions are separated by semicolons.
func (s *Schedule) Decode(value string) error {
	var all Schedule
	for text := range strings.SplitSeq(value, ";") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		expression, err := schedule.Parse(text)
		if err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		all = append(all, expression)
	}
	if len(all) == 0 {
		return errors.New("no cron expression; write it like 0 * * * *")
	}
	*s = all
	return nil
}

// URLs are Apprise URLs, each optionally preceded by the name of its target: phone=ntfy://ntfy.sh/topic. Errors never quote them, because
// they contain passwords.
type URLs []string

// Decode implements envconfig.Decoder. URLs are separated by commas or newlines; a comma in a URL is written %2C.
func (u *URLs) Decode(value string) error {
	var urls URLs
	names, named := map[string]bool{}, map[string]string{} // by URL
	as := func(name string) string {
		if name == "" {
			return "without a name"
		}
		return "as " + name
	}
	for entry := range strings.FieldsSeq(commaBeforeURL.ReplaceAllString(value, "\n$1")) {
		if entry = strings.Trim(entry, ","); entry == "" {
			continue
		}
		if sign := otherBeforeURL.FindStringSubmatch(entry); sign != nil {
			return fmt.Errorf("number %d has another URL behind a `%s`; separate them by commas or blanks", len(urls)+1, sign[1])
		}
		name, url := CutTargetName(entry)
		if scheme, rest, found := strings.Cut(url, "://"); !found || !schemeName.MatchString(scheme) || rest == "" {
			return fmt.Errorf("number %d is no URL; write them like json://host/path,phone=ntfy://topic, a comma within one as %%2C", len(urls)+1)
		}
		if name != "" && names[name] {
			return fmt.Errorf("two targets are called %s; give each a name of its own", name)
		}
		if other, twice := named[url]; twice && other != name { // a target has one name, by which rules know it
			return fmt.Errorf("one URL is there %s and %s; keep one of them", as(other), as(name))
		}
		names[name], named[url] = true, name
		urls = append(urls, entry)
	}
	*u = urls
	return nil
}

// CutTargetName splits an Apprise URL from the name of its target, which is empty if there is none.
func CutTargetName(entry string) (name, url string) {
	if in := targetName.FindStringSubmatch(entry); in != nil {
		return in[1], in[2]
	}
	return "", entry
}

// What separates two URLs is followed by the next one, with or without its target's name.
const nextURL = `\s*((?:[A-Za-z][A-Za-z0-9_-]*=)?[A-Za-z][A-Za-z0-9+.-]*://)`

var (
	commaBeforeURL = regexp.MustCompile(`,` + nextURL)
	otherBeforeURL = regexp.MustCompile(`([;|])` + nextURL)
)

// targetName matches a name before a URL. The URL itself may contain an equals sign, too.
var targetName = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)=([A-Za-z][A-Za-z0-9+.-]*://.*)$`)

// Size is a number of bytes.
type Size int64

// Decode implements envconfig.Decoder. It accepts a whole or decimal number, optionally followed by B, KB, MB, GB, TB, KiB, MiB, GiB or
// TiB.
func (s *Size) Decode(value string) error {
	bytes, err := humanize.ParseBytes(value)
	if err != nil || strings.Contains(value, ",") || bytes < 1 || bytes >= math.MaxInt64 {
		return errors.New("not a size; write it like 1GiB or 500MB")
	}
	*s = Size(bytes)
	return nil
}

// variableName matches names that are valid in every shell and service manager.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

var schemeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)
