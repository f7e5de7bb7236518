package cycle

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

const (
	// watchEvery is the interval of the inventory's checks while a tier runs.
	watchEvery = time.Minute
	// toldAfter is how long a tier works on a problem before people are notified of it. If it is fixed sooner, they only get the message
	// that it was remediated.
	toldAfter = 15 * time.Second
)

// watch keeps monitoring while a tier runs, or while services settle after it (RULE "Watching goes on while a tier runs"): the
// inventory's checks, incidents, messages and the heartbeat. It starts no tier; the next cycle acts on what it finds down. It has the
// cycle to itself, which waits for the tier; what the tier's agent asks for goes through a workplace, which has records of its own.
type watch struct {
	*Cycle
	run   *tierRun // the running tier
	root  *tierRun // Tier 1; incidents and events belong to its session
	about []string // the chain's services
}

// watchBeside returns the watch that runs beside a tier.
func (c *Cycle) watchBeside(run *tierRun) *watch {
	w := &watch{Cycle: c, run: run, root: run, about: union(c.Asked.Services, run.services)}
	for w.root.parent != nil {
		w.root = w.root.parent
	}
	return w
}

// watchWhile calls do, which works for a session without a model, while watching goes on. told is as in goOn.
func (c *Cycle) watchWhile(ctx context.Context, run *tierRun, told <-chan time.Time, do func()) {
	beside := c.watchBeside(run)
	now, end := context.WithCancel(ctx)
	defer end()
	var goingOn sync.WaitGroup
	goingOn.Go(func() { beside.goOn(now, ctx, told) })
	do()
	end()
	goingOn.Wait()
}

// looking reports whether the tier checks all services. Then the results of a look belong to its session and are evaluated with it.
func (c *Cycle) looking(run *tierRun) bool { return run.session.Tier == 1 && !c.asked() }

// goOn watches until now ends. The next look retries what one could not do. When told is ready, people are told what is worked on.
func (w *watch) goOn(now, ctx context.Context, told <-chan time.Time) {
	if w.asked() {
		defer func(asked *inventory.Inventory) { w.Inventory = asked }(w.Inventory)
		w.Inventory = w.Asked.Whole
	}
	looks := w.after(w.looked.Add(watchEvery).Sub(w.Now()))
	for {
		var do func(context.Context) error
		alive := false
		select {
		case <-now.Done():
			return
		case <-told:
			do = w.tellOfChain
		case <-looks:
			do, alive = w.look, w.Alive != nil && w.Inventory.HasChecks()
			looks = w.after(watchEvery)
		}
		if now.Err() != nil {
			return
		}
		err := do(now)
		if err == nil {
			err = w.deliver(ctx, w.Config.NotifyTimeout/3, false)
		}
		if err != nil {
			unwritten := w.event(ctx, store.Warning, w.run.session.ID, "", "watching beside the tier failed: "+err.Error())
			if unwritten != nil { // the tier is not at fault, and its own results could not be written either
				w.Log.WarnContext(ctx, "that is not recorded: "+unwritten.Error(), "session", w.run.session.ID)
			}
		}
		if alive && err == nil && now.Err() == nil {
			w.Alive(ctx)
		}
	}
}

// after calls After, or time.After if that is nil.
func (c *Cycle) after(d time.Duration) <-chan time.Time {
	if c.After != nil {
		return c.After(d)
	}
	return time.After(d)
}

// tellOfChain notifies people of the services that are down and that a tier is working on.
func (w *watch) tellOfChain(ctx context.Context) error {
	_, err := w.plan(ctx, Working, w.run, nil)
	return err
}

// look makes the checks, and does everything that follows from them except starting a tier. Results beside Tier 1 are evaluated with it;
// until then, only what is unwell counts. What a later tier works on is proved after it.
func (w *watch) look(ctx context.Context) error {
	since := w.looked // as a cycle has the one before
	w.looked = w.Now()
	if !w.Inventory.HasChecks() {
		return nil
	}
	session, looking, worked := w.run.session, w.looking(w.run), map[string]bool{}
	works := "Tier 1 is looking at it"
	if looking {
		since = w.lastRan() // it is part of the same check
	} else {
		session.ID = 0 // a tier's session only has results of the tier's own work
		works = fmt.Sprintf("%s works on %s. The next cycle looks at it", notify.Worker(w.run.session), some(w.about))
	}
	_, err := w.probeSince(ctx, since, session, w.Inventory.Services, w.Config.Tier(1).Timeout)
	if err != nil || ctx.Err() != nil {
		return err
	}
	if !looking {
		if worked, err = w.workedOn(ctx); err != nil {
			return err
		}
	}
	if err := w.expireAlerts(ctx); err != nil {
		return err
	}
	_, err = w.plan(ctx, Beside, w.root, func(r *Round) {
		r.Since, r.Before, r.Worked, r.Looking, r.Works = w.looked.Truncate(time.Millisecond), r.Now.File, worked, looking, works
	})
	return err
}

// workedOn returns the chain's services and those that its tier has remediated.
func (w *watch) workedOn(ctx context.Context) (map[string]bool, error) {
	acts, err := w.Store.SessionActs(ctx, w.run.session.ID)
	worked := map[string]bool{}
	for _, a := range acts {
		worked[a.Service] = true
	}
	for _, name := range w.about {
		worked[name] = true
	}
	return worked, err
}

// expireAlerts ends the alerts that were not repeated.
func (c *Cycle) expireAlerts(ctx context.Context) error {
	expired, err := c.Store.ExpireAlerts(ctx, c.Now().Add(-ledger.AlertLasts), c.Now())
	if err != nil || len(expired) == 0 {
		return err
	}
	var names []string
	for _, a := range expired {
		names = append(names, a.Service+": "+a.Title)
	}
	said := fmt.Sprintf("not repeated for %s, so taken for ended: %s", text.Duration(ledger.AlertLasts), some(names))
	return c.event(ctx, store.Info, 0, "", said)
}
