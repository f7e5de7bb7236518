package dashboard

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/claudeops/claudeops/check"
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
	second := got(h.Overview(t.Context()))(t)
	if len(second.Services) != 2 {
		t.Errorf("%d services after a second, want 2", len(second.Services))
	}
	h.pass(time.Second)
	if again := got(h.Overview(t.Context()))(t); again != second {
		t.Error("a new snapshot, although nothing was written")
	}
	h.pass(time.Minute)
	if again := got(h.Overview(t.Context()))(t); again == second || !again.At.Equal(h.time()) {
		t.Error("no new snapshot in another minute")
	}
}

func TestSnapshotHasWhatWasToldToHaveChanged(t *testing.T) {
	h := newHouse(t)
	got(h.Overview(t.Context()))(t)
	h.found(morning, "shop", check.Healthy)
	h.Changed()
	if now := got(h.Overview(t.Context()))(t); len(now.Services) != 1 {
		t.Errorf("%d services, want the new one", len(now.Services))
	}
}

func TestSnapshotIsMadeAnewAfterTheClockWasSetBack(t *testing.T) {
	h := newHouse(t)
	got(h.Overview(t.Context()))(t)
	h.found(morning, "shop", check.Healthy)
	h.pass(-time.Hour)
	if now := got(h.Overview(t.Context()))(t); len(now.Services) != 1 {
		t.Errorf("%d services, want the new one", len(now.Services))
	}
}

// slow is a kept whose snapshots are finished when the test says so. In a synctest bubble time.Now is its clock.
type slow struct {
	kept
	finish chan error
	made   int
}

func newSlow() *slow {
	s := &slow{finish: make(chan error)}
	s.now = time.Now
	s.make = func(context.Context, *snapshot, bool) (*snapshot, error) {
		s.made++
		if err := <-s.finish; err != nil {
			return nil, err
		}
		return &snapshot{}, nil
	}
	return s
}

func TestWhoComesWhileASnapshotIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newSlow()
		go func() { k.finish <- nil }()
		old := got(k.snapshot(t.Context()))(t)

		time.Sleep(3 * time.Second)
		var first sync.WaitGroup
		first.Go(func() {
			if s, err := k.snapshot(t.Context()); err != nil || s == old {
				t.Errorf("the one who has it made got %v %v, want a new one", s == old, err)
			}
		})
		synctest.Wait()
		if s := got(k.snapshot(t.Context()))(t); s != old {
			t.Error("another one within 5 s did not get the old one")
		}

		time.Sleep(2*time.Second + time.Millisecond) // too old for anybody
		var late sync.WaitGroup
		for range 10 {
			late.Go(func() {
				if s, err := k.snapshot(t.Context()); err != nil || s == old {
					t.Errorf("one who came after 5 s got the old one, or %v", err)
				}
			})
		}
		synctest.Wait()
		k.finish <- nil
		first.Wait()
		late.Wait()
		if k.made != 2 {
			t.Errorf("made %d times, want 2: everybody waits for the same", k.made)
		}

		time.Sleep(time.Second)
		first.Go(func() { got(k.snapshot(t.Context()))(t) })
		synctest.Wait()
		k.changed() // after it has begun
		late.Go(func() { got(k.snapshot(t.Context()))(t) })
		synctest.Wait()
		k.finish <- nil
		first.Wait()
		synctest.Wait()
		k.finish <- nil
		late.Wait()
		if k.made != 4 {
			t.Errorf("made %d times, want 4: one that began before a change does not do for who came after it", k.made)
		}
	})
}

func TestWhoGivesUpDoesNotStopTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newSlow()
		ctx, cancel := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		waiting.Go(func() {
			if _, err := k.snapshot(ctx); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		waiting.Go(func() { got(k.snapshot(t.Context()))(t) })
		synctest.Wait()
		cancel()
		synctest.Wait()
		k.finish <- nil
		waiting.Wait()
	})
}

func TestFailedSnapshotIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newSlow()
		broken := errors.New("broken")
		go func() { k.finish <- broken }()
		if _, err := k.snapshot(t.Context()); !errors.Is(err, broken) {
			t.Fatal(err)
		}
		go func() { k.finish <- nil }()
		got(k.snapshot(t.Context()))(t)
	})
}

// A database that takes too long keeps nobody busy for good.
func TestNobodyTriesAgainSoonAfterItTookTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newSlow()
		k.make = func(ctx context.Context, _ *snapshot, _ bool) (*snapshot, error) {
			k.made++
			<-ctx.Done()
			return nil, ctx.Err()
		}
		for range 20 { // a page that asks every 5 s
			if _, err := k.snapshot(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Second)
		}
		if k.made != 1 {
			t.Errorf("made %d times within two minutes", k.made)
		}
		time.Sleep(backOff)
		if _, err := k.snapshot(t.Context()); k.made != 2 {
			t.Errorf("made %d times after two minutes: %v", k.made, err)
		}
	})
}
