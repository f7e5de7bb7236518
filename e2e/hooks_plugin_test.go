package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/testkit/modeltest"
)

// stdioServer is an MCP server that records how it was started, and echoes.
const stdioServer = `import json, os, sys
open(os.environ["TEST_DIR"] + "/mcp", "a").write(json.dumps(sys.argv[1:]) + "\n")
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask:
        continue
    answer = {}
    if ask["method"] == "initialize":
        version = ask["params"]["protocolVersion"]
        answer = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "m", "version": "1"}}
    elif ask["method"] == "tools/list":
        schema = {"type": "object", "properties": {"text": {"type": "string"}}}
        answer = {"tools": [{"name": "echo", "description": "echoes", "inputSchema": schema}]}
    elif ask["method"] == "tools/call":
        answer = {"content": [{"type": "text", "text": "echo: " + ask["params"]["arguments"]["text"]}]}
    print(json.dumps({"jsonrpc": "2.0", "id": ask["id"], "result": answer}), flush=True)
`

// withPlugin returns a hooksHome with a plugin whose Stop hook always blocks, and with an MCP server. It also returns the arguments for the
// agent program.
func withPlugin(t *testing.T) (d *hooksHome, args []string) {
	t.Helper()
	const heredoc = "cat <<'EOF'\n$HOME \"a  b\" `date`\nEOF"
	turns := []modeltest.Turn{
		modeltest.Bash(`echo 'it'"'"'s' "$((6 * 7))" | tr a-z A-Z; cd / && pwd`, heredoc, "false && echo never; exit 7"),
		modeltest.Bash("pwd; x=1 env | grep ^x=; (exit 3); echo $?"),
		modeltest.Use("mcp__m__echo", map[string]any{"text": "a 'b' $c"}),
	}
	for range turnLimit {
		turns = append(turns, modeltest.Say("finished"), modeltest.Bash("true"))
	}
	d = newHooksHome(t, modeltest.Script{"haiku": turns})
	d.settings(map[string][]string{"UserPromptSubmit": {"echo run >> $TEST_DIR/prompts"}})
	for _, dir := range []string{"my plugin/.claude-plugin", "my plugin/hooks"} {
		must(t, os.MkdirAll(d.path(dir), 0o700))
	}
	d.write("my plugin/.claude-plugin/plugin.json", `{"name": "strict", "version": "1.0.0", "description": "is never content"}`)
	d.write("my plugin/hooks/hooks.json",
		fmt.Sprintf(`{"description": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": %q}]}]}}`, pluginCommand))
	d.write("my plugin/stop.sh", `echo "$# $1 $(jq -r .hook_event_name)" >> "$TEST_DIR/runs"; echo 'never content' >&2; exit 2`+"\n")
	d.write("server.py", stdioServer)
	d.write("mcp.json",
		fmt.Sprintf(`{"mcpServers": {"m": {"command": "python3", "args": [%q, "a b", "$HOME", "it's"]}}}`, d.path("server.py")))
	return d, []string{"--plugin-dir", d.path("my plugin"), "--mcp-config", d.path("mcp.json"), "--allowedTools", "Bash,mcp__m__echo"}
}

const pluginCommand = `sh "${CLAUDE_PLUGIN_ROOT}"/stop.sh "${CLAUDE_PROJECT_DIR##*/} x"`

// Hooks of plugins are in no settings file: the prefix reaches them, and passes through everything else that it precedes.
func TestANTILOOP_Chaos_InfiniteLoop_PluginHook(t *testing.T) {
	t.Parallel()
	bare, args := withPlugin(t)
	if c := bare.talk(turnLimit, args...); c.subtype != "error_max_turns" {
		t.Fatalf("without the wrapper: %s after %d requests", c.subtype, c.requests)
	}

	d, args := withPlugin(t)
	before := d.read(userSettings)
	d.hooks("install", "--plugins")
	c := d.talk(turnLimit, args...)
	if c.subtype != "success" || d.lines("runs") != 8 || c.requests >= bare.lines("runs")*2 {
		t.Errorf("with the prefix: %s after %d requests and %d runs of the hook (without: %d)",
			c.subtype, c.requests, d.lines("runs"), bare.lines("runs"))
	}
	if first, _, _ := strings.Cut(d.read("runs"), "\n"); first != "1 project x Stop" {
		t.Errorf("the plugin's hook was given %q", first)
	}
	key := strings.ReplaceAll(pluginCommand, "${CLAUDE_PLUGIN_ROOT}", d.path("my plugin")) // two plugins may use the same name
	if hook, ok := d.state().Hooks[key]; !ok || hook.Executions != 8 {
		t.Errorf("state %s", d.read(stateFile))
	}
	equal(t, "a tool's result is another one behind the prefix", cmp.Diff(bare.results(), d.results()), "")
	if diff := cmp.Diff(bare.read("mcp"), d.read("mcp")); diff != "" || d.read("mcp") == "" {
		t.Errorf("the server was started with something else: %s", diff)
	}
	for other := range d.state().Hooks {
		if other != key && !strings.Contains(other, "prompts") {
			t.Errorf("%q was taken for a hook", other)
		}
	}
	if d.lines("prompts") != 1 {
		t.Errorf("the hook of the settings, which is wrapped and behind the prefix, ran %d times", d.lines("prompts"))
	}
	if state := d.state(); state.Stats.Executions != 9 {
		t.Errorf("%d executions are counted, want 9: a hook that is wrapped twice counts once", state.Stats.Executions)
	}

	// If the program is absent, the prefix has no effect.
	absent, args := withPlugin(t)
	absent.hooks("install", "--plugins")
	absent.unlink()
	if c := absent.talk(turnLimit, args...); c.subtype != "error_max_turns" || absent.lines("runs") != bare.lines("runs") {
		t.Errorf("with the prefix and no program: %s after %d runs of the hook, want %d", c.subtype, absent.lines("runs"), bare.lines("runs"))
	}
	equal(t, "a tool's result is another one behind the prefix without program", cmp.Diff(bare.results(), absent.results()), "")

	d.hooks("uninstall")
	equal(t, "after uninstall", cmp.Diff(before, d.read(userSettings)), "")
	if left, err := filepath.Glob(d.path("home/.claude/claude-hooks-prefix*")); err != nil || len(left) > 0 {
		t.Errorf("uninstall left %q (%v)", left, err)
	}
}

// results returns the tool results that the model got in the first three turns.
func (d *hooksHome) results() (list [][]modeltest.Result) {
	d.t.Helper()
	requests := d.model.Requests()
	for _, request := range requests[:4] {
		for i := range request.Results {
			request.Results[i].Text = d.same(request.Results[i].Text, nil)
		}
		list = append(list, request.Results)
	}
	return list
}
