package hooks

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Bounds of one reading. Aliases count as often as they stand: a few lines of them could otherwise stand for billions of values.
const (
	maxConfigValues = 20_000
	maxConfigFaults = 50
	maxQuoted       = 60 // characters of a wrong value
)

// reading is one reading of the file and the environment into a configuration.
type reading struct {
	config *Config
	left   int // of maxConfigValues
}

// origin is where values come from: a file, in which they have lines, or a variable.
type origin struct {
	name  string
	lines bool
}

func (o origin) at(line int) string {
	if o.lines && line > 0 {
		return o.name + ":" + strconv.Itoa(line)
	}
	return o.name
}

func (r *reading) fault(at, format string, args ...any) {
	c := r.config
	switch len(c.Faults) {
	case maxConfigFaults:
		c.Faults = append(c.Faults, "there are more faults than these")
	case maxConfigFaults + 1:
	default:
		c.Faults = append(c.Faults, visible(at+": "+fmt.Sprintf(format, args...)))
	}
}

// all reads every key: its default, what the file says of it, what the environment says.
func (r *reading) all(data []byte, variables map[string]string) {
	table := settings()
	file := origin{name: base(r.config.File), lines: true}
	nodes := r.document(data, file, table)
	for _, s := range table {
		if s.goes&forAll == 0 {
			continue
		}
		s.kind.read(s.def, s.field(r.config))
		r.take(s, nodes[s.key], file)
		if name, text := variable(variables, s.key); text != "" {
			r.take(s, r.fromVariable(s, name, text), origin{name: name})
		}
	}
	r.unknownVariables(variables, table)
}

// document returns the values of a file by their dotted keys.
func (r *reading) document(data []byte, from origin, table []setting) map[string]*yaml.Node {
	if len(data) == 0 {
		return nil
	}
	root, line, err := parseYAML(data)
	switch {
	case err != nil:
		r.fault(from.at(line), "not YAML (%v); every default is used", err)
		return nil
	case unset(root):
		return nil
	case root.Kind != yaml.MappingNode:
		r.fault(from.at(root.Line), "%s where there must be keys, such as circuit_breaker; every default is used", describe(root))
		return nil
	}
	w := walk{reading: r, from: from, keys: keys(table, forAll), found: map[string]*yaml.Node{}, seen: map[string]int{}}
	w.mapping(root, "")
	return w.found
}

// walk finds the values of known keys in a mapping and the mappings below it.
type walk struct {
	*reading
	from  origin
	above string // what stands before each key in a fault
	keys  []string
	found map[string]*yaml.Node
	seen  map[string]int // the line of each key that came
}

// mapping finds the keys whose names begin with prefix. Of a key that stands twice neither value counts: nobody can say which was
// meant. A section that stands twice counts as one.
func (w *walk) mapping(m *yaml.Node, prefix string) {
	w.pairs(m, w.from, func(name, value *yaml.Node) {
		key := prefix + name.Value
		at := w.from.at(name.Line)
		leaf, section := knows(w.keys, key)
		if !leaf && !section {
			w.fault(at, "%s%s: no such key, it has no effect%s", w.above, quoteKey(key), w.didYouMean(key, withSections(w.keys)))
			return
		}
		line, twice := w.seen[key]
		w.seen[key] = name.Line
		if twice && section {
			w.fault(at, "%s%s: it stands in line %d too; what both say counts", w.above, key, line)
		}
		switch {
		case section && value.Kind == yaml.MappingNode:
			w.mapping(value, key+".")
		case section && !unset(value):
			w.fault(at, "%s%s: %s where there must be further keys; it has no effect", w.above, key, describe(value))
		case section:
		case twice:
			w.fault(at, "%s%s: it stands in line %d too; neither counts, keep one", w.above, key, line)
			w.found[key] = nil
		default:
			w.found[key] = value
		}
	})
}

// take sets a key to a node.
func (r *reading) take(s setting, n *yaml.Node, from origin) {
	if unset(n) {
		return
	}
	var ok bool
	switch field := s.field(r.config).(type) {
	case *[]string:
		ok = r.patterns(s.key, n, from, field)
	case *[]override:
		ok = r.overrides(s, n, from, field)
	case *[]dependency:
		ok = r.dependencies(s, n, from, field)
	default:
		ok = n.Kind == yaml.ScalarNode && s.kind.read(n.Value, field)
		if !ok {
			r.fault(from.at(n.Line), "%s: %s; must be %s; %s is used", s.key, describe(n), s.kind.want(), cmp.Or(show(field), "none"))
		}
	}
	if ok {
		r.config.sources[s.key] = from.at(n.Line)
	}
}

// patterns reads a list of patterns, or one alone.
func (r *reading) patterns(key string, n *yaml.Node, from origin, into *[]string) bool {
	elements := n.Content
	switch n.Kind {
	case yaml.ScalarNode:
		elements = []*yaml.Node{n}
	case yaml.SequenceNode:
	default:
		r.fault(from.at(n.Line), "%s: %s; must be %s; it has no effect", key, describe(n), patterns{}.want())
		return false
	}
	list := make([]string, 0, len(elements))
	for _, element := range elements {
		if element = r.value(element, from); element == nil {
			break
		}
		if element.Kind != yaml.ScalarNode || isNull(element) || !isPattern(element.Value) {
			r.fault(from.at(element.Line), "%s: %s; must be %s; it is left out", key, describe(element), aPattern)
			continue
		}
		list = append(list, element.Value)
	}
	*into = list
	return true
}

// overrides reads what is set for the hooks of a pattern. Values that are right count, whatever stands beside them.
func (r *reading) overrides(s setting, n *yaml.Node, from origin, into *[]override) bool {
	if !r.isMapping(s, n, from) {
		return false
	}
	var table []setting
	for _, s := range settings() {
		if s.goes&forHooks != 0 {
			table = append(table, s)
		}
	}
	*into = nil
	r.byPattern(s.key, n, from, func(pattern string, value *yaml.Node) {
		above := fmt.Sprintf("%s.%q.", s.key, pattern)
		if value.Kind != yaml.MappingNode {
			r.fault(from.at(value.Line), "%s: %s where there must be settings, such as failure_threshold; it has no effect",
				strings.TrimSuffix(above, "."), describe(value))
			return
		}
		w := walk{r, from, above, keys(table, forHooks), map[string]*yaml.Node{}, map[string]int{}}
		w.mapping(value, "")
		o := override{pattern: pattern}
		scratch := Config{}
		for _, s := range table {
			v := w.found[hookName(s)]
			switch {
			case unset(v):
			case v.Kind == yaml.ScalarNode && s.kind.read(v.Value, s.field(&scratch)):
				o.values = append(o.values, overriding{s, show(s.field(&scratch)), from.at(v.Line)})
			default:
				r.fault(from.at(v.Line), "%s%s: %s; must be %s; what goes for other hooks is used", above, hookName(s), describe(v), s.kind.want())
			}
		}
		*into = append(*into, o)
	})
	return true
}

func (r *reading) dependencies(s setting, n *yaml.Node, from origin, into *[]dependency) bool {
	if !r.isMapping(s, n, from) {
		return false
	}
	*into = nil
	r.byPattern(s.key, n, from, func(pattern string, value *yaml.Node) {
		d := dependency{pattern: pattern, source: from.at(value.Line)}
		if r.patterns(fmt.Sprintf("%s.%q", s.key, pattern), value, from, &d.on) && len(d.on) > 0 {
			*into = append(*into, d)
		}
	})
	return true
}

func (r *reading) isMapping(s setting, n *yaml.Node, from origin) bool {
	if n.Kind != yaml.MappingNode {
		r.fault(from.at(n.Line), "%s: %s; must be %s; it has no effect", s.key, describe(n), s.kind.want())
	}
	return n.Kind == yaml.MappingNode
}

// maxPattern bounds the work that one pattern makes on every call of every hook.
const maxPattern = 1 << 10

// aPattern is what isPattern wants.
const aPattern = "a pattern, which is a part of a hook's command, of at most 1024 bytes"

func isPattern(text string) bool {
	return strings.Trim(text, " \t\r\n") != "" && len(text) <= maxPattern
}

// byPattern calls each with the patterns of a mapping and what they are given; nothing at all is passed over.
func (r *reading) byPattern(key string, m *yaml.Node, from origin, each func(pattern string, value *yaml.Node)) {
	seen := map[string]int{}
	r.pairs(m, from, func(name, value *yaml.Node) {
		pattern := name.Value
		line, twice := seen[pattern]
		seen[pattern] = name.Line
		switch {
		case !isPattern(pattern):
			r.fault(from.at(name.Line), "%s: %s; must be %s; it has no effect", key, describe(name), aPattern)
			return
		case twice:
			r.fault(from.at(name.Line), "%s.%q: it stands in line %d too; what both say counts", key, pattern, line)
		}
		if !unset(value) {
			each(pattern, value)
		}
	})
}

// pairs calls each with the keys of a mapping and their values, aliases put in.
func (r *reading) pairs(m *yaml.Node, from origin, each func(name, value *yaml.Node)) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		name, value := r.value(m.Content[i], from), r.value(m.Content[i+1], from)
		if name == nil || value == nil {
			return
		}
		if name.Kind != yaml.ScalarNode {
			r.fault(from.at(name.Line), "%s where there must be a key; it has no effect", describe(name))
			continue
		}
		each(name, value)
	}
}

// value is what a node or its alias stands for, nil where there were too many of them.
func (r *reading) value(n *yaml.Node, from origin) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if r.left--; r.left == 0 {
		r.fault(from.at(n.Line), "more than %d values, aliases (*…) put in; nothing is read from here on", maxConfigValues)
	}
	if r.left <= 0 {
		return nil
	}
	return n
}

// unset reports whether a key stands there and says nothing.
func unset(n *yaml.Node) bool {
	return n == nil || isNull(n) || n.Kind == yaml.ScalarNode && n.Value == ""
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// describe is a value as a fault names it.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a mapping"
	}
	return quoted(n.Value)
}

func quoted(text string) string {
	if utf8.RuneCountInString(text) > maxQuoted {
		text = string([]rune(text)[:maxQuoted]) + "…"
	}
	return strconv.Quote(text)
}

// quoteKey leaves a key as it is that nobody could misread.
func quoteKey(key string) string {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_.") == "" && key != "" && len(key) <= maxQuoted {
		return key
	}
	return quoted(key)
}

// parseYAML reads the one document of data, nil where there is none. An error comes with its line, 0 where that is not known.
func parseYAML(data []byte) (root *yaml.Node, line int, err error) {
	defer func() {
		// The library panics on what it holds for impossible. A file must not be able to end the program.
		if p := recover(); p != nil {
			root, line, err = nil, 0, fmt.Errorf("%v", p)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, more yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, 0, nil
	} else if err != nil {
		return nil, yamlLine(err), yamlReason(err)
	}
	switch err := decoder.Decode(&more); {
	case err == nil:
		return nil, more.Line, errors.New("a second document begins; there must be one")
	case !errors.Is(err, io.EOF):
		return nil, yamlLine(err), yamlReason(err)
	}
	if len(document.Content) == 0 {
		return nil, 0, nil
	}
	return document.Content[0], 0, nil
}

// yamlLine and yamlReason take an error of the YAML library apart: "yaml: line 3: found character that cannot start any token".
func yamlLine(err error) int {
	number, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: line "), ":")
	line, _ := strconv.Atoi(number) // 0 where there is no number
	return line
}

func yamlReason(err error) error {
	what := strings.TrimPrefix(err.Error(), "yaml: ")
	if yamlLine(err) > 0 {
		_, what, _ = strings.Cut(what, ": ")
	}
	return errors.New(what)
}
