package cycle

import (
	"errors"
	"testing"
	"time"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/statefile"
)

// reserving is the records of a Tier 2 as its broker uses them.
func (r *room) reserving() *reservations {
	r.t.Helper()
	s := r.begins(2).session
	r.Config.Agent.SessionID, r.Config.Agent.Tier = s.ID, s.Tier
	return newReservations(&r.Records)
}

func restartOf(service, part string) guard.Remediation {
	return guard.Remediation{Service: service, Action: statefile.Restart, Detail: part + " " + service, Part: part}
}

// wantRefused fails unless the error refuses by that rule.
func wantRefused(t *testing.T, err error, rule string) {
	t.Helper()
	var refusal *broker.RefusalError
	if !errors.As(err, &refusal) || refusal.Rule != rule {
		t.Fatalf("%v, want a refusal by %q", err, rule)
	}
}

// The audit tells a service that must not be touched now from one whose limits are used up.
func TestARefusedReservationNamesItsRule(t *testing.T) {
	room := newRoom(t)
	r := room.reserving()
	for _, id := range []string{"1", "2"} {
		must(t, r.Reserve(t.Context(), id, []guard.Remediation{restartOf("shop", "")}))
	}
	wantRefused(t, r.Reserve(t.Context(), "3", []guard.Remediation{restartOf("shop", "")}), broker.RuleLimits)
	_, _, err := room.Silence(t.Context(), "db", time.Hour, "", "command, by ann")
	must(t, err)
	wantRefused(t, r.Reserve(t.Context(), "4", []guard.Remediation{restartOf("db", "")}), broker.RuleHeld)
}

// A start is of the restart that its stop has begun, also where it was refused once together with something else.
func TestARefusedStartKeepsItsStop(t *testing.T) {
	room := newRoom(t)
	r := room.reserving()
	reserve := func(id string, wanted ...guard.Remediation) error { return r.Reserve(t.Context(), id, wanted) }
	must(t, reserve("stop", restartOf("shop", "first")))
	must(t, r.Complete(t.Context(), "stop", true, "", time.Second))
	_, _, err := room.Silence(t.Context(), "db", time.Hour, "", "command, by ann")
	must(t, err)
	wantRefused(t, reserve("both", restartOf("shop", "last"), restartOf("db", "")), broker.RuleHeld)
	must(t, reserve("start", restartOf("shop", "last"), restartOf("mail", "")))
	must(t, r.Complete(t.Context(), "start", false, "no such container", time.Second))
	room.wantRestarts(map[string]string{"stop of shop": "no such container", "start of mail": "no such container"})
	must(t, reserve("again", restartOf("shop", "last"))) // its stop is joined already: a restart of its own
	must(t, r.Complete(t.Context(), "again", true, "", time.Second))
	room.wantRestarts(map[string]string{"stop of shop": "no such container", "start of mail": "no such container", "again of shop": ""})
}

// wantRestarts fails unless the session has these restarts, by their calls and services, with these faults.
func (r *room) wantRestarts(want map[string]string) {
	r.t.Helper()
	acts, err := r.Store.SessionActs(r.t.Context(), r.Config.Agent.SessionID)
	must(r.t, err)
	got := map[string]string{}
	for _, a := range acts {
		got[a.ToolUseID+" of "+a.Service] = a.Error
	}
	wantSame(r.t, got, want)
}
