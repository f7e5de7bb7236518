package records

import (
	"context"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Settlement is what is known of a session when its agent has ended.
type Settlement struct {
	SessionID int64
	Tier      int
	Markers   []Told // without secrets
	// Healthy is how many cycles each service had been healthy before the session, where that is none of the agent's business (only
	// Tier 1 counts); nil leaves what the file has.
	Healthy map[string]int
	// Tell tells people what is about to be mended: before it is, since afterwards nobody would find anything to tell. Where the process
	// dies in between, the same is told again. Nil tells nobody.
	Tell func([]Notice) error
}

// Settle ends what a session has in the file and the store: its markers are merged with what is known, each act counting once, but for
// those of Tier 1, which remediates nothing; a reservation whose outcome nobody told is a failure from now on. What was removed from the file
// meanwhile an operator removed, which Adopt takes over. It returns what s.Tell was not given.
func (l *Ledger) Settle(ctx context.Context, s Settlement) ([]Notice, error) {
	var found []Notice
	var changed []store.Act
	report, err := l.write(ctx, func(st *statefile.State) error {
		m := l.merger(st, s.SessionID, s.Tier)
		if err := m.know(ctx, l.store); err != nil {
			return err
		}
		same := true
		for name, svc := range st.Services {
			if s.Healthy != nil && svc.ConsecutiveHealthy != s.Healthy[name] {
				svc.ConsecutiveHealthy, same = s.Healthy[name], false
			}
		}
		if s.Tier == 1 {
			var told []statefile.Entry
			for _, marker := range s.Markers {
				told = append(told, statefile.Entry{Service: marker.Service, Action: marker.Action})
			}
			found = notCounted(told)
		} else {
			m.tellMarkers(s.Markers)
		}
		found = append(found, m.closeUnreported()...)
		if changed = m.changed(); same && len(changed) == 0 {
			return statefile.ErrUnchanged
		}
		if s.Tell == nil || len(found) == 0 {
			return nil
		}
		told := found
		found = nil
		return s.Tell(told)
	}, func() error { return l.put(ctx, changed, nil, nil) })
	return append(notices(report), found...), err
}
