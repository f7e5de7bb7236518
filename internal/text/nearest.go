package text

import (
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// longest limits the compared names, in bytes, because the time grows with the product of both lengths.
const longest = 128

// Nearest returns the candidate that differs least from a name; of several, the first alphabetically. Case is ignored, and so is what
// bare removes; nil removes nothing. It returns "" if more than a third of the letters would have to change, or more than two in a short
// name, or more than half in a very short one.
func Nearest(name string, candidates []string, bare func(string) string) string {
	if bare == nil {
		bare = func(s string) string { return s }
	}
	if len(name) > longest {
		return ""
	}
	name = strings.ToLower(bare(name))
	letters := utf8.RuneCountInString(name)
	best, least := "", min(max(letters/3, 2), letters/2)
	for _, candidate := range candidates {
		d := levenshtein.ComputeDistance(name, strings.ToLower(bare(candidate)))
		if d < least || d == least && (best == "" || candidate < best) {
			best, least = candidate, d
		}
	}
	return best
}
