package modeltest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

const sessionID = "11111111-1111-4111-8111-111111111111"

// end is the final result of the program.
type end struct {
	Subtype string  `json:"subtype"`
	IsError bool    `json:"is_error"`
	Status  int     `json:"api_error_status"`
	Result  string  `json:"result"`
	CostUSD float64 `json:"total_cost_usd"`
	Turns   int     `json:"num_turns"`
	exit    int
}

// run runs the real program against the server, isolated like a tier: its key comes from a helper, and this machine's configuration is
// not used.
func run(t *testing.T, srv *Server, model string, extra ...string) end {
	t.Helper()
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, []byte(Key), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"-p", "--output-format", "stream-json", "--verbose", "--model", model, "--session-id", sessionID,
		"--system-prompt", "You watch.", "--append-system-prompt", "Nothing else.",
		"--tools", "Bash,Read,Grep,Glob", "--allowedTools", "Bash", "--permission-mode", "dontAsk",
		"--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence",
		"--settings", fmt.Sprintf(`{"apiKeyHelper":"cat %s"}`, key),
	}
	cmd := exec.CommandContext(t.Context(), Program(t), append(args, extra...)...)
	cmd.Dir = t.TempDir()
	cmd.Stdin = strings.NewReader("Check the services.")
	cmd.Env = []string{"HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "CLAUDE_CODE_MAX_RETRIES=1"}
	for _, v := range srv.Environ() {
		if !strings.HasPrefix(v, "ANTHROPIC_API_KEY=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		t.Fatalf("start claude: %v", err)
	}
	e := end{exit: cmd.ProcessState.ExitCode()}
	for line := range bytes.Lines(out) {
		if bytes.HasPrefix(line, []byte(`{"type":"result"`)) {
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatalf("result event: %v", err)
			}
			return e
		}
	}
	t.Fatalf("claude ended with %v and no result event; standard error: %s", err, &stderr)
	return e
}

func TestClaude_RunsTheScript(t *testing.T) {
	t.Parallel()
	srv := Start(t, Script{"haiku": {
		Bash("echo disk is $((40+2))% full", "env; tr '\\0' '\\n' </proc/$PPID/environ"),
		Ask(func(r Request) Turn { return Say("It said: " + r.Results[0].Text) }),
	}})
	want := end{Subtype: "success", Result: "It said: disk is 42% full", CostUSD: 0.0004, Turns: 3}
	if d := cmp.Diff(want, run(t, srv, "haiku"), cmp.AllowUnexported(end{})); d != "" {
		t.Error(d)
	}
	requests := srv.RequestsTo("haiku")
	if len(requests) != 2 {
		t.Fatalf("%d requests, want 2", len(requests))
	}
	first := requests[0]
	if first.Key != Key || first.Session != sessionID || first.Prompt != "Check the services." ||
		!strings.Contains(first.System, "You watch.\n\nNothing else.") {
		t.Errorf("key %q, session %q, prompt %q, system %q", first.Key, first.Session, first.Prompt, first.System)
	}
	if d := cmp.Diff([]string{"Bash", "Glob", "Grep", "Read"}, first.Tools); d != "" {
		t.Error("tools:", d)
	}
	if seen := requests[1].Results[1]; seen.IsError || !strings.Contains(seen.Text, "CLAUDECODE=1") || strings.Contains(seen.Text, Key) {
		t.Errorf("a shell command sees the API key, or no environment: %s", seen.Text)
	}
}

func TestClaude_CountsWhatTheScriptSays(t *testing.T) {
	t.Parallel()
	million := Usage{Input: 1e6, Output: 1e6, CacheWrite: 1e6, CacheRead: 1e6}
	srv := Start(t, Script{"opus": {Say("dear").With(million)}})
	want := end{Subtype: "success", Result: "dear", CostUSD: 5 + 25 + 6.25 + 0.5, Turns: 1}
	if d := cmp.Diff(want, run(t, srv, "opus"), cmp.AllowUnexported(end{})); d != "" {
		t.Error(d)
	}
}

func TestClaude_APIError(t *testing.T) {
	t.Parallel()
	srv := Start(t, Script{"sonnet": {Fail(401)}})
	got := run(t, srv, "sonnet")
	want := end{Subtype: "success", IsError: true, Status: 401, Result: got.Result, Turns: 1, exit: 1}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(end{})); d != "" {
		t.Error(d)
	}
	if n := len(srv.Requests()); n != 2 {
		t.Errorf("%d requests, want the first and one retry", n)
	}
}

func TestClaude_TurnLimit(t *testing.T) {
	t.Parallel()
	srv := Start(t, Script{"haiku": {Bash("true"), Bash("true"), Bash("true")}})
	got := run(t, srv, "haiku", "--max-turns", "2")
	if got.Subtype != "error_max_turns" || got.exit != 1 || len(srv.Requests()) != 2 {
		t.Errorf("%+v after %d requests, want error_max_turns after 2", got, len(srv.Requests()))
	}
}

func TestClaude_InterruptedInACall(t *testing.T) {
	t.Parallel()
	srv := Start(t, Script{"haiku": {Bash("kill -INT $PPID; sleep 60")}})
	got := run(t, srv, "haiku")
	// The exit code is 1, or sometimes 0: only the result is significant.
	want := end{Subtype: "error_during_execution", IsError: true, CostUSD: 0.0002, Turns: got.Turns, exit: got.exit}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(end{})); d != "" {
		t.Error(d)
	}
}
