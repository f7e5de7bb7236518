package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

// past adds a chain whose tiers started and ended that many hours ago; a negative end means none.
func past(t *testing.T, s *Store, hours ...[2]float64) (ids []int64) {
	t.Helper()
	var parent *int64
	for i, h := range hours {
		id := must(s.AddSession(t.Context(), Session{ParentID: parent, Tier: i + 1, Trigger: "cron", Status: Running, StartedAt: ago(h[0])}))
		ok(t, s.SetSessionLog(t.Context(), id, fmt.Sprintf("/results/session-%d.ndjson", id)))
		ok(t, s.AddEvent(t.Context(), Event{SessionID: &id, Level: Info, CreatedAt: ago(h[0])}))
		ok(t, s.AddChecks(t.Context(), Reported, id, ago(h[0]), []check.Result{result("shop", check.HTTP, check.Down)}))
		if h[1] >= 0 {
			ok(t, s.EndSession(t.Context(), id, Session{Status: Completed, EndedAt: new(ago(h[1]))}))
		}
		ids, parent = append(ids, id), &id
	}
	return ids
}

// never is enough.
func never() bool { return false }

// What one call does not finish, the next ones do: with the same end as one call that does it all.
func TestPruneGoesOnWhereItStopped(t *testing.T) {
	states := make([]string, 2)
	for n := range states {
		s := fresh(t)
		ctx := t.Context()
		for hour := range 3*sessionsAtOnce + 7 {
			began := 1000 - float64(hour)/10
			past(t, s, [2]float64{began, began - 0.05}, [2]float64{began - 0.05, began - 0.06})
			ok(t, s.AddEvent(ctx, Event{Level: Info, CreatedAt: ago(began)}))
		}
		past(t, s, [2]float64{900, -1})
		rows := func() string {
			return s.ask(t, `SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM events) + (SELECT count(*) FROM health_checks) + (SELECT count(*) FROM hours)
				+ (SELECT count(*) FROM latest)`)
		}
		calls, left := 0, rows()
		for before := ""; before != left; calls++ {
			before = left
			must(s.Prune(ctx, ago(100), false, func() bool { return n > 0 && rows() != before })) // which is the case after one transaction
			left = rows()
		}
		if n > 0 && calls < 6 {
			t.Errorf("%d calls", calls)
		}
		states[n] = s.ask(t, `SELECT (SELECT group_concat(id) FROM sessions) || '; ' || (SELECT count(*) FROM events) || '; ' || (SELECT count(*) FROM health_checks)
			|| '; ' || (SELECT count(*) FROM hours) || '; ' || (SELECT group_concat(tier || status || sessions) FROM pruned_sessions)`)
	}
	same(t, states[1], states[0])
}

func (s *Store) count(t *testing.T, table string) string {
	return s.ask(t, "SELECT count(*) FROM "+table)
}

func TestPruneDropsWholeChainsThatEnded(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	old := past(t, s, [2]float64{200, 199}, [2]float64{199, 198}, [2]float64{198, 197})
	running := past(t, s, [2]float64{300, 299}, [2]float64{299, -1})
	straddling := past(t, s, [2]float64{101, 100.5}, [2]float64{100.5, 100})
	young := past(t, s, [2]float64{10, 9})

	logs := must(s.Prune(ctx, ago(100), false, never))
	same(t, logs, []string{"/results/session-1.ndjson", "/results/session-2.ndjson", "/results/session-3.ndjson"})
	for _, id := range old {
		wantError(t, second(s.Session(ctx, id)), ErrNotFound)
	}
	kept := append(append(running, straddling...), young...)
	same(t, s.count(t, "sessions"), fmt.Sprint(len(kept)))
	same(t, s.count(t, "events"), fmt.Sprint(len(kept)))
	same(t, s.count(t, "health_checks"), fmt.Sprint(len(young))) // those of a session that stays go by themselves

	same(t, must(s.Prune(ctx, ago(100), false, never)), []string(nil))
	must(s.Prune(ctx, noon.Add(time.Hour), false, never))
	same(t, len(must(s.Chain(ctx, running[1]))), 2) // a running session, and its chain, outlives everything
	same(t, s.count(t, "sessions"), "2")
	same(t, s.ask(t, `SELECT count(*) FROM pragma_foreign_key_check`), "0")
}

func TestPruneKeepsWhatIsNotOver(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	told := past(t, s, [2]float64{300, 299}, [2]float64{299, 298})
	seen := past(t, s, [2]float64{290, 289})
	open := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: check.Down, OpenedAt: ago(300)}))
	ok(t, s.LinkSession(ctx, open, told[1], "disk full", ""))
	ok(t, s.LinkSession(ctx, open, seen[0], "", ""))

	var closed []int64
	for _, service := range []string{"mail", "untold", "recent"} {
		at := ago(200)
		if service == "recent" {
			at = ago(1)
		}
		i := Incident{Service: service, Status: check.Healthy, OpenedAt: ago(300), ClosedAt: &at}
		closed = append(closed, must(s.OpenIncident(ctx, i)))
	}
	for _, n := range []Notification{{IncidentID: &closed[0], Kind: Recovered}, {IncidentID: &closed[1], Kind: Recovered}, {Kind: DailyDigest}} {
		n.CreatedAt = ago(200)
		must(s.AddNotification(ctx, n))
	}
	_, err := s.db.ExecContext(ctx, `UPDATE notifications SET delivered_at = ? WHERE id <> 2`, timeText(ago(199)))
	ok(t, err)
	ok(t, s.AddEvent(ctx, Event{Level: Info, CreatedAt: ago(200)}))
	ok(t, s.AddEvent(ctx, Event{Level: Info, CreatedAt: ago(1)}))
	ok(t, s.AddChecks(ctx, Reported, 0, ago(200), []check.Result{result("shop", check.HTTP, check.Down)}))

	same(t, must(s.Prune(ctx, ago(100), false, never)), []string{"/results/session-3.ndjson"})
	same(t, len(must(s.Chain(ctx, told[0]))), 2) // the next tier of the open incident gets it
	same(t, len(must(s.IncidentSessions(ctx, open))), 1)
	same(t, must(s.IncidentSessions(ctx, open))[0].Findings, "disk full")
	wantError(t, second(s.Incident(ctx, closed[0])), ErrNotFound)
	same(t, must(s.Incident(ctx, closed[1])).Service, "untold") // what people were not notified of yet is kept
	same(t, must(s.Incident(ctx, closed[2])).Service, "recent")
	same(t, s.count(t, "notifications"), "1")
	same(t, s.count(t, "events WHERE session_id IS NULL"), "1")
	same(t, s.count(t, "health_checks WHERE session_id IS NULL"), "0")
}

func TestPruneKeepsActsThatMayCount(t *testing.T) {
	s := fresh(t)
	for _, a := range []Act{act("a", "shop", 49), act("b", "shop", 48), act("c", "shop", 1)} {
		ok(t, s.PutAct(t.Context(), a))
	}
	must(s.Prune(t.Context(), ago(0.5), false, never)) // however short the retention
	same(t, s.count(t, "cooldown_actions"), "2")
	must(s.Prune(t.Context(), ago(47), false, never))
	same(t, s.count(t, "cooldown_actions"), "2")
}

func TestPrunedSessionsLeaveTheirActs(t *testing.T) {
	s := fresh(t)
	id := past(t, s, [2]float64{30, 29})[0]
	a := act("a", "shop", 29.5)
	a.SessionID = &id
	ok(t, s.PutAct(t.Context(), a))
	must(s.Prune(t.Context(), ago(10), false, never))
	a.SessionID = nil
	same(t, must(s.ActsSince(t.Context(), ago(48))), []Act{a})
}
