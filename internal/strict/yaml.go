package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Node is a value of a YAML document, with aliases and merges resolved.
type Node struct {
	Kind         Kind
	Value        string // of a scalar, as written
	Content      []Node // a list's elements; alternating keys and values of a mapping
	Line, column int32  // from 1
}

func (n *Node) place() string { return linePlace(int(n.Line), int(n.column)) }

// Kind is the kind of a value.
type Kind uint8

// The kinds of values. Other means a custom tag.
const (
	Text Kind = iota
	Null
	Number
	Boolean
	Date
	List
	Mapping
	Other
)

// String describes the kind, for a person who wrote it where another was expected.
func (k Kind) String() string {
	return [...]string{"a text", "nothing", "a number", "true or false", "a date", "a list", "a mapping", "a value with a tag (!…)"}[k]
}

// Member returns the value of a mapping's key; nil if it has none.
func (n *Node) Member(key string) *Node {
	if n.Kind != Mapping {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return &n.Content[i+1]
		}
	}
	return nil
}

// maxAliased limits the values that result from aliases and merges. Otherwise a few lines could expand to billions.
const maxAliased = 1 << 17

// YAML parses data, which must be one document of at most limit bytes. If it cannot be parsed, ok is false and the reason is recorded in
// faults.
func YAML(data []byte, limit int, faults *Faults) (root Node, ok bool) {
	if len(data) > limit {
		faults.Add("", fmt.Sprintf("larger than %d MiB", limit>>20))
		return Node{}, false
	}
	if notUTF8(data, faults) {
		return Node{}, false
	}
	if i := bytes.IndexFunc(data, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r >= 0x7f && r < 0xa0 }); i >= 0 {
		r, _ := utf8.DecodeRune(data[i:])
		faults.Add(position(data, i), fmt.Sprintf("a control character, %U; must be text", r))
		return Node{}, false
	}
	document, err := decode(data)
	if err != nil {
		faults.Add(syntaxFault(data, err))
		return Node{}, false
	}
	if document == nil {
		return Node{Kind: Null, Line: 1, column: 1}, true
	}
	g := grower{faults: faults}
	root = g.node(document, 0, false)
	return root, !g.stopped
}

var errSecond = errors.New("a second document; must be one")

// decode returns nil if there is no document, but only comments or nothing.
func decode(data []byte) (root *yaml.Node, err error) {
	defer func() {
		// The parser panics in cases that it considers impossible. A file must not be able to end the program.
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("%v", p)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, more yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	switch err := decoder.Decode(&more); {
	case err == nil:
		return nil, fmt.Errorf("%s: %w", linePlace(more.Line, more.Column), errSecond)
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return document.Content[0], nil
}

// syntaxFault says where and why data is not valid YAML.
func syntaxFault(data []byte, err error) (at, what string) {
	if offset := indentingTab(data); offset >= 0 {
		return position(data, offset), "a tab; YAML is indented by spaces"
	}
	if errors.Is(err, errSecond) {
		at, what, _ := strings.Cut(err.Error(), ": ")
		return at, what
	}
	line, what := cutLine(err)
	if line > 0 {
		at = fmt.Sprintf("line %d", line)
	}
	if offset := firstRefused(data, line, what); offset >= 0 {
		at = position(data, offset)
	}
	if strings.HasPrefix(what, "unknown anchor") { // the anchor's name may be an unquoted password
		what = "* refers to an anchor that is not defined before it; a text that begins with * must be in quotes"
	}
	if strings.HasPrefix(what, "did not find expected alphabetic") || strings.HasPrefix(what, "found character that cannot start") {
		what = "a text that begins with *, &, @, % or ` must be in quotes"
	}
	return at, "not YAML: " + what + "; see to quotes, brackets and indentation here and on the line before"
}

// cutLine splits an error of the YAML library into the line at which the value being read starts, 0 if it has none, and the rest.
func cutLine(err error) (line int, what string) {
	what = strings.TrimPrefix(err.Error(), "yaml: ")
	if number, found := strings.CutPrefix(what, "line "); found {
		number, rest, _ := strings.Cut(number, ": ")
		if line, err := strconv.Atoi(number); err == nil {
			return line, rest
		}
	}
	return 0, what
}

// maxSearched limits the text that firstRefused parses, about twenty times.
const maxSearched = 512 << 10

// firstRefused returns the end of the shortest prefix of data that is refused for the same reason as all of it: the position that the
// library knows but does not report. It is not before line; -1 if it cannot be found.
func firstRefused(data []byte, line int, reason string) int {
	if len(data) > maxSearched {
		return -1
	}
	refused := func(length int) bool {
		_, err := decode(data[:length])
		if err == nil {
			return false
		}
		_, what := cutLine(err)
		return what == reason
	}
	begins := []int{0}
	for line := range bytes.Lines(data) {
		begins = append(begins, begins[len(begins)-1]+len(line))
	}
	begins = begins[min(max(line-1, 0), len(begins)-1):]
	first := sort.Search(len(begins)-1, func(i int) bool { return refused(begins[i+1]) })
	if first == len(begins)-1 {
		return -1
	}
	from := begins[first]
	return from + sort.Search(begins[first+1]-from-1, func(i int) bool { return refused(from + i + 1) })
}

// indentingTab returns the offset of the first tab that only follows white space on its line; -1 if there is none.
func indentingTab(data []byte) int {
	offset := 0
	for line := range bytes.Lines(data) {
		blank := len(line) - len(bytes.TrimLeft(line, " \t"))
		if tab := bytes.IndexByte(line[:blank], '\t'); tab >= 0 && len(bytes.TrimSpace(line)) > 0 {
			return offset + tab
		}
		offset += len(line)
	}
	return -1
}

// grower converts the YAML parser's nodes.
type grower struct {
	faults  *Faults
	aliased int
	stopped bool
}

func (g *grower) node(from *yaml.Node, depth int, aliased bool) Node {
	for from.Kind == yaml.AliasNode {
		from, aliased = from.Alias, true
	}
	if aliased {
		g.aliased++
	}
	n := Node{Kind: kindOf(from), Value: from.Value, Line: int32(from.Line), column: int32(from.Column)}
	switch {
	case g.stopped:
	case g.aliased > maxAliased:
		g.stop(n, fmt.Sprintf("aliases (*…) expand to more than %d values; write fewer of them", maxAliased))
	case len(from.Content) == 0:
	case depth == MaxDepth:
		g.stop(n, fmt.Sprintf("nested deeper than %d levels", MaxDepth))
	case from.Kind == yaml.MappingNode:
		n.Content = g.members(from, depth, aliased)
	default:
		n.Content = make([]Node, len(from.Content))
		for i, element := range from.Content {
			n.Content[i] = g.node(element, depth+1, aliased)
		}
	}
	return n
}

// members also adds what is merged (`<<: *defaults`): the keys that the mapping lacks.
func (g *grower) members(from *yaml.Node, depth int, aliased bool) []Node {
	content := make([]Node, 0, len(from.Content))
	var merges []*yaml.Node
	for i := 0; i+1 < len(from.Content); i += 2 {
		if from.Content[i].ShortTag() == "!!merge" {
			merges = append(merges, from.Content[i+1])
			continue
		}
		content = append(content, g.node(from.Content[i], depth+1, aliased), g.node(from.Content[i+1], depth+1, aliased))
	}
	if merges == nil {
		return content
	}
	has := make(map[string]bool)
	for i := 0; i < len(content); i += 2 {
		has[content[i].Value] = true
	}
	for _, merge := range merges {
		merged := g.node(merge, depth+1, true)
		sources := []Node{merged}
		if merged.Kind == List {
			sources = merged.Content
		}
		for _, source := range sources {
			content = g.merge(content, has, source)
		}
	}
	return content
}

func (g *grower) merge(content []Node, has map[string]bool, source Node) []Node {
	if source.Kind != Mapping {
		g.faults.Add(source.place(), "<<: "+source.Kind.String()+"; must be a mapping, or a list of mappings")
		return content
	}
	for i := 0; i < len(source.Content); i += 2 {
		if name := source.Content[i].Value; !has[name] {
			has[name] = true
			content = append(content, source.Content[i], source.Content[i+1])
		}
	}
	return content
}

func (g *grower) stop(at Node, why string) {
	g.stopped = true
	g.faults.Add(at.place(), why)
}

// kinds are the kinds of YAML's own tags.
var kinds = map[string]Kind{
	"!!str": Text, "!!null": Null, "!!int": Number, "!!float": Number, "!!bool": Boolean, "!!timestamp": Date, "!!seq": List, "!!map": Mapping,
}

func kindOf(n *yaml.Node) Kind {
	if kind, known := kinds[n.ShortTag()]; known {
		return kind
	}
	return Other
}
