package dashboard

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
)

func TestSnapshotIsMadeAtMostOnceASecond(t *testing.T) {
	h := newHouse(t)
	h.found(morning, "shop", check.Healthy)
	first := got(h.Overview(t.Context()))(t)
	h.found(morning, "db", check.Down)
	h.pass(999 * time.Millisecond)
	if again := got(h.Overview(t.Context()))(t); again != first || h.last != h.shown {
		t.Error("a second snapshot within a second")
	}
	h.pass(time.Millisecond)
	if meanwhile := got(h.Overview(t.Context()))(t); meanwhile != first {
		t.Error("who asks while the second is made waits for it")
	}
	h.background.Wait()
	if second := got(h.Overview(t.Context()))(t); len(second.Services) != 2 || !second.At.Equal(h.time()) {
		t.Errorf("%d services after a second, want 2", len(second.Services))
	}
	h.found(morning, "mail", check.Down)
	h.pass(2 * time.Second)
	if third := got(h.Overview(t.Context()))(t); len(third.Services) != 3 {
		t.Errorf("%d services where nobody has asked for long, want 3", len(third.Services))
	}
}

// What takes long to read is read rarely, and the last snapshot is shown meanwhile.
func TestSnapshotsOfALargeDatabaseLastLonger(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, h)
		var first, late sync.WaitGroup
		ask := func() { got(s.snapshot(t.Context()))(t) }
		first.Go(ask)
		s.finish <- 6 * time.Second
		first.Wait()
		for _, c := range []struct {
			age  time.Duration
			want int
		}{{23 * time.Second, 1}, {24 * time.Second, 2}, {47 * time.Second, 2}} {
			time.Sleep(c.age - time.Since(s.shown.begun))
			ask() // without waiting
			synctest.Wait()
			if s.begun != c.want {
				t.Errorf("%d were begun when the first was %s old, want %d", s.begun, c.age, c.want)
			}
		}
		time.Sleep(time.Second)
		late.Go(ask) // a request that waits for the second one
		s.finish <- 0
		late.Wait()
	})
}

func TestSnapshotThatTookTooLongIsTriedAgainAfterAPause(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, h)
		var asking sync.WaitGroup
		fails := func() {
			if _, err := s.snapshot(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		}
		asking.Go(fails)
		s.finish <- refreshTimeout + time.Second
		asking.Wait()
		time.Sleep(refreshTimeout - 2*time.Second)
		fails()
		synctest.Wait()
		if s.begun != 1 {
			t.Errorf("%d were begun, want that nothing is tried", s.begun)
		}
		time.Sleep(time.Second)
		fails()
		s.finish <- 0
		s.background.Wait()
		got(s.snapshot(t.Context()))(t)
	})
}

func TestSnapshotIsMadeAnew(t *testing.T) {
	for name, because := range map[string]func(*house){
		"after a change":               func(h *house) { h.Changed() },
		"after the clock was set back": func(h *house) { h.pass(-time.Hour) },
	} {
		h := newHouse(t)
		got(h.Overview(t.Context()))(t)
		h.found(morning.Add(-2*time.Hour), "shop", check.Healthy)
		because(h)
		if now := got(h.Overview(t.Context()))(t); len(now.Services) != 1 {
			t.Errorf("%s: %d services, want the new one", name, len(now.Services))
		}
	}
}

func TestPastDaysAreReadAgainAfterSomeMinutes(t *testing.T) {
	h := newHouse(t)
	got(h.Overview(t.Context()))(t)
	h.found(morning.Add(-48*time.Hour), "shop", check.Down)
	for _, want := range []bool{false, true} {
		h.pass(pastLasts / 2)
		h.Changed()
		day := got(h.Overview(t.Context()))(t).Services[0].Days[27]
		if read := day.Down == 1; read != want {
			t.Errorf("that the day before yesterday was read again is %t, want %t", read, want)
		}
	}
}

// slow is an instance whose reading takes as long as the test sets. In a synctest bubble its clock is time.Now.
type slow struct {
	*Instance
	finish chan time.Duration
	begun  int
}

func newSlow(t *testing.T, h *house) *slow {
	s := &slow{finish: make(chan time.Duration)}
	o := h.options
	o.Inventory = func() *inventory.Inventory {
		s.begun++
		time.Sleep(<-s.finish)
		return nil
	}
	o.Now = time.Now
	s.Instance = New(o)
	t.Cleanup(s.Close)
	return s
}

func TestWhoComesWhileASnapshotIsMade(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, h)
		var first, late sync.WaitGroup
		ask := func(of *sync.WaitGroup) { of.Go(func() { got(s.snapshot(t.Context()))(t) }) }
		for range 10 {
			ask(&first)
		}
		synctest.Wait()
		s.Changed() // after it has begun
		ask(&late)
		synctest.Wait()
		if s.begun != 2 {
			t.Errorf("made %d times, want 2: everybody waits for the same, but for one who comes after a change", s.begun)
		}
		s.finish <- 0
		s.finish <- 0
		first.Wait()
		late.Wait()
	})
}

func TestWhoGivesUpDoesNotStopTheOthers(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, h)
		ctx, cancel := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		waiting.Go(func() {
			if _, err := s.snapshot(ctx); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		waiting.Go(func() { got(s.snapshot(t.Context()))(t) })
		synctest.Wait()
		cancel()
		synctest.Wait()
		s.finish <- 0
		waiting.Wait()
	})
}

func TestFailedSnapshotIsTriedAgain(t *testing.T) {
	h := newHouse(t)
	fine(t, os.Rename(h.path(), h.path()+".away"))
	if _, err := h.Overview(t.Context()); !errors.As(err, new(*UnavailableError)) {
		t.Fatal(err)
	}
	fine(t, os.Rename(h.path()+".away", h.path()))
	got(h.Overview(t.Context()))(t)
}

// A large database is read once, however often a page with a shorter time limit asks for it.
func TestASlowSnapshotIsMadeOnce(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, h)
		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			if _, err := s.snapshot(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			cancel()
		}
		synctest.Wait()
		if s.begun != 1 {
			t.Errorf("made %d times", s.begun)
		}
		s.finish <- 0
	})
}
