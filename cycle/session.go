package cycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// concludeTier settles a tier that has ended: it ends its acts, moves the handoff into the session, and closes the session. The order
// matters: if the cycle is killed in between, the session is still running, and the next cycle settles it.
func (c *Cycle) concludeTier(ctx context.Context, done *tierRun) error {
	defer func() { c.summary.add(done) }() // even if something could not be stored: the tier ran and cost money
	fault, err := c.endActs(ctx, done.session, done.outcome)
	if err != nil {
		return err
	}
	if fault != "" {
		done.fails(fault)
	}
	if done.outcome.Ending != tiers.Completed { // that something is healthy, only a tier may say that has completed
		if err := c.Store.Disbelieve(ctx, done.session.ID); err != nil {
			return err
		}
	}
	if err := c.takeChecks(ctx, done); err != nil {
		return err
	}
	if err := c.takeHandoff(ctx, done); err != nil {
		return err
	}
	if err := c.endSession(ctx, done); err != nil {
		return err
	}
	return c.recordEnding(ctx, done)
}

// takeHandoff takes and completes the tier's handoff, unless the tier failed (SPEC-0016 "Handoff File Lifecycle").
func (c *Cycle) takeHandoff(ctx context.Context, done *tierRun) error {
	if done.outcome.Ending != tiers.Completed {
		return nil
	}
	err := c.readHandoff(ctx, done)
	if err == nil {
		err = c.completeHandoff(ctx, done)
	}
	invalid := (*strict.InvalidError)(nil)
	if !errors.As(err, &invalid) {
		return err
	}
	done.invalid = true
	err = c.badHandoff(ctx, done, invalid)
	if done.written == nil {
		return err
	}
	raw := c.Redactor.String(string(done.written.raw))
	return errors.Join(err, c.Store.SetSessionHandoff(ctx, done.session.ID, raw))
}

// readHandoff takes the handoff that an agent wrote, if it did.
func (c *Cycle) readHandoff(ctx context.Context, done *tierRun) error {
	if done.written == nil {
		return nil
	}
	h := done.written.Handoff
	if done.written.fault != nil {
		return done.written.fault
	}
	for i, name := range h.ServicesAffected {
		h.ServicesAffected[i] = c.Inventory.NameOf(name)
	}
	h.ServicesAffected = union(nil, h.ServicesAffected)
	c.Named(h.CheckResults)
	done.handoff = &h
	return c.verify(ctx, done, h.Evidence)
}

// endActs ends what the session left in progress, and stores its markers as events, which count nothing: the broker recorded what they
// tell of, or it did not happen. Nothing that an agent wrote may keep its session from being closed; fault says what could not be done. An
// error means that an event could not be written.
func (c *Cycle) endActs(ctx context.Context, s store.Session, o tiers.Outcome) (fault string, err error) {
	for _, marker := range o.Markers {
		if err := c.event(ctx, store.Info, s.ID, c.Inventory.NameOf(marker.Service), "the agent wrote "+marker.Text); err != nil {
			return "", err
		}
	}
	if err := c.EndActs(ctx, s.ID); err != nil {
		fault = "what the session left in progress could not be ended: " + err.Error()
		return fault, c.event(ctx, store.Critical, s.ID, "", fault)
	}
	return "", nil
}

// stands returns the results of a session that say how services are now.
func (c *Cycle) stands(ctx context.Context, now *state.State, session int64) ([]store.Check, error) {
	found, err := c.Store.SessionChecks(ctx, session)
	return slices.DeleteFunc(found, func(k store.Check) bool { return !now.Service(k.Service).Stands(k) }), err
}

// takeChecks takes what a model of Tier 1 has found.
func (c *Cycle) takeChecks(ctx context.Context, done *tierRun) error {
	if done.session.Tier != 1 || done.session.Agent == agentProbe {
		return nil
	}
	now, err := c.mended(ctx)
	if err == nil {
		done.checks, err = c.stands(ctx, now, done.session.ID)
	}
	return err
}

// completeHandoff makes or completes Tier 1's handoff: every service that it reported, that the program's own checks found or that has
// an alert is passed on. There is no handoff only if none is unwell.
func (c *Cycle) completeHandoff(ctx context.Context, done *tierRun) error {
	if done.handoff != nil {
		if err := errors.Join(c.takeResults(ctx, done), c.takeChecks(ctx, done)); err != nil {
			return err
		}
	}
	own := done.handoff
	if done.session.Tier != 1 {
		if own == nil {
			return nil
		}
		return c.keepHandoff(ctx, done.session.ID, own)
	}
	now, fault, err := state.Mended(ctx, &c.Records)
	if err != nil {
		return err
	}
	results := store.Results(done.checks)
	for _, is := range now.Services() {
		if c.Config.Services == nil || slices.Contains(c.Config.Services, is.Name) {
			results = append(results, is.AlertResults()...)
		}
	}
	h, added, err := now.Handoff(fault, own, results)
	if err != nil || h == nil {
		return err
	}
	if _, err := h.Valid(1); err != nil && own == nil {
		return err
	}
	if done.handoff = h; done.session.Agent == agentProbe {
		done.outcome.Response += "\n" + state.AsksFor(h.ServicesAffected, h.LeftOut)
	}
	if h.LeftOut > 0 {
		left := fmt.Sprintf("too many services are unwell to hand all over: %d left out", h.LeftOut)
		if err := c.event(ctx, store.Warning, done.session.ID, "", left); err != nil {
			return err
		}
	}
	if err := c.keepHandoff(ctx, done.session.ID, h); err != nil || own == nil {
		return err
	}
	forgotten := slices.DeleteFunc(added, func(name string) bool { return len(now.Service(name).Alerts) > 0 }) // not Tier 1's to find
	if len(forgotten) == 0 {
		return nil
	}
	return c.event(ctx, store.Warning, done.session.ID, "", "Tier 1 did not hand off all that was found unwell: "+some(forgotten)+" added")
}

// takeResults stores as a report what a handoff says of its services that is new and not better. A service that it names and
// of which nothing is known is down: someone must check it.
func (c *Cycle) takeResults(ctx context.Context, done *tierRun) error {
	h, session := done.handoff, done.session.ID
	for i := range h.CheckResults {
		h.CheckResults[i].Error = c.Redactor.String(h.CheckResults[i].Error)
	}
	now, err := c.mended(ctx)
	if err != nil {
		return err
	}
	stored, err := c.stands(ctx, now, session)
	if err != nil {
		return err
	}
	known := store.Results(stored)
	if done.parent != nil {
		known = append(known, done.parent.handoff.CheckResults...)
	}
	var differs []string
	for _, r := range handoff.NewResults(known, h.CheckResults) {
		differs = append(differs, r.Service)
	}
	reported := slices.DeleteFunc(stored, func(k store.Check) bool { return k.Source != store.Reported })
	last := handoff.Handoff{CheckResults: handoff.Of(differs, store.Results(reported))}
	last.Renew(slices.DeleteFunc(handoff.Of(differs, h.CheckResults), func(r check.Result) bool {
		return slices.ContainsFunc(reported, func(k store.Check) bool { // which it does not take back
			return k.Service == r.Service && k.Type == r.Type && k.Status.Worse(r.Status)
		})
	}))
	more := last.CheckResults // a later report replaces the earlier one
	told := check.Worst(h.CheckResults)
	for _, name := range h.ServicesAffected {
		is := now.Service(name)
		recent := !is.Checked.Before(c.began())
		if _, has := told[name]; !has && len(is.Alerts) == 0 && (!recent || is.Status() == check.Unknown) {
			more = append(more, check.Result{Service: name, Type: check.Service, Status: check.Down, Error: "handed off without a result"})
		}
	}
	if len(more) == 0 {
		return nil
	}
	return c.Store.AddChecks(ctx, store.Reported, session, c.Now(), more)
}

// keepHandoff stores a handoff in the record of its session, as the program completed it.
func (c *Cycle) keepHandoff(ctx context.Context, session int64, h *handoff.Handoff) error {
	text, err := h.Marshal()
	if err != nil {
		return err
	}
	return c.Store.SetSessionHandoff(ctx, session, c.Redactor.String(string(text)))
}

// badHandoff reports an invalid handoff as a fault of the monitoring itself: someone must fix the prompt or the program (RULE "Invalid
// handoff").
func (c *Cycle) badHandoff(ctx context.Context, done *tierRun, invalid *strict.InvalidError) error {
	text := fmt.Sprintf("invalid handoff from Tier %d deleted, no further tier: %s", done.session.Tier, strings.Join(invalid.Faults, "; "))
	c.summary.addAttention("", text)
	return c.Together(ctx, func() error {
		if err := c.event(ctx, store.Critical, done.session.ID, "", text); err != nil {
			return err
		}
		return c.Queue(ctx, notify.InvalidHandoff(done.session.Tier, done.session.ID, invalid.Faults))
	})
}

// endSession writes the tier's figures, taken only from its own result event (SPEC-0016 "Per-Tier Cost Attribution").
func (c *Cycle) endSession(ctx context.Context, done *tierRun) error {
	claim, err := c.claimed(ctx, done)
	if err != nil {
		return err
	}
	o, ended := done.outcome, c.Now()
	done.claim = claim
	end := store.Session{
		Status: store.Status(o.Ending), EndedAt: &ended, CostUSD: o.CostUSD, NumTurns: o.NumTurns,
		DurationMS: cmp.Or(o.DurationMS, ended.Sub(done.session.StartedAt).Milliseconds()), InputTokens: o.InputTokens, OutputTokens: o.OutputTokens,
		Response: c.Redactor.String(claim), Error: c.Redactor.String(o.Reason),
	}
	if o.ExitCode >= 0 {
		end.ExitCode = &o.ExitCode
	}
	if err := c.Store.EndSession(ctx, done.session.ID, end); err != nil {
		return err
	}
	done.session.Status, done.session.EndedAt, done.session.CostUSD = end.Status, end.EndedAt, end.CostUSD
	return nil
}

// recordEnding records how a tier ended, and which of its processes could not be stopped.
func (c *Cycle) recordEnding(ctx context.Context, done *tierRun) error {
	s, o := done.session, done.outcome
	level, text := store.Info, fmt.Sprintf("Tier %d %s, $%.4f, %d turns", s.Tier, o.Ending, o.CostUSD, o.NumTurns)
	if o.Ending != tiers.Completed {
		level, text = store.Warning, text+": "+o.Reason
	}
	if err := c.event(ctx, level, s.ID, "", text); err != nil {
		return err
	}
	if len(o.Survivors) == 0 {
		return nil
	}
	pids := make([]string, len(o.Survivors))
	for i, pid := range o.Survivors {
		pids[i] = strconv.Itoa(pid)
	}
	return c.event(ctx, store.Critical, s.ID, "", "processes of the agent could not be ended: "+strings.Join(pids, ", "))
}

// maxSessionLog limits the raw log of one session, in bytes. The agent's output is still read beyond it.
const maxSessionLog = 256 << 20

// sessionLog is a raw log that stops, with a final line that says so, when it is full.
type sessionLog struct {
	file *os.File
	left int64
}

func (l *sessionLog) Write(b []byte) (int, error) {
	if l.left <= 0 {
		return len(b), nil
	}
	if l.left -= int64(len(b)); l.left <= 0 {
		b = append(b[:len(b):len(b)], "\n{\"type\":\"claudeops\",\"subtype\":\"log_full\"}\n"...)
		if _, err := l.file.Write(b); err != nil {
			return 0, err
		}
		return len(b), nil
	}
	return l.file.Write(b)
}

// replay reads the rest of a killed session's log. The agent could change that file; if it cannot be read, the outcome is empty.
func replay(path string) (tiers.Outcome, error) {
	nothing := tiers.Outcome{Ending: tiers.Interrupted, ExitCode: -1}
	f, err := statedir.OpenFile(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nothing, nil
	}
	if err != nil {
		return nothing, err
	}
	o, err := tiers.Replay(io.LimitReader(f, 2*maxSessionLog))
	if err = errors.Join(err, f.Close()); err != nil {
		return nothing, err
	}
	return o, nil
}

// saidNothing returns what people are told if Tier 1's model completed without a result of its own, although something is watched by it alone;
// nil if that is not so.
func (c *Cycle) saidNothing(done *tierRun) *notify.News {
	if done.session.Agent != agentClaude || done.outcome.Ending != tiers.Completed || done.invalid || c.asked() {
		return nil
	}
	alone := c.Inventory == nil || slices.ContainsFunc(c.Inventory.Services, func(s inventory.Service) bool { return len(s.Checks) == 0 })
	if !alone || slices.ContainsFunc(done.checks, func(k store.Check) bool { return k.Source == store.Reported }) {
		return nil
	}
	said := text.Unlinked(notify.Masked(done.outcome.Response, c.Redactor.String, ledger.MaxFound))
	n := notify.NothingSaid(done.session.ID, said)
	return &n
}
