package check

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// place is where a value stands. It is spelled out only where there is a fault
// to tell: most values have none.
type place struct {
	in    *place // nil for the outermost value, which name names
	name  string
	index int // among the elements of an array; -1 for a member of an object
}

func (p *place) String() string {
	switch {
	case p.in == nil:
		return p.name
	case p.index < 0:
		return member(p.in.String(), p.name)
	}
	return element(p.in.String(), p.index)
}

// member is the place of a member of the object at a place.
func member(at, name string) string {
	if !plain(name) {
		return at + "[" + quote(name) + "]"
	}
	if at == "" {
		return name
	}
	return at + "." + name
}

func element(at string, i int) string { return at + "[" + strconv.Itoa(i) + "]" }

// plain reports whether a member's name can stand in a place as it is.
func plain(name string) bool {
	if name == "" || len(name) > maxShown {
		return false
	}
	return !strings.ContainsFunc(name, func(c rune) bool {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		return !letter && (c < '0' || c > '9') && c != '_' && c != '-'
	})
}

// shortPlace leaves out the middle of a place that is too long to be read.
func shortPlace(at string) string {
	if utf8.RuneCountInString(at) <= maxPlace {
		return at
	}
	runes := []rune(at)
	return string(runes[:maxPlace/2]) + " … " + string(runes[len(runes)-maxPlace/2:])
}

// quote shows a foreign string on one line, shortened, with everything escaped
// that could pass for something else.
func quote(s string) string {
	runes := 0
	for i := range s {
		if runes == maxShown {
			return strconv.Quote(s[:i]) + "…"
		}
		runes++
	}
	return strconv.Quote(s)
}
