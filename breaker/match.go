package breaker

import (
	"path"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Matches reports whether a pattern of the settings means a hook. A pattern is a part of the hook's command, as the document's own
// examples are; in it * stands for any text, slashes too, and ? for one character. The empty pattern means no hook.
func Matches(pattern, hook string) bool {
	if pattern == "" {
		return false
	}
	if !strings.ContainsAny(pattern, "*?") {
		return strings.Contains(hook, pattern)
	}
	// What stands between two stars may as well be found where it comes first: that leaves the most for what follows.
	for part := range strings.SplitSeq(pattern, "*") {
		end := find(hook, part)
		if end < 0 {
			return false
		}
		hook = hook[end:]
	}
	return true
}

// find returns where the first occurrence of a part without stars ends in text, -1 where there is none.
func find(text, part string) int {
	before, _, question := strings.Cut(part, "?")
	for from := 0; ; {
		at := strings.Index(text[from:], before)
		if at < 0 {
			return -1
		}
		from += at
		if !question {
			return from + len(part)
		}
		if length := begins(text[from:], part); length >= 0 {
			return from + length
		}
		if from == len(text) {
			return -1
		}
		_, size := utf8.DecodeRuneInString(text[from:])
		from += size
	}
}

// begins returns the length of what part, without stars, means at the beginning of text, -1 where text begins otherwise.
func begins(text, part string) int {
	length := 0
	for i := range len(part) {
		size := 1
		switch {
		case length == len(text):
			return -1
		case part[i] == '?':
			_, size = utf8.DecodeRuneInString(text[length:])
		case part[i] != text[length]:
			return -1
		}
		length += size
	}
	return length
}

// The guard of claudeops is called by these words.
const (
	guardProgram = "claudeops"
	guardCommand = "guard"
)

// IsGuard reports whether a hook is the guard of claudeops, which no setting puts behind a circuit: skipped, it would let everything pass.
// It is found behind other programs (env, timeout, sh -c) too.
func IsGuard(hook string) bool { return callsGuard(hook, 3) }

func callsGuard(line string, depth int) bool {
	if depth == 0 || !strings.Contains(line, guardProgram) || !strings.Contains(line, guardCommand) {
		return false
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return namesGuard(strings.Fields(line))
	}
	found := false
	syntax.Walk(file, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		if !ok {
			return !found
		}
		words := make([]string, len(call.Args))
		for i, word := range call.Args {
			words[i] = literally(word.Parts)
			found = found || strings.ContainsAny(words[i], " \t\n") && callsGuard(words[i], depth-1)
		}
		found = found || namesGuard(words)
		return !found
	})
	return found
}

// namesGuard looks for the program and, as the first of its words that is no option, the command.
func namesGuard(words []string) bool {
	for i, word := range words {
		if path.Base(word) != guardProgram {
			continue
		}
		for j, argument := range words[i+1:] {
			if argument == guardCommand {
				return true
			}
			if !strings.HasPrefix(argument, "-") && (j == 0 || words[i+j] != "--env-file") { // the one that has a value
				break
			}
		}
	}
	return false
}

// literally is the text of a shell's word without its quotes. What the shell would put in is left out.
func literally(parts []syntax.WordPart) string {
	var text strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			text.WriteString(strings.ReplaceAll(part.Value, `\`, ""))
		case *syntax.SglQuoted:
			text.WriteString(part.Value)
		case *syntax.DblQuoted:
			text.WriteString(literally(part.Parts))
		}
	}
	return text.String()
}
