package settings

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
	"mvdan.cc/sh/v3/shell"
)

// A wrapped line holds the original in a variable that is not exported:
//
//	CLAUDE_HOOK='ORIGINAL'; command -v PROGRAM >/dev/null 2>&1 && exec PROGRAM run FLAGS -c "$CLAUDE_HOOK"; eval "$CLAUDE_HOOK"
//
// If PROGRAM is missing, the shell that would have run the original evaluates it. A hook with arguments is run without a shell, and gets
// one:
//
//	/bin/sh -c 'command -v PROGRAM >/dev/null 2>&1 && exec PROGRAM run FLAGS -- "$@"; exec "$@"' claude-hooks ORIGINAL ARGUMENTS…
const (
	lineStart    = "CLAUDE_HOOK="
	lineArgument = ` -c "$CLAUDE_HOOK"`
	lineFallback = `eval "$CLAUDE_HOOK"`
	argsArgument = ` -- "$@"`
	argsFallback = `exec "$@"`
	argsShell    = "/bin/sh"
	argsName     = "claude-hooks" // $0 of that shell
)

// maxArgument limits a wrapped line, in bytes. The system rejects arguments of 128 KiB.
const maxArgument = 96 << 10

// lineFault returns why a line would have another meaning when wrapped; empty if it would not.
func lineFault(line string) string {
	if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
		return "a shell takes it for an option"
	}
	if ownVariable.MatchString(line) {
		return "it has a CLAUDE_HOOK of its own"
	}
	return ""
}

var ownVariable = regexp.MustCompile(`\bCLAUDE_HOOK\b`)

// call returns the part of a wrapped command that decides what is run: for a line, or for arguments.
func (o Options) call(f flags, argument, fallback string) string {
	words := append(append(slices.Clone(o.Program), "run"), f.words()...)
	return "command -v " + quote(words[0]) + found + join(words) + argument + "; " + fallback
}

const found = " >/dev/null 2>&1 && exec "

// isCall reports whether text is a result of call, with any program and flags.
func isCall(text, argument, fallback string) bool {
	text, begun := strings.CutPrefix(text, "command -v ")
	program, text, tested := strings.Cut(text, found)
	text, complete := strings.CutSuffix(text, argument+"; "+fallback)
	words, simple := split(text)
	if !begun || !tested || !complete || !simple || program != quote(words[0]) {
		return false
	}
	words = words[1:]
	if len(words) > 0 && words[0] == "hooks" {
		words = words[1:]
	}
	return len(words) > 0 && words[0] == "run" && (len(words) == 1 || strings.HasPrefix(words[1], "-"))
}

// wrapLine returns the literal of a wrapped line. The original's characters are kept as written, except quotes, which end the quotation
// around them.
func wrapLine(literal hujson.Literal, call string) hujson.Literal {
	text, places := decode(literal)
	out := append(hujson.Literal{'"'}, lineStart+"'"...)
	at := 1
	for i := range len(text) {
		if text[i] == '\'' {
			out = append(append(out, literal[at:places[i]]...), `'\\`...)
			out = append(append(out, literal[places[i]:places[i+1]]...), '\'')
			at = places[i+1]
		}
	}
	out = append(append(out, literal[at:len(literal)-1]...), "'; "...)
	return append(out, hujson.String(call)[1:]...)
}

// unwrapLine undoes wrapLine; ok is false if the literal is not a result of wrapLine.
func unwrapLine(literal hujson.Literal) (original hujson.Literal, ok bool) {
	text, places := decode(literal)
	if !strings.HasPrefix(text, lineStart+"'") {
		return nil, false
	}
	original = hujson.Literal{'"'}
	for from := len(lineStart) + 1; ; {
		n := strings.IndexByte(text[from:], '\'')
		if n < 0 {
			return nil, false
		}
		end := from + n
		original = append(original, literal[places[from]:places[end]]...)
		if !strings.HasPrefix(text[end:], `'\''`) {
			call, ok := strings.CutPrefix(text[end:], "'; ")
			return append(original, '"'), ok && isCall(call, lineArgument, lineFallback)
		}
		original = append(original, literal[places[end+2]:places[end+3]]...)
		from = end + 4
	}
}

// join joins words to a line that a shell splits into those words.
func join(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return strings.Join(quoted, " ")
}

func quote(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// plain reports whether a character has no special meaning anywhere in a word.
func plain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_./:=@+,%-", r)
}

// split undoes join; ok is false if join would have written the line differently.
func split(line string) (words []string, ok bool) {
	words, err := shell.Fields(line, func(string) string { return "" })
	return words, err == nil && len(words) > 0 && join(words) == line
}
