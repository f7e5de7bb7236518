package seeded

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// watch is cycles being written, one after the other.
type watch struct {
	lab  *Lab
	s    *store.Store
	dice dice
	// logsFrom is the age from which raw logs and audits are still there: older ones went, as CLAUDEOPS_LOG_MAX has it.
	logsFrom time.Time
}

// work is what one tier does.
type work struct {
	tier   int
	calls  []call
	report string // its last words, Markdown
	asks   *ask   // for the next tier; nil where it asks for none

	status store.Status // Completed where it is empty; Escalated where the next tier starts
	fault  string       // why it failed
	costs  float64
	turns  int
	took   time.Duration
	input  int64
	output int64
}

// ask is what a tier writes into its handoff.
type ask struct {
	services            []string
	results             []check.Result
	findings, attempted string
}

// done is a session that was written.
type done struct {
	id    int64
	ended time.Time
}

// session writes one tier's session: its row, its raw log, the guard's audit and what it did.
func (w *watch) session(ctx context.Context, parent *int64, at time.Time, do work) (done, error) {
	model := map[int]string{1: "haiku", 2: "sonnet", 3: "opus"}[do.tier]
	row := store.Session{
		ParentID: parent, Tier: do.tier, Model: model, Agent: "claude", PromptFile: fmt.Sprintf("tier%d.md", do.tier), Trigger: "cron", Status: store.Running,
		StartedAt: at, CLISessionID: w.dice.uuid(at), RunToken: w.dice.hex(32),
	}
	if parent != nil {
		row.Trigger = "escalation"
	}
	id, err := w.s.AddSession(ctx, row)
	if err != nil {
		return done{}, err
	}
	if err := w.s.SetSessionLog(ctx, id, w.lab.LogPath(id)); err != nil {
		return done{}, err
	}
	if err := w.s.SetSessionProcess(ctx, id, 20_000+int(id)%9000, 4_000_000+id*360_000, "5d3f0c1e-8a4b-4d6f-9e2a-7b1c0d9e8f6a"); err != nil {
		return done{}, err
	}
	log := &rawLog{dice: w.dice, at: at, session: row.CLISessionID, model: model}
	log.begin()
	if err := w.calls(ctx, log, id, do); err != nil {
		return done{}, err
	}
	end := store.SessionEnd{
		Status: do.status, CostUSD: do.costs, NumTurns: do.turns, DurationMS: do.took.Milliseconds(), InputTokens: do.input, OutputTokens: do.output,
		Response: do.report, Error: do.fault, EndedAt: at.Add(do.took + 400*time.Millisecond),
	}
	if end.Status == "" {
		end.Status = store.Completed
	}
	code := 0
	if end.Status == store.Failed || end.Status == store.TimedOut {
		code = 1
	}
	end.ExitCode = &code
	if end.Status != store.TimedOut {
		log.end(do.report, code != 0, do.costs, do.turns, do.took, do.input, do.output)
	}
	if !at.Before(w.logsFrom) {
		if err := log.write(w.lab.LogPath(id)); err != nil {
			return done{}, err
		}
	}
	if err := w.handoff(ctx, id, do); err != nil {
		return done{}, err
	}
	return done{id, end.EndedAt}, w.s.EndSession(ctx, id, end)
}

// calls writes a session's tool calls into its log and its audit, and records the remediations among them.
func (w *watch) calls(ctx context.Context, log *rawLog, session int64, do work) error {
	audit := guard.Audit{Path: w.lab.AuditPath(session)}
	for _, c := range do.calls {
		id, at := log.call(c)
		e := guard.Entry{
			Time: at, ToolUseID: id, Tier: do.tier, Tool: c.toolName(), Command: c.command, Services: c.services,
			Rule: c.rule, Decision: guard.Allowed, Reason: c.refused,
		}
		if e.Actions = []guard.Action{c.action}; c.action == "" {
			e.Actions[0] = guard.Observe
		}
		exit := 0
		switch {
		case c.refused != "":
			e.Decision, exit = guard.Denied, 126
		case c.failed:
			exit = 1
		}
		if e.Began, e.Exit = at, &exit; e.Tool != "Bash" { // as in sessions whose agents had such tools
			e.Event, e.Began, e.Exit = "PreToolUse", time.Time{}, nil
		}
		remediates := c.refused == "" && (c.action == guard.Restart || c.action == guard.Redeploy)
		if !log.at.Before(w.logsFrom) {
			if remediates {
				before := e
				before.Decision, before.Began, before.Exit = guard.Reserving, time.Time{}, nil
				if err := audit.Append(before); err != nil {
					return err
				}
			}
			if err := audit.Append(e); err != nil {
				return err
			}
		}
		if !remediates {
			continue
		}
		for _, service := range c.services {
			act := store.Act{
				ID: w.dice.uuid(at), SessionID: &session, Service: service, Action: statefile.Restart, Success: !c.failed, Tier: do.tier,
				Source: store.SourceGuard, ToolUseID: id, CreatedAt: at.Truncate(time.Second),
			}
			if c.action == guard.Redeploy {
				act.Action = statefile.Redeployment
			}
			if c.failed {
				act.Error, _, _ = strings.Cut(c.output, "\n")
			}
			if err := w.s.PutAct(ctx, act); err != nil {
				return err
			}
		}
	}
	return nil
}

// handoff keeps what a session left for the next tier.
func (w *watch) handoff(ctx context.Context, session int64, do work) error {
	if do.asks == nil {
		return nil
	}
	h := handoff.Handoff{
		SchemaVersion: handoff.SchemaVersion, RecommendedTier: min(do.tier+1, handoff.LastTier), ServicesAffected: do.asks.services, CheckResults: do.asks.results,
		InvestigationFindings: do.asks.findings, RemediationAttempted: do.asks.attempted, CooldownState: []byte(`{"services":{}}`),
	}
	if do.tier == 1 {
		h.WrittenBy = handoff.ByReport
	}
	text, err := h.Marshal()
	if err != nil {
		return err
	}
	return w.s.SetSessionHandoff(ctx, session, string(text))
}

// say records an event; session 0 is none.
func (w *watch) say(ctx context.Context, level store.Level, session int64, service, message string, at time.Time) error {
	e := store.Event{Level: level, Service: service, Message: message, CreatedAt: at}
	if session != 0 {
		e.SessionID = &session
	}
	return w.s.AddEvent(ctx, e)
}

// The targets that people are told at.
const (
	phone   = "6f3a1b0c9d8e7f60"
	mailbox = "a1c4e7092b5d8f36"
)

// tell queues a notification and delivers it.
func (w *watch) tell(ctx context.Context, n store.Notification) error {
	if _, err := w.s.QueueNotification(ctx, n); err != nil {
		return err
	}
	if err := w.s.Group(ctx, n.CreatedAt); err != nil {
		return err
	}
	for _, target := range []string{phone, mailbox} {
		due, err := w.s.Undelivered(ctx, target, n.CreatedAt)
		if err != nil {
			return err
		}
		for _, message := range due {
			if _, err := w.s.Delivered(ctx, message.Message, target, []string{phone, mailbox}, n.CreatedAt.Add(3*time.Second)); err != nil {
				return err
			}
		}
	}
	return nil
}
