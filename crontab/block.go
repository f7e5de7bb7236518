package crontab

import (
	"errors"
	"fmt"
	"strings"
)

// Marks begin and end the block of claudeops in a text that others edit too. The value is the comment prefix of that text. A line is a
// mark only if all of it matches; trailing white space, such as an editor's carriage return, is ignored.
type Marks string

// Comment prefixes of crontabs and systemd units, and of polkit rules.
const (
	Hash    Marks = "#"
	Slashes Marks = "//"
)

func (m Marks) begin() string { return string(m) + " BEGIN claudeops (claudeops crontab install)" }
func (m Marks) end() string   { return string(m) + " END claudeops" }

// unended follows the first mark if the line above had no newline at its end; removing the block then removes that newline too.
func (m Marks) unended() string { return string(m) + " (the line above had no newline at its end)" }

// ErrDamaged means that the block of claudeops cannot be located in a text.
var ErrDamaged = errors.New("the marks of claudeops are damaged")

// Put returns text with block, complete lines without a mark, as its only block of claudeops: in place of the earlier one, or at the end.
// Nothing outside the marks changes. A text that already has the block is returned unchanged.
func (m Marks) Put(text, block string) (string, error) {
	before, old, after, err := m.cut(text)
	if err != nil {
		return "", err
	}
	note := ""
	switch {
	case old == "" && before != "" && !strings.HasSuffix(before, "\n"):
		before, note = before+"\n", m.unended()+"\n"
	case m.isUnended(old):
		note = m.unended() + "\n"
	}
	return before + m.begin() + "\n" + note + block + m.end() + "\n" + after, nil
}

// Take returns text without our block; found is false if there was none.
func (m Marks) Take(text string) (rest string, found bool, err error) {
	before, old, after, err := m.cut(text)
	if err != nil || old == "" {
		return text, false, err
	}
	if m.isUnended(old) && after == "" {
		before = strings.TrimSuffix(before, "\n")
	}
	return before + after, true, nil
}

// cut splits text into the part before our block, the block with its marks (empty if there is none), and the rest.
func (m Marks) cut(text string) (before, block, after string, err error) {
	var begins, ends []int // lines, from 1
	var from, to, number, at int
	for line := range strings.Lines(text) {
		number++
		switch m.mark(line) {
		case m.begin():
			begins, from = append(begins, number), at
		case m.end():
			ends, to = append(ends, number), at+len(line)
		}
		at += len(line)
	}
	switch {
	case len(begins) == 0 && len(ends) == 0:
		return text, "", "", nil
	case len(begins) == 1 && len(ends) == 1 && begins[0] < ends[0]:
		return text[:from], text[from:to], text[to:], nil
	}
	return "", "", "", fmt.Errorf("%w: %q is in the lines %v and %q in %v, and there is to be one of each, in this order; take the lines of claudeops out by hand, "+
		"these marks too, and try again: nothing was changed", ErrDamaged, m.begin(), begins, m.end(), ends)
}

// mark returns a line in the form in which it is compared with the marks.
func (m Marks) mark(line string) string { return strings.TrimRight(line, " \t\r\n") }

func (m Marks) isUnended(block string) bool {
	_, inside, _ := strings.Cut(block, "\n")
	first, _, _ := strings.Cut(inside, "\n")
	return m.mark(first) == m.unended()
}
