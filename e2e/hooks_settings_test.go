package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/testkit/modeltest"
)

// effects is everything that a test can see of the hooks that ran: their input, how the agent program used their output, and what the model
// got of it. What differs between runs is replaced.
type effects struct {
	Code     int
	Subtype  string
	Given    map[string][]string // by probe
	Events   []string            // the program's own report of each hook
	Attached []string            // its attachments in the transcript
	Told     [][]string          // the content of each request to the model
}

// everyEvent is a conversation that fires all events of -p mode.
func everyEvent() modeltest.Script {
	return modeltest.Script{"haiku": {
		modeltest.Bash("echo FROM_HOOK is $FROM_HOOK; cd /", "echo forbidden", "false", "echo warn"),
		modeltest.Use("Task", map[string]any{"description": "look", "prompt": "look around", "subagent_type": "general-purpose"}),
		modeltest.Bash("echo from the subagent"),
		modeltest.Say("nothing unusual"),
		modeltest.Say("finished"),
		modeltest.Bash("true"),
		modeltest.Say("finished indeed"),
	}}
}

func (d *hooksHome) realWorld() {
	d.t.Helper()
	for _, file := range [][2]string{
		{"settings.json", userSettings}, {"probe.sh", "home/.claude/hooks/probe.sh"}, {"probe.sh", project + "/.claude/probe.sh"},
	} {
		text, err := os.ReadFile(filepath.Join("testdata/hooks", file[0]))
		must(d.t, err)
		d.write(file[1], string(text))
	}
	d.write(project+"/CLAUDE.md", "Be brief.\n")
	must(d.t, os.Mkdir(d.path("probe"), 0o700))
}

// commands returns the commands of all hooks in the settings, in order.
func (d *hooksHome) commands() (list []string) {
	d.t.Helper()
	settings, _, _ := strings.Cut(d.read(userSettings), `"statusLine"`)
	for _, found := range regexp.MustCompile(`"command": ("([^"\\]|\\.)*")`).FindAllStringSubmatch(settings, -1) {
		var command string
		must(d.t, json.Unmarshal([]byte(found[1]), &command))
		list = append(list, command)
	}
	return list
}

// perRun is what differs between runs, and what stands for it.
var perRun = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UUID"},
	{regexp.MustCompile(`\b(agent-)?a[0-9a-f]{15,17}\b`), "AGENT"},
	{regexp.MustCompile(`("?(?:duration_?[mM]s|totalDurationMs)"?:) ?[0-9]+`), "${1}0"},
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "HASH"},
	{regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z`), "TIME"},
	{regexp.MustCompile(`127\.0\.0\.1:[0-9]+`), "MODEL"},
	{regexp.MustCompile("sh: 1: eval: "), "sh: 1: "}, // the shell's message when it runs the original itself
}

// same replaces what differs between runs, and the wrapped form of each command by the original.
func (d *hooksHome) same(text string, wrapped map[string]string) string {
	d.t.Helper()
	for long, short := range wrapped {
		text = strings.ReplaceAll(text, long, short)
		long, short = encoded(d.t, long), encoded(d.t, short)
		text = strings.ReplaceAll(text, long[1:len(long)-1], short[1:len(short)-1])
	}
	text = strings.ReplaceAll(text, d.dir, "TEST_DIR")
	text = strings.ReplaceAll(text, regexp.MustCompile(`[^0-9A-Za-z]`).ReplaceAllString(d.dir, "-"), "-TEST_DIR")
	for _, v := range perRun {
		text = v.pattern.ReplaceAllString(text, v.by)
	}
	return text
}

// encoded returns value as JSON in the agent program's form.
func encoded(t *testing.T, value any) string {
	t.Helper()
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	must(t, encoder.Encode(value))
	return strings.TrimSuffix(buffer.String(), "\n")
}

// live runs the conversation and collects its effects.
func (d *hooksHome) live(wrapped map[string]string) effects {
	d.t.Helper()
	c := d.talk("Bash,Task")
	e := effects{Code: c.code, Subtype: c.subtype, Given: map[string][]string{}}
	probes, err := os.ReadDir(d.path("probe"))
	must(d.t, err)
	for _, probe := range probes {
		name, _, _ := strings.Cut(probe.Name(), ".")
		e.Given[name] = append(e.Given[name], d.same(d.read("probe", probe.Name()), wrapped))
	}
	for _, list := range e.Given {
		slices.Sort(list)
	}
	for _, event := range c.events {
		e.Events = append(e.Events, d.same(event, wrapped))
	}
	slices.Sort(e.Events)
	e.Attached = d.attachments(wrapped)
	for _, request := range d.model.Requests() {
		pieces := strings.Split(d.same(string(request.Body), wrapped), `"`)
		slices.Sort(pieces) // hooks of one event answer in any order
		e.Told = append(e.Told, slices.Compact(pieces))
	}
	return e
}

// attachments returns what the transcripts have about hooks, including what the person saw.
func (d *hooksHome) attachments(wrapped map[string]string) (list []string) {
	d.t.Helper()
	must(d.t, fs.WalkDir(os.DirFS(d.path("home/.claude/projects")), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		for line := range strings.Lines(d.read("home/.claude/projects", path)) {
			var entry struct {
				Attachment map[string]any `json:"attachment"`
			}
			if json.Unmarshal([]byte(line), &entry) == nil && entry.Attachment["hookEvent"] != nil {
				list = append(list, d.same(encoded(d.t, entry.Attachment), wrapped))
			}
		}
		return nil
	}))
	slices.Sort(list)
	return list
}

// everyProbe are the probes in the settings that fire in such a conversation, with their numbers.
var everyProbe = map[string]int{
	"session-start": 1, "instructions": 1, "prompt": 1, "pre-args": 6, "post": 4, "post-async": 4, "failure": 1, "cwd": 1,
	"sub-start": 1, "sub-stop": 1, "display": 2, "stop": 2, "end": 1,
}

// Each hook of a realistic settings file gets the same input wrapped as unwrapped, and its output and exit code have the same effect: on
// the program, on the person and on the model. The same holds if the wrapper's program is absent. Afterwards the settings are restored byte
// for byte.
func TestANTILOOP_Integration_AllExistingHooks(t *testing.T) {
	t.Parallel()
	original := newHooksHome(t, everyEvent())
	original.realWorld()
	settings := original.read(userSettings)
	before := original.commands()
	want := original.live(nil)
	got := map[string]int{}
	for name, list := range want.Given {
		got[name] = len(list)
	}
	if d := cmp.Diff(everyProbe, got); d != "" {
		t.Fatalf("the conversation is not what this test is about: %s", d)
	}
	if !strings.Contains(strings.Join(want.Told[1], " "), "FROM_HOOK is yes") {
		t.Error("what a hook wrote into CLAUDE_ENV_FILE is not in the shell's environment")
	}
	for _, absent := range []bool{false, true} {
		d := newHooksHome(t, everyEvent())
		d.realWorld()
		d.write(guardrails, "circuit_breaker: {failure_threshold: 100}\n") // some of the hooks always fail
		d.exits(0, "install", "--include", "probe.sh", "--include", "forbidden")
		after := d.commands()
		wrapped := map[string]string{}
		for i, command := range after {
			if command == before[i] {
				t.Errorf("%s is not wrapped", command)
			}
			if command != "/bin/sh" { // the hook is in the arguments
				wrapped[command] = before[i]
			}
		}
		if absent {
			d.unlink()
		}
		have := d.live(wrapped)
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("wrapped, with the program absent: %t: %s", absent, diff)
		}
		if absent {
			d.link()
		} else {
			d.wantCounted(slices.Clone(before))
		}
		d.exits(0, "uninstall")
		equal(t, "after uninstall", cmp.Diff(settings, d.read(userSettings)), "")
	}
}

// wantCounted fails unless the state file has all hooks of the settings that have run, each under its command in the settings.
func (d *hooksHome) wantCounted(commands []string) {
	d.t.Helper()
	known := d.state().Hooks
	fired := slices.DeleteFunc(commands, func(command string) bool { return strings.HasSuffix(command, "probe.sh never") })
	counted(d.t, "hooks in the state", slices.Collect(maps.Keys(known)), len(fired))
	for _, command := range fired {
		if command != "sh" && known[command].Executions == 0 { // the arguments are part of its command
			d.t.Errorf("%q is not counted", command)
		}
	}
}

// install without options wraps what is in the settings of the user, the project and this checkout. It names what it leaves alone.
func TestHooksInstallOfEverySettingsFile(t *testing.T) {
	t.Parallel()
	d := newHooksHome(t, nil)
	must(t, os.Mkdir(d.path(".claude"), 0o700)) // of the current directory
	files := []string{userSettings, ".claude/settings.json", ".claude/settings.local.json"}
	const settings = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "sh %s.sh"}, {"type": "prompt", "prompt": "is it done?"}]}],
  "PreToolUse": [{"hooks": [{"type": "command", "command": "sh guard.sh"}]}]}} // %[1]s` + "\n"
	for _, file := range files {
		d.write(file, fmt.Sprintf(settings, filepath.Base(file)))
	}
	must(t, os.MkdirAll(d.path("plugin/hooks"), 0o700))
	must(t, os.Mkdir(d.path("home/.claude/plugins"), 0o700))
	d.write("home/.claude/plugins/installed_plugins.json", fmt.Sprintf(`{"version": 2, "plugins": {"a@b": [{"installPath": %q}]}}`, d.path("plugin")))
	d.write("plugin/hooks/hooks.json", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "sh plugin.sh"}]}]}}`)
	out := d.exits(0, "install").out
	says(t, out, "sh plugin.sh\n", "it is a plugin's", "it is no command", "--include NAME wraps it")
	for _, file := range files {
		says(t, out, d.path(file)+":\n  wrapped          Stop              sh "+filepath.Base(file)+".sh\n  left alone       Stop ")
		equal(t, "wrapped in "+file, strings.Count(d.read(file), "claude-hooks run"), 1)
	}
	d.exits(0, "uninstall")
	for _, file := range files {
		equal(t, file+" after uninstall", d.read(file), fmt.Sprintf(settings, filepath.Base(file)))
	}
}
