package notify

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/lazy"
)

const (
	redacted = "[redacted]"
	// minPiece is the minimum length, in bytes, of a part of a URL that is masked. A shorter part protects nothing, and would match
	// everywhere.
	minPiece = 6
)

// Mask replaces pieces of URLs in a text, and the signatures of links. The zero Mask replaces the signatures alone.
type Mask struct{ pieces []string } // in lower case, the longest first

// NewMask returns a Mask for Apprise URLs and passwords. A URL's scheme stays visible, and so does a host that is not a secret.
func NewMask(secrets ...string) Mask {
	var m Mask
	for _, secret := range secrets {
		if scheme, rest, found := strings.Cut(secret, "://"); found {
			m.addURL(scheme, rest)
		} else {
			m.add(secret, "")
		}
	}
	slices.SortFunc(m.pieces, func(a, b string) int { return len(b) - len(a) })
	m.pieces = slices.Compact(m.pieces)
	return m
}

// signature matches the signature of a link, of 64 digits, or as much of it as a service quotes: fewer than half of it are of no use.
var signature = lazy.Regexp(`[0-9A-Fa-f]{32,}`)

// addURL adds the parts of a URL.
func (m *Mask) addURL(scheme, rest string) {
	host := plainHost(authority(rest))
	m.addForm(scheme+"://"+rest, host)
	m.addForm(rest, host)
	rest, fragment, _ := strings.Cut(rest, "#")
	m.add(fragment, host)
	rest, query, _ := strings.Cut(rest, "?")
	for pair := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		if name, value, found := strings.Cut(pair, "="); !found || !everyday(name) {
			m.add(value, host)
			if !found {
				m.add(name, host)
			}
		}
	}
	at := authority(rest)
	for segment := range strings.SplitSeq(rest[len(at):], "/") {
		m.add(segment, host)
	}
	if i := strings.LastIndexByte(at, '@'); i >= 0 {
		for j, c := range at[:i] { // either part may contain a colon, so every split counts
			if c == ':' {
				m.add(at[:j], host)
				m.add(at[j+1:i], host)
			}
		}
		m.add(at[:i], host)
		m.addBasic(at[:i], host)
		at = at[i+1:]
	}
	m.add(at, host)
}

// addBasic adds user and password in the form of an HTTP header, which a server's answer may quote.
func (m *Mask) addBasic(userinfo, host string) {
	user, password, _ := strings.Cut(userinfo, ":")
	for _, unescape := range []func(string) (string, error){url.PathUnescape, func(s string) (string, error) { return s, nil }} {
		u, userErr := unescape(user)
		p, passwordErr := unescape(password)
		if userErr == nil && passwordErr == nil {
			m.addForm(base64.StdEncoding.EncodeToString([]byte(u+":"+p)), host)
		}
	}
}

// everyday reports whether a query parameter is not a secret; masking its value would hide parts of a service's message.
func everyday(name string) bool {
	switch strings.ToLower(name) {
	case "format", "overflow", "verify", "method", "priority", "rto", "cto":
		return true
	}
	return false
}

// add adds a part as written, decoded, in other encodings, and its own parts.
func (m *Mask) add(piece, host string) {
	meant := []string{piece}
	if unescaped, err := url.PathUnescape(piece); err == nil {
		meant = append(meant, unescaped)
	}
	if unescaped, err := url.QueryUnescape(piece); err == nil {
		meant = append(meant, unescaped)
	}
	for _, form := range meant {
		form = strings.TrimSpace(form)
		for _, written := range []string{form, url.PathEscape(form), url.QueryEscape(form)} {
			m.addForm(written, host)
		}
		for part := range strings.FieldsFuncSeq(form, func(r rune) bool { return r < 0x80 && !isTokenByte(byte(r)) }) {
			m.addForm(part, host)
		}
	}
}

func isTokenByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-' || c == '_' || c == '.' || c == '~'
}

func (m *Mask) addForm(form, host string) {
	form = lower(strings.TrimSpace(form))
	if bare, _, _ := strings.Cut(host, ":"); len(form) >= minPiece && form != host && form != bare {
		m.pieces = append(m.pieces, form)
	}
}

// lower converts only ASCII letters to lower case, so that offsets stay the same.
func lower(said string) string {
	b := []byte(said)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// String returns a text with every part masked. Overlapping parts are masked together, so that no end of one remains.
func (m Mask) String(said string) string {
	small := lower(said)
	hidden := make([]bool, len(said))
	hide := func(from, to int) {
		for i := from; i < to; i++ {
			hidden[i] = true
		}
	}
	for _, at := range signature().FindAllStringIndex(said, -1) {
		hide(at[0], at[1])
	}
	for _, piece := range m.pieces {
		for from := 0; ; from++ {
			at := strings.Index(small[from:], piece)
			if at < 0 {
				break
			}
			from += at
			hide(from, from+len(piece))
		}
	}
	var b strings.Builder
	for i := range len(said) {
		switch {
		case !hidden[i]:
			b.WriteByte(said[i])
		case i == 0 || !hidden[i-1]:
			b.WriteString(redacted)
		}
	}
	return b.String()
}
