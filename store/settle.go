package store

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// Settlement is what is known of a session when its agent has ended.
type Settlement struct {
	SessionID int64
	Tier      int
	StartedAt time.Time
	Markers   []Told
	Redact    func(string) string // takes secrets out of what the agent wrote
	// Healthy is how many cycles each service had been healthy before the session, where that is none of the agent's business (only
	// Tier 1 counts); nil leaves what the file has.
	Healthy map[string]int
	// Tell tells people what is about to be mended: before it is, since afterwards nobody would find anything to tell. Where the process
	// dies in between, the same is told again. Nil tells nobody.
	Tell func([]Notice) error
	// Resets names the services whose counters the agent was right to empty, given the file as it left it; nil is none.
	Resets func(after *statefile.State) (map[string]bool, error)
}

// Settle makes the file and the store agree after a session: records that are missing or altered are put back, also where both
// have lost what this process saw in the file before; records that the agent added by other means and its markers are merged with
// what is known, each act counting once; those of Tier 1, which remediates nothing, are dropped. A reservation whose outcome nobody told is a failure from now on.
// It returns what s.Tell was not given.
func (l *Ledger) Settle(ctx context.Context, s Settlement) ([]Notice, error) {
	var found []Notice
	var changed []Act
	report, err := l.write(ctx, func(st *statefile.State) error {
		m := l.merger(st, s)
		acts, err := l.store.ActsSince(ctx, m.since())
		if err != nil {
			return err
		}
		lines := st.Straighten(l.now())
		lost := unknown(l.last, acts, l.trusted())
		acts = append(acts, lost...)
		late := append(lost, straightenActs(st, acts, l.now())...)
		var resets map[string]bool
		if s.Resets != nil {
			if resets, err = s.Resets(st); err != nil {
				return err
			}
		}
		m.know(acts)
		found = append(straightened(lines), m.restore(resets)...)
		m.countHealthy()
		m.redact()
		if m.Tier == 1 {
			found = append(found, m.dropTold()...)
		} else {
			found = append(found, m.redate()...)
			found = append(found, m.takeStrangers()...)
			m.tellMarkers()
		}
		found = append(found, m.closeUnreported()...)
		changed = append(late, m.changed()...)
		if s.Tell == nil || len(found) == 0 {
			return nil
		}
		told := found
		found = nil
		return s.Tell(told)
	}, func() error { return l.put(ctx, changed, nil, nil) })
	return append(notices(report), found...), err
}
