package config

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/schedule"
)

// The types below decode themselves (envconfig calls Decode with a value that is never empty). Their errors end the line
// `NAME="value": …`, so they say what the value is not and how to write it.

// Agency says what observes as Tier 1.
type Agency string

// What CLAUDEOPS_TIER1_AGENT may be. Auto is Claude where its program and a credential are there, and Probe otherwise.
const (
	Auto   Agency = "auto"
	Claude Agency = "claude"
	Probe  Agency = "probe"
)

// Decode implements envconfig.Decoder.
func (a *Agency) Decode(value string) error {
	switch Agency(value) {
	case Auto, Claude, Probe:
		*a = Agency(value)
		return nil
	}
	return errors.New("none of claude, probe, auto")
}

// Sandbox is what keeps an agent's commands from doing harm.
type Sandbox string

// What CLAUDEOPS_SANDBOX may be. With Required they are confined, or there is no agent; with Plain there are none: an agent runs programs of the policy alone.
const (
	Required Sandbox = "required"
	Plain    Sandbox = "plain"
)

// Decode implements envconfig.Decoder.
func (s *Sandbox) Decode(value string) error {
	switch Sandbox(value) {
	case Required, Plain:
		*s = Sandbox(value)
		return nil
	}
	return errors.New("none of required, plain")
}

// LogFormat is how log lines are written.
type LogFormat string

// What CLAUDEOPS_LOG_FORMAT may be.
const (
	Text LogFormat = "text"
	JSON LogFormat = "json"
)

// Decode implements envconfig.Decoder.
func (f *LogFormat) Decode(value string) error {
	switch LogFormat(value) {
	case Text, JSON:
		*f = LogFormat(value)
		return nil
	}
	return errors.New("neither text nor json")
}

// LogLevel is the least severe level that is logged. The zero value is info.
type LogLevel slog.Level

// Level makes a LogLevel a slog.Leveler.
func (l LogLevel) Level() slog.Level { return slog.Level(l) }

// Decode implements envconfig.Decoder.
func (l *LogLevel) Decode(value string) error {
	switch strings.ToLower(value) {
	case "debug":
		*l = LogLevel(slog.LevelDebug)
	case "info":
		*l = LogLevel(slog.LevelInfo)
	case "warn", "warning":
		*l = LogLevel(slog.LevelWarn)
	case "error":
		*l = LogLevel(slog.LevelError)
	default:
		return errors.New("none of debug, info, warn, error")
	}
	return nil
}

// Names are names of environment variables.
type Names []string

// Decode implements envconfig.Decoder. Names are separated by commas or blanks.
func (n *Names) Decode(value string) error {
	var names Names
	for _, name := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
		if !variableName(name) {
			return fmt.Errorf("%q is not a name of a variable; write names like DOCKER_HOST,PGPASSFILE", name)
		}
		names = append(names, name)
	}
	*n = names
	return nil
}

// Patterns are patterns of files: ** stands for any folders, * for any text within a name, and a backslash for what follows it.
type Patterns []string

// Decode implements envconfig.Decoder. Patterns are separated by commas or line ends.
func (p *Patterns) Decode(value string) error {
	var all Patterns
	for _, pattern := range unescapedFields(value) {
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

// unescapedFields splits a text at line ends and at commas without a backslash before them.
func unescapedFields(text string) (fields []string) {
	var field strings.Builder
	escaped := false
	for _, r := range text + "\n" {
		if r != '\n' && (escaped || r != ',') {
			field.WriteRune(r)
			escaped = !escaped && r == '\\'
			continue
		}
		if name := strings.TrimSpace(field.String()); name != "" {
			fields = append(fields, name)
		}
		field.Reset()
		escaped = false
	}
	return fields
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

// URLs are Apprise URLs. Their errors never quote them, because they hold passwords.
type URLs []string

// Decode implements envconfig.Decoder. URLs are separated by commas or line breaks; a comma within one is written %2C.
func (u *URLs) Decode(value string) error {
	var urls URLs
	for url := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }) {
		url = strings.TrimSpace(url)
		if url == "" {
			continue
		}
		if scheme, rest, found := strings.Cut(url, "://"); !found || !schemeName(scheme) || rest == "" {
			return fmt.Errorf("number %d is no URL; write them like json://host/path,ntfy://topic, a comma within one as %%2C", len(urls)+1)
		}
		urls = append(urls, url)
	}
	*u = urls
	return nil
}

// Size is a number of bytes.
type Size int64

// Decode implements envconfig.Decoder. It takes a whole or decimal number with B, KB, MB, GB, TB, KiB, MiB, GiB, TiB or nothing after it.
func (s *Size) Decode(value string) error {
	number := strings.TrimRight(value, "BbKkMmGgTtIi ")
	factor, known := unit(strings.ToLower(strings.TrimSpace(value[len(number):])))
	amount, err := strconv.ParseFloat(number, 64)
	if err != nil || !known || strings.ContainsAny(number, "xX_eE+-") {
		return errors.New("not a size; write it like 1GiB or 500MB")
	}
	bytes := amount * float64(factor)
	if bytes < 1 || bytes >= math.MaxInt64 || math.IsNaN(bytes) {
		return errors.New("not a size that can be kept to; write it like 1GiB or 500MB")
	}
	*s = Size(bytes)
	return nil
}

func unit(name string) (bytes int64, known bool) {
	if name == "" || name == "b" {
		return 1, true
	}
	base := int64(1000)
	if strings.HasSuffix(name, "ib") {
		base = 1024
	}
	power := strings.IndexByte("kmgt", name[0])
	if rest := name[1:]; power < 0 || rest != "b" && rest != "ib" {
		return 0, false
	}
	bytes = 1
	for range power + 1 {
		bytes *= base
	}
	return bytes, true
}

// variableName says whether name can be a variable's in every shell and service manager.
func variableName(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

func schemeName(scheme string) bool {
	for i, r := range strings.ToLower(scheme) {
		if letter := r >= 'a' && r <= 'z'; !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", r)) {
			return false
		}
	}
	return scheme != ""
}
