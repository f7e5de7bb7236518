package records

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/store"
)

func TestASessionIsGoneOnlyWhereThatIsSure(t *testing.T) {
	own := store.Session{PID: 7, PIDStart: 70, BootID: "this", StartedAt: noon.Add(-time.Hour)}
	none := store.Session{StartedAt: noon.Add(-time.Hour)} // as the program's own checks
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
		"for longer than any tier runs":           {held, with(none, func(s *store.Session) { s.StartedAt = noon.Add(-25 * time.Hour) }), true},
	} {
		t.Run(name, func(t *testing.T) { same(t, lost(c.s, noon, c.m), c.lost) })
	}
}

func TestASessionRunsWhileTheCycleLockIsHeld(t *testing.T) {
	if !seesAll() {
		t.Skip("in a container the holder of a lock may be out of sight")
	}
	dir := t.TempDir()
	s := store.Session{Status: store.Running, StartedAt: noon}
	same(t, Gone(dir, s, noon), true)
	lock, err := statedir.TryAcquire(filepath.Join(dir, CycleLock))
	ok(t, err)
	same(t, Gone(dir, s, noon), false)
	ok(t, lock.Release())
	s.Status = store.Completed
	same(t, Gone(dir, s, noon), false)
	self, err := procfs.Read(os.Getpid())
	ok(t, err)
	same(t, []bool{alive(os.Getpid(), self.Start), alive(os.Getpid(), self.Start+1), alive(0, 0)}, []bool{true, false, false})
}

// An agent may empty its environment; whose child it is it cannot change. This process is the cycle, and runs itself as what is below it.
func TestWhatRunsBelowACycleIsNoOperators(t *testing.T) {
	if dir := os.Getenv("BELOW_CYCLE"); dir != "" {
		if !OfSession(config.Config{StateDir: dir}) {
			t.Error("a child of the cycle passes as an operator's")
		}
		return
	}
	dir := t.TempDir()
	lock, err := statedir.TryAcquire(filepath.Join(dir, CycleLock))
	ok(t, err)
	defer func() { ok(t, lock.Release()) }()
	if OfSession(config.Config{StateDir: dir}) {
		t.Error("a cycle is below itself")
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = []string{"BELOW_CYCLE=" + dir}
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
