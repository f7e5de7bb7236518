package guard

import (
	"strconv"
	"strings"
)

// ansiC is the text that $'…' stands for, where it has only the usual escapes.
func ansiC(raw string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			continue
		}
		i++
		at := strings.IndexByte(`nt\'`, raw[min(i, len(raw)-1)])
		if i == len(raw) || at < 0 {
			return b.String(), false
		}
		b.WriteByte("\n\t\\'"[at])
	}
	return b.String(), true
}

func span(s string, most int, in func(byte) bool) (n int) {
	for n < len(s) && n < most && in(s[n]) {
		n++
	}
	return n
}

func padded(n, width int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(0, width-len(s))) + s
}
