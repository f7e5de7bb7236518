package guard

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// spec is what a line of the table takes.
type spec struct {
	options  map[string]*values // by name: -n, --lines, +D; nil values: it takes none
	operands []operand
	need     []string // one of these options has to be there
	add      []string // what the broker adds
	env      []string // NAME=VALUE, in addition to the broker's environment

	words  bool // options are words with one dash, which are not combined
	pflag  bool // -n=5 is -n 5
	strict bool // the first operand ends the options
	digits bool // a number is an option: -20
	plus   bool // there are options that begin with +
	dashes bool // -- is an operand
	repos  bool // the working folder is below REPOS_DIR
	own    bool // it runs with the privileges of its file, in no domain
	closed bool // closed names are left out, as pathspecs of git
	here   bool // it is called here alone: neither on another host nor in a container

	as string // the subcommand that runs in the place of the one that was called
}

// values are what an option or an operand may be: one of several.
type values struct {
	of     []want
	behind bool // only behind =, and may be missing
}

// want is a word, a kind, which is written in capitals, or an expression for the whole.
type want struct {
	word, kind string
	expression *regexp.Regexp
}

type operand struct {
	values
	least, most int
}

var part = regexp.MustCompile(`\{[a-z]+\}`)

// spec reads a line.
func (t *Table) spec(line string) (*spec, error) {
	s := &spec{options: map[string]*values{}}
	line = part.ReplaceAllStringFunc(line, func(name string) string {
		if text, known := t.parts[name[1:len(name)-1]]; known {
			return text
		}
		return name // of an expression
	})
	flags := map[string]*bool{
		"words": &s.words, "pflag": &s.pflag, "strict": &s.strict, "repos": &s.repos, "own": &s.own,
		"closed": &s.closed, "here": &s.here, "-#": &s.digits,
	}
	for token := range strings.FieldsSeq(line) {
		if flag := flags[token]; flag != nil {
			*flag = true
		} else if err := t.member(s, token); err != nil {
			return nil, fmt.Errorf("%q: %w", token, err)
		}
	}
	return s, nil
}

func (t *Table) member(s *spec, token string) error {
	name, text, named := strings.Cut(token, ":")
	switch {
	case token == "--":
		s.dashes = true
		s.operands = append(s.operands, operand{values{of: []want{{word: "--"}}}, 1, 1})
		return nil
	case named && name == "need":
		s.need = strings.Split(text, "|")
		return nil
	case named && name == "add":
		s.add = append(s.add, text)
		return nil
	case named && name == "as":
		s.as = text
		return nil
	case named && name == "env":
		s.env = append(s.env, text)
		return nil
	case token[0] == '-' || token[0] == '+':
		return t.option(s, token)
	}
	o := operand{least: 1, most: 1}
	switch token[len(token)-1] {
	case '?':
		o.least = 0
	case '*':
		o.least, o.most = 0, math.MaxInt
	case '+':
		o.most = math.MaxInt
	}
	if o.least == 0 || o.most > 1 {
		token = token[:len(token)-1]
	}
	var err error
	o.of, err = t.wants(token)
	s.operands = append(s.operands, o)
	return err
}

// option reads -abc, --long, -n=KIND, --long=KIND, --long[=KIND].
func (t *Table) option(s *spec, token string) (err error) {
	name, text, valued := strings.Cut(token, "=")
	s.plus = s.plus || name[0] == '+'
	if !valued && !s.words && name[0] == '-' && name[1] != '-' {
		for _, letter := range name[1:] {
			if letter == '#' {
				s.digits = true
			} else if _, known := s.options["-"+string(letter)]; !known { // an option of a level above may take a value
				s.options["-"+string(letter)] = nil
			}
		}
		return nil
	}
	var v *values
	if valued {
		v = &values{behind: strings.HasSuffix(name, "[")}
		if v.behind {
			name, text = strings.TrimSuffix(name, "["), strings.TrimSuffix(text, "]")
		}
		v.of, err = t.wants(text)
	}
	s.options[name] = v
	return err
}

// capitals matches what looks like a kind; notKinds are the words of the table that do.
var (
	capitals = regexp.MustCompile(`^[A-Z]{3,}$`)
	notKinds = []string{"GET", "HEAD"}
)

// wants reads words, kinds and expressions between slashes, with | between them.
func (t *Table) wants(text string) (all []want, err error) {
	for text != "" {
		if text[0] != '/' {
			word, rest, _ := strings.Cut(text, "|")
			switch known := t.kinds[word] != nil || judged[word] != nil || slices.Contains(nested, word); {
			case known:
				all = append(all, want{kind: word})
			case capitals.MatchString(word) && !slices.Contains(notKinds, word):
				return nil, fmt.Errorf("%s is no kind; words in capitals stand between slashes", word)
			default:
				all = append(all, want{word: word})
			}
			text = rest
			continue
		}
		end := 1
		for end < len(text) && (text[end] != '/' || end+1 < len(text) && text[end+1] != '|') {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		expression, err := regexp.Compile("^(?:" + text[1:min(end, len(text))] + ")$")
		if err != nil {
			return nil, err
		}
		all = append(all, want{expression: expression})
		text = strings.TrimPrefix(text[min(end+1, len(text)):], "|")
	}
	return all, nil
}
