package config

import (
	"net/url"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/mask"
)

// SecretName says whether a variable's name says that it holds a secret: one of its parts between underscores is KEY, TOKEN,
// SECRET, PASSWORD or the like. Where the name says that the value is only a place or a count, it does not: SSH_KEY_FILE, MAX_TOKENS.
func SecretName(name string) bool {
	parts := strings.Split(strings.ToUpper(name), "_")
	switch parts[len(parts)-1] {
	case "FILE", "PATH", "DIR":
		return false
	case "PWD": // MYSQL_PWD is a password; PWD and OLDPWD are folders.
		return len(parts) > 1
	}
	return slices.ContainsFunc(parts, secretWord)
}

// HasFileForm says whether the variable NAME_FILE is understood in the place of one of this name.
func HasFileForm(name string) bool {
	return slices.ContainsFunc(append(definitions(), credentials()...), func(d definition) bool { return d.name == name && d.hasFileForm() })
}

func secretWord(word string) bool {
	switch word {
	case "KEY", "KEYS", "PASS", "DSN", "WEBHOOK":
		return true
	}
	for _, ending := range [...]string{
		"TOKEN", "SECRET", "SECRETS", "PASSWORD", "PASSWORDS", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS",
		"APIKEY", "ACCESSKEY", "SECRETKEY", "PRIVATEKEY", // PGPASSWORD, GITHUBTOKEN and their kin have no underscore
	} {
		if strings.HasSuffix(word, ending) {
			return true
		}
	}
	return false
}

// Secrets returns the values to keep out of logs, database, notifications and pages: those of variables that are secret by
// SecretName or in our table, and passwords in URLs, whatever the variable is called.
func (e *Environment) Secrets() []string {
	known := map[string]secrecy{}
	for _, d := range definitions() {
		known[d.name] = d.secret
	}
	var secrets []string
	for name, v := range e.values {
		if known[name] == secretValue || SecretName(name) {
			secrets = append(secrets, v.text)
		}
		for text := range strings.FieldsFuncSeq(v.text, func(r rune) bool { return r == ',' || r == '\n' }) {
			text = strings.TrimSpace(text)
			if known[name] == secretValue {
				secrets = append(secrets, text)
			}
			secrets = append(secrets, passwords(text)...)
		}
	}
	slices.Sort(secrets)
	return slices.Compact(secrets)
}

// passwords returns what stands as a password in a URL, as it is written and as it is meant.
func passwords(text string) []string {
	written, _, found := passwordIn(text)
	if !found || written == "" {
		return nil
	}
	if meant, err := url.PathUnescape(written); err == nil && meant != written {
		return []string{written, meant}
	}
	return []string{written}
}

// passwordIn finds the password of scheme://user:password@host, and where it begins. It reads more leniently than net/url,
// which rejects what people do write there.
func passwordIn(text string) (password string, at int, found bool) {
	_, rest, found := strings.Cut(text, "://")
	if !found {
		return "", 0, false
	}
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority = rest[:end]
	}
	host := strings.LastIndexByte(authority, '@')
	if host < 0 {
		return "", 0, false
	}
	user, password, found := strings.Cut(authority[:host], ":")
	return password, len(text) - len(rest) + len(user) + 1, found
}

// maskPassword replaces the password in a URL, and leaves any other text as it is.
func maskPassword(text string) string {
	password, at, found := passwordIn(text)
	if !found || password == "" {
		return text
	}
	return text[:at] + mask.Redacted + text[at+len(password):]
}
