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

// Config is what is in force: the defaults, over them guardrails.yaml, over that the environment. It can always be worked with:
// a value that is wrong changes nothing and is named in Faults, and none but a plain "enabled: false" switches the breaker off.
type Config struct {
	File   string   // the YAML file looked at; empty where there is no place for it
	Faults []string // what is wrong, each with its place, what was expected and what is used instead

	Enabled     bool
	Observe     bool // decide and count, but let every call run; Policy knows it for a single hook
	StateFile   string
	MetricsFile string // empty for none
	LogFile     string
	LogLevel    string // DEBUG, INFO, WARNING or ERROR
	LogFormat   string
	Alert       bool

	// What goes for a hook of which nothing else is said.
	policy  Policy
	timeout time.Duration
	mode    string

	exclude      []string
	hooks        []override   // as they stand in the settings
	dependencies []dependency // likewise
	ranked       []override   // hooks and exclude, the most specific pattern last
	sources      map[string]string
}

// override is what is set for the hooks that a pattern means.
type override struct {
	pattern string
	values  []overriding
}

// overriding is one value of an override: it was read once, so that it is known to be right.
type overriding struct {
	setting setting
	text    string
	source  string
}

// dependency says that hooks depend on others.
type dependency struct {
	pattern string
	on      []string // patterns
	source  string
}

// Setting is one key in force, for `claude-hooks config`.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"` // "default", "guardrails.yaml:4" or the name of a variable
}

// ConfigName is the settings' file below a user's home, where nobody names another.
const ConfigName = ".claude/guardrails.yaml"

// configFileVariable names another settings' file.
const configFileVariable = "GUARDRAILS_CONFIG"

// maxConfigFile bounds the settings' file: every run of every hook reads it.
const maxConfigFile = 128 << 10

// LoadConfig reads the settings' file at path and the environment. Where path is empty, $GUARDRAILS_CONFIG names the file, or it is
// ~/.claude/guardrails.yaml, which need not be there. It never fails: see Config.
func LoadConfig(path string, environ []string, home string) *Config {
	if !filepath.IsAbs(home) {
		home = ""
	}
	variables := guardrailsVariables(environ)
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

// newConfig is LoadConfig with what the file holds, or why it cannot be read.
func newConfig(path string, data []byte, err error, variables map[string]string, home string) *Config {
	c := &Config{File: path, sources: map[string]string{}}
	r := reading{config: c, left: maxConfigValues}
	if err != nil {
		r.fault(path, "it cannot be read (%v); every default is used", reason(err))
	}
	r.all(data, variables)
	c.settle(&r, home)
	return c
}

// readConfig reads a file of settings, also through a link: people keep their settings elsewhere and link them.
func readConfig(path string) ([]byte, error) {
	data, err := statedir.ReadFile(path, maxConfigFile)
	if !errors.Is(err, statedir.ErrNotRegular) {
		return data, err
	}
	real, linkErr := filepath.EvalSymlinks(path)
	if linkErr != nil {
		return nil, errors.New("it is a link that leads nowhere: " + reason(linkErr).Error()) // and no missing file
	}
	return statedir.ReadFile(real, maxConfigFile)
}

// reason is an error without the path that the message around it names.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// settle does what needs all values.
func (c *Config) settle(r *reading, home string) {
	for _, path := range []*string{&c.StateFile, &c.MetricsFile, &c.LogFile} {
		*path = atHome(*path, home)
	}
	if home == "" && (c.StateFile == "" || c.LogFile == "") {
		r.fault("HOME", "it is not set, so ~ stands for nothing; name state_file and logging.file in full")
	}
	if b := &c.policy.Backoff; b.Min > b.Max {
		r.fault(cmp.Or(c.sources["circuit_breaker.backoff.min_seconds"], c.sources["circuit_breaker.backoff.max_seconds"]),
			"circuit_breaker.backoff: min_seconds (%s) is more than max_seconds (%s); both defaults are used", show(&b.Min), show(&b.Max))
		for _, s := range settings() {
			if s.key == "circuit_breaker.backoff.min_seconds" || s.key == "circuit_breaker.backoff.max_seconds" {
				s.kind.read(s.def, s.field(c))
				delete(c.sources, s.key)
			}
		}
	}
	c.Observe = c.mode == observe
	c.ranked = slices.Clone(c.hooks)
	for _, pattern := range c.exclude { // behind the hooks: of two equal patterns the one that excludes counts
		c.ranked = append(c.ranked, override{pattern, []overriding{{setting: excluding(), text: "true"}}})
	}
	slices.SortStableFunc(c.ranked, func(a, b override) int { return cmp.Compare(specific(a.pattern), specific(b.pattern)) })
}

// specific is how much of a command a pattern tells.
func specific(pattern string) int { return len(pattern) - strings.Count(pattern, "*") }

// atHome puts the home directory for the ~ of a path: nothing is left of one where no home is known.
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

// of is the configuration as it goes for one hook: each key from the most specific pattern that sets it.
func (c *Config) of(hook string) *Config {
	one := *c
	for _, o := range c.ranked {
		if Matches(o.pattern, hook) {
			for _, v := range o.values {
				v.setting.kind.read(v.text, v.setting.field(&one))
			}
		}
	}
	off := c.Enabled && !one.Enabled // "enabled: false" of the hook alone
	one.policy.Excluded = one.policy.Excluded || off
	one.policy.Observe = one.mode == observe
	return &one
}

// Policy is what a hook is judged by.
func (c *Config) Policy(hook string) Policy { return c.of(hook).policy }

// Excluded reports whether a hook always executes.
func (c *Config) Excluded(hook string) bool { return c.of(hook).policy.Excluded }

// Timeout is how long a hook may run where its caller sets no time of its own; 0 is for ever.
func (c *Config) Timeout(hook string) time.Duration { return c.of(hook).timeout }

// Parents returns the patterns of the hooks that a hook depends on, nil for none. A pattern may mean the hook itself.
func (c *Config) Parents(hook string) []string {
	var parents []string
	for _, d := range c.dependencies {
		if Matches(d.pattern, hook) {
			parents = append(parents, d.on...)
		}
	}
	return parents
}

// Settings returns every key in force, in the order of the table.
func (c *Config) Settings() []Setting {
	var rows []Setting
	for _, s := range settings() {
		if s.goes&forAll == 0 {
			continue
		}
		from := cmp.Or(c.sources[s.key], "default")
		switch value := s.field(c).(type) {
		case *[]override:
			if len(*value) == 0 {
				rows = append(rows, Setting{s.key, "{}", from})
			}
			for _, o := range *value {
				for _, v := range o.values {
					rows = append(rows, Setting{hookKey(o.pattern, v.setting), v.text, v.source})
				}
			}
		case *[]dependency:
			if len(*value) == 0 {
				rows = append(rows, Setting{s.key, "{}", from})
			}
			for _, d := range *value {
				rows = append(rows, Setting{fmt.Sprintf("%s.%q", s.key, d.pattern), show(&d.on), d.source})
			}
		default:
			rows = append(rows, Setting{s.key, show(value), from})
		}
	}
	return rows
}
