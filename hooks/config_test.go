package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const testHome = "/home/u"

// load reads text as guardrails.yaml in a new home directory, which faults call /home/u.
func load(t testing.TB, text string, environ ...string) *Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "guardrails.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return LoadConfig(path, environ, testHome)
}

func want(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// The example file of ANTI-LOOP, word for word.
func TestANTILOOP_ConfigurationParsing(t *testing.T) {
	c := load(t, `# Anti-loop guardrails configuration
circuit_breaker:
  # Enable circuit breaker globally
  enabled: true

  # Number of consecutive failures before opening circuit
  failure_threshold: 3

  # Cooldown period (seconds) before testing recovery
  cooldown_seconds: 300  # 5 minutes

  # Consecutive successes needed to close circuit from half-open
  success_threshold: 2

  # Hooks to exclude from circuit breaker (always execute)
  exclude:
    - "damage-control/bash-tool-damage-control.py"
    - "damage-control/edit-tool-damage-control.py"

# Logging configuration
logging:
  # Log file for circuit breaker activity
  file: "~/.claude/logs/circuit_breaker.log"

  # Log level (DEBUG, INFO, WARNING, ERROR)
  level: "INFO"

  # Log format
  format: "%(asctime)s | %(levelname)s | %(hook_cmd)s | %(message)s"

# State file location
state_file: "~/.claude/hook_state.json"
`)
	want(t, "faults", c.Faults, []string(nil))
	rules := Rules{FailureThreshold: 3, SuccessThreshold: 2, Cooldown: 5 * time.Minute,
		Backoff: Backoff{Factor: 1, Min: 30 * time.Second, Max: time.Hour}}
	want(t, "policy", c.Policy("uv run check.py"), Policy{Rules: rules, StopBlockThreshold: 8})
	want(t, "excluded", c.Policy("uv run hooks/damage-control/bash-tool-damage-control.py").Excluded, true)
	want(t, "not excluded", c.Policy("uv run check.py").Excluded, false)
	want(t, "enabled", c.Enabled, true)
	want(t, "log", []string{c.LogFile, c.LogLevel, c.LogFormat},
		[]string{"/home/u/.claude/logs/circuit_breaker.log", "INFO", defaultLogFormat})
	want(t, "state file", c.StateFile, "/home/u/.claude/hook_state.json")
	want(t, "timeout", c.Timeout("x"), 590*time.Second)
	rows := c.Settings()
	want(t, "setting", rows[2], Setting{"circuit_breaker.failure_threshold", "3", "guardrails.yaml:7"})
	want(t, "unset", rows[5], Setting{"circuit_breaker.stop_block_threshold", "8", "default"})
	want(t, "no hooks", row(c, "circuit_breaker.hooks"), Setting{"circuit_breaker.hooks", "{}", "default"})
	want(t, "no dependencies", row(c, "circuit_breaker.dependencies"), Setting{"circuit_breaker.dependencies", "{}", "default"})
}

// keyCases has every key of the table, with a valid value that is not the default, and invalid ones.
var keyCases = map[string]struct {
	right string // as in the file and in a variable
	shown string // how right is shown, if differently
	wrong []string
}{
	"circuit_breaker.enabled":              {right: "false", wrong: []string{"maybe", "2", "[false]", "{}", "falsee", "null false"}},
	"circuit_breaker.mode":                 {right: "observe", wrong: []string{"off", "false", "[]"}},
	"circuit_breaker.failure_threshold":    {right: "5", wrong: []string{"0", "-1", "3.5", "many", "1000001", "99999999999999999999", "[3]"}},
	"circuit_breaker.cooldown_seconds":     {right: "60", wrong: []string{"0", "soon", "5m", "-300", "31536001", "1e3"}},
	"circuit_breaker.success_threshold":    {right: "1", wrong: []string{"0", "-2", "two"}},
	"circuit_breaker.stop_block_threshold": {right: "0", wrong: []string{"-1", "none"}},
	"circuit_breaker.hook_timeout_seconds": {right: "0", wrong: []string{"-1", "1h"}},
	"circuit_breaker.backoff.factor":       {right: "2.5", wrong: []string{"0.5", "-1", "NaN", "Inf", "double", "1001"}},
	"circuit_breaker.backoff.jitter":       {right: "0.2", wrong: []string{"1.5", "-0.1", "20%"}},
	"circuit_breaker.backoff.adaptive":     {right: "true", wrong: []string{"very"}},
	"circuit_breaker.backoff.min_seconds":  {right: "10", wrong: []string{"0", "-1", "x"}},
	"circuit_breaker.backoff.max_seconds":  {right: "7200", wrong: []string{"0", "-1", "x"}},
	"circuit_breaker.exclude":              {right: `["a b", "c,d"]`, wrong: []string{"{a: b}"}},
	"circuit_breaker.hooks":                {right: `{"x.py": {failure_threshold: 9}}`, wrong: []string{"[x.py]", "3"}},
	"circuit_breaker.dependencies":         {right: `{"child": ["parent"]}`, wrong: []string{"[x.py]", "3"}},
	"logging.file":                         {right: "~/x.log", shown: "/home/u/x.log", wrong: []string{"x.log", "'~'", "~o/x.log", "[]", "/"}},
	"logging.level":                        {right: "debug", shown: "DEBUG", wrong: []string{"LOUD", "10"}},
	"logging.format":                       {right: "'%(message)-8s'", shown: "%(message)-8s", wrong: []string{"'%(nonsense)s'", "'100%'"}},
	"state_file":                           {right: "/var/x/state.json", wrong: []string{"state.json", "{}"}},
	"metrics_file":                         {right: "/var/x/metrics.prom", wrong: []string{"./metrics"}},
	"alert":                                {right: "yes", shown: "true", wrong: []string{"mail"}},
}

// nested writes a dotted key with its value as in a file.
func nested(key, value string) string {
	names := strings.Split(key, ".")
	var b strings.Builder
	for depth, name := range names {
		b.WriteString(strings.Repeat("  ", depth) + name + ":")
		if depth < len(names)-1 {
			b.WriteString("\n")
		}
	}
	return b.String() + " " + value + "\n"
}

// row returns the setting that is shown for a key; for a mapping, the first key below it.
func row(c *Config, key string) Setting {
	for _, s := range c.Settings() {
		if s.Key == key || strings.HasPrefix(s.Key, key+`."`) {
			return s
		}
	}
	return Setting{}
}

func TestConfigEveryKey(t *testing.T) {
	for _, s := range settings(&Config{}) {
		if s.place&forAll == 0 {
			continue
		}
		t.Run(s.key, func(t *testing.T) {
			tt, ok := keyCases[s.key]
			if !ok {
				t.Fatal("has no case")
			}
			shown := tt.shown
			switch {
			case s.key == "circuit_breaker.hooks":
				shown = "9"
			case s.key == "circuit_breaker.dependencies":
				shown = `["parent"]`
			case shown == "":
				shown = tt.right
			}
			line := strings.Count(s.key, ".") + 1
			before := row(LoadConfig("", nil, testHome), s.key)
			if before.Value == shown {
				t.Fatalf("%q is the default", shown)
			}

			c := load(t, nested(s.key, tt.right))
			want(t, "faults", c.Faults, []string(nil))
			got := row(c, s.key)
			want(t, "value by file", got.Value, shown)
			want(t, "source", got.Source, fmt.Sprintf("guardrails.yaml:%d", line))

			for _, name := range s.variables() {
				c := load(t, "", name+"="+strings.Trim(tt.right, "'"))
				want(t, name+": faults", c.Faults, []string(nil))
				got := row(c, s.key)
				want(t, name+": value", got.Value, shown)
				want(t, name+": source", got.Source, name)
				want(t, name+": empty is unset", row(load(t, "", name+"= "), s.key), before)
			}
			want(t, "nothing is unset", row(load(t, nested(s.key, "")), s.key), before)
			want(t, "null is unset", row(load(t, nested(s.key, "null")), s.key), before)

			for _, wrong := range tt.wrong {
				c := load(t, nested(s.key, wrong))
				want(t, wrong+": faults", len(c.Faults), 1)
				want(t, wrong+": value", row(c, s.key), before)
				if len(c.Faults) == 1 && !strings.HasPrefix(c.Faults[0], fmt.Sprintf("guardrails.yaml:%d: %s: ", line, s.key)) {
					t.Errorf("%s: fault %q has no place", wrong, c.Faults[0])
				}
				name := s.variables()[0]
				c = load(t, nested(s.key, tt.right), name+"="+strings.Trim(wrong, "'"))
				want(t, wrong+" in the environment: faults", len(c.Faults), 1)
				want(t, wrong+" in the environment: value", row(c, s.key), got)
			}
		})
	}
}

// Every key that may be set for single hooks affects them, and no others.
func TestConfigEveryKeyOfAHook(t *testing.T) {
	for i, s := range settings(&Config{}) {
		if s.place&forHooks == 0 {
			continue
		}
		name := s.name(forHooks)
		t.Run(name, func(t *testing.T) {
			right := keyCases[s.key].right
			if s.place == forHooks {
				right = "true"
			}
			value := func(c *Config, hook string) string { return settings(c.of(hook))[i].show() }
			c := load(t, "circuit_breaker:\n  hooks:\n    check.py:\n      "+
				strings.ReplaceAll(strings.TrimSpace(nested(name, right)), "\n", "\n      "))
			want(t, "faults", c.Faults, []string(nil))
			want(t, "value", value(c, "uv run check.py"), right)
			want(t, "another's value", value(c, "uv run other.py"), s.def)
			want(t, "shown", row(c, hooksSection).Key, `circuit_breaker.hooks."check.py".`+name)
			c = load(t, fmt.Sprintf("circuit_breaker: {hooks: {check.py: {%q: [wrong]}}}", name))
			want(t, "faults", len(c.Faults), 1)
			want(t, "value", value(c, "uv run check.py"), s.def)
		})
	}
}

func TestConfigOfOneHook(t *testing.T) {
	c := load(t, `
circuit_breaker:
  failure_threshold: 10
  exclude: [security/, audit]
  hooks:
    "checks/*.py": {failure_threshold: 4, cooldown_seconds: 7, mode: observe}
    checks/: {failure_threshold: 6, success_threshold: 5}
    checks/slow.py: {hook_timeout_seconds: 20, backoff: {factor: 2, jitter: 0.5}, mode: enforce}
    "security/trial.py": {exclude: false}
    audit: {exclude: false}
    off.py: {enabled: false}
  dependencies:
    checks/: [setup.py, "build *"]
    slow: warm.py
`)
	want(t, "faults", c.Faults, []string(nil))
	for hook, rules := range map[string]Policy{
		"checks/a.py":    {Rules: Rules{FailureThreshold: 4, SuccessThreshold: 5, Cooldown: 7 * time.Second}, Observe: true},
		"checks/slow.py": {Rules: Rules{FailureThreshold: 4, SuccessThreshold: 5, Cooldown: 7 * time.Second}},
		"checks/run.sh":  {Rules: Rules{FailureThreshold: 6, SuccessThreshold: 5, Cooldown: 300 * time.Second}},
		"other.py":       {Rules: Rules{FailureThreshold: 10, SuccessThreshold: 2, Cooldown: 300 * time.Second}},
		"security/x.py":  {Rules: Rules{FailureThreshold: 10, SuccessThreshold: 2, Cooldown: 300 * time.Second, Excluded: true}},
		"security/trial.py": {
			Rules: Rules{FailureThreshold: 10, SuccessThreshold: 2, Cooldown: 300 * time.Second}},
		"audit":  {Rules: Rules{FailureThreshold: 10, SuccessThreshold: 2, Cooldown: 300 * time.Second, Excluded: true}},
		"off.py": {Rules: Rules{FailureThreshold: 10, SuccessThreshold: 2, Cooldown: 300 * time.Second, Excluded: true}},
	} {
		got := c.Policy(hook)
		got.Backoff, got.StopBlockThreshold = Backoff{}, 0
		want(t, hook, got, rules)
	}
	want(t, "backoff", c.Policy("checks/slow.py").Backoff, Backoff{Factor: 2, Jitter: 0.5, Min: 30 * time.Second, Max: time.Hour})
	want(t, "timeout", c.Timeout("checks/slow.py"), 20*time.Second)
	want(t, "parents", c.Parents("checks/slow.py"), []string{"setup.py", "build *", "warm.py"})
	want(t, "no parents", c.Parents("other.py"), []string(nil))
}

// The switch for all hooks does not mark any of them as excluded.
func TestConfigSwitchedOff(t *testing.T) {
	c := load(t, "circuit_breaker: {enabled: off, hooks: {a: {enabled: true}}}")
	want(t, "enabled", c.Enabled, false)
	want(t, "excluded", c.Policy("a").Excluded || c.Policy("b").Excluded, false)
}

func TestConfigFaults(t *testing.T) {
	const backoff = "circuit_breaker:\n  backoff:\n    min_seconds: 60\n    max_seconds: 20\n"
	for _, tt := range []struct {
		text    string
		environ []string
		want    []string
	}{
		{text: "", want: nil},
		{text: "# nothing\n", want: nil},
		{text: "---\n...\n", want: nil},
		{text: "circuit_breaker:\n", want: nil},
		{text: "circuit_breaker:\n\n\n  cooldown_seconds: soon\n",
			want: []string{`guardrails.yaml:4: circuit_breaker.cooldown_seconds: "soon"; ` +
				`must be a whole number of seconds from 1 to 31536000; 300 is used`}},
		{text: "circuit_breaker:\n  failure_treshold: 3\nlog: x\nwholly_else: 1\n", want: []string{
			"guardrails.yaml:2: circuit_breaker.failure_treshold: no such key, it has no effect; did you mean circuit_breaker.failure_threshold?",
			"guardrails.yaml:3: log: no such key, it has no effect",
			"guardrails.yaml:4: wholly_else: no such key, it has no effect",
		}},
		{text: "failure_threshold: 3\ncircuit-breaker: {}\n", want: []string{
			"guardrails.yaml:1: failure_threshold: no such key, it has no effect; did you mean circuit_breaker.failure_threshold?",
			`guardrails.yaml:2: "circuit-breaker": no such key, it has no effect; did you mean circuit_breaker?`,
		}},
		{text: "circuit_breaker: 3\nlogging: [INFO]", want: []string{
			`guardrails.yaml:1: circuit_breaker: "3" where there must be further keys; it has no effect`,
			`guardrails.yaml:2: logging: a list where there must be further keys; it has no effect`,
		}},
		{text: "- circuit_breaker", want: []string{
			`guardrails.yaml:1: a list where there must be keys, such as circuit_breaker; every default is used`}},
		{text: "state_file: /a\nalert: true\nstate_file: /b\nstate_file: /c\n", want: []string{
			"guardrails.yaml:3: state_file: it is in line 1 too; neither counts, keep one",
			"guardrails.yaml:4: state_file: it is in line 3 too; neither counts, keep one",
		}},
		{text: "logging: {level: DEBUG}\nlogging: {level: ERROR}\n", want: []string{
			"guardrails.yaml:2: logging: it is in line 1 too; what both say counts",
			"guardrails.yaml:2: logging.level: it is in line 1 too; neither counts, keep one",
		}},
		{text: "circuit_breaker:\n  exclude:\n  - a\n  - ''\n  - [b]\n  - ~\n", want: []string{
			`guardrails.yaml:4: circuit_breaker.exclude: ""; must be a pattern, which is a part of a hook's command, of at most 1024 bytes; it is left out`,
			`guardrails.yaml:5: circuit_breaker.exclude: a list; must be a pattern, which is a part of a hook's command, of at most 1024 bytes; it is left out`,
			`guardrails.yaml:6: circuit_breaker.exclude: "~"; must be a pattern, which is a part of a hook's command, of at most 1024 bytes; it is left out`,
		}},
		{text: "circuit_breaker:\n  hooks:\n    a: {cooldown_seconds: x, colour: red}\n    b: 3\n    a: {}\n    '': {}\n    [c]: {}",
			want: []string{
				`guardrails.yaml:3: circuit_breaker.hooks."a".colour: no such key, it has no effect`,
				`guardrails.yaml:3: circuit_breaker.hooks."a".cooldown_seconds: "x"; must be a whole number of seconds from 1 to 31536000; ` +
					`what holds for other hooks is used`,
				`guardrails.yaml:4: circuit_breaker.hooks."b": "3" where there must be settings, such as failure_threshold; it has no effect`,
				`guardrails.yaml:5: circuit_breaker.hooks."a": it is in line 3 too; what both say counts`,
				`guardrails.yaml:6: circuit_breaker.hooks: ""; must be a pattern, which is a part of a hook's command, of at most 1024 bytes; it has no effect`,
				`guardrails.yaml:7: a list where there must be a key; it has no effect`,
			}},
		{text: "circuit_breaker:\n  dependencies:\n    a: {b: c}\n", want: []string{
			`guardrails.yaml:3: circuit_breaker.dependencies."a": a mapping; must be a list of patterns; it has no effect`}},
		{text: backoff, want: []string{
			"guardrails.yaml:3: circuit_breaker.backoff: min_seconds (60) is more than max_seconds (20); both defaults are used"}},
		{text: "state_file: &a [*a]\n", want: []string{
			"guardrails.yaml: line 1, column 13: nested deeper than 64 levels; every default is used"}},
		{text: "alert: true\n\tstate_file: x\n", want: []string{
			"guardrails.yaml: line 2, column 1: a tab; YAML is indented by spaces; every default is used"}},
		{text: "alert: true\n---\nalert: false\n", want: []string{
			"guardrails.yaml: line 2, column 1: a second document; must be one; every default is used"}},
		{environ: []string{"GUARDRAILS_FAILURE_TRESHOLD=3", "GUARDRAILS_BLUE=1", "GUARDRAILS_STATE=/x", "GUARDRAILSX=1"}, want: []string{
			"GUARDRAILS_BLUE: no such variable, it has no effect",
			"GUARDRAILS_FAILURE_TRESHOLD: no such variable, it has no effect; did you mean GUARDRAILS_FAILURE_THRESHOLD?",
			"GUARDRAILS_STATE: no such variable, it has no effect",
		}},
		{environ: []string{"GUARDRAILS_HOOKS={a: {failure_threshold: 0}}", "GUARDRAILS_EXCLUDE=[a", "GUARDRAILS_DEPENDENCIES=x"}, want: []string{
			`GUARDRAILS_EXCLUDE: line 1, column 2: not YAML: did not find expected ',' or ']'; ` +
				`see to quotes, brackets and indentation here and on the line before; must be a list of patterns; it has no effect`,
			`GUARDRAILS_HOOKS: circuit_breaker.hooks."a".failure_threshold: "0"; must be a whole number from 1 to 1000000; ` +
				`what holds for other hooks is used`,
			`GUARDRAILS_DEPENDENCIES: circuit_breaker.dependencies: "x"; must be a mapping of patterns to lists of them; it has no effect`,
		}},
	} {
		c := load(t, tt.text, tt.environ...)
		want(t, fmt.Sprintf("%q %q", tt.text, tt.environ), c.Faults, tt.want)
		want(t, fmt.Sprintf("%q %q: enabled", tt.text, tt.environ), c.Enabled, true)
	}
}

// Valid values are used, whatever is beside them.
func TestConfigRestStaysInForce(t *testing.T) {
	c := load(t, "circuit_breaker:\n  enabled: perhaps\n  failure_threshold: 7\n  exclude: [a, '', b]\nlogging: 3\nalert: true\n",
		"GUARDRAILS_COOLDOWN_SECONDS=never", "GUARDRAILS_CIRCUIT_BREAKER_SUCCESS_THRESHOLD=4", "GUARDRAILS_SUCCESS_THRESHOLD=5")
	want(t, "faults", len(c.Faults), 4)
	want(t, "enabled", c.Enabled, true)
	want(t, "alert", c.Alert, true)
	want(t, "exclude", c.exclude, []string{"a", "b"})
	p := c.Policy("x")
	want(t, "thresholds", []int64{p.FailureThreshold, p.SuccessThreshold}, []int64{7, 4})
	want(t, "cooldown", p.Cooldown, 5*time.Minute)
}

// The environment is used even if the file cannot be parsed.
func TestConfigBrokenFile(t *testing.T) {
	c := load(t, "circuit_breaker: {failure_threshold: 7, enabled: false\n", "GUARDRAILS_COOLDOWN_SECONDS=5")
	want(t, "faults", len(c.Faults), 1)
	want(t, "enabled", c.Enabled, true)
	want(t, "threshold", c.Policy("x").FailureThreshold, int64(3))
	want(t, "cooldown", c.Policy("x").Cooldown, 5*time.Second)
}

func TestConfigLists(t *testing.T) {
	for text, list := range map[string][]string{
		"a":               {"a"},
		"a,b c , ,d":      {"a", "b c", "d"},
		`["a,b", 'c', 3]`: {"a,b", "c", "3"},
		"[]":              {},
	} {
		c := load(t, "", "GUARDRAILS_EXCLUDE="+text)
		want(t, text+": faults", c.Faults, []string(nil))
		want(t, text, c.exclude, list)
	}
	c := load(t, "x: &x [a, b]\ncircuit_breaker:\n  exclude: a, b\n  hooks: {p: &p {failure_threshold: 5}, q: *p}\n")
	want(t, "one pattern", c.exclude, []string{"a, b"})
	want(t, "an alias", c.Policy("q").FailureThreshold, int64(5))
	want(t, "nothing wrong in aliases", c.Faults, []string{"guardrails.yaml:1: x: no such key, it has no effect"})
}

// A few lines of aliases that expand to billions of values are refused, and the list of faults is limited.
func TestConfigAliasBomb(t *testing.T) {
	c := load(t, "x: &x {"+strings.Repeat("k: 1, ", 1000)+"}\ncircuit_breaker:\n  hooks:\n"+strings.Repeat("    p: *x\n", 1000))
	want(t, "faults", c.Faults, []string{"guardrails.yaml: line 1, column 3026: aliases (*…) expand to more than 131072 values; write fewer of them; every default is used"})
	want(t, "enabled", c.Enabled, true)
	c = load(t, strings.Repeat("k: 1\n", 150))
	want(t, "faults", len(c.Faults), 101)
}

func TestConfigFile(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.yaml")
	missing := filepath.Join(dir, "missing.yaml")
	link, dangling := filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	pipe, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "large")
	home := filepath.Join(dir, "home")
	for _, err := range []error{
		os.WriteFile(good, []byte("alert: true\n"), 0o600),
		os.Symlink(good, link),
		os.Symlink(missing, dangling),
		syscall.Mkfifo(pipe, 0o600),
		os.WriteFile(large, []byte("alert: true\n"+strings.Repeat("#", maxConfigFile)), 0o600),
		os.MkdirAll(filepath.Join(home, ".claude"), 0o700),
		os.WriteFile(filepath.Join(home, ".claude/guardrails.yaml"), []byte("alert: true\n"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name, path, variable, home string
		file                       string
		alert                      bool
		fault                      string
	}{
		{name: "the default", home: home, file: filepath.Join(home, ".claude/guardrails.yaml"), alert: true},
		{name: "no default file", home: dir, file: filepath.Join(dir, ".claude/guardrails.yaml")},
		{name: "named", path: good, home: dir, file: good, alert: true},
		{name: "by variable", variable: good, home: dir, file: good, alert: true},
		{name: "by variable at home", variable: "~/good.yaml", home: dir, file: good, alert: true},
		{name: "the name counts before the variable", path: good, variable: missing, home: dir, file: good, alert: true},
		{name: "through a link", path: link, home: dir, file: link, alert: true},
		{name: "named and missing", path: missing, home: dir, file: missing,
			fault: missing + ": it cannot be read (no such file or directory); every default is used"},
		{name: "variable and missing", variable: missing, home: dir, file: missing,
			fault: missing + ": it cannot be read (no such file or directory); every default is used"},
		{name: "dangling", path: dangling, home: dir, file: dangling, fault: dangling +
			": it cannot be read (it is a link that leads nowhere: no such file or directory); every default is used"},
		{name: "a pipe", path: pipe, home: dir, file: pipe, fault: pipe + ": it cannot be read (open "},
		{name: "a directory", path: dir, home: dir, file: dir, fault: dir + ": it cannot be read (open "},
		{name: "too large", path: large, home: dir, file: large, fault: large + ": it cannot be read (read "},
		{name: "no home", file: "", fault: "HOME: it is not set, so ~ means nothing; name state_file and logging.file in full"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := LoadConfig(tt.path, []string{"GUARDRAILS_CONFIG=" + tt.variable}, tt.home)
			want(t, "file", c.File, tt.file)
			want(t, "alert", c.Alert, tt.alert)
			faults := strings.Join(c.Faults, "\n")
			if tt.fault == "" && faults != "" || !strings.HasPrefix(faults, tt.fault) {
				t.Errorf("faults %q, want %q", faults, tt.fault)
			}
		})
	}
}

// For any file and environment, the result is usable.
func FuzzConfig(f *testing.F) {
	for key, tt := range keyCases {
		name := setting{key: key}.variables()[0]
		f.Add([]byte(nested(key, tt.right)), name, tt.right)
		for _, wrong := range tt.wrong {
			f.Add([]byte(nested(key, wrong)), name, wrong)
		}
	}
	f.Add([]byte("a: &a [*a]\ncircuit_breaker: {enabled: false, enabled: false}"), "GUARDRAILS_HOOKS", "{'*': {exclude: true, <<: *x}}")
	f.Add([]byte("%YAML 1.2\n---\n!!set {? circuit_breaker}"), "GUARDRAILS_", "")
	f.Fuzz(func(t *testing.T, data []byte, name, text string) {
		variables := map[string]string{}
		if strings.HasPrefix(name, variablePrefix) {
			variables[name] = strings.TrimSpace(text)
		}
		c := newConfig("guardrails.yaml", data, nil, variables, testHome)
		p := c.Policy("uv run check.py")
		switch {
		case p.FailureThreshold < 1, p.SuccessThreshold < 1, p.StopBlockThreshold < 0:
			t.Errorf("thresholds: %+v", p)
		case p.Cooldown < time.Second, c.Timeout("x") < 0, p.Backoff.Min < time.Second, p.Backoff.Max < time.Second:
			t.Errorf("times: %+v", p)
		case !(p.Backoff.Factor >= 1), !(p.Backoff.Jitter >= 0 && p.Backoff.Jitter <= 1):
			t.Errorf("backoff: %+v", p.Backoff)
		case !filepath.IsAbs(c.StateFile), !filepath.IsAbs(c.LogFile), c.MetricsFile != "" && !filepath.IsAbs(c.MetricsFile):
			t.Errorf("paths: %q %q %q", c.StateFile, c.LogFile, c.MetricsFile)
		}
		if enabled := row(c, "circuit_breaker.enabled"); !c.Enabled && enabled.Source == "default" {
			t.Error("switched off without a setting")
		}
		if !c.Enabled && !said(string(data)) && !said(text) {
			t.Error("switched off without a word for it")
		}
		if _, ok := parseFormat(c.LogFormat); !ok {
			t.Errorf("log format %q", c.LogFormat)
		}
		for _, fault := range c.Faults {
			if strings.ContainsAny(fault, "\n\r\x1b") {
				t.Errorf("fault %q is more than a line", fault)
			}
		}
		c.Settings()
		c.Parents("x")
	})
}

func said(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "false") || strings.Contains(text, "no") || strings.Contains(text, "off") || strings.Contains(text, "0") ||
		strings.Contains(text, `\`) || strings.Contains(text, "\x00") // an escape or another encoding may spell one
}

func BenchmarkConfig(b *testing.B) {
	environ := os.Environ()
	b.Run("none", func(b *testing.B) {
		home := b.TempDir()
		for b.Loop() {
			LoadConfig("", environ, home)
		}
	})
	b.Run("typical", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "guardrails.yaml")
		var text strings.Builder
		for key, tt := range keyCases {
			if section, name, ok := strings.Cut(key, "."); ok && section == "circuit_breaker" && !strings.Contains(name, ".") {
				text.WriteString("  " + name + ": " + tt.right + "\n")
			}
		}
		if err := os.WriteFile(path, []byte("circuit_breaker:\n"+text.String()), 0o600); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			LoadConfig(path, environ, "/home/u").Policy("uv run check.py")
		}
	})
}
