package config

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// Nobody has told us the value of a credential that stands in a command line, a header or a setting, but its place shows it, or its form:
//
//	curl -u ops:X            PGPASSWORD=X, --password=X, ?token=X    postgres://app:X@db
//	mysql -pX, sshpass -p X  --password X, password: X               Authorization: Bearer X
//	redis-cli -a X           docker login -p X                       {"X-Api-Key": "X"}, ghp_X, AKIAX
//
// What stands in a string of JSON is looked at as the text that the string means, so that the rules know plain text alone.

// maskShown replaces the credentials that a text shows: it returns text itself where there are none. Valid JSON stays valid.
func maskShown(text []byte) []byte {
	if hinted(text) {
		if masked := maskText(text, 0); !bytes.Equal(masked, text) {
			return masked
		}
	}
	return text
}

// deepest bounds how deeply JSON in a string of JSON is looked into.
const deepest = 6

// maskText masks a text, in which each line may be JSON of its own.
func maskText(text []byte, depth int) []byte {
	if depth < deepest && isJSON(text) {
		return maskJSON(text, depth)
	}
	var out []byte
	done, at := 0, 0
	plain := func(to int) {
		part := text[done:to]
		if spans := shownCredentials(part, depth == 0); len(spans) > 0 {
			part = replaced(part, spans)
		}
		out = append(out, part...)
	}
	for line := range bytes.Lines(text) {
		if depth < deepest && isJSON(line) {
			plain(at)
			out = append(out, maskJSON(line, depth)...)
			done = at + len(line)
		}
		at += len(line)
	}
	plain(at)
	return out
}

func isJSON(text []byte) bool {
	begin := bytes.TrimLeft(text, " \t\r\n")
	return len(begin) > 0 && (begin[0] == '{' || begin[0] == '[') &&
		jsontext.Value(text).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// maskJSON masks valid JSON, string by string.
func maskJSON(text []byte, depth int) []byte {
	var out, name []byte
	done := 0
	for at := 0; ; {
		open := bytes.IndexByte(text[at:], '"')
		if open < 0 {
			return append(out, text[done:]...)
		}
		from := at + open
		for at = from + 1; text[at] != '"'; at++ {
			if text[at] == '\\' {
				at++
			}
		}
		at++
		raw := text[from:at]
		if name != nil || hinted(raw) {
			was, _ := jsontext.AppendUnquote(nil, raw)
			is := maskText(was, depth+1)
			if start := credential(string(name), was); start >= 0 {
				is = append(bytes.Clone(was[:start]), Redacted...)
			}
			if !bytes.Equal(is, was) {
				out = append(out, text[done:from]...)
				out, _ = jsontext.AppendQuote(out, is)
				done = at
			}
		}
		if name = nil; secretName(string(raw[1 : len(raw)-1])) {
			if value, ok := bytes.CutPrefix(bytes.TrimLeft(text[at:], " \t\r\n"), []byte(":")); ok && bytes.HasPrefix(bytes.TrimLeft(value, " \t\r\n"), []byte(`"`)) {
				name = raw[1 : len(raw)-1]
			}
		}
	}
}

// hints are three letters of each word of which one stands wherever a credential does: passw, pwd, token, secret, key, auth, cred, dsn, webhook,
// a URL, a program, a token of known form. They are told apart by five bits each.
var hints = sync.OnceValue(func() *[1 << 15]bool {
	table := new([1 << 15]bool)
	for hint := range strings.FieldsSeq(`pas pwd tok ecr key uth ede dsn bho :// :\/ ysq iad -cl ogi ghp gho ghs ghu ghr ub_ lpa sk- aki xox eyj`) {
		table[int(hint[0]&31)<<10|int(hint[1]&31)<<5|int(hint[2]&31)] = true
	}
	table['r'&31<<10|'l'&31<<5] = true // curl and a blank
	return table
})

// hinted reports whether a text may show a credential. Nearly no text does, and this is all that it costs.
func hinted[T string | []byte](text T) bool {
	table, last := hints(), 0
	for i := range len(text) {
		last = last<<5&(1<<15-1) | int(text[i]&31)
		if table[last] {
			return true
		}
	}
	return false
}

// scanner finds the credentials of one text, which is no JSON.
type scanner struct {
	text  []byte
	spans []span
}

// reach bounds a credential, in bytes.
const reach = 8 << 10

// shownCredentials finds the credentials of a text that is no JSON. Where it may be a part of some, ends of lines may be written \n.
func shownCredentials(text []byte, part bool) []span {
	s := &scanner{text: text}
	if part && bytes.IndexByte(text, '\\') >= 0 {
		for escape, blank := range map[string]string{`\n`: "\n\n", `\r`: "\n\n", `\t`: "  "} {
			s.text = bytes.ReplaceAll(s.text, []byte(escape), []byte(blank))
		}
	}
	if bytes.Contains(s.text, []byte("PRIVATE KEY-----")) {
		s.each(&privateKey, 0, len(s.text))
	}
	for from := 0; from < len(s.text); {
		to := from
		for { // a command goes on behind a backslash at the end of its line
			end := bytes.IndexByte(s.text[to:], '\n')
			if end < 0 {
				to = len(s.text)
				break
			}
			if to += end + 1; to < 2 || s.text[to-2] != '\\' {
				break
			}
		}
		if line := s.text[from:to]; hinted(line) {
			if holds(line, "gh github_pat_ glpat- sk-ant- AKIA xox eyJ") {
				s.each(&knownToken, from, to)
			}
			if bytes.IndexByte(line, '@') >= 0 {
				s.each(&urlPassword, from, to)
			}
			s.named(from, to)
			if holds(line, "-- curl mysql mariadb redis-cli sshpass login") && bytes.IndexByte(line, '-') >= 0 {
				s.commands(from, to, 0)
			}
		}
		from = to
	}
	return s.spans
}

// holds reports whether a line holds one of the words that a pattern needs: patterns are slow.
func holds(line []byte, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if bytes.Contains(line, []byte(word)) {
			return true
		}
	}
	return false
}

// pattern is compiled where it is first used.
type pattern struct {
	source   string
	once     sync.Once
	compiled *regexp.Regexp
}

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.source) })
	return p.compiled
}

const (
	quotedValue = `"(?:[^"\\]|\\.)*"|\\+"[^"]*"|'[^']*'`
	bareValue   = "(?:[^\\s\"'`;&|<>()\\\\]|\\\\[^\\s\"'\\\\])+"
	parameter   = "[\\w-]+=(?:\"[^\"]*\"|[^\\s,\"'`\\\\]*)"
)

var (
	privateKey  = pattern{source: `-----BEGIN [A-Z ]*PRIVATE KEY-----((?s:.*?))(?:-----END|$)`}
	knownToken  = pattern{source: `\b(gh[opsur]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|sk-ant-[\w-]{16,}|AKIA[0-9A-Z]{16}|xox[bp]-[\w-]{10,}|eyJ[\w-]{8,}\.eyJ[\w-]+\.[\w-]+)`}
	urlPassword = pattern{source: "://(?:[^\\s/?#'\"`\\\\<>:@]*:([^\\s/?#'\"`\\\\<>]+)|([\\w.-]{20,}))@"}
	shellValue  = pattern{source: "^(?:" + quotedValue + "|[\"'][^\\n`]*|" + bareValue + `(?:["'][\w]+)*)`}
	wholeHeader = pattern{source: `(?:^|\s)(?:-\w*H|--(?:proxy-)?header)[ =]*$`}
	scheme      = pattern{source: `(?i)^(?:basic|bearer|digest|token|negotiate|ntlm|apikey|aws4-hmac-sha256|geniekey|ssws|splunk|bot|hawk|vapid|key) +`}
	parameters  = pattern{source: "^(?:" + parameter + "(?:, *" + parameter + ")*|[^\\s\"'`,;\\\\]+)"}
	reference   = pattern{source: `^"?\$(?:[A-Za-z_]\w*|\{[^}]*\}?|\(.*|)"?$`}
	commandWord = pattern{source: word}
)

// word is one of a command, with its quotes. A quote that follows a letter and precedes a blank closes one that began before the command.
const word = "(?:(?:[^\\s\"'`;&|()\\\\]|\\\\[^\\s\\\\\"'])*(?:\"(?:[^\\s\"\\\\]|\\\\.)(?:[^\"\\\\]|\\\\.)*\"|'[^\\s'][^']*'|\\\\+\"[^\\s\"][^\"]*\")|(?:[^\\s\"'`;&|()\\\\]|\\\\[^\\s\\\\\"'])+)"

// each hides the first group of a pattern that matched, wherever it matches in a part of the text.
func (s *scanner) each(pattern *pattern, from, to int) {
	for _, m := range pattern.get().FindAllSubmatchIndex(s.text[from:to], -1) {
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				s.hide(from+m[i], from+m[i+1])
			}
		}
	}
}

// hide marks a value, without its quotes, unless it says in its place that there is one or none.
func (s *scanner) hide(from, to int) {
	text := s.text[from:to]
	inner := bytes.TrimLeft(text, `\`)
	if len(inner) > 0 && (inner[0] == '"' || inner[0] == '\'') {
		from += len(text) - len(inner) + 1
		if end := bytes.TrimRight(s.text[from:to], `"'`); len(end) < to-from {
			to = from + len(bytes.TrimRight(end, `\`))
		}
	}
	if from < to && isCredential(s.text[from:to]) && (len(inner) > 0 && inner[0] == '\'' || !reference.get().Match(text)) {
		s.spans = append(s.spans, span{from, min(to, from+reach)})
	}
}

// isCredential reports whether a value is none of the words, masks and paths that stand in the place of one.
func isCredential(value []byte) bool {
	text := strings.ToLower(string(value[:min(len(value), 256)]))
	switch text {
	case "true", "false", "yes", "no", "none", "null", "nil", "string", "password", "token", "secret", "missing", "invalid", "refused", Redacted:
		return false
	}
	isPath := value[0] == '/' && strings.Count(text, "/") > 1 && text == string(value) && strings.Trim(text, "/.-_abcdefghijklmnopqrstuvwxyz0123456789") == ""
	return !everyday(text) && !isPath && strings.Trim(text, "*.") != ""
}

// credential is where the credential begins in the whole value of what has a name, behind the scheme of an Authorization header;
// negative where it is none.
func credential(name string, value []byte) (from int) {
	if !secretName(name) || len(value) == 0 || !isCredential(value) || reference.get().Match(value) {
		return -1
	}
	if isAuthorization(name) {
		from = len(scheme.get().Find(value))
	}
	if string(value[from:]) == Redacted {
		return -1
	}
	return from
}

func isAuthorization(name string) bool {
	return strings.EqualFold(name, "Authorization") || strings.EqualFold(name, "Proxy-Authorization")
}

// secretName reports whether the name of a setting, an option, a header or a member says that its value is a credential: its last word does.
// A key is one in a variable's name, unless it is of another kind; elsewhere where it is said of what.
func secretName(name string) bool {
	if len(name) < len("dsn") || len(name) > 128 {
		return false
	}
	upper := strings.Trim(strings.ReplaceAll(strings.ToUpper(name), "-", "_"), "_")
	parts := strings.Split(upper, "_")
	before := ""
	if len(parts) > 1 {
		before = parts[len(parts)-2]
	}
	switch last := parts[len(parts)-1]; last {
	case "KEY", "KEYS":
		if name == strings.ToUpper(name) || strings.HasPrefix(upper, "X_") {
			return before != "" && !slices.Contains([]string{"PUBLIC", "PARTITION", "ROUTING", "CACHE", "SORT", "PRIMARY", "FOREIGN", "IDEMPOTENCY", "HOST"}, before)
		}
		return slices.Contains([]string{"API", "ACCESS", "SECRET", "AUTH", "PRIVATE", "ENCRYPTION", "SIGNING"}, before)
	case "PASS", "AUTH", "PWD", "DSN", "WEBHOOK":
		return before != ""
	case "URL":
		return before == "WEBHOOK"
	case "SSHPASS", "AUTHORIZATION":
		return true
	default:
		return before != "NO" && before != "REQUIRE" && secretWord(last) && !strings.HasSuffix(last, "S") || last == "CREDENTIALS"
	}
}

// named finds NAME=value, name = value, "name": "value", headers and settings in YAML, in one line.
func (s *scanner) named(from, to int) {
	for at := from; at < to; {
		i := bytes.IndexAny(s.text[at:to], "=:")
		if i < 0 {
			return
		}
		i += at
		before := bytes.TrimRight(s.text[at:i], " ")
		spaced := len(before) < i-at
		closed := bytes.TrimRight(before, `\"'`)
		quoted := len(closed) < len(before)
		at, before = i+1, bytes.TrimRightFunc(closed, nameRune)
		name := string(closed[len(before):])
		if !secretName(name) {
			continue
		}
		start := i - len(s.text[from:i]) + bytes.LastIndex(s.text[from:i], []byte(name))
		rest := s.text[i+1 : to]
		plain := bytes.TrimLeft(rest, " ")
		valueAt := to - len(plain)
		end := valueAt + len(shellValue.get().Find(plain))
		isQuoted := len(plain) > 0 && strings.IndexByte(`"'\`, plain[0]) >= 0
		if s.text[i] == '=' {
			if spaced == (len(plain) < len(rest)) && !bytes.HasPrefix(rest, []byte("=")) {
				s.hide(valueAt, end)
				at = max(at, end)
			}
			continue
		}
		if quoted {
			if isQuoted {
				s.value(name, valueAt, end)
				at = end
			}
			continue
		}
		at = s.header(name, from, start, valueAt, to, len(plain) < len(rest))
	}
}

// value hides the credential in a value with its quotes.
func (s *scanner) value(name string, from, to int) {
	open := len(s.text[from:to]) - len(bytes.TrimLeft(s.text[from:to], `\"'`))
	inner := bytes.TrimRight(s.text[from+open:to], `\"'`)
	if start := credential(name, inner); start >= 0 {
		s.hide(from+open+start, from+open+len(inner))
	}
}

// header looks at "name: value", which is a header or a setting in YAML. It returns from where on to look further.
func (s *scanner) header(name string, line, start, from, to int, spaced bool) (next int) {
	open := bytes.TrimRight(s.text[line:start], `\"'`)
	quote := s.text[line+len(open) : start]
	if len(quote) > 0 { // a header is an argument of its own
		end := min(to, from+reach)
		if i := bytes.IndexByte(s.text[from:end], quote[len(quote)-1]); i >= 0 {
			end = from + i
		}
		if wholeHeader.get().Match(open[max(len(open)-32, 0):]) || isAuthorization(name) && spaced {
			s.value(name, from, from+len(bytes.TrimRight(s.text[from:end], "\\\r\n`")))
			return end
		}
	}
	if !spaced {
		return from
	}
	if isAuthorization(name) {
		if n := len(scheme.get().Find(s.text[from:to])); n > 0 {
			end := from + n + len(parameters.get().Find(s.text[from+n:to]))
			s.hide(from+n, end)
			return end
		}
	}
	end := from + len(shellValue.get().Find(s.text[from:to]))
	alone := len(bytes.Trim(s.text[end:to], " \t\r\n`\"'\\,")) == 0
	first := len(bytes.Trim(open, " \t-`<>*#")) == 0 || bytes.HasSuffix(open, []byte("`"))
	if strings.HasPrefix(strings.ToUpper(name), "X-") || alone && (first || strings.Contains(name, "-") || isAuthorization(name)) {
		s.hide(from, end)
		return max(from, end)
	}
	return from
}

func nameRune(r rune) bool {
	return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// program is a program that takes a credential behind one of its own options.
type program struct {
	names, long string
	short       string // the letters of the option
	flags       string // letters that may stand before it in one word
	next        bool   // the value may be the next word
	user        bool   // it is user:password
	runs        bool   // the options end with the first other word, a command
}

var programs = []program{
	{names: "curl", short: "uU", flags: "#0123456fgijklnqsvGILNORSaBJMpZ", long: "--user --proxy-user", next: true, user: true},
	{names: "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mariadb mariadb-dump mariadb-admin mariadb-check", short: "p"},
	{names: "redis-cli", short: "a", long: "--pass", next: true},
	{names: "sshpass", short: "p", next: true, runs: true},
	{names: "login", short: "p", next: true},
}

const (
	containers = "docker podman nerdctl kubectl"
	registries = containers + " buildah skopeo helm oras oc az cf"
	launchers  = containers + " sudo doas env timeout xargs nohup exec nice ionice time watch ssh sshpass"
	// starters stand before a command: in a script, and in what is told of one.
	starters = "-- $ # > % command then do if while ran run running execute executed use used using call called try tried with via and or the"
	// talk stands before an option that is spoken of.
	talk = "a an the and or of by via with without flag flags option options argument missing unknown invalid use using used pass passing set requires required needs give"
)

func among(list, word string) bool {
	return word != "" && len(word) < 16 && strings.Contains(" "+list+" ", " "+word+" ")
}

// before is what stands before a word in its command.
type before struct {
	last                          string
	container, registry, launcher bool // one of these programs is there
}

func (b *before) add(word string) {
	base := word[strings.LastIndexByte(word, '/')+1:]
	b.last = word
	b.container = b.container || among(containers, base)
	b.registry = b.registry || among(registries, base)
	b.launcher = b.launcher || among(launchers, base)
}

// commands finds the credentials of the commands in a part of the text, and of those in their quoted words.
func (s *scanner) commands(from, to, depth int) {
	var p *program
	var words before
	var expects func(from, to int)
	done := from
	for _, w := range commandWord.get().FindAllIndex(s.text[from:to], -1) {
		start, end := from+w[0], from+w[1]
		if len(bytes.Trim(s.text[done:start], " \t\r\n\\")) > 0 { // what separates commands
			p, words, expects = nil, before{}, nil
		}
		done = end
		text := string(s.text[start:end])
		if i := strings.IndexAny(text, `"'`); i >= 0 && depth < 4 && strings.Contains(text, " -") {
			s.commands(start+i+1, end, depth+1)
		}
		expected := expects
		expects = nil
		switch q := words.program(text); {
		case expected != nil && text[0] != '-':
			expected(start, end)
		case q != nil:
			p = q
		case words.secretOption(text):
			expects = s.hide
		case p != nil:
			option := p.option(text)
			switch {
			case option == len(text) && p.next:
				expects = func(from, to int) { s.argument(p, from, to) }
			case option > 0 && option < len(text):
				s.argument(p, start+option, end)
			case p.runs && text[0] != '-':
				p = nil
			}
		}
		words.add(text)
	}
}

// program is the program that the next word names; nil where it names none, or something else than what is run.
func (b *before) program(word string) *program {
	name := strings.ToLower(word[strings.LastIndexByte(word, '/')+1:])
	i := slices.IndexFunc(programs, func(p program) bool { return among(p.names, name) })
	option := strings.HasPrefix(b.last, "-") && b.last != "--"
	runs := b.last == "" || among(starters, strings.ToLower(b.last)) || strings.HasSuffix(b.last, ":") || strings.Contains(b.last, "=")
	switch {
	case i < 0:
		return nil
	case name == "login":
		runs = b.registry
	case b.container:
		runs = !option && b.last != "exec" && b.last != "run"
	case b.launcher:
		runs = !among("-u -g -h -U", b.last) && (!option || !strings.HasPrefix(b.last, "--") || strings.Contains(b.last, "="))
	}
	if !runs {
		return nil
	}
	return &programs[i]
}

// secretOption reports whether the next word is the credential of a long option. --secret and --credential have the name of one.
func (b *before) secretOption(option string) bool {
	return strings.HasPrefix(option, "--") && !among("--secret --credential", option) && option == strings.ToLower(option) && secretName(option[2:]) &&
		!among(talk, strings.ToLower(b.last)) && !strings.HasSuffix(b.last, ",")
}

// option is where the value of a program's option begins in a word; len(word) is that the next is the value, 0 that the word is another.
func (p *program) option(word string) int {
	for long := range strings.FieldsSeq(p.long) {
		if rest, ok := strings.CutPrefix(word, long); ok && (rest == "" || rest[0] == '=') {
			return len(long) + min(len(rest), 1)
		}
	}
	letters := strings.TrimLeft(strings.TrimPrefix(word, "-"), p.flags)
	if word[0] != '-' || strings.HasPrefix(word, "--") || letters == "" || strings.IndexByte(p.short, letters[0]) < 0 {
		return 0
	}
	return len(word) - len(strings.TrimPrefix(letters[1:], "="))
}

// argument hides a program's credential, of user:password the password.
func (s *scanner) argument(p *program, from, to int) {
	if !p.user {
		s.hide(from, to)
		return
	}
	if colon := bytes.IndexByte(s.text[from:to], ':'); colon >= 0 {
		end := from + len(bytes.TrimRight(s.text[from:to], `\"'`))
		s.hide(from+colon+1, max(end, from+colon+1))
	}
}
