package hooks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// setting is one key of guardrails.yaml. This table is the only place that knows its name, for what it may be set, what it may be,
// what it is where nobody sets it, and where its value goes: decoding, the names of variables, faults and `claude-hooks config` follow.
type setting struct {
	key   string
	goes  goes
	def   string // as it would stand in the file
	kind  kind
	field func(*Config) any
}

// goes is for what a key may be set.
type goes int

const (
	forAll   goes = 1 << iota // where key says
	forHooks                  // below circuit_breaker.hooks.PATTERN

	everywhere = forAll | forHooks
)

const (
	million = 1_000_000
	year    = 365 * 24 * 60 * 60 // seconds
	observe = "observe"
)

// Where a key for hooks stands: its own name without section, below hooksSection and a pattern.
const (
	section      = "circuit_breaker."
	hooksSection = section + "hooks"
)

func settings() []setting {
	return []setting{
		{section + "enabled", everywhere, "true", boolean{}, func(c *Config) any { return &c.Enabled }},
		{section + "mode", everywhere, "enforce", choice{"enforce", observe}, func(c *Config) any { return &c.mode }},
		{section + "failure_threshold", everywhere, "3", whole{1, million}, func(c *Config) any { return &c.policy.FailureThreshold }},
		{section + "cooldown_seconds", everywhere, "300", seconds{1, year}, func(c *Config) any { return &c.policy.Cooldown }},
		{section + "success_threshold", everywhere, "2", whole{1, million}, func(c *Config) any { return &c.policy.SuccessThreshold }},
		{section + "stop_block_threshold", everywhere, "8", whole{0, million}, func(c *Config) any { return &c.policy.StopBlockThreshold }},
		// A little inside the 600 seconds that the agent program gives a hook.
		{section + "hook_timeout_seconds", everywhere, "590", seconds{0, year}, func(c *Config) any { return &c.timeout }},
		{section + "backoff.factor", everywhere, "1", number{1, 1000}, func(c *Config) any { return &c.policy.Backoff.Factor }},
		{section + "backoff.jitter", everywhere, "0", number{0, 1}, func(c *Config) any { return &c.policy.Backoff.Jitter }},
		{section + "backoff.adaptive", everywhere, "false", boolean{}, func(c *Config) any { return &c.policy.Backoff.Adaptive }},
		{section + "backoff.min_seconds", everywhere, "30", seconds{1, year}, func(c *Config) any { return &c.policy.Backoff.Min }},
		{section + "backoff.max_seconds", everywhere, "3600", seconds{1, year}, func(c *Config) any { return &c.policy.Backoff.Max }},
		{section + "exclude", forAll, "", patterns{}, func(c *Config) any { return &c.exclude }},
		excluding(),
		{hooksSection, forAll, "", mapping{"a mapping of patterns to settings"}, func(c *Config) any { return &c.hooks }},
		{section + "dependencies", forAll, "", mapping{"a mapping of patterns to lists of them"}, func(c *Config) any { return &c.dependencies }},
		{"logging.file", forAll, "~/.claude/logs/circuit_breaker.log", filePath{}, func(c *Config) any { return &c.LogFile }},
		{"logging.level", forAll, "INFO", choice(logLevels()), func(c *Config) any { return &c.LogLevel }},
		{"logging.format", forAll, defaultLogFormat, lineFormat{}, func(c *Config) any { return &c.LogFormat }},
		{"state_file", forAll, "~/.claude/" + StateName, filePath{}, func(c *Config) any { return &c.StateFile }},
		{"metrics_file", forAll, "", filePath{}, func(c *Config) any { return &c.MetricsFile }},
		{"alert", forAll, "false", boolean{}, func(c *Config) any { return &c.Alert }},
	}
}

// excluding is the key exclude as it stands below a pattern: what a pattern in the list of that name says too.
func excluding() setting {
	return setting{section + "exclude", forHooks, "false", boolean{}, func(c *Config) any { return &c.policy.Excluded }}
}

// kind is what a key may be. Values of other than one text are read elsewhere, by the type of their field.
type kind interface {
	read(text string, into any) bool // changes nothing where text is wrong
	want() string                    // what is right, as it ends "must be …"
}

type (
	boolean    struct{}
	whole      struct{ least, most int64 }
	seconds    struct{ least, most int64 }
	number     struct{ least, most float64 }
	choice     []string
	filePath   struct{}
	lineFormat struct{}
	patterns   struct{}
	mapping    struct{ what string }
)

func (boolean) want() string { return "true or false" }

// read takes every spelling of YAML 1.1 and the digits that people write into variables.
func (boolean) read(text string, into any) bool {
	yes := slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(text))
	if !yes && !slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(text)) {
		return false
	}
	*into.(*bool) = yes
	return true
}

func (w whole) want() string { return fmt.Sprintf("a whole number from %d to %d", w.least, w.most) }

func (w whole) read(text string, into any) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < w.least || n > w.most {
		return false
	}
	*into.(*int64) = n
	return true
}

func (s seconds) want() string {
	return fmt.Sprintf("a whole number of seconds from %d to %d", s.least, s.most)
}

func (s seconds) read(text string, into any) bool {
	var n int64
	if !(whole(s)).read(text, &n) {
		return false
	}
	*into.(*time.Duration) = time.Duration(n) * time.Second
	return true
}

func (n number) want() string { return fmt.Sprintf("a number from %v to %v", n.least, n.most) }

func (n number) read(text string, into any) bool {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= n.least && x <= n.most) { // not a number is neither
		return false
	}
	*into.(*float64) = x
	return true
}

func (c choice) want() string {
	return strings.Join(c[:len(c)-1], ", ") + " or " + c[len(c)-1]
}

func (c choice) read(text string, into any) bool {
	i := slices.IndexFunc(c, func(word string) bool { return strings.EqualFold(word, text) })
	if i < 0 {
		return false
	}
	*into.(*string) = c[i]
	return true
}

func (filePath) want() string { return "a path that begins with / or ~/" }

// read refuses a path that would be another file in each directory that a hook is called in.
func (filePath) read(text string, into any) bool {
	rest, ours := strings.CutPrefix(text, "~/")
	if !ours {
		rest, ours = strings.CutPrefix(text, "/")
	}
	if text != "" && (!ours || rest == "" || strings.ContainsRune(text, 0)) {
		return false
	}
	*into.(*string) = text
	return true
}

func (lineFormat) want() string {
	return "a line of text with " + strings.Join(placeholders(), ", ") + " in it; % itself is written %%"
}

func (lineFormat) read(text string, into any) bool {
	if _, ok := parseFormat(text); !ok {
		return false
	}
	*into.(*string) = text
	return true
}

func (patterns) want() string          { return "a list of patterns" }
func (patterns) read(string, any) bool { return false }

func (m mapping) want() string        { return m.what }
func (mapping) read(string, any) bool { return false }

// show is the value of a field as it would stand in the file.
func show(field any) string {
	switch value := field.(type) {
	case *bool:
		return strconv.FormatBool(*value)
	case *int64:
		return strconv.FormatInt(*value, 10)
	case *float64:
		return strconv.FormatFloat(*value, 'g', -1, 64)
	case *time.Duration:
		return strconv.FormatInt(int64(*value/time.Second), 10)
	case *string:
		return *value
	case *[]string:
		quoted := make([]string, len(*value))
		for i, text := range *value {
			quoted[i] = strconv.Quote(text)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return ""
}
