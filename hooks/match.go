package hooks

import "strings"

// Matches reports whether a pattern of the settings means a hook: the pattern is a part of the hook's command, as the document's own
// examples are, or it is the glob of such a part. In a glob * stands for any text, slashes too, ? for one character and [ab], [a-z]
// and [!x] for one of those or one other; a [ that nothing closes, and every other character, a backslash too, stand for themselves.
// The empty pattern means no hook.
func Matches(pattern, hook string) bool {
	switch {
	case pattern == "":
		return false
	case strings.Contains(hook, pattern): // a whole command may have all of these characters in it
		return true
	case !strings.ContainsAny(pattern, "*?["):
		return false
	}
	// What stands between two stars may as well be found where it comes first: that leaves the most for what follows.
	for _, part := range globParts(pattern) {
		end := part.find(hook)
		if end < 0 {
			return false
		}
		hook = hook[end:]
	}
	return true
}

// find returns where the first occurrence of a part in text ends, -1 where there is none. It goes through the text once: what a
// pattern may ask for is bounded by its own length.
func (g globPart) find(text string) int {
	from := strings.Index(text, g.literal)
	switch {
	case from < 0:
		return -1
	case g.plain:
		return from + len(g.literal)
	}
	// Bit n of found says that the text before this place ends in what the first n+1 of the elements mean.
	found := make([]uint64, (len(g.elements)+63)/64)
	masks := map[rune][]uint64{} // which elements mean a character
	last := len(g.elements) - 1
	for at := from; at < len(text); {
		r, size := character(text[at:])
		at += size
		mask, known := masks[r]
		if !known {
			mask = make([]uint64, len(found))
			for i, e := range g.elements {
				if e.means(r) {
					mask[i/64] |= 1 << (i % 64)
				}
			}
			masks[r] = mask
		}
		carry := uint64(1)
		for i, word := range found {
			found[i] = (word<<1 | carry) & mask[i]
			carry = word >> 63
		}
		if found[last/64]>>(last%64)&1 == 1 {
			return at
		}
	}
	return -1
}
