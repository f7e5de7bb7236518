package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func (a *app) cronHealthCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "health",
		Short: "Say whether cycles run as the schedule asks for: exit 0, or 1",
		Long: `health says on one line when the last cycle ended. It exits with 0 where that is as the schedule asks for, and with 1 where
it is not, or where no cycle has ended yet. It is meant for the health check of a container, and for people.

A cycle is late when the tiers' time limits, and --jitter, have passed since it was due. While a cycle runs, the answer is "healthy",
unless it has run for longer than its limits together.`,
	}
	var jitter time.Duration
	flags.Var(c.Flags(), &jitter, "jitter", "", "the `TIME` that cron was given as --jitter", flags.Time)
	c.RunE = a.configured(func(ctx context.Context, l *loaded, _ []string) error {
		h, err := a.health(ctx, l, jitter)
		if err != nil {
			return err
		}
		said := "unhealthy: "
		if h.Healthy {
			said = "healthy: "
		}
		return cmp.Or(a.answer(h, said+h.Reason+"\n"), failUnless(h.Healthy))
	})
	return c
}

// health is the output of `cron health`.
type health struct {
	Healthy bool       `json:"healthy"`
	Reason  string     `json:"reason"`
	Running bool       `json:"running"`               // a cycle is running
	LastRun *time.Time `json:"last_run"`              // when the last cycle ended, other than for an alert or an approval; null before the first
	AgeS    *int64     `json:"age_seconds"`           // null before the first
	Due     *time.Time `json:"due,omitempty"`         // the run for which no cycle has ended yet, but should have
	Longest float64    `json:"longest_cycle_seconds"` // the longest that a cycle may take
}

// health reads the state file and the cycle lock, and changes nothing.
func (a *app) health(ctx context.Context, l *loaded, jitter time.Duration) (health, error) {
	if err := stateDirectory(l.config.StateDir); err != nil {
		return health{}, err
	}
	st, err := statefile.File{Path: statefile.Path(l.config.StateDir), Now: a.Now}.Read(ctx)
	if err != nil {
		return health{}, err
	}
	now := a.Now().Round(0)
	longest := crontab.LongestCycle(l.config)
	h := health{Longest: longest.Seconds()}
	var by statedir.Holder
	by, h.Running = statedir.CycleHolder(l.config.StateDir)
	if h.Reason = a.hangs(l.config, by); h.Reason != "" {
		return h, nil
	}
	if st.LastRun == nil {
		h.Healthy, h.Reason = h.Running, "no cycle has ended yet in "+l.config.StateDir
		if h.Running {
			h.Reason = "the first cycle is running"
		}
		return h, nil
	}
	last, err := a.lastUnwoken(ctx, l, *st.LastRun)
	if err != nil {
		return h, err
	}
	age := max(now.Sub(last), 0)
	seconds := int64(age.Seconds())
	h.LastRun, h.AgeS = &last, &seconds
	ended := fmt.Sprintf("the last cycle ended %s ago, at %s", age.Round(time.Second), a.local(last))
	switch due, missing := crontab.Unanswered(l.config.Schedule, last, now, longest+jitter); {
	case h.Running:
		h.Healthy, h.Reason = true, "a cycle is running; "+ended
	case missing:
		h.Due = &due
		h.Reason = fmt.Sprintf("%s; one was due at %s and takes at most %s", ended, a.local(due), (longest + jitter).Round(time.Second))
	default:
		h.Healthy, h.Reason = true, ended
	}
	return h, nil
}

// lastUnwoken returns when the last cycle ended that was not started by an alert or an approval: those would hide a schedule that has
// stopped. last is when the last of all ended.
func (a *app) lastUnwoken(ctx context.Context, l *loaded, last time.Time) (_ time.Time, err error) {
	b, err := ledger.Open(ctx, l.config, l.redactor, a.Now, store.ReadOnly)
	if err != nil || b.Store == nil {
		return last, nil // the cycle repairs a database, or says why it cannot; whether it runs is in cooldown.json
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	unwoken, err := b.Store.LastUnwoken(ctx)
	if err != nil || unwoken == nil { // the schedule has not begun
		return last, err
	}
	return unwoken.EndedAt(), nil
}
