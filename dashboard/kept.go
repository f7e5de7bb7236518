package dashboard

import (
	"context"
	"sync"
	"time"
)

const (
	// fresh is how long a snapshot is taken as it is: nobody looks whether anything has changed.
	fresh = time.Second
	// bearable is how old a snapshot may be that others get while a new one is made.
	bearable = 5 * time.Second
	// makingWait bounds how long making one may take: the first of a large database reads a month of checks.
	makingWait = 30 * time.Second
	// backOff is how long nobody tries again after that was not enough: pages are asked for all the time, and a core would be busy for good.
	backOff = 2 * time.Minute
)

// kept is the snapshot in memory. However many ask, it is made by one at a time, and at most once in fresh.
type kept struct {
	// make makes a new one, or returns last where nothing has changed; where it is stale, it makes one all the same.
	make func(ctx context.Context, last *snapshot, stale bool) (*snapshot, error)
	now  func() time.Time

	mu      sync.Mutex
	last    *snapshot // nil where there is none, or it may no longer be shown
	seen    time.Time // last was as it is at that moment
	writes  int       // how often somebody said that something was written
	upTo    int       // how many of these last has seen
	ongoing *making
	gaveUp  *making   // the last one, where it took too long; else nil
	until   time.Time // which stands until then
}

// making is a snapshot that is being made, which some wait for.
type making struct {
	done   chan struct{}
	writes int // that had been told when it began
	err    error
	made   *snapshot
}

// changed has the next one who asks wait for a snapshot made from now on.
func (k *kept) changed() {
	k.mu.Lock()
	k.writes++
	k.mu.Unlock()
}

// snapshot returns one that has seen what was written before the call where that was told, and is at most bearable old otherwise.
func (k *kept) snapshot(ctx context.Context) (*snapshot, error) {
	wanted := -1
	for {
		s, m := k.look(ctx, &wanted)
		if s != nil {
			return s, nil
		}
		select {
		case <-m.done:
			if m.err != nil {
				return nil, m.err
			}
			if m.writes >= wanted {
				return m.made, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// look returns a snapshot that will do, or else the making of one to wait for.
func (k *kept) look(ctx context.Context, wanted *int) (*snapshot, *making) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if *wanted < 0 {
		*wanted = k.writes
	}
	age := k.now().Sub(k.seen)
	usable := k.last != nil && k.upTo >= *wanted && age >= 0 // the clock may have been set back
	switch {
	case usable && age < fresh, usable && age <= bearable && k.ongoing != nil:
		return k.last, nil
	case k.gaveUp != nil && k.now().Before(k.until):
		return nil, k.gaveUp
	case k.ongoing == nil:
		k.ongoing = &making{done: make(chan struct{}), writes: k.writes}
		go k.finish(context.WithoutCancel(ctx), k.ongoing, k.last, k.upTo < k.writes)
	}
	return nil, k.ongoing
}

func (k *kept) finish(ctx context.Context, m *making, last *snapshot, stale bool) {
	ctx, cancel := context.WithTimeout(ctx, makingWait)
	defer cancel()
	at := k.now()
	m.made, m.err = k.make(ctx, last, stale)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last, k.seen, k.upTo, k.ongoing, k.gaveUp = m.made, at, m.writes, nil, nil
	if m.err != nil && ctx.Err() != nil {
		k.gaveUp, k.until = m, k.now().Add(backOff)
	}
	close(m.done)
}

// wait returns once nobody makes a snapshot.
func (k *kept) wait() {
	k.mu.Lock()
	m := k.ongoing
	k.mu.Unlock()
	if m != nil {
		<-m.done
	}
}
