// Package strict reads text that others have written, JSON and YAML, without guessing: what is not exactly as expected is a fault. Every
// fault is named at once, each on one line that says where it is, what was found and what was expected, so that the model or person who
// wrote it can mend it in one go.
package strict

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// MaxDepth is how deep lists and objects may be nested, the outermost counted.
	MaxDepth = 64
	// maxFaults is how many faults of one text are spelled out. Ten thousand results that are wrong in the same way would otherwise drown
	// the reader.
	maxFaults = 100
	// maxShown is how many characters of a foreign string a fault repeats.
	maxShown = 60
	// maxPlace is how many characters of a place a fault repeats.
	maxPlace = 300
)

// Faults collects what is wrong with a text. The zero value has none.
type Faults struct {
	list []string
	more int
}

// Add notes what is wrong at a place. An empty what is no fault and notes nothing; an empty at is the text as a whole. What is noted
// already, as of a value that YAML's aliases repeat, is not noted again.
func (f *Faults) Add(at, what string) {
	if what == "" {
		return
	}
	if runes := []rune(at); len(runes) > maxPlace { // the middle is left out
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

// List returns the faults in the order of finding, nil if there are none. Beyond the first hundred one last line counts the others.
func (f *Faults) List() []string {
	if f.more == 0 {
		return f.list
	}
	return append(f.list[:len(f.list):len(f.list)], fmt.Sprintf("and %d more faults", f.more))
}

// Quote shows a foreign string on one line, shortened, with everything escaped that could pass for something else.
func Quote(s string) string { return text.Quote(s, maxShown) }

// HasControl reports whether a text has characters that would not stay on its line, or cannot be seen there.
func HasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	})
}

// position is the place of the byte at offset as an editor shows it: from 1, in characters.
func position(data []byte, offset int) string {
	before := data[:min(offset, len(data))]
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return linePlace(bytes.Count(before, []byte("\n"))+1, column)
}

// notUTF8 notes the first byte that is not UTF-8.
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
