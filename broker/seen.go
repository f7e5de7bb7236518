package broker

import (
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxSeenOutput limits what is kept of one call's output, in bytes: about what an answer holds.
	maxSeenOutput = 32 << 10
	// maxSeen limits the calls of a session that are kept, the last ones.
	maxSeen = 500
)

// Seen is what the calls of a running session have printed, masked, as its agent could read it. It is in memory alone.
type Seen struct{ calls []*seenCall }

type seenCall struct {
	command string
	output  []byte
}

// record returns a writer that also keeps what it writes to out, the output of a command. Calls come one at a time.
func (s *Seen) record(command string, out io.Writer) io.Writer {
	call := &seenCall{command: command}
	s.calls = append(s.calls[max(0, len(s.calls)+1-maxSeen):], call)
	return io.MultiWriter(out, call)
}

func (c *seenCall) Write(p []byte) (int, error) {
	c.output = append(c.output, p[:min(len(p), maxSeenOutput-len(c.output))]...)
	return len(p), nil
}

// Printed reports whether a command of the session, or shell text that contains it, has printed the quote. What a
// command prints because the quote is in its own text, as echo does, is no evidence.
func (s *Seen) Printed(command, quote string) bool {
	return slices.ContainsFunc(s.calls, func(call *seenCall) bool {
		return contains(command, call.command) && Quotes(quote, string(call.output)) && !contains(quote, call.command)
	})
}

// leastQuoted is how many characters of a text are a quote of it.
const leastQuoted = 4

// Quotes reports whether a quote is of a text: some words of it, or a whole line however short. A digit is in every text.
func Quotes(quote, text string) bool {
	words := wordsOf(quote)
	if utf8.RuneCountInString(words) >= leastQuoted {
		return contains(quote, text)
	}
	for line := range strings.Lines(text) {
		if words != "" && wordsOf(line) == words {
			return true
		}
	}
	return false
}

// contains reports whether the words of a text, of which there is one at least, are in another in the same order.
func contains(part, whole string) bool {
	words := wordsOf(part)
	return words != "" && strings.Contains(" "+wordsOf(whole)+" ", " "+words+" ")
}

// wordsOf returns the words of a text, with one blank between them. White space and punctuation do not matter.
func wordsOf(s string) string {
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.Join(strings.FieldsFunc(s, between), " ")
}
