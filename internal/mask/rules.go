package mask

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/claudeops/claudeops/internal/lazy"
)

// rule is one form of a credential in text.
type rule struct {
	form    string // an example, or a description
	place   place  // where its words must be
	words   string // the words that start it, separated by |; a word without capital letters is found in any case
	pattern string // what follows the word. Each group is a credential; without groups, the text only looks like a credential or a program
}

// patterns are the compiled patterns of rules. Most processes never meet a word of a rule, and compiling takes 3 ms.
var patterns = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, r := range rules {
		all = append(all, regexp.MustCompile("^(?:"+r.pattern+")"))
	}
	return all
})

// place is where the word of a rule must be.
type place int

const (
	anywhere    place = iota
	atWord            // no letter, digit, - or _ before it
	itself            // as atWord, and the word is the start of the credential, which the pattern continues
	beforeVerb        // as atWord, and exec or login follows
	inOption          // in a word that starts with -
	firstOnLine       // in the first word of a line or a quotation
	inField           // as firstOnLine, outside quotations, and indented or not the start of its word
	inItem            // as firstOnLine, in an item of a list; or after a quotation mark in a unit's Environment
	inQuotes          // in the first word of a quotation
	beforeValue       // the word value follows
	inBraces          // after an unclosed { or map[
	ofProgram         // it is a program, and the pattern is that of an option in its command
	behind            // the pattern is that of the text before it
	inName            // in a name whose value follows apart
)

// Building blocks of the patterns below.
const (
	first    = "[^=\\s\"'`;&|<>()\\\\]"                                                                                                // the first character of an unquoted value
	noOption = "[^=\\s\"'`;&|<>()\\\\-]"                                                                                               // as first, but not the start of an option
	further  = "(?:[^\\s\"'`;&|<>()\\\\]|\\\\[^\\s\"'\\\\]|'[^\\s;,&|)}\\]':.'][^'\\n]*')*"                                            // the characters after the first; a'b c'd is one value
	quoted   = `"(?:[^\s"\\]|\\.)(?:[^"\\\n]|\\.)*"|\\+"[^"\n]*"|'[^\s'](?:[^'\n]|'')*'|` + "\"[^\\s\"`][^\"\\n`]*|'[^\\s'`][^'\\n`]*" // the last two are never closed
	value    = "((?:" + quoted + `)(?:\w` + further + ")?|(?:" + first + `|\\[^\s"'\\])` + further + ")"
	argument = "((?:" + quoted + `)(?:\w` + further + ")?|(?:" + noOption + `|\\[^\s"'\\])` + further + ")"
	gap      = `(?:[ \t=]|\\\n|\n[ +-]?[ \t]*- )*` // between an option and its value, also as items of a YAML list
	word     = "([^\\s\"'`,;\\\\]+)"
	userPass = `(?:"[^"\n:]*:((?:[^"\\\n]|\\.)*)"|'[^'\n:]*:([^'\n]*)|\\+"[^":\n]*:([^"\\\n]*)|(?:[^\s"':;&|]|"[^"\n:]*"|'[^'\n:]*')*:((?:'[^'\n]*'|"[^"\n]*"|[^\s"';&|` + "`])+))"

	secretWords = "password|passwd|passphrase|secret|token|apikey|api_key|api-key|access_key|access-key|accesskey|secret_key|secret-key|secretkey|" +
		"private_key|private-key|privatekey|auth_key|auth-key|authkey|encryption_key|encryption-key|encryptionkey|signing_key|signing-key|signingkey|presharedkey"
	secretNames = secretWords + "|credential|credentials|_KEY|_KEYS|_pass|-pass|PGPASS|_auth|_pwd|_pw|_creds|_dsn|_webhook|-webhook|webhook_url|SSHPASS|" +
		"dbpass|dbpwd|userpass|rootpass|adminpass|mysqlpass|smtppass|mailpass|ftppass|accountkey|account_key|-key-data"
	headers  = "-token|-secret|-password|-auth|apikey|api-key|access-key|auth-key|secret-key|subscription-key"
	numbered = `(?i:_?\d{1,2}|_base|_base64|_b64|_old|_new|_value|_?hash|_?digest|[_-](?:prod|production|staging|dev|test|live|primary|secondary|replica|current|previous|next))?` // TOKEN_2

	beginning = "-----BEGIN " // of a key

	blanks  = `(?:\n[+-]|\s)*` // with the first column of a diff
	aString = `"(?s:[^"\\]|\\.)*"|'[^'\n]*'`

	scheme     = `(?i:basic|bearer|digest|token|negotiate|ntlm|apikey|aws4-hmac-sha256|geniekey|ssws|splunk|bot|hawk|vapid|key|oauth)\\? +`
	parameter  = `[\w-]+=(?:"[^"\n]*"|\\+"[^"\\\n]*\\+"|[^\s,"'` + "`" + `\\]*)`
	parameters = "(" + parameter + "(?:, *" + parameter + ")*|[^\\s\"'`,;\\\\]+)"

	// spokenOf matches a word that follows when an option or a scheme is only mentioned, without a value.
	spokenOf = `(?i:a|an|and|any|are|as|at|auth|authentication|authorization|be|by|can|could|does|error|flags?|for|from|has|header|if|in|is|it|must|needs?|not|of|on|` +
		`options?|or|realm=\S*|requires?|scheme|should|string|that|the|to|tokens?|was|were|when|which|will|with|without)(?:[\s.,;:)'"` + "`]|$)"
)

// rules are all known forms of credentials in text. Of rules with the same word, the first that matches counts.
var rules = [...]rule{
	{form: "a key that is no secret", words: "public_key|public-key|partition_key|routing_key|cache_key|sort_key|primary_key|foreign_key|idempotency_key|host_key|idempotency-key|websocket-key|" +
		"existingsecret|LoadCredential", pattern: ``},
	{form: "an option that says there is none", words: "no-password|no_password|require_password|require-password", pattern: ``},
	{form: "the data of a Kubernetes Secret, and escape sequences in JSON", words: `data:|data": {|\u001b|\u200b|\u200c|\u200d|\u2060|\ufeff`, pattern: `$^`},
	{form: "a name, which is no program", words: "-name", pattern: `[ =]+\S+`},
	{form: "a folder, which is no program", words: "/lib/mysql|/log/mysql|/run/mysql|/etc/mysql|/lib/mariadb|/log/mariadb", pattern: ``},
	{form: "a container or a pod, which is no program", place: beforeVerb, words: "docker|podman|nerdctl|kubectl|docker-compose",
		pattern: `(?:[ \t]+[^\s;&|]+){0,6}?[ \t]+exec(?:[ \t]+(?:-[uwecn]|--(?:user|workdir|env|env-file|index|container|namespace))[ =]+\S+|[ \t]+-\S+)*[ \t]+[^\s-]\S*`},

	{form: "a name", place: inName, words: secretNames + "|" + headers + "|authorization|cookie|pass|pwd|psk|auth", pattern: numbered + "$"},
	{form: "https://user:X@host", words: "://", pattern: "(?:[^\\s/?#'\"`\\\\<>:@]*:([^\\s/?#'\"`\\\\<>]+)|([\\w.-]{20,}))@"},
	{form: "a private key", words: beginning, pattern: `[A-Z ]*PRIVATE KEY(?: BLOCK)?-----((?:\\+[nr]|["'\s,])*$|(?s:.*?)[\w+/]{20}(?s:.*?))(?:-----END|$)`},
	{form: "a long token", place: itself, words: "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|npm_|hf_|whsec_|shpat_|shpss_|shppa_|shpca_|gsk_|dapi|rubygems_|lin_api_|sbp_|" +
		"pul-|figd_|sntrys_|sntryu_|xai-|nvapi-|r8_|sk-", pattern: `\w{30,}`},
	{form: "a token", place: itself, words: "glpat-|glptt-|gldt-|glrt-|glcbt-|glft-|gloas-|glsoat-|glagent-|sk-ant-|sk-proj-|sk-or-v1-|sk-svcacct-|sk-admin-|" +
		"dckr_pat_|dckr_oat_|dop_v1_|doo_v1_|dor_v1_|glsa_|glc_|hvs.|hvb.|sk_live_|rk_live_|sk_test_|rk_test_|AIza|GOCSPX-|ya29.|pypi-AgE|" +
		"tskey-auth-|tskey-client-|tskey-api-|PMAK-|NRAK-|ATATT3|pscale_tkn_|pscale_pw_", pattern: `[\w-]{16,}`},
	{form: "a key of AWS or age", place: itself, words: "AKIA|ASIA|AGE-SECRET-KEY-1", pattern: `[0-9A-Z]{16,}\b`},
	{form: "a token of Slack", place: itself, words: "xox|xapp", pattern: `(?:[abcdeprs](?:\.xox[bp])?|-1)-[\w-]{10,}`},
	{form: "a key of SendGrid", place: itself, words: "SG.", pattern: `[\w-]{16,}\.[\w-]{16,}`},
	{form: "a webhook", words: "hooks.slack.com/services/|hooks.slack.com/workflows/|hooks.slack.com/triggers/|discord.com/api/webhooks/|discordapp.com/api/webhooks/|" +
		"webhook.office.com/webhookb2/|outlook.office.com/webhook/|?sig=|&sig=", pattern: `([\w/@%+=-]{20,})`},
	{form: "a bot of Telegram", words: "api.telegram.org/bot", pattern: `(\d+:[\w-]{30,})`},
	{form: "a hash of a password", place: itself, pattern: `(?:\d+:)?[\w./$+=,-]{15,}(?::[\w+/]{20,}=*)?`,
		words: "$2a$|$2b$|$2y$|$apr1$|$1$|$5$|$6$|$7$|$y$|$gy$|$argon2|{SHA}|{SSHA}|{SSHA256}|{SSHA512}|{SMD5}|{CRYPT}|{PBKDF2}|{PBKDF2-SHA256}|{PBKDF2-SHA512}|SCRAM-SHA-256$|SCRAM-SHA-1$|pbkdf2_sha256$"},
	{form: "an URL of Apprise", place: atWord, pattern: "([^\\s\"'`<>\\\\]{8,})",
		words: "tgram://|discord://|slack://|gotify://|gotifys://|pover://|pbul://|matrixs://|msteams://|hassio://|hassios://|" +
			"mmost://|mmosts://|rocket://|rockets://|prowl://|pagerduty://|opsgenie://|ifttt://|twilio://|zulip://|webex://"},
	{form: "user:X@tcp(host)", place: behind, words: "@tcp(|@unix(", pattern: `[^:]*?(?:[^:]*://)?[^:]+:(.+)$`},
	{form: "jdbc:oracle:thin:user/X@host", words: "jdbc:oracle:", pattern: `\w+:\w+/([^\s/"']+)@`},
	{form: "a JWT", place: itself, words: "eyJ", pattern: `[\w-]{8,}\.eyJ[\w-]+\.[\w-]+`},

	{form: "Authorization: Bearer X", words: "authorization", pattern: `["'\\]*(?: *: *| *= *)["'\\]*(?:` + scheme + parameters + "|" +
		word + "(?:[\"'`,;\\\\\\s]*$|[\"'`,;\\\\]| +[\\w.-]+[=:])|[\\w-]+ +" + word + "(?:[\"'`,;\\\\]|\\s*$))"},
	{form: "Bearer X", place: atWord, words: "Bearer", pattern: ` +(?:` + spokenOf + `|([\w.~+/-]{4,}=*))`},
	{form: "bearer X1", place: atWord, words: "bearer", pattern: ` +([\w.~+/-]*\d[\w.~+/-]{5,}=*|[\w.~+/-]{24,}=*)`},
	{form: "- DB_PASSWORD=X Y", place: inItem, words: secretNames, pattern: numbered + `=([^\s"'][^"\n]*?)["']?(?:" |\s*$|\n)`},
	{form: "value: X, name: DB_PASSWORD", place: atWord, words: "value", pattern: `"?: *(` + quoted + `|[^\s,{}"'][^\n,{}"']*?)(?:, *|,?\s*\n[ \t+-]*)"?name"?: *["']?[\w.-]*(?i:` + secretNames + ")"},
	{form: "  password: X Y, db_password = X Y", place: inField, words: secretNames, pattern: numbered + `(?::[ \t]+| += +)(?:\d+ bytes|` + spokenOf +
		"|([^\\s\"'`|>{\\[&*!%@#<$][^\"'`\n]*?))(?:[ \\t]+#.*)?\\r?(?:\n|$)"},
	{form: "NAME_PASSWORD=X, name_password = X, 'password': 'X', password: string = 'X', password('X'), $c['password'] = 'X'", words: secretNames,
		pattern: numbered + "(?:=" + value + `|["'\])]*(?:: ?\w+)? +[:?+]?= +` + value + `|["'\])]* *[:=!]== *(` + quoted + `)|["'\])]* *[:!]?= *(` + quoted +
			`)|(?:\\*["'])? *(?::|=>) *(` + quoted + `)|\((` + quoted + `)\)|` +
			`[ \t]+(?:"([^"\n]+)"|([\w+/]{16,}={1,2}));|` +
			`s?["']?: ?(?:\[redacted\]|\[["']?([^\s\[\]{}"'][^\[\]{}\n]*)\]|\{["']?(?:` + describingNames + `)\b|\{([^\s{}][^{}\n]*:[^{}\n]*)\}))`},
	{form: "define('DB_PASSWORD', 'X')", place: inQuotes, words: secretNames, pattern: numbered + `["'], *(` + quoted + `)\)`},
	{form: "name: DB_PASSWORD, value: X", place: beforeValue, words: secretNames, pattern: numbered + `["'\\]*(?:(?:, *|[ \t]+)["'\\]*(?i:value)["'\\]*[:=] *(?:(` + quoted +
		")|([^\\s,}\"'`\\\\]+))|\\s*\n[ +-]?\\s*value: +(?:(" + quoted + ")|([^\\s#'\"`][^\\s`]*[^\\r\\n`]{0,32}))(?:\\r?\\n\\+\\s*value: +(?:(" + quoted + ")|([^\\r\\n]+)))?)"},
	{form: "password: X", place: firstOnLine, words: secretNames, pattern: numbered + `["']?:[ \t]+` + value + "[ \\t]*(?:#.*)?[\"'`,\\\\]*\\s*?(?:\\n|$)"},
	{form: "{user: a, password: X}, map[password:X]", place: inBraces, words: secretNames,
		pattern: numbered + ": ?([^\\s\"'`\\[{](?:[^\\s\"'`]{0,64}?|[^\\s\"'`\\[{]*?))(?:[\\]}]|,? +[\\w.-]+:|, )"},
	{form: "'X-Api-Key: X'", place: inQuotes, words: headers, pattern: ": *(?:" + spokenOf + `|([^\s"'\\][^"'\n\\]*)['"])`},
	{form: "X-Api-Key: X", words: headers, pattern: ": +(?:" + spokenOf + "|" + word + ")"},
	{form: "--password X", place: inOption, words: secretWords + "|-pass|requirepass|masterauth",
		pattern: `(?:(?:[ \t]|\\\n)+|\n[ +-]?[ \t]*(?:- +)?)(?:` + spokenOf + `|(?:id|type)=|` + argument + `)`},
	{form: "pass=X, {'pwd':'X'}", place: atWord, words: "pass|pwd|psk", pattern: `(?:=(?:["']?[/~.]|\d+(?:[^\w-]|$)|` + value + `)|(?:\\*["'])? *(?::|=>) *(` + quoted + `))`},
	{form: "\"auth\": \"X\"", place: atWord, words: "auth", pattern: `" *: *"([\w+/=.-]{6,})"`},
	{form: "\"Cookie\": \"a=X\"", words: "cookie", pattern: `["'] *: *(` + quoted + `)`},
	{form: "a_key: X1", words: "_key|-key", pattern: `["']?(?:=| *[:=] +)["']?([\w+/=-]*(?:\d[\w+/=-]*[A-Za-z]|[A-Za-z][\w+/=-]*\d)[\w+/=-]*)["']?(?:[\s,;&]|$)`},
	{form: "password | X, | PASSWORD | X |, password => X => X", place: firstOnLine, words: secretNames,
		pattern: numbered + "[`*]*[ \\t]*(?:\\| *([^\\n|]+?)[ \\t]*(?:\n|$)|\\| *`?([^\\s|`]+)`?[ \\t]*\\|[ \\t]*(?:\n|$)|" +
			`=> ([^\s(){};]+)(?: => ([^\n]+))?(?:\n|$))`},
	{form: "[password] => X", words: secretNames, pattern: `\] => ` + value + `(?:[^\S\n]*\n|$)`},
	{form: "<password>X</password>", words: secretNames, pattern: numbered + `["']?>([^<>\n]+)</`},
	{form: "a password: X1", place: atWord, words: "password|passphrase", pattern: `: +([^\s"'` + "`" + `\\]*(?:\d[^\s"'` + "`" + `\\]*[A-Za-z]|[A-Za-z][^\s"'` + "`" + `\\]*\d)[^\s"'` + "`" + `\\]*)[ \t"'` + "`" + `\\]*(?:\n|$)`},
	{form: "GENERATED ROOT PASSWORD: X", place: atWord, words: "generated root password|generated security password|temporary password is generated|unseal key|recovery key",
		pattern: `(?: for \S+| \d+)?: +([^\s"'` + "`" + `\\]+)`},
	{form: "Set-Cookie: a=X", words: "set-cookie", pattern: `: +[\w.-]+=([^\s"'` + "`" + `;,\\]+)`},
	{form: "Cookie: a=X; b=X", place: atWord, words: "cookie", pattern: `: +([\w.-]+=[^"'` + "`" + `\r\n\\]+)`},
	{form: "requirepass X", place: atWord, words: "requirepass|masterauth|secure_link_secret|insecure-password|bindpw",
		pattern: `(?:[ \t]+|"?\n[ +-]?(?:\d+\) )?)(?:` + spokenOf + `|` + argument + `)`},
	{form: "login a password X", place: atWord, words: "login", pattern: `[ \t]+\S+[ \t]+password[ \t]+(\S+)`},
	{form: "  password X", place: inField, words: "password", pattern: `[ \t]+(?:` + spokenOf + `|([^\s'"]+)\s*(?:\n|$))`},
	{form: "user a on >X", words: "on >", pattern: `([^\s>]{4,})`},
	{form: "stats auth a:X", words: "stats auth ", pattern: `[\w.-]+:` + value},
	{form: "openssl -passin pass:X", words: "-passin pass:|-passout pass:|-pass pass:", pattern: value},
	{form: "ALTER ROLE a PASSWORD 'X'", place: atWord, words: "password", pattern: `[ \t]+'([^'\n]+)'`},
	{form: "CREATE USER a IDENTIFIED BY 'X'", place: atWord, words: "identified", pattern: `(?i:[ \t]+with[ \t]+\S+)?(?i:[ \t]+(?:by|as))(?i:[ \t]+password)?[ \t]+(?:'([^'\n]+)|"([^"\n]+))`},
	{form: "proxy_set_header X-Api-Key X", words: "set_header|set-header|add_header|add-header|Header set|header_up",
		pattern: `[ \t]+["']?[\w-]*(?i:token|secret|password|-auth|api-?key|access-key|authorization|cookie)\b["']?[ \t]+` + value},
	{form: "fastcgi_param DB_PASSWORD X", place: atWord, words: "fastcgi_param|uwsgi_param|SetEnv|set $",
		pattern: `[ \t]*["']?\w*(?i:password|passwd|secret|token|api_?key|_key|_pass|_pwd)\w*["']?[ \t]+` + value},
	{form: "password:, and X below, as kubectl describes a map", place: firstOnLine, words: secretNames, pattern: numbered + `:\n[ +-]?-{4}\n[ +-]?` + word},
	{form: "Db Password:  X", place: atWord, words: "password|passphrase|secret|token|api key|access key|secret key|private key", pattern: `: {2,}` + value + "[ \t\"'`]*(?:\n|$)"},

	{form: "curl -u user:X", place: ofProgram, words: "curl", pattern: `(?:-[#0-6fgijklnqsvGILNORSaBJMpZ]*[uU]|--(?:proxy-)?user)` + gap + userPass},
	{form: "mysql -pX", place: ofProgram, words: "mysql|mysqldump|mysqladmin|mysqlimport|mysqlcheck|mysqlshow|mysqlsh|mariadb|mariadb-dump|mariadb-admin|mariadb-check",
		pattern: `-p(?:[\d.]*:?\d+:\d+|` + value + `)`},
	{form: "redis-cli -a X", place: ofProgram, words: "redis-cli|valkey-cli", pattern: `-a` + gap + argument},
	{form: "mongosh -p X", place: ofProgram, words: "mongosh|mongo|mongodump|mongorestore|cqlsh", pattern: `-p` + gap + argument},
	{form: "ldapsearch -w X, sqlcmd -P X", place: ofProgram, words: "ldapsearch|ldapmodify|ldapwhoami|sqlcmd|ipmitool|mosquitto_pub|mosquitto_sub", //nolint:misspell // a program
		pattern: `-[wP]` + gap + argument},
	{form: "smbclient -U a%X", place: ofProgram, words: "smbclient|rpcclient", pattern: `-(?:U|-user)` + gap + `[^\s%]+%` + value},
	{form: "lftp -u a,X", place: ofProgram, words: "lftp", pattern: `-u` + gap + `[^\s,]+,` + value},
	{form: "docker login -p X", place: beforeVerb, words: "docker|podman|nerdctl|buildah|skopeo|oras|helm",
		pattern: `(?:[ \t]+[^\s;&|]+){0,4}?[ \t]+login(?:(?:[ \t]|\\\n)+[^\s;&|]+){0,10}?(?:[ \t]|\\\n)+-p[ \t=]*` + argument},
	{form: "sshpass -p X", place: atWord, words: "sshpass", pattern: `(?:[ \t]+-[ev]|[ \t]+-P[ \t]*\S+)*[ \t]+-p[ \t]*` + argument},
}

// placeholder matches what may be in the place of a credential but is none: a word that says so, a variable, a mask, a path.
var placeholder = lazy.Regexp(`^(?:|(?i:true|false|yes|no|none|null|nil|string|password|passphrase|token|secret|missing|invalid|refused|required|optional|default|enabled|disabled|expired|denied|failed|on|off|wrong|incorrect|unknown)` +
	`|\[redacted\]|[*.]+|\d{1,3}|<[^>]*>?|"?\$(?:\w+|\{[^}]*\}?|\(.*|)"?|(?:/[a-z0-9._-]+){2,}/?|(?i:os|process|env|config|cfg|settings|self|this|args|options|secrets|var|local)\.[\w.]+)$`)

// quotation matches a quoted part of a command, or a command substitution.
var quotation = lazy.Regexp("^(?:" + `"(?s:[^"\\]|\\.)*"|"[^"]*"|'[^']*'|` + "`[^`]*`" + `|\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)` + ")")

// stringList matches the start of a list of strings.
var stringList = lazy.Regexp(`\[` + blanks + `(?:(?:` + aString + `)` + blanks + `,` + blanks + `)+(?:` + aString + `)?`)

// listString matches a string in such a list.
var listString = lazy.Regexp(aString)

// nextField matches where a list continues after a value.
var nextField = lazy.Regexp(`,(?:[\w-]+=|$)`)

// keyLine matches a line of a private key: a word of Base64, which may follow up to 256 bytes of log prefix, or a header.
var (
	keyLine     = lazy.Regexp(`^\W*[\w+/=]*\W*$|^(?:Proc-Type|DEK-Info|Version|Comment|Hash): |` + longKey)
	longKeyLine = lazy.Regexp(longKey)
)

// linePrefix matches what grep, cat -n and an agent's Read put before each line, and how the line goes on, or the start of a line without.
var linePrefix = lazy.Regexp(`(?m)^(?:( *\d+(?:\t|→)|(?:` + file + `[:-])?\d+[:-])|(` + file + `:)(  |\t|- |[\w.-]+(?:: |=))|(` +
	file + `-)(  |\t|- )|)`)

const file = `[\w./@+~-]*[./][\w./@+~-]*?`

const longKey = `^(?:(?s:.{0,256})[^\w+/=])?[\w+/]{40,}=*\W*$`

// trigger is one word of a rule.
type trigger struct {
	word  []byte
	exact bool // case-sensitive
	rule  int
}

// triggers are the words of all rules, indexed by five bits of each of their first three letters. Most positions in a text match no
// index, and cost one lookup.
var triggers = sync.OnceValue(func() *triggerTable {
	t := &triggerTable{words: make([][]trigger, 1)}
	for i := range rules {
		for w := range strings.SplitSeq(rules[i].words, "|") {
			hash := int(w[0]&31)<<10 | int(w[1]&31)<<5 | int(w[2]&31)
			if t.at[hash] == 0 {
				t.at[hash] = uint8(len(t.words))
				t.words = append(t.words, nil)
			}
			t.words[t.at[hash]] = append(t.words[t.at[hash]], trigger{[]byte(w), w != strings.ToLower(w), i})
		}
	}
	return t
})

type triggerTable struct {
	at    [1 << 15]uint8 // an index into words
	words [][]trigger
}

// next returns the first position of a possible trigger, negative if there is none, and the triggers that may be there.
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

// begins reports whether a text starts with the trigger.
func (t trigger) begins(text []byte) bool {
	text = text[:min(len(text), len(t.word))]
	return bytes.Equal(text, t.word) || !t.exact && bytes.EqualFold(text, t.word)
}
