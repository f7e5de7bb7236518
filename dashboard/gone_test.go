package dashboard

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/store"
)

func TestASessionIsGoneOnlyWhereThatIsSure(t *testing.T) {
	own := store.Session{PID: 7, PIDStart: 70, BootID: "this", StartedAt: morning.Add(-time.Hour)}
	none := store.Session{StartedAt: morning.Add(-time.Hour)} // as the program's own checks
	whole := machine{boot: "this", seesAll: true, alive: func(pid int, start int64) bool { return pid == 7 && start == 70 }}
	contained := machine{boot: "this", alive: func(int, int64) bool { return false }}
	held := whole
	held.held = true
	with := func(s store.Session, change func(*store.Session)) store.Session {
		change(&s)
		return s
	}
	for name, c := range map[string]struct {
		m    machine
		s    store.Session
		lost bool
	}{
		"a cycle runs, and it has no process":     {held, none, false},
		"no cycle runs":                           {whole, none, true},
		"a cycle runs, its process has ended":     {held, with(own, func(s *store.Session) { s.PID = 8 }), false},
		"its process is there":                    {whole, own, false},
		"no cycle runs, and not its process":      {whole, with(own, func(s *store.Session) { s.PID = 8 }), true},
		"another process has its number":          {whole, with(own, func(s *store.Session) { s.PIDStart = 71 }), true},
		"in another container":                    {contained, own, false},
		"in another container, without a process": {contained, none, false},
		"the machine was booted since":            {contained, with(own, func(s *store.Session) { s.BootID = "before" }), true},
		"for longer than any tier runs":           {held, with(none, func(s *store.Session) { s.StartedAt = morning.Add(-25 * time.Hour) }), true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := lost(c.s, morning, c.m); got != c.lost {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestASessionRunsWhileTheCycleLockIsHeld(t *testing.T) {
	if !seesAll() {
		t.Skip("in a container the holder of a lock may be out of sight")
	}
	h := houseIn(t, t.TempDir())
	s := store.Session{Status: store.Running, StartedAt: morning}
	gone := []bool{h.gone(s)}
	lock, err := statedir.TryAcquire(filepath.Join(h.dir, statedir.CycleLock))
	fine(t, err)
	gone = append(gone, h.gone(s))
	fine(t, lock.Release())
	s.Status = store.Completed
	gone = append(gone, h.gone(s))
	self, err := procfs.Read(os.Getpid())
	fine(t, err)
	gone = append(gone, alive(os.Getpid(), self.Start), alive(os.Getpid(), self.Start+1), alive(0, 0))
	if want := []bool{true, false, false, true, false, false}; !slices.Equal(gone, want) {
		t.Errorf("gone %v, want %v", gone, want)
	}
}
