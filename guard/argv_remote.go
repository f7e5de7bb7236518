package guard

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/lazy"
)

// Text for a shell elsewhere (ssh HOST TEXT, docker exec NAME sh -c TEXT) is parsed by a small closed grammar that every such shell reads
// in the same way: literal words joined by ; && || and |, and lines. Nothing is expanded except globs of log names, and command
// substitution as an argument of `echo`.

// remoteStep is one command of such text.
type remoteStep struct {
	words    []string
	operator string // the operator after it: ; && || | or empty
	quotes   bool   // its words contain the output of earlier commands
}

// remote judges text that a shell elsewhere runs.
func (j *judge) remote(text string) error {
	steps, err := j.readRemote(text)
	if err != nil {
		return err
	}
	input, piped, dir, handed := j.input, j.piped, j.dir, j.handed
	defer func() { j.input, j.piped, j.dir, j.handed = input, piped, dir, handed }()
	j.handed = false // the shell's commands share its standard input
	for i, step := range steps {
		if step.quotes && step.words[0] != "echo" {
			return unknown("the output of a command may only be an argument of `echo`: echo \"$(COMMAND)\"")
		}
		last := i == len(steps)-1
		if step.words[0] == "cd" {
			if last || step.operator != "&&" || len(step.words) != 2 || !wholePath().MatchString(step.words[1]) {
				return unknown("`cd` takes the whole path of a folder, and && follows it")
			}
			j.dir = step.words[1]
			continue
		}
		if err := j.command(step.words); err != nil {
			return err
		}
		if j.input, j.piped = nil, step.operator == "|" || j.scripted; step.operator == "|" && !step.quotes {
			j.input = echoText(step.words)
		}
	}
	return nil
}

// readsScript reports whether a command is a shell that reads its script from standard input.
func readsScript(words []string) bool {
	command := strings.Join(words, " ")
	return slices.Contains([]string{"bash", "sh", "bash -s", "sh -s"}, command)
}

// remoteScript judges the standard input of a shell on another machine as text for that shell. The shell gets it as an argument: if it
// read it from its input, a command in it could consume part of a line, and the shell would run the rest.
func (j *judge) remoteScript(words int) error {
	j.stdin = StdinText
	if j.input == nil {
		return unknown("the shell there would run unknown commands; give the command as an argument")
	}
	script := *j.input
	if !utf8.ValidString(script) || strings.ContainsRune(script, 0) { // bash reads past a NUL
		return unknown("the command for the shell there is not UTF-8")
	}
	input := j.input
	j.input, j.piped, j.scripted = nil, true, true
	defer func() { j.input, j.piped, j.scripted = input, false, false }()
	if err := j.remote(script); err != nil {
		return err
	}
	j.argv = append(j.argv[:len(j.argv)-words], script)
	return nil
}

// echoText returns what an echo with one plain argument prints; nil for any other command.
func echoText(words []string) *string {
	if words[0] != "echo" || len(words) != 2 || strings.HasPrefix(words[1], "-") || strings.Contains(words[1], `\`) {
		return nil
	}
	text := words[1] + "\n"
	return &text
}

// silences matches redirections to /dev/null, and of one output into the other.
var silences = lazy.Regexp(`^(?:2>&1|1?>&2|[12]?> ?/dev/null|< ?/dev/null)(?:[ ;|&\n]|$)`)

// readRemote splits text into commands and words. The error names what cannot be parsed.
func (j *judge) readRemote(text string) ([]remoteStep, error) {
	text = strings.Trim(text, " \n")
	for r := (remoteReader{judge: j, text: text, rest: text}); ; {
		r.rest = strings.TrimLeft(r.rest, " ")
		silence, operator := silences().FindString(r.rest), operatorAt(r.rest)
		var err error
		switch {
		case silence != "" && len(r.words) > 0:
			r.rest = r.rest[len(strings.TrimRight(silence, " ;|&\n")):]
		case strings.HasPrefix(r.rest, "\n"):
			err = r.endLine()
		case operator != "" || r.rest == "":
			if err = r.endCommand(operator); err == nil && r.rest == "" {
				return r.steps, nil
			}
		case len(r.words) == 0 && strings.HasPrefix(r.rest, "for ") && !r.behind("|"):
			err = r.loop()
		default:
			err = r.word()
		}
		if err != nil {
			return nil, err
		}
	}
}

// remoteReader parses text for a shell elsewhere.
type remoteReader struct {
	judge  *judge
	text   string // the whole text
	rest   string // what has not been read yet
	steps  []remoteStep
	words  []string // of the command that is being read
	quotes bool     // see remoteStep
}

// behind reports whether the last command ended with an operator.
func (r *remoteReader) behind(operator string) bool {
	return len(r.steps) > 0 && r.steps[len(r.steps)-1].operator == operator
}

// endLine ends a command at the end of a line.
func (r *remoteReader) endLine() error {
	r.rest = r.rest[1:]
	switch {
	case len(r.words) > 0:
		r.rest = ";" + r.rest
	case len(r.steps) > 0 && !r.behind(";"):
		return unknown("a line of %s ends where a command has to follow", quoted(r.text))
	}
	return nil
}

// endCommand ends a command at an operator, or at the end of the text.
func (r *remoteReader) endCommand(operator string) error {
	complete := len(r.words) > 0 || r.rest == "" && r.behind(";")
	if len(r.words) > 0 {
		r.steps = append(r.steps, remoteStep{r.words, operator, r.quotes})
	}
	r.words, r.quotes, r.rest = nil, false, r.rest[len(operator):]
	if !complete || r.rest == "" && operator != "" && operator != ";" {
		return unknown("a command is missing in %s", quoted(r.text))
	}
	return nil
}

// loop reads the iterations of a loop, each by itself: an unterminated quotation must not end in the next iteration.
func (r *remoteReader) loop() error {
	rounds, after, err := unrollLoop(r.rest)
	if err != nil {
		return err
	}
	for _, round := range rounds {
		body, err := r.judge.readRemote(round)
		if err != nil {
			return err
		}
		body[len(body)-1].operator = ";"
		r.steps = append(r.steps, body...)
	}
	r.rest = after
	return nil
}

// word reads one word of a command, and the commands whose output it contains.
func (r *remoteReader) word() error {
	word, printed, n, err := r.judge.remoteWord(r.rest)
	if err != nil {
		return err
	}
	for _, text := range printed {
		inner, err := r.judge.readPrinted(text, r.steps)
		if err != nil {
			return err
		}
		r.steps, r.quotes = append(r.steps, inner...), true
	}
	if len(r.words) == 0 && shellWord().MatchString(word) {
		return unknown("%s is a word of the shell's language; write plain commands with ; && || and | between them", quoted(word))
	}
	r.words, r.rest = append(r.words, word), r.rest[n:]
	return nil
}

// loop matches `for NAME in WORDS; do BODY; done`. Words are plain. A name is at most three letters, so that it cannot be a variable with
// a meaning, such as PATH or http_proxy. A body with a nested loop, or with another end, fails to parse.
var loop = lazy.Regexp(`^for +([a-z][a-z0-9]{0,2}) +in((?: +[A-Za-z0-9_./:@-]+){1,20}) *; *do +(.*?) *; *done *(?:[;\n] *|$)`)

// unrollLoop returns what each iteration of a loop runs, and the text after the loop. A loop cannot be piped or redirected as a whole.
func unrollLoop(text string) (rounds []string, after string, err error) {
	m := loop().FindStringSubmatch(text)
	if m == nil {
		return nil, "", unknown("the loop in %s cannot be read; write for i in WORDS; do COMMAND; done, with plain words and a name of one to three letters", quoted(text))
	}
	name, body := m[1], m[3]
	if strings.Contains(body, `\`) || strings.Contains(body, "$") && strings.Contains(body, "'") { // may prevent the expansion
		return nil, "", unknown("the loop in %s has a backslash, or single quotes beside `$%s`; write it without them", quoted(text), name)
	}
	variable := regexp.MustCompile(`\$(?:\{` + name + `\}|` + name + `\b)`)
	for _, word := range strings.Fields(m[2]) {
		rounds = append(rounds, variable.ReplaceAllLiteralString(body, word))
	}
	return rounds, text[len(m[0]):], nil
}

// shellWord matches a word that does not start a simple command: an assignment, or a keyword.
var shellWord = lazy.Regexp(`^(?:[A-Za-z_][A-Za-z0-9_]*\+?=.*|if|then|else|elif|fi|do|done|case|esac|while|until|for|in|select|function|coproc|)$`)

// readPrinted parses the text of $(…), which runs before the command that uses its output.
func (j *judge) readPrinted(text string, before []remoteStep) (steps []remoteStep, err error) {
	if len(before) > 0 && before[len(before)-1].operator != ";" {
		return nil, unknown("`$(%s)` follows `%s`, so that it may not run or may read other input; put it into a command of its own", text, before[len(before)-1].operator)
	}
	if steps, err = j.readRemote(text); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(steps, func(s remoteStep) bool { return s.words[0] == "cd" }) {
		return nil, unknown("`cd` is not followed in `$(%s)`; write whole paths", text)
	}
	steps[len(steps)-1].operator = ";"
	return steps, nil
}

// operatorAt returns the operator with which a text begins.
func operatorAt(text string) string {
	for _, operator := range []string{"&&", "||", "|", ";"} {
		if strings.HasPrefix(text, operator) {
			return operator
		}
	}
	return ""
}

// remoteWord reads the word with which a text begins. printed are the commands whose output it contains, and n is its length in bytes.
func (j *judge) remoteWord(text string) (word string, printed []string, n int, err error) {
	var b strings.Builder
	pattern := false
	for n < len(text) && text[n] != ' ' && text[n] != '\n' && operatorAt(text[n:]) == "" {
		switch c := text[n]; {
		case c == '\'':
			end := strings.IndexByte(text[n+1:], '\'')
			if end < 0 {
				return "", nil, 0, unknown("a quotation in %s does not end", quoted(text))
			}
			b.WriteString(text[n+1 : n+1+end])
			n += end + 2
			continue
		case c == '"':
			quotation, inside, taken, err := doubleQuoted(text[n:])
			if err != nil {
				return "", nil, 0, err
			}
			b.WriteString(quotation)
			printed = append(printed, inside...)
			n += taken
			continue
		case strings.ContainsRune("*?[]", rune(c)):
			pattern = true
		case c < '!' || c > '~' || strings.ContainsRune("$`\\(){}<>&!~", rune(c)), n == 0 && c == '#':
			return "", nil, 0, unknown("a command that runs elsewhere must consist of literal words with ; && || and |: `%c` in %s is not supported; put text in single quotes", c, quoted(text))
		}
		b.WriteByte(text[n])
		n++
	}
	if word = b.String(); !pattern || word == "[" || word == "]" {
		return word, printed, n, nil
	}
	if dir := path.Dir(word); !wholePath().MatchString(dir) || linkedFolder(dir) {
		return "", nil, 0, unknown("the pattern %s is not in the last name of a whole path; write it there", quoted(word))
	}
	if j.patterns == nil {
		j.patterns = map[string]bool{}
	}
	j.patterns[word] = true
	return word, printed, n, nil
}

// logPattern reports whether a glob can match logs only.
func logPattern(pattern string) bool { return logs().MatchString(path.Base(pattern)) }

// linkedFolder reports whether a directory has links that lead to other processes.
func linkedFolder(dir string) bool {
	return below(dir, "/proc") || below(dir, "/dev") || below(dir, "/sys")
}

// printing matches $(…) without nested quotations, expansions and brackets.
var printing = lazy.Regexp("^\\$\\(([^\"'`$()\\\\\n]*)\\)")

// doubleQuoted reads text in double quotes, in which only $(…) is expanded.
func doubleQuoted(text string) (quotation string, printed []string, n int, err error) {
	var b strings.Builder
	for n = 1; n < len(text); n++ {
		switch c := text[n]; {
		case c == '"':
			return b.String(), printed, n + 1, nil
		case printing().MatchString(text[n:]):
			m := printing().FindStringSubmatch(text[n:])
			printed = append(printed, m[1])
			n += len(m[0]) - 1
		case c == '$' || c == '`':
			return "", nil, 0, unknown("a command that runs elsewhere must be literal: `%c` in double quotes is not supported; use single quotes", c)
		case c == '\\' && n+1 < len(text) && slices.Contains([]byte("$`\"\\"), text[n+1]):
			n++
			b.WriteByte(text[n])
		case c == '\\' && n+1 < len(text) && text[n+1] == '\n':
			return "", nil, 0, unknown("a line is continued on the next; write it in one line")
		default:
			b.WriteByte(c)
		}
	}
	return "", nil, 0, unknown("a quotation in %s does not end", quoted(text))
}
