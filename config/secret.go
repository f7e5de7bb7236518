package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/mask"
)

// PGPASSWORD, GITHUBTOKEN and their kin have no underscore. MYSQL_PWD is a password; PWD and OLDPWD are folders.
var (
	secretName = regexp.MustCompile(`(?:^|_)(?:KEYS?|PASS|DSN|WEBHOOK)(?:_|$)|_PWD$|` +
		`(?:TOKEN|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|(?:API|ACCESS|SECRET|PRIVATE)KEY)(?:_|$)`)
	placeName = regexp.MustCompile(`(?:^|_)(?:FILE|PATH|DIR)$`)
)

// SecretName says whether a variable's name says that it holds a secret: one of its parts between underscores is KEY, TOKEN,
// SECRET, PASSWORD or the like. Where the name says that the value is only a place or a count, it does not: SSH_KEY_FILE, MAX_TOKENS.
func SecretName(name string) bool {
	name = strings.ToUpper(name)
	return secretName.MatchString(name) && !placeName.MatchString(name)
}

// HasFileForm says whether the variable NAME_FILE is understood in the place of one of this name.
func HasFileForm(name string) bool {
	return slices.ContainsFunc(append(definitions(), credentials()...), func(d definition) bool { return d.name == name && d.hasFileForm() })
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

// urlPassword is the password of scheme://user:password@host. It matches what net/url rejects and people do write there.
var urlPassword = regexp.MustCompile(`://[^:/?#]*:([^/?#]*)@`)

// maskPassword replaces the password in a URL, and leaves any other text as it is.
func maskPassword(text string) string {
	at := urlPassword.FindStringSubmatchIndex(text)
	if at == nil || at[2] == at[3] {
		return text
	}
	return text[:at[2]] + mask.Redacted + text[at[3]:]
}
