package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

// Config is the effective configuration: the defaults, overridden by guardrails.yaml, overridden by the environment. It is always usable:
// an invalid value changes nothing and is listed in Faults, and only a plain "enabled: false" switches the breaker off.
type Config struct {
	File   string   // the YAML file that was read; empty if there is no path for one
	Faults []string // what is invalid: where, what was expected, and what is used instead

	Enabled     bool
	Observe     bool // decide and count, but let every call run; see also Policy, for a single hook
	StateFile   string
	MetricsFile string // empty for none
	LogFile     string
	LogLevel    string // DEBUG, INFO, WARNING or ERROR
	LogFormat   string
	Alert       bool

	// The values for hooks without an override.
	policy  Policy
	timeout time.Duration
	mode    string

	exclude      []string
	hooks        []override   // in the order of the file
	dependencies []dependency // in the order of the file
	ranked       []override   // hooks and exclude, sorted with the most specific pattern last
	sources      map[string]string
}

// override holds the settings of the hooks that match a pattern.
type override struct {
	pattern string
	values  []overriding
}

// overriding is one value of an override. It was parsed before, so it is known to be valid.
type overriding struct {
	at     int // index in the table of settings
	text   string
	source string
}

// dependency says that the hooks matching a pattern depend on others.
type dependency struct {
	pattern string
	on      []string // patterns
	source  string
}

// Setting is one effective key, for `claude-hooks config`.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"` // "default", "guardrails.yaml:4" or the name of a variable
}

// ConfigName is the path of the settings file below a user's home, unless another is configured.
const ConfigName = ".claude/guardrails.yaml"

const (
	variablePrefix = "GUARDRAILS_"
	// configFileVariable names another settings file.
	configFileVariable = variablePrefix + "CONFIG"
)

// maxConfigFile limits the settings file, in bytes, because every run of every hook reads it.
const maxConfigFile = 128 << 10

// LoadConfig reads the settings file at path, and the environment. If path is empty, the file is $GUARDRAILS_CONFIG or else
// ~/.claude/guardrails.yaml, which need not exist. It never fails: see Config.
func LoadConfig(path string, environ []string, home string) *Config {
	if !filepath.IsAbs(home) {
		home = ""
	}
	variables := map[string]string{} // as for a process, the last entry of a name counts
	for _, entry := range environ {
		if strings.HasPrefix(entry, variablePrefix) {
			name, value, _ := strings.Cut(entry, "=")
			variables[name] = strings.TrimSpace(value)
		}
	}
	named := true
	switch {
	case path != "":
	case variables[configFileVariable] != "":
		path = atHome(variables[configFileVariable], home)
	case home != "":
		named = false
		path = filepath.Join(home, ConfigName)
	}
	var data []byte
	var err error
	if path != "" {
		data, err = readConfig(path)
	}
	if !named && errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return newConfig(path, data, err, variables, home)
}

// newConfig is LoadConfig with the content of the file, or the error of reading it.
func newConfig(path string, data []byte, err error, variables map[string]string, home string) *Config {
	c := &Config{File: path, sources: map[string]string{}}
	table := settings(c)
	r := reading{config: c}
	if err != nil {
		r.fault(path, "it cannot be read (%v); every default is used", reason(err))
	}
	r.all(table, data, variables)
	for _, path := range []*string{&c.StateFile, &c.MetricsFile, &c.LogFile} {
		*path = atHome(*path, home)
	}
	if home == "" && (c.StateFile == "" || c.LogFile == "") {
		r.fault("HOME", "it is not set, so ~ means nothing; name state_file and logging.file in full")
	}
	if b := &c.policy.Backoff; b.Min > b.Max {
		r.fault(cmp.Or(c.sources[backoffMinKey], c.sources[backoffMaxKey]),
			"circuit_breaker.backoff: min_seconds (%d) is more than max_seconds (%d); both defaults are used", b.Min/time.Second, b.Max/time.Second)
		for _, key := range []string{backoffMinKey, backoffMaxKey} {
			s := table[at(table, key, forAll)]
			s.set(s.def)
			delete(c.sources, key)
		}
	}
	c.Observe = c.mode == observe
	c.ranked = slices.Clone(c.hooks)
	for _, pattern := range c.exclude { // after hooks: of two equal patterns, the excluding one wins
		c.ranked = append(c.ranked, override{pattern, []overriding{{at: at(table, excludeKey, forHooks), text: "true"}}})
	}
	// A pattern with more literal text is more specific.
	specific := func(pattern string) int { return len(pattern) - strings.Count(pattern, "*") }
	slices.SortStableFunc(c.ranked, func(a, b override) int { return cmp.Compare(specific(a.pattern), specific(b.pattern)) })
	for _, fault := range r.faults.List() {
		c.Faults = append(c.Faults, visible(fault))
	}
	return c
}

// readConfig reads a settings file. The path may be a link, because people keep settings elsewhere and link them.
func readConfig(path string) ([]byte, error) {
	data, err := statedir.ReadFile(path, maxConfigFile)
	if !errors.Is(err, statedir.ErrNotRegular) {
		return data, err
	}
	real, linkErr := filepath.EvalSymlinks(path)
	if linkErr != nil {
		return nil, errors.New("it is a link that leads nowhere: " + reason(linkErr).Error()) // do not report this as a missing file
	}
	return statedir.ReadFile(real, maxConfigFile)
}

// reason returns an error without the path, which the message around it names.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// atHome expands the ~ of a path. The result is empty if the home directory is unknown.
func atHome(path, home string) string {
	rest, found := strings.CutPrefix(path, "~/")
	switch {
	case !found:
		return path
	case home == "":
		return ""
	}
	return filepath.Join(home, rest)
}

// of returns the configuration for one hook: each value from the most specific pattern that sets it.
func (c *Config) of(hook string) *Config {
	one := *c
	var table []setting
	for _, o := range c.ranked {
		if !Matches(o.pattern, hook) {
			continue
		}
		if table == nil {
			table = settings(&one)
		}
		for _, v := range o.values {
			table[v.at].set(v.text)
		}
	}
	off := c.Enabled && !one.Enabled // "enabled: false" for this hook only
	one.policy.Excluded = one.policy.Excluded || off
	one.policy.Observe = one.mode == observe
	return &one
}

// Policy returns the policy of a hook.
func (c *Config) Policy(hook string) Policy { return c.of(hook).policy }

// Timeout returns how long a hook may run if its caller sets no limit; 0 means no limit.
func (c *Config) Timeout(hook string) time.Duration { return c.of(hook).timeout }

// Parents returns the patterns of the hooks that a hook depends on; nil for none. A pattern may match the hook itself.
func (c *Config) Parents(hook string) []string {
	var parents []string
	for _, d := range c.dependencies {
		if Matches(d.pattern, hook) {
			parents = append(parents, d.on...)
		}
	}
	return parents
}

// Settings returns all effective keys, in the order of the table.
func (c *Config) Settings() []Setting {
	var rows []Setting
	table := settings(c)
	for _, s := range table {
		from := cmp.Or(c.sources[s.key], "default")
		switch before := len(rows); into := s.into.(type) {
		case *[]override:
			for _, o := range *into {
				for _, v := range o.values {
					rows = append(rows, Setting{fmt.Sprintf("%s.%q.%s", s.key, o.pattern, table[v.at].name(forHooks)), v.text, v.source})
				}
			}
			if len(rows) == before {
				rows = append(rows, Setting{s.key, "{}", from})
			}
		case *[]dependency:
			for _, d := range *into {
				rows = append(rows, Setting{fmt.Sprintf("%s.%q", s.key, d.pattern), takes{into: &d.on}.show(), d.source})
			}
			if len(rows) == before {
				rows = append(rows, Setting{s.key, "{}", from})
			}
		default:
			if s.place&forAll != 0 {
				rows = append(rows, Setting{s.key, s.show(), from})
			}
		}
	}
	return rows
}
