package guard

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

const preToolUse = `{"session_id":"x","transcript_path":"/t","cwd":"/repos","permission_mode":"dontAsk","hook_event_name":"PreToolUse",` +
	`"tool_name":"Bash","tool_input":{"command":"docker ps"},"tool_use_id":"toolu_1"}`

func TestReadInput(t *testing.T) {
	full := strings.Repeat("x", MaxInputBytes-1) + "\n"
	for name, test := range map[string]struct{ given, line, fault string }{
		"a line":               {"{}\n", "{}\n", ""},
		"a line without end":   {"{}", "{}", ""},
		"more after the line":  {"{}\n{}\n", "{}\n", ""},
		"nothing":              {"", "", "is empty"},
		"exactly the most":     {full, full, ""},
		"one byte too many":    {"x" + full, "", "larger than 1048576 bytes"},
		"10 MB":                {strings.Repeat("x", 10_000_000), "", "larger than 1048576 bytes"},
		"10 MB after the line": {"{}\n" + strings.Repeat("x", 10_000_000), "{}\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			line, err := ReadInput(t.Context(), strings.NewReader(test.given))
			if string(line) != test.line || fault(err) != "" != (test.fault != "") || !strings.Contains(fault(err), test.fault) {
				t.Errorf("%d bytes, error %q; want %d bytes, error %q", len(line), fault(err), len(test.line), test.fault)
			}
		})
	}
}

func TestReadInputDoesNotWaitForTheEndOfThePipe(t *testing.T) {
	r, w := io.Pipe()
	go func() { _, _ = w.Write([]byte("{}\n")) }() // and it stays open
	if line, err := ReadInput(t.Context(), r); string(line) != "{}\n" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
	must(t, w.Close())
}

func TestReadInputEndsWithItsContext(t *testing.T) {
	r, w := io.Pipe()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("too late"))
	if _, err := ReadInput(ctx, r); !strings.Contains(fault(err), "too late") {
		t.Errorf("%v", err)
	}
	must(t, w.Close())
}

func TestDecodeInput(t *testing.T) {
	const after = `{"cwd":"/repos","tool_name":"Bash","tool_input":{"command":"x"},"tool_use_id":"t1"`
	for name, test := range map[string]struct {
		line string
		want Input
	}{
		"before a tool": {preToolUse + "\n", Input{Event: PreToolUse, Cwd: "/repos", Tool: "Bash", ToolUseID: "toolu_1"}},
		"after a success": {after + `,"hook_event_name":"PostToolUse","tool_response":{"stdout":"","stderr":"","interrupted":false},"duration_ms":41}`,
			Input{Event: PostToolUse, Cwd: "/repos", Tool: "Bash", ToolUseID: "t1", Took: 41 * time.Millisecond}},
		"after a success whose response is a text": {after + `,"hook_event_name":"PostToolUse","tool_response":"fine"}`,
			Input{Event: PostToolUse, Cwd: "/repos", Tool: "Bash", ToolUseID: "t1"}},
		"interrupted": {after + `,"hook_event_name":"PostToolUse","tool_response":{"interrupted":true}}`,
			Input{Event: PostToolUse, Cwd: "/repos", Tool: "Bash", ToolUseID: "t1", Interrupted: true}},
		"after a failure": {after + `,"hook_event_name":"PostToolUseFailure","error":"Exit code 3\nout","is_interrupt":false,"duration_ms":8.5}`,
			Input{Event: PostToolUseFailure, Cwd: "/repos", Tool: "Bash", ToolUseID: "t1", Took: 8 * time.Millisecond, Fault: "Exit code 3\nout"}},
		"a time beyond all reason": {after + `,"hook_event_name":"PostToolUse","duration_ms":1e300}`,
			Input{Event: PostToolUse, Cwd: "/repos", Tool: "Bash", ToolUseID: "t1", Took: maxDurationMS * time.Millisecond}},
		"stop": {`{"hook_event_name":"Stop","cwd":"/repos","stop_hook_active":true,"last_assistant_message":"done","background_tasks":[]}`,
			Input{Event: Stop, Cwd: "/repos", StopHookActive: true}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := DecodeInput([]byte(test.line))
			if got.Event != Stop && got.ToolInput.Kind() != '{' {
				t.Errorf("tool_input is %q", got.ToolInput)
			}
			got.ToolInput = nil
			if err != nil || got.diff(test.want) {
				t.Errorf("%+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

func (in Input) diff(want Input) bool {
	return in.Event != want.Event || in.Cwd != want.Cwd || in.Tool != want.Tool || in.ToolUseID != want.ToolUseID || in.Took != want.Took ||
		in.Interrupted != want.Interrupted || in.Fault != want.Fault || in.StopHookActive != want.StopHookActive
}

func TestBadInput(t *testing.T) {
	replaced := func(old, new string) string { return strings.Replace(preToolUse, old, new, 1) }
	for name, test := range map[string]struct{ line, fault string }{
		"nothing but a newline":    {"\n", "not the JSON that was expected"},
		"truncated":                {preToolUse[:len(preToolUse)-5], "not the JSON that was expected"},
		"not JSON":                 {"hello", "not the JSON that was expected"},
		"an array":                 {"[]", "not the JSON that was expected"},
		"null":                     {"null", "has no hook_event_name"},
		"an empty object":          {"{}", "has no hook_event_name"},
		"something behind":         {preToolUse + "x", "not the JSON that was expected"},
		"two objects":              {preToolUse + preToolUse, "not the JSON that was expected"},
		"a member twice":           {replaced(`"session_id":"x"`, `"tool_name":"Read"`), "not the JSON that was expected"},
		"a member twice, deeper":   {replaced(`"command":"docker ps"`, `"command":"docker ps","command":"rm"`), "not the JSON that was expected"},
		"not UTF-8":                {replaced("docker ps", "docker \xff"), "not the JSON that was expected"},
		"half a surrogate pair":    {replaced("docker ps", `docker \ud800`), "not the JSON that was expected"},
		"an unknown event":         {replaced("PreToolUse", "SessionStart"), `does not know the event "SessionStart"`},
		"another case of an event": {replaced("PreToolUse", "pretooluse"), "does not know the event"},
		"an event that is none":    {replaced(`"PreToolUse"`, "7"), "not the JSON that was expected"},
		"no tool":                  {replaced(`"tool_name":"Bash",`, ""), "has no tool_name"},
		"another case of a member": {replaced(`"tool_name"`, `"Tool_Name"`), "has no tool_name"},
		"no id":                    {replaced("toolu_1", ""), "has no tool_use_id"},
		"an id without end":        {replaced("toolu_1", strings.Repeat("x", 201)), "has no tool_use_id"},
		"no input":                 {replaced(`"tool_input":{"command":"docker ps"},`, ""), "has no tool_input"},
		"an input that is a text":  {replaced(`{"command":"docker ps"}`, `"docker ps"`), "has no tool_input"},
		"no folder":                {replaced(`"cwd":"/repos",`, ""), "has no cwd"},
	} {
		t.Run(name, func(t *testing.T) {
			if in, err := DecodeInput([]byte(test.line)); !strings.Contains(fault(err), test.fault) || err == nil {
				t.Errorf("%+v, %v; want an error with %q", in, err, test.fault)
			}
		})
	}
}

func fault(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
