package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func newHome(t *testing.T, guardrails string) string {
	t.Helper()
	home := t.TempDir()
	must(t, os.Mkdir(filepath.Join(home, ".claude"), 0o700))
	if guardrails != "" {
		must(t, os.WriteFile(ConfigPath(home), []byte(guardrails), 0o600))
	}
	return home
}

// The file of ANTI-LOOP "Configuration File", which has the defaults.
const document = `# Anti-loop guardrails configuration
circuit_breaker:
  enabled: true
  failure_threshold: 3
  cooldown_seconds: 300  # 5 minutes
  success_threshold: 2
  exclude:
    - "damage-control/bash-tool-damage-control.py"
    - "damage-control/edit-tool-damage-control.py"
logging:
  file: "~/.claude/logs/circuit_breaker.log"
  level: "INFO"
  format: "%(asctime)s | %(levelname)s | %(hook_cmd)s | %(message)s"
state_file: "~/.claude/hook_state.json"
`

func TestANTILOOP_ConfigurationParsing(t *testing.T) {
	home := newHome(t, document)
	c, err := LoadConfig(home)
	must(t, err)
	plain, err := LoadConfig(newHome(t, "# nothing\n"))
	must(t, err)
	if got := c.Rules("uv run hooks/damage-control/bash-tool-damage-control.py"); !got.Excluded {
		t.Errorf("%+v", got)
	}
	want := Rules{FailureThreshold: 3, SuccessThreshold: 2, StopBlockThreshold: 8, Cooldown: 5 * time.Minute}
	for name, got := range map[string]Rules{"document": c.Rules("x"), "default": plain.Rules("x")} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if c.StateFile != home+"/.claude/hook_state.json" || c.Logging.File != home+"/.claude/logs/circuit_breaker.log" || c.Logging.Level != "INFO" {
		t.Errorf("%+v", c)
	}
	c, err = LoadConfig(newHome(t, `
circuit_breaker: {enabled: false, failure_threshold: 5, cooldown_seconds: 1, max_cooldown_seconds: 3600, stop_block_threshold: 0}
state_file: /s.json
notify: ["ntfy://ops"]
`))
	must(t, err)
	want.FailureThreshold, want.Cooldown, want.MaxCooldown, want.StopBlockThreshold = 5, time.Second, time.Hour, 0
	if diff := cmp.Diff(want, c.Rules("x")); diff != "" || c.Breaker.Enabled || c.StateFile != "/s.json" || c.Notify[0] != "ntfy://ops" {
		t.Errorf("%+v %s", c, diff)
	}
}

// A mistake is named with its place, and every hook runs: nobody knows which ones the file excludes.
func TestAMistakeInTheConfigurationSwitchesTheBreakerOff(t *testing.T) {
	for text, want := range map[string]string{
		"circuit_breaker:\n  failure_treshold: 3\n":       `[2:3] unknown field "failure_treshold"`,
		"circuit_breaker:\n  failure_threshold: many\n":   "[2:22] cannot unmarshal string",
		"circuit_breaker: [\n":                            "[",
		"circuit_breaker: {success_threshold: -1}":        "[1:38] ",
		"circuit_breaker: {cooldown_seconds: 5000000000}": "[1:37] ",
		"circuit_breaker: {max_cooldown_seconds: .nan}":   "[1:41] ",
		"notify: ntfy://ops":                              "[1:9] ",
		"circuit_breaker: {exclude: ['[a']}":              `"[a" is no glob: a [ has to be closed`,
		"state_file: hook_state.json":                     `state_file: expected a path that begins with / or ~/, not "hook_state.json"`,
		"logging: {file: breaker.log}":                    `logging.file: expected a path`,
		"logging: {level: LOUD}":                          "logging.level: expected one of DEBUG, INFO, WARNING, ERROR",
	} {
		home := newHome(t, text)
		c, err := LoadConfig(home)
		if err == nil || !strings.HasPrefix(err.Error(), ConfigPath(home)+": "+want) || c.Breaker.Enabled || !filepath.IsAbs(c.Logging.File) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestMatches(t *testing.T) {
	const hook = `cd "$CLAUDE_PROJECT_DIR" && uv run hooks/validators/check.py --directory 'specs'`
	for pattern, want := range map[string]bool{
		"check.py": true, "validators/": true, "hooks/*/check.py": true, "*/check.??": true, "*.py": true, "spec?": true,
		"": false, "other.py": false, "*.sh": false, "hooks/*.py": false, "uv*py": false,
	} {
		if Matches(pattern, hook) != want {
			t.Errorf("%q: %v", pattern, !want)
		}
	}
}

func TestANTILOOP_HookDependencies(t *testing.T) {
	c, err := LoadConfig(newHome(t, "circuit_breaker: {depends_on: {client.sh: [server.sh]}, exclude: [spared.sh]}"))
	must(t, err)
	retry := noon.Add(time.Minute)
	for name, tt := range map[string]struct {
		server Hook
		now    time.Time
		want   string
	}{
		"it runs":              {Hook{}, noon, ""},
		"it is open":           {Hook{Circuit: Circuit{State: Open, RetryAfter: &retry}}, noon, "sh server.sh"},
		"its cooldown is over": {Hook{Circuit: Circuit{State: Open, RetryAfter: &retry}}, retry, ""},
		"by hand":              {Hook{DisabledByHand: &noon}, noon, "sh server.sh"},
	} {
		f := newFile(t, "")
		_, err := f.Update(lockWait, func(s *Hooks) { s.Edit("sh server.sh", "", func(h *Hook) { *h = tt.server }) })
		must(t, err)
		s, err := f.Read()
		must(t, err)
		if got := c.Parent("sh client.sh", s, tt.now); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if got := c.Parent("sh other.sh", s, tt.now); got != "" {
			t.Errorf("%s: another one waits for %q", name, got)
		}
	}
}
