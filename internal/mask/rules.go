package mask

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// rule is one form in which a text shows a credential.
type rule struct {
	form    string // what it finds
	place   place  // where its words must stand
	words   string // what it begins with, separated by |; one without capital letters is found in any case
	pattern string // what follows the word. Each group is a credential; where there is none, the text only looks like one, or like a program

	once     sync.Once
	compiled *regexp.Regexp
}

// place is where the word of a rule must stand.
type place int

const (
	anywhere    place = iota
	atWord            // no letter, digit, - or _ before it
	itself            // the same, and it is the beginning of the credential, which the pattern goes on with
	beforeExec        // the same as atWord, and exec follows
	inOption          // in a word that begins with --
	firstOnLine       // in the first word of a line, or of a quotation
	ofProgram         // it is a program, and the pattern is that of an option in its command
)

// What the patterns below are made of.
const (
	first    = "[^=\\s\"'`;&|<>()\\\\]"                                                                                         // the first character of a value without quotes
	noOption = "[^=\\s\"'`;&|<>()\\\\-]"                                                                                        // the same, and it is no option
	further  = "(?:[^\\s\"'`;&|<>()\\\\]|\\\\[^\\s\"'\\\\]|'[^\\s;,&|)}\\]':.'][^'\\n]*')*"                                     // those that follow; a'b c'd is one value
	quoted   = `"(?:[^\s"\\]|\\.)(?:[^"\\\n]|\\.)*"|\\+"[^"\n]*"|'[^\s'][^'\n]*'|` + "\"[^\\s\"`][^\"\\n`]*|'[^\\s'`][^'\\n`]*" // the last two are never closed
	value    = "((?:" + quoted + `)(?:\w` + further + ")?|(?:" + first + `|\\[^\s"'\\])` + further + ")"
	argument = "((?:" + quoted + `)(?:\w` + further + ")?|(?:" + noOption + `|\\[^\s"'\\])` + further + ")"
	word     = "([^\\s\"'`,;\\\\]+)"
	userPass = `(?:"[^"\n:]*:((?:[^"\\\n]|\\.)*)"|'[^'\n:]*:([^'\n]*)|\\+"[^":\n]*:([^"\\\n]*)|[^\s"':;&|]*:((?:'[^'\n]*'|"[^"\n]*"|[^\s"';&|` + "`])+))"

	secretWords = "password|passwd|passphrase|secret|token|apikey|api_key|api-key|access_key|access-key|accesskey|secret_key|secret-key|secretkey|" +
		"private_key|private-key|privatekey|auth_key|auth-key|encryption_key|encryption-key|signing_key|signing-key"
	secretNames = secretWords + "|credential|credentials|_KEY|_KEYS|_pass|-pass|_auth|_pwd|_dsn|_webhook|-webhook|webhook_url|SSHPASS"
	numbered    = `(?i:_?\d{1,2}|_base|_base64|_b64|_old|_new|_value)?` // TOKEN_2, SECRET_KEY_BASE

	scheme     = `(?i:basic|bearer|digest|token|negotiate|ntlm|apikey|aws4-hmac-sha256|geniekey|ssws|splunk|bot|hawk|vapid|key|oauth)\\? +`
	parameter  = `[\w-]+=(?:"[^"\n]*"|\\+"[^"\\\n]*\\+"|[^\s,"'` + "`" + `\\]*)`
	parameters = "(" + parameter + "(?:, *" + parameter + ")*|[^\\s\"'`,;\\\\]+)"
	headerName = `(?i:[\w-]*(?:token|secret|password|api-?key|access-key|auth-key|auth)|x-[\w-]*key): *`

	// spokenOf is a word that follows where an option or a scheme is spoken of and no value is given.
	spokenOf = `(?i:a|an|and|any|are|as|at|auth|authentication|authorization|be|by|can|could|does|error|flags?|for|from|has|header|if|in|is|it|must|needs?|not|of|on|` +
		`options?|or|realm=\S*|requires?|scheme|should|string|that|the|to|tokens?|was|were|when|which|will|with|without)(?:[\s.,;:)'"` + "`]|$)"
)

// rules is everything that is known of how texts show credentials. Of rules with the same word the first that matches counts.
var rules = [...]rule{
	{form: "a key that is no secret", words: "public_key|public-key|PARTITION_KEY|ROUTING_KEY|CACHE_KEY|SORT_KEY|PRIMARY_KEY|FOREIGN_KEY|IDEMPOTENCY_KEY|HOST_KEY"},
	{form: "an option that says there is none", words: "no-password|no_password|require_password|require-password"},
	{form: "a name, which is no program", words: "-name", pattern: `[ =]+\S+`},
	{form: "a folder, which is no program", words: "/lib/mysql|/log/mysql|/run/mysql|/etc/mysql|/lib/mariadb|/log/mariadb"},
	{form: "a container or a pod, which is no program", place: beforeExec, words: "docker|podman|nerdctl|kubectl|docker-compose",
		pattern: `(?:[ \t]+[^\s;&|]+){0,6}?[ \t]+exec(?:[ \t]+(?:-[uwecn]|--(?:user|workdir|env|env-file|index|container|namespace))[ =]\S+|[ \t]+-\S+)*[ \t]+[^\s-]\S*`},

	{form: "https://user:X@host", words: "://", pattern: "(?:[^\\s/?#'\"`\\\\<>:@]*:([^\\s/?#'\"`\\\\<>]+)|([\\w.-]{20,}))@"},
	{form: "a private key", words: "-----BEGIN ", pattern: `[A-Z ]*PRIVATE KEY(?: BLOCK)?-----((?:\\+[nr]|["'\s,])*$|(?s:.*?)[\w+/]{20}(?s:.*?))(?:-----END|$)`},
	{form: "a token of GitHub, npm or Hugging Face", place: itself, words: "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|npm_|hf_|whsec_", pattern: `\w{30,}`},
	{form: "a token of GitLab, Anthropic, OpenAI, Docker, DigitalOcean, Grafana or Vault", place: itself,
		words: "glpat-|sk-ant-|sk-proj-|dckr_pat_|dop_v1_|glsa_|hvs.", pattern: `[\w-]{16,}`},
	{form: "a key of Stripe", place: itself, words: "sk_live_|rk_live_|sk_test_", pattern: `\w{16,}`},
	{form: "a key of AWS", place: itself, words: "AKIA|ASIA", pattern: `[0-9A-Z]{16}\b`},
	{form: "a key of Google", place: itself, words: "AIza", pattern: `[0-9A-Za-z_-]{16,}`},
	{form: "a token of Slack", place: itself, words: "xoxb-|xoxp-|xoxa-|xoxr-|xoxs-|xapp-1-", pattern: `[\w-]{10,}`},
	{form: "a JWT", place: itself, words: "eyJ", pattern: `[\w-]{8,}\.eyJ[\w-]+\.[\w-]+`},

	{form: "Authorization: Bearer X", words: "authorization", pattern: `["'\\]*(?: *: *| *= *)["'\\]*(?:` + scheme + parameters + "|" +
		word + "(?:[\"'`,;\\\\\\s]*$|[\"'`,;\\\\]| +[\\w.-]+[=:])|[\\w-]+ +" + word + "(?:[\"'`,;\\\\]|\\s*$))"},
	{form: "Bearer X", place: atWord, words: "Bearer", pattern: ` +(?:` + spokenOf + `|([\w.~+/-]{4,}=*))`},
	{form: "bearer X1", place: atWord, words: "bearer", pattern: ` +([\w.~+/-]*\d[\w.~+/-]{5,}=*|[\w.~+/-]{24,}=*)`},
	{form: "NAME_PASSWORD=X, name_password = X, 'password': 'X'", words: secretNames,
		pattern: numbered + "(?:=" + value + "| += +" + value + `|(?:\\*["'])? *(?::|=>) *(` + quoted + "))"},
	{form: "password: X", place: firstOnLine, words: secretNames, pattern: numbered + `["']?: +` + value + "[ \\t]*(?:#.*)?[\"'`,\\\\]*\\s*$"},
	{form: "X-Api-Key: X", words: "-token|-secret|-password|-auth|apikey|api-key|access-key|auth-key|secret-key|subscription-key",
		pattern: ": +(?:" + spokenOf + "|" + word + ")"},
	{form: "--password X", place: inOption, words: secretWords, pattern: `(?:[ \t]|\\\n)+(?:` + spokenOf + `|(?:id|type)=|` + argument + `)`},

	{form: "curl -u user:X, -H 'X-Api-Key: X'", place: ofProgram, words: "curl", pattern: `(?:-[#0-6fgijklnqsvGILNORSaBJMpZ]*[uU] *|--(?:proxy-)?user[ =])` + userPass +
		`|(?:-[#0-6fgijklnqsvGILNORSaBJMpZ]*H *|--(?:proxy-)?header[ =])(?:"` + headerName + `([^"\n]*)|'` + headerName + `([^'\n]*)|` + headerName + `([^\s"']+))`},
	{form: "wget --header 'X-Api-Key: X'", place: ofProgram, words: "wget", pattern: `--header[ =](?:"` + headerName + `([^"\n]*)|'` + headerName + `([^'\n]*))`},
	{form: "mysql -pX", place: ofProgram, words: "mysql|mysqldump|mysqladmin|mysqlimport|mysqlcheck|mysqlshow|mysqlsh|mariadb|mariadb-dump|mariadb-admin|mariadb-check",
		pattern: `-p(?:[\d.]*:?\d+:\d+|` + value + `)`},
	{form: "redis-cli -a X", place: ofProgram, words: "redis-cli|valkey-cli", pattern: `(?:-a *|--pass[ =])` + argument},
	{form: "mongosh -p X", place: ofProgram, words: "mongosh|mongo|mongodump|mongorestore", pattern: `-p *` + argument},
	{form: "ldapsearch -w X", place: ofProgram, words: "ldapsearch|ldapmodify|ldapwhoami", pattern: `-w *` + argument},
	{form: "docker login -p X", place: ofProgram, words: "docker login|podman login|nerdctl login|buildah login|skopeo login|oras login|registry login",
		pattern: `-p[ =]*` + argument},
	{form: "sshpass -p X", place: atWord, words: "sshpass", pattern: `(?: +-[ev]| +-P *\S+)* +-p *` + argument},
}

// placeholder is what stands in the place of a credential and is none: a word that says so, a variable, a mask, a path.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:|(?i:true|false|yes|no|none|null|nil|string|password|passphrase|token|secret|missing|invalid|refused|required|optional|default|enabled|disabled|expired|denied|failed|on|off|wrong|incorrect|unknown)` +
		`|\[redacted\]|[*.]+|\d{1,3}|<[^>]*>?|"?\$(?:\w+|\{[^}]*\}?|\(.*|)"?|(?:/[a-z0-9._-]+){2,}/?)$`)
})

// nextField is where a list goes on behind a value.
var nextField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`,(?:[\w-]+=|$)`) })

// keyLine is a line of a private key: a word of Base64, which may follow what a log puts before each line, or a header.
var keyLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\W*[\w+/=]*\W*$|(?:^|[^\w+/=])[\w+/]{40,}=*\W*$|^(?:Proc-Type|DEK-Info|Version|Comment|Hash): `)
})

func (r *rule) regexp() *regexp.Regexp {
	r.once.Do(func() {
		r.compiled = regexp.MustCompile("^(?:" + r.pattern + ")")
	})
	return r.compiled
}

// trigger is one word of a rule.
type trigger struct {
	word  string
	exact bool // letter case counts
	rule  int
}

// triggers are the words of all rules by their first three letters, of which five bits each tell them apart. Nearly no place in a text has
// any, and looking is all that such a text costs.
var triggers = sync.OnceValue(func() *struct {
	at    [1 << 15]uint8 // an index of words
	words [][]trigger
} {
	t := new(struct {
		at    [1 << 15]uint8
		words [][]trigger
	})
	t.words = make([][]trigger, 1)
	for i := range rules {
		for w := range strings.SplitSeq(rules[i].words, "|") {
			hash := int(w[0]&31)<<10 | int(w[1]&31)<<5 | int(w[2]&31)
			if t.at[hash] == 0 {
				t.at[hash] = uint8(len(t.words))
				t.words = append(t.words, nil)
			}
			t.words[t.at[hash]] = append(t.words[t.at[hash]], trigger{w, w != strings.ToLower(w), i})
		}
	}
	return t
})

// next finds the first place from which on a trigger stands, negative where there is none, and those that may stand there.
func next(text []byte, from int) (at int, there []trigger) {
	t := triggers()
	hash := 0
	for i := from; i < len(text); i++ {
		hash = (hash<<5 | int(text[i]&31)) & (1<<15 - 1)
		if t.at[hash] == 0 || i < from+2 {
			continue
		}
		there := t.words[t.at[hash]]
		if slices.ContainsFunc(there, func(t trigger) bool { return t.begins(text[i-2:]) }) {
			return i - 2, there
		}
	}
	return -1, nil
}

// begins reports whether a text begins with a trigger.
func (t trigger) begins(text []byte) bool {
	if len(text) < len(t.word) {
		return false
	}
	for i := range len(t.word) {
		c := text[i]
		if !t.exact && c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != t.word[i] {
			return false
		}
	}
	return true
}
