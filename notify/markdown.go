package notify

import "strings"

// markup are the characters with a special meaning in Markdown, HTML, Slack, Discord or Telegram. Words that begin with http:// become
// links in all of them, which is harmless.
const markup = "*_[]<>&`\\~|@"

// Markdown returns the message in the form that is sent. It contains error messages, names and agents' words, which are not trusted:
// words that would be markup are put into `code`, which no service changes, and adjacent ones into a single span. People's own text is
// treated the same: lines, lists of "- " and `code` are the only markup. Nothing is escaped with a backslash, since services without
// Markdown would show it. A line break is two spaces at the end of a line, and a list has an empty line before and after it.
func (m Message) Markdown() Message {
	m = m.Plain()
	m.Title = openTags.Replace(markdownWords(evenTicks(m.Title)))
	m.Body = markdownLines(m.Body)
	return m
}

func markdownLines(body string) string {
	const hardBreak = "  "
	var b strings.Builder
	was := "" // the previous line
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

// markdownLine returns a line without indentation, which could make it a code block or a nested list.
func markdownLine(line string) string {
	line = strings.TrimSpace(line)
	rest, found := strings.CutPrefix(line, item)
	if rest = openTags.Replace(markdownWords(evenTicks(strings.TrimSpace(rest)))); found {
		return item + rest
	}
	return rest
}

// openTags adds a space after each "<" that could begin a tag, a comment or the like. The Markdown parser of the apprise program searches
// for these before it searches for code, and a few of them can make it run forever.
var openTags = strings.NewReplacer("< ", "< ", "<`", "<`", "<", "< ")

// evenTicks keeps only the backticks that enclose a text in a line; the others become apostrophes.
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

// markdownWords puts words that would be markup into code spans, adjacent ones into one span.
func markdownWords(line string) string {
	words := splitWords(line)
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

// cutPunctuation splits off punctuation at the end of a text, unless nothing else is left.
func cutPunctuation(text string) (rest, punctuation string) {
	rest = strings.TrimRight(text, ".,:;!?")
	if strings.TrimSpace(rest) == "" {
		return text, ""
	}
	return rest, text[len(rest):]
}

// word is a word of a line; a code span belongs to one word.
type word struct {
	spaces int // preceding spaces
	text   string
	marked bool // would be markup
}

// splitWords splits a line at its spaces, except those in code spans.
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

// beginsBlock reports whether the first word of a line makes it a heading, a quotation, a rule or a list item.
func beginsBlock(word string) bool {
	digits := len(word) - len(strings.TrimLeft(word, "0123456789"))
	return strings.IndexByte("#+=>-", word[0]) >= 0 || digits > 0 && (word[digits:] == "." || word[digits:] == ")")
}
