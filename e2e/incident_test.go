package e2e

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// down is a report of shop that says why.
func down(why string) string {
	return fmt.Sprintf(`bash echo '[{"service":"shop","check_type":"http","status":"down","error":"%s"}]' | claudeops report`, why)
}

// rewrite changes the database behind the program's back: the tests' way to let time pass.
func (w *world) rewrite(statement string, args ...any) {
	w.t.Helper()
	db, err := sql.Open("sqlite3", w.path("state", store.FileName))
	must(w.t, err)
	result, err := db.ExecContext(w.t.Context(), statement, args...)
	must(w.t, err)
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		w.t.Fatalf("%s changed %d rows, %v", statement, n, err)
	}
	must(w.t, db.Close())
}

// incident is the only one.
func (w *world) incident() store.Incident {
	w.t.Helper()
	list := w.incidents()
	counted(w.t, "incidents", list, 1)
	return list[0]
}

// deadEnd is a machine on which a chain has just ended with a human being asked about shop.
func deadEnd(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.agent(1, down("502 Bad Gateway"), finish)
	w.agent(2, askForTier3, finish)
	w.agent(3, askForTier3, finish)
	w.cycle(3, "--strict")
	w.wantStatuses("1 escalated", "2 escalated", "3 completed")
	return w
}

func TestIncidentIsOpened(t *testing.T) {
	w := newWorld(t)
	w.agent(1, `bash echo '[{"service":"shop","check_type":"http","status":"degraded","error":"slow"},{"service":"db","check_type":"database","status":"healthy"}]' | claudeops report`, finish)
	w.agent(2, finish)
	w.cycle(0)
	i := w.incident()
	if i.Service != "shop" || i.Status != check.Degraded || i.Fingerprint == "" || i.ClosedAt != nil || i.DeadEnds != 0 || i.RetryAt != nil {
		t.Errorf("%+v", i)
	}
	w.wantEvent(store.Warning, "shop is degraded: incident 1 opened")
	var listed []store.Incident
	must(t, json.Unmarshal([]byte(w.run("incidents", "list", "--json").out), &listed))
	if len(listed) != 1 || listed[0].Service != "shop" {
		t.Errorf("incidents list: %+v", listed)
	}
	w.cycle(0)
	if again := w.incident(); again.ID != i.ID || !again.OpenedAt.Equal(i.OpenedAt) || again.LastSeenAt.Before(i.LastSeenAt) {
		t.Errorf("in the next cycle it is %+v", again)
	}
}

func TestIncidentIsOpenedByAHandoffAlone(t *testing.T) {
	w := newWorld(t)
	w.agent(1, `bash echo '{"services_affected":["shop"],"check_results":[{"service":"shop","check_type":"http","status":"down","error":"x"}]}' | claudeops handoff write --tier 2`, finish)
	w.agent(2, finish)
	w.cycle(0)
	if i := w.incident(); i.Service != "shop" || i.Status != check.Down {
		t.Errorf("%+v", i)
	}
}

func TestIncidentUnchangedDeadEndWaits(t *testing.T) {
	w := deadEnd(t)
	i := w.incident()
	if i.DeadEnds != 1 || i.RetryAt == nil || i.RetryAt.Sub(i.LastSeenAt) < 59*time.Minute || i.RetryAt.Sub(i.LastSeenAt) > 61*time.Minute {
		t.Fatalf("%+v", i)
	}
	// Numbers, times and hexadecimal are no change.
	for _, why := range []string{"502 Bad Gateway", "503 Bad Gateway", "502 Bad Gateway 2026-01-01T00:00:00Z 0xdeadbeef"} {
		w.agent(1, down(why), finish)
		a := w.cycle(0)
		if last := w.statuses()[len(w.statuses())-1]; last != "1 completed" {
			t.Errorf("%q: sessions %q", why, w.statuses())
		}
		says(t, a.err, "Tier 2 not started")
	}
	if again := w.incident(); again.DeadEnds != 1 || !again.RetryAt.Equal(*i.RetryAt) {
		t.Errorf("the wait was changed by waiting: %+v, was %+v", again, i)
	}
	counted(t, "notifications", w.notified("human_attention"), 1)
}

func TestIncidentChangedStartsAtOnce(t *testing.T) {
	w := deadEnd(t)
	w.agent(1, down("no route to host"), finish)
	w.agent(2, finish)
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 escalated", "3 completed", "1 escalated", "2 completed")
}

func TestIncidentTwoHollowFixes(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, "say fixed it", finish)
	w.cycle(0, "--strict")
	w.cycle(0, "--strict")
	w.wantNoNotification("human_attention")
	a := w.cycle(3, "--strict")
	w.wantStatuses("1 escalated", "2 completed", "1 escalated", "2 completed", "1 completed")
	sent := w.notified("human_attention")
	if len(sent) != 1 || sent[0].Service != "shop" || sent[0].Cause != "hollow_fix" || sent[0].IncidentID == nil {
		t.Errorf("notifications %+v", sent)
	}
	if i := w.incident(); i.DeadEnds != 1 || i.RetryAt == nil {
		t.Errorf("%+v", i)
	}
	says(t, a.out, "ended as solved")
}

// A chain whose last tier failed claims nothing: it is no fix, hollow or not. A human is asked, and the incident waits.
func TestIncidentFailedTierIsNoFix(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, "exit 1")
	w.cycle(1, "--strict")
	w.cycle(3, "--strict")
	if i := w.incident(); i.HollowFixes != 0 || i.DeadEnds != 1 {
		t.Errorf("%+v", i)
	}
}

func TestIncidentRecovers(t *testing.T) {
	w := deadEnd(t)
	w.agent(1, reportFine, finish)
	w.cycle(0, "--strict")
	if i := w.incident(); i.ClosedAt != nil {
		t.Errorf("closed after one healthy cycle: %+v", i)
	}
	w.wantNoNotification("recovered")
	w.cycle(0, "--strict")
	i := w.incident()
	if i.ClosedAt == nil || i.Status != check.Healthy {
		t.Errorf("not closed after two healthy cycles: %+v", i)
	}
	sent := w.notified("recovered")
	if len(sent) != 1 || sent[0].Service != "shop" || sent[0].IncidentID == nil || *sent[0].IncidentID != i.ID {
		t.Errorf("notifications %+v", sent)
	}
	w.cycle(0)
	if len(w.notified("recovered")) != 1 {
		t.Error("told again")
	}
	w.rewrite(`UPDATE incidents SET closed_at = ?`, stamp(4*time.Hour+time.Minute))
	w.agent(1, reportDown, finish)
	w.cycle(3, "--strict") // the tiers above still ask for a human
	if list := w.incidents(); len(list) != 2 || list[0].DeadEnds != 1 || list[0].ID == i.ID {
		t.Errorf("the next trouble is %+v", list)
	}
	counted(t, "notifications", w.notified("human_attention"), 2)
}

// A tier that was cut off before its end has not looked at everything: what it calls healthy ends no incident and resets no counter.
func TestIncidentIsNotEndedByATierThatIsCutOff(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.restartable("exit 0", "shop")
	w.agent(2, restartIfPermitted, finish)
	w.cycle(0)
	for _, end := range []string{"error-result error_max_turns 0.5", "error-result error_max_budget_usd 0.5", "exit 1"} {
		w.agent(1, reportFine, end)
		w.cycle(1)
	}
	w.wantRecords(1, 0)
	equal(t, "healthy cycles", w.cooldowns().Service("shop").ConsecutiveHealthy, 0)
	if i := w.incident(); i.ClosedAt != nil || i.HealthySince != nil {
		t.Errorf("%+v", i)
	}
	w.agent(1, reportFine, finish)
	w.cycle(0)
	w.cycle(0)
	w.wantRecords(0, 0)
	w.wantNotified("recovered", "shop")
}

// What was worked on and is no longer reported ends in a message too.
func TestIncidentThatIsNoLongerReported(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, "say It should work again.", finish)
	w.cycle(0)
	w.rewrite(`UPDATE incidents SET last_seen_at = ?`, stamp(25*time.Hour))
	w.rewrite(`UPDATE latest SET checked_at = ?`, stamp(25*time.Hour))
	w.agent(1, strings.Replace(reportFine, "shop", "mail", 1), finish)
	w.cycle(0, "--strict")
	w.wantNotified("agent_failing")
	w.rewrite(`UPDATE latest SET checked_at = ? WHERE service = 'shop'`, stamp(state.DayLasts))
	says(t, w.cycle(3, "--strict").out, "shop is no longer reported: incident 1 closed; it was last found down")
	w.cycle(0, "--strict")
	w.wantNotified("agent_failing", "shop")
	says(t, w.notified("agent_failing")[0].Body, "Whether it is well is not known.", "Tier 2 (session 2) found: ", "It should work again")
	w.agent(1, reportDown, finish) // it is new trouble
	w.cycle(0)
	counted(t, "incidents", w.incidents(), 2)
}

// restartIfPermitted is what the cooldown skill has an agent do.
const restartIfPermitted = `bash claudeops cooldown check shop restart && docker restart shop`

// Three rounds of down, restart, healthy, healthy are one incident, with two restarts.
func TestIncidentThreeRoundsAreOneIncidentWithTwoRestarts(t *testing.T) {
	w := newWorld(t)
	w.restartable("exit 0", "shop")
	w.agent(2, restartIfPermitted, finish)
	for round, left := range []int{1, 2, 2} {
		w.agent(1, reportDown, finish)
		w.cycle(0)
		w.agent(1, reportFine, finish)
		w.cycle(0)
		w.cycle(0)
		w.wantRecords(0, 0) // SPEC-0007 REQ-6
		a := w.run("cooldown", "check", "shop", "restart")
		if want := fmt.Sprintf("%d of 2 used in 4 h, %d of them before the last recovery of this incident", left, left); !strings.Contains(a.out, want) || (a.code == 0) != (left < 2) {
			t.Errorf("after round %d: exit %d, %s; want %q", round+1, a.code, a.out, want)
		}
	}
	if i := w.incident(); i.Returns != 2 || i.ClosedAt == nil {
		t.Errorf("%+v", i)
	}
	w.database(func(ctx context.Context, s *store.Store) {
		worked, err := s.Worked(ctx, time.Now().Add(-time.Hour))
		must(t, err)
		closed, err := s.Incidents(ctx, store.IncidentFilter{Closed: time.Now().Add(-time.Hour)})
		must(t, err)
		if len(worked) != 1 || worked[0].Times != 2 || len(closed) != 1 {
			t.Errorf("the digest counts %+v and %+v; want two restarts and one incident", worked, closed)
		}
	})
	for _, kind := range []string{"human_attention", "recovered"} {
		if sent := w.notified(kind); len(sent) != 1 {
			t.Errorf("%d messages of kind %s, want one: %+v", len(sent), kind, sent)
		}
	}
	says(t, w.run("incidents", "show", "1").out, ", returned 2 times")
	// What an operator has mended for good begins anew.
	w.exits(0, "cooldown", "reset", "shop")
	if a := w.run("cooldown", "check", "shop", "restart"); a.code != 0 || !strings.Contains(a.out, "0 of 2") {
		t.Errorf("after cooldown reset: %+v", a)
	}
}

// What an operator takes out of cooldown.json counts no more, also where the incident has returned.
func TestIncidentReturnedAndAnOperatorEditsTheFile(t *testing.T) {
	w := newWorld(t)
	w.restartable("exit 0", "shop")
	w.agent(2, restartIfPermitted, finish)
	for range 2 {
		w.agent(1, reportDown, finish)
		w.cycle(0)
		w.agent(1, reportFine, finish)
		w.cycle(0)
		w.cycle(0)
	}
	w.agent(1, reportDown, finish)
	w.agent(2, claim("shop", "restarts", "success: true"), finish)
	w.cycle(0)
	w.writeCooldowns(shopFile("[]", "[]", 0))
	w.agent(2, finish)
	w.cycle(0)
	if a := w.run("cooldown", "check", "shop", "restart"); a.code != 0 || !strings.Contains(a.out, "0 of 2") {
		t.Errorf("after the edit: %+v", a)
	}
}

// An incident that an operator has closed is over for good.
func TestIncidentClosedByAnOperatorDoesNotReturn(t *testing.T) {
	w := deadEnd(t)
	w.exits(0, "incidents", "close", "1")
	w.cycle(3, "--strict")
	if list := w.incidents(); len(list) != 2 || list[0].Returns != 0 {
		t.Errorf("incidents %+v", list)
	}
}

// A service that comes and goes while its incident waits: each time it is down again people hear of it, until they hear that it is flapping.
func TestIncidentThatReturnsIsToldAgain(t *testing.T) {
	w := newWorld(t)
	w.agent(2, "exit 1")
	var sent []string
	for _, want := range [][]string{{"human_attention", "recovered"}, {"human_attention", "recovered"}, {"human_attention"}, {"human_attention"}} {
		w.agent(1, reportDown, finish)
		a := w.run("run-once")
		w.agent(1, reportFine, finish)
		w.cycle(0)
		w.cycle(0)
		sent = append(sent, want...)
		wantEqual(t, "notifications", sent, w.notifiedInOrder())
		if flapping := len(sent) == 6; flapping != strings.Contains(a.out, "Tier 2 not started for shop: it is flapping") {
			t.Errorf("after %d messages the summary says:\n%s", len(sent), a.out)
		}
	}
	if last := w.notified("human_attention")[3]; last.Cause != "flapping" {
		t.Errorf("at last people were told %+v", last)
	}
	// It has been well for 4 h.
	w.rewrite(`UPDATE incidents SET closed_at = ?`, stamp(store.ReturnWithin+time.Minute))
	for range 2 {
		w.cycle(0)
	}
	wantEqual(t, "notifications", append(sent, "recovered"), w.notifiedInOrder())
}

// notifiedInOrder are the kinds of the notifications, the oldest first.
func (w *world) notifiedInOrder() (kinds []string) {
	w.t.Helper()
	w.database(func(ctx context.Context, s *store.Store) {
		all, err := s.Notifications(ctx, store.NotificationFilter{})
		must(w.t, err)
		for _, n := range slices.Backward(all) {
			kinds = append(kinds, string(n.Kind))
		}
	})
	return kinds
}

func TestIncidentIsClosedByTheSkillsReset(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, claim("shop", "restarts", "success: true"), finish)
	w.cycle(0)
	w.agent(1, jq(`.services.shop.consecutive_healthy += 1`), finish)
	w.cycle(0)
	w.agent(1, jq(resetByJQ), finish)
	w.cycle(0)
	if i := w.incident(); i.ClosedAt == nil {
		t.Errorf("%+v", i)
	}
	w.wantRecords(0, 0)
	counted(t, "notifications", w.notified("recovered"), 1)
}

func TestIncidentHistoryEntersTheContext(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, "say I restarted the upstream and it answered", finish)
	w.cycle(0)
	w.agent(2, askForTier3, finish)
	w.agent(3, "say I redeployed it from tag v12", finish)
	w.cycle(0)
	for tier, wants := range map[int][]string{
		2: {"502 Bad Gateway", "I restarted the upstream and it answered"},
		3: {"502 Bad Gateway", "I restarted the upstream and it answered", "the upstream is out of memory", "restarted it, it died again"},
	} {
		text, _ := w.given(tier).Flag("--append-system-prompt")
		says(t, text, wants...)
	}
	w.agent(1, down("changed"), finish)
	w.cycle(0)
	if text, _ := w.given(2).Flag("--append-system-prompt"); !strings.Contains(text, "I redeployed it from tag v12") {
		t.Errorf("Tier 2 is not told what Tier 3 did in the cycle before: %s", text)
	}
	shown := w.run("incidents", "show", "1").out
	says(t, shown, "I restarted the upstream", "out of memory", "died again", "redeployed it from tag v12", "502 Bad Gateway")
}

// What was found of another service is not this one's history.
func TestIncidentHistoryIsTheIncidents(t *testing.T) {
	w := newWorld(t)
	w.agent(1, `bash echo '[{"service":"db","check_type":"database","status":"down","error":"x"}]' | claudeops report`, finish)
	w.agent(2, "say the disk of db was full", finish)
	w.cycle(0)
	w.agent(1, reportDown, finish)
	w.cycle(0)
	if text, _ := w.given(2).Flag("--append-system-prompt"); strings.Contains(text, "disk of db") {
		t.Errorf("shop's context has db's history: %s", text)
	}
}

func TestIncidentUsedUpLimitsStartNoTier(t *testing.T) {
	w := newWorld(t)
	w.writeCooldowns(shopFile(done(time.Hour, 2*time.Hour), done(time.Hour), 0))
	w.agent(1, reportDown, finish)
	w.cycle(3, "--strict")
	w.wantStatuses("1 completed")
	sent := w.notified("human_attention")
	if len(sent) != 1 || sent[0].Cause != "limits_used_up" || !strings.Contains(sent[0].Body, "free again at") {
		t.Errorf("notifications %+v", sent)
	}
}

// askForTier3Of is a handoff of Tier 2 that has found the cause elsewhere.
const askForTier3Of = `bash echo '{"services_affected":["db"],"investigation_findings":"shop is down because db is","remediation_attempted":"nothing"}' | claudeops handoff write --tier 3`

func TestIncidentCauseElsewhere_AHumanIsAskedAllTheSame(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, askForTier3Of, finish)
	w.agent(3, askForTier3Of, finish)
	w.cycle(3, "--strict")
	w.wantStatuses("1 escalated", "2 escalated", "3 completed")
	if sent := w.notified("human_attention"); len(sent) == 0 {
		t.Error("nobody is told")
	}
	// The chain was started for shop, which is as it was.
	w.run("run-once")
	counted(t, "an unchanged dead end starts", w.statuses()[3:], 1)
}

// What a chain found stays with the incident that it was started for.
func TestIncidentCauseElsewhere_History(t *testing.T) {
	w := newWorld(t)
	w.agent(1, reportDown, finish)
	w.agent(2, askForTier3Of, finish)
	w.agent(3, "say I restarted db and it came back", finish)
	w.cycle(0)
	w.agent(2, finish)
	w.cycle(0)
	text, _ := w.given(2).Flag("--append-system-prompt")
	says(t, text, "shop is down because db is", "I restarted db and it came back")
}
