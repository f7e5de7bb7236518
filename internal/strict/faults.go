// Package strict parses JSON and YAML that others have written, without guessing: anything unexpected is a fault. All faults are reported
// at once, one line each, with the place, what was found and what was expected, so that the model or person who wrote it can correct
// everything in one go.
package strict

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// MaxDepth limits the nesting of lists and objects, including the outermost.
	MaxDepth = 64
	// maxFaults limits the faults that are reported of one text. Otherwise ten thousand results with the same fault would overwhelm the
	// reader.
	maxFaults = 100
	// maxShown limits the characters of a foreign string in a fault.
	maxShown = 60
	// maxPlace limits the characters of a place in a fault.
	maxPlace = 300
)

// Faults collects the faults of a text. The zero value has none.
type Faults struct {
	list []string
	more int
}

// Add records what is wrong at a place. An empty what is not a fault and is ignored; an empty at means the whole text. A fault that is
// recorded already, as for a value repeated by YAML aliases, is ignored.
func (f *Faults) Add(at, what string) {
	if what == "" {
		return
	}
	if runes := []rune(at); len(runes) > maxPlace { // leave out the middle
		at = string(runes[:maxPlace/2]) + " … " + string(runes[len(runes)-maxPlace/2:])
	}
	if at != "" {
		what = at + ": " + what
	}
	switch {
	case slices.Contains(f.list, what):
	case len(f.list) < maxFaults:
		f.list = append(f.list, what)
	default:
		f.more++
	}
}

// List returns the faults in the order in which they were found; nil if there are none. After the first hundred, a last line counts the
// others.
func (f *Faults) List() []string {
	if f.more == 0 {
		return f.list
	}
	return append(f.list[:len(f.list):len(f.list)], fmt.Sprintf("and %d more faults", f.more))
}

// Err returns the faults as an *InvalidError with that heading; nil if there are none.
func (f *Faults) Err(what string) error {
	if len(f.list) == 0 {
		return nil
	}
	return &InvalidError{what, f.List()}
}

// InvalidError says why a text is not valid. It lists every fault, one line each.
type InvalidError struct {
	What   string // as a heading: "handoff is not valid"
	Faults []string
}

func (e *InvalidError) Error() string { return e.What + ":\n  " + strings.Join(e.Faults, "\n  ") }

// Quote quotes a foreign string on one line, shortened, with ambiguous characters escaped.
func Quote(s string) string { return text.Quote(s, maxShown) }

// HasControl reports whether a text has characters that would leave its line or are invisible.
func HasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r == 0x200d || text.Steers(r) })
}

// position returns the position of a byte as shown by editors: from 1, in characters.
func position(data []byte, offset int) string {
	before := data[:min(offset, len(data))]
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return linePlace(bytes.Count(before, []byte("\n"))+1, column)
}

// notUTF8 records the first byte that is not UTF-8.
func notUTF8(data []byte, faults *Faults) bool {
	if utf8.Valid(data) {
		return false
	}
	valid := 0
	for {
		r, size := utf8.DecodeRune(data[valid:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		valid += size
	}
	faults.Add(position(data, valid), fmt.Sprintf("byte 0x%02x is not UTF-8", data[valid]))
	return true
}

func linePlace(line, column int) string { return fmt.Sprintf("line %d, column %d", line, column) }
