package check

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"

	"github.com/claudeops/claudeops/internal/lazy"
)

// Fingerprint identifies the state of a service: by check types and statuses and, after a dash, by these and errors. It leaves out parts of
// an error that vary between occurrences of the same problem.
func Fingerprint(results []Result) string {
	var states, said, all []string
	for _, r := range results {
		if !r.Status.Unwell() {
			continue
		}
		kind := string(r.Type) + " " + string(r.Status)
		all = append(all, kind+" "+WithoutNumbers(r.Error))
		if r.Type == Alert {
			said = append(said, kind)
		} else {
			states = append(states, kind)
		}
	}
	if states == nil { // beside a check of ours, what others say comes and goes as words do
		states = said
	}
	return hashed(states) + "-" + hashed(all)
}

// hashed identifies a set of lines.
func hashed(lines []string) string {
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(lines), "\n")))
	return hex.EncodeToString(sum[:6])
}

// OnlyWords reports whether two fingerprints differ, and in nothing but the words of errors.
func OnlyWords(before, after string) bool {
	state, _, _ := strings.Cut(before, "-")
	return before != after && strings.HasPrefix(after, state+"-")
}

// age matches how long ago something was, as text.Ago writes it: its words change with time.
var age = lazy.Regexp(`just now|\d+ [a-z]+ ago`)

// WithoutNumbers removes every age, and every part of a word that contains a digit: numbers, times, addresses and hexadecimal names.
func WithoutNumbers(s string) string {
	words := strings.FieldsFunc(age().ReplaceAllString(strings.ToLower(s), ""), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool {
		hexadecimal := len(w) >= 8 && strings.Trim(w, "abcdef") == ""
		return hexadecimal || strings.ContainsFunc(w, unicode.IsDigit)
	})
	return strings.Join(words, " ")
}
