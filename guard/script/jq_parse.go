package script

import (
	"errors"
	"strings"
)

// jqNode is a part of a filter, for the filters whose paths can be followed: no definitions, reductions, assignments.
type jqNode struct {
	op   string // what it is; see the parser
	name string // of a field, function or variable
	args []*jqNode
}

// errJQPath is a filter, or a part of one, that is not followed.
var errJQPath = errors.New("jq: a filter that is not followed")

type jqParser struct {
	tokens []jqToken
	at     int
	depth  int
}

func parseJQ(tokens []jqToken) (*jqNode, error) {
	p := jqParser{tokens: tokens}
	if len(tokens) == 0 {
		return &jqNode{op: "."}, nil
	}
	n, err := p.pipe()
	if err == nil && p.at < len(tokens) {
		err = errJQPath
	}
	return n, err
}

func (p *jqParser) peek() jqToken {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return jqToken{kind: jqOperator}
}

// accept passes over the next token if it is one of these operators or keywords.
func (p *jqParser) accept(texts ...string) bool {
	if !p.peek().is(texts...) {
		return false
	}
	p.at++
	return true
}

func (p *jqParser) expect(text string) error {
	if !p.accept(text) {
		return errJQPath
	}
	return nil
}

// pipe reads a whole filter.
func (p *jqParser) pipe() (*jqNode, error) {
	const maxDepth = 100
	if p.depth++; p.depth > maxDepth {
		return nil, errJQPath
	}
	defer func() { p.depth-- }()
	left, err := p.binary(0)
	if err != nil || !p.accept("|") {
		return left, err
	}
	right, err := p.pipe()
	return &jqNode{op: "|", args: []*jqNode{left, right}}, err
}

// binary reads operators from the given level of precedence on.
func (p *jqParser) binary(level int) (*jqNode, error) {
	levels := [][]string{{","}, {"//"}, {"or"}, {"and"}, {"==", "!=", "<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}}
	if level == len(levels) {
		return p.term()
	}
	left, err := p.binary(level + 1)
	for err == nil && p.peek().is(levels[level]...) {
		op := p.peek().text
		p.at++
		var right *jqNode
		right, err = p.binary(level + 1)
		left = &jqNode{op: op, args: []*jqNode{left, right}}
	}
	return left, err
}

// term reads one operand and what follows it: .name .[…] ? and "as $name | filter", which takes all that follows.
func (p *jqParser) term() (*jqNode, error) {
	n, err := p.operand()
	for err == nil {
		switch t := p.peek(); {
		case t.kind == jqField:
			p.at++
			n = &jqNode{op: "field", name: t.text, args: []*jqNode{n}}
		case t.is("."):
			p.at++
			if p.peek().kind == jqString {
				n, err = p.stringField(n)
			} else if !p.peek().is("[") {
				err = errJQPath
			}
		case t.is("["):
			n, err = p.subscript(n)
		case t.is("?"):
			p.at++
		case t.is("as"):
			return p.binding(n)
		default:
			return n, nil
		}
	}
	return nil, err
}

func (p *jqParser) binding(source *jqNode) (*jqNode, error) {
	p.at++
	if !p.accept("$") || p.peek().kind != jqWord {
		return nil, errJQPath
	}
	name := p.peek().text
	p.at++
	if err := p.expect("|"); err != nil {
		return nil, err
	}
	body, err := p.pipe()
	return &jqNode{op: "as", name: name, args: []*jqNode{source, body}}, err
}

func (p *jqParser) operand() (*jqNode, error) {
	t := p.peek()
	switch t.kind {
	case jqNumber:
		p.at++
		return &jqNode{op: "number"}, nil
	case jqField:
		return &jqNode{op: "."}, nil // term reads the name
	case jqString:
		return p.quoted()
	case jqFormat:
		p.at++
		if p.peek().kind == jqString {
			return p.quoted()
		}
		return &jqNode{op: "call", name: "format"}, nil
	case jqWord:
		return p.word()
	}
	switch {
	case p.accept(".."):
		return &jqNode{op: "call", name: "recurse"}, nil
	case t.is("."):
		p.at++
		if p.peek().kind == jqString {
			return p.stringField(&jqNode{op: "."})
		}
		return &jqNode{op: "."}, nil
	case p.accept("$"):
		name := p.peek()
		if p.at++; name.kind != jqWord {
			return nil, errJQPath
		}
		return &jqNode{op: "$", name: name.text}, nil
	case p.accept("-"):
		n, err := p.term()
		return &jqNode{op: "-", args: []*jqNode{n}}, err
	case p.accept("("):
		n, err := p.pipe()
		return n, errors.Join(err, p.expect(")"))
	case p.accept("["):
		if p.accept("]") {
			return &jqNode{op: "number"}, nil
		}
		n, err := p.pipe()
		return &jqNode{op: "[", args: []*jqNode{n}}, errors.Join(err, p.expect("]"))
	case p.accept("{"):
		return p.object()
	}
	return nil, errJQPath
}

// quoted reads a string with what stands in its parentheses.
func (p *jqParser) quoted() (*jqNode, error) {
	t := p.peek()
	p.at++
	n := &jqNode{op: "string", name: t.text}
	for _, inner := range t.inner {
		part, err := parseJQ(inner)
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, part)
	}
	return n, nil
}

// stringField reads the string of ."name".
func (p *jqParser) stringField(target *jqNode) (*jqNode, error) {
	key, err := p.quoted()
	return &jqNode{op: "index", args: []*jqNode{target, key}}, err
}

// subscript reads […] after its target.
func (p *jqParser) subscript(target *jqNode) (*jqNode, error) {
	p.at++
	if p.accept("]") {
		return &jqNode{op: "iterate", args: []*jqNode{target}}, nil
	}
	n := &jqNode{op: "index", args: []*jqNode{target}}
	for !p.accept("]") {
		if p.accept(":") {
			n.op = "slice"
			continue
		}
		key, err := p.pipe()
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, key)
	}
	return n, nil
}

// word reads a function call, or a construct with keywords.
func (p *jqParser) word() (*jqNode, error) {
	name := p.peek().text
	p.at++
	switch {
	case name == "if":
		return p.conditional()
	case name == "try":
		n := &jqNode{op: "try", args: make([]*jqNode, 1)}
		var err error
		if n.args[0], err = p.term(); err == nil && p.accept("catch") {
			var handler *jqNode
			handler, err = p.term()
			n.args = append(n.args, handler)
		}
		return n, err
	case jqKeyword(name):
		return nil, errJQPath
	}
	n := &jqNode{op: "call", name: name}
	if !p.accept("(") {
		return n, nil
	}
	for {
		arg, err := p.pipe()
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, arg)
		if p.accept(")") {
			return n, nil
		}
		if err := p.expect(";"); err != nil {
			return nil, err
		}
	}
}

// conditional reads the rest of an if: its arguments are condition, value, condition, value, …, and at last the else.
func (p *jqParser) conditional() (*jqNode, error) {
	n := &jqNode{op: "if"}
	for {
		part, err := p.pipe()
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, part)
		switch odd := len(n.args)%2 == 1; {
		case p.accept("end"):
			return n, nil
		case odd && p.accept("then"), !odd && p.accept("elif", "else"):
		default:
			return nil, errJQPath
		}
	}
}

// object reads the rest of {…}: its arguments are what it shows.
func (p *jqParser) object() (*jqNode, error) {
	n := &jqNode{op: "{"}
	for !p.accept("}") {
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		if p.accept(":") {
			value, err := p.value()
			if err != nil {
				return nil, err
			}
			n.args = append(n.args, value)
		}
		n.args = append(n.args, key)
		if !p.accept(",") && !p.peek().is("}") {
			return nil, errJQPath
		}
	}
	return n, nil
}

// key reads the key of an object: what it shows where it stands alone, and its name in parentheses.
func (p *jqParser) key() (*jqNode, error) {
	t := p.peek()
	alone := p.at+1 < len(p.tokens) && p.tokens[p.at+1].is(",", "}")
	switch {
	case t.kind == jqWord && alone:
		p.at++
		return &jqNode{op: "field", name: t.text, args: []*jqNode{{op: "."}}}, nil
	case t.kind == jqWord:
		p.at++
		return &jqNode{op: "number"}, nil
	case t.kind == jqString && alone:
		return p.stringField(&jqNode{op: "."})
	case t.kind == jqString:
		return p.quoted()
	case t.is("$"), t.is("("):
		return p.operand()
	}
	return nil, errJQPath
}

// value reads the value of an object's key: terms in a pipe.
func (p *jqParser) value() (*jqNode, error) {
	left, err := p.term()
	if err != nil || !p.accept("|") {
		return left, err
	}
	right, err := p.value()
	return &jqNode{op: "|", args: []*jqNode{left, right}}, err
}

// plainString is the text of a string without escapes.
func (n *jqNode) plainString() (string, bool) {
	return n.name, n.op == "string" && len(n.args) == 0 && !strings.Contains(n.name, `\`)
}
