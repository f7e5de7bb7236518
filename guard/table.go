package guard

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Table is what agents may look with: policy.yaml, which explains its form, and the operator's lines in the same form (CLAUDEOPS_POLICY). It
// only lists; whatever it does not list is refused.
type Table struct {
	Hosts []string // known to everybody, and those that the operator names
	Open  []string // patterns of files and folders that the operator opens to agents

	programs, far map[string][]*rule // by a program's name: the built-in rule and the operator's, one of which must take a call
	instead       map[string]string  // by a program's name, or that and a subcommand: what a refusal adds
	urls          []*regexp.Regexp
	texts         map[string][]string // the kinds as they are written
	kinds         map[string]*regexp.Regexp
	parts         map[string]string
}

// rule is what one program, or one of its subcommands, may be called with: one of the lines must take the call.
type rule struct {
	lines   []string
	all     string // options of every subcommand, before and behind it
	before  string // options before a subcommand alone
	subs    []sub
	sandbox bool     // what no line takes runs in the sandbox
	same    []string // the program and its subcommand whose rule it is
	at      int      // its line in the file
}

// sub is a subcommand; without words, it is the program without one.
type sub struct {
	words []string
	rule  *rule
}

//go:embed policy.yaml
var builtIn []byte

// BuiltIn returns the built-in table.
var BuiltIn = sync.OnceValue(func() *Table {
	t := &Table{programs: map[string][]*rule{}, far: map[string][]*rule{}, instead: map[string]string{}}
	if _, err := t.add(builtIn); err != nil { // a test looks for faults in its lines
		panic("policy.yaml: " + err.Error())
	}
	return t
})

// With returns the table with an operator's lines added. The error says each fault in them with its line.
func (t *Table) With(operators []byte) (*Table, error) {
	joined := *t
	joined.programs, joined.far, joined.instead = maps.Clone(t.programs), maps.Clone(t.far), maps.Clone(t.instead)
	file, err := joined.add(operators)
	if err == nil {
		err = errors.Join(joined.faults(file.Programs), joined.faults(file.Far))
	}
	return &joined, err
}

// Names returns the names that reach the broker: its programs, and those that are refused with a sentence of their own. They are sorted.
func (t *Table) Names() []string {
	names := slices.Collect(maps.Keys(t.programs))
	for name := range t.instead {
		if !strings.Contains(name, " ") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// tableFile is the form of a file.
type tableFile struct {
	Kinds         map[string][]string
	Parts         map[string]string
	Hosts, Open   []string
	URLs          []string `yaml:"urls"`
	Programs, Far map[string]*rule
	Instead       map[string]string
}

// add adds what a file lists, and returns it. Kinds and parts are the built-in file's.
func (t *Table) add(content []byte) (file tableFile, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return file, err
	}
	if t.kinds == nil {
		t.texts, t.parts, t.kinds = file.Kinds, file.Parts, map[string]*regexp.Regexp{}
		for name := range file.Kinds {
			t.kinds[name] = regexp.MustCompile("^" + t.words("<"+name+">") + "$")
		}
	} else if file.Kinds != nil || file.Parts != nil {
		return file, errors.New("kinds and parts are the built-in table's; write an expression of your own between slashes")
	}
	t.Hosts, t.Open = slices.Concat(t.Hosts, file.Hosts), slices.Concat(t.Open, file.Open)
	for _, pattern := range file.Open {
		if _, err := filepath.Match(pattern, ""); err != nil || !filepath.IsAbs(pattern) {
			return file, fmt.Errorf("open: %q; must be a path from the root, with * and ? for what varies", pattern)
		}
	}
	for _, text := range file.URLs {
		expression, err := regexp.Compile("^(?:" + t.words(text) + ")$")
		if err != nil {
			return file, fmt.Errorf("urls: %w", err)
		}
		t.urls = append(slices.Clip(t.urls), expression)
	}
	for names, sentence := range file.Instead {
		for name := range strings.SplitSeq(names, ", ") {
			t.instead[name] = sentence
		}
	}
	t.addRules(t.programs, file.Programs)
	t.addRules(t.far, file.Far)
	return file, nil
}

func (t *Table) addRules(to map[string][]*rule, rules map[string]*rule) {
	for names, r := range rules {
		if r == nil { // a program without options and operands
			r = &rule{lines: []string{""}}
		}
		for name := range strings.FieldsSeq(names) {
			to[name] = append(slices.Clip(to[name]), r)
		}
	}
}

// faults returns those in the lines of rules, once all are there.
func (t *Table) faults(rules map[string]*rule) (err error) {
	for _, r := range rules {
		if r != nil {
			err = errors.Join(err, t.check(r, ""))
		}
	}
	return err
}

// check returns the faults in the lines of a rule.
func (t *Table) check(r *rule, options string) (err error) {
	options += " " + r.all
	if r.same != nil && t.the(r.same) == nil {
		err = fmt.Errorf("line %d: @%s: there is no such program, or it is said to be another one", r.at, strings.Join(r.same, " "))
	}
	for _, line := range append([]string{r.before}, r.lines...) {
		if _, fault := t.spec(options + " " + line); fault != nil {
			err = errors.Join(err, fmt.Errorf("line %d: %w", r.at, fault))
		}
	}
	for _, s := range r.subs {
		err = errors.Join(err, t.check(s.rule, options))
	}
	return err
}

// the returns the rule that another one is said to be; nil if there is none, or if it is said to be another one, too.
func (t *Table) the(same []string) *rule {
	rules := t.programs[same[0]]
	if len(rules) == 0 {
		return nil
	}
	r := rules[0]
	for _, word := range same[1:] {
		i := slices.IndexFunc(r.subs, func(s sub) bool { return slices.Equal(s.words, []string{word}) })
		if i < 0 {
			return nil
		}
		r = r.subs[i].rule
	}
	if r.same != nil {
		return nil
	}
	return r
}

// UnmarshalYAML reads a line, a list of them, or subcommands with theirs.
func (r *rule) UnmarshalYAML(n *yaml.Node) error {
	r.at = n.Line
	switch n.Kind {
	case yaml.SequenceNode:
		return n.Decode(&r.lines)
	case yaml.MappingNode:
	default:
		switch words := strings.Fields(n.Value); {
		case n.Value == "sandbox":
			r.sandbox = true
		case strings.HasPrefix(n.Value, "@"):
			words[0] = words[0][1:]
			r.same = words
		default:
			r.lines = []string{n.Value}
		}
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		if slices.Contains([]string{"all", "before", "else"}, key) && value.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: %s is one text", value.Line, key)
		}
		switch key {
		case "all":
			r.all = value.Value
		case "before":
			r.before = value.Value
		case "else":
			if value.Value != "sandbox" {
				return fmt.Errorf("line %d: else: %q; must be sandbox", value.Line, value.Value)
			}
			r.sandbox = true
		default:
			of := &rule{}
			if value.Tag == "!!null" {
				of.lines = []string{""}
			} else if err := of.UnmarshalYAML(value); err != nil {
				return err
			}
			for words := range strings.SplitSeq(key, "|") {
				r.subs = append(r.subs, sub{strings.Fields(strings.TrimSuffix(words, ".")), of})
			}
		}
	}
	return nil
}

// words returns an expression with the kinds that it names as <KIND>; none leads back to itself.
func (t *Table) words(text string) string {
	return innerKind.ReplaceAllStringFunc(text, func(name string) string {
		return "(?:" + t.words(strings.Join(t.texts[name[1:len(name)-1]], "|")) + ")"
	})
}

var innerKind = regexp.MustCompile(`<[A-Z]+>`)
