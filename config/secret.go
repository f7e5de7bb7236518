package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/mask"
)

// PGPASSWORD, GITHUBTOKEN and similar names have no underscore. MYSQL_PWD is a password; PWD and OLDPWD are directories.
var (
	secretName = regexp.MustCompile(`(?:^|_)(?:KEYS?|PASS|DSN|WEBHOOK)(?:_|$)|_PWD$|` +
		`(?:TOKEN|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|(?:API|ACCESS|SECRET|PRIVATE)KEY)(?:_|$)`)
	placeName = regexp.MustCompile(`(?:^|_)(?:FILE|PATH|DIR)$`)
)

// SecretName reports whether a variable's name suggests that it holds a secret: one of its parts between underscores is KEY, TOKEN,
// SECRET, PASSWORD or the like. Names of places and counts do not: SSH_KEY_FILE, MAX_TOKENS.
func SecretName(name string) bool {
	name = strings.ToUpper(name)
	return secretName.MatchString(name) && !placeName.MatchString(name)
}

// HasFileForm reports whether NAME_FILE is accepted for a variable of this name.
func HasFileForm(name string) bool {
	return slices.ContainsFunc(append(definitions(), credentials()...), func(d definition) bool { return d.name == name && d.hasFileForm() })
}

// Secrets returns the values to keep out of logs, the database, notifications and pages: those of variables that are secret by SecretName
// or in the table, and passwords in URLs in any variable.
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
				_, text = CutTargetName(text)
				secrets = append(secrets, text)
			}
			if in := urlPassword.FindStringSubmatch(text); in != nil && in[1] != "" {
				secrets = append(secrets, in[1])
				if meant, err := url.PathUnescape(in[1]); err == nil {
					secrets = append(secrets, meant)
				}
			}
		}
	}
	slices.Sort(secrets)
	return slices.Compact(secrets)
}

// urlPassword matches the password in scheme://user:password@host, even in URLs that net/url rejects but people do write.
var urlPassword = regexp.MustCompile(`://[^:/?#]*:([^/?#]*)@`)

// maskPassword masks the password in a URL, and leaves any other text unchanged.
func maskPassword(text string) string {
	at := urlPassword.FindStringSubmatchIndex(text)
	if at == nil || at[2] == at[3] {
		return text
	}
	return text[:at[2]] + mask.Redacted + text[at[3]:]
}
