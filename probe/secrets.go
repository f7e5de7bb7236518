package probe

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/mask"
)

// hidden replaces a secret. It is short, because errors are.
const hidden = "***"

// secrets are what texts about one check must not contain.
type secrets struct {
	anywhere *mask.Redactor
	words    []string       // too short to search for within words
	fleet    *mask.Redactor // of other checks; nil for none
}

// secretsOf returns the passwords and tokens that a check uses, in every form in which a server may repeat them.
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

// SecretVariables returns the names of the variables from which the services' checks get secrets, whatever their names are.
func SecretVariables(services []Service) (names []string) {
	for _, service := range services {
		for i := range service.Checks {
			names = append(names, service.Checks[i].About().Variables...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// fleetSecrets redacts the values of all checks' variables.
func (s Settings) fleetSecrets() *mask.Redactor {
	var values []string
	for _, variable := range s.Secret {
		for _, value := range valuesOf(s.Environ, variable) {
			values = append(values, forms(value)...)
		}
	}
	return mask.New(values)
}

// valuesOf returns all values of a variable in an environment, without the newline that a value has from a file. The caller decides which
// one counts.
func valuesOf(environ []string, variable string) []string {
	var values []string
	for _, v := range environ {
		if name, value, _ := strings.Cut(v, "="); variable != "" && name == variable {
			values = append(values, strings.TrimRight(value, "\r\n"))
		}
	}
	return values
}

// Lookup returns the value of a variable in the environment; the last one if there are several.
func (s Settings) Lookup(variable string) (value string, found bool) {
	values := valuesOf(s.Environ, variable)
	if len(values) == 0 {
		return "", false
	}
	return values[len(values)-1], true
}

// inURL returns the password of a URL, and the values in its query with names of secrets. It also handles malformed URLs.
func inURL(address string) []string {
	var values []string
	if user := userOf(address); user != "" {
		name, password, both := strings.Cut(user, ":")
		if !both && isHTTP(address) {
			password = name // a token
		}
		values = append(values, forms(password)...)
		values = append(values, base64.StdEncoding.EncodeToString([]byte(unescaped(name)+":"+unescaped(password))))
	}
	for _, pair := range pairs.FindAllStringSubmatch(address, -1) {
		if secretName(unescaped(pair[2])) {
			values = append(values, forms(pair[3])...)
		}
	}
	return values
}

func isHTTP(address string) bool { return strings.HasPrefix(strings.ToLower(address), "http") }

// forms returns the escaped and unescaped forms of a secret.
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

// inHeader returns the secrets in a header's value: the whole value, what follows the scheme of an Authorization, the password in a Basic
// one, and the values in a cookie.
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

// inCommand returns the values of a plugin's options with names of secrets: --password=X, --password X.
func inCommand(command []string) []string {
	var values []string
	for i, arg := range command {
		option, isLong := strings.CutPrefix(arg, "--")
		name, value, within := strings.Cut(option, "=")
		switch {
		case !isLong || !secretName(name):
		case within:
			values = append(values, value)
		case i+1 < len(command):
			values = append(values, command[i+1])
		}
	}
	return values
}

// secretName reports whether the name of a header, parameter or option suggests that its value is secret. A false positive only hides a
// word in a text.
func secretName(name string) bool {
	return secretNames.MatchString(name) && !openNames.MatchString(name)
}

// openNames are options of databases whose values are no secrets, and stand in findings.
var openNames = regexp.MustCompile(`^(target_session_attrs|require_auth|sslkey|allow[A-Za-z]+Passwords)$`)

var secretNames = regexp.MustCompile(`(?i)token|key|secret|passw|passphrase|pwd|auth|cookie|credential|signature|session|^(sig|pass)$`)

// hide removes the secrets from a text, and the passwords from all URLs in it.
func (s secrets) hide(text string) string {
	text = strings.ReplaceAll(s.fleet.String(s.anywhere.String(text)), mask.Redacted, hidden)
	for _, word := range s.words {
		text = hideWord(text, word)
	}
	return urls.ReplaceAllStringFunc(text, withoutSecrets)
}

// hideWord removes word where it is not part of a longer one.
func hideWord(text, word string) string {
	inWord := func(r rune, size int) bool {
		return size > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, word)
		b.WriteString(before)
		switch {
		case !found:
			return b.String()
		case inWord(utf8.DecodeLastRuneInString(before)) || inWord(utf8.DecodeRuneInString(after)):
			b.WriteString(word)
		default:
			b.WriteString(hidden)
		}
		text = after
	}
}

var (
	urls     = regexp.MustCompile("[A-Za-z0-9+.-]*://[^\\s\\pZ\\p{Cc}\"'`<>]*")
	userinfo = regexp.MustCompile(`^[^/?#]*://([^/?#]*)@`)
	pairs    = regexp.MustCompile(`([?&;#])([^=?&;#]*)=([^?&;#]+)`)
)

// withoutSecrets hides the password of a URL, the user of an http URL without password (a token), and the values in the query with names
// of secrets.
func withoutSecrets(address string) string {
	if user := userOf(address); user != "" {
		name, _, both := strings.Cut(user, ":")
		if both {
			name += ":" + hidden
		} else if isHTTP(address) {
			name = hidden
		}
		address = strings.Replace(address, "://"+user+"@", "://"+name+"@", 1)
	}
	return pairs.ReplaceAllStringFunc(address, func(pair string) string {
		if name, _, _ := strings.Cut(pair, "="); secretName(unescaped(name[1:])) {
			return name + "=" + hidden
		}
		return pair
	})
}

// userOf returns the user of a URL, with the password. It is more lenient than net/url, because people do write invalid URLs.
func userOf(address string) string {
	if match := userinfo.FindStringSubmatch(address); match != nil {
		return match[1]
	}
	return ""
}
