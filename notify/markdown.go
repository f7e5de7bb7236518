package notify

import (
	"strings"
)

// markup are the characters by which Markdown, HTML, Slack, Discord or Telegram take a word for something else than text. What begins
// with http:// is a link in all of them, which does no harm.
const markup = "*_[]<>&`\\~|@"

// manyRuns is from how many code spans on a line it reads better as one.
const manyRuns = 4

// Markdown returns the message in the form that is sent. It has error messages, names and agents' words in it, which are not trusted: words
// that would be markup are put into `code`, which all services leave alone, together with the space between them. The same goes for what
// people write: lines, lists of "- " and `code` are all the markup there is. Nothing is escaped by a backslash, which services without
// Markdown would show. A line break is two spaces at the end of a line, and a list has an empty line before and after it.
func (m Message) Markdown() Message {
	m = m.Plain()
	m.Title = openTags.Replace(markdownWords(evenTicks(m.Title)))
	m.Body = markdownLines(m.Body)
	return m
}

func markdownLines(body string) string {
	const hardBreak = "  "
	var b strings.Builder
	was := "" // the line before
	for line := range strings.SplitSeq(body, "\n") {
		line = markdownLine(line)
		switch {
		case line == "":
		case was != "" && isItem(was) == isItem(line):
			if !isItem(line) {
				b.WriteString(hardBreak)
			}
			b.WriteByte('\n')
		case b.Len() > 0:
			b.WriteString("\n\n")
		}
		b.WriteString(line)
		was = line
	}
	return b.String()
}

const item = "- "

func isItem(line string) bool { return strings.HasPrefix(line, item) }

// markdownLine is a line without its indentation, by which it could become a block of code or a list in a list.
func markdownLine(line string) string {
	line = strings.TrimSpace(line)
	rest, found := strings.CutPrefix(line, item)
	if rest = openTags.Replace(markdownWords(evenTicks(strings.TrimSpace(rest)))); found {
		return item + rest
	}
	return rest
}

// openTags puts a space behind each "<" with which a tag, a comment or the like could begin: the Markdown reader of the apprise program
// looks for these before it looks for code, and a few of them can keep it busy for ever.
var openTags = strings.NewReplacer("< ", "< ", "<`", "<`", "<", "< ")

// evenTicks leaves only those backticks of a line that are around a text, one before and one after it; the others become apostrophes.
func evenTicks(line string) string {
	var b strings.Builder
	for line != "" {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			break
		}
		b.WriteString(line[:at])
		line = line[at:]
		if run := len(line) - len(strings.TrimLeft(line, "`")); run > 1 {
			b.WriteString(strings.Repeat("'", run))
			line = line[run:]
			continue
		}
		end := strings.IndexByte(line[1:], '`') + 1
		if end == 0 || strings.HasPrefix(line[end:], "``") || strings.TrimSpace(line[1:end]) == "" {
			b.WriteByte('\'')
			line = line[1:]
			continue
		}
		b.WriteString(line[:end+1])
		line = line[end+1:]
	}
	return b.String() + line
}

// markdownWords puts the words of a line that would be markup into code spans, those that follow each other into one.
func markdownWords(line string) string {
	words := splitWords(line)
	runs, first, last := 0, -1, -1
	for i, w := range words {
		if !w.marked {
			continue
		}
		if last < 0 || last < i-1 {
			runs++
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	if runs >= manyRuns {
		for i := first; i <= last; i++ {
			words[i].marked = true
		}
	}
	var b strings.Builder
	within := false
	for i, w := range words {
		b.WriteString(strings.Repeat(" ", w.spaces))
		if !w.marked {
			b.WriteString(w.text)
			continue
		}
		if !within {
			b.WriteByte('`')
		}
		text := strings.ReplaceAll(w.text, "`", "")
		if within = i+1 < len(words) && words[i+1].marked; within {
			b.WriteString(text)
			continue
		}
		code, after := cutPunctuation(text)
		b.WriteString(code + "`" + after)
	}
	return b.String()
}

// cutPunctuation cuts off what ends a text as a part of a sentence, unless nothing is left then.
func cutPunctuation(text string) (rest, punctuation string) {
	rest = strings.TrimRight(text, ".,:;!?")
	if strings.TrimSpace(rest) == "" {
		return text, ""
	}
	return rest, text[len(rest):]
}

// word is one of a line, with the code spans in it.
type word struct {
	spaces int // before it
	text   string
	marked bool // would be markup
}

// splitWords splits a line at its spaces, but for those in code spans.
func splitWords(line string) []word {
	var words []word
	var w word
	code := false
	for i := range len(line) {
		switch c := line[i]; {
		case c == ' ' && !code:
			if w.text != "" {
				words, w = append(words, w), word{}
			}
			w.spaces++
			continue
		case c == '`':
			code = !code
		case !code && strings.IndexByte(markup, c) >= 0:
			w.marked = true
		}
		w.text += line[i : i+1]
	}
	if w.text != "" {
		words = append(words, w)
	}
	if len(words) > 0 && beginsBlock(words[0].text) {
		words[0].marked = true
	}
	return words
}

// beginsBlock reports whether the first word of a line makes it a heading, a quotation, a rule, or an item of a list.
func beginsBlock(word string) bool {
	digits := len(word) - len(strings.TrimLeft(word, "0123456789"))
	return strings.IndexByte("#+=>-", word[0]) >= 0 || digits > 0 && (word[digits:] == "." || word[digits:] == ")")
}
