package cycle

import (
	"context"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// Kind is what a round is about.
type Kind string

// The kinds of rounds.
const (
	Observed Kind = "observed" // Tier 1 has looked: what becomes of incidents
	Beside   Kind = "beside"   // the checks were made while a tier runs: the same, but no tier starts
	Working  Kind = "working"  // a tier has begun to work
	Proven   Kind = "proven"   // the checks were made again after a tier
	Ended    Kind = "ended"    // a tier has ended, and was proved: what follows
	AidGiven Kind = "aid"      // first aid was given, and proved
	Ran      Kind = "ran"      // what a person has approved ran, and was proved
	Closing  Kind = "closing"  // the cycle ends
)

// Round is what the cycle knows when it plans. What needs I/O is a value in it.
type Round struct {
	Kind    Kind
	Now     *state.State     // how everything is, before the round
	Began   time.Time        // when the cycle did
	Since   time.Time        // what was found since then is what the round is about
	Before  *statefile.State // cooldown.json as it was when the cycle began
	Trigger string

	Looking bool            // Tier 1 still looks: only what is unwell counts
	Worked  map[string]bool // the services that a tier works on, which are proved after it

	Run         *tierRun        // the session that the round is about; in a look beside a tier, Tier 1's
	Acts        []store.Act     // of that session
	Signal      string          // that came meanwhile; empty if none did
	LastFirst   []store.Session // the last sessions of Tier 1, newest first, as many as failuresToReport
	NoModel     string          // why no model can be started; empty if one can
	Unfinished  []int64         // the sessions of Tier 1 in the cycles before that were killed or interrupted
	SaidNothing *notify.News    // that Tier 1's model has said nothing that counts; nil if that is not so

	Told  map[int64]store.Told // what people were told of incidents, of a round that closes the cycle
	Works string               // of a look beside a tier: what works, as people read it
}

// completed reports whether the session has completed.
func (r Round) completed() bool { return r.Run.outcome.Ending == tiers.Completed }

// Decision is what a round changes, and the one thing that comes next.
type Decision struct {
	steps    []step
	next     Next
	services []string         // of the chain
	handoff  *handoff.Handoff // of the session, as the program completes it
}

// Do is what the cycle does after a round.
type Do string

// What it can do.
const (
	Nothing Do = ""
	Again   Do = "plan again" // with what the round has changed
	Run     Do = "run"        // what a person has approved
	Aid     Do = "aid"        // give first aid to a service
	Start   Do = "start"      // a tier
)

// Next is the one thing that follows a round.
type Next struct {
	Do       Do
	Tier     int            // to start
	Service  string         // to aid
	Proposal store.Proposal // to run
}

// Plan decides what follows from what the cycle knows. It is pure.
func Plan(r Round) Decision {
	p := planner{Round: r, found: r.found()}
	switch r.Kind {
	case Observed:
		p.planObserved()
	case Beside:
		p.planBeside()
	case Working:
		p.planWorking()
	case Proven:
		p.planProven()
	case Ended:
		p.planEnded()
	case AidGiven:
		p.planAidGiven()
	case Ran:
		p.planRan()
	case Closing:
		p.planClosing()
	}
	return p.Decision
}

// planner plans a round.
type planner struct {
	Round
	Decision
	found     []*state.Service           // that the round is about
	incidents map[string]*store.Incident // as the steps leave them; nil where none is open
}

func (p *planner) add(steps ...step) { p.steps = append(p.steps, steps...) }

func (p *planner) note(level store.Level, service, format string, args ...any) {
	p.add(note{level, service, fmt.Sprintf(format, args...), service})
}

func (p *planner) save(i store.Incident, link bool) {
	p.add(save{i, link})
	if p.incidents == nil {
		p.incidents = map[string]*store.Incident{}
	}
	p.incidents[i.Service] = &i
	if i.ClosedAt != nil {
		p.incidents[i.Service] = nil
	}
}

// incident returns the open incident of a service as the steps so far leave it; nil if there is none.
func (p *planner) incident(service string) *store.Incident {
	if i, changed := p.incidents[service]; changed {
		return i
	}
	return p.Now.Service(service).Incident
}

// ask asks a human about a service, and says what claudeops does next.
func (p *planner) ask(service string, a notify.Attention) {
	a.Next = p.nextStep(service, a.Cause)
	p.add(ask{service, a})
}

// nextCycle is the next step in a request for a human if nothing blocks the next cycle.
const nextCycle = "The next cycle tries again"

// nextStep returns what claudeops does next about a service in a request for a human, as a sentence without its full stop.
func (p *planner) nextStep(service string, why notify.Cause) string {
	c, i := p.Now.Config, store.Incident{}
	if open := p.incident(service); open != nil {
		i = *open
	}
	at, waits := i.WaitsUntil(p.Now.Now)
	switch {
	case c.DryRun:
		return ""
	case i.Flapping():
		return fmt.Sprintf("claudeops goes on watching, and starts no agent for it until it was healthy for %d h or you call `claudeops cooldown reset`",
			int(store.ReturnWithin.Hours()))
	case c.MaxTier == 1:
		return "claudeops goes on watching, and does nothing else"
	case p.NoModel != "":
		return "claudeops goes on watching, and tries again when an agent can be started"
	case why == notify.NoBudget && !p.Now.BudgetFrees.IsZero():
		return "claudeops tries again after " + text.Moment(p.Now.BudgetFrees) + ", or with a larger budget"
	case why == notify.NoBudget:
		return nextCycle
	case waits:
		return "claudeops tries again after " + text.Moment(at) + ", or as soon as it changes"
	}
	return nextCycle
}

// round decides and carries out what follows from how everything is, in one transaction, with cooldown.json locked: what a person decides
// meanwhile is seen, or comes after it. Events belong to session.
func (c *Cycle) round(ctx context.Context, session int64, plan func(now *state.State) (Decision, error)) (d Decision, err error) {
	err = c.Round(ctx, func(file *statefile.State) (cleared []string, err error) {
		now, err := state.Load(ctx, c.Store, file, c.Inventory, c.Config, c.Now())
		if err != nil {
			return nil, err
		}
		if d, err = plan(now); err != nil {
			return nil, err
		}
		a := applying{Cycle: c, now: now, file: file, session: session, incidents: map[string]store.Incident{}}
		for _, s := range d.steps {
			if err := s.do(ctx, &a); err != nil {
				return nil, fmt.Errorf("%T: %w", s, err)
			}
		}
		return a.cleared, nil
	})
	return d, err
}

// apply carries out steps that need no plan.
func (c *Cycle) apply(ctx context.Context, session int64, steps ...step) error {
	_, err := c.round(ctx, session, func(*state.State) (Decision, error) { return Decision{steps: steps}, nil })
	return err
}

// plan is a round of a kind about a session, which has ended unless the kind says otherwise. build, which may be nil, completes it.
func (c *Cycle) plan(ctx context.Context, kind Kind, run *tierRun, build func(*Round)) (Decision, error) {
	return c.round(ctx, run.session.ID, func(now *state.State) (Decision, error) {
		r, err := c.roundOf(ctx, now, kind, run)
		if err != nil {
			return Decision{}, err
		}
		if build != nil {
			build(&r)
		}
		return Plan(r), nil
	})
}

// closing plans what is left when the cycle ends.
func (c *Cycle) closing(now *state.State) *planner {
	r := Round{Kind: Closing, Now: now, Began: c.began(), Since: c.began(), Unfinished: c.unfinished, Run: &tierRun{}}
	return &planner{Round: r, found: r.found()}
}

// roundOf returns what the cycle knows about a session.
func (c *Cycle) roundOf(ctx context.Context, now *state.State, kind Kind, run *tierRun) (r Round, err error) {
	r = Round{
		Kind: kind, Now: now, Began: c.began(), Since: c.began(), Before: c.before, Trigger: c.Trigger, Run: run,
		NoModel: c.NoModel, Unfinished: c.unfinished,
	}
	if kind == Closing {
		r.Told, err = c.Store.ToldLately(ctx, now.Now)
		return r, err
	}
	if ctx.Err() != nil {
		r.Signal = context.Cause(ctx).Error()
	}
	if run.session.Tier == 1 {
		if o := run.outcome.Ending; o != tiers.Completed && o != tiers.Interrupted {
			r.LastFirst, err = c.Store.Sessions(ctx, store.SessionFilter{Tier: 1, Agent: run.session.Agent, Limit: failuresToReport})
		}
		return r, err
	}
	r.Acts, err = c.Store.SessionActs(ctx, run.session.ID)
	return r, err
}
