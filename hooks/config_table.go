package hooks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
)

// setting is one key of guardrails.yaml. The table is the only place that knows a key's name, where it may be set, its valid values, its
// default, and the field it sets. Parsing, variable names, faults and `claude-hooks config` derive from it.
type setting struct {
	key   string
	place place
	def   string // as written in the file
	takes
}

// place is where in the file a key may be set.
type place int

const (
	forAll   place = 1 << iota // at the path in key
	forHooks                   // below circuit_breaker.hooks.PATTERN, without the section

	everywhere = forAll | forHooks
)

const (
	million = 1_000_000
	year    = 365 * 24 * 60 * 60 // seconds
	observe = "observe"

	section       = "circuit_breaker."
	hooksSection  = section + "hooks"
	excludeKey    = section + "exclude"
	backoffMinKey = section + "backoff.min_seconds"
	backoffMaxKey = section + "backoff.max_seconds"
)

// settings returns the table for a configuration.
func settings(c *Config) []setting {
	p := &c.policy
	return []setting{
		{section + "enabled", everywhere, "true", boolean(&c.Enabled)},
		{section + "mode", everywhere, "enforce", choice(&c.mode, "enforce", observe)},
		{section + "failure_threshold", everywhere, "3", whole(&p.FailureThreshold, 1, million)},
		{section + "cooldown_seconds", everywhere, "300", seconds(&p.Cooldown, 1)},
		{section + "success_threshold", everywhere, "2", whole(&p.SuccessThreshold, 1, million)},
		{section + "stop_block_threshold", everywhere, "8", whole(&p.StopBlockThreshold, 0, million)},
		// A little less than the 600 seconds that the agent program allows a hook.
		{section + "hook_timeout_seconds", everywhere, "590", seconds(&c.timeout, 0)},
		{section + "backoff.factor", everywhere, "1", number(&p.Backoff.Factor, 1, 1000)},
		{section + "backoff.jitter", everywhere, "0", number(&p.Backoff.Jitter, 0, 1)},
		{section + "backoff.adaptive", everywhere, "false", boolean(&p.Backoff.Adaptive)},
		{backoffMinKey, everywhere, "30", seconds(&p.Backoff.Min, 1)},
		{backoffMaxKey, everywhere, "3600", seconds(&p.Backoff.Max, 1)},
		{excludeKey, forAll, "", several(&c.exclude, "a list of patterns")},
		{excludeKey, forHooks, "false", boolean(&p.Excluded)},
		{hooksSection, forAll, "", several(&c.hooks, "a mapping of patterns to settings")},
		{section + "dependencies", forAll, "", several(&c.dependencies, "a mapping of patterns to lists of them")},
		{"logging.file", forAll, "~/.claude/logs/circuit_breaker.log", filePath(&c.LogFile)},
		{"logging.level", forAll, "INFO", choice(&c.LogLevel, logLevels...)},
		{"logging.format", forAll, defaultLogFormat, lineFormat(&c.LogFormat)},
		{"state_file", forAll, "~/.claude/" + StateName, filePath(&c.StateFile)},
		{"metrics_file", forAll, "", filePath(&c.MetricsFile)},
		{"alert", forAll, "false", boolean(&c.Alert)},
	}
}

// at returns the index of the setting with a key in a place.
func at(table []setting, key string, where place) int {
	return slices.IndexFunc(table, func(s setting) bool { return s.key == key && s.place&where != 0 })
}

// name returns a key as it is written in a place.
func (s setting) name(where place) string {
	if where == forHooks {
		return strings.TrimPrefix(s.key, section)
	}
	return s.key
}

// variables returns the names of a key's variables: from the whole path and, for keys of the breaker's section, also from the path
// without it.
func (s setting) variables() []string {
	name := func(key string) string { return variablePrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_")) }
	if short, ok := strings.CutPrefix(s.key, section); ok {
		return []string{name(s.key), name(short)}
	}
	return []string{name(s.key)}
}

// takes describes the valid values of a setting and the variable that receives them.
type takes struct {
	into any
	want string                 // describes a valid value; completes "must be …"
	set  func(text string) bool // returns false and changes nothing if text is invalid; nil for lists and mappings
}

func several(into any, want string) takes { return takes{into, want, nil} }

// boolean accepts every spelling of YAML 1.1, and 0 and 1, which people write in variables.
func boolean(into *bool) takes {
	return takes{into, "true or false", func(given string) bool {
		yes := slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(given))
		if !yes && !slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(given)) {
			return false
		}
		*into = yes
		return true
	}}
}

func whole(into *int64, least, most int64) takes {
	return takes{into, fmt.Sprintf("a whole number from %d to %d", least, most), func(given string) bool {
		n, err := strconv.ParseInt(given, 10, 64)
		if err != nil || n < least || n > most {
			return false
		}
		*into = n
		return true
	}}
}

func seconds(into *time.Duration, least int64) takes {
	return takes{into, fmt.Sprintf("a whole number of seconds from %d to %d", least, year), func(given string) bool {
		var n int64
		if !whole(&n, least, year).set(given) {
			return false
		}
		*into = time.Duration(n) * time.Second
		return true
	}}
}

func number(into *float64, least, most float64) takes {
	return takes{into, fmt.Sprintf("a number from %v to %v", least, most), func(given string) bool {
		x, err := strconv.ParseFloat(given, 64)
		if err != nil || !(x >= least && x <= most) { // NaN fails both
			return false
		}
		*into = x
		return true
	}}
}

func choice(into *string, words ...string) takes {
	return takes{into, text.Or(words), func(given string) bool {
		i := slices.IndexFunc(words, func(word string) bool { return strings.EqualFold(word, given) })
		if i >= 0 {
			*into = words[i]
		}
		return i >= 0
	}}
}

// filePath refuses relative paths, which would denote another file in each working directory of a hook.
func filePath(into *string) takes {
	return takes{into, "a path that begins with / or ~/", func(given string) bool {
		rest := strings.TrimPrefix(strings.TrimPrefix(given, "~"), "/")
		whole := strings.HasPrefix(given, "/") || strings.HasPrefix(given, "~/")
		if given != "" && (!whole || rest == "" || strings.ContainsRune(given, 0)) {
			return false
		}
		*into = given
		return true
	}}
}

func lineFormat(into *string) takes {
	return takes{into, "a line of text with " + strings.Join(placeholders, ", ") + " in it; % itself is written %%", func(given string) bool {
		_, ok := parseFormat(given)
		if ok {
			*into = given
		}
		return ok
	}}
}

// show formats a setting's value as in the file.
func (t takes) show() string {
	switch value := t.into.(type) {
	case *time.Duration:
		return strconv.FormatInt(int64(*value/time.Second), 10)
	case *[]string:
		quoted := make([]string, len(*value))
		for i, element := range *value {
			quoted[i] = strconv.Quote(element)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case *bool:
		return strconv.FormatBool(*value)
	case *int64:
		return strconv.FormatInt(*value, 10)
	case *float64:
		return strconv.FormatFloat(*value, 'g', -1, 64)
	case *string:
		return *value
	}
	return ""
}
