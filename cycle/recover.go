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

// recover closes what a killed cycle left, and adopts operators' edits of cooldown.json (RULE "Recovery of a killed cycle"). This cycle
// holds the lock, so every session still marked as running is dead.
func (c *Cycle) recover(keep context.Context) error {
	if c.Inventory != nil { // first, because later steps look up records by service name
		if err := c.MergeNames(keep); err != nil {
			return err
		}
	}
	left, err := c.Store.RunningSessions(keep)
	if err != nil {
		return err
	}
	if err := c.endProcesses(keep, left); err != nil {
		return err
	}
	for _, s := range left {
		if err := c.interrupted(keep, s); err != nil {
			return err
		}
	}
	if len(left) > 0 { // their agents may have counted healthy cycles
		if err := c.UpdateState(keep, endStreaks); err != nil {
			return err
		}
	}
	if err := c.readUnfinished(keep); err != nil {
		return err
	}
	if c.before, err = c.Adopt(keep, c.unfinished != nil); err != nil {
		return err
	}
	return errors.Join(c.tidy(keep), c.dropStaleHandoff(keep))
}

func endStreaks(st *statefile.State) error {
	for _, is := range st.Services {
		is.ConsecutiveHealthy = 0
	}
	return nil
}

// readContainerRestarts reads the restart count of each container before this cycle.
func (c *Cycle) readContainerRestarts(keep context.Context) (err error) {
	c.containerRestarts, err = c.Store.ContainerRestarts(keep)
	return err
}

// readUnfinished reads the findings of Tier 1 in unfinished cycles, as they may not have been reported. They count for a day.
func (c *Cycle) readUnfinished(keep context.Context) error {
	sessions, err := c.Store.Unfinished(keep, c.Now().Add(-24*time.Hour), c.Now())
	if err != nil || len(sessions) == 0 {
		return err
	}
	found, err := c.Store.LatestBySession(keep, sessions...)
	c.unfinished = store.Results(found)
	return err
}

// dropStaleHandoff removes the handoff of an earlier cycle unread (SPEC-0016 "Handoff File Lifecycle"); this cycle's checks find the same
// problems again.
func (c *Cycle) dropStaleHandoff(keep context.Context) error {
	left, err := os.Lstat(state.HandoffPath(c.Config))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for a handoff of an earlier cycle: %w", err)
	}
	text := fmt.Sprintf("%s of an earlier cycle, written at %s, removed unread", handoff.FileName, text.Moment(left.ModTime()))
	return errors.Join(c.event(keep, store.Warning, 0, "", text), c.dropHandoff(keep))
}

// tidy removes files that killed cycles left. If one cannot be removed (an agent's container may have left files of root), that is
// recorded as an event, and the cycle continues.
func (c *Cycle) tidy(keep context.Context) error {
	err := errors.Join(tiers.RemoveWorkspaces(c.Config.StateDir), statedir.RemoveTemporaries(c.Config.StateDir, "", c.Now()))
	if err == nil {
		return nil
	}
	return c.event(keep, store.Warning, 0, "", "left over from earlier cycles, and not to be removed: "+err.Error())
}

func (c *Cycle) endProcesses(keep context.Context, sessions []store.Session) error {
	var tokens []string
	for _, s := range sessions {
		if s.RunToken != "" {
			tokens = append(tokens, s.RunToken)
		}
	}
	ended, outlived, err := tiers.EndRuns(keep, tokens)
	if err != nil {
		return err
	}
	if len(ended) > 0 {
		if err := c.event(keep, store.Warning, 0, "", fmt.Sprintf("ended %d processes that a killed cycle had left running: %v", len(ended), ended)); err != nil {
			return err
		}
	}
	if len(outlived) > 0 {
		return c.event(keep, store.Critical, 0, "", fmt.Sprintf("processes of a killed cycle could not be ended: %v", outlived))
	}
	return nil
}

// interrupted settles and closes a session of a dead cycle, using what its log still contains.
func (c *Cycle) interrupted(keep context.Context, s store.Session) error {
	fault := "its cycle was killed"
	if err := c.takeLeft(keep, s); err != nil {
		return err
	}
	o, err := replay(c.logPath(s.ID))
	if err != nil {
		fault += "; its log: " + err.Error()
	}
	unsettled, err := c.endActs(keep, s, o)
	if err != nil {
		return err
	}
	if unsettled != "" {
		fault += "; " + unsettled
	}
	if err := c.Store.EndSession(keep, s.ID, store.SessionEnd{
		Status: store.Interrupted, EndedAt: c.Now(), Error: c.Redactor.String(fault),
		CostUSD: o.CostUSD, InputTokens: o.InputTokens, OutputTokens: o.OutputTokens,
	}); err != nil {
		return err
	}
	return c.event(keep, store.Warning, s.ID, "", fmt.Sprintf("session of a killed cycle (Tier %d) marked interrupted: %s", s.Tier, fault))
}
