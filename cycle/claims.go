package cycle

import (
	"context"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/store"
)

const (
	// maxSeenOutput limits what is kept of one call's output, in bytes: about what an answer holds.
	maxSeenOutput = 32 << 10
	// maxSeen limits what is kept of all calls of a session, in bytes. The oldest are dropped.
	maxSeen = 4 << 20
)

// seen is what the calls of a running session have printed, masked, as its agent could read it. It is in memory alone.
type seen struct {
	calls []*seenCall
	bytes int
}

type seenCall struct {
	all     *seen
	command string
	output  []byte
}

// record returns a writer that also keeps what it writes to out, the output of a command. Calls come one at a time.
func (s *seen) record(command string, out io.Writer) io.Writer {
	for s.bytes > maxSeen {
		s.bytes -= len(s.calls[0].output)
		s.calls = s.calls[1:]
	}
	call := &seenCall{all: s, command: command}
	s.calls = append(s.calls, call)
	return io.MultiWriter(out, call)
}

func (c *seenCall) Write(p []byte) (int, error) {
	kept := p[:min(len(p), maxSeenOutput-len(c.output))]
	c.output = append(c.output, kept...)
	c.all.bytes += len(kept)
	return len(p), nil
}

// printed reports whether a command of the session, or shell text that contains it, has printed the quote. White space does not matter.
// What a command prints because the quote is in its own text, as echo does, is no evidence.
func (s *seen) printed(command, quote string) bool {
	for _, call := range s.calls {
		if within(command, call.command) && quotes(quote, string(call.output)) && !within(quote, call.command) {
			return true
		}
	}
	return false
}

// leastQuoted is how many characters of a text are a quote of it.
const leastQuoted = 4

// quotes reports whether a quote is of a text: some words of it, or a whole line however short. A letter is in every text.
func quotes(quote, text string) bool {
	if utf8.RuneCountInString(oneSpace(quote)) >= leastQuoted {
		return within(quote, text)
	}
	for line := range strings.Lines(text) {
		if oneSpace(quote) != "" && oneSpace(line) == oneSpace(quote) {
			return true
		}
	}
	return false
}

// within reports whether a text that is not blank is in another, as whole words, if each run of white space counts as one blank.
func within(part, whole string) bool {
	part, whole = oneSpace(part), oneSpace(whole)
	for at := 0; part != ""; at++ {
		next := strings.Index(whole[at:], part)
		if next < 0 {
			return false
		}
		at += next
		before, _ := utf8.DecodeLastRuneInString(whole[:at])
		after, _ := utf8.DecodeRuneInString(whole[at+len(part):])
		first, _ := utf8.DecodeRuneInString(part)
		last, _ := utf8.DecodeLastRuneInString(part)
		if !(inWord(before) && inWord(first)) && !(inWord(last) && inWord(after)) {
			return true
		}
	}
	return false
}

func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// verify sets which evidence of a tier is verified: by the outputs of its calls, or by the program's own checks of its chain.
func (c *Cycle) verify(ctx context.Context, done *tierRun, evidence []handoff.Evidence) error {
	if len(evidence) == 0 {
		return nil
	}
	var sessions []int64
	for run := done; run != nil; run = run.parent {
		sessions = append(sessions, run.session.ID)
	}
	checks, err := c.Store.LatestBySession(ctx, sessions...)
	if err != nil {
		return err
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

// claimed returns a tier's last message, headed by whether the program has verified its evidence: what the message quotes, and its handoff.
// Only what a model claims is headed, and of Tier 1, whose results are checked, only an answer.
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

// evidenceIn returns the evidence in a tier's last message. A line that says no quote, or is one too many to be looked up, is evidence
// without a quote, which is never verified.
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
