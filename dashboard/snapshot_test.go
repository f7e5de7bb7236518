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
	if again := got(h.Overview(t.Context()))(t); again != first {
		t.Error("a second snapshot within a second")
	}
	h.pass(time.Millisecond)
	if second := got(h.Overview(t.Context()))(t); len(second.Services) != 2 || !second.At.Equal(h.time()) {
		t.Errorf("%d services after a second, want 2", len(second.Services))
	}
}

// What takes long to read is read rarely.
func TestSnapshotsOfALargeDatabaseLastLonger(t *testing.T) {
	h := newHouse(t)
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(h, 6*time.Second)
		for _, c := range []struct {
			after time.Duration
			want  int
		}{{0, 1}, {18*time.Second - 1, 1}, {1, 2}} {
			time.Sleep(c.after)
			got(s.snapshot(t.Context()))(t)
			if s.begun != c.want {
				t.Errorf("%d were begun, want %d", s.begun, c.want)
			}
		}
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

// slow is an instance that takes its time to read. In a synctest bubble its clock is time.Now.
type slow struct {
	*Instance
	begun int
}

func newSlow(h *house, takes time.Duration) *slow {
	s := &slow{}
	o := h.options
	o.Inventory = func() *inventory.Inventory {
		s.begun++
		time.Sleep(takes)
		return nil
	}
	o.Now = time.Now
	s.Instance = New(o)
	return s
}

func TestAllWhoComeMeanwhileGetTheSameSnapshot(t *testing.T) {
	h := newHouse(t)
	s := newSlow(h, 50*time.Millisecond)
	gone, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for range 10 {
		asking.Go(func() { got(s.snapshot(t.Context()))(t) })
	}
	asking.Go(func() {
		cancel()
		if _, err := s.snapshot(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("who has given up gets %v", err)
		}
	})
	asking.Wait()
	if s.begun != 1 {
		t.Errorf("made %d times", s.begun)
	}
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
