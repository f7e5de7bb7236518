package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
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
		FailureThreshold   int64               `yaml:"failure_threshold"`
		CooldownSeconds    float64             `yaml:"cooldown_seconds"`
		MaxCooldownSeconds float64             `yaml:"max_cooldown_seconds"` // up to which openings in a row double the cooldown; 0: they do not
		SuccessThreshold   int64               `yaml:"success_threshold"`
		StopBlockThreshold int64               `yaml:"stop_block_threshold"` // blocks in a row of an agent's end that are a loop; 0: never
		Exclude            []string            `yaml:"exclude"`              // hooks that always run
		DependsOn          map[string][]string `yaml:"depends_on"`           // a hook, and those that must not be switched off
	} `yaml:"circuit_breaker"`
	Logging struct {
		File   string `yaml:"file"`
		Level  string `yaml:"level"`
		Format string `yaml:"format"`
	} `yaml:"logging"`
	StateFile string   `yaml:"state_file"`
	Notify    []string `yaml:"notify"` // Apprise URLs
}

// LoadConfig reads the configuration below a home folder; a missing file means the defaults. With an error, which names the place, the
// circuit breaker is off: nobody knows which hooks the file excludes.
func LoadConfig(home string) (*Config, error) {
	c := &Config{}
	c.Breaker.Enabled = true
	c.Breaker.FailureThreshold, c.Breaker.SuccessThreshold, c.Breaker.StopBlockThreshold = 3, 2, 8
	c.Breaker.CooldownSeconds = 300
	c.Logging.File, c.StateFile = "~/.claude/logs/circuit_breaker.log", "~/.claude/hook_state.json"
	c.Logging.Level, c.Logging.Format = "INFO", "%(asctime)s | %(levelname)s | %(hook_cmd)s | %(message)s"
	file := ConfigPath(home)
	err := c.read(file)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		c.Breaker.Enabled = false
		err = fmt.Errorf("%s: %w; until it is right, every hook runs without the circuit breaker", file, err)
	}
	c.Logging.File, c.StateFile = below(home, c.Logging.File), below(home, c.StateFile)
	return c, err
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

func (c *Config) check() error {
	b := c.Breaker
	switch {
	case b.FailureThreshold < 1:
		return errors.New("failure_threshold: expected 1 or more")
	case b.SuccessThreshold < 1:
		return errors.New("success_threshold: expected 1 or more")
	case b.StopBlockThreshold < 0:
		return errors.New("stop_block_threshold: expected 0 or more")
	case !isSeconds(b.CooldownSeconds):
		return errors.New("cooldown_seconds: expected seconds, up to a year")
	case !isSeconds(b.MaxCooldownSeconds):
		return errors.New("max_cooldown_seconds: expected seconds, up to a year")
	case !slices.Contains(levels, c.Logging.Level):
		return fmt.Errorf("level: expected one of %s", strings.Join(levels, ", "))
	}
	return nil
}

func isSeconds(n float64) bool { return n >= 0 && n <= 365*24*60*60 && !math.IsNaN(n) }

// below replaces ~/ by a home folder.
func below(home, file string) string {
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		return filepath.Join(home, rest)
	}
	return file
}

// Policy returns the policy of a hook.
func (c *Config) Policy(hook string) Policy {
	b := c.Breaker
	return Policy{
		StopBlockThreshold: b.StopBlockThreshold,
		Rules: Rules{
			FailureThreshold: b.FailureThreshold,
			SuccessThreshold: b.SuccessThreshold,
			Cooldown:         time.Duration(b.CooldownSeconds * float64(time.Second)),
			MaxCooldown:      time.Duration(b.MaxCooldownSeconds * float64(time.Second)),
			Excluded:         matchesAny(b.Exclude, hook),
		},
	}
}

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
			h, p := s.Hook(other), c.Policy(other)
			if !p.Excluded && (h.DisabledByHand != nil || h.known() == Open && h.waits(now, p.Rules)) {
				return other
			}
		}
	}
	return ""
}

// Matches reports whether a pattern means a hook: it is a part of the hook's command, or a glob of path.Match for one of its words.
func Matches(pattern, hook string) bool {
	if pattern == "" {
		return false
	}
	if strings.Contains(hook, pattern) {
		return true
	}
	return slices.ContainsFunc(words(hook), func(word string) bool {
		whole, _ := path.Match(pattern, word) // a pattern that is no glob matches nothing
		return whole
	})
}

func matchesAny(patterns []string, hook string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return Matches(p, hook) })
}

// userHome returns the home folder of the user.
func userHome() (string, error) {
	home, err := os.UserHomeDir()
	if err == nil && !filepath.IsAbs(home) {
		err = fmt.Errorf("HOME is %q: expected an absolute path", home)
	}
	return home, err
}

// File returns the state file of a configuration.
func (c *Config) File(now func() time.Time) *File { return &File{Path: c.StateFile, Now: now} }
