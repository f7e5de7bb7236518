package probe

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// maxError is how long the error of a result is at most, in runes.
	maxError = 300
	// maxForeign is how much of a text is read to make an error of it, in bytes.
	maxForeign = 64 << 10
)

// clean makes a text fit for the error of a result: one line of at most maxError runes that a terminal shows as it is, without secrets.
func clean(foreign string, s secrets) string {
	foreign = excerpts(s.hide(foreign))
	foreign = s.hide(printable(foreign[:min(len(foreign), maxForeign)])) // again, for one that had something unprintable within
	return text.Shorten(foreign, maxError)
}

// The marks around a text of which a result shows the beginning, and what parts its length from it.
const (
	excerptBegins = "\x0e"
	excerptLength = ":"
	excerptEnds   = "\x0f"
)

// Excerpt is a foreign text within the error of a Finding, of which the result shows most runes. Only the result cuts it, once the
// secrets are out of it: half of one would not be known as such.
func Excerpt(text string, most int) string {
	text = strings.NewReplacer(excerptBegins, "", excerptEnds, "").Replace(text)
	if len(text) <= most {
		return text
	}
	return excerptBegins + strconv.Itoa(most) + excerptLength + text + excerptEnds
}

// excerpts cuts what Excerpt has marked.
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
			foreign = marked // a mark of another origin
			continue
		}
		b.WriteString(text.Shorten(whole, most))
		foreign = after
	}
}

// printable takes out of a text what is not shown: the codes that steer terminals, control characters, what is not UTF-8, and all
// white space but single spaces.
func printable(foreign string) string {
	foreign = text.Clean(strings.ReplaceAll(strings.ToValidUTF8(foreign, ""), "\r", "\n"))
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsGraphic(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, foreign)), " ")
}
