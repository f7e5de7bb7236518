package probe

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// maxError limits the error of a result, in runes.
	maxError = 300
	// maxForeign limits how much of a text is processed for an error, in bytes.
	maxForeign = 64 << 10
	// maxExcerpt limits how much of an excerpt is searched for secrets, in bytes, beyond what may be shown.
	maxExcerpt = 16 << 10
)

// clean returns a text for the error of a result: one line of at most maxError runes, without control characters and secrets.
func clean(foreign string, s secrets) string {
	foreign = excerpts(s.hide(foreign))
	foreign = s.hide(printable(foreign[:min(len(foreign), maxForeign)])) // again, because unprintable characters may have split a secret
	return text.Shorten(foreign, maxError)
}

// The marks around a text of which a result shows the start, and the separator after its length.
const (
	excerptBegins = "\x0e"
	excerptLength = ":"
	excerptEnds   = "\x0f"
)

// Excerpt marks a foreign text in the error of a result, of which the result shows most runes. The text is cut so short only in the
// result, after secrets are removed: a partial secret would not be recognised. Here a very long one is cut, far behind what is shown, and
// between two words if there are any.
func Excerpt(foreign string, most int) string {
	foreign = strings.NewReplacer(excerptBegins, "", excerptEnds, "").Replace(foreign)
	if len(foreign) <= most {
		return foreign
	}
	if shown := utf8.UTFMax * most; len(foreign) > shown+maxExcerpt {
		foreign = text.ShortenBytes(foreign, shown+maxExcerpt)
		if blank := strings.LastIndexFunc(foreign, unicode.IsSpace); blank > shown {
			foreign = foreign[:blank]
		}
	}
	return excerptBegins + strconv.Itoa(most) + excerptLength + foreign + excerptEnds
}

// quoted formats a foreign text for the error of a result.
func quoted(text string) string { return Excerpt(strings.ToValidUTF8(text, "?"), 100) }

// firstLine returns the first line that is not blank of a foreign text, for the error of a result.
func firstLine(foreign string) string {
	return Excerpt(text.Unlinked(strings.ReplaceAll(text.FirstLine(foreign), "`", "'")), maxError)
}

// listed joins the first few foreign texts for the error of a result.
func listed(texts []string) string {
	const most = 4
	var shown []string
	for _, text := range texts[:min(len(texts), most)] {
		shown = append(shown, quoted(text))
	}
	list := strings.Join(shown, ", ")
	if more := len(texts) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// excerpts cuts the texts that Excerpt has marked.
func excerpts(foreign string) string {
	var b strings.Builder
	for {
		before, marked, found := strings.Cut(foreign, excerptBegins)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		length, rest, _ := strings.Cut(marked, excerptLength)
		whole, after, ended := strings.Cut(rest, excerptEnds)
		most, err := strconv.Atoi(length)
		if err != nil || most < 1 || !ended {
			foreign = marked // this mark is not from Excerpt
			continue
		}
		b.WriteString(text.Shorten(whole, most))
		foreign = after
	}
}

// printable removes what should not be shown: terminal escape codes, control characters, invalid UTF-8, and all white space except single
// spaces.
func printable(foreign string) string {
	foreign = text.Clean(strings.ReplaceAll(strings.ToValidUTF8(foreign, ""), "\r", "\n"))
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsGraphic(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, foreign)), " ")
}

// firstWords returns a foreign text on one line, cut to at most 200 runes.
func firstWords(text string) string { return Excerpt(strings.Join(strings.Fields(text), " "), 200) }
