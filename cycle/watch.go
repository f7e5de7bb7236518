package cycle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
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
// inventory's checks, incidents, messages and the heartbeat. It starts no tier; the next cycle acts on what it finds down.
//
// It is a Cycle of its own on the same database, since the chain's Cycle waits for the tier. join merges its findings into that one.
type watch struct {
	*Cycle
	run   *tierRun       // the running tier
	root  *tierRun       // Tier 1; incidents and events belong to its session
	about []string       // the chain's services
	seen  []check.Result // the latest results of the other services
}

// watchBeside returns the watch that runs beside a tier.
func (c *Cycle) watchBeside(run *tierRun) *watch {
	own := *c // the same parts, with findings of its own
	own.findings = findings{
		looked: c.looked, before: c.before, alerts: c.alerts, undelivered: maps.Clone(c.undelivered),
		held: map[string]state.Hold{}, sawUnwell: map[string]bool{},
		containerRestarts: map[string]int{}, containerRestartsNow: map[string]int{},
	}
	if c.asked() {
		own.Inventory = c.Asked.Whole
	}
	maps.Copy(own.containerRestarts, c.containerRestarts)
	if !c.looking(run) { // a round compares with the one before, as a cycle does; beside Tier 1 it is part of the same check
		maps.Copy(own.containerRestarts, c.containerRestartsNow)
	}
	w := &watch{Cycle: &own, run: run, root: run, about: union(c.Asked.Services, run.services)}
	for w.root.parent != nil {
		w.root = w.root.parent
	}
	return w
}

// watchWhile calls do, which works for a session without a model, while watching goes on. told is as in goOn.
func (c *Cycle) watchWhile(ctx, keep context.Context, run *tierRun, told <-chan time.Time, do func()) {
	beside := c.watchBeside(run)
	now, end := context.WithCancel(ctx)
	defer end()
	var goingOn sync.WaitGroup
	goingOn.Go(func() { beside.goOn(now, ctx, keep, told) })
	do()
	end()
	goingOn.Wait()
	c.join(beside)
}

// looking reports whether the tier checks all services. Then a round's results belong to its session and are evaluated with it.
func (c *Cycle) looking(run *tierRun) bool { return run.session.Tier == 1 && !c.asked() }

// goOn watches until now ends. The next round retries what one could not do. When told is ready, people are told what is worked on.
func (w *watch) goOn(now, ctx, keep context.Context, told <-chan time.Time) {
	looks := w.after(w.looked.Add(watchEvery).Sub(w.Now()))
	for {
		var do func(now, keep context.Context) error
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
		err := do(now, keep)
		if err == nil {
			err = w.deliver(ctx, keep, w.Config.NotifyTimeout/3)
		}
		if err != nil {
			unwritten := w.event(keep, store.Warning, w.run.session.ID, "", "watching beside the tier failed: "+err.Error())
			if unwritten != nil { // the tier is not at fault, and its own results could not be written either
				w.Log.WarnContext(keep, "that is not recorded: "+unwritten.Error(), "session", w.run.session.ID)
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
func (w *watch) tellOfChain(_, keep context.Context) error {
	chain := w.about
	if w.run.session.Agent == agentClaude { // not those of its chain that no tier works on
		chain = w.run.parent.handoff.ServicesAffected
	}
	works := notify.Worker(w.run.session) + " works on it: what comes of that is told"
	_, err := w.round(keep, w.run.session.ID, nil, func(p *planner) {
		for _, name := range chain {
			i := p.incident(name)
			if i != nil && i.Status == check.Down && i.State() == store.IncidentOpen && !p.heldBack(name).Given() {
				p.add(down{name, true, works})
			}
		}
	})
	return err
}

// look runs one round: the checks and everything that follows from them, except starting a tier.
func (w *watch) look(now, keep context.Context) error {
	w.looked = w.Now()
	if !w.Inventory.HasChecks() {
		return nil
	}
	found, err := w.evaluateRound(now, keep)
	if err != nil || now.Err() != nil {
		return err
	}
	w.found, w.summary.Services = found, nil
	if w.before, err = w.State(keep); err != nil {
		return err
	}
	works := "Tier 1 is looking at it"
	if !w.looking(w.run) {
		works = fmt.Sprintf("%s works on %s. The next cycle looks at it", notify.Worker(w.run.session), some(w.about))
	}
	return w.foundRound(now, keep, w.root, func(*Round) {}, func(p *planner) { p.planBeside(works) })
}

// evaluateRound runs the checks and evaluates the results that nothing else will evaluate. Results beside Tier 1 belong to its session
// and are evaluated with it; until then, only unwell services count. What a later tier works on is proved after it.
func (w *watch) evaluateRound(now, keep context.Context) ([]evaluation, error) {
	session, looking := w.run.session, w.looking(w.run)
	if !looking {
		session.ID = 0 // a tier's session only has results of the tier's own work
	}
	report, err := w.probe(now, keep, session, w.Inventory.Services, w.Config.Tier(1).Timeout)
	if err != nil {
		return nil, err
	}
	if !looking {
		maps.Copy(w.containerRestarts, w.containerRestartsNow)
	}
	if err := w.readAlerts(keep); err != nil {
		return nil, err
	}
	results := slices.Concat(report.Results, store.Results(w.alertResults()))
	lastKnown, err := w.lastKnown(keep, results)
	if err != nil {
		return nil, err
	}
	found := evaluate(results, nil, lastKnown)
	markOwn(found, report.Results)
	if looking {
		found = slices.DeleteFunc(found, func(e evaluation) bool { return !e.status.Unwell() })
	} else {
		worked, err := w.workedOn(keep)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(e evaluation) bool { return worked[e.service] })
		w.seen = overruled(w.seen, slices.DeleteFunc(results, func(r check.Result) bool { return worked[r.Service] }))
	}
	for _, e := range found {
		w.sawUnwell[e.service] = w.sawUnwell[e.service] || e.status.Unwell()
	}
	return found, nil
}

// workedOn returns the chain's services and those that its tier has remediated.
func (w *watch) workedOn(keep context.Context) (map[string]bool, error) {
	acts, err := w.Store.SessionActs(keep, w.run.session.ID)
	worked := map[string]bool{}
	for _, a := range acts {
		worked[a.Service] = true
	}
	for _, name := range w.about {
		worked[name] = true
	}
	return worked, err
}

// join adds what was seen beside a tier to the chain's cycle.
func (c *Cycle) join(w *watch) {
	c.looked, c.undelivered = w.looked, w.undelivered
	maps.Copy(c.containerRestartsNow, w.containerRestartsNow)
	c.summary.Messages.Sent += w.summary.Messages.Sent
	if w.run.session.Tier == 1 { // it is evaluated after this, from its session's latest results
		c.counted = map[string]bool{}
		for name, unwell := range w.sawUnwell {
			if unwell {
				c.before.Ensure(name).ConsecutiveHealthy = 0
				c.counted[name] = !c.sawUnwell[name] // the check before Tier 1 is not counted yet
			}
		}
		return
	}
	for name, unwell := range w.sawUnwell {
		c.sawUnwell[name] = c.sawUnwell[name] || unwell
	}
	for _, e := range w.found {
		c.found = append(slices.DeleteFunc(c.found, func(old evaluation) bool { return old.service == e.service }), e)
		delete(c.held, e.service)
	}
	maps.Copy(c.held, w.held)
	c.view = overruled(c.view, w.seen)
	c.summary.join(w.summary)
}
