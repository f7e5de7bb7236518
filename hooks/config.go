package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/claudeops/claudeops/internal/statedir"
)

// maxConfig limits guardrails.yaml, in bytes.
const maxConfig = 1 << 20

// Config is ~/.claude/guardrails.yaml (ANTI-LOOP "Configuration File").
type Config struct {
	Breaker struct {
		Enabled            bool                `yaml:"enabled"`
		FailureThreshold   uint32              `yaml:"failure_threshold"`
		CooldownSeconds    uint32              `yaml:"cooldown_seconds"`
		MaxCooldownSeconds uint32              `yaml:"max_cooldown_seconds"` // up to which openings in a row double it
		SuccessThreshold   uint32              `yaml:"success_threshold"`
		StopBlockThreshold uint32              `yaml:"stop_block_threshold"`
		Exclude            []string            `yaml:"exclude"`    // hooks that always run
		DependsOn          map[string][]string `yaml:"depends_on"` // a hook, and those that must not be switched off
	} `yaml:"circuit_breaker"`
	Logging struct {
		File   string `yaml:"file"`
		Level  string `yaml:"level"`
		Format string `yaml:"format"`
	} `yaml:"logging"`
	StateFile string   `yaml:"state_file"`
	Notify    []string `yaml:"notify"` // Apprise URLs
}

// LoadConfig reads the configuration below a home folder; a missing file means the defaults. With an error, which names the place, it is
// the defaults with the circuit breaker off: nobody knows which hooks the file excludes.
func LoadConfig(home string) (*Config, error) {
	c := defaultConfig(home)
	file := ConfigPath(home)
	err := c.read(file)
	c.Logging.File, c.StateFile = expandHome(home, c.Logging.File), expandHome(home, c.StateFile)
	c.Logging.Level = strings.ToUpper(c.Logging.Level)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		c = defaultConfig(home)
		c.Breaker.Enabled = false
		err = fmt.Errorf("%s: %w; until it is right, every hook runs without the circuit breaker", file, err)
	}
	return c, err
}

func defaultConfig(home string) *Config {
	c := &Config{StateFile: filepath.Join(home, ".claude", "hook_state.json")}
	c.Breaker.Enabled = true
	c.Breaker.FailureThreshold, c.Breaker.SuccessThreshold, c.Breaker.StopBlockThreshold = 3, 2, 8
	c.Breaker.CooldownSeconds = 300
	c.Logging.File = filepath.Join(home, ".claude", "logs", "circuit_breaker.log")
	c.Logging.Level, c.Logging.Format = "INFO", "%(asctime)s | %(levelname)s | %(hook_cmd)s | %(message)s"
	return c
}

// ConfigPath returns the path of the configuration below a home folder.
func ConfigPath(home string) string { return filepath.Join(home, ".claude", "guardrails.yaml") }

func (c *Config) read(file string) error {
	target, err := filepath.EvalSymlinks(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, err := statedir.ReadFile(target, maxConfig)
	if err != nil {
		return err
	}
	read := *c
	err = yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&read)
	if errors.Is(err, io.EOF) { // empty, or comments alone
		return nil
	}
	if err != nil {
		return errors.New(strings.TrimSpace(yaml.FormatError(err, false, false)))
	}
	*c = read
	return nil
}

// check finds what the parser does not.
func (c *Config) check() error {
	if !slices.Contains(levels, c.Logging.Level) {
		return fmt.Errorf("logging.level: expected one of %s", strings.Join(levels, ", "))
	}
	for key, file := range map[string]string{"logging.file": c.Logging.File, "state_file": c.StateFile} {
		if !filepath.IsAbs(file) {
			return fmt.Errorf("%s: expected a path that begins with / or ~/, not %q", key, file)
		}
	}
	patterns := slices.Clone(c.Breaker.Exclude)
	for hook, parents := range c.Breaker.DependsOn {
		patterns = append(append(patterns, hook), parents...)
	}
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("%q is no glob: a [ has to be closed", p)
		}
	}
	return nil
}

// expandHome replaces ~/ by a home folder.
func expandHome(home, file string) string {
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		return filepath.Join(home, rest)
	}
	return file
}

// Rules returns the rules of a hook.
func (c *Config) Rules(hook string) Rules {
	b := c.Breaker
	return Rules{
		FailureThreshold:   int64(b.FailureThreshold),
		SuccessThreshold:   int64(b.SuccessThreshold),
		StopBlockThreshold: int64(b.StopBlockThreshold),
		Cooldown:           time.Duration(b.CooldownSeconds) * time.Second,
		MaxCooldown:        time.Duration(b.MaxCooldownSeconds) * time.Second,
		Excluded:           matchesAny(b.Exclude, hook),
	}
}

// File returns the state file of a configuration.
func (c *Config) File(now func() time.Time) *File { return &File{Path: c.StateFile, Now: now} }

// Parent returns a hook that this one depends on and that is switched off at now; empty if there is none.
func (c *Config) Parent(hook string, s *Hooks, now time.Time) string {
	for pattern, parents := range c.Breaker.DependsOn {
		if !Matches(pattern, hook) {
			continue
		}
		for _, other := range s.Names() {
			if other == hook || !matchesAny(parents, other) {
				continue
			}
			h, r := s.Hook(other), c.Rules(other)
			if !r.Excluded && (h.DisabledByHand != nil || h.State == Open && h.waits(now, r)) {
				return other
			}
		}
	}
	return ""
}

// Matches reports whether a pattern means a hook: it is a part of the hook's command, or a glob of path.Match for one of its words, or
// for the end of a path that is one.
func Matches(pattern, hook string) bool {
	if pattern == "" {
		return false
	}
	if strings.Contains(hook, pattern) {
		return true
	}
	for _, word := range words(hook) {
		for ; word != ""; _, word, _ = strings.Cut(word, "/") {
			if whole, _ := path.Match(pattern, word); whole { // LoadConfig has refused what is no pattern
				return true
			}
		}
	}
	return false
}

func matchesAny(patterns []string, hook string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return Matches(p, hook) })
}
