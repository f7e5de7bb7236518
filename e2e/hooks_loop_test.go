package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/testkit/modeltest"
)

// turnLimit is the number of turns after which the agent program gives up.
const turnLimit = 30

// A Stop hook that always blocks. The model reacts to each refusal with a tool call and another attempt to stop, and the tool call resets
// the program's own count of refusals.
func TestANTILOOP_Chaos_InfiniteLoop_StopHook(t *testing.T) {
	t.Parallel()
	var turns []modeltest.Turn
	for range turnLimit {
		turns = append(turns, modeltest.Bash("true"), modeltest.Say("finished"))
	}
	d := newHooksHome(t, modeltest.Script{"haiku": turns})
	stop := d.hook("specs.sh", "echo run >> $TEST_DIR/runs; cat > /dev/null; echo 'specs/ has no plan' >&2; exit 2\n")
	d.settings(map[string][]string{"Stop": {stop}})

	if c := d.talk(turnLimit); c.subtype != "error_max_turns" || c.requests != turnLimit || d.lines("runs") != turnLimit/2 {
		t.Fatalf("without the wrapper: %s after %d requests to the model and %d runs of the hook", c.subtype, c.requests, d.lines("runs"))
	}

	must(t, os.Remove(d.path("runs")))
	d.hooks("install")
	c := d.talk(turnLimit)
	if c.subtype != "success" || c.requests != 2*(8+1) || d.lines("runs") != 8 {
		t.Errorf("with the wrapper: %s after %d requests to the model and %d runs of the hook, want the end after 8 blocks",
			c.subtype, c.requests, d.lines("runs"))
	}
	last := c.events[len(c.events)-1]
	if last.Event != "Stop" || last.ExitCode != 0 || !strings.Contains(last.Stdout, skippedMessage) {
		t.Errorf("the skipped call answered %+v", last)
	}
	d.wantNotified("specs.sh", "Stop")
	// It is switched off for that session only: the hook itself has not failed.
	if s := d.state(); s.Stats.Disabled != 0 || len(s.Hooks) != 1 {
		t.Errorf("state %+v", s)
	}
	d.hook("specs.sh", "echo run >> $TEST_DIR/runs\n")
	if c := d.talk(turnLimit); c.subtype != "success" || c.requests != 2 || d.lines("runs") != 9 {
		t.Errorf("the next session, with the hook mended: %s after %d requests, %d runs in all", c.subtype, c.requests, d.lines("runs"))
	}
}

// persists is a model that tries again whatever was refused, and ends once nothing is.
func persists() modeltest.Script {
	again := modeltest.Ask(func(r modeltest.Request) modeltest.Turn {
		if len(r.Results) > 0 && !r.Results[0].IsError {
			return modeltest.Say("finished")
		}
		return modeltest.Bash("echo done")
	})
	turns := make([]modeltest.Turn, turnLimit)
	for i := range turns {
		turns[i] = again
	}
	return modeltest.Script{"haiku": turns}
}

const missingFile = "Failed to spawn: No such file or directory"

// The example of ANTI-LOOP: the script is missing, so its interpreter exits with 2, which refuses the call.
func TestANTILOOP_Chaos_InfiniteLoop_MissingScript(t *testing.T) {
	t.Parallel()
	const command = "python3 $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_file_contains.py --directory specs"
	d := newHooksHome(t, persists())
	d.settings(map[string][]string{"PreToolUse": {command}})

	if c := d.talk(turnLimit); c.subtype != "error_max_turns" || c.requests != turnLimit {
		t.Fatalf("without the wrapper: %s after %d requests", c.subtype, c.requests)
	}

	d.hooks("install", "--include", "validate_file_contains.py")
	c := d.talk(turnLimit)
	if c.subtype != "success" || c.requests != 5 {
		t.Errorf("with the wrapper: %s after %d requests, want three that are refused, one that runs, and the end", c.subtype, c.requests)
	}
	d.wantNotified("validate_file_contains.py", "PreToolUse")
	hook, ok := d.state().Hooks[command]
	if !ok || hook.State != "open" || hook.FailureCount != 3 || !strings.HasPrefix(hook.LastError, missingFile) {
		t.Errorf("state %s", d.read(stateFile))
	}
	if out := d.hooks("health"); !strings.Contains(out, "[OPEN] validate_file_contains.py") || !strings.Contains(out, missingFile) {
		t.Errorf("health: %s", out)
	}

	// The next session is notified at its start by a hook for that event: in the program's output, where it is visible in -p mode, too.
	d.settings(map[string][]string{"SessionStart": {command}})
	d.hooks("install")
	c = d.talk(turnLimit)
	if first := c.events[0]; first.Event != "SessionStart" || first.ExitCode != 0 || !strings.Contains(first.Stdout, `"systemMessage":"`) {
		t.Errorf("at the start of the next session: %+v", first)
	}

	// Once it is fixed and reset, it runs again.
	must(t, os.MkdirAll(d.path("project/.claude/hooks/validators"), 0o700))
	d.write("project/.claude/hooks/validators/validate_file_contains.py",
		"import os\nopen(os.environ['TEST_DIR'] + '/runs', 'a').write('run\\n')\n")
	d.hooks("reset", "validate_file_contains.py")
	d.talk(turnLimit)
	if d.lines("runs") != 1 || d.state().Stats.Disabled != 0 {
		t.Errorf("after it was mended: %d runs, %s", d.lines("runs"), d.read(stateFile))
	}
}

// wantNotified fails unless the person saw, once in the session, that a hook is switched off. The transcript has what they saw.
func (d *hooksHome) wantNotified(name, event string) {
	d.t.Helper()
	var sent []string
	for _, attachment := range d.attachments(nil) {
		if strings.Contains(attachment, `"type":"hook_system_message"`) {
			sent = append(sent, attachment)
		}
	}
	if len(sent) != 1 || !strings.Contains(sent[0], `"content":"claude-hooks: `+name+" is switched off") || !strings.Contains(sent[0], event) {
		d.t.Errorf("the person was told %q", sent)
	}
}
