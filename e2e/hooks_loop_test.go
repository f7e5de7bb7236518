package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/testkit/modeltest"
)

// A Stop hook that always blocks. The model reacts to each refusal with a tool call
// and another attempt to stop, and the tool call resets the agent program's own count of refusals.
func TestANTILOOP_Chaos_InfiniteLoop_StopHook(t *testing.T) {
	t.Parallel()
	var turns []modeltest.Turn
	for range turnLimit {
		turns = append(turns, modeltest.Bash("true"), modeltest.Say("finished"))
	}
	d := newHooksHome(t, modeltest.Script{"haiku": turns})
	d.write("home/.claude/hooks/specs.sh", "echo run >> $TEST_DIR/runs; cat > /dev/null; echo 'specs/ has no plan' >&2; exit 2\n")
	d.settings("Stop", "sh $HOME/.claude/hooks/specs.sh")
	if c := d.talk("Bash"); c.subtype != "error_max_turns" || c.requests != turnLimit || d.lines("runs") != turnLimit/2 {
		t.Fatalf("without the wrapper: %s after %d requests to the model and %d runs of the hook", c.subtype, c.requests, d.lines("runs"))
	}
	d.exits(0, "install")
	for _, threshold := range []int{8, 3} {
		if threshold != 8 { // the default
			d.write(guardrails, fmt.Sprintf("circuit_breaker: {stop_block_threshold: %d}\n", threshold))
		}
		must(t, os.Remove(d.path("runs")))
		c := d.talk("Bash")
		if c.subtype != "success" || c.requests != 2*(threshold+1) || d.lines("runs") != threshold {
			t.Errorf("wrapped: %s after %d requests to the model and %d runs of the hook, want %d", c.subtype, c.requests, d.lines("runs"), threshold)
		}
		says(t, c.events[len(c.events)-1], `"hook_event":"Stop"`, `"exit_code":0`, `"stdout":"{\"result\":\"continue\",\"message\":\"Hook is switched off in this`)
	}
	d.wantTold("specs.sh", "specs.sh")
	// It is switched off for those sessions only: the hook itself has not failed.
	if s := d.state(); s.Stats.Disabled != 0 || s.Stats.Failures != 0 || len(s.Hooks) != 1 {
		t.Errorf("state %+v", s)
	}
}

// What a Stop hook says of a missing file is its verdict, however often: a loop of one session, and no failure of the hook.
func TestANTILOOP_Chaos_InfiniteLoop_NoSuchFileOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"plan.md: no such file", "cat: plan.md: No such file or directory", "error: Failed to spawn a review"} {
		d := newHooksHome(t, nil)
		line := fmt.Sprintf("echo run >> $TEST_DIR/runs; echo %q >&2; exit 2", said)
		for i := range 12 {
			a := d.call("Stop", "-c", line)
			if blocks := i < 8; a.code == 2 != blocks || strings.Contains(a.out, `"result":"continue"`) == blocks {
				t.Errorf("%s, call %d: %+v", said, i+1, a)
			}
		}
		if hook := d.state().Hooks[line]; d.lines("runs") != 8 || hook.State != "closed" || hook.Failures != 0 {
			t.Errorf("%d runs, state %s", d.lines("runs"), d.read(stateFile))
		}
		if a := d.feed(input("Stop", "another session"), "run", "-c", line); a.code != 2 {
			t.Errorf("in another session: %+v", a)
		}
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
	turns := make([]modeltest.Turn, 3*turnLimit)
	for i := range turns {
		turns[i] = again
	}
	return modeltest.Script{"haiku": turns}
}

// The example of ANTI-LOOP: the script is missing, so its interpreter exits with 2, which refuses the call.
func TestANTILOOP_Chaos_InfiniteLoop_MissingScript(t *testing.T) {
	t.Parallel()
	const script = project + "/.claude/hooks/validators/validate_file_contains.py"
	const command = `python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/validators/validate_file_contains.py --directory specs`
	d := newHooksHome(t, persists())
	d.settings("PreToolUse", command)
	if c := d.talk("Bash"); c.subtype != "error_max_turns" || c.requests != turnLimit {
		t.Fatalf("without the wrapper: %s after %d requests", c.subtype, c.requests)
	}

	d.exits(0, "install", "--include", "validate_file_contains.py")
	if c := d.talk("Bash"); c.subtype != "success" || c.requests != 5 {
		t.Errorf("wrapped: %s after %d requests, want three that are refused, one that runs, and the end", c.subtype, c.requests)
	}
	d.wantTold("validate_file_contains.py")
	hook := d.state().Hooks[command]
	if hook.State != "open" || hook.FailureCount != 3 || !strings.HasPrefix(hook.LastError, missingFile) {
		t.Errorf("state %s", d.read(stateFile))
	}
	says(t, d.exits(0, "health").out, "[OPEN] validate_file_contains.py", "Failures: 3 consecutive, 3 total", missingFile)

	// Once the script is there and the cooldown is over, two successes close the circuit.
	must(t, os.MkdirAll(d.path(project, ".claude/hooks/validators"), 0o700))
	d.write(script, "import os\nopen(os.environ['TEST_DIR'] + '/runs', 'a').write('run\\n')\n")
	d.cooldownOver()
	for i, state := range []string{"half_open", "closed"} {
		if c := d.talk("Bash"); c.subtype != "success" || d.lines("runs") != i+1 || d.state().Hooks[command].State != state {
			t.Errorf("%s after %d runs, %s", c.subtype, d.lines("runs"), d.read(stateFile))
		}
	}
	equal(t, "hooks that are off", d.state().Stats.Disabled, 0)
}

// wantTold fails unless the person saw, once in each session where that was so, that a hook is switched off. Transcripts have what they saw.
func (d *hooksHome) wantTold(names ...string) {
	d.t.Helper()
	var told []string
	for _, attachment := range d.attachments(nil) {
		if strings.Contains(attachment, `"type":"hook_system_message"`) {
			told = append(told, attachment)
		}
	}
	counted(d.t, "what the person was told", told, len(names))
	for i, name := range names {
		says(d.t, told[i], `"content":"claude-hooks: `+name+" is switched off")
	}
}
