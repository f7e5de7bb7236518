package guard

import (
	"strconv"
	"strings"
)

// ansiC is the text that $'…' stands for. A NUL would cut it, so it is not read.
func ansiC(raw string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		text, used, ok := escape(raw[i+1:])
		if !ok || strings.ContainsRune(text, 0) {
			return b.String(), false
		}
		b.WriteString(text)
		i += used
	}
	return b.String(), true
}

// escape reads what follows a backslash in $'…', and how many bytes of it that takes.
func escape(s string) (text string, used int, ok bool) {
	switch c := s[0]; {
	case strings.IndexByte("\\'\"?", c) >= 0:
		return s[:1], 1, true
	case strings.IndexByte("abefnrtvE", c) >= 0:
		i := strings.IndexByte("abefnrtvE", c)
		return "\a\b\x1b\f\n\r\t\v\x1b"[i : i+1], 1, true
	case c >= '0' && c <= '7':
		n := span(s, 3, func(c byte) bool { return c >= '0' && c <= '7' })
		v, err := strconv.ParseUint(s[:n], 8, 16)
		return string([]byte{byte(v)}), n, err == nil
	case c == 'x':
		n := span(s[1:], 2, isHex)
		v, err := strconv.ParseUint(s[1:1+n], 16, 16)
		return string([]byte{byte(v)}), 1 + n, err == nil
	case c == 'u' || c == 'U':
		most := 4
		if c == 'U' {
			most = 8
		}
		n := span(s[1:], most, isHex)
		v, err := strconv.ParseUint(s[1:1+n], 16, 32)
		return string(rune(v)), 1 + n, err == nil
	}
	return "", 0, false
}

func span(s string, most int, in func(byte) bool) (n int) {
	for n < len(s) && n < most && in(s[n]) {
		n++
	}
	return n
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

// digits reads a small number without a sign.
func digits(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n <= 1_000_000 && s[0] != '+'
}

func padded(n, width int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(0, width-len(s))) + s
}
