package cycle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// unfinishedCounts is how long the findings of Tier 1 in an unfinished cycle count, which may not have been reported.
const unfinishedCounts = 24 * time.Hour

// recover closes what a killed cycle left, and adopts operators' edits of cooldown.json (RULE "Recovery of a killed
// cycle"). This cycle holds the lock, so every session still marked as running is dead.
func (c *Cycle) recover(ctx context.Context) error {
	if err := c.MergeNames(ctx); err != nil { // first, because later steps look up records by service name
		return err
	}
	left, err := c.Store.RunningSessions(ctx)
	if err != nil {
		return err
	}
	if err := c.endProcesses(ctx, left); err != nil {
		return err
	}
	for _, s := range left {
		if err := c.interrupted(ctx, s); err != nil {
			return err
		}
	}
	if len(left) > 0 { // their agents may have counted healthy cycles
		err := c.UpdateState(ctx, func(st *statefile.State) error {
			for _, is := range st.Services {
				is.ConsecutiveHealthy = 0
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if c.unfinished, err = c.Store.Unfinished(ctx, c.Now().Add(-unfinishedCounts)); err != nil {
		return err
	}
	if c.before, err = c.Adopt(ctx, len(c.unfinished) > 0); err != nil {
		return err
	}
	return errors.Join(c.tidy(ctx), c.dropStaleHandoff(ctx))
}

// dropStaleHandoff removes the handoff of an earlier cycle unread (SPEC-0016 "Handoff File Lifecycle"); this cycle's
// checks find the same problems again.
func (c *Cycle) dropStaleHandoff(ctx context.Context) error {
	left, err := os.Lstat(state.HandoffPath(c.Config))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for a handoff of an earlier cycle: %w", err)
	}
	text := fmt.Sprintf("%s of an earlier cycle, written at %s, removed unread", handoff.FileName, text.Moment(left.ModTime()))
	return errors.Join(c.event(ctx, store.Warning, 0, "", text), os.RemoveAll(state.HandoffPath(c.Config)))
}

// tidy removes files that killed cycles left. If one cannot be removed (an agent's container may have left files of
// root), that is recorded as an event, and the cycle continues.
func (c *Cycle) tidy(ctx context.Context) error {
	err := errors.Join(tiers.RemoveWorkspaces(c.Config.StateDir), statedir.RemoveTemporaries(c.Config.StateDir, "", c.Now()))
	if err == nil {
		return nil
	}
	return c.event(ctx, store.Warning, 0, "", "left over from earlier cycles, and not to be removed: "+err.Error())
}

func (c *Cycle) endProcesses(ctx context.Context, sessions []store.Session) error {
	var tokens []string
	for _, s := range sessions {
		if s.RunToken != "" {
			tokens = append(tokens, s.RunToken)
		}
	}
	ended, outlived, err := tiers.EndRuns(ctx, tokens)
	if len(ended) > 0 {
		said := fmt.Sprintf("ended %d processes that a killed cycle had left running: %v", len(ended), ended)
		err = errors.Join(err, c.event(ctx, store.Warning, 0, "", said))
	}
	if len(outlived) > 0 {
		said := fmt.Sprintf("processes of a killed cycle could not be ended: %v", outlived)
		err = errors.Join(err, c.event(ctx, store.Critical, 0, "", said))
	}
	return err
}

// interrupted settles and closes a session of a dead cycle, using what its log still contains.
func (c *Cycle) interrupted(ctx context.Context, s store.Session) error {
	fault := "its cycle was killed"
	o, err := replay(c.logPath(s.ID))
	if err != nil {
		fault += "; its log: " + err.Error()
	}
	unsettled, err := c.endActs(ctx, s, o)
	if err != nil {
		return err
	}
	if unsettled != "" {
		fault += "; " + unsettled
	}
	if err := c.Store.Disbelieve(ctx, s.ID); err != nil {
		return err
	}
	if err := c.Store.EndSession(ctx, s.ID, store.Session{
		Status: store.Interrupted, EndedAt: new(c.Now()), Error: c.Redactor.String(fault),
		CostUSD: o.CostUSD, InputTokens: o.InputTokens, OutputTokens: o.OutputTokens,
	}); err != nil {
		return err
	}
	return c.event(ctx, store.Warning, s.ID, "", fmt.Sprintf("session of a killed cycle (Tier %d) marked interrupted: %s", s.Tier, fault))
}
