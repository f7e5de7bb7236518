package notify

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/store"
)

func TestMarkdownPutsWhatWouldBeMarkupIntoCode(t *testing.T) {
	for _, row := range []struct{ name, plain, markdown string }{
		{"plain words stay", "shop is down: HTTP 503 (3 of 3)", "shop is down: HTTP 503 (3 of 3)"},
		{"emphasis", "*all* is __well__", "`*all*` is `__well__`"},
		{"words that follow each other share a span", "a <b> *c* d", "a `< b> *c*` d"},
		{"a link in words", "[press](http://evil.example) here", "`[press](http://evil.example)` here"},
		{"what somebody meant as markup", "one <b>two</b> *three*, four", "one `< b>two< /b> *three*`, four"},
		{"HTML", `<a href="x">`, "`< a href=\"x\">`"},
		{"what begins a comment, within code", "`a <!-- b`", "`a < !-- b`"},
		{"comparisons", "1 < 2", "1 `<` 2"},
		{"an entity", "R&amp;D", "`R&amp;D`"},
		{"Slack's mention", "<!channel> up", "`< !channel>` up"},
		{"Discord's mention", "hello @everyone", "hello `@everyone`"},
		{"a URL stays a link", "see https://example.com/a-b?c=d.", "see https://example.com/a-b?c=d."},
		{"a URL with markup in it", "see http://h/a_b", "see `http://h/a_b`"},
		{"a backslash", `C:\new`, "`C:\\new`"},
		{"a table", "a | b", "a `|` b"},
		{"code stays", "run `docker ps -a`: no", "run `docker ps -a`: no"},
		{"code with markup stays", "`a_b` c", "`a_b` c"},
		{"code within a word that is markup", "*`a b`* c", "`*a b*` c"},
		{"a colon behind a word", `no agent: CLAUDEOPS_CLAUDE_BIN="claude": not found`, "no agent: `CLAUDEOPS_CLAUDE_BIN=\"claude\"`: not found"},
		{"the end of a sentence", "see a_b c_d.", "see `a_b c_d`."},
		{"punctuation within a span", "a_b, c_d; e", "`a_b, c_d`; e"},
		{"punctuation with nothing before it", "`_`*: a", "`_*`: a"},
		{"punctuation in code", "`a_b:` c", "`a_b:` c"},
		{"several marks", "really_?! yes", "`really_`?! yes"},
		{"an odd backtick", "a ` b", "a ' b"},
		{"the odd one of three", "`a` ` b", "`a` ' b"},
		{"a fence", "```sh", "'''sh"},
		{"code in two backticks", "``a``", "''a''"},
		{"empty code", "a ` ` b", "a ' ' b"},
		{"a heading", "# loud", "`#` loud"},
		{"a heading in a list", "- # loud", "- `#` loud"},
		{"a quotation", "> said", "`>` said"},
		{"a rule", "---", "`---`"},
		{"a rule with spaces", "- - -", "- `-` -"},
		{"a rule of stars", "* * *", "`* * *`"},
		{"a heading by the next line", "a\n===", "a  \n`===`"},
		{"a heading by a dash", "a\n-", "a  \n`-`"},
		{"a numbered list", "1. one", "`1`. one"},
		{"a number stays", "12 of 14.5", "12 of 14.5"},
		{"a flag", "-v is given", "`-v` is given"},
		{"lists", "- one\n- two", "- one\n- two"},
		{"a list in a list", "- one\n  - two", "- one\n- two"},
		{"a block of code by indentation", "a\n\n    b\n\tc", "a\n\nb  \nc"},
		{"a list within a text", "a\n- b\nc", "a\n\n- b\n\nc"},
		{"empty lines", "\n\na\n\n\n\nb\n\n", "a\n\nb"},
		{"lines stay lines", "a\nb", "a  \nb"},
		{"carriage return", "a\r\nb", "a  \nb"},
		{"colours", "\x1b[1;31mred\x1b[0m \u009b1mbold", "red bold"},
		{"a window's title", "\x1b]0;gone\astays \x1b]2;gone\x1b\\too", "stays too"},
		{"a terminal's text without end", "a\x1b]0;gone\nb", "a0;gone  \nb"},
		{"the direction of writing", "a\u202eb\u2066c\u200fd", "abcd"},
		{"control characters", "a\x00b\x07c\x7fd\u0085e", "abcde"},
		{"no UTF-8", "a\xffb", "a�b"},
		{"nothing", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			m := Message{Type: store.InfoMessage, Title: "T", Body: row.plain}
			if got := m.Markdown().Body; got != row.markdown {
				t.Errorf("%q; want %q", got, row.markdown)
			}
		})
	}
}

func TestTitleIsOneLine(t *testing.T) {
	for _, row := range []struct{ title, plain, markdown string }{
		{"shop is down", "shop is down", "shop is down"},
		{"shop_1 \x1b[1mis\r\n down\u202e", "shop_1 is down", "`shop_1` is down"},
		{strings.Repeat("ä", 150), strings.Repeat("ä", 150), strings.Repeat("ä", 150)},
		{strings.Repeat("ä", 151), strings.Repeat("ä", 149) + "…", strings.Repeat("ä", 149) + "…"},
	} {
		m := Message{Title: row.title}
		if got := m.Plain().Title; got != row.plain {
			t.Errorf("%q: plain %q; want %q", row.title, got, row.plain)
		}
		if got := m.Markdown().Title; got != row.markdown {
			t.Errorf("%q: markdown %q; want %q", row.title, got, row.markdown)
		}
	}
}

func TestPlainFormKeepsTheText(t *testing.T) {
	const body = "a `b` *c*\n\n  - d\n```\n# e"
	if got := (Message{Body: "\n" + body + "\x07\n"}).Plain().Body; got != body {
		t.Errorf("%q; want %q", got, body)
	}
}

// FuzzMarkdown: for any message, the only markup in the result is ours, and no word is lost.
func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{
		"- a `b` *c*\n- - d", "`a``b` ``` c", "<!--\n    x\n---", "a\x1b[31mb\x1b]0;c", "1. # > + = -", "`_` ` ` `", "~~~\n| a | b |\n|---|---|",
		"_a_ b _c_ d `e f` _g_ h _i_", "a\n=\n-\n_\n***", "\u009b\u202e@everyone &amp; \\", "* `*` *", "a` b_ `c",
	} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, title, body string) {
		m := Message{Title: title, Body: body}
		form := m.Markdown()
		if strings.Contains(form.Title, "\n") {
			t.Errorf("title %q has two lines", form.Title)
		}
		mustBeInert(t, form.Title)
		mustBeInert(t, form.Body)
		if got, want := letters(form.Title), letters(m.Plain().Title); got != want {
			t.Errorf("title %q of %q: other words", got, want)
		}
		if got, want := letters(form.Body), letters(m.Plain().Body); got != want {
			t.Errorf("body %q of %q: other words", got, want)
		}
		if again := form.Markdown(); again.Body != form.Body {
			t.Errorf("%q becomes %q when it is made once more", form.Body, again.Body)
		}
	})
}

// letters removes everything that can be taken for markup or for space between words.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '`' || r == '\'' {
			return -1
		}
		return r
	}, text)
}

func mustBeInert(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%q is not UTF-8", text)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
		t.Errorf("%q has control characters", text)
	}
	if strings.Contains(text, "``") {
		t.Errorf("%q has two backticks that follow each other", text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimLeftFunc(line, unicode.IsSpace) != line {
			t.Errorf("%q is indented", line)
		}
		parts := strings.Split(line, "`")
		if len(parts)%2 == 0 {
			t.Errorf("%q has an odd backtick", line)
		}
		for i := 0; i < len(parts); i += 2 {
			if strings.ContainsAny(parts[i], `*_[]<>&\~|@`) {
				t.Errorf("%q has markup outside of code", line)
			}
		}
		for i := 1; i < len(parts); i += 2 {
			if strings.TrimSpace(parts[i]) == "" {
				t.Errorf("%q has empty code", line)
			}
		}
		for i, c := range line {
			if c == '<' && i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '`' {
				t.Errorf("%q has the beginning of a tag", line)
			}
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "- "), " ")
		digits := strings.TrimLeft(first, "0123456789")
		if first != "" && (strings.ContainsAny(first[:1], "#+=>-") || digits != first && (digits == "." || digits == ")")) {
			t.Errorf("%q begins a block", line)
		}
	}
}
