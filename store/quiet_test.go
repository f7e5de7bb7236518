package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

func TestACycleIsQuietThatFindsTheSame(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	look := func(hours float64, status check.Status) (session int64) {
		session = must(s.AddSession(ctx, Session{Tier: 1, Agent: "probe", Trigger: "cron", Status: Running, StartedAt: ago(hours), RunToken: "token"}))
		ok(t, s.SetSessionLog(ctx, session, "/results/x"))
		ok(t, s.AddChecks(ctx, Probed, session, ago(hours), []check.Result{result("shop", check.HTTP, status), result("db", check.Database, check.Healthy)}))
		for _, message := range []string{"Tier 1 completed", fmt.Sprint("only now: ", hours)} {
			ok(t, s.AddEvent(ctx, Event{SessionID: &session, Level: Info, Message: message, CreatedAt: ago(hours)}))
		}
		if status == check.Down {
			ok(t, s.AddEvent(ctx, Event{SessionID: &session, Level: Critical, Message: "escalation blocked", CreatedAt: ago(hours)}))
		}
		ok(t, s.EndSession(ctx, session, Session{Status: Completed, EndedAt: new(ago(hours))}))
		return session
	}
	s.Now = func() time.Time { return ago(2) }
	for n, want := range []struct {
		status check.Status
		quiet  bool
	}{
		{check.Down, false},
		{check.Down, true},
		{check.Down, true},
		{check.Down, true},
		{check.Healthy, false},
		{check.Healthy, true},
		{check.Healthy, true},
	} {
		session := look(2.5-float64(n)/60, want.status)
		if quiet := must(s.QuietSession(ctx, session)); quiet != want.quiet {
			t.Errorf("cycle %d: quiet is %t, want %t", n+1, quiet, want.quiet)
		}
		is := must(s.Session(ctx, session))
		if is.Quiet != want.quiet || (is.LogPath == "") != want.quiet {
			t.Errorf("session %d: %+v", n+1, is)
		}
	}
	var listed []int64
	for _, session := range must(s.Sessions(ctx, SessionFilter{Loud: true})) {
		listed = append(listed, session.ID)
	}
	same(t, listed, []int64{5, 1})
	same(t, len(must(s.Sessions(ctx, SessionFilter{}))), 7)
	same(t, s.ask(t, `SELECT group_concat(session_id) FROM events WHERE message = 'Tier 1 completed'`), "1,5")
	same(t, s.count(t, `events WHERE message LIKE 'only now%'`), "7")
	same(t, s.ask(t, `SELECT group_concat(session_id) FROM events WHERE message = 'escalation blocked'`), "1")
	same(t, s.count(t, "health_checks"), "14")
	news := look(1, check.Healthy)
	ok(t, s.AddEvent(ctx, Event{SessionID: &news, Level: Warning, Message: "the records were erased", CreatedAt: ago(1)}))
	same(t, must(s.QuietSession(ctx, news)), false)
}

// A cycle dated in the future, by a clock that ran ahead, does not precede today's.
func TestALookOfTheFutureLeavesCyclesQuiet(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	shop := []check.Result{result("shop", check.HTTP, check.Healthy)}
	ok(t, s.AddChecks(ctx, Probed, 0, ago(-48), shop))
	for n, want := range []bool{false, true, true} {
		session := must(s.AddSession(ctx, Session{Tier: 1, Agent: "probe", Trigger: "cron", Status: Running, StartedAt: ago(2)}))
		ok(t, s.AddChecks(ctx, Probed, session, ago(2-float64(n)/60), shop))
		same(t, must(s.QuietSession(ctx, session)), want)
	}
}
