package guard

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Event is what the agent program calls a hook for.
type Event string

// The events that the guard answers.
const (
	PreToolUse         Event = "PreToolUse"
	PostToolUse        Event = "PostToolUse"
	PostToolUseFailure Event = "PostToolUseFailure"
	Stop               Event = "Stop"
)

// MaxInputBytes is how long the input of a hook may be.
const MaxInputBytes = 1 << 20

// Input is one event as the agent program tells of it, complete as far as its event goes.
type Input struct {
	Event     Event
	Cwd       string // where the agent's shell stands
	Tool      string // of a tool's events, as are the two below
	ToolInput jsontext.Value
	ToolUseID string

	Took        time.Duration // after a tool was used; 0 where the program did not say
	Interrupted bool
	Fault       string // after a failure

	StopHookActive bool // the agent is going on because an earlier Stop was blocked
}

// ReadInput reads the one line that a hook gets; the pipe may stay open behind it. The error names what keeps it from being one.
func ReadInput(ctx context.Context, r io.Reader) ([]byte, error) {
	type reading struct {
		line []byte
		err  error
	}
	done := make(chan reading, 1)
	go func() { // It cannot be waited for: nothing ends a read from a pipe on which nobody writes.
		line, err := bufio.NewReader(io.LimitReader(r, MaxInputBytes+1)).ReadBytes('\n')
		done <- reading{line, err}
	}()
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("the hook input did not come to its end: %w", context.Cause(ctx))
	case got := <-done:
		switch {
		case got.err != nil && !errors.Is(got.err, io.EOF):
			return nil, fmt.Errorf("read the hook input: %w", got.err)
		case len(got.line) > MaxInputBytes:
			return nil, fmt.Errorf("the hook input is larger than %d bytes", MaxInputBytes)
		case len(got.line) == 0:
			return nil, errors.New("the hook input is empty; expected one line of JSON")
		}
		return got.line, nil
	}
}

// wire is the input as the agent program writes it. Members that are not listed are of no interest.
type wire struct {
	Event          string         `json:"hook_event_name"`
	Cwd            string         `json:"cwd"`
	Tool           string         `json:"tool_name"`
	ToolInput      jsontext.Value `json:"tool_input"`
	ToolUseID      string         `json:"tool_use_id"`
	ToolResponse   jsontext.Value `json:"tool_response"`
	DurationMS     float64        `json:"duration_ms"`
	IsInterrupt    bool           `json:"is_interrupt"`
	Error          string         `json:"error"`
	StopHookActive bool           `json:"stop_hook_active"`
}

// maxToolUseID is generous: the ids there are have 30 characters.
const maxToolUseID = 200

// DecodeInput reads a hook's input strictly: no member twice, nothing but UTF-8, nothing missing that its event has.
func DecodeInput(line []byte) (Input, error) {
	var w wire
	if err := json.Unmarshal(line, &w); err != nil {
		return Input{}, fmt.Errorf("the hook input is not the JSON that was expected: %w", err)
	}
	in := Input{Event: Event(w.Event), Cwd: w.Cwd, Tool: w.Tool, ToolInput: w.ToolInput, ToolUseID: w.ToolUseID}
	switch in.Event {
	case Stop:
		in.StopHookActive = w.StopHookActive
		return in, nil
	case PreToolUse, PostToolUse, PostToolUseFailure:
	case "":
		return Input{}, errors.New("the hook input has no hook_event_name")
	default:
		return Input{}, fmt.Errorf("the guard does not know the event %q; it is for PreToolUse, PostToolUse, PostToolUseFailure and Stop", w.Event)
	}
	switch {
	case w.Tool == "":
		return Input{}, fmt.Errorf("the hook input of %s has no tool_name", in.Event)
	case w.ToolUseID == "" || len(w.ToolUseID) > maxToolUseID:
		return Input{}, fmt.Errorf("the hook input of %s has no tool_use_id, or one of more than %d bytes", in.Event, maxToolUseID)
	case w.ToolInput.Kind() != '{':
		return Input{}, fmt.Errorf("the hook input of %s has no tool_input, or one that is no object", in.Event)
	case w.Cwd == "" && in.Event == PreToolUse:
		return Input{}, errors.New("the hook input of PreToolUse has no cwd")
	}
	if w.DurationMS > 0 {
		in.Took = time.Duration(min(w.DurationMS, maxDurationMS)) * time.Millisecond
	}
	in.Fault, in.Interrupted = w.Error, w.IsInterrupt || interrupted(w.ToolResponse)
	return in, nil
}

// maxDurationMS bounds what is told of a tool's time, at about a month, so that no number is too large for a time.Duration.
const maxDurationMS = 1 << 31

// interrupted reads tool_response, whose shape is each tool's own.
func interrupted(response jsontext.Value) bool {
	var r struct {
		Interrupted bool `json:"interrupted"`
	}
	if response.Kind() != '{' {
		return false
	}
	return json.Unmarshal(response, &r) != nil || r.Interrupted
}
