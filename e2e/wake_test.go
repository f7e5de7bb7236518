package e2e

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// wokenWithin is how soon a cycle begins that somebody asks for.
const wokenWithin = 10 * time.Second

// A request starts one cycle with its trigger; one during a cycle starts the next.
func TestCronIsWoken(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_SCHEDULE"] = "0 0 1 1 *"
	running, let := w.waiting()
	c := w.stays(nil, "cron")
	c.says("waiting for the next run", 1)
	must(t, os.MkdirAll(w.path("state"), 0o700))
	asked := time.Now()
	must(t, statedir.Wake(w.path("state"), "approval"))
	waitFor(t, running)
	if took := time.Since(asked); took > wokenWithin {
		t.Errorf("the cycle began after %s", took)
	}
	must(t, statedir.Wake(w.path("state"), "alert"))
	must(t, os.WriteFile(let, nil, 0o600))
	c.says(`msg="cycle ended" exit=0`, 2)
	c.signal(syscall.SIGTERM)
	c.ends(128 + int(syscall.SIGTERM))
	var triggers []string
	for _, s := range w.sessions() {
		triggers = append(triggers, s.Trigger)
	}
	if got := strings.Join(triggers, " "); got != "approval alert" {
		t.Errorf("cycles of the triggers %q, want one for each request", got)
	}
	if _, err := os.Stat(w.path("state", "wake")); !os.IsNotExist(err) {
		t.Errorf("the request is still there: %v", err)
	}
}

// The next cycle takes a request that no cron has seen.
func TestACycleAnswersARequest(t *testing.T) {
	w := newWorld(t)
	w.agent(1, finish)
	must(t, os.MkdirAll(w.path("state"), 0o700))
	must(t, statedir.Wake(w.path("state"), "alert"))
	w.cycle(0)
	if trigger, err := statedir.TakeWake(w.path("state")); trigger != "" || err != nil {
		t.Errorf("the request for %q is still there: %v", trigger, err)
	}
}

// An alert's cycle does not count as one of the schedule.
func TestCronHealthSeesAStoppedScheduleBehindWokenCycles(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDEOPS_SCHEDULE"] = "*/10 * * * *"
	w.env["CLAUDEOPS_MAX_TIER"] = "1"
	w.agent(1, finish)
	w.cycle(0)
	w.cycle(0, "--trigger", "alert")
	w.exits(0, "cron", "health")
	s, err := store.Open(t.Context(), w.path("state", store.FileName), store.ReadWrite)
	must(t, err)
	old := time.Now().Add(-5 * time.Hour)
	must(t, s.AddCycle(t.Context(), store.CycleRow{Trigger: "cron", Outcome: store.CycleCompleted, StartedAt: old}))
	must(t, s.AddCycle(t.Context(), store.CycleRow{Trigger: "alert", Outcome: store.CycleCompleted, StartedAt: time.Now().Add(-time.Minute)}))
	must(t, s.Close())
	if a := w.run("cron", "health"); a.code != 1 || !strings.HasPrefix(a.out, "unhealthy: the last cycle ended 5h0m") {
		t.Errorf("%+v", a)
	}
	if w.cooldowns().LastRun.Before(old.Add(time.Hour)) {
		t.Error("last_run is not the end of the last cycle in " + statefile.FileName)
	}
}
