package e2e

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// readers are all commands that show the results of a cycle, both as text and as JSON.
func readers() (list [][]string) {
	for _, args := range []string{
		"sessions list", "sessions show 1", "sessions show 2", "incidents list", "incidents show 1", "events", "cooldown show",
		"cooldown check s3cret-horse restart", "cooldown record shop restart success", "handoff validate", "doctor", "env",
	} {
		list = append(list, strings.Fields(args), append(strings.Fields(args), "--json"))
	}
	return list
}

// A secret may get into the records before it is known as one: before its variable was set, or by hand. Once it is known, no command shows
// it.
func TestNoCommandShowsASecret(t *testing.T) {
	const secret = "s3cret-horse"
	w := newWorld(t)
	w.agent(1, `bash echo '[{"service":"`+secret+`","check_type":"http","status":"down","error":"a `+secret+` b"}]' | claudeops report`,
		"say "+secret, finish)
	w.agent(2, "say found "+secret, claim(secret, "restarts", `success: false, error: "`+secret+`"`), finish)
	w.cycle(0)
	must(t, os.WriteFile(w.path("state", "handoff.json"), []byte(`{"`+secret+`":1}`), 0o600))
	shown := 0
	for _, args := range readers() {
		shown += strings.Count(w.run(args...).out, secret)
	}
	if shown < 15 {
		t.Fatalf("the secret was shown %d times while nobody knew it: the commands show too little for this test", shown)
	}
	w.env["PGPASSWORD"] = secret
	for _, args := range readers() {
		a := w.run(args...)
		if strings.Contains(a.out+a.err, secret) {
			t.Errorf("%q shows it:\n%s%s", args, a.out, a.err)
		}
		if args[len(args)-1] == "--json" && !json.Valid([]byte(a.out)) {
			t.Errorf("%q prints no JSON:\n%s%s", args, a.out, a.err)
		}
	}
	if a := w.feed(`[{"service":"x","check_type":"http","status":"down","error":""},{"service":"`+secret+`","check_type":"http","status":"down"}]`, "report"); a.code != 0 || strings.Contains(a.out, secret) {
		t.Errorf("report: %+v", a)
	}
}

// What an agent wrote is plain text on a terminal.
func TestNoCommandSteersTheTerminal(t *testing.T) {
	w := newWorld(t)
	w.agent(1, `bash printf '[{"service":"shop","check_type":"http","status":"down","error":"\\u001b]0;t\\u0007 \\u202e \\nFORGED"}]' | claudeops report`,
		`say \x1b[2J\nFORGED`, `stderr \x1b[31mbad\nFORGED`, "exit 3")
	a := w.cycle(1)
	outputs := []string{a.out}
	for _, args := range readers() {
		outputs = append(outputs, w.run(args...).out)
	}
	for _, out := range outputs {
		if i := strings.IndexFunc(out, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x202e }); i >= 0 {
			t.Errorf("%q", out[max(0, i-40):i+10])
		}
		if strings.Contains(out, "\nFORGED") {
			t.Errorf("a line that an agent wrote looks like ours:\n%s", out)
		}
	}
}

// A failed cycle does not look like a quiet one; scripts find the reason in the JSON.
func TestNoSummaryWhereNoTierRan(t *testing.T) {
	w := newWorld(t)
	w.alters(`CREATE TABLE recipes (name TEXT)`)
	if a := w.cycle(1); a.out != "" || !strings.Contains(a.err, "not a database") {
		t.Errorf("%+v", a)
	}
	var failed map[string]string
	must(t, json.Unmarshal([]byte(w.cycle(1, "--json").out), &failed))
	if len(failed) != 1 || !strings.Contains(failed["error"], "not a database") {
		t.Errorf("%v", failed)
	}
	w.env["CLAUDEOPS_CLAUDE_BIN"] = w.path("none")
	must(t, json.Unmarshal([]byte(w.cycle(2, "--json").out), &failed))
	if !strings.Contains(failed["error"], "no agent to run with") {
		t.Errorf("%v", failed)
	}
}

// An agent can remove the variables that identify it from a command's environment, but cannot hide that a cycle runs the command.
func TestNoResetDuringACycle(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, claim("shop", "restarts", "success: false"),
		`sh env -u CLAUDEOPS_TIER -u CLAUDEOPS_SESSION_ID -u CLAUDEOPS_RUN_TOKEN CLAUDEOPS_STATE_DIR="$FAKE_AGENT_DIR/../state" `+claudeopsBin+` cooldown reset shop 2> "$FAKE_AGENT_DIR/said"; echo $? >> "$FAKE_AGENT_DIR/said"`,
		finish)
	w.cycle(0)
	said, err := os.ReadFile(w.path("agent", "said"))
	must(t, err)
	if want := "claudeops: cooldown reset is for operators: it is not an agent's to decide\n1\n"; string(said) != want {
		t.Errorf("it was told %q", said)
	}
	if a := w.run("cooldown", "check", "shop", "restart"); !strings.Contains(a.out, "1 of 2 used") {
		t.Errorf("%+v", a)
	}
	w.exits(0, "cooldown", "reset", "shop")
	if a := w.run("cooldown", "check", "shop", "restart"); !strings.Contains(a.out, "0 of 2 used") {
		t.Errorf("%+v", a)
	}
}

func TestFiltersOfListings(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, "exit 3")
	w.cycle(1)
	for args, want := range map[string]string{
		"sessions list --status failed":     " failed ",
		"sessions list --tier 1":            " escalated ",
		"sessions list --tier 3":            "no session matches\n",
		"sessions list --tier 1 -n 1":       " escalated ",
		"events --level critical --session": "its value is missing",
		"events --session 1":                "Tier 1 completed",
		"events --session 77":               "no event matches\n",
	} {
		if a := w.run(strings.Fields(args)...); !strings.Contains(a.out+a.err, want) {
			t.Errorf("%q: %+v, want %q", args, a, want)
		}
	}
	if a := w.run("sessions", "list", "--tier", "3", "--json"); a.code != 0 || a.out != "[]\n" {
		t.Errorf("%+v", a)
	}
}
