package guard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
)

// maxBlocks is how often a session's agent is told to mend its handoff before it may go without (DESIGN.md §4 "An invalid handoff").
const maxBlocks = 2

// stop answers an agent that wants to end. Nothing of it may keep an agent for ever: a block that cannot be counted is not made.
func (h Hook) stop(ctx context.Context, in Input) ([]byte, error) {
	fault, err := h.unfinished(ctx)
	if err != nil || fault == "" {
		return nil, err
	}
	earlier, err := h.Audit.Read()
	if err != nil {
		return nil, err
	}
	if !blockAgain(earlier, h.Audit.kept(fault), in.StopHookActive) {
		return nil, nil
	}
	if err := h.append(Entry{Event: Stop, Tier: h.Tier, Decision: Blocked, Rule: "handoff", Reason: fault}); err != nil {
		return nil, err
	}
	return encoded(struct {
		Decision Decision `json:"decision"`
		Reason   string   `json:"reason"`
	}{Blocked, fault})
}

// blockAgain decides whether an agent that leaves a fault is told of it: at most maxBlocks times, and not of the same fault again
// where it has just been told and did not mend it.
func blockAgain(earlier []Entry, fault string, active bool) bool {
	blocks := slices.DeleteFunc(slices.Clone(earlier), func(e Entry) bool { return e.Decision != Blocked })
	if len(blocks) >= maxBlocks {
		return false
	}
	return !active || len(blocks) == 0 || blocks[len(blocks)-1].Reason != fault
}

// unfinished says what the agent has to do before it may go; empty where nothing. It does not matter whether a next tier would be
// started: under CLAUDEOPS_MAX_TIER or a dry run too the handoff is what the program decides by, and what a person is told.
func (h Hook) unfinished(ctx context.Context) (string, error) {
	_, _, err := handoff.Read(h.Handoff, h.Tier)
	var invalid *handoff.InvalidError
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &invalid):
		return h.invalidHandoff(invalid), nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	case h.Tier != 1:
		return "", nil // it says that nothing is left to do
	}
	results, err := h.Checks(ctx)
	if err != nil {
		return "", err
	}
	return missingHandoff(results), nil
}

func (h Hook) invalidHandoff(invalid *handoff.InvalidError) string {
	next := min(h.Tier+1, handoff.LastTier)
	return fmt.Sprintf("handoff.json is not valid, and would be thrown away:\n- %s\nWrite it again with `claudeops handoff write --tier %d`, which "+
		"names every fault and fills in what it knows, or remove it where nothing is to be handed off. Then end.", strings.Join(invalid.Faults, "\n- "), next)
}

// missingHandoff is about a Tier 1 that found something unhealthy and wants to end without asking for Tier 2.
func missingHandoff(results []check.Result) string {
	var unhealthy []string
	for name, status := range check.Worst(results) {
		if status.Unwell() {
			unhealthy = append(unhealthy, fmt.Sprintf("%s is %s", name, status))
		}
	}
	if len(unhealthy) == 0 {
		return ""
	}
	slices.Sort(unhealthy)
	const few = 20
	if more := len(unhealthy) - few; more > 0 {
		unhealthy = append(unhealthy[:few], fmt.Sprintf("and %d more", more))
	}
	return "you reported that " + strings.Join(unhealthy, ", ") + ", and there is no handoff.json. Report these services " +
		"again with `claudeops report`, which writes it, as they are now. Then end."
}
