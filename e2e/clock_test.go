package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// jumped sets the machine's clock forward since the last cycle: all recorded times are earlier by that much, but the count of the boot
// clock is unchanged.
func (w *world) jumped(by time.Duration) {
	w.t.Helper()
	for _, column := range []string{
		"sessions.started_at", "sessions.ended_at", "events.created_at", "cooldown_actions.created_at", "cycles.started_at", "clock.trusted_at",
	} {
		table, name, _ := strings.Cut(column, ".")
		w.rewrite(fmt.Sprintf(`UPDATE %s SET %s = strftime('%%Y-%%m-%%dT%%H:%%M:%%fZ', julianday(%[2]s) - ?) WHERE %[2]s IS NOT NULL`, table, name), by.Hours()/24)
	}
	st := w.cooldowns()
	for _, is := range st.Services {
		for _, a := range statefile.Actions() {
			for i := range is.Records(a) {
				is.Records(a)[i].Timestamp = statefile.At(is.Records(a)[i].Timestamp.Add(-by))
			}
		}
	}
	text, err := st.Marshal()
	must(w.t, err)
	w.writeCooldowns(string(text))
}

// After the clock was set a month forward, nothing is pruned and no limit is freed, whether a command or a cycle notices it first. Once it
// has been right for more than an hour, it is trusted.
func TestAClockThatHasJumpedFreesAndPrunesNothing(t *testing.T) {
	w := newWorld(t)
	w.agent(1, finish)
	w.cycle(0)
	for range statefile.MaxRestarts {
		w.exits(0, "cooldown", "record", "shop", "restart", "success")
	}
	w.cycle(0)
	usedUp := func(when string) {
		t.Helper()
		if a := w.run("cooldown", "check", "shop", "restart"); a.code != 1 || !strings.Contains(a.out, "2 of 2 used") {
			t.Errorf("%s: %d, %s%s", when, a.code, a.out, a.err)
		}
	}
	usedUp("before")
	w.jumped(31 * 24 * time.Hour)
	usedUp("a command meets it")
	w.exits(0, "cooldown", "record", "shop", "redeployment", "success")
	usedUp("a command has written")
	for range 2 {
		w.cycle(0)
		usedUp("a cycle meets it")
	}
	if n := len(w.cooldowns().Service("shop").Restarts); n != statefile.MaxRestarts {
		t.Errorf("%d restarts are left in cooldown.json", n)
	}
	counted(t, "sessions", w.sessions(), 4)
	for id := range 4 {
		if _, err := os.Stat(w.path("results", fmt.Sprintf("session-%d.ndjson", id+1))); err != nil {
			t.Error(err)
		}
	}
	w.wantEvent(store.Warning, "the clock has jumped ahead")
	sent := slices.DeleteFunc(w.events(store.Warning), func(text string) bool { return !strings.Contains(text, "jumped ahead") })
	counted(t, "messages about it", sent, 1)
	if a := w.run("doctor"); !strings.Contains(a.out, "it has jumped ahead") {
		t.Errorf("doctor says nothing of it:\n%s", a.out)
	}
	w.rewrite(`UPDATE clock SET doubted_boot_ms = doubted_boot_ms - 3700000, doubted_at = strftime('%Y-%m-%dT%H:%M:%fZ', julianday(doubted_at) - 3700.0 / 86400)`)
	w.cycle(0)
	w.wantEvent(store.Info, "the clock is trusted again")
	w.exits(0, "cooldown", "check", "shop", "restart")
	if sessions := w.sessions(); len(sessions) >= 4 {
		t.Errorf("%d sessions are left", len(sessions))
	}
}

// downAfterAJump returns a world whose clock has jumped a month ahead since its only cycle, and whose Tier 1 now finds shop down.
func downAfterAJump(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.agent(1, finish)
	w.cycle(0)
	w.exits(0, "cooldown", "record", "mail", "restart", "success")
	w.jumped(31 * 24 * time.Hour)
	w.agent(1, reportDown, finish)
	return w
}

// A dead end also waits while the clock is doubted: no chain starts for an unchanged incident.
func TestADeadEndWaitsWhileTheClockIsDoubted(t *testing.T) {
	w := downAfterAJump(t)
	w.agent(2, "exit 1")
	w.cycle(1)
	w.wantEvent(store.Warning, "the clock has jumped ahead")
	for range 2 {
		w.cycle(0)
	}
	w.wantStatuses("1 completed", "1 escalated", "2 failed", "1 completed", "1 completed")
}

// An unchanged service that agents called solved waits, too.
func TestAHollowFixWaitsWhileTheClockIsDoubted(t *testing.T) {
	w := downAfterAJump(t)
	w.agent(2, finish)
	for range 4 {
		w.cycle(0)
	}
	w.wantStatuses("1 completed", "1 escalated", "2 completed", "1 escalated", "2 completed", "1 completed", "1 completed")
}
