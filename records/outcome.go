package records

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Unreported is the error of an act that was still in progress when its session ended.
const Unreported = "the outcome was never reported: the session ended while it was in progress"

func inProgress(r statefile.Record) bool { return !r.Success && r.Error == store.InProgress }

// outcomeText is a message that came with an outcome, which must not read like one that is not known yet.
func outcomeText(success bool, message string) string {
	if !success && message == store.InProgress {
		return "failed: " + message
	}
	return message
}

// Outcome is how a tool use ended.
type Outcome struct {
	Success bool
	Error   string        // why it failed
	Took    time.Duration // 0 is not known
}

// Complete gives what a tool use of a session reserved its outcome. What another source told of before is kept: a failure stands.
// Where nothing was reserved it does nothing, without waiting for anybody.
func (l *Ledger) Complete(ctx context.Context, session int64, toolUseID string, o Outcome) error {
	reserved, err := l.store.ToolUseActs(ctx, session, toolUseID)
	if err != nil || len(reserved) == 0 {
		return err
	}
	return l.update(ctx, func(st *statefile.State) ([]store.Act, error) {
		m := l.merger(st, session, 0)
		if err := m.know(ctx, l.store); err != nil {
			return nil, err
		}
		m.completeToolUse(toolUseID, o)
		return m.changed(), nil
	})
}

func (m *merger) completeToolUse(toolUseID string, o Outcome) {
	for _, a := range m.acts {
		if a.ToolUseID != toolUseID {
			continue
		}
		m.finish(a, o.Success, outcomeText(o.Success, o.Error))
		if r := m.record(a); r != nil && o.Took > 0 {
			r.DurationMS = o.Took.Milliseconds()
		}
	}
}

// closeUnreported ends what the session left in progress.
func (m *merger) closeUnreported() (found []Notice) {
	for _, a := range m.acts {
		if inProgress(a.Record()) {
			m.finish(a, false, Unreported)
			found = append(found, Notice{store.Warning, a.Service, fmt.Sprintf("%s of %s at %s: %s; it counts as failed", a.Action, a.Service, stamp(a.CreatedAt), Unreported), false})
		}
	}
	return found
}

// closeRecords ends what stands in progress in the file although no session is left that could.
func closeRecords(st *statefile.State) (closed bool) {
	eachRecord(st, func(_ place, r *statefile.Record) {
		if inProgress(*r) {
			r.Error, closed = Unreported, true
		}
	})
	return closed
}

// finish gives an act an outcome. A failure that was told of before stands, and what a later one says is added to it.
func (m *merger) finish(a *store.Act, success bool, fault string) {
	failed := !a.Success && !inProgress(a.Record())
	was := *a
	switch {
	case success && !failed:
		a.Success, a.Error = true, ""
	case failed && !success:
		a.Error = joined(a.Error, fault)
	case !success:
		a.Success, a.Error = false, fault
	}
	if *a != was {
		m.dirty[a.ID] = true
	}
	if r := m.record(a); r != nil {
		r.Success, r.Error = a.Success, a.Error
	}
}

// joined adds a text to another that does not say the same already.
func joined(text, more string) string {
	switch {
	case strings.Contains(text, more):
		return text
	case text == "":
		return more
	}
	return text + "; " + more
}

// believeRecord takes over the outcome of an act in progress whose record was completed in the file alone: by jq, or by one who
// was killed before the store had it.
func (m *merger) believeRecord(a *store.Act) {
	if !inProgress(a.Record()) {
		return
	}
	if r := m.record(a); r != nil && (r.Success || r.Error != "" && r.Error != store.InProgress) {
		m.finish(a, r.Success, r.Error)
	}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
