package guard

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/check"
)

// Hook answers the agent program's hook events for one session. Every field is required.
type Hook struct {
	Tier  int
	Audit Audit
	Now   func() time.Time
	// Judge decides on a tool call and reserves nothing. An error means that no decision is possible.
	Judge func(Input) (Verdict, error)
	// Records is called only where a remediation is reserved or has ended.
	Records func(context.Context) (Reservations, error)
	// Handoff is the path of handoff.json.
	Handoff string
	// Checks are the latest results that the session has reported, of each service.
	Checks func(context.Context) ([]check.Result, error)
}

// Reservations keeps the records of remediations.
type Reservations interface {
	// Reserve records all of wanted as acts in progress, before they run, or none. Where a limit does not permit one of them,
	// refusal says which, what was tried, how often and when it frees; it is empty where all are recorded.
	Reserve(ctx context.Context, toolUseID string, wanted []Remediation) (refusal string, err error)
	// Outcome completes what was reserved for a tool call; where nothing was, it does nothing. took may be 0: nobody knows.
	Outcome(ctx context.Context, toolUseID string, success bool, fault string, took time.Duration) error
}

// Failed writes down that no decision was possible.
func (h Hook) Failed(fault error) error {
	return h.append(Entry{Tier: h.Tier, Decision: Denied, Rule: ruleFault, Reason: fault.Error()})
}

// Answer takes the line that ReadInput returned and returns what the hook is to print. After an error it must print nothing and
// exit with 2, by which a tool call is refused; with 1 where an agent wants to stop.
func (h Hook) Answer(ctx context.Context, line []byte) ([]byte, error) {
	in, err := DecodeInput(line)
	if err != nil {
		return nil, errors.Join(err, h.Failed(err))
	}
	switch in.Event {
	case PreToolUse:
		return h.decide(ctx, in)
	case Stop:
		return h.stop(ctx, in)
	}
	return nil, h.outcome(ctx, in)
}

// decide answers a PreToolUse.
func (h Hook) decide(ctx context.Context, in Input) ([]byte, error) {
	v, err := h.judge(ctx, in)
	if err == nil && v.Allow && len(v.Remediations()) > 0 {
		v, err = h.reserve(ctx, in, v)
	}
	if err != nil {
		v.Allow, v.Rule, v.Reason = false, ruleFault, err.Error()
	}
	unwritten := h.append(entry(in, h.Tier, v))
	if err != nil {
		return nil, err
	}
	// A full disk refuses remediations only, and those were refused before.
	return answer(v, unwritten)
}

// judge is Judge for the tools that there are. Any other has come with a version of the agent program that we do not know.
func (h Hook) judge(ctx context.Context, in Input) (Verdict, error) {
	switch in.Tool {
	case "Bash", "Read", "Grep", "Glob", "Write":
	default:
		if !strings.HasPrefix(in.Tool, "mcp__") {
			return Verdict{}, fmt.Errorf("the guard does not know the tool %q; use Bash, Read, Grep or Glob", in.Tool)
		}
	}
	return h.watched(ctx, in)
}

// watched is Judge, but no longer than ctx: judging looks at no clock, and what takes too long goes on until the process ends, with
// nobody who waits for it.
func (h Hook) watched(ctx context.Context, in Input) (Verdict, error) {
	type judgement struct {
		v   Verdict
		err error
	}
	done := make(chan judgement, 1)
	go func() {
		var j judgement
		defer func() {
			if fault := recover(); fault != nil {
				j = judgement{err: fmt.Errorf("the guard failed: %v", fault)}
			}
			done <- j
		}()
		j.v, j.err = h.Judge(in)
	}()
	select {
	case <-ctx.Done():
		return Verdict{}, context.Cause(ctx)
	case j := <-done:
		if ctx.Err() != nil { // both at once: late is late
			return Verdict{}, context.Cause(ctx)
		}
		return j.v, j.err
	}
}

// Rules that are not the policy's.
const (
	ruleFault  = "fault"  // no decision was possible
	ruleLimits = "limits" // of remediations (SPEC-0007 REQ-4, REQ-5)
)

// reserve has a granted call's remediations recorded. The audit is written first: where it cannot be, nothing is reserved.
func (h Hook) reserve(ctx context.Context, in Input, v Verdict) (Verdict, error) {
	e := entry(in, h.Tier, v)
	e.Decision = Reserving
	if err := h.append(e); err != nil {
		return v, fmt.Errorf("no remediation is granted that is not written down: %w", err)
	}
	records, err := h.Records(ctx)
	if err != nil {
		return v, fmt.Errorf("reserve the remediation: %w", err)
	}
	refusal, err := records.Reserve(ctx, in.ToolUseID, v.Remediations())
	if err != nil {
		return v, fmt.Errorf("reserve the remediation: %w", err)
	}
	if refusal != "" {
		v.Allow, v.Rule, v.Reason = false, ruleLimits, refusal
	}
	return v, nil
}

func (h Hook) append(e Entry) error {
	e.Time = h.Now()
	return h.Audit.Append(e)
}

// maxFault is how many bytes of a failed command's output its record keeps.
const maxFault = 500

// outcome tells the records what became of a call, where it had reserved anything.
func (h Hook) outcome(ctx context.Context, in Input) error {
	if reserved, err := h.reserved(in.ToolUseID); err == nil && !reserved {
		return nil // after an error the records know
	}
	records, err := h.Records(ctx)
	if err != nil {
		return fmt.Errorf("record the outcome: %w", err)
	}
	success := in.Event == PostToolUse && !in.Interrupted
	fault := ""
	switch {
	case success:
	case strings.TrimSpace(in.Fault) != "":
		fault = bounded(strings.Join(strings.Fields(in.Fault), " "), maxFault)
	case in.Interrupted:
		fault = "interrupted"
	default:
		fault = "the command failed and said nothing"
	}
	if err := records.Outcome(ctx, in.ToolUseID, success, fault, in.Took); err != nil {
		return fmt.Errorf("record the outcome: %w", err)
	}
	return nil
}

func (h Hook) reserved(toolUseID string) (bool, error) {
	entries, err := h.Audit.Read()
	for _, e := range entries {
		if e.Decision == Reserving && e.ToolUseID == toolUseID {
			return true, err
		}
	}
	return false, err
}

// answer is what the agent program takes for a decision. What kept the audit from being written is told to the person, who sees a
// systemMessage where anybody does; the model does not.
func answer(v Verdict, unwritten error) ([]byte, error) {
	type decision struct {
		Event    Event    `json:"hookEventName"`
		Decision Decision `json:"permissionDecision"`
		Reason   string   `json:"permissionDecisionReason"`
	}
	output := struct {
		Message  string   `json:"systemMessage,omitzero"`
		Specific decision `json:"hookSpecificOutput"`
	}{Specific: decision{PreToolUse, Denied, v.Reason}}
	if v.Allow {
		output.Specific.Decision, output.Specific.Reason = Allowed, v.Rule
	}
	if unwritten != nil {
		output.Message = "claudeops guard: " + unwritten.Error()
	}
	return encoded(output)
}

func encoded(output any) ([]byte, error) {
	text, err := json.Marshal(output)
	if err != nil {
		return nil, errors.Join(errors.New("encode the answer"), err)
	}
	return append(text, '\n'), nil
}
