package dashboard

import (
	"os"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

func TestWhatRunsASessionIsLostOnlyWhereThatIsSure(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	here := store.Session{PID: 7, PIDStart: 70, BootID: "this", StartedAt: now.Add(-time.Hour)}
	alive := func(pid int, start int64) bool { return pid == 7 && start == 70 }
	whole := machine{"this", true, alive}
	contained := machine{"this", false, func(int, int64) bool { return false }}
	with := func(change func(*store.Session)) store.Session {
		s := here
		change(&s)
		return s
	}
	for name, c := range map[string]struct {
		m    machine
		s    store.Session
		lost bool
	}{
		"its process is there":           {whole, here, false},
		"its process is not there":       {whole, with(func(s *store.Session) { s.PID = 8 }), true},
		"another process has its number": {whole, with(func(s *store.Session) { s.PIDStart = 71 }), true},
		"it has no process yet":          {whole, with(func(s *store.Session) { s.PID = 0 }), false},
		"in another container":           {contained, here, false},
		"the machine was booted since":   {whole, with(func(s *store.Session) { s.BootID = "before" }), true},
		"no boot is known":               {machine{"", true, alive}, with(func(s *store.Session) { s.PID = 8 }), false},
		"for longer than any tier runs":  {contained, with(func(s *store.Session) { s.StartedAt = now.Add(-25 * time.Hour) }), true},
	} {
		t.Run(name, func(t *testing.T) {
			if lost := c.m.lost(c.s, now); lost != c.lost {
				t.Errorf("lost = %t, want %t", lost, c.lost)
			}
		})
	}
}

func TestThisProcessIsSeen(t *testing.T) {
	self := got(tiers.Identify(os.Getpid()))(t)
	m := thisMachine()
	if m.boot != self.BootID {
		t.Errorf("the boot is %q, want %q", m.boot, self.BootID)
	}
	if !m.alive(self.PID, self.Start) || m.alive(self.PID, self.Start+1) || m.alive(0, 0) {
		t.Error("a process is known by its number and its start")
	}
}
