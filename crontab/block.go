package crontab

import (
	"errors"
	"fmt"
	"strings"
)

// Marks begin and end the block of claudeops in a text that others edit too. Their value is what begins a comment there. A line is a mark by its
// whole text; white space at its end, such as an editor's carriage return, does not count.
type Marks string

// The comments of crontabs and systemd units, and of polkit rules.
const (
	Hash    Marks = "#"
	Slashes Marks = "//"
)

func (m Marks) begin() string { return string(m) + " BEGIN claudeops (claudeops crontab install)" }
func (m Marks) end() string   { return string(m) + " END claudeops" }

// unended follows the first mark where the line above had no newline at its end: what takes the block out takes that newline out too.
func (m Marks) unended() string { return string(m) + " (the line above had no newline at its end)" }

// ErrDamaged is of a text in which the block of claudeops cannot be found.
var ErrDamaged = errors.New("the marks of claudeops are damaged")

// Put gives text with block, whole lines without a mark, as its only block of claudeops: in the place of the earlier one, or at the end. Nothing
// outside the marks changes. A text that has it already comes back as it is.
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

// Take gives text without our block. found is false where there was none.
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

// cut divides text into what comes before our block, the block with its marks, which is empty where there is none, and what follows.
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
	return "", "", "", m.damage(begins, ends)
}

// mark is a line as it would stand if it were a mark.
func (m Marks) mark(line string) string { return strings.TrimRight(line, " \t\r\n") }

func (m Marks) isUnended(block string) bool {
	_, inside, _ := strings.Cut(block, "\n")
	first, _, _ := strings.Cut(inside, "\n")
	return m.mark(first) == m.unended()
}

// damage says which lines are wrong, and what to do about them.
func (m Marks) damage(begins, ends []int) error {
	return fmt.Errorf("%w: %q is in the lines %v and %q in %v, and there is to be one of each, in this order; take the lines of claudeops out by hand, "+
		"these marks too, and try again: nothing was changed", ErrDamaged, m.begin(), begins, m.end(), ends)
}
