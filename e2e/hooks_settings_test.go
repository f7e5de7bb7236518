package e2e

import (
	"bytes"
	"encoding/json"
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
	var settings struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Command string `json:"command"`
			} `json:"hooks"`
		} `json:"hooks"`
	}
	must(d.t, json.Unmarshal([]byte(d.read(userSettings)), &settings))
	for _, event := range slices.Sorted(maps.Keys(settings.Hooks)) {
		for _, group := range settings.Hooks[event] {
			for _, hook := range group.Hooks {
				list = append(list, hook.Command)
			}
		}
	}
	return list
}

var (
	uuids     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	agentIDs  = regexp.MustCompile(`\b(agent-)?a[0-9a-f]{15,17}\b`)
	durations = regexp.MustCompile(`("?(?:duration_?[mM]s|totalDurationMs)"?:) ?[0-9]+`)
	subUsage  = regexp.MustCompile(`duration_ms: [0-9]+`)
	ports     = regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)
	noWord    = regexp.MustCompile(`[^0-9A-Za-z]`)
	hashes    = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	stamps    = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z`)
)

// same replaces what differs between runs, and the wrapped form of each command by the original.
func (d *hooksHome) same(text string, wrapped map[string]string) string {
	d.t.Helper()
	for long, short := range wrapped {
		text = strings.ReplaceAll(text, long, short)
		text = strings.ReplaceAll(text, quoted(d.t, long), quoted(d.t, short))
	}
	text = strings.ReplaceAll(text, d.dir, "TEST_DIR")
	text = strings.ReplaceAll(text, noWord.ReplaceAllString(d.dir, "-"), "-TEST_DIR")
	text = uuids.ReplaceAllString(text, "UUID")
	text = agentIDs.ReplaceAllString(text, "AGENT")
	text = durations.ReplaceAllString(text, "${1}0")
	text = subUsage.ReplaceAllString(text, "duration_ms: 0")
	text = hashes.ReplaceAllString(text, "HASH")
	text = stamps.ReplaceAllString(text, "TIME")
	text = strings.ReplaceAll(text, "sh: 1: eval: ", "sh: 1: ") // the shell's message when it runs the original itself
	return ports.ReplaceAllString(text, "MODEL")
}

// quoted returns text as in a JSON string, without quotes.
func quoted(t *testing.T, text string) string {
	t.Helper()
	text = encoded(t, text)
	return text[1 : len(text)-1]
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
	probes, err := filepath.Glob(d.path("probe", "*"))
	must(d.t, err)
	for _, path := range probes {
		text, err := os.ReadFile(path)
		must(d.t, err)
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		e.Given[name] = append(e.Given[name], d.same(string(text), wrapped))
	}
	for _, list := range e.Given {
		slices.Sort(list)
	}
	for _, event := range c.events {
		e.Events = append(e.Events, d.same(encoded(d.t, event), wrapped))
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
	var paths []string
	for _, pattern := range []string{"*/*.jsonl", "*/*/*.jsonl", "*/*/*/*.jsonl"} {
		found, err := filepath.Glob(d.path("home/.claude/projects", pattern))
		must(d.t, err)
		paths = append(paths, found...)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(d.t, err)
		for line := range strings.Lines(string(text)) {
			var entry struct {
				Attachment map[string]any `json:"attachment"`
			}
			if json.Unmarshal([]byte(line), &entry) != nil || entry.Attachment["hookEvent"] == nil {
				continue
			}
			list = append(list, d.same(encoded(d.t, entry.Attachment), wrapped))
		}
	}
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
			d.wantCounted(before)
		}
		d.exits(0, "uninstall")
		equal(t, "after uninstall", cmp.Diff(settings, d.read(userSettings)), "")
	}
}

// wantCounted fails unless the state file has all hooks of the settings that have run, each under its command in the settings.
func (d *hooksHome) wantCounted(commands []string) {
	d.t.Helper()
	known, fired := d.state().Hooks, 0
	for _, command := range commands {
		if strings.HasSuffix(command, "probe.sh never") {
			continue
		}
		fired++
		if command != "sh" && known[command].Executions == 0 { // the arguments are part of its command
			d.t.Errorf("%q is not counted", command)
		}
	}
	if len(known) != fired {
		d.t.Errorf("%d hooks are counted, want %d: %q", len(known), fired, slices.Sorted(maps.Keys(known)))
	}
}
