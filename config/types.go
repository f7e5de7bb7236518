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

// The types below decode themselves (envconfig calls Decode with a value that is never empty). Their errors end the line
// `NAME="value": …`, so they say what the value is not and how to write it.

// oneOf decodes one of a few words.
func oneOf[S ~string](into *S, value string, allowed ...S) error {
	if !slices.Contains(allowed, S(value)) {
		return fmt.Errorf("none of %s", strings.ReplaceAll(strings.Trim(fmt.Sprint(allowed), "[]"), " ", ", "))
	}
	*into = S(value)
	return nil
}

// Agency says what observes as Tier 1.
type Agency string

// What CLAUDEOPS_TIER1_AGENT may be. Auto is Claude where its program and a credential are there, and Probe otherwise.
const (
	Auto   Agency = "auto"
	Claude Agency = "claude"
	Probe  Agency = "probe"
)

// Decode implements envconfig.Decoder.
func (a *Agency) Decode(value string) error { return oneOf(a, value, Claude, Probe, Auto) }

// Sandbox is what keeps an agent's commands from doing harm.
type Sandbox string

// What CLAUDEOPS_SANDBOX may be. With Required they are confined, or there is no agent; with Plain there are none: an agent runs programs of the policy alone.
const (
	Required Sandbox = "required"
	Plain    Sandbox = "plain"
)

// Decode implements envconfig.Decoder.
func (s *Sandbox) Decode(value string) error { return oneOf(s, value, Required, Plain) }

// LogFormat is how log lines are written.
type LogFormat string

// What CLAUDEOPS_LOG_FORMAT may be.
const (
	Text LogFormat = "text"
	JSON LogFormat = "json"
)

// Decode implements envconfig.Decoder.
func (f *LogFormat) Decode(value string) error { return oneOf(f, value, Text, JSON) }

// LogLevel is the least severe level that is logged. The zero value is info.
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

// unescapedField is what is between line ends and commas without a backslash before them.
var unescapedField = regexp.MustCompile(`(?:\\[^\n]|[^,\n])+`)

// Patterns are patterns of files: ** means any folders, * any text within a name, and a backslash quotes what follows it.
type Patterns []string

// Decode implements envconfig.Decoder. Patterns are separated by commas or line ends.
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

// Literal is the pattern of one path alone.
func Literal(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, ",", `\,`).Replace(path)
}

// Schedule is when cycles are to run: whenever one of the expressions comes. There is always one.
type Schedule []schedule.Expression

// String is the expressions as given, in the form that Decode takes.
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

// URLs are Apprise URLs, each perhaps behind the name of its target: phone=ntfy://ntfy.sh/topic. Their errors never quote them, because
// they hold passwords.
type URLs []string

// Decode implements envconfig.Decoder. URLs are separated by commas or line breaks; a comma within one is written %2C.
func (u *URLs) Decode(value string) error {
	var urls URLs
	names := map[string]bool{}
	for entry := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }) {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		name, url := CutTargetName(entry)
		if scheme, rest, found := strings.Cut(url, "://"); !found || !schemeName.MatchString(scheme) || rest == "" {
			return fmt.Errorf("number %d is no URL; write them like json://host/path,phone=ntfy://topic, a comma within one as %%2C", len(urls)+1)
		}
		if name != "" && names[name] {
			return fmt.Errorf("two targets are called %s; give each a name of its own", name)
		}
		names[name] = true
		urls = append(urls, entry)
	}
	*u = urls
	return nil
}

// CutTargetName cuts the name of its target off an Apprise URL; it is empty where there is none.
func CutTargetName(entry string) (name, url string) {
	if in := targetName.FindStringSubmatch(entry); in != nil {
		return in[1], in[2]
	}
	return "", entry
}

// targetName is a name before a URL. The URL itself may have such signs further on.
var targetName = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)=([A-Za-z][A-Za-z0-9+.-]*://.*)$`)

// Size is a number of bytes.
type Size int64

// Decode implements envconfig.Decoder. It takes a whole or decimal number with B, KB, MB, GB, TB, KiB, MiB, GiB, TiB or nothing after it.
func (s *Size) Decode(value string) error {
	bytes, err := humanize.ParseBytes(value)
	if err != nil || strings.Contains(value, ",") || bytes < 1 || bytes >= math.MaxInt64 {
		return errors.New("not a size; write it like 1GiB or 500MB")
	}
	*s = Size(bytes)
	return nil
}

// variableName is a name that a variable can have in every shell and service manager.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

var schemeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)
