// Package broker is the only way in which an agent can act.
//
// The agent program has no tools of its own. It gets those of a Door, an MCP server in the cycle that runs the agent: one connection, one
// call at a time, with limits on input, duration and answer. A Handler carries out the calls.
//
// Commands in the sandbox reach anything outside only through a Broker. A program there with the name of one outside is the shim, which
// asks the Broker to run it: what looks is judged by its exact argument list and run in its own domain, what means a verb is an act that
// is counted before it runs. Output is masked, and every call is audited.
package broker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
)

// Handler carries out an agent's calls, one method per tool. id is the agent program's id of the call; empty if it sent none. What is
// written to out, by one goroutine at a time, is the answer. An error is put before it, and marks the call as failed. ctx ends with the
// call's time limit, its connection or its session. Whatever the call started must have ended when the method returns.
type Handler interface {
	// Bash runs a command. An exit status other than 0 is an ExitError.
	Bash(ctx context.Context, id, command string, out io.Writer) error
	// Look runs a program of the table. An exit status other than 0 is an ExitError.
	Look(ctx context.Context, id string, argv []string, out io.Writer) error
	// Read prints lines of a file, from the line from on, which is 1 or more; lines is at most how many, and 0 means as many as fit.
	Read(ctx context.Context, id, path string, from, lines int, out io.Writer) error
	// Answer answers a question. An exit status other than 0 is an ExitError.
	Answer(ctx context.Context, id string, q Question, out io.Writer) error
	Report(ctx context.Context, id string, results []check.Result, out io.Writer) error
	// HandOff takes a draft of a handoff, as a JSON object.
	HandOff(ctx context.Context, id string, draft jsontext.Value, out io.Writer) error
	// Do does a verb to a service, which is named. An exit status other than 0 is an ExitError.
	Do(ctx context.Context, id string, v guard.Verb, out io.Writer) error
	// AskHuman sends people a message about a service; an empty service means none in particular.
	AskHuman(ctx context.Context, id, service, text string, out io.Writer) error
}

// ExitError is an exit status other than 0.
type ExitError int

func (e ExitError) Error() string { return fmt.Sprintf("Exit code %d", int(e)) }

// Time limits of a command, in seconds.
const (
	defaultTimeout = 120
	maxTimeout     = 3600
)

// maxCommand limits a command, in bytes: Linux accepts arguments of at most 128 KiB.
const maxCommand = 120 << 10

// maxAsk limits a question to a human, in bytes. It is more than a message can hold.
const maxAsk = 8 << 10

// kernel says what the kernel of this machine can do.
type kernel string

const (
	confines    kernel = "confines"
	confinesNot kernel = "confines not"
)

// tool is one tool of an agent. Descriptions and schemas are sent with every request to the model, so they are kept short.
type tool struct {
	name, description, schema string
	tiers                     []int
	where                     kernel // empty: offered everywhere
	call                      func(d *Door, ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error
}

const verbSchema = `{"type":"object","properties":{"service":{"type":"string"},%s"why":{"type":"string"}},"required":["service",%s"why"]}`

func tools() []tool {
	return []tool{
		{
			"bash", fmt.Sprintf("Run a command (timeout_s: %d, at most %d).", defaultTimeout, maxTimeout),
			`{"type":"object","properties":{"command":{"type":"string"},"timeout_s":{"type":"integer"}},"required":["command"]}`,
			[]int{1, 2, 3}, confines, (*Door).bash,
		},
		{
			"look", "Run one program by its argument list.",
			`{"type":"object","properties":{"argv":{"type":"array","items":{"type":"string"}}},"required":["argv"]}`,
			[]int{1, 2, 3}, confinesNot, (*Door).look,
		},
		{
			"read", "Read lines of a file.",
			`{"type":"object","properties":{"path":{"type":"string"},"from_line":{"type":"integer"},"lines":{"type":"integer"}},"required":["path"]}`,
			[]int{1, 2, 3}, confinesNot, (*Door).read,
		},
		{
			toolQuery, "Ask a service's database.",
			`{"type":"object","properties":{"service":{"type":"string"},"statement":{"type":"string"}}}`,
			[]int{1, 2, 3}, "", (*Door).query,
		},
		{
			toolLogs, "The end of a service's logs.",
			`{"type":"object","properties":{"service":{"type":"string"},"lines":{"type":"integer"},"since":{"type":"string"},"contains":{"type":"string"}}}`,
			[]int{1, 2, 3}, "", (*Door).logs,
		},
		{
			toolGet, "GET a URL.", `{"type":"object","properties":{"url":{"type":"string"}}}`, []int{1, 2, 3}, "", (*Door).get,
		},
		{
			"report", "Report all check results at once.",
			`{"type":"object","properties":{"check_results":{"type":"array","items":{"type":"object","properties":{"service":{"type":"string"},` +
				`"check_type":{"enum":` + list(check.Types()) + `},"status":{"enum":` + list(check.Statuses()) + `},"error":{"type":"string"}},` +
				`"required":["service","check_type","status","error"]}}},"required":["check_results"]}`,
			[]int{1, 2, 3}, "", (*Door).report,
		},
		{
			"hand_off", "Hand over to Tier 2. check_results are as in report.",
			`{"type":"object","properties":{"services_affected":{"type":"array","items":{"type":"string"}},"check_results":{"type":"array","items":{"type":"object"}}},` +
				`"required":["services_affected","check_results"]}`,
			[]int{1}, "", (*Door).handOff,
		},
		{
			"hand_off", "Hand over to Tier 3.",
			`{"type":"object","properties":{"services_affected":{"type":"array","items":{"type":"string"}},"investigation_findings":{"type":"string"},"remediation_attempted":{"type":"string"},` +
				`"evidence":{"type":"array","items":{"type":"object"}}},` +
				`"required":["services_affected","investigation_findings","remediation_attempted"]}`,
			[]int{2}, "", (*Door).handOff,
		},
		{
			"restart", "Restart a service. Counted.", fmt.Sprintf(verbSchema, "", ""), []int{2, 3}, "", (*Door).restart,
		},
		{
			"redeploy", "Redeploy a service. Counted.", fmt.Sprintf(verbSchema, "", ""), []int{3}, "", (*Door).redeploy,
		},
		{
			"action", "Do an action of a service.", fmt.Sprintf(verbSchema, `"action":{"type":"string"},`, `"action",`), []int{2, 3}, "", (*Door).action,
		},
		{
			"propose", "Have a person permit a command.",
			fmt.Sprintf(verbSchema, `"argv":{"type":"array","items":{"type":"string"}},`, `"argv",`), []int{2, 3}, "", (*Door).propose,
		},
		{
			"ask_human", "Ask a human.",
			`{"type":"object","properties":{"service":{"type":"string"},"text":{"type":"string"}},"required":["text"]}`,
			[]int{1, 2, 3}, "", (*Door).askHuman,
		},
	}
}

func list[T ~string](names []T) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = `"` + string(name) + `"`
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

// Tools returns the names of the tools that the agent of a tier is offered, where the kernel confines commands or where it does not.
func Tools(tier int, confined bool) (names []string) {
	for _, t := range tools() {
		if t.offered(tier, confined) {
			names = append(names, t.name)
		}
	}
	return names
}

func (t tool) offered(tier int, confined bool) bool {
	here := confinesNot
	if confined {
		here = confines
	}
	return slices.Contains(t.tiers, tier) && (t.where == "" || t.where == here)
}

// server returns the MCP server with the tools of the tier, for one connection, which is gone when ctx ends. Calls run one at a time,
// because each must see the effects of the one before.
func (d *Door) server(ctx context.Context) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "claudeops", Version: "1"},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	turn := make(chan struct{}, 1)
	for _, t := range tools() {
		if !t.offered(d.Tier, d.Confined) {
			continue
		}
		server.AddTool(&mcp.Tool{Name: t.name, Description: t.description, InputSchema: jsontext.Value(t.schema)},
			func(call context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				select {
				case turn <- struct{}{}:
					defer func() { <-turn }()
				case <-call.Done():
				}
				// The calls of a closed connection are cancelled one by one, so the first may pass its turn to the second.
				if err := cmp.Or(context.Cause(ctx), context.Cause(call)); err != nil {
					return nil, err
				}
				return d.answer(call, t, request.Params), nil
			})
	}
	return server
}

// answer makes a call, and turns the result into text for the model.
func (d *Door) answer(ctx context.Context, t tool, params *mcp.CallToolParamsRaw) *mcp.CallToolResult {
	id, _ := params.Meta["claudecode/toolUseId"].(string)
	out := output{dir: d.Scratch, before: d.kept}
	err := t.call(d, ctx, id, jsontext.Value(params.Arguments), &out)
	text := out.answer(err)
	d.kept += out.kept
	if ctx.Err() == nil { // a cancelled call has not failed
		warning, repeated := d.repeats.count(t.name, jsontext.Value(params.Arguments), err)
		if repeated != nil {
			d.end(repeated)
		}
		text = warning + text
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: err != nil}
}

func (d *Door) bash(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	in := struct {
		Command string `json:"command"`
		Timeout int64  `json:"timeout_s"`
	}{Timeout: defaultTimeout}
	const expected = `{"command": "text", "timeout_s": seconds}`
	if err := decode(arguments, &in, expected); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(in.Command) == "":
		return errors.New("command is missing; expected " + expected)
	case strings.ContainsRune(in.Command, 0):
		return errors.New("command holds a NUL character; expected text without one")
	case len(in.Command) > maxCommand:
		return fmt.Errorf("command has %d bytes; expected at most %d", len(in.Command), maxCommand)
	}
	return timed(ctx, in.Timeout, func(ctx context.Context) error { return d.Handler.Bash(ctx, id, in.Command, out) })
}

func (d *Door) look(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	var in struct {
		Argv []string `json:"argv"`
	}
	const expected = `{"argv": ["program", "argument"]}`
	if err := decode(arguments, &in, expected); err != nil {
		return err
	}
	if len(in.Argv) == 0 {
		return errors.New("argv is missing; expected " + expected)
	}
	return timed(ctx, defaultTimeout, func(ctx context.Context) error { return d.Handler.Look(ctx, id, in.Argv, out) })
}

func (d *Door) read(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	in := struct {
		Path  string `json:"path"`
		From  int    `json:"from_line"`
		Lines int    `json:"lines"`
	}{From: 1}
	const expected = `{"path": "/a/file", "from_line": number, "lines": number}`
	if err := decode(arguments, &in, expected); err != nil {
		return err
	}
	if !filepath.IsAbs(in.Path) || in.From < 1 || in.Lines < 0 {
		return fmt.Errorf("path is %q, from_line %d and lines %d; expected a path from the root, a line from 1 on, and no negative number",
			in.Path, in.From, in.Lines)
	}
	return d.Handler.Read(ctx, id, in.Path, in.From, in.Lines, out)
}

func (d *Door) query(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	return d.ask(ctx, id, toolQuery, arguments, `{"service": "name", "statement": "text"}`, out)
}

func (d *Door) logs(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	return d.ask(ctx, id, toolLogs, arguments, `{"service": "name", "lines": number, "since": "1h", "contains": "text"}`, out)
}

func (d *Door) get(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	return d.ask(ctx, id, toolGet, arguments, `{"url": "text"}`, out)
}

// ask asks a question of which some members are expected.
func (d *Door) ask(ctx context.Context, id, tool string, arguments jsontext.Value, expected string, out io.Writer) error {
	q := Question{Tool: tool}
	if err := decode(arguments, &q, expected); err != nil {
		return err
	}
	given := map[string]string{toolGet: q.URL, toolLogs: q.Service, toolQuery: q.Statement}[tool]
	if given == "" || (q.Service == "") != (tool == toolGet) {
		return errors.New("something is missing; expected " + expected)
	}
	return timed(ctx, defaultTimeout, func(ctx context.Context) error { return d.Handler.Answer(ctx, id, q, out) })
}

// timed runs do with a time limit in seconds.
func timed(ctx context.Context, seconds int64, do func(context.Context) error) error {
	if seconds < 1 || seconds > maxTimeout {
		return fmt.Errorf("timeout_s is %d; expected 1 to %d", seconds, maxTimeout)
	}
	late := fmt.Errorf("ended after its time limit of %d s", seconds)
	ctx, cancel := context.WithTimeoutCause(ctx, time.Duration(seconds)*time.Second, late)
	defer cancel()
	err := do(ctx)
	if err != nil && errors.Is(context.Cause(ctx), late) {
		return late
	}
	return err
}

func (d *Door) report(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	results, err := check.ParseReport(arguments)
	if err != nil {
		return err
	}
	return d.Handler.Report(ctx, id, results, out)
}

func (d *Door) handOff(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	return d.Handler.HandOff(ctx, id, arguments, out)
}

func (d *Door) restart(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	return d.do(ctx, id, guard.Verb{Action: guard.Restart}, arguments, out)
}

func (d *Door) redeploy(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	return d.do(ctx, id, guard.Verb{Action: guard.Redeploy}, arguments, out)
}

func (d *Door) action(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	return d.do(ctx, id, guard.Verb{Action: guard.Named}, arguments, out)
}

func (d *Door) propose(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	return d.do(ctx, id, guard.Verb{Action: guard.Ask}, arguments, out)
}

// do does a verb.
func (d *Door) do(ctx context.Context, id string, v guard.Verb, arguments jsontext.Value, out io.Writer) error {
	var in struct {
		Service string   `json:"service"`
		Action  string   `json:"action"`
		Argv    []string `json:"argv"`
		Why     string   `json:"why"`
	}
	expected := `{"service": "name", "why": "what it will mend"}`
	switch v.Action {
	case guard.Named:
		expected = `{"service": "name", "action": "name", "why": "what it will mend"}`
	case guard.Ask:
		expected = `{"service": "name", "argv": ["program", "argument"], "why": "what it will mend"}`
	}
	if err := decode(arguments, &in, expected); err != nil {
		return err
	}
	fault := check.ServiceNameFault(in.Service)
	switch {
	case fault != "":
		return fmt.Errorf("service: %s; expected %s", fault, expected)
	case (in.Action == "") != (v.Action != guard.Named) || (len(in.Argv) == 0) != (v.Action != guard.Ask):
		return errors.New("the call takes other arguments; expected " + expected)
	}
	v.Name, v.Do, v.Argv, v.Why = in.Service, in.Action, in.Argv, in.Why
	return d.Handler.Do(ctx, id, v, out)
}

func (d *Door) askHuman(ctx context.Context, id string, arguments jsontext.Value, out io.Writer) error {
	var in struct {
		Service string `json:"service"`
		Text    string `json:"text"`
	}
	const expected = `{"service": "name, or left out", "text": "what is to be done, and why"}`
	if err := decode(arguments, &in, expected); err != nil {
		return err
	}
	if strings.TrimSpace(in.Text) == "" {
		return errors.New("text is missing; expected " + expected)
	}
	if len(in.Text) > maxAsk {
		return fmt.Errorf("text has %d bytes; expected at most %d", len(in.Text), maxAsk)
	}
	if fault := check.ServiceNameFault(in.Service); in.Service != "" && fault != "" {
		return fmt.Errorf("service: %s; expected %s", fault, expected)
	}
	return d.Handler.AskHuman(ctx, id, in.Service, in.Text, out)
}

// decode parses the arguments of a call. The error is one sentence that says what was expected.
func decode(arguments jsontext.Value, in any, expected string) error {
	err := json.Unmarshal(arguments, in, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	fault := err.Error()
	if semantic := (*json.SemanticError)(nil); errors.As(err, &semantic) {
		at := cmp.Or(strings.TrimPrefix(string(semantic.JSONPointer), "/"), "the input")
		if fault = at + " is of another type"; errors.Is(err, json.ErrUnknownName) {
			fault = at + " is unknown"
		}
	}
	return fmt.Errorf("%s; expected %s", fault, expected)
}
