package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// probeAsAgent makes the checks as Tier 1 of a session: it writes the agent program's output format, stores the results, and leaves
// handoff.json if something is wrong. People are notified of checks that it had no time for.
func (a *app) probeAsAgent(ctx context.Context, l *loaded, inv *inventory.Inventory, services []inventory.Service) (err error) {
	agent := l.config.Agent
	if agent.SessionID <= 0 || agent.Tier != 1 {
		return errors.New("--agent is for the cycle: CLAUDEOPS_SESSION_ID and CLAUDEOPS_TIER name no session of Tier 1; without it, probe is for people")
	}
	began := a.Now()
	out := agentOutput{w: a.Out, redact: l.redactor.Bytes}
	out.line(map[string]any{"type": "system", "subtype": "init", "tools": []string{}, "model": "probe"})
	b, err := records.Open(ctx, l.config, l.redactor, a.Now, store.ReadWrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	b.Inventory = inv
	settings := a.probeSettings(l, inv)
	if settings.Restarts, err = b.Store.ContainerRestarts(ctx); err != nil {
		return err
	}
	limit := l.config.Tier1Timeout - min(l.config.Tier1Timeout/10, 5*time.Second) // the rest is for storing the results
	checking, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	total := inventory.CountChecks(services)
	report := probe.Run(checking, inventory.Checked(services), settings, probe.Bounds{}, func(r check.Result) { out.check(r, total) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	keep := context.WithoutCancel(ctx) // results are stored completely even after ctx ends
	if err := notifyUnchecked(keep, b, report.Unchecked, limit); err != nil {
		return err
	}
	handoff, err := b.Probed(keep, agent.SessionID, agent.Tier, report.Results, report.Restarts)
	if err != nil {
		return err
	}
	text := probeWords(report, handoff)
	out.line(map[string]any{
		"type": "result", "subtype": "success", "is_error": false, "result": text, "total_cost_usd": 0, "num_turns": 0,
		"duration_ms": a.Now().Sub(began).Milliseconds(),
	})
	return out.err
}

// notifyUnchecked notifies people of the checks that were not made.
func notifyUnchecked(ctx context.Context, b *records.Records, unchecked []string, limit time.Duration) error {
	if len(unchecked) == 0 {
		return nil
	}
	text := fmt.Sprintf("%d checks were not made within %s of CLAUDEOPS_TIER1_TIMEOUT: %s", len(unchecked), limit, text.Few(unchecked, 10))
	session := b.Config.Agent.SessionID
	return b.Together(ctx, func() error {
		if err := b.Store.AddEvent(ctx, store.Event{SessionID: &session, Level: store.Critical, Message: text, CreatedAt: b.Now()}); err != nil {
			return err
		}
		return b.Queue(ctx, records.Unchecked, notify.NotChecked(session, text))
	})
}

// probeWords returns the final message of the probes as an agent.
func probeWords(report probe.Report, handoff string) string {
	lines := []string{tally(report.Results)}
	for _, r := range report.Results {
		if r.Status != check.Healthy {
			lines = append(lines, fmt.Sprintf("- %s (%s) is %s: %s", r.Service, r.Type, r.Status, r.Error))
		}
	}
	if len(report.Unchecked) > 0 {
		lines = append(lines, "not checked for lack of time: "+strings.Join(report.Unchecked, ", "))
	}
	if handoff != "" {
		lines = append(lines, handoff)
	}
	return strings.Join(lines, "\n")
}

// agentOutput writes events in the agent program's format: one JSON object per line.
type agentOutput struct {
	w      io.Writer
	redact func([]byte) []byte
	err    error // the first one; nothing is written after it
}

func (o *agentOutput) line(event any) {
	if o.err != nil {
		return
	}
	text, err := json.Marshal(event, json.Deterministic(true))
	if err == nil {
		_, err = o.w.Write(append(o.redact(text), '\n'))
	}
	o.err = err
}

// check writes the result of one of so many checks.
func (o *agentOutput) check(r check.Result, of int) {
	o.line(struct {
		Type string `json:"type"`
		Of   int    `json:"of"`
		check.Result
	}{"check", of, r})
}
