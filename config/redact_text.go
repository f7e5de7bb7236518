package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Nobody has told us the value of a credential that stands in a command line or in a header, but its place shows it:
//
//	curl -u ops:X               PGPASSWORD=X, --password=X, ?token=X   postgres://app:X@db
//	mysql -pX, sshpass -p X     --password X, --token X                Authorization: Bearer X
//	redis-cli -a X              docker login -p X                      -H 'X-Api-Key: X'
//
// The text may be a command, a log line, or either of them within a string of JSON, and within a string in that: quotes may have any
// number of backslashes before them, and a line may end in the two characters \n.

// shownCredentials finds the credentials that a text shows. Within JSON none reaches beyond the string that it stands in.
func shownCredentials(text []byte) []span {
	spans := (&scanner{text: text}).scan()
	if len(spans) == 0 {
		return nil
	}
	if begin := bytes.TrimLeft(text, " \t\r\n"); len(begin) == 0 || begin[0] != '{' && begin[0] != '[' ||
		!jsontext.Value(text).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) {
		return spans
	}
	spans = spans[:0]
	for at := 0; ; {
		open := bytes.IndexByte(text[at:], '"')
		if open < 0 {
			return spans
		}
		from := at + open + 1
		to := from
		for text[to] != '"' {
			if text[to] == '\\' {
				to++
			}
			to++
		}
		for _, s := range (&scanner{text: text[from:to]}).scan() {
			spans = append(spans, span{from + s.from, from + s.to})
		}
		at = to + 1
	}
}

// scanner finds the credentials of one text.
type scanner struct {
	text  []byte
	spans []span
}

func (s *scanner) scan() []span {
	s.each("=", s.assignment)
	s.each(":", s.colon)
	if s.hasOption() {
		s.each("--", s.longOption)
		for _, p := range programs {
			s.each(p.name, func(at int) int { s.command(p, at); return at + len(p.name) })
		}
	}
	return s.spans
}

// each calls found for each place of mark. It returns from where on to look for the next.
func (s *scanner) each(mark string, found func(at int) (next int)) {
	sought := []byte(mark)
	for at := 0; ; {
		i := bytes.Index(s.text[at:], sought)
		if i < 0 {
			return
		}
		at = found(at + i)
	}
}

const (
	// reach bounds how far a credential may reach from what shows it, in bytes: whatever stands in a text, it is looked through in one go.
	reach = 8 << 10
	// mostEscapes bounds the backslashes before a quote: of six strings of JSON, each within another.
	mostEscapes = 64
)

// within is the text up to reach behind from.
func within(text []byte, from int) []byte { return text[:min(len(text), from+reach)] }

// hasOption reports whether a word begins like an option: most texts have none, and need not be looked through for programs.
func (s *scanner) hasOption() bool {
	for at := 1; at < len(s.text); at++ {
		i := bytes.IndexByte(s.text[at:], '-')
		if i < 0 {
			return false
		}
		at += i
		if at+1 == len(s.text) || s.text[at+1] != '-' && (s.text[at+1]|0x20 < 'a' || s.text[at+1]|0x20 > 'z') {
			continue
		}
		if before := s.text[at-1]; before == ' ' || before == '\t' || before == '\n' || endsInEscape(s.text[:at]) {
			return true
		}
	}
	return false
}

// hide marks a credential. What stands in its place without being one stays: nothing, a reference to a variable, a mask.
func (s *scanner) hide(from, to int) {
	if escaped(s.text, from) {
		from--
	}
	if escaped(s.text, to) {
		to--
	}
	if from >= to {
		return
	}
	if value := s.text[from:to]; len(bytes.Trim(value, `\"'*.`)) > 0 && !bytes.HasPrefix(bytes.TrimLeft(value, `\"'`), []byte(Redacted)) && !reference(value) {
		s.spans = append(s.spans, span{from, to})
	}
}

// escaped reports whether a backslash belongs to the character at i, which must not be parted from it.
func escaped(text []byte, i int) bool {
	run := 0
	for run < min(i, mostEscapes) && text[i-1-run] == '\\' {
		run++
	}
	return run%2 == 1
}

// reference reports whether a word is no more than $NAME, ${NAME} or $(command), which the shell puts a value in the place of.
func reference(word []byte) bool {
	word = bytes.Trim(word, `\"`)
	if len(word) < 2 || word[0] != '$' {
		return false
	}
	switch word[1] {
	case '{', '(':
		return bytes.IndexByte(word, "})"[strings.IndexByte("{(", word[1])]) < 0 || bytes.IndexAny(word, "})") == len(word)-1
	}
	name := string(word[1:])
	return strings.TrimFunc(name, nameRune) == "" && (name[0] < '0' || name[0] > '9')
}

// longestName bounds the name of a variable, an option or a header, in bytes.
const longestName = 128

// nameBefore is where the name begins that ends at end.
func (s *scanner) nameBefore(end int) (from int) {
	from = end
	for from > 0 && end-from < longestName && nameRune(rune(s.text[from-1])) {
		from--
	}
	if from > 0 && from < end && s.text[from-1] == '\\' && strings.IndexByte("nrt", s.text[from]) >= 0 {
		from++ // of \nNAME
	}
	return from
}

func nameRune(r rune) bool {
	return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// assignment looks at NAME=value, --name=value and name=value in a URL.
func (s *scanner) assignment(at int) (next int) {
	from := s.nameBefore(at)
	if at-from <= len("id") || at+1 < len(s.text) && s.text[at+1] == '=' {
		return at + 1
	}
	if name := string(s.text[from:at]); showsSecret(name) {
		end := endOfWord(s.text, at+1)
		s.value(name, at+1, end)
		return end
	}
	return at + 1
}

// value hides what a name is given, unless it is said in its place that there is a value or none.
func (s *scanner) value(name string, from, to int) {
	switch word := strings.ToLower(string(bytes.Trim(s.text[from:to], `\"'`))); word {
	case "true", "false", "yes", "no", "none", "null", "nil", "string", strings.ToLower(strings.TrimLeft(name, "-")):
	default:
		if !path(s.text[from:to]) {
			s.hide(from, to)
		}
	}
}

// path reports whether a value is where a file is, and no base64 that begins like one.
func path(value []byte) bool {
	return len(value) > 0 && value[0] == '/' && bytes.Count(value, []byte("/")) > 1 &&
		len(bytes.Trim(value, "/.-_abcdefghijklmnopqrstuvwxyz0123456789")) == 0
}

// showsSecret reports whether a name that something is assigned to says that this is a secret. A variable's may be any of SecretName;
// in other names key and pass alone are everyday words.
func showsSecret(name string) bool {
	name = strings.Trim(strings.ReplaceAll(name, "-", "_"), "_")
	upper := strings.ToUpper(name)
	if name == "" || !SecretName(upper) {
		return false
	}
	parts := strings.Split(upper, "_")
	last := parts[len(parts)-1]
	switch last {
	case "KEY", "KEYS":
		if name == upper {
			return len(parts) > 1
		}
		return len(parts) > 1 && slices.Contains([]string{"API", "ACCESS", "SECRET", "AUTH", "PRIVATE"}, parts[len(parts)-2])
	}
	for _, word := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "APIKEY", "ACCESSKEY", "SECRETKEY", "PRIVATEKEY"} {
		if strings.HasSuffix(last, word) {
			return true
		}
	}
	return name == upper && len(parts) > 1
}

// colon looks at scheme://user:password@host and at headers.
func (s *scanner) colon(at int) (next int) {
	next = at + 1
	rest := s.text[at+1:]
	if bytes.HasPrefix(rest, []byte("//")) {
		s.url(at + 3)
		return next
	}
	if len(rest) < 2 || at == 0 || !nameRune(rune(s.text[at-1])) {
		return next
	}
	from := s.nameBefore(at)
	quote := quoteBefore(s.text, from)
	if rest[0] != ' ' && len(quote) == 0 {
		return next // a time, a port
	}
	name := string(s.text[from:at])
	if option := len(quote) > 0 && afterHeaderOption(s.text[:from-len(quote)]); strings.EqualFold(name, "Authorization") ||
		strings.EqualFold(name, "Proxy-Authorization") {
		return s.authorization(at+1, quote, option)
	} else if secretHeader(name) && (option || (name[0] == 'X' || name[0] == 'x') && name[1] == '-' && rest[0] == ' ') {
		from, end := s.headerValue(at+1, quote)
		if !option {
			end = endOfValue(s.text[:end], from)
		}
		s.hide(from, end)
		return end
	}
	return next
}

// secretHeader reports whether a header's value is a credential. Some keys that are none have names of their own.
func secretHeader(name string) bool {
	upper := strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	return SecretName(upper) && !strings.HasSuffix(upper, "IDEMPOTENCY_KEY") && !strings.HasSuffix(upper, "CACHE_KEY") && upper != "SEC_WEBSOCKET_KEY"
}

// afterHeaderOption reports whether a text ends in the option that a header follows.
func afterHeaderOption(text []byte) bool {
	text = bytes.TrimRight(text, " =")
	if bytes.HasSuffix(text, []byte("--header")) || bytes.HasSuffix(text, []byte("--proxy-header")) {
		return true
	}
	dash := bytes.LastIndexByte(text[max(len(text)-8, 0):], '-')
	return dash >= 0 && bytes.HasSuffix(text, []byte("H")) && bytes.IndexByte(text[max(len(text)-8, 0)+dash:], ' ') < 0
}

// quoteBefore is the quote that stands right before at, with its backslashes.
func quoteBefore(text []byte, at int) []byte {
	if at == 0 || text[at-1] != '"' && text[at-1] != '\'' {
		return nil
	}
	from := at - 1
	for text[at-1] == '"' && from > 0 && at-from < mostEscapes && text[from-1] == '\\' {
		from--
	}
	return text[from:at]
}

// headerValue is the value of a header, up to the end of its line or the quote that it stands in.
func (s *scanner) headerValue(from int, quote []byte) (start, end int) {
	end = endOfLine(s.text, from)
	if i := closing(s.text[:end], from, quote); len(quote) > 0 && i >= 0 {
		end = i
	}
	for from < end && s.text[from] == ' ' {
		from++
	}
	return from, end
}

// endOfValue is where the word of a header ends that begins at from.
func endOfValue(text []byte, from int) int {
	if i := bytes.IndexAny(text[from:], " \t\\\"'`,;"); i >= 0 {
		return from + i
	}
	return len(text)
}

// authorization hides what follows the scheme in an Authorization header; where there is none, all of it. whole is that the header is an
// argument of its own: elsewhere more may stand in its line.
func (s *scanner) authorization(from int, quote []byte, whole bool) (next int) {
	from, end := s.headerValue(from, quote)
	word := endOfValue(s.text[:end], from)
	switch known := word+1 < end && s.text[word] == ' ' && scheme(string(s.text[from:word])); {
	case known:
		from = word + 1
		word = endOfValue(s.text[:end], from)
		if list := word < end && word > from && (s.text[word] == ',' || s.text[word-1] == '='); list || whole {
			word = end
		}
	case whole:
		word = end
	case word < end && s.text[word] == ' ':
		return word // a sentence
	}
	s.hide(from, len(bytes.TrimRight(s.text[:word], "`")))
	return word
}

// scheme reports whether a word is an authentication scheme.
func scheme(word string) bool {
	switch strings.ToLower(word) {
	case "basic", "bearer", "digest", "token", "negotiate", "ntlm", "apikey", "aws4-hmac-sha256", "geniekey", "ssws", "splunk", "bot", "hawk", "vapid", "key":
		return true
	}
	return false
}

// url hides the password in the authority that begins at from.
func (s *scanner) url(from int) {
	end := len(within(s.text, from))
	if i := bytes.IndexAny(s.text[from:end], "/?# \t\r\n'\"`\\<>"); i >= 0 {
		end = from + i
	}
	host := bytes.LastIndexByte(s.text[from:end], '@')
	if host < 0 {
		return
	}
	if user := bytes.IndexByte(s.text[from:from+host], ':'); user >= 0 {
		s.hide(from+user+1, from+host)
	}
}

// longOption looks at --password X.
func (s *scanner) longOption(at int) (next int) {
	if at > 0 && nameRune(rune(s.text[at-1])) {
		return at + 1
	}
	end := at + 2
	for end < len(s.text) && end-at < longestName && nameRune(rune(s.text[end])) {
		end++
	}
	name := string(s.text[at:end])
	if !showsSecret(name) || strings.ToUpper(name) == name || !strings.Contains(strings.TrimLeft(name, "-"), "-") &&
		strings.HasSuffix(name, "secret") { // --secret has the name of one
		return end
	}
	from, to := nextWord(s.text, end)
	if from == to || s.text[from] == '-' || everydayWord(string(s.text[from:to])) {
		return end
	}
	s.value(name, from, to)
	return to
}

// everydayWord is about what follows an option in a sentence.
func everydayWord(word string) bool {
	return slices.Contains(strings.Fields("a an and are as at be by can for from has in instead is it must needs not of on option or so that the to was which with without"), word)
}

// program is a program that takes a credential behind one of its own options.
type program struct {
	name string
	// find returns where the credential stands in one of its words, or that it is the next word. done ends the search.
	find func(word string) (at int, next, done bool)
	user bool // what it takes is user:password
}

var programs = []program{
	{name: "curl", find: func(word string) (int, bool, bool) {
		switch {
		case word == "--user", word == "--proxy-user":
			return 0, true, false
		case strings.HasPrefix(word, "--user="), strings.HasPrefix(word, "--proxy-user="):
			return strings.IndexByte(word, '=') + 1, false, false
		case len(word) < 2 || word[0] != '-' || word[1] == '-':
			return 0, false, false
		}
		flags := strings.TrimLeft(word[1:], "#0123456fgijklnqsvGILNORSaBJMpZ") // those that take no value
		if flags == "" || flags[0] != 'u' && flags[0] != 'U' {
			return 0, false, false
		}
		return len(word) - len(flags) + 1, flags == "u" || flags == "U", false
	}, user: true},
	{name: "mysql", find: mysqlPassword},
	{name: "mariadb", find: mysqlPassword},
	{name: "redis-cli", find: func(word string) (int, bool, bool) { return 0, word == "-a" || word == "--pass", false }},
	{name: "sshpass", find: shortPassword(true)},
	{name: "login", find: shortPassword(false)},
}

// mysqlPassword takes the password in one word with its option alone; -p X is a database.
func mysqlPassword(word string) (at int, next, done bool) {
	if strings.HasPrefix(word, "-p") && len(word) > 2 {
		return 2, false, true
	}
	return 0, false, false
}

// shortPassword takes it as -pX or -p X, of sshpass before the command that it runs.
func shortPassword(runs bool) func(word string) (at int, next, done bool) {
	return func(word string) (int, bool, bool) {
		switch {
		case word == "-p":
			return 0, true, true
		case strings.HasPrefix(word, "-p"):
			return len("-p") + len(word[2:]) - len(strings.TrimPrefix(word[2:], "=")), false, true
		}
		return 0, false, runs && word[0] != '-'
	}
}

// mostWords bounds how many words of a command are looked at.
const mostWords = 40

// command looks at the words of a command whose program's name stands at at.
func (s *scanner) command(p program, at int) {
	from := at + len(p.name)
	for strings.HasPrefix(p.name, "m") && from < len(s.text) && nameRune(rune(s.text[from])) { // mysqldump, mariadb-admin
		from++
	}
	if !s.isProgram(p, at, from) {
		return
	}
	next := false
	for range mostWords {
		start, end := nextWord(s.text, from)
		if start == end {
			return
		}
		if next {
			s.argument(p, start, end)
			next = false
		} else {
			offset, follows, done := p.find(string(s.text[start:end]))
			switch {
			case follows:
				next = true
			case offset > 0:
				s.argument(p, start+offset, end)
			}
			if done && !next {
				return
			}
		}
		from = end
	}
}

// argument hides a program's credential, of user:password the password.
func (s *scanner) argument(p program, from, to int) {
	from += len(quoteAt(s.text[:to], from))
	to = max(to-len(quoteBefore(s.text, to)), from)
	if p.user {
		user := bytes.IndexByte(s.text[from:to], ':')
		if user < 0 {
			return
		}
		from += user + 1
	}
	s.hide(from, to)
}

// isProgram reports whether the word in text[at:end] is a program that is run, and not the name of a container, a host or a package.
func (s *scanner) isProgram(p program, at, end int) bool {
	if width, ends := blank(s.text, end); width == 0 || ends {
		return false
	}
	before := s.text[max(at-128, 0):at]
	if len(before) > 0 && bytes.IndexByte([]byte(" \t\n\r'\"`;&|(/$!>"), before[len(before)-1]) < 0 && !endsInEscape(before) {
		return false
	}
	for i := 0; i < len(before); {
		width, ends := blank(before, i)
		if ends || strings.IndexByte(";|&(`", before[i]) >= 0 {
			before, i = before[i+max(width, 1):], 0
			continue
		}
		i += max(width, 1)
	}
	words := strings.Fields(string(before))
	if p.name == "login" {
		return slices.ContainsFunc(words, func(word string) bool {
			word = word[strings.LastIndexAny(word, `/'"`+"`")+1:]
			return slices.Contains([]string{"docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "oc", "az", "cf"}, word)
		})
	}
	if len(words) == 0 || bytes.LastIndexAny(before, " \t") != len(before)-1 {
		return true
	}
	switch last := words[len(words)-1]; {
	case last == "--":
		return true
	case strings.HasPrefix(last, "--"), last == "-h":
		return false
	case strings.HasPrefix(last, "-"), last == "exec":
		start, end := nextWord(s.text, end)
		return start < end && s.text[start] == '-'
	}
	return true
}

// endsInEscape reports whether a text ends in an end of line or a tab as JSON writes it.
func endsInEscape(text []byte) bool {
	return len(text) > 1 && text[len(text)-2] == '\\' && strings.IndexByte("nrt", text[len(text)-1]) >= 0
}

// blank is the width of the blank at i, 0 where there is none, and whether a command ends at it.
func blank(text []byte, i int) (width int, ends bool) {
	if i >= len(text) {
		return 0, false
	}
	switch text[i] {
	case ' ', '\t':
		return 1, false
	case '\n', '\r':
		return 1, true
	case '\\':
		run := 1
		for i+run < len(text) && run < mostEscapes && text[i+run] == '\\' {
			run++
		}
		if i+run == len(text) {
			return 0, false
		}
		switch text[i+run] {
		case 't', '\n':
			return run + 1, false
		case 'n', 'r':
			return run + 1, run%3 != 0 // three: a backslash at the end of the line, with which the command goes on
		}
	}
	return 0, false
}

// longestHeader bounds a header's value, in bytes.
const longestHeader = 4 << 10

// endOfLine is where the line that i stands in ends.
func endOfLine(text []byte, i int) int {
	text = text[:min(len(text), i+longestHeader)]
	for ; i < len(text); i++ {
		if _, ends := blank(text, i); ends {
			break
		}
	}
	return i
}

// nextWord is the next word of the command, from behind one; empty where the command has ended.
func nextWord(text []byte, from int) (start, end int) {
	start, text = from, within(text, from)
	for {
		width, ends := blank(text, start)
		if ends {
			return start, start
		}
		if width == 0 {
			break
		}
		start += width
	}
	if start == from {
		return start, start // a quote, in which the whole command stands, or what separates commands
	}
	return start, endOfWord(text, start)
}

// endOfWord is where the shell's word that begins at from ends, with its quotes; a quote that is never closed ends with the line.
func endOfWord(text []byte, from int) int {
	text = within(text, from)
	for i := from; i < len(text); {
		if q := quoteAt(text, i); len(q) > 0 {
			inside := i + len(q)
			if i > from && wordEnds(text, inside) {
				return i // the quote that the command stands in
			}
			end := closing(text, inside, q)
			if end < 0 {
				return endOfUnclosed(text, inside)
			}
			i = end + len(q)
			continue
		}
		if width, _ := blank(text, i); width > 0 || strings.IndexByte(";&|<>()`", text[i]) >= 0 && !inReference(text, from, i) {
			return i
		}
		if text[i] == '\\' {
			i++
		}
		i++
	}
	return len(text)
}

// closing is where the quote q is closed in a text that begins in it; negative where it is not.
func closing(text []byte, from int, q []byte) int {
	for i := from; i < len(text); i++ {
		if at := quoteAt(text, i); bytes.Equal(at, q) {
			return i
		} else if len(at) > 0 {
			i += len(at) - 1
		}
	}
	return -1
}

// endOfUnclosed is where a quote that is never closed ends: with the line, or with a quote around it.
func endOfUnclosed(text []byte, i int) int {
	for ; i < len(text) && text[i] != '`' && len(quoteAt(text, i)) < 2; i++ {
		if _, ends := blank(text, i); ends {
			break
		}
	}
	return i
}

// inReference reports whether the parenthesis at i belongs to $(command).
func inReference(text []byte, from, i int) bool {
	return text[i] == '(' && i == from+1 && text[from] == '$'
}

// quoteAt is the quote that stands at i, with its backslashes.
func quoteAt(text []byte, i int) []byte {
	end := i
	for end < len(text) && end-i < mostEscapes && text[end] == '\\' {
		end++
	}
	if end < len(text) && (text[end] == '"' || end == i && text[end] == '\'') {
		return text[i : end+1]
	}
	return nil
}

// wordEnds reports whether nothing more of a word can stand at i.
func wordEnds(text []byte, i int) bool {
	if i >= len(text) {
		return true
	}
	width, _ := blank(text, i)
	return width > 0 || strings.IndexByte(";&|<>()`,]}\"'", text[i]) >= 0 || len(quoteAt(text, i)) > 0
}
