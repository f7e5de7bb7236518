package guard

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/statedir"
)

// Configuration is worth reading, and now and then somebody has written a password into it. So the files that the policy lists (looked:)
// are looked into, where that can be, before an agent reads them: one with a line that may hold a credential is a secret.

// maxLooked is how much is looked into for one command, in bytes, and maxLine of one line. What lies beyond counts as a secret.
const (
	maxLooked = 1 << 20
	maxLine   = 16 << 10
)

// here reports whether what is read lies here, where the guard can look into it.
func (k *walker) here() bool { return !k.away && !k.world.Hypothetical }

// tells reports whether a file that is to be looked into may hold a credential.
func (k *walker) tells(p string) bool {
	if !k.here() || !slices.ContainsFunc(meanings(p), func(name string) bool { return fitsAny(k.world.Policy.Looked, name) }) {
		return false
	}
	real, err := filepath.EvalSymlinks(p)
	if err != nil {
		return k.hides(err)
	}
	found, known := k.told[real]
	if !known || k.other { // who may read more
		found = k.lookInto(real)
		if k.told == nil {
			k.told = map[string]bool{}
		}
		k.told[real] = found
	}
	return found
}

// meanings are the names by which the policy knows a path: those behind /proc, what it is a copy of, and of the /etc of another machine's disk
// that of this one.
func meanings(p string) (all []string) {
	for _, name := range append(spellings(p), copied().ReplaceAllString(p, "")) {
		all = append(all, name, machineEtc().ReplaceAllString(name, "$1"))
	}
	return all
}

// lookInto looks for a credential in a plain file. What is no text (a NUL, no UTF-8: UTF-16, something packed) may hold it.
func (k *walker) lookInto(p string) bool {
	if info, err := os.Stat(p); err != nil || !info.Mode().IsRegular() {
		return err != nil && k.hides(err)
	}
	text, err := statedir.ReadFile(p, int64(maxLooked-k.lookedAt))
	if err != nil {
		return k.hides(err)
	}
	k.lookedAt += len(text)
	if bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
		return true
	}
	for line := range strings.Lines(string(text)) {
		if len(line) > maxLine || credential(line) {
			return true
		}
	}
	return false
}

// hides reports whether there may be something for an agent to read where the guard met an error.
func (k *walker) hides(err error) bool {
	return !os.IsNotExist(err) && (k.other || !os.IsPermission(err))
}

// credential reports whether a line may hold one: a text that says itself what it is, or the value of a name that has one.
func credential(line string) bool {
	lower := strings.ToLower(line)
	if slices.ContainsFunc(marks, func(m mark) bool { return strings.Contains(lower, m.hint) && m.text().MatchString(lower) }) {
		return true
	}
	return slices.ContainsFunc(hints, func(hint string) bool { return strings.Contains(lower, hint) }) && confides(line)
}

// confides reports whether a line gives a value to a name that has a credential.
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

// pair is a name in a line and its value: what stands before, between (a sign, blanks, quotes) and behind.
type pair struct{ before, name, between, sign, value, behind string }

func (p pair) quoted() bool { return strings.ContainsAny(p.value[:1], `"'`) }

// sentence reports whether a value is but the first word of a sentence: of a remark that is no line switched off (#NAME=VALUE), or behind
// a colon. It is none where it ends the line, is quoted, mixes letters and digits, or the pair is a header.
func (p pair) sentence(remark bool) bool {
	speaks := remark && p.between != "=" || p.sign == ":"
	return speaks && !p.quoted() && !p.header() && !ending().MatchString(p.behind) && !blended(p.value, 6, 1)
}

// header reports whether a pair is all that stands in quotes, or stands behind -H: curl -H 'X-Api-Key: VALUE' URL.
func (p pair) header() bool {
	last := p.before[max(0, len(p.before)-1):]
	return p.sign == ":" && (headed().MatchString(p.before) || (last == `"` || last == "'") && strings.HasPrefix(p.behind, last))
}

// list reports whether a value is the next word of a list: of names, of ciphers.
func (p pair) list(remark bool) bool {
	return p.sign == "," && (remark || !p.quoted()) || strings.HasSuffix(p.before, "!")
}

// blended reports whether a text is one word of a length that has letters and as many digits.
func blended(text string, length, digits int) bool {
	found := strings.IndexFunc(text, unicode.IsLetter) >= 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits--
		}
	}
	return found && digits <= 0 && len(text) >= length && !strings.ContainsAny(text[:1], "/$%{")
}

// empty reports whether a name says something else, or has a value that is none: a file, a variable, a switch, a mask.
func empty(name, value string) bool {
	return otherNames().MatchString(name) || otherValues().MatchString(strings.Trim(value, `"'`))
}

// confided are the ends of names that have a credential as their value, and worth is such a value.
const (
	confided = `(?:pass|passwd|password|passphrase|pwd|pw|secret|token|psk|wireless-key|(?:api|access|secret|private|encryption|signing|shared|preshared|auth|account|license|master|hmac|fernet|jwt|cookie|session|app|stripe|crypt|webhook)[_-]?key)[0-9]*`
	worth    = `("[^"\n]*"?|'[^'\n]*'?|[^\s"',;)}\]]+)`
)

// hints are what a line of such a name has.
var hints = []string{"pass", "pwd", "pw", "secret", "token", "psk", "key"}

var (
	remarks    = when(`^\s*(?:#|;|//\s)`)
	ending     = when(`^["'\s,;)}\]]*(?:#.*)?\s*$`)
	otherNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:(?:proxy|fastcgi|uwsgi|scgi|grpc|memcached)_pass|proxypass)$`)
	})
	otherValues = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:|~?/[\w.@-]+/.*|<.*|[=:].*|(?:hash|lmdb|btree|file|exec|env):.*|yes|no|on|off|true|false|none|null|required|optional|files|compat|[0-9]|[*x._-]{3,}|[*-]|%\(.*|` +
			`\$\{?[a-z_]\w*\}?|\$\(.*|\{\{.*|\{\$?env[.:_].*|(?:os\.|env\(|getenv\(|config\(|process\.env).*)$`)
	})

	headed = when(`(?:-H|--header)[ =]?["']?$`)

	// assigned is a value behind a sign, alone one that ends its line, optioned one behind an option of a program, defaulted what is taken
	// where a variable has none, and long what looks made by chance.
	assigned = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)([a-z0-9_.-]*` + confided + `)["'\])]*\s*(=>|:=|[!=]?==?|!?~|:|,|\?[:?]|\|\|)\s*` + worth)
	})
	alone = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[\s#]|set\s+\$)([a-z0-9_.-]*` + confided + `)["']?\s+` + worth + `[\s;}]*$`)
	})
	optioned  = when(`(?i)\s--?([a-z0-9-]*` + confided + `)\s+` + worth)
	defaulted = when(`(?i)([a-z0-9_.-]*` + confided + `)["'\])].*(?:\bdefault\s*[=:]|\bor\b|\?\?)\s*("[^"\n]*"?|'[^'\n]*'?)`)
	long      = when(`(?i)(?:key|auth|token|secret|pass|password|pwd|credentials?)["'\])]*(?:\s*(?:=>|:=|[=:,])\s*|\s+)["']?([a-z0-9+/_=-]{24,})`)
)

// mark is a text that is a credential whatever it is called, as a line in small letters has it, and what such a line has for certain.
type mark struct {
	hint string
	text func() *regexp.Regexp
}

// marks are such texts: in addresses, on command lines, hashes, tokens, keys.
var marks = []mark{
	{"://", when(`://[^/\s:@]*:(?:[^/\s@$%{]|%[0-9a-f]{2}|\$[^a-z_({])[^/\s@]*@|https?://[^/\s:@$%{<]{8,}:?@`)},
	{"authorization", when(`authorization\b.{0,40}\b(?:basic|bearer|token)[\\\s]+[a-z0-9+/=._~-]{6,}`)},
	{"authorization:", when(`["'](?:proxy-)?authorization:\s*[^\s$"'{%<]+["']|-h\s*authorization:[^\s$"']`)},
	{"header", when(`\b(?:set|add)[-_]header\s+\S*(?:token|key|secret|password)["']?\s+["']?[^\s$%{"'(;]`)},
	{"hdr(", when(`hdr\([^)]*(?:token|key|secret)[^)]*\)\s+(?:-m\s+\S+\s+|-i\s+)*[^\s{}%$-]`)},
	{"%{http:", when(`%\{http:[a-z-]*(?:token|key|secret)\}\s+"?!?\^?[^\s.$^(!"]`)},
	{"map", when(`^\s*map\s+["']?\$\{?(?:http|arg|cookie)_\w*(?:key|token|secret)`)},
	{"_key", when(`\$(?:arg|http|cookie)_\w*key["']?\s*!?[=~]\*?\s*["']?\^?[^\s"'$)~*.]`)},
	{"secure_link_md5", when(`secure_link_md5\s+\S`)},
	{"mysql", when(`mysqli?\w*\s*\((?:.*,.*["']|\s*$)`)},
	{"pdo", when(`\bpdo\s*\((?:.*,.*["']|\s*$)`)},
	{"-p", when(`\b(?:mysql|mariadb|7z)[\w-]*\s(?:.*\s)?["']?-p["']?[^\s$"']`)},
	{"-p", when(`\b(?:mongo\w*|sqlcmd|zip|unzip|sshpass|(?:docker|podman|helm|az|oras|skopeo|buildah)\s.*\blogin)\s(?:.*\s)?["']?-p\s*["']?[^\s$"'-]`)},
	{"-w", when(`\bldap\w+\s(?:.*\s)?["']?-w\s*["']?[^\s$"'-]`)},
	{"-a", when(`\bredis-cli\s(?:.*\s)?["']?-a\s*["']?[^\s$"']`)},
	{"curl", when(`\bcurl\s(?:.*\s)?(?:-[a-z]*u|--(?:proxy-)?user)[ =]?["']?[^\s:$"']+:[^\s$"']`)},
	{"lftp", when(`\blftp\s.*-u\s*["']?[^\s,$"']+,[^\s$"']`)},
	{"smb", when(`\bsmb\w+\s.*-u\s*["']?[^\s%$"']+%[^\s$"']`)},
	{"htpasswd", when(`\bhtpasswd\s+-[a-z]*b`)},
	{"chpasswd", when(`\|.*\bchpasswd|\bchpasswd.*<<`)},
	{"password_maps", when(`password_maps\s*=.*\b(?:static:\S+:\S|inline:)`)},
	{"sst_auth", when(`sst_auth["']?\s*=\s*["']?[^\s:"'$]+:[^\s$"']`)},
	{"auth=", when(`[?&]auth=[^\s$&"'{%]`)},
	{"key=", when(`[?&]key=[^\s$&"'{%]|\[[a-z0-9-]+@[0-9]+\s[^\]]*key=`)},
	{":om", when(`:om(?:mysql|pgsql|oracle):[^,\s]+,[^,\s]+,[^,\s]+,\S`)},
	{"string=", when(`\bstring="[0-9a-z-]{20,}\s`)},
	{"password", when(`\b(?:root|admin\w*|initial|default|temporary)\b.{0,20}\bpassword(?:\s+is|\s*[:=])\s*[^\s$.,]`)},
	{"stats", when(`\bstats\s+auth\s+\S+:`)},
	{"dns", when(`^\s*dns\s+[a-z0-9]+\s+[a-z0-9_-]{16,}`)},
	{"auth", when(`\bauth"?\s*[:=]\s*"[^"$]{8,}"`)},
	{"insecure", when(`\binsecure-password\s+\S`)},
	{"random", when(`\brandom\b.{0,20}password`)},
	{"generated", when(`\bgenerated\b.{0,20}password`)},
	{"@", when(`\[[0-9a-z-]{20,}@[0-9]+`)},
	{"hooks.slack.com", when(`hooks\.slack\.com/services/`)},
	{"hc-ping", when(`hc-ping\.com/`)},
	{"webhooks", when(`/api/webhooks/`)},
	{"telegram", when(`api\.telegram\.org/bot[0-9]`)},
	{"$", when(`\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|argon2[a-z]*|scrypt|pbkdf2[a-z0-9-]*)\$(?:[^\s$:]{1,64}\$)*[./a-z0-9+=]{20,}`)},
	{"}", when(`(?:^|[^%$])\{(?:s?sha|s?md5|s?crypt|blf-crypt|plain)[0-9]*\}[a-z0-9+/$]`)},
	{"scram-sha-256$", when(`scram-sha-256\$[0-9]`)},
	{"private key", when(`-----begin [a-z ]*private key`)},
	{"eyj", when(`eyj[a-z0-9_-]{8,}\.eyj`)},
	{"jdj", when(`\bjdj[abxy]jd`)},
	{"_", when(`\b(?:gh[pousr]_|github_pat_|[rs]k_(?:live|test)_|whsec_|npm_)[a-z0-9_]{8,}`)},
	{"sg.", when(`\bsg\.[a-z0-9_-]{16,}\.[a-z0-9_-]{16,}`)},
	{"-", when(`\b(?:glpat-|xox[abps]-)[a-z0-9_-]{12,}|\bsk-[a-z0-9_-]{20,}`)},
	{"hvs.", when(`\bhvs\.[a-z0-9_-]{12,}`)},
	{"aiza", when(`\baiza[a-z0-9_-]{30,}`)},
	{"akia", when(`\bakia[a-z0-9]{16}\b`)},
}
