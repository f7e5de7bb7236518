package cycle

import (
	"context"
	"strings"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/store"
)

// verify sets which evidence of a tier is verified: by the outputs of its calls, or by the program's own checks of its
// chain.
func (c *Cycle) verify(ctx context.Context, done *tierRun, evidence []handoff.Evidence) error {
	if len(evidence) == 0 {
		return nil
	}
	var checks []store.Check
	for run := done; run != nil; run = run.parent {
		made, err := c.Store.SessionChecks(ctx, run.session.ID)
		if err != nil {
			return err
		}
		checks = append(checks, made...)
	}
	for i := range evidence {
		e := &evidence[i]
		e.Verified = e.Quote != "" && done.seen.Printed(e.Command, e.Quote)
		for _, k := range checks {
			made := k.Source == store.Probed && (e.Check == k.Service || e.Check == k.Service+" "+string(k.Type))
			e.Verified = e.Verified || made && broker.Quotes(e.Quote, string(k.Status)+" "+k.Error)
		}
	}
	return nil
}

// claimed returns a tier's last message, headed by whether the program has verified its evidence: what the message
// quotes, and its handoff. Only what a model claims is headed, and of Tier 1, whose results are checked, only an
// answer.
func (c *Cycle) claimed(ctx context.Context, done *tierRun) (string, error) {
	said := done.outcome.Response
	if done.session.Agent != agentClaude || done.session.Tier == 1 && done.session.Question == "" {
		return said, nil
	}
	evidence := evidenceIn(said)
	err := c.verify(ctx, done, evidence)
	if done.handoff != nil {
		evidence = append(evidence, done.handoff.Evidence...)
	}
	return handoff.Mark(said, evidence), err
}

// evidenceMark starts a line of evidence in a tier's last message: `[EVIDENCE] COMMAND => QUOTE`.
const evidenceMark = "[EVIDENCE]"

// evidenceIn returns the evidence in a tier's last message. A line that says no quote, or is one too many to be looked
// up, is evidence without a quote, which is never verified.
func evidenceIn(message string) (all []handoff.Evidence) {
	for line := range strings.Lines(message) {
		rest, is := strings.CutPrefix(strings.TrimLeft(line, "-* \t`"), evidenceMark)
		if !is {
			continue
		}
		var e handoff.Evidence
		if command, quote, has := strings.Cut(rest, "=>"); has && len(all) < handoff.MaxEvidence {
			e = handoff.Evidence{Command: strings.Trim(command, " `"), Quote: strings.Trim(quote, " \"`\r\n")}
		}
		all = append(all, e)
	}
	return all
}
