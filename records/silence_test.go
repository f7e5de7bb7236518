package records

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

func (d *fixture) silences(service string, lasts time.Duration, reason string) store.Silence {
	d.t.Helper()
	s, _, err := d.Silence(d.t.Context(), service, lasts, reason, "command, by ann")
	ok(d.t, err)
	return s
}

// refusals counts the events of refused remediations.
func (d *fixture) refusals() (count int) {
	d.t.Helper()
	for _, e := range must(d.Store.Events(d.t.Context(), store.EventFilter{Limit: 100})) {
		if e.Level == store.Warning && strings.Contains(e.Message, " was refused: ") {
			count++
		}
	}
	return count
}

// quiet is the Hold of a service that people work on.
func quiet(reason string) Hold { return Hold{Reason: reason, Quiet: true} }

func TestASilenceHoldsAServiceBackUntilItsEnd(t *testing.T) {
	d := newFixture(t)
	d.wantHold("shop", Hold{})
	d.silences("shop", time.Hour, "a new disk")
	d.wantHold("shop", quiet("silenced until 2026-03-01 13:00 UTC (a new disk)")) // the inventory does not know it
	d.wantHold("mail", Hold{})
	d.now = noon.Add(time.Hour - time.Millisecond)
	d.wantHold("shop", quiet("silenced until 2026-03-01 13:00 UTC (a new disk)"))
	d.now = noon.Add(time.Hour)
	d.wantHold("shop", Hold{})
}

func TestAPauseHoldsEverythingBack(t *testing.T) {
	d := newFixture(t)
	d.knows(fleet)
	s := d.silences("", time.Hour, "")
	for _, service := range []string{"db", "mail", "stranger"} {
		d.wantHold(service, quiet("everything is paused until 2026-03-01 13:00 UTC"))
	}
	ok(t, d.EndSilence(t.Context(), s, "command, by ann"))
	d.wantHold("mail", Hold{})
	if err := d.EndSilence(t.Context(), s, "command, by ann"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("ended twice: %v", err)
	}
}

// Of several that are open the one that ends last says how long nothing will be done.
func TestQuietIsWhatEndsLast(t *testing.T) {
	d := newFixture(t)
	d.knows(fleet)
	d.now = noon.Add(2 * time.Hour) // the window of db is open until 15:00
	d.silences("db", 30*time.Minute, "")
	d.wantHold("db-1", quiet("in maintenance until 2026-03-01 15:00 UTC (a new disk)"))
	d.silences("db", 2*time.Hour, "mine")
	d.wantHold("db-1", quiet("silenced until 2026-03-01 16:00 UTC (mine)"))
	d.silences("", 3*time.Hour, "")
	d.wantHold("db", quiet("everything is paused until 2026-03-01 17:00 UTC"))
	d.now = noon.Add(4 * time.Hour)
	d.wantHold("db", quiet("everything is paused until 2026-03-01 17:00 UTC"))
	d.now = noon.Add(5 * time.Hour)
	d.wantHold("db", Hold{})
}

// What depends on a silenced service is held back by its trouble, which is nothing that people work on.
func TestASilenceIsOfTheServiceAlone(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.knows(fleet)
	d.silences("db", time.Hour, "")
	d.finds("api", check.Down, true)
	d.wantHold("api", Hold{})
	d.finds("db", check.Down, true)
	d.wantHold("api", Hold{Reason: "db, on which it depends, is down", Under: "db"})
}

// An operator says it while an agent works, with records of their own.
func TestANewSilenceRefusesTheNextRemediation(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	ok(t, d.Reserve(t.Context(), "toolu_1", restart("shop")))
	d.wantHold("shop", Hold{})
	operator := fixtureIn(t, d.dir)
	operator.silences("shop", time.Hour, "hands off, hunter22")
	ok(t, operator.Close())

	d.wantHold("shop", Hold{}) // as it was asked before
	var held *HeldError
	if err := d.Reserve(t.Context(), "toolu_2", restart("shop")); !errors.As(err, &held) {
		t.Fatalf("got %v, want shop refused", err)
	}
	same(t, held.Error(), "shop is not to be touched now: silenced until 2026-03-01 13:00 UTC (hands off, [redacted])")
	same(t, len(d.reads().Service("shop").Restarts), 1)
	same(t, d.refusals(), 1)
}

// A limit that is reached under a silence asks nobody: nothing is sent.
func TestALimitReachedUnderASilenceAsksNobody(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.silences("shop", time.Hour, "")
	limits, err := d.Limits(t.Context(), "shop")
	ok(t, err)
	restarts, _, err := limits.Both(t.Context(), "shop")
	ok(t, err)
	ok(t, d.LimitReached(t.Context(), &LimitError{Service: "shop", Permission: restarts}))
	same(t, len(d.asked()), 0)
	d.now = noon.Add(time.Hour)
	ok(t, d.LimitReached(t.Context(), &LimitError{Service: "shop", Permission: restarts}))
	same(t, len(d.asked()), 1)
	same(t, d.refusals(), 2)
}

func TestWhatOperatorsSilenceIsAnEvent(t *testing.T) {
	d := newFixture(t)
	d.silences("shop", time.Hour, "a new\ndisk")
	d.now = noon.Add(time.Minute)
	s := d.silences("shop", 2*time.Hour, "")
	ok(t, d.EndSilence(t.Context(), s, "command, by ann"))
	d.silences("", time.Hour, "")
	events, err := d.Store.Events(t.Context(), store.EventFilter{Limit: 10})
	ok(t, err)
	var told []string
	for _, e := range events {
		told = append(told, e.Service+": "+e.Message)
	}
	same(t, told, []string{
		": everything is paused until 2026-03-01 13:01 UTC (command, by ann)",
		"shop: shop is silenced no longer, 2 h before its time (command, by ann)",
		"shop: shop is silenced until 2026-03-01 14:01 UTC (a new disk), instead of 2026-03-01 13:00 UTC (command, by ann)",
		"shop: shop is silenced until 2026-03-01 13:00 UTC (a new disk) (command, by ann)",
	})
}
