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

	// What holds for a hook of which nothing else is said.
	policy  Policy
	timeout time.Duration
	mode    string

	exclude      []string
	hooks        []override   // in the order of the settings
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
	at     int // in the table of settings
	text   string
	source string
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

// ConfigName is the settings' file below a user's home, where no other is named.
const ConfigName = ".claude/guardrails.yaml"

const (
	variablePrefix = "GUARDRAILS_"
	// configFileVariable names another settings' file.
	configFileVariable = variablePrefix + "CONFIG"
)

// maxConfigFile bounds the settings' file: every run of every hook reads it.
const maxConfigFile = 128 << 10

// LoadConfig reads the settings' file at path and the environment. Where path is empty, $GUARDRAILS_CONFIG names the file, or it is
// ~/.claude/guardrails.yaml, which need not be there. It never fails: see Config.
func LoadConfig(path string, environ []string, home string) *Config {
	if !filepath.IsAbs(home) {
		home = ""
	}
	variables := map[string]string{} // as for a process, the last of a name counts
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

// newConfig is LoadConfig with what the file holds, or why it cannot be read.
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
	for _, pattern := range c.exclude { // behind the hooks: of two equal patterns the one that excludes counts
		c.ranked = append(c.ranked, override{pattern, []overriding{{at: at(table, excludeKey, forHooks), text: "true"}}})
	}
	// The more of a command a pattern has, the more specific it is.
	specific := func(pattern string) int { return len(pattern) - strings.Count(pattern, "*") }
	slices.SortStableFunc(c.ranked, func(a, b override) int { return cmp.Compare(specific(a.pattern), specific(b.pattern)) })
	for _, fault := range r.faults.List() {
		c.Faults = append(c.Faults, visible(fault))
	}
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

// of is the configuration as it holds for one hook: each key from the most specific pattern that sets it.
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
	off := c.Enabled && !one.Enabled // "enabled: false" of the hook alone
	one.policy.Excluded = one.policy.Excluded || off
	one.policy.Observe = one.mode == observe
	return &one
}

// Policy is what a hook is judged by.
func (c *Config) Policy(hook string) Policy { return c.of(hook).policy }

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
