package probe

import (
	"encoding/base64"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/strict"
)

// hidden replaces a secret. It is short, since an error is.
const hidden = "***"

// secrets are what texts about one check must not contain.
type secrets struct {
	anywhere *mask.Redactor
	words    []string       // too short to be looked for within words
	fleet    *mask.Redactor // what other checks use; nil for nothing
}

// secretsOf are the passwords and tokens that a check uses, in each form in which a server may repeat them.
func secretsOf(about About, environ []string) secrets {
	if about.Secrets == nil {
		return secrets{}
	}
	values := about.Secrets(environ)
	s := secrets{anywhere: mask.New(values)}
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" && s.anywhere.String(v) == v {
			s.words = append(s.words, v)
		}
	}
	return s
}

// SecretVariables are the names of the variables that the checks of services have secrets from, whatever these are called.
func SecretVariables(services []Service) []string {
	names := map[string]bool{}
	for _, service := range services {
		for i := range service.Checks {
			for _, variable := range service.Checks[i].About().Variables {
				names[variable] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// fleetSecrets finds what the variables of all checks hold.
func (s Settings) fleetSecrets() *mask.Redactor {
	var values []string
	for _, variable := range s.Secret {
		for _, value := range valuesOf(s.Environ, variable) {
			values = append(values, forms(value)...)
		}
	}
	return mask.New(values)
}

// valuesOf are all values that an environment gives a variable: which one counts is for those who use it to say.
func valuesOf(environ []string, variable string) []string {
	var values []string
	for _, v := range environ {
		if name, value, _ := strings.Cut(v, "="); variable != "" && name == variable {
			values = append(values, value)
		}
	}
	return values
}

// Lookup is the value of a variable in the environment, the last one where there are several.
func (s Settings) Lookup(variable string) (value string, found bool) {
	values := valuesOf(s.Environ, variable)
	if len(values) == 0 {
		return "", false
	}
	return values[len(values)-1], true
}

// inURL are the password of a URL and the values in its query whose names say that they are secret. It takes what is no URL too.
func inURL(address string) []string {
	var values []string
	if user, _, _ := userIn(address); user != "" {
		name, password, both := strings.Cut(user, ":")
		if !both && isHTTP(address) {
			password = name // a token
		}
		values = append(values, forms(password)...)
		values = append(values, base64.StdEncoding.EncodeToString([]byte(unescaped(name)+":"+unescaped(password))))
	}
	_, query, _ := strings.Cut(address, "?")
	for pair := range strings.FieldsFuncSeq(query, separatesPairs) {
		if name, value, _ := strings.Cut(pair, "="); SecretName(unescaped(name)) {
			values = append(values, forms(value)...)
		}
	}
	return values
}

func isHTTP(address string) bool {
	return len(address) > len("http") && strings.EqualFold(address[:len("http")], "http")
}

func separatesPairs(r rune) bool { return r == '&' || r == ';' || r == '#' || r == '?' }

// forms are the ways in which a secret that may be escaped is written.
func forms(value string) []string {
	meant := unescaped(value)
	written := url.UserPassword("", meant).String()
	all := []string{value, meant, url.QueryEscape(meant), url.PathEscape(meant), strings.TrimPrefix(written, ":")}
	return slices.DeleteFunc(all, func(v string) bool { return v == "" })
}

func unescaped(value string) string {
	if meant, err := url.PathUnescape(value); err == nil {
		return meant
	}
	return value
}

// inHeader is what of a header's value is secret: all of it, and by itself what follows the scheme of an Authorization, the password
// within one of type Basic, and what a cookie holds.
func inHeader(value string) []string {
	values := []string{value}
	if scheme, token, found := strings.Cut(value, " "); found {
		token = strings.TrimSpace(token)
		values = append(values, token)
		if pair, err := base64.StdEncoding.DecodeString(token); err == nil && strings.EqualFold(scheme, "basic") {
			_, password, _ := strings.Cut(string(pair), ":")
			values = append(values, string(pair), password)
		}
	}
	for pair := range strings.SplitSeq(value, ";") {
		if _, v, found := strings.Cut(pair, "="); found {
			values = append(values, v)
		}
	}
	return values
}

// inCommand are the values of a plugin's options with the name of a secret: --password=X, --password X.
func inCommand(command []string) []string {
	var values []string
	for i, arg := range command {
		option, isLong := strings.CutPrefix(arg, "--")
		name, value, within := strings.Cut(option, "=")
		switch {
		case !isLong || !SecretName(name):
		case within:
			values = append(values, value)
		case i+1 < len(command):
			values = append(values, command[i+1])
		}
	}
	return values
}

// SecretName reports whether the name of a header, parameter or option says that its value is secret. It sees secrets rather than
// misses one: what is hidden by mistake is a word in a text.
func SecretName(name string) bool {
	name = strings.ToLower(name)
	for _, part := range [...]string{
		"token", "key", "secret", "passw", "passphrase", "pwd", "auth", "cookie", "credential", "signature", "session",
	} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "sig" || name == "pass"
}

// hide takes the secrets out of a text, and the passwords out of the URLs in it, whosever they are.
func (s secrets) hide(text string) string {
	text = strings.ReplaceAll(s.fleet.String(s.anywhere.String(text)), mask.Redacted, hidden)
	for _, word := range s.words {
		text = hideWord(text, word)
	}
	return hideInURLs(text)
}

// hideWord takes word out where it is not part of a longer one.
func hideWord(text, word string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, word)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		end := at + len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		b.WriteString(text[:at])
		if inWord(before) || inWord(after) {
			b.WriteString(word)
		} else {
			b.WriteString(hidden)
		}
		text = text[end:]
	}
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// hideInURLs hides the password of each URL in a text, the user of an http one that has none (a token), and what queries have
// under the name of a secret.
func hideInURLs(text string) string {
	endsURL := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("\"'`<>", r)
	}
	var b strings.Builder
	for {
		at := strings.Index(text, "://")
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		begin := at
		for begin > 0 && (strict.IsAlphanumeric(rune(text[begin-1])) || strings.IndexByte("+-.", text[begin-1]) >= 0) {
			begin--
		}
		end := len(text)
		if i := strings.IndexFunc(text[at:], endsURL); i >= 0 {
			end = at + i
		}
		b.WriteString(text[:begin])
		b.WriteString(withoutSecrets(text[begin:end]))
		text = text[end:]
	}
}

// withoutSecrets is a URL with nothing secret in it.
func withoutSecrets(address string) string {
	var query string
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address, query = address[:i], address[i:]
	}
	if user, from, to := userIn(address); user != "" {
		name, _, both := strings.Cut(user, ":")
		switch {
		case both:
			address = address[:from] + name + ":" + hidden + address[to:]
		case isHTTP(address):
			address = address[:from] + hidden + address[to:]
		}
	}
	var b strings.Builder
	for query != "" {
		pair, rest := query[1:], ""
		if i := strings.IndexFunc(pair, separatesPairs); i >= 0 {
			pair, rest = pair[:i], pair[i:]
		}
		if name, value, _ := strings.Cut(pair, "="); value != "" && SecretName(unescaped(name)) {
			pair = name + "=" + hidden
		}
		b.WriteByte(query[0])
		b.WriteString(pair)
		query = rest
	}
	return address + b.String()
}

// userIn is the user of a URL with the password, and their position in it. It is more lenient than net/url, which refuses what
// people do write there.
func userIn(address string) (user string, from, to int) {
	from = strings.Index(address, "://") + len("://")
	if from < len("://") {
		return "", 0, 0
	}
	end := len(address)
	if i := strings.IndexAny(address[from:], "/?#"); i >= 0 {
		end = from + i
	}
	at := strings.LastIndexByte(address[from:end], '@')
	if at < 0 {
		return "", 0, 0
	}
	return address[from : from+at], from, from + at
}
