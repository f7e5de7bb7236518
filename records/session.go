package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Record records an act of the calling agent or of an operator (SPEC-0007 REQ-7), or completes the act of the same session that another
// source has claimed. It returns the limit as it is afterwards. An agent's claim that is unfounded is an error.
func (b *Records) Record(ctx context.Context, c Claim) (Permission, error) {
	if err := b.refuseElsewhere([]string{c.Service}, "record it there"); err != nil {
		return Permission{}, err
	}
	if err := b.refuseTier1(ctx, c); err != nil {
		return Permission{}, err
	}
	c.Message = b.Redactor.String(c.Message)
	var after *statefile.State
	if err := b.update(ctx, func(st *statefile.State) ([]store.Act, error) {
		after = st
		m, err := b.merger(ctx, st, b.Config.Agent.SessionID, b.Config.Agent.Tier)
		if err != nil {
			return nil, err
		}
		why, err := m.claim(store.SourceRecord, c)
		if why != "" {
			err = fmt.Errorf("not recorded: claudeops ran no %s of %s in this session, and %s", c.Action, c.Service, why)
		}
		return m.changed(), err
	}); err != nil {
		return Permission{}, err
	}
	limits, err := b.limits(ctx, after, c.Service)
	if err != nil {
		return Permission{}, err
	}
	return limits.Of(ctx, c.Service, c.Action)
}

// refuseTier1 returns an error if Tier 1 wants to record an act, and records the attempt as an event. Tier 1 may not remediate, so none
// of its records count.
func (b *Records) refuseTier1(ctx context.Context, c Claim) error {
	if !b.InSession() {
		return nil
	}
	session, err := b.Store.Session(ctx, b.Config.Agent.SessionID)
	if err != nil || session.Tier != 1 {
		return err
	}
	if err := b.Store.AddEvent(ctx, store.Event{
		SessionID: &session.ID, Level: store.Warning, Service: c.Service, CreatedAt: b.Now(), Message: notCounted(1, 1, place{c.Service, c.Action}, observesOnly),
	}); err != nil {
		return err
	}
	return errors.New("not recorded: Tier 1 remediates nothing; say what you found with `claudeops report`")
}

// Settlement is what is known of a session after its agent has ended.
type Settlement struct {
	SessionID int64
	Tier      int
	Markers   []Claim // redacted
	// Healthy holds the count of consecutive healthy cycles of each service before the session, if the agent may not change it (only Tier
	// 1 counts); nil keeps the file's values.
	Healthy map[string]int
	// Tell reports repairs to people before they are made, because afterwards there is nothing left to report. If the process dies in
	// between, they are reported again. Nil reports nothing.
	Tell func([]Notice) error
}

// Settle completes a session in the file and the store. Its markers are merged with the known acts, each counting once, except unfounded
// ones and those of Tier 1, which may not remediate. A reservation without an outcome becomes a failure. Records that are missing in the
// file were removed by an operator; Adopt handles them. It returns the notices that s.Tell did not get.
func (b *Records) Settle(ctx context.Context, s Settlement) ([]Notice, error) {
	var found []Notice
	var changed []store.Act
	mended, err := b.write(ctx, func(st *statefile.State) error {
		m, err := b.merger(ctx, st, s.SessionID, s.Tier)
		if err != nil {
			return err
		}
		same := true
		for name, svc := range st.Services {
			if s.Healthy != nil && svc.ConsecutiveHealthy != s.Healthy[name] {
				svc.ConsecutiveHealthy, same = s.Healthy[name], false
			}
		}
		if s.Tier == 1 {
			at := make([]place, len(s.Markers))
			for i, marker := range s.Markers {
				at[i] = place{marker.Service, marker.Action}
			}
			found = notCountedAt(1, at, observesOnly)
		} else if found, err = m.claimMarkers(s.Markers); err != nil {
			return err
		}
		found = append(found, m.closeUnreported()...)
		if changed = m.changed(); same && len(changed) == 0 {
			return statefile.ErrUnchanged
		}
		if s.Tell == nil || len(found) == 0 {
			return nil
		}
		tell := found
		found = nil
		return s.Tell(tell)
	}, func() error { return b.put(ctx, changed) })
	return append(mended, found...), err
}

// claimMarkers merges the markers, and returns notices of unfounded ones. If an earlier settling was killed before the session was closed,
// its markers are merged already and are skipped.
func (m *merger) claimMarkers(markers []Claim) ([]Notice, error) {
	merged := map[place]int{}
	for _, a := range m.acts {
		if claimedBy(a, store.SourceMarker) {
			merged[place{a.Service, a.Action}]++
		}
	}
	unfounded := map[string][]place{}
	for _, marker := range markers {
		at := place{marker.Service, marker.Action}
		if merged[at]--; merged[at] >= 0 {
			continue
		}
		why, err := m.claim(store.SourceMarker, marker)
		if err != nil {
			return nil, err
		}
		unfounded[why] = append(unfounded[why], at)
	}
	return m.unfoundedNotices(unfounded), nil
}

// unfoundedNotices returns notices of the claims that do not count, which are given by the reason; "" stands for none.
func (m *merger) unfoundedNotices(claims map[string][]place) (found []Notice) {
	delete(claims, "")
	for _, why := range slices.Sorted(maps.Keys(claims)) {
		found = append(found, notCountedAt(m.tier, claims[why], "claudeops ran none in its session, and "+why)...)
	}
	return found
}

// closeUnreported ends the acts that the session left in progress.
func (m *merger) closeUnreported() (found []Notice) {
	for _, a := range m.acts {
		if a.Pending() {
			m.finish(a, false, Unreported)
			found = append(found, Notice{Level: store.Warning, Service: a.Service, Message: fmt.Sprintf("%s of %s at %s: %s; it counts as failed",
				a.Action, a.Service, a.CreatedAt.UTC().Format(time.RFC3339), Unreported)})
		}
	}
	return found
}

// maxTaken is the size in bytes up to which an agent's copy may grow the file. A full file (statefile.MaxBytes) accepts no reservation,
// so it blocks remediation until a person empties it.
const maxTaken = 8 << 20

// maxAdded limits the records taken from a copy at once: no agent remediates more often.
const maxAdded = 200

// ErrTooMuch means that an agent added more to its copy than is taken over.
var ErrTooMuch = errors.New("it is too much")

// TakeCopy applies to the file what a session's agent changed in its copy: base as issued, left as it is now. It returns notices of the
// records that the agent added, removed or altered. Unfounded records, and those of Tier 1, which may not remediate, are dropped.
func (b *Records) TakeCopy(ctx context.Context, session store.Session, base, left *statefile.State) (found []Notice, err error) {
	err = b.update(ctx, func(st *statefile.State) ([]store.Act, error) {
		before, err := st.Marshal()
		if err != nil {
			return nil, err
		}
		m, err := b.merger(ctx, st, session.ID, session.Tier)
		if err != nil {
			return nil, err
		}
		b.mergeNames(base)
		b.mergeNames(left)
		added, removed := st.Take(base, left, session.Tier == 1)
		if session.Tier == 1 {
			found = notCountedAt(1, places(added), observesOnly)
		} else if found, err = b.takeAll(m, added, session.StartedAt); err != nil {
			return nil, err
		}
		found = append(found, tampered(removed, session.Tier)...)
		after, err := st.Marshal()
		if err == nil && len(after) > max(maxTaken, len(before)) {
			err = fmt.Errorf("%w: %s would have %d bytes", ErrTooMuch, statefile.FileName, len(after))
		}
		return m.changed(), err
	})
	return found, err
}

// takeAll lets each added record complete the session's earliest act that no record has claimed yet, or adds it as a new act unless it is
// unfounded. Its time and unknown members are kept.
func (b *Records) takeAll(m *merger, added []statefile.Entry, began time.Time) (found []Notice, err error) {
	unfounded := map[string][]place{}
	for i, e := range added {
		if i == maxAdded {
			found = append(found, Notice{Level: store.Critical, Message: fmt.Sprintf("an agent added %d records to cooldown.json: all but the first %d were dropped", len(added), maxAdded)})
			break
		}
		r := e.Record
		r.Error, r.ActionDetail = bounded(b.Redactor.String(r.Error)), bounded(b.Redactor.String(r.ActionDetail))
		c := Claim{Service: e.Service, Action: e.Action, Success: r.Success, Message: r.Error}
		if r.Success {
			c.Message = r.ActionDetail
		}
		if m.completeNext(store.SourceFile, c) {
			continue
		}
		why, err := m.unfounded(e.Service)
		if err != nil {
			return nil, err
		}
		if unfounded[why] = append(unfounded[why], place{e.Service, e.Action}); why != "" {
			continue
		}
		if dated := r.Timestamp; dated.Unreadable() || dated.Before(statefile.At(began).Time) || dated.After(m.now) {
			r.Timestamp = statefile.At(m.now)
			found = append(found, Notice{Level: store.Warning, Service: e.Service,
				Message: fmt.Sprintf("an agent added a %s of %s dated %s, which is not within its session: it counts as of now", e.Action, e.Service, dated)})
		}
		a := m.newAct(store.SourceFile, e.Service, e.Action, r.Timestamp.Time)
		a.Success, a.Error = r.Success, r.Error
		r.ID, r.Tier = a.ID, m.tier
		m.add(a, r)
	}
	return append(found, m.unfoundedNotices(unfounded)...), nil
}

// tampered returns notices of the records that an agent removed from its copy or altered in it.
func tampered(removed []statefile.Entry, tier int) (found []Notice) {
	first := map[place]statefile.Entry{}
	for _, e := range slices.Backward(removed) {
		first[place{e.Service, e.Action}] = e
	}
	for at, n := range counted(places(removed)) {
		what := fmt.Sprintf("the record of a %s of %s at %s", at.action, at.service, first[at].Record.Timestamp)
		if n > 1 {
			what = fmt.Sprintf("%d records of %ss of %s", n, at.action, at.service)
		}
		said := fmt.Sprintf("an agent of Tier %d removed or altered %s in its copy of %s, which changes nothing", tier, what, statefile.FileName)
		found = append(found, Notice{Level: store.Critical, Service: at.service, Message: said, Erased: true})
	}
	return found
}

// observesOnly is why nothing that Tier 1 recorded counts (RULE "Three sources, one count").
const observesOnly = "Tier 1 may not remediate"

// notCountedAt returns notices of what a tier recorded and does not count, and why.
func notCountedAt(tier int, all []place, why string) (found []Notice) {
	for at, n := range counted(all) {
		found = append(found, Notice{Level: store.Warning, Service: at.service, Message: notCounted(tier, n, at, why)})
	}
	return found
}

// notCounted says that a tier recorded n remediations of a service, by any means, and why they do not count.
func notCounted(tier, n int, at place, why string) string {
	what := "a " + string(at.action)
	if n > 1 {
		what = fmt.Sprintf("%d %ss", n, at.action)
	}
	return fmt.Sprintf("Tier %d recorded %s of %s. Not counted: %s.", tier, what, at.service, why)
}

func places(entries []statefile.Entry) []place {
	all := make([]place, len(entries))
	for i, e := range entries {
		all[i] = place{e.Service, e.Action}
	}
	return all
}

// counted yields each place once, in order, with the number of times it occurs.
func counted(all []place) iter.Seq2[place, int] {
	count := map[place]int{}
	for _, at := range all {
		count[at]++
	}
	order := slices.SortedFunc(maps.Keys(count), func(x, y place) int {
		return cmp.Or(cmp.Compare(x.service, y.service), cmp.Compare(x.action, y.action))
	})
	return func(yield func(place, int) bool) {
		for _, at := range order {
			if !yield(at, count[at]) {
				return
			}
		}
	}
}
