package cycle

import (
	"context"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/store"
)

const (
	// maxSeenOutput limits what is kept of one call's output, in bytes: about what an answer holds.
	maxSeenOutput = 32 << 10
	// maxSeen limits the calls of a session that are kept, the last ones.
	maxSeen = 500
)

// seen is what the calls of a running session have printed, masked, as its agent could read it. It is in memory alone.
type seen struct{ calls []*seenCall }

type seenCall struct {
	command string
	output  []byte
}

// record returns a writer that also keeps what it writes to out, the output of a command. Calls come one at a time.
func (s *seen) record(command string, out io.Writer) io.Writer {
	call := &seenCall{command: command}
	s.calls = append(s.calls[max(0, len(s.calls)+1-maxSeen):], call)
	return io.MultiWriter(out, call)
}

func (c *seenCall) Write(p []byte) (int, error) {
	c.output = append(c.output, p[:min(len(p), maxSeenOutput-len(c.output))]...)
	return len(p), nil
}

// printed reports whether a command of the session, or shell text that contains it, has printed the quote. What a
// command prints because the quote is in its own text, as echo does, is no evidence.
func (s *seen) printed(command, quote string) bool {
	return slices.ContainsFunc(s.calls, func(call *seenCall) bool {
		return within(command, call.command) && quotes(quote, string(call.output)) && !within(quote, call.command)
	})
}

// leastQuoted is how many characters of a text are a quote of it.
const leastQuoted = 4

// quotes reports whether a quote is of a text: some words of it, or a whole line however short. A digit is in every text.
func quotes(quote, text string) bool {
	words := wordsOf(quote)
	if utf8.RuneCountInString(words) >= leastQuoted {
		return within(quote, text)
	}
	for line := range strings.Lines(text) {
		if words != "" && wordsOf(line) == words {
			return true
		}
	}
	return false
}

// within reports whether the words of a text, of which there is one at least, are in another in the same order.
func within(part, whole string) bool {
	words := wordsOf(part)
	return words != "" && strings.Contains(" "+wordsOf(whole)+" ", " "+words+" ")
}

// wordsOf returns the words of a text, with one blank between them. White space and punctuation do not matter.
func wordsOf(s string) string {
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.Join(strings.FieldsFunc(s, between), " ")
}

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
		e.Verified = e.Quote != "" && done.seen.printed(e.Command, e.Quote)
		for _, k := range checks {
			made := k.Source == store.Probed && (e.Check == k.Service || e.Check == k.Service+" "+string(k.Type))
			e.Verified = e.Verified || made && quotes(e.Quote, string(k.Status)+" "+k.Error)
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
