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
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

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

// results returns the latest check results of Tier 1's session, from probes, reports and handoff, including those of the probes that ran
// in its place.
func (c *Cycle) results(ctx context.Context, done *tierRun) (results []store.Check, err error) {
	if done.checks != nil { // complete: no probes ran in its place
		return done.checks, nil
	}
	sessions := []int64{done.session.ID}
	if done.standIn != nil {
		sessions = append(sessions, done.standIn.session.ID)
	}
	results, err = c.Store.LatestBySession(ctx, sessions...)
	return append(done.believed(results), c.alertResults()...), err
}

// believed returns the results of a session that count. That something is healthy, a tier may say only if it has completed; the program's
// own checks always may.
func (run *tierRun) believed(results []store.Check) []store.Check {
	if run.outcome.Ending == tiers.Completed {
		return results
	}
	return slices.DeleteFunc(results, func(k store.Check) bool { return k.Source == store.Reported && k.Status == check.Healthy })
}

// lastKnown returns the last result, since the incident opened, of each check that could not be made. It covers services with an
// incident.
func (c *Cycle) lastKnown(ctx context.Context, results []check.Result) (known []check.Result, err error) {
	open, err := c.Store.OpenIncidents(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		incident, has := open[r.Service]
		if r.Status != check.Unknown || !has {
			continue
		}
		// The checks that opened an incident are older than the incident itself.
		last, err := c.Store.LastKnown(ctx, r.Service, incident.OpenedAt.Add(-c.Config.Tier(1).Timeout))
		if err != nil {
			return nil, err
		}
		known = append(known, last...)
		delete(open, r.Service)
	}
	return known, nil
}

// ownResults returns the results of the program's own checks.
func ownResults(stored []store.Check) []check.Result {
	return store.Results(slices.DeleteFunc(slices.Clone(stored), func(k store.Check) bool { return k.Source != store.Probed }))
}

// overruled returns results updated by later ones: a later result replaces that of the same service and type, unless the check could not
// be made.
func overruled(results, later []check.Result) []check.Result {
	replaced := map[subject]bool{}
	for _, r := range later {
		if r.Status != check.Unknown {
			replaced[subjectOf(r)] = true
		}
	}
	left := slices.DeleteFunc(slices.Clone(results), func(r check.Result) bool { return replaced[subjectOf(r)] })
	return append(left, later...)
}

// completeHandoff makes or completes Tier 1's handoff: every service that it reported, that the program's own checks found or that has
// an alert is passed on. There is no handoff only if none is unwell.
func (c *Cycle) completeHandoff(ctx context.Context, done *tierRun) (err error) {
	if done.session.Tier != 1 {
		if done.handoff == nil {
			return nil
		}
		return c.keepHandoff(ctx, done.session.ID, done.handoff)
	}
	if done.session.Agent != agentProbe {
		if done.checks, err = c.handedOff(ctx, done); err != nil {
			return err
		}
		done.checks = append(done.checks, c.alertResults()...)
	}
	own := done.handoff
	now, fault, err := state.Mended(ctx, &c.Records)
	if err != nil {
		return err
	}
	h, added, err := now.Handoff(fault, own, store.Results(done.checks), c.handedAlerts())
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
	forgotten := slices.DeleteFunc(added, func(name string) bool { return len(c.alerts[name]) > 0 }) // not Tier 1's to find
	if len(forgotten) == 0 {
		return nil
	}
	return c.event(ctx, store.Warning, done.session.ID, "", "Tier 1 did not hand off all that was found unwell: "+some(forgotten)+" added")
}

// handedOff returns the latest results of Tier 1's session. Results that its own handoff adds or makes worse are stored first.
func (c *Cycle) handedOff(ctx context.Context, done *tierRun) ([]store.Check, error) {
	session := done.session.ID
	stored, err := c.Store.LatestBySession(ctx, session)
	if err != nil || done.handoff == nil {
		return stored, err
	}
	for i := range done.handoff.CheckResults {
		done.handoff.CheckResults[i].Error = c.Redactor.String(done.handoff.CheckResults[i].Error)
	}
	reported := store.Results(slices.DeleteFunc(slices.Clone(stored), func(k store.Check) bool { return k.Source != store.Reported }))
	var differs []string
	for _, r := range handoff.NewResults(store.Results(stored), done.handoff.CheckResults) {
		differs = append(differs, r.Service)
	}
	more := handoff.Of(differs, worse(reported, done.handoff.CheckResults)) // they replace the report
	if len(more) == 0 {
		return stored, nil
	}
	if err := c.Store.AddChecks(ctx, &session, c.Now(), more); err != nil {
		return nil, err
	}
	return c.Store.LatestBySession(ctx, session)
}

// keepHandoff stores a handoff in the record of its session, as the program completed it.
func (c *Cycle) keepHandoff(ctx context.Context, session int64, h *handoff.Handoff) error {
	text, err := h.Marshal()
	if err != nil {
		return err
	}
	return c.Store.SetSessionHandoff(ctx, session, c.Redactor.String(string(text)))
}

// worse merges the results of a report and of the later handoff. For each service and type the worse one counts, since a handoff may not
// improve a report; if they are equal, the handoff's counts.
func worse(reported, handed []check.Result) []check.Result {
	worst := func(results []check.Result) map[subject]check.Status {
		found := map[subject]check.Status{}
		for _, r := range results {
			if r.Status.Worse(found[subjectOf(r)]) {
				found[subjectOf(r)] = r.Status
			}
		}
		return found
	}
	was, is := worst(reported), worst(handed)
	better := func(r check.Result) bool { return was[subjectOf(r)].Worse(is[subjectOf(r)]) }
	left := slices.DeleteFunc(slices.Clone(reported), func(r check.Result) bool { return !better(r) })
	return append(left, slices.DeleteFunc(slices.Clone(handed), better)...)
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
	end := store.SessionEnd{
		Status: store.Status(o.Ending), EndedAt: ended, CostUSD: o.CostUSD, NumTurns: o.NumTurns,
		DurationMS: cmp.Or(o.DurationMS, ended.Sub(done.session.StartedAt).Milliseconds()), InputTokens: o.InputTokens, OutputTokens: o.OutputTokens,
		Response: c.Redactor.String(claim), Error: c.Redactor.String(o.Reason),
	}
	if o.ExitCode >= 0 {
		end.ExitCode = &o.ExitCode
	}
	if err := c.Store.EndSession(ctx, done.session.ID, end); err != nil {
		return err
	}
	done.session.Status, done.session.EndedAt, done.session.CostUSD = end.Status, &ended, end.CostUSD
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

// dropHandoff deletes handoff.json or, if it cannot be deleted, moves it away.
func (c *Cycle) dropHandoff(ctx context.Context) error {
	path := state.HandoffPath(c.Config)
	err := os.RemoveAll(path) // a directory with this name can only be garbage
	if err == nil {
		return nil
	}
	aside := path + ".stale-" + c.Now().UTC().Format("20060102T150405Z")
	if moveErr := os.Rename(path, aside); moveErr != nil {
		return errors.Join(err, moveErr)
	}
	return c.event(ctx, store.Warning, 0, "", fmt.Sprintf("%v: moved to %s", err, aside))
}
