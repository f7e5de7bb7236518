package guard

import (
	"strings"

	"github.com/claudeops/claudeops/config"
)

// masked replaces what a command line shows to be a secret, although nobody has told us its value: NAME=value and --name=value
// with the name of a secret, a password in a URL, what follows an Authorization header's name.
func masked(text string) string {
	var out strings.Builder
	for at := 0; at < len(text); {
		from, to := secretAt(text, at)
		out.WriteString(text[at:from])
		if to > from {
			out.WriteString(config.Redacted)
		}
		at = to
	}
	return out.String()
}

// secretAt finds the next secret from at on; both ends are len(text) where there is none.
func secretAt(text string, at int) (from, to int) {
	for i := at; i < len(text); i++ {
		switch {
		case text[i] == '=':
			name := text[:i]
			name = name[len(strings.TrimRightFunc(name, nameRune)):]
			if !config.SecretName(strings.ReplaceAll(name, "-", "_")) {
				continue
			}
			if end := endOfValue(text, i+1); end > i+1 {
				return i + 1, end
			}
		case text[i] == ':' && hasSuffixFold(text[:i], "authorization"):
			if end := i + 1 + strings.IndexAny(text[i+1:]+"'", "'\"\n"); end > i+1 {
				return i + 1, end
			}
		case strings.HasPrefix(text[i:], "://"):
			if from, to := passwordIn(text, i+3); to > from {
				return from, to
			}
		}
	}
	return len(text), len(text)
}

func nameRune(r rune) bool {
	return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// endOfValue is where the shell word that begins at from ends, with its quotes.
func endOfValue(text string, from int) int {
	var quote byte
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte(" \t\n;&|<>()`", c) >= 0:
			return i
		}
	}
	return len(text)
}

// passwordIn finds the password of user:password@host in the authority that begins at from.
func passwordIn(text string, from int) (start, end int) {
	authority := text[from:]
	if i := strings.IndexAny(authority, "/?# \t\n'\"`"); i >= 0 {
		authority = authority[:i]
	}
	host := strings.LastIndexByte(authority, '@')
	if host < 0 {
		return 0, 0
	}
	user, _, found := strings.Cut(authority[:host], ":")
	if !found {
		return 0, 0
	}
	return from + len(user) + 1, from + host
}

func hasSuffixFold(text, suffix string) bool {
	return len(text) >= len(suffix) && strings.EqualFold(text[len(text)-len(suffix):], suffix)
}
