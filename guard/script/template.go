package script

import (
	"maps"
	"slices"
	"strings"
	"text/template/parse"
)

// Template reads the Go template of docker's and podman's --format for objects that may hold an environment (inspect).
// A template has no effects; it is granted where each part that it shows is known to be something else. Words without
// a template, such as json, are forms of the whole object.
func Template(text string) error {
	if err := checkText("template", text); err != nil {
		return err
	}
	if !strings.Contains(text, "{{") {
		return refuse("template: " + excerpt(text, 0) + " shows the whole object with its environment; name the parts, like {{.Name}} or {{json .State}}")
	}
	trees := map[string]*parse.Tree{}
	tree := parse.New("format")
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", trees); err != nil {
		return refuse("template: cannot read it: " + strings.TrimPrefix(err.Error(), "template: format:") + "; write it more plainly")
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		f := templateFollower{variables: map[string][][]string{}}
		f.define("$", [][]string{{}})
		if err := f.list(trees[name].Root, [][]string{{}}); err != nil {
			return err
		}
	}
	return nil
}

// templateFollower follows the parts of an object through a template: a value is a set of paths, the empty path being the
// whole, or nothing where it was made from parts that may be shown.
type templateFollower struct {
	variables map[string][][]string
}

// define adds to what a variable may be. Nothing is taken back where a scope ends, or an inner variable hides an outer one.
func (f *templateFollower) define(name string, value [][]string) {
	f.variables[name] = distinct(f.variables[name], value)
}

// show is a part that is printed, compared or converted.
func (f *templateFollower) show(value [][]string) error {
	for _, path := range value {
		if showsEnvironment(path) {
			return forbid("template: ." + strings.Join(path, ".") + " may show the environment or how a log driver logs in, which are secrets; " +
				"name other parts, like {{.Name}}, {{json .State}} or {{.Config.Image}}")
		}
	}
	return nil
}

func (f *templateFollower) list(list *parse.ListNode, dot [][]string) error {
	if list == nil {
		return nil
	}
	for _, node := range list.Nodes {
		if err := f.node(node, dot); err != nil {
			return err
		}
	}
	return nil
}

func (f *templateFollower) node(node parse.Node, dot [][]string) error {
	switch n := node.(type) {
	case *parse.TextNode, *parse.CommentNode, *parse.BreakNode, *parse.ContinueNode:
		return nil
	case *parse.ActionNode:
		value, err := f.pipe(n.Pipe, dot)
		if err != nil || len(n.Pipe.Decl) > 0 {
			return err
		}
		return f.show(value)
	case *parse.IfNode:
		_, err := f.pipe(n.Pipe, dot)
		return f.branches(&n.BranchNode, dot, dot, err)
	case *parse.WithNode:
		value, err := f.pipe(n.Pipe, dot)
		return f.branches(&n.BranchNode, value, dot, err)
	case *parse.RangeNode:
		value, err := f.ranged(n.Pipe, dot)
		return f.branches(&n.BranchNode, value, dot, err)
	}
	return refuse("template: " + excerpt(node.String(), 0) + " is not followed; write the parts without define, block and template")
}

// branches follows the two lists of a branch, each with its dot, unless its pipe had an error.
func (f *templateFollower) branches(n *parse.BranchNode, dot, otherwise [][]string, err error) error {
	if err == nil {
		err = f.list(n.List, dot)
	}
	if err == nil {
		err = f.list(n.ElseList, otherwise)
	}
	return err
}

// ranged is the dot of a range: elements of the whole are as the whole, those of a part are shown with it.
func (f *templateFollower) ranged(pipe *parse.PipeNode, dot [][]string) (elements [][]string, err error) {
	value, err := f.commands(pipe, dot)
	if err != nil {
		return nil, err
	}
	if elements, err = f.element(value); err != nil {
		return nil, err
	}
	for _, variable := range pipe.Decl {
		f.define(variable.Ident[0], elements)
	}
	return elements, nil
}

// pipe is the value of a pipe, which its variable gets.
func (f *templateFollower) pipe(pipe *parse.PipeNode, dot [][]string) ([][]string, error) {
	value, err := f.commands(pipe, dot)
	if err != nil {
		return nil, err
	}
	for _, variable := range pipe.Decl {
		if pipe.IsAssign {
			return nil, f.show(value)
		}
		f.define(variable.Ident[0], value)
	}
	return value, nil
}

// commands is the value of a pipe's last command; each gets that of the one before as its last argument.
func (f *templateFollower) commands(pipe *parse.PipeNode, dot [][]string) (value [][]string, err error) {
	for i, command := range pipe.Cmds {
		if value, err = f.command(command, dot, value, i > 0); err != nil {
			return nil, err
		}
	}
	return value, nil
}

func (f *templateFollower) command(command *parse.CommandNode, dot, last [][]string, piped bool) ([][]string, error) {
	arguments := make([][][]string, 0, len(command.Args))
	for _, node := range command.Args[1:] {
		value, err := f.operand(node, dot)
		if err != nil {
			return nil, err
		}
		arguments = append(arguments, value)
	}
	if piped {
		arguments = append(arguments, last)
	}
	if function, ok := command.Args[0].(*parse.IdentifierNode); ok {
		return f.call(function.Ident, command.Args[1:], arguments)
	}
	for _, argument := range arguments {
		if err := f.show(argument); err != nil {
			return nil, err
		}
	}
	return f.operand(command.Args[0], dot)
}

// operand is the value of one word of a command.
func (f *templateFollower) operand(node parse.Node, dot [][]string) ([][]string, error) {
	switch n := node.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.FieldNode:
		return members(dot, n.Ident), nil
	case *parse.VariableNode:
		return members(f.variables[n.Ident[0]], n.Ident[1:]), nil
	case *parse.ChainNode:
		value, err := f.operand(n.Node, dot)
		return members(value, n.Field), err
	case *parse.PipeNode:
		return f.pipe(n, dot)
	case *parse.IdentifierNode:
		return f.call(n.Ident, nil, nil)
	case *parse.NumberNode, *parse.StringNode, *parse.BoolNode, *parse.NilNode:
		return nil, nil
	}
	return nil, refuse("template: " + excerpt(node.String(), 0) + " is not followed; write it more plainly")
}

// members are the parts of that name of each value.
func members(values [][]string, names []string) [][]string {
	if len(names) == 0 {
		return values
	}
	result := make([][]string, len(values))
	for i, path := range values {
		result[i] = append(slices.Clone(path), names...)
		result[i] = result[i][:min(len(result[i]), maxPath)]
	}
	return result
}

// distinct is what one of the values may be; the whole stands for very many.
func distinct(values ...[][]string) (result [][]string) {
	const most = 64
	for _, path := range slices.Concat(values...) {
		if !slices.ContainsFunc(result, func(other []string) bool { return slices.Equal(other, path) }) {
			result = append(result, path)
		}
	}
	if len(result) > most {
		return [][]string{{}}
	}
	return result
}

// call is the value of a function: index and the logical ones pass parts on, the others show them.
func (f *templateFollower) call(name string, words []parse.Node, arguments [][][]string) ([][]string, error) {
	switch name {
	case "json":
		if len(arguments) == 0 { // podman's {{json}} is {{json .}}
			return nil, f.show([][]string{{}})
		}
		return nil, f.show(slices.Concat(arguments...))
	case "index":
		return f.index(words, arguments)
	case "and", "or":
		return distinct(arguments...), nil
	case "not", "eq", "ne", "lt", "le", "gt", "ge", "len", "slice", "print", "printf", "println", "html", "js", "urlquery",
		"join", "split", "lower", "upper", "title", "pad", "truncate":
	default:
		return nil, refuse("template: the function " + name + " is not known; use json, join, index, printf and the like")
	}
	return nil, f.show(slices.Concat(arguments...))
}

// index is a member where each key is a literal string, the whole again where it is a number, and else it shows the value.
func (f *templateFollower) index(words []parse.Node, arguments [][][]string) ([][]string, error) {
	if len(words) != len(arguments) || len(words) == 0 {
		return nil, f.show(slices.Concat(arguments...))
	}
	value := arguments[0]
	for i, word := range words[1:] {
		var err error
		switch key := word.(type) {
		case *parse.StringNode:
			value = members(value, []string{key.Text})
		case *parse.NumberNode:
			value, err = f.element(value)
		default:
			err = f.show(slices.Concat(value, arguments[i+1]))
			value = nil
		}
		if err != nil {
			return nil, err
		}
	}
	return value, nil
}

// element is an element of each value: of the whole it is as the whole, a part is shown with it.
func (f *templateFollower) element(values [][]string) (whole [][]string, err error) {
	for _, path := range values {
		if len(path) == 0 {
			whole = append(whole, path)
		} else if err := f.show([][]string{path}); err != nil {
			return nil, err
		}
	}
	return whole, nil
}
