package mask

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/lazy"
)

// window limits a credential together with the text that identifies it, in bytes.
const window = 8 << 10

// masking is the state while a text is masked line by line, in order.
type masking struct {
	key     int    // the next line may be within a private key that started in this column, counted from 1; 0 for none
	foreign int    // how many lines since then did not belong to it
	inLine  bool   // the next text continues a line
	block   int    // the next line may be within a credential of several lines in YAML, if it is indented by at least this much; 0 for none
	below   int    // as block, for a map or list of secrets
	mapName []byte // its name; "data" is that of a Kubernetes Secret
}

// lines masks whole lines. It returns text itself if there is nothing to mask.
func (s *masking) lines(text []byte) []byte {
	var out []byte
	done := 0
	for from := 0; from < len(text); {
		if s.key == 0 && s.block == 0 && s.below == 0 {
			at, _ := next(text, from)
			if at < 0 {
				break
			}
			start := lineStart(text[from:at])
			from, s.inLine = from+start, s.inLine && start == 0
		}
		to := from + lineEnd(text[from:])
		if masked := s.line(text[from:to]); !bytes.Equal(masked, text[from:to]) {
			out = append(append(out, text[done:from]...), masked...)
			done = to
		}
		from, s.inLine = to, false
	}
	s.inLine = false
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

// lineEnd returns the end of the first line of a text, with its continuation lines.
func lineEnd(text []byte) int {
	for at := 0; ; at++ {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return len(text)
		}
		if at += end; !goesOn(text, at) {
			return at + 1
		}
	}
}

// lineStart returns the start of the last line of a text, with the lines that it continues.
func lineStart(text []byte) int {
	for end := len(text); ; {
		if end = bytes.LastIndexByte(text[:end], '\n'); end < 0 || !goesOn(text, end) {
			return end + 1
		}
	}
}

// goesOn reports whether a text continues behind the end of a line. A line that begins an object of JSON is one of its own.
func goesOn(text []byte, end int) bool {
	return !bytes.HasPrefix(text[end+1:], []byte(`{"`)) && continued(text[:end])
}

// continued reports whether the end of a text continues in the next line: a command; a list or pair in JSON; in YAML a name, a value
// before its name or an item of a list; an option; or a key of a map as kubectl describes it and Redis lists it.
func continued(text []byte) bool {
	last := text[bytes.LastIndexByte(text, '\n')+1:]
	if last = last[prefix(last):]; len(last) == 0 {
		return false
	}
	item := bytes.TrimLeft(last, margin)
	before := last[:len(last)-len(item)]
	isItem := bytes.Contains(before, []byte("- "))
	switch last[len(last)-1] {
	case '\\', '[':
		return true
	case ',':
		return bytes.HasSuffix(last, []byte(`",`))
	case ':':
		return isWord(item[0]) && len(before) < 2 && bytes.IndexByte(last[len(before):], ' ') < 0
	}
	return bytes.Contains(last, []byte("name: ")) || bytes.HasSuffix(last, []byte("----")) && len(last) < 6 ||
		isItem && (bytes.IndexByte(item, ' ') < 0 || bytes.HasPrefix(item, []byte("value: "))) ||
		bytes.HasSuffix(before, []byte("--")) && !bytes.ContainsAny(item, " =") ||
		bytes.HasSuffix(bytes.TrimRight(last, `"`), []byte("requirepass"))
}

// margin is what may precede a name in YAML, with the first column of a diff.
const margin = " \t+-"

// prefix returns the length of what grep, cat -n or an agent's Read put before a line. Most lines need no search for it.
func prefix(line []byte) int {
	line = line[:min(len(line), 256)]
	first := bytes.TrimLeft(line, " ")
	end := 0
	for end < len(first) && (isWord(first[end]) || strings.IndexByte("./@+~", first[end]) >= 0) {
		end++
	}
	word, rest := first[:end], first[end:]
	if end == 0 {
		return 0
	}
	isFile := bytes.ContainsAny(word, "./") && (bytes.HasPrefix(rest, []byte(":")) || bytes.IndexByte(word, '-') >= 0)
	after := bytes.TrimLeft(first, "0123456789")
	isNumber := len(after) > 1 && len(after) < len(first) && strings.IndexByte(":-\t\xe2", after[0]) >= 0 &&
		len(bytes.TrimLeft(after[1:], "0123456789")) > len(after)-3 // otherwise it is a time
	if !isFile && !isNumber {
		return 0
	}
	m := linePrefix().FindSubmatch(line)
	return len(m[1]) + len(m[2]) + len(m[4])
}

// behindKey returns the part of a line that does not belong to a private key that started before. Like the start of a key, its lines are
// within a window: what a Writer has of a longer line decides as the whole line does. Up to three foreign lines may be within a key.
func (s *masking) behindKey(line []byte) []byte {
	if s.key == 0 {
		return line
	}
	end := bytes.Index(line[:min(len(line), window)], []byte("-----END"))
	if end < 0 && len(line) <= window && (longKeyLine().Match(line) || s.foreign == 0 &&
		(keyLine().Match(line) || len(line) > s.key && keyLine().Match(line[s.key-1:]))) {
		masked := Redacted[:min(s.foreign, 1)*len(Redacted)] // without a foreign line before, it is
		s.foreign = 0
		return []byte(masked)
	}
	if s.foreign++; end >= 0 || s.foreign > 3 || len(line) > window {
		s.key = 0
	}
	if end < 0 && s.foreign == 1 {
		return append([]byte("\n"), line...)
	}
	return line[max(0, end):]
}

// line masks one line, with those that it continues in. What a program put before each stays there.
func (s *masking) line(line []byte) []byte {
	var out []byte
	if line = s.behindKey(line); s.foreign == 1 && bytes.HasPrefix(line, []byte("\n")) { // it ends the line of the key
		out, line = line[:1:1], line[1:]
	}
	if prefix(line) == 0 {
		return append(out, s.bare(line)...)
	}
	prefixes, key := linePrefix().FindAllSubmatch(line, -1), s.key
	masked := s.bare(linePrefix().ReplaceAll(line, []byte("$3$5")))
	if s.key != key {
		s.key += prefix(line)
	}
	for i, part := range bytes.SplitAfter(masked, []byte("\n")) {
		if i < len(prefixes) && len(part) > 0 {
			out = slices.Concat(out, prefixes[i][1], prefixes[i][2], prefixes[i][4])
		}
		out = append(out, part...)
	}
	return out
}

// bare masks lines without prefixes.
func (s *masking) bare(line []byte) []byte {
	line = s.nested(line)
	spans := listed(line)
	if all, is := jsonStrings(line); !s.inLine && is && len(all) > 0 {
		masked := replaced(line, spans)
		if len(spans) > 0 && jsontext.Value(line).IsValid() && !jsontext.Value(masked).IsValid() { // a list that ends in another string
			masked = line
		}
		return maskJSON(masked)
	}
	spans = append(spans, shown(line, s.inLine)...)
	for _, p := range spans {
		at := p.begin + bytes.LastIndex(line[min(p.begin, p.from):p.from], []byte(beginning))
		if at >= p.begin && p.from < p.to && p.to == len(line) {
			s.key, s.foreign = at-bytes.LastIndexByte(line[:at], '\n'), 0
		}
	}
	return replaced(line, spans)
}

// nested masks what belongs to a name in a line before: a credential of several lines in YAML, and the data of a Kubernetes Secret.
func (s *masking) nested(lines []byte) []byte {
	var spans []span
	at := 0
	for line := range bytes.Lines(lines) {
		from, to := at+len(line)-len(bytes.TrimLeft(line, margin)), at+len(bytes.TrimRight(line, "\r\n`"))
		indent, text, isRest := from-at, lines[min(from, to):to], s.inLine && at == 0
		if at += len(line); len(text) == 0 || isRest {
			continue
		}
		if s.block > 0 && indent >= s.block {
			spans = append(spans, span{from, from, to})
			continue
		}
		if s.block = 0; indent < s.below {
			s.below = 0
		}
		if s.below > 0 {
			isItem := text[0] == '"' || bytes.IndexByte(lines[from-indent:from], '-') >= 0
			if m := entry().FindSubmatchIndex(text); m != nil && isSecret(s.mapName, text[max(0, m[2]):max(0, m[3])], text[m[4]:m[5]], isItem) {
				begin, end := credential(text, m[4], m[5])
				spans = append(spans, span{from, from + begin, from + end})
			}
		}
		m := blockName().FindSubmatch(text)
		switch {
		case m == nil:
		case bytes.ContainsAny(m[2], "|>"):
			if secretName(m[1]) {
				s.block = indent + 1
			}
		case holdsSecrets(m[1]):
			s.below, s.mapName = indent+1, bytes.Clone(m[1])
		case string(s.mapName) != "data": // what is below another name is no secret
			s.below = 0
		}
	}
	return replaced(lines, spans)
}

// holdsSecrets reports whether what is below a name may be secrets: the data of a Kubernetes Secret, and what secrets: and the like have.
func holdsSecrets(name []byte) bool {
	return string(name) == "data" || secretName(bytes.TrimSuffix(name, []byte("s"))) && !bytes.HasSuffix(name, []byte("auth"))
}

// isSecret reports whether a value in a map or list of that name is one. Items of secrets: are names of secrets.
func isSecret(of, name, value []byte, isItem bool) bool {
	if string(of) == "data" {
		return len(name) > 0 && encodesText(bytes.Trim(value, `"`))
	}
	if len(bytes.Trim(value, "0123456789.")) == 0 { // it counts tokens
		return false
	}
	return len(name) > 0 && !describing().Match(name) || len(name) == 0 && isItem && !holdsNames().Match(of)
}

// blockName matches a line of YAML or JSON whose value is in the lines after it.
var blockName = lazy.Regexp(`^["']?([\w.-]+)["']?:( +[|>][+-]?\d?[+-]?(?: +#.*)?| [{\[])?$`)

// entry matches an entry of a map or list, describing a name in a map that describes a secret, holdsNames one of a list of names.
var (
	entry      = lazy.Regexp(`^(?:["']?([\w.-]+)["']?: +)?("[^"]*"|'[^']*'|[^\s"'\[\]{}&*!|>#:%@-](?:[^:]|:\S)*?),?(?: +#.*)?$`)
	describing = lazy.Regexp(`(?i)^(?:` + describingNames + `)$`)
	holdsNames = lazy.Regexp(`(?i)(?:secrets?|credentials?)$`)
)

const describingNames = `(?:secret|exist\w*|user|host|class|store|file|key)?_?name|key|type|kind|title|desc\w*|default|example|optional|` +
	`required|format|mode|defaultmode|path|file|source|target|external|environment|env|uid|gid|id|user|host|port|url|ttl|` +
	`version|namespace|provider|algorithm|m(?:in|ax)\w*`

// encodesText reports whether a word is Base64 of a text, or so long that it is no plain word.
func encodesText(word []byte) bool {
	text, err := base64.StdEncoding.AppendDecode(nil, word)
	isControl := func(r rune) bool { return r == utf8.RuneError || r < ' ' && r != '\n' && r != '\r' && r != '\t' }
	return err == nil && (len(word) >= 40 || !bytes.ContainsFunc(text, isControl))
}

// jsonStrings returns where the strings of a line of JSON begin and end, and whether it may be one: outside of them is what JSON has there.
func jsonStrings(line []byte) (all [][2]int, is bool) {
	const outside = " \t\r\n{}[]:,0123456789+-.Eaeflnrstu"
	for at := 0; at < len(line); at++ {
		if line[at] != '"' {
			if strings.IndexByte(outside, line[at]) < 0 {
				return all, false
			}
			continue
		}
		from := at
		for at++; at < len(line) && line[at] != '"'; at++ {
			if line[at] == '\\' {
				at++
			}
		}
		if at >= len(line) {
			return all, false
		}
		all = append(all, [2]int{from, at + 1})
	}
	return all, true
}

// maskJSON masks each string in a line of JSON as the text that it encodes, and completely if its name suggests a secret. Nested JSON in
// strings is never deep, because each level doubles the backslashes.
func maskJSON(line []byte) []byte {
	var out, name []byte
	var around [][]byte // the names of the maps and lists that a string is in, empty where they hold no secrets
	done, end, named := 0, 0, false
	all, _ := jsonStrings(line)
	isValue := func(i int) bool { return i >= 0 && bytes.EqualFold(line[all[i][0]:all[i][1]], []byte(`"value"`)) }
	isSecretName := func(i int) bool {
		raw := line[all[i][0]+1 : all[i][1]-1]
		return len(raw) < 128 && bytes.IndexByte(raw, ' ') < 0 && secretName(raw)
	}
	for i, m := range all {
		for _, c := range line[end:m[0]] {
			switch c {
			case '{', '[':
				if !holdsSecrets(name) {
					name = nil
				}
				around, name, named = append(around, name), nil, named && c == '['
			case '}', ']':
				around, name, named = around[:max(0, len(around)-1)], nil, false
			}
		}
		end = m[1]
		raw := line[m[0]:end]
		isName := bytes.HasPrefix(bytes.TrimLeft(line[end:], " \t"), []byte(":"))
		trigger, _ := next(raw, 0)
		secret := named
		if n := len(around); n > 0 && len(around[n-1]) > 0 {
			secret = secret || isSecret(around[n-1], name, raw, true)
		}
		if secret = secret && !isName; secret || trigger >= 0 {
			text, err := jsontext.AppendUnquote(nil, raw)
			if err != nil { // it only looks like JSON
				text = raw[1 : len(raw)-1]
			}
			masked := new(masking).lines(plain(text))
			variable, value, _ := bytes.Cut(text, []byte("="))
			if secret {
				value = bytes.TrimPrefix(text, []byte("Bearer "))
			} else if len(name) > 0 || bytes.ContainsAny(variable, " \n") || bytes.HasPrefix(value, []byte(`"`)) ||
				bytes.HasPrefix(value, []byte("'")) || !secretName(variable) {
				value = nil
			}
			if len(value) > 0 && !placeholder().Match(value) {
				masked = append(bytes.Clone(text[:len(text)-len(value)]), Redacted...)
			}
			if !bytes.Equal(masked, text) {
				if out = append(out, line[done:m[0]]...); err == nil {
					out, _ = jsontext.AppendQuote(out, masked)
				} else {
					out = append(append(append(out, '"'), masked...), '"')
				}
				done = end
			}
		}
		if isName {
			name = raw[1 : len(raw)-1]
			named = trigger >= 0 && len(raw) < 128 && secretName(name) || isValue(i) && i > 0 && isSecretName(i-1)
			continue
		}
		if trigger >= 0 && isValue(i-3) && all[i-2][0] > done && isSecretName(i) {
			out = append(append(out, line[done:all[i-2][0]+1]...), Redacted...)
			done = all[i-2][1] - 1
		}
		name, named = nil, named && len(name) == 0
	}
	return append(out, line[done:]...)
}

// SecretName reports whether the name of a column or field suggests that its value is secret, or the hash of a secret.
func SecretName(name string) bool {
	name = strings.ToLower(name)
	return name == "authentication_string" || secretName([]byte(name))
}

// secretName reports whether a name suggests that its value is secret.
func secretName(name []byte) bool {
	for at, there := next(name, 0); at >= 0; at, there = next(name, at+1) {
		for _, t := range there {
			r, end := rules[t.rule], at+len(t.word)
			if !t.begins(name[at:]) || r.pattern != "" && r.place != inName {
				continue
			}
			if r.pattern == "" { // no secret
				return false
			}
			if part := len(t.word) > 4 || !isWord(t.word[0]) || strings.IndexByte("_-", t.word[0]) >= 0; part || wordStart(name, at) == at {
				if patterns()[t.rule].Match(name[end:]) {
					return true
				}
			}
		}
	}
	return false
}

// escapeSequence matches what sets the colour and weight of text, clears the rest of a line, changes the character set or makes a link, and
// characters without a width at a word.
var escapeSequence = lazy.Regexp(`\b[\x{200b}-\x{200d}\x{2060}\x{feff}]+|[\x{200b}-\x{200d}\x{2060}\x{feff}]+\b` + "|\x1b(?:\\[[0-?]*[!-/]*[@-~]|\\][!-~\u00a0-\U0010ffff]{0,200}(?:\x07|\x1b\\\\)|[!-/]+[0-~])\x0f?")

// plain returns a text without escape sequences: a program that writes to a terminal puts them into names and values.
func plain(text []byte) []byte {
	for _, start := range [][]string{{"\x1b"}, {"\xe2", "\u200b", "\u200c", "\u200d", "\u2060"}, {"\xef", "\ufeff"}} {
		isThere := func(s string) bool { return bytes.Contains(text, []byte(s)) }
		if isThere(start[0]) && (len(start) == 1 || slices.ContainsFunc(start[1:], isThere)) {
			return escapeSequence().ReplaceAll(text, nil)
		}
	}
	return text
}

// shown finds the credentials in a line that is not JSON. It also returns, as empty spans, the places that only look like a credential or
// a program: they must not be split between the parts of a long line either. inLine means that the text continues a line.
func shown(line []byte, inLine bool) []span {
	var spans []span
	var walked [len(rules)]int // where the last command of a program ended
	passed := 0                // nothing before this position is a program
	for from := 0; ; {
		at, triggers := next(line, from)
		if at < 0 {
			return spans
		}
		from = at + 1
		for _, t := range triggers {
			r, end := &rules[t.rule], at+len(t.word)
			if !t.begins(line[at:]) || !r.place.holds(line, at, end, inLine) {
				continue
			}
			if r.place == ofProgram {
				if at >= max(passed, walked[t.rule]) {
					walked[t.rule] = options(line[:min(end+window, len(line))], end, func(option int) (to int) {
						found, to := find(t.rule, line, at, option)
						spans = append(spans, found...)
						return to
					})
				}
				continue
			}
			found, to := find(t.rule, line, at, end)
			spans = append(spans, found...)
			if len(found) > 0 {
				from = max(from, to)
				break
			}
			if to > 0 && patterns()[t.rule].NumSubexp() == 0 {
				spans = append(spans, span{at, to, to})
				from, passed = end, to
				break
			}
		}
	}
}

// listed finds the credentials in lists of strings, the form of argument lists in JSON and many languages.
func listed(line []byte) []span {
	if !bytes.Contains(line, []byte(`"-`)) && !bytes.Contains(line, []byte(`'-`)) {
		return nil
	}
	var spans []span
	for _, list := range stringList().FindAllIndex(line, -1) {
		command := bytes.Repeat([]byte(" "), list[1]-list[0]) // with each string as one word
		for _, m := range listString().FindAllIndex(line[list[0]:list[1]], -1) {
			for i := m[0] + 1; i < m[1]-1; i++ {
				if command[i] = line[list[0]+i]; strings.IndexByte(" \t\r\n\"'`;|&()\\", command[i]) >= 0 {
					command[i] = 'x'
				}
			}
		}
		for _, s := range shown(command, true) {
			if bytes.Contains(command[max(0, s.begin-1):s.from], []byte(" -")) { // an option identifies it
				spans = append(spans, span{list[0], list[0] + s.from, list[0] + s.to})
			}
		}
	}
	return spans
}

// find applies the pattern of a rule, whose word starts at begin, at position at. It returns the credentials and the end of the match; 0
// if there is none.
func find(rule int, line []byte, begin, at int) (spans []span, to int) {
	text := line[at:min(at+window, len(line))]
	if rules[rule].place == behind {
		at = max(0, begin-100)
		at += bytes.LastIndexAny(line[at:begin], " \t\n\"'`") + 1
		at += bytes.LastIndex(line[at:begin], line[begin:begin+5]) + 1
		text = line[at:begin]
	}
	if bytes.HasPrefix(line[begin:], []byte(beginning)) { // the start of another key ends this one
		text, _, _ = bytes.Cut(text, []byte(beginning))
	}
	m := patterns()[rule].FindSubmatchIndex(text)
	if m == nil {
		return nil, 0
	}
	if rules[rule].place == itself {
		m = append(m, begin-at, m[1])
	}
	begin = rules[rule].place.start(line, begin)
	for i := 2; i < len(m); i += 2 {
		if m[i+1] >= 0 {
			if from, to := credential(line, at+m[i], at+m[i+1]); from < to {
				spans = append(spans, span{begin, from, to})
			}
		}
	}
	return spans, at + m[1]
}

// credential returns a value without its quotes, and without a list that continues after it (a,name=b); empty if it is a placeholder.
func credential(line []byte, from, to int) (int, int) {
	text := line[from:to]
	inner := bytes.TrimLeft(text, `\`)
	literal := false
	if len(inner) > 0 && (inner[0] == '"' || inner[0] == '\'') {
		from += len(text) - len(inner) + 1
		if end := bytes.TrimRight(line[from:to], `"'`); len(end) < to-from {
			to = from + len(bytes.TrimRight(end, `\`))
		}
		literal = inner[0] == '\'' && from < to && line[from] == '$'
	} else if bytes.IndexByte(text, ',') >= 0 {
		if i := nextField().FindIndex(text); i != nil {
			to = from + i[0]
		}
	}
	if !literal && placeholder().Match(line[from:to]) {
		return to, to
	}
	return from, to
}

// holds reports whether a word is in the required place of a line.
func (p place) holds(line []byte, at, end int, inLine bool) bool {
	begin := wordStart(line, at)
	switch p {
	case anywhere, behind:
		return true
	case inName:
		return false
	case atWord, itself:
		return begin == at || begin+1 == at && line[begin] == '-' && (begin == 0 && !inLine || begin > 0 && line[begin-1] == '\n') // in a diff
	case beforeVerb:
		near := line[end:min(end+128, len(line))]
		return begin == at && (bytes.Contains(near, []byte(" exec ")) || bytes.Contains(near, []byte(" login ")))
	case inOption:
		return line[nameStart(line, begin)] == '-'
	case firstOnLine:
		return isFirst(line[:begin], inLine) || inQuotes.holds(line, at, end, inLine)
	case inField:
		near := line[max(0, begin-2):begin]
		return isFirst(line[:begin], inLine) && (begin < at || string(near) == "  " || string(near) == "- " || bytes.HasSuffix(near, []byte("\t")))
	case inItem:
		before := bytes.TrimRight(line[max(0, begin-128):begin], `"'`)
		return bytes.HasSuffix(before, []byte("- ")) && isFirst(before, inLine) || begin > 0 && line[begin-1] == '"' && bytes.Contains(before, []byte("Environment="))
	case inQuotes:
		return begin > 0 && strings.IndexByte("`\"'", line[begin-1]) >= 0
	case beforeValue:
		near := line[end:min(end+64, len(line))]
		return bytes.Contains(near, []byte("alue")) || bytes.Contains(near, []byte("ALUE"))
	case inBraces:
		if bytes.IndexByte(line[end:min(end+8, len(line))], ':') < 0 {
			return false
		}
		before := line[max(0, begin-128):begin]
		before = before[:bytes.LastIndexAny(before, "{[]}")+1]
		return bytes.HasSuffix(before, []byte("{")) || bytes.HasSuffix(before, []byte("map["))
	}
	return begin == at && end < len(line) && strings.IndexByte(" \t\n\\", line[end]) >= 0 // ofProgram
}

// nameStart returns the start of a name of words with points between them, whose last word begins at a position.
func nameStart(line []byte, begin int) int {
	for begin > 0 && line[begin-1] == '.' {
		begin = wordStart(line, begin-1)
	}
	return begin
}

// isFirst reports whether the end of a text is the start of a line, but for what precedes names in YAML, comments and quotations.
func isFirst(before []byte, inLine bool) bool {
	before = before[max(0, len(before)-128):nameStart(before, len(before))]
	near := bytes.TrimRight(before, " \t>#*<+-|")
	return escapedBlank(before) || len(near) == 0 && !inLine || bytes.HasSuffix(near, []byte("\n"))
}

// start returns where the text starts by which holds recognises the place of a word.
func (p place) start(line []byte, at int) int {
	begin := wordStart(line, at)
	near := max(0, begin-128)
	before := line[near:begin]
	switch p {
	case firstOnLine, inField, inItem: // with the end of the line before, or a quotation mark
		return max(0, near+len(bytes.TrimRight(before, " \t>#*<+-|"))-2)
	case inQuotes:
		return max(0, begin-2)
	case inBraces:
		return near + max(0, bytes.LastIndexByte(before, '{'), bytes.LastIndex(before, []byte("map[")))
	}
	return begin
}

// wordStart returns the start of the word at a position, or 128 bytes before.
func wordStart(line []byte, at int) int {
	begin := at
	for begin > max(0, at-128) && isWord(line[begin-1]) && !escapedBlank(line[:begin]) {
		begin--
	}
	return begin
}

// escapedBlank reports whether a text ends with \n, \r or \t, an escaped newline or tab in a quoted text.
func escapedBlank(text []byte) bool {
	n := len(text)
	return n > 1 && text[n-2] == '\\' && strings.IndexByte("nrt", text[n-1]) >= 0 && !(n > 2 && text[n-3] == '\\')
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// nextItem matches the start of a further item of a list in YAML.
var nextItem = lazy.Regexp(`^\n[+-]?[ \t]*- `)

// options calls f for each option in the rest of a command, and continues at the end of the option's value that f returns; 0 means no
// value. It returns the end of the command.
func options(line []byte, at int, f func(option int) (to int)) (end int) {
	begins := func() bool { return strings.IndexByte(" \t\n=", line[at-1]) >= 0 }
	for ; at < len(line); at++ {
		switch c := line[at]; c {
		case '\\':
			at++
		case ';', '|', '&', '(', ')', '\n':
			m := nextItem().FindIndex(line[at:])
			if m == nil {
				return at
			}
			at += m[1] - 1
		case '"', '\'', '`', '$':
			if m := quotation().FindIndex(line[at:]); m != nil && (c == '$' || begins() || isWord(line[at+1])) {
				at += m[1] - 1
			} else if c != '$' { // it closes a quotation around the command
				return at
			}
		case '-':
			if line[at-1] != '=' && begins() { // otherwise each - of a long a=-u=-u would be tried
				at = max(at, f(at)-1)
			}
		}
	}
	return at
}
