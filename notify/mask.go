package notify

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/internal/mask"
)

// Mask replaces pieces of URLs in a text, the signatures of links, and whatever else looks like a credential.
type Mask struct{ pieces *mask.Redactor }

// NewMask returns a Mask for Apprise URLs and passwords. A URL's scheme stays visible, and so does a host that is not a secret.
func NewMask(secrets ...string) Mask {
	var pieces []string
	for _, secret := range secrets {
		scheme, rest, isURL := strings.Cut(secret, "://")
		if !isURL {
			pieces = append(pieces, secret)
			continue
		}
		host := plainHost(authority(rest))
		bare, _, _ := strings.Cut(host, ":")
		pieces = append(pieces, scheme+"://"+rest, rest)
		for _, piece := range piecesOf(rest) {
			for _, form := range formsOf(piece) {
				if !strings.EqualFold(form, host) && !strings.EqualFold(form, bare) {
					pieces = append(pieces, form, strings.ToLower(form)) // as a host, its service may write it so
				}
			}
		}
	}
	return Mask{mask.New(pieces)}
}

// signature matches the signature of a link, of 64 digits, or as much of it as a service quotes: fewer than half of it are of no use.
var signature = lazy.Regexp(`[0-9A-Fa-f]{32,}`)

// String returns a text with every piece masked.
func (m Mask) String(said string) string {
	return m.pieces.String(signature().ReplaceAllString(said, mask.Redacted))
}

// piecesOf returns the parts of a URL behind its scheme that may be secrets: of its authority, its path, its query and its fragment.
func piecesOf(rest string) (pieces []string) {
	at := authority(rest)
	path, fragment, _ := strings.Cut(rest[len(at):], "#")
	path, query, _ := strings.Cut(path, "?")
	pieces = append(strings.Split(path, "/"), fragment)
	for pair := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		if name, value, found := strings.Cut(pair, "="); !found || !everyday(name) {
			pieces = append(pieces, value)
			if !found {
				pieces = append(pieces, name)
			}
		}
	}
	if i := strings.LastIndexByte(at, '@'); i >= 0 {
		user := at[:i]
		pieces = append(pieces, user, base64.StdEncoding.EncodeToString([]byte(user)))
		for j, c := range user { // either part may contain a colon, so every split counts
			if c == ':' {
				pieces = append(pieces, user[:j], user[j+1:])
			}
		}
		if plain, err := url.PathUnescape(user); err == nil {
			pieces = append(pieces, base64.StdEncoding.EncodeToString([]byte(plain))) // in a header, which an answer may quote
		}
		at = at[i+1:]
	}
	return append(pieces, at)
}

// everyday reports whether a query parameter is not a secret; masking its value would hide parts of a service's message.
func everyday(name string) bool {
	switch strings.ToLower(name) {
	case "format", "overflow", "verify", "method", "priority", "rto", "cto":
		return true
	}
	return false
}

// formsOf returns a piece as written, decoded, encoded as a part of a path, and the words in it.
func formsOf(piece string) []string {
	forms := []string{piece}
	for _, unescape := range []func(string) (string, error){url.PathUnescape, url.QueryUnescape} {
		if plain, err := unescape(piece); err == nil {
			plain = strings.TrimSpace(plain)
			forms = append(forms, plain, url.PathEscape(plain))
			forms = append(forms, strings.FieldsFunc(plain, func(r rune) bool { return r < 0x80 && !isTokenByte(byte(r)) })...)
		}
	}
	return forms
}

func isTokenByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-' || c == '_' || c == '.' || c == '~'
}
