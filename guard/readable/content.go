package readable

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/lazy"
)

// maxLine is the longest line, in bytes, that is examined. A file with a longer one is closed.
const maxLine = 16 << 10

// credentialIn looks for a credential in the text of a configuration file. It returns what was found and in which line, or "". A file
// that is not text (a NUL, invalid UTF-8) is treated as if it held one.
func credentialIn(content []byte) string {
	if bytes.IndexByte(content, 0) >= 0 || !utf8.Valid(content) {
		return "it is not text, and cannot be looked into"
	}
	text := string(content)
	lower := lowerASCII(text)
	var likely []mark // the few marks whose hint occurs in the file
	for _, m := range tables().marks {
		if m.hinted(lower) {
			likely = append(likely, m)
		}
	}
	named := slices.ContainsFunc(hints, func(hint string) bool { return strings.Contains(lower, hint) })
	if len(likely) == 0 && !named && len(text) <= maxLine {
		return ""
	}
	at, number := 0, 0
	for line := range strings.Lines(text) {
		number++
		small := lower[at : at+len(line)]
		at += len(line)
		switch {
		case len(line) > maxLine:
			return "line " + strconv.Itoa(number) + " is too long to look into"
		case credential(line, small, likely):
			return "line " + strconv.Itoa(number) + " looks like a credential"
		}
	}
	return ""
}

// credential reports whether a line may hold one: a text of a known form, or the value of a name that suggests a credential.
func credential(line, lower string, likely []mark) bool {
	if slices.ContainsFunc(likely, func(m mark) bool { return m.hinted(lower) && m.text().MatchString(lower) }) {
		return true
	}
	return slices.ContainsFunc(hints, func(hint string) bool { return strings.Contains(lower, hint) }) && confides(line)
}

// lowerASCII returns a text with its ASCII letters in lower case; the length stays the same.
func lowerASCII(text string) string {
	small := []byte(text)
	for i, c := range small {
		if 'A' <= c && c <= 'Z' {
			small[i] = c + 'a' - 'A'
		}
	}
	return string(small)
}

// encrypted reports whether a file holds its secrets encrypted, or only says where they are kept: Ansible Vault, sops, age, Sealed
// Secrets, External Secrets.
func encrypted(content []byte) bool { return ciphers().Match(content) && !plainSecret().Match(content) }

// aboutCredentials reports whether a file with a suspicious name is something else: a Kubernetes manifest, a chart, a script.
func aboutCredentials(content []byte) bool {
	return bytes.HasPrefix(content, []byte("#!")) || manifests().Match(content)
}

var (
	manifests   = lazy.Regexp(`(?m)^apiVersion: `)
	ciphers     = lazy.Regexp(`^\$ANSIBLE_VAULT;|(?m)^-----BEGIN (?:AGE ENCRYPTED FILE|PGP MESSAGE)-----|^"?sops"?:|^\s+"sops":|^kind: (?:SealedSecret|ExternalSecret|SecretStore|ClusterSecretStore|ClusterExternalSecret|SecretProviderClass)\s*$`)
	plainSecret = lazy.Regexp(`(?m)^kind: Secret\s*$`)
)

// confides reports whether a line gives a value to a name that suggests a credential.
func confides(line string) bool {
	remark := remarks().MatchString(line)
	for _, m := range assigned().FindAllStringSubmatchIndex(line, -1) {
		if pair := (pair{line[:m[2]], line[m[2]:m[3]], line[m[3]:m[6]], line[m[4]:m[5]], line[m[6]:m[7]], line[m[7]:]}); !pair.sentence(remark) && !pair.list(remark) && !empty(pair.name, pair.value) {
			return true
		}
	}
	for _, re := range []*regexp.Regexp{alone(), optioned(), defaulted()} {
		if m := re.FindStringSubmatch(line); m != nil && (!remark || blended(m[2], 6, 1)) && !empty(m[1], m[2]) {
			return true
		}
	}
	m := long().FindStringSubmatch(line)
	return m != nil && blended(m[1], 24, 4)
}

// pair is a name in a line and its value, with the text before the name, between them (a sign, blanks, quotes) and after the value.
type pair struct{ before, name, between, sign, value, behind string }

func (p pair) quoted() bool { return strings.ContainsAny(p.value[:1], `"'`) }

// sentence reports whether a value is only the first word of a sentence: in a comment that is not a disabled setting (#NAME=VALUE), or
// after a colon. It is not if it ends the line, is quoted, mixes letters and digits, or the pair is a header.
func (p pair) sentence(remark bool) bool {
	speaks := remark && p.between != "=" || p.sign == ":"
	return speaks && !p.quoted() && !p.header() && !ending().MatchString(p.behind) && !blended(p.value, 6, 1)
}

// header reports whether a pair fills a quotation, or follows -H: curl -H 'X-Api-Key: VALUE' URL.
func (p pair) header() bool {
	last := p.before[max(0, len(p.before)-1):]
	return p.sign == ":" && (headed().MatchString(p.before) || (last == `"` || last == "'") && strings.HasPrefix(p.behind, last))
}

// list reports whether a value is the next word of a list, as of names or ciphers.
func (p pair) list(remark bool) bool {
	return p.sign == "," && (remark || !p.quoted()) || strings.HasSuffix(p.before, "!")
}

// blended reports whether a text is one word of at least this length with a letter and at least this many digits.
func blended(text string, length, digits int) bool {
	found := strings.IndexFunc(text, unicode.IsLetter) >= 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits--
		}
	}
	return found && digits <= 0 && len(text) >= length && !strings.ContainsAny(text[:1], "/$%{")
}

// empty reports whether a name does not suggest a credential after all, or its value cannot be one: a file, a variable, a switch, a mask.
func empty(name, value string) bool {
	return otherNames().MatchString(name) || otherValues().MatchString(strings.Trim(value, `"'`))
}

// confided matches the ends of names that suggest a credential, and worth matches the value.
const (
	confided = `(?:pass|passwd|password|passphrase|pwd|pw|secret|token|psk|wireless-key|(?:api|access|secret|private|encryption|signing|shared|preshared|auth|account|license|master|hmac|fernet|jwt|cookie|session|app|stripe|crypt|webhook)[_-]?key(?:[_-]?base)?)[0-9]*`
	worth    = `("[^"\n]*"?|'[^'\n]*'?|[^\s"',;)}\]]+)`
)

// hints are the texts of which every such name contains at least one.
var hints = []string{"pass", "pwd", "pw", "secret", "token", "psk", "key"}

var (
	remarks     = lazy.Regexp(`^\s*(?:#|;|//\s)`)
	ending      = lazy.Regexp(`^["'\s,;)}\]]*(?:#.*)?\s*$`)
	otherNames  = lazy.Regexp(`(?i)^(?:(?:proxy|fastcgi|uwsgi|scgi|grpc|memcached)_pass|proxypass)$`)
	otherValues = lazy.Regexp(`(?i)^(?:|~?/[\w.@-]+/.*|<.*|[=:].*|(?:hash|lmdb|btree|file|exec|env):.*|yes|no|on|off|true|false|none|null|required|optional|files|compat|[0-9]|[*x._-]{3,}|[*-]|%\(.*|` +
		`\$\{?[a-z_]\w*\}?|\$\(.*|\{\{.*|\{\$?env[.:_].*|(?:os\.|env\(|getenv\(|config\(|process\.env).*)$`)

	headed = lazy.Regexp(`(?:-H|--header)[ =]?["']?$`)

	// assigned matches a value after a sign, alone one that ends its line, optioned one after a command-line option, defaulted the default
	// of a variable, and long one that looks random.
	assigned  = lazy.Regexp(`(?i)([a-z0-9_.-]*` + confided + `)["'\])]*\s*(=>|:=|[!=]?==?|!?~|:|,|\?[:?]|\|\|)\s*` + worth)
	alone     = lazy.Regexp(`(?i)(?:^|[\s#]|set\s+\$)([a-z0-9_.-]*` + confided + `)["']?\s+` + worth + `[\s;}]*$`)
	optioned  = lazy.Regexp(`(?i)\s--?([a-z0-9-]*` + confided + `)\s+` + worth)
	defaulted = lazy.Regexp(`(?i)([a-z0-9_.-]*` + confided + `)["'\])].*(?:\bdefault\s*[=:]|\bor\b|\?\?)\s*("[^"\n]*"?|'[^'\n]*'?)`)
	long      = lazy.Regexp(`(?i)(?:key|auth|token|secret|pass|password|pwd|credentials?)["'\])]*(?:\s*(?:=>|:=|[=:,])\s*|\s+)["']?([a-z0-9+/_=-]{24,})`)
)

// mark is a credential of a known form, whatever its name. text matches in a lower-case line, and one of hints occurs in every such line.
type mark struct {
	hints []string
	text  func() *regexp.Regexp
}

// hinted reports whether a text contains one of the hints of a mark.
func (m mark) hinted(lower string) bool {
	return slices.ContainsFunc(m.hints, func(hint string) bool { return strings.Contains(lower, hint) })
}
