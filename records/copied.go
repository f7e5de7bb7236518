package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// maxTaken is up to how many bytes an agent's copy lets the file grow. A file that is full (statefile.MaxBytes) takes no reservation, and
// so permits no remediation, until a person empties it.
const maxTaken = 8 << 20

// maxAdded bounds the records that are taken from a copy at once: no agent remediates more often.
const maxAdded = 200

// ErrTooMuch says that an agent added more to its copy of the file than that takes.
var ErrTooMuch = errors.New("it is too much")

// Copied is a session's copy of the file: as it was handed out, and as its agent has left it.
type Copied struct {
	Session store.Session
	Base    *statefile.State
	Left    *statefile.State
	Redact  func(string) string // takes secrets out of what the agent wrote
}

// Take applies to the file what an agent did to its copy of it, and returns what is to be told of the records that it added, removed or
// altered there (statefile.State.Take). Each that it added completes an act of the session of which no record told yet, or is one; those
// of Tier 1, which remediates nothing, are dropped.
func (l *Ledger) Take(ctx context.Context, c Copied) (found []Notice, err error) {
	err = l.update(ctx, func(st *statefile.State) ([]store.Act, error) {
		before, err := st.Marshal()
		if err != nil {
			return nil, err
		}
		m := l.merger(st, c.Session.ID, c.Session.Tier)
		if err := m.know(ctx, l.store); err != nil {
			return nil, err
		}
		l.mergeNames(c.Base)
		l.mergeNames(c.Left)
		added, removed := st.Take(c.Base, c.Left, c.Session.Tier == 1)
		if c.Session.Tier == 1 {
			found = notCounted(added)
		} else {
			found = m.takeAll(added, c)
		}
		found = append(found, tampered(removed, c.Session.Tier)...)
		after, err := st.Marshal()
		if err == nil && len(after) > max(maxTaken, len(before)) {
			err = fmt.Errorf("%w: %s would have %d bytes", ErrTooMuch, statefile.FileName, len(after))
		}
		return m.changed(), err
	})
	return found, err
}

// tampered are the notices of what an agent removed from its copy or altered there.
func tampered(removed []statefile.Entry, tier int) (found []Notice) {
	places, entries := byPlace(removed)
	for _, at := range places {
		what := fmt.Sprintf("the record of a %s of %s at %s", at.action, at.service, entries[at][0].Record.Timestamp)
		if n := len(entries[at]); n > 1 {
			what = fmt.Sprintf("%d records of %ss of %s", n, at.action, at.service)
		}
		found = append(found, Notice{store.Critical, at.service, fmt.Sprintf("an agent of Tier %d removed or altered %s in its copy of %s, which changes nothing",
			tier, what, statefile.FileName), true})
	}
	return found
}

// byPlace are entries by where they stand, and these places in order.
func byPlace(entries []statefile.Entry) ([]place, map[place][]statefile.Entry) {
	all := map[place][]statefile.Entry{}
	for _, e := range entries {
		at := place{e.Service, e.Action}
		all[at] = append(all[at], e)
	}
	return slices.SortedFunc(maps.Keys(all), place.compare), all
}

func (m *merger) takeAll(added []statefile.Entry, c Copied) (found []Notice) {
	for i, e := range added {
		if i == maxAdded {
			return append(found, Notice{store.Critical, "", fmt.Sprintf("an agent added %d records to cooldown.json: all but the first %d were dropped", len(added), maxAdded), false})
		}
		r := e.Record
		r.Error, r.ActionDetail = bounded(c.Redact(r.Error)), bounded(c.Redact(r.ActionDetail))
		if dated := r.Timestamp; dated.Unreadable() || dated.Before(statefile.At(c.Session.StartedAt).Time) || dated.After(m.now) {
			r.Timestamp = statefile.At(m.now)
			found = append(found, Notice{store.Warning, e.Service, fmt.Sprintf("an agent added a %s of %s dated %s, which is not within its session: it counts as of now",
				e.Action, e.Service, dated), false})
		}
		m.take(e.Service, e.Action, r)
	}
	return found
}

// take has a record complete the earliest act of the session that none has told of yet, or become one, with its time and unknown members.
func (m *merger) take(name string, action statefile.Action, r statefile.Record) {
	told := Told{Service: name, Action: action, Success: r.Success, Message: r.Error}
	if r.Success {
		told.Message = r.ActionDetail
	}
	if m.completeNext(store.SourceFile, told) {
		return
	}
	a := m.newAct(store.SourceFile, name, action, r.Timestamp.Time)
	a.Success, a.Error = r.Success, r.Error
	r.ID, r.Tier = a.ID, m.tier
	m.add(a, r)
}

// NotCounted says that Tier 1 recorded so many remediations of a service, in whatever way.
func NotCounted(n int, service string, action statefile.Action) string {
	what := "a " + string(action)
	if n > 1 {
		what = fmt.Sprintf("%d %ss", n, action)
	}
	return fmt.Sprintf("Tier 1 recorded %s of %s. Not counted: Tier 1 may not remediate.", what, service)
}

// notCounted are the notices of what Tier 1 recorded: it remediates nothing (RULE "Three sources, one count").
func notCounted(told []statefile.Entry) (found []Notice) {
	places, entries := byPlace(told)
	for _, at := range places {
		found = append(found, Notice{store.Warning, at.service, NotCounted(len(entries[at]), at.service, at.action), false})
	}
	return found
}

func (p place) compare(other place) int {
	return cmp.Or(cmp.Compare(p.service, other.service), cmp.Compare(p.action, other.action))
}
