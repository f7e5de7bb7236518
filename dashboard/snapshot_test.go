package dashboard

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
)

func TestSnapshotIsMadeAtMostOnceASecond(t *testing.T) {
	h := newHouse(t)
	h.found(morning, "shop", check.Healthy)
	first := got(h.Overview(t.Context()))(t)
	h.found(morning, "db", check.Down)
	h.pass(999 * time.Millisecond)
	if again := got(h.Overview(t.Context()))(t); again != first {
		t.Error("a second snapshot within a second")
	}
	h.pass(time.Millisecond)
	if second := got(h.Overview(t.Context()))(t); len(second.Services) != 2 || !second.At.Equal(h.time()) {
		t.Errorf("%d services after a second, want 2", len(second.Services))
	}
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

func TestPastDaysAreReadEveryFewMinutes(t *testing.T) {
	h := newHouse(t)
	got(h.Overview(t.Context()))(t)
	h.found(morning.Add(-48*time.Hour), "shop", check.Down)
	h.pass(pastLasts - time.Second)
	if day := got(h.Overview(t.Context()))(t).Services[0].Days[27]; day.Down != 0 {
		t.Error("they were read again at once")
	}
	h.pass(time.Second)
	if day := got(h.Overview(t.Context()))(t).Services[0].Days[27]; day.Down != 1 {
		t.Errorf("%+v, want what was found down then", day)
	}
}

// slow is an instance whose records open when the test says so. In a synctest bubble time.Now is its clock.
type slow struct {
	*Instance
	finish chan error
	opened int
}

func newSlow(h *house) *slow {
	s := &slow{finish: make(chan error)}
	open := h.own.Records
	own := *h.own
	own.Records = func(ctx context.Context) (*records.Records, error) {
		s.opened++
		if err := <-s.finish; err != nil {
			return nil, err
		}
		return open(ctx)
	}
	s.Instance = &Instance{path: h.path(), own: &own, now: time.Now}
	return s
}

func TestWhoComesWhileASnapshotIsMade(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(h)
		var first, late sync.WaitGroup
		ask := func(of *sync.WaitGroup) {
			of.Go(func() {
				if _, err := s.snapshot(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		for range 10 {
			ask(&first)
		}
		synctest.Wait()
		s.Changed() // after it has begun
		ask(&late)
		synctest.Wait()
		if s.opened != 2 {
			t.Errorf("made %d times, want 2: everybody waits for the same, but for one who comes after a change", s.opened)
		}
		s.finish <- nil
		s.finish <- nil
		first.Wait()
		late.Wait()
		s.reading.Wait()
	})
}

func TestWhoGivesUpDoesNotStopTheOthers(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(h)
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
		s.finish <- nil
		waiting.Wait()
		s.reading.Wait()
	})
}

func TestFailedSnapshotIsTriedAgain(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(h)
		broken := errors.New("broken")
		go func() { s.finish <- broken }()
		if _, err := s.snapshot(t.Context()); !errors.Is(err, broken) {
			t.Fatal(err)
		}
		go func() { s.finish <- nil }()
		got(s.snapshot(t.Context()))(t)
		s.reading.Wait()
	})
}

// A large database is read once, however often a page that does not wait so long asks for it.
func TestASlowSnapshotIsMadeOnce(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(h)
		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			if _, err := s.snapshot(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			cancel()
		}
		synctest.Wait()
		if s.opened != 1 {
			t.Errorf("made %d times", s.opened)
		}
		s.finish <- nil
		s.reading.Wait()
	})
}
