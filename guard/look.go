package guard

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/claudeops/claudeops/internal/statedir"
)

// Configuration is worth reading, and now and then somebody has written a password into it. So the files that the policy lists (looked:)
// are looked into, where that can be, before an agent reads them: one with a line that may hold a credential is a secret.

// maxLooked is how much is looked into for one command, in bytes. What lies beyond counts as a secret.
const maxLooked = 4 << 20

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

// lookInto looks for a credential in a plain file. One that cannot be read as text may hold it.
func (k *walker) lookInto(p string) bool {
	if info, err := os.Stat(p); err != nil || !info.Mode().IsRegular() {
		return err != nil && k.hides(err)
	}
	text, err := statedir.ReadFile(p, int64(maxLooked-k.lookedAt))
	if err != nil {
		return k.hides(err)
	}
	k.lookedAt += len(text)
	if strings.HasSuffix(p, ".gz") {
		return true
	}
	for line := range strings.Lines(string(text)) {
		if credential(line) {
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

// confides reports whether a line gives a value to a name that has a credential. Of a remark that is nothing but its last word, since the
// others are a sentence.
func confides(line string) bool {
	remark := remarks().MatchString(line)
	for _, m := range assigned().FindAllStringSubmatchIndex(line, -1) {
		name, sign, value, behind := line[m[2]:m[3]], line[m[4]:m[5]], line[m[6]:m[7]], line[m[7]:]
		quoted := strings.ContainsAny(value[:1], `"'`)
		glued := line[m[3]:m[6]] == "=" // as in a line that is switched off
		sentence := (remark && !glued || sign == ":" && !quoted) && !ending().MatchString(behind)
		list := sign == "," && (remark || !quoted) || strings.HasSuffix(line[:m[2]], "!") // of names, of ciphers
		if !sentence && !list && !empty(name, value) {
			return true
		}
	}
	for _, re := range []*regexp.Regexp{alone(), optioned()} {
		if m := re.FindStringSubmatch(line); m != nil && !remark && !empty(m[1], m[2]) {
			return true
		}
	}
	return false
}

// empty reports whether a name says something else, or has a value that is none: a file, a variable, a switch, a mask.
func empty(name, value string) bool {
	return otherNames().MatchString(name) || otherValues().MatchString(strings.Trim(value, `"'`))
}

// confided are the ends of names that have a credential as their value, and worth is such a value.
const (
	confided = `(?:pass|passwd|password|passphrase|pwd|pw|secret|token|psk|wireless-key|(?:api|access|secret|private|encryption|signing|shared|preshared|auth|account|license|master|hmac)[_-]?key)[0-9]*`
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

	// assigned is a value behind a sign, alone one that ends its line, optioned one behind an option of a program.
	assigned = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)([a-z0-9_.-]*` + confided + `)["'\])]*\s*(=>|:=|[!=]?==?|!?~|:|,|\?[:?]|\|\|)\s*` + worth)
	})
	alone = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[\s$])([a-z0-9_.-]*` + confided + `)["']?\s+` + worth + `\s*[;}]?\s*$`)
	})
	optioned = when(`(?i)\s--?([a-z0-9-]*` + confided + `)\s+` + worth)
)

// mark is a text that is a credential whatever it is called, as a line in small letters has it, and what such a line has for certain.
type mark struct {
	hint string
	text func() *regexp.Regexp
}

// marks are such texts: in addresses, on command lines, hashes, tokens, keys.
var marks = []mark{
	{"://", when(`://[^/\s:@]*:[^/\s@$%{][^/\s@]*@`)},
	{"authorization", when(`authorization\b.{0,40}\b(?:basic|bearer|token)\s+[a-z0-9+/=._~-]{6,}`)},
	{"mysql", when(`\bmysql\w*\s.*\s-p[^\s$]|mysqli?\w*\s*\(.*,.*["']`)},
	{"pdo", when(`\bpdo\s*\(.*,.*["']`)},
	{"curl", when(`\bcurl\s.*(?:-u|--user)[ =]?["']?[^\s:$]+:[^\s$]`)},
	{"sshpass", when(`\bsshpass\s+-p`)},
	{"redis-cli", when(`\bredis-cli\s.*-a\s`)},
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
	{"_", when(`\b(?:gh[pousr]_|github_pat_|sk_live_|npm_)[a-z0-9_]{12,}`)},
	{"-", when(`\b(?:glpat-|xox[abps]-)[a-z0-9_-]{12,}|\bsk-[a-z0-9_-]{20,}`)},
	{"hvs.", when(`\bhvs\.[a-z0-9_-]{12,}`)},
	{"aiza", when(`\baiza[a-z0-9_-]{30,}`)},
	{"akia", when(`\bakia[a-z0-9]{16}\b`)},
}

// when compiles an expression when it is needed, which few are.
func when(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
