// Package broker is the only way in which an agent can act.
//
// The agent program has no tools of its own. It gets those of a Door, an MCP server in the cycle that runs the agent: one connection, one
// call at a time, with limits on input, duration and answer. A Handler, the session's Workplace, carries out the calls.
//
// Commands in the sandbox reach anything outside only through a Broker. A program there with the name of one outside is the shim, which
// asks the Broker to run it: what looks is judged by its exact argument list and run in its own domain, what means a verb is an act that
// the Workplace counts before it runs. Output is masked, and every call is audited.
package broker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
)

// Handler carries out an agent's calls. id is the agent program's id of the call; empty if it sent none. What is written to out, by one
// goroutine at a time, is the answer. An error is put before it, and marks the call as failed; an exit status other than 0 is an ExitError.
// ctx ends with the call's time limit, its connection or its session. Whatever the call started must have ended when the method returns.
type Handler interface {
	// Bash runs shell text.
	Bash(ctx context.Context, id, command string, out io.Writer) error
	// Call makes a call of the broker's, as if it were typed in a shell with a document on standard input.
	Call(ctx context.Context, id string, argv []string, input []byte, out io.Writer) error
	// Read prints lines of a file, from the line from on, which is 1 or more; lines is at most how many, and 0 means as many as fit.
	Read(ctx context.Context, id, path string, from, lines int, out io.Writer) error
	// AskHuman sends people a message about a service; an empty service means none in particular.
	AskHuman(ctx context.Context, id, service, text string, out io.Writer) error
}

// ExitError is an exit status other than 0.
type ExitError int

func (e ExitError) Error() string { return fmt.Sprintf("Exit code %d", int(e)) }

const (
	defaultTimeout = 120       // seconds of a call
	maxTimeout     = 3600      // seconds
	maxCommand     = 120 << 10 // bytes; Linux accepts arguments of at most 128 KiB
	maxAsk         = 8 << 10   // bytes of a question to a human, more than a message can hold
)

// tool is one tool of an agent. Descriptions and schemas are sent with every request to the model, so they are kept short.
type tool struct {
	name, description string
	tiers             []int
	takes             string // its parameters (params), or the schema of a document, which who reads it judges
	call              func(d *Door, ctx context.Context, id string, in arguments, out io.Writer) error
}

// document reports whether the tool's arguments are handed on as they are.
func (t tool) document() bool { return strings.HasPrefix(t.takes, "{") }

// param is a member of a tool's arguments, as JSON schema names its kind.
type param struct {
	name, kind string
	needed     bool
}

// params reads names of parameters: a text, or with # a number, with * a list of words; with ! it is needed.
func (t tool) params() (all []param) {
	for _, word := range strings.Fields(t.takes) {
		p := param{name: strings.TrimRight(word, "#*!"), kind: "string", needed: strings.HasSuffix(word, "!")}
		switch {
		case strings.Contains(word, "#"):
			p.kind = "integer"
		case strings.Contains(word, "*"):
			p.kind = "array"
		}
		all = append(all, p)
	}
	return all
}

// arguments are those of all tools together.
type arguments struct {
	Command   string   `json:"command"`
	Timeout   int64    `json:"timeout_s"`
	Argv      []string `json:"argv"`
	Path      string   `json:"path"`
	From      int      `json:"from_line"`
	Lines     int      `json:"lines"`
	Service   string   `json:"service"`
	Statement string   `json:"statement"`
	Since     string   `json:"since"`
	Contains  string   `json:"contains"`
	URL       string   `json:"url"`
	Action    string   `json:"action"`
	Why       string   `json:"why"`
	Text      string   `json:"text"`

	document jsontext.Value // of a tool that takes one
}

const reportSchema = `{"type":"object","properties":{"check_results":{"type":"array","items":{"type":"object","properties":{"service":{"type":"string"},` +
	`"check_type":{"enum":%s},"status":{"enum":%s},"error":{"type":"string"}},"required":["service","check_type","status","error"]}}},"required":["check_results"]}`

// tools returns the tools of a tier's agent, where the kernel confines commands or where it does not.
func tools(tier int, confined bool) []tool {
	all, acting := []int{1, 2, 3}, []int{2, 3}
	reports := fmt.Sprintf(reportSchema, list(check.Types()), list(check.Statuses()))
	run := fmt.Sprintf("Run a command (timeout_s: %d, at most %d).", defaultTimeout, maxTimeout)
	shell := []tool{{"bash", run, all, "command! timeout_s#", (*Door).bash}}
	if !confined {
		shell = []tool{
			{"look", "Run one program by its argument list.", all, "argv*!", look(func(in arguments) []string { return in.Argv })},
			{"read", "Read lines of a file.", all, "path! from_line# lines#", (*Door).read},
		}
	}
	offered := append(shell, []tool{
		{toolQuery, "Ask a service's database.", all, "service statement", look(queryWords)},
		{toolLogs, "The end of a service's logs.", all, "service lines# since contains", look(logsWords)},
		{toolGet, "GET a URL.", all, "url", look(func(in arguments) []string { return []string{ownName, toolGet, in.URL} })},
		{"report", "Report all check results at once.", all, reports, (*Door).report},
		{"hand_off", "Hand over to Tier 2. check_results are as in report.", []int{1}, handoff.Schema(1), (*Door).handOff},
		{"hand_off", "Hand over to Tier 3.", []int{2}, handoff.Schema(2), (*Door).handOff},
		{"restart", "Restart a service. Counted.", acting, "service! why!", typed(verbWords("restart"))},
		{"redeploy", "Redeploy a service. Counted.", []int{3}, "service! why!", typed(verbWords("redeploy"))},
		{"action", "Do an action of a service.", acting, "service! action! why!", typed(func(in arguments) []string {
			return append(verbWords("action")(in), in.Action)
		})},
		{"propose", "Have a person permit a command.", acting, "service! argv*! why!", typed(func(in arguments) []string {
			return append(append(verbWords("propose")(in), "--"), in.Argv...)
		})},
		{"ask_human", "Ask a human.", all, "service text!", (*Door).askHuman},
	}...)
	return slices.DeleteFunc(offered, func(t tool) bool { return !slices.Contains(t.tiers, tier) })
}

func verbWords(verb string) func(arguments) []string {
	return func(in arguments) []string { return []string{ownName, verb, "--why", in.Why, in.Service} }
}

func queryWords(in arguments) []string { return []string{ownName, toolQuery, in.Service, in.Statement} }

func logsWords(in arguments) []string {
	words := []string{ownName, toolLogs, in.Service}
	if in.Lines != 0 {
		words = append(words, "--lines", strconv.Itoa(in.Lines))
	}
	if in.Since != "" {
		words = append(words, "--since", in.Since)
	}
	if in.Contains != "" {
		words = append(words, "--contains", in.Contains)
	}
	return words
}

// typed makes a call of the broker's. An act has the time limit of its order.
func typed(words func(arguments) []string) func(d *Door, ctx context.Context, id string, in arguments, out io.Writer) error {
	return func(d *Door, ctx context.Context, id string, in arguments, out io.Writer) error {
		return d.Handler.Call(ctx, id, words(in), nil, out)
	}
}

// look is typed, for what only looks.
func look(words func(arguments) []string) func(d *Door, ctx context.Context, id string, in arguments, out io.Writer) error {
	return func(d *Door, ctx context.Context, id string, in arguments, out io.Writer) error {
		return timed(ctx, defaultTimeout, func(ctx context.Context) error { return typed(words)(d, ctx, id, in, out) })
	}
}

func list[T ~string](names []T) string {
	text, _ := json.Marshal(names) // strings
	return string(text)
}

// Tools returns the names of the tools that the agent of a tier is offered, where the kernel confines commands or where it does not.
func Tools(tier int, confined bool) (names []string) {
	for _, t := range tools(tier, confined) {
		names = append(names, t.name)
	}
	return names
}

// server returns the MCP server with the tools of the tier, for one connection, which is gone when ctx ends. Calls run one at a time,
// because each must see the effects of the one before.
func (d *Door) server(ctx context.Context) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "claudeops", Version: "1"},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	turn := make(chan struct{}, 1)
	for _, t := range tools(d.Tier, d.Confined) {
		server.AddTool(&mcp.Tool{Name: t.name, Description: t.description, InputSchema: jsontext.Value(t.schema())},
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
	out := output{dir: d.Scratch}
	in, err := t.decode(jsontext.Value(params.Arguments))
	if err == nil {
		err = t.call(d, ctx, id, in, &out)
	}
	text := out.answer(err)
	if ctx.Err() == nil { // a cancelled call has not failed
		warning, repeated := d.repeats.count(t.name, jsontext.Value(params.Arguments), err)
		if repeated != nil {
			d.end(repeated)
		}
		text = warning + text
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: err != nil}
}

// schema returns the JSON schema of the tool's arguments.
func (t tool) schema() string {
	if t.document() {
		return t.takes
	}
	var properties, needed []string
	for _, p := range t.params() {
		items := ""
		if p.kind == "array" {
			items = `,"items":{"type":"string"}`
		}
		properties = append(properties, fmt.Sprintf(`%q:{"type":%q%s}`, p.name, p.kind, items))
		if p.needed {
			needed = append(needed, p.name)
		}
	}
	schema := `{"type":"object","properties":{` + strings.Join(properties, ",") + "}"
	if len(needed) > 0 {
		schema += `,"required":` + list(needed)
	}
	return schema + "}"
}

// decode parses the arguments of a call. The error is one sentence that says what was expected.
func (t tool) decode(given jsontext.Value) (in arguments, err error) {
	if t.document() {
		return arguments{document: given}, nil
	}
	in = arguments{Timeout: defaultTimeout, From: 1}
	var expected []string
	for _, p := range t.params() {
		kind := map[string]string{"string": "text", "integer": "number", "array": "[word, …]"}[p.kind]
		expected = append(expected, fmt.Sprintf("%q: %s", p.name, kind))
	}
	refuse := func(fault string) (arguments, error) {
		return in, errors.New(fault + "; expected {" + strings.Join(expected, ", ") + "}")
	}
	var members map[string]jsontext.Value
	if json.Unmarshal(given, &members) != nil {
		return refuse("the input is of another type")
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.ContainsFunc(t.params(), func(p param) bool { return p.name == name }) {
			return refuse(name + " is unknown")
		}
	}
	err = json.Unmarshal(given, &in)
	if semantic := (*json.SemanticError)(nil); errors.As(err, &semantic) {
		return refuse(strings.TrimPrefix(string(semantic.JSONPointer), "/") + " is of another type")
	}
	if err != nil {
		return refuse(err.Error())
	}
	for _, p := range t.params() {
		if value := strings.Trim(string(members[p.name]), `"[] `); p.needed && (value == "" || value == "null") {
			return refuse(p.name + " is missing")
		}
	}
	if fault := check.ServiceNameFault(in.Service); in.Service != "" && fault != "" {
		return refuse("service: " + fault)
	}
	return in, nil
}

func (d *Door) bash(ctx context.Context, id string, in arguments, out io.Writer) error {
	switch {
	case strings.ContainsRune(in.Command, 0):
		return errors.New("command holds a NUL character; expected text without one")
	case len(in.Command) > maxCommand:
		return fmt.Errorf("command has %d bytes; expected at most %d", len(in.Command), maxCommand)
	}
	return timed(ctx, in.Timeout, func(ctx context.Context) error { return d.Handler.Bash(ctx, id, in.Command, out) })
}

func (d *Door) read(ctx context.Context, id string, in arguments, out io.Writer) error {
	if !filepath.IsAbs(in.Path) || in.From < 1 || in.Lines < 0 {
		return fmt.Errorf("path is %q, from_line %d and lines %d; expected a path from the root, a line from 1 on, and no negative number",
			in.Path, in.From, in.Lines)
	}
	return d.Handler.Read(ctx, id, in.Path, in.From, in.Lines, out)
}

func (d *Door) report(ctx context.Context, id string, in arguments, out io.Writer) error {
	return d.Handler.Call(ctx, id, []string{ownName, "report"}, in.document, out)
}

func (d *Door) askHuman(ctx context.Context, id string, in arguments, out io.Writer) error {
	if len(in.Text) > maxAsk {
		return fmt.Errorf("text has %d bytes; expected at most %d", len(in.Text), maxAsk)
	}
	return d.Handler.AskHuman(ctx, id, in.Service, in.Text, out)
}

func (d *Door) handOff(ctx context.Context, id string, in arguments, out io.Writer) error {
	return d.Handler.Call(ctx, id, []string{ownName, "handoff", "write", "--tier", strconv.Itoa(d.Tier + 1)}, in.document, out)
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
