package handoff

import (
	"slices"

	"github.com/claudeops/claudeops/check"
)

// shortened ends an error text of which only the beginning was kept.
const shortened = "… [shortened]"

// shortenErrors shortens the error texts of results until they take over fewer
// characters of JSON, or none can be shortened further, and counts the texts
// that it touched. The longest one at the time is cut to half, or by what is
// still to be saved if that is less: of two long texts both keep a beginning,
// and few texts are cut where that is enough. The results given stay as they are.
func shortenErrors(results []check.Result, over int) (short []check.Result, touched int) {
	short = slices.Clone(results)
	widths := make([]int, len(short))
	for i, r := range short {
		widths[i] = width(r.Error)
	}
	cut := make([]bool, len(short))
	for over > 0 {
		i := longest(widths)
		if i < 0 || widths[i] <= width(shortened) {
			break
		}
		text, now := shorten(results[i].Error, max(widths[i]/2, widths[i]-over))
		short[i].Error = text
		over -= widths[i] - now
		widths[i] = now
		if !cut[i] {
			cut[i] = true
			touched++
		}
	}
	return short, touched
}

// longest returns the index of the largest width, the first of equal ones; -1
// where there is none.
func longest(widths []int) int {
	at := -1
	for i, w := range widths {
		if at < 0 || w > widths[at] {
			at = i
		}
	}
	return at
}

// shorten keeps as much of the beginning of s as fits into limit characters of
// JSON together with the mark, at least the mark alone.
func shorten(s string, limit int) (text string, wide int) {
	wide = width(shortened)
	for i, r := range s {
		if wide+runeWidth(r) > limit {
			return s[:i] + shortened, wide
		}
		wide += runeWidth(r)
	}
	return s + shortened, wide
}

// width is how many characters s takes in the JSON of a context.
func width(s string) (n int) {
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch r {
	case '"', '\\', '\b', '\f', '\n', '\r', '\t':
		return 2
	case '<', '>', '&', '\u2028', '\u2029':
		return len(`\u003c`)
	}
	if r < ' ' {
		return len(`\u0000`)
	}
	return 1
}
