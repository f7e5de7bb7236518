package script

import (
	"maps"
	"slices"
	"strings"
	"text/template/parse"
)

// Template reads the Go template of docker's and podman's --format for objects that may hold an environment (inspect).
// A template has no effects; it is granted where each part that it shows is listed. Words without a template, such as
// json, are forms of the whole object.
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
		if err := templateList(trees[name].Root, false); err != nil {
			return err
		}
	}
	return nil
}

// templateList reads what stands between two actions. Within a range or a with over a listed part, the dot is listed too.
func templateList(list *parse.ListNode, within bool) error {
	if list == nil {
		return nil
	}
	for _, node := range list.Nodes {
		if err := templateNode(node, within); err != nil {
			return err
		}
	}
	return nil
}

func templateNode(node parse.Node, within bool) error {
	switch n := node.(type) {
	case *parse.TextNode, *parse.CommentNode, *parse.BreakNode, *parse.ContinueNode:
		return nil
	case *parse.ActionNode:
		return templatePipe(n.Pipe, within)
	case *parse.IfNode:
		return templateBranch(&n.BranchNode, within, within)
	case *parse.WithNode:
		return templateBranch(&n.BranchNode, true, within)
	case *parse.RangeNode:
		return templateBranch(&n.BranchNode, true, within)
	}
	return refuse("template: " + excerpt(node.String(), 0) + " is not followed; write the parts without define, block and template")
}

func templateBranch(n *parse.BranchNode, inside, within bool) error {
	err := templatePipe(n.Pipe, within)
	if err == nil {
		err = templateList(n.List, inside)
	}
	if err == nil {
		err = templateList(n.ElseList, within)
	}
	return err
}

// templatePipe reads the commands of a pipe. What a variable gets is shown already: it is listed.
func templatePipe(pipe *parse.PipeNode, within bool) error {
	for i, command := range pipe.Cmds {
		function, calls := command.Args[0].(*parse.IdentifierNode)
		switch {
		case calls && function.Ident == "json" && len(command.Args) == 1 && i == 0: // podman's {{json}} is {{json .}}
			return templatePart(nil, within)
		case calls && function.Ident == "index" && i == 0:
			if err := templateIndex(command.Args[1:], within); err != nil {
				return err
			}
			continue
		}
		for _, word := range command.Args {
			if err := templateWord(word, within); err != nil {
				return err
			}
		}
	}
	return nil
}

// templateFunctions are those that only shape what they are given.
var templateFunctions = []string{
	"json", "index", "and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "len", "slice", "print", "printf", "println", "html", "js", "urlquery",
	"join", "split", "lower", "upper", "title", "pad", "truncate",
}

func templateWord(word parse.Node, within bool) error {
	switch n := word.(type) {
	case *parse.DotNode:
		return templatePart(nil, within)
	case *parse.FieldNode:
		return templatePart(n.Ident, within)
	case *parse.VariableNode:
		return templatePart(n.Ident[1:], n.Ident[0] != "$")
	case *parse.ChainNode:
		return templateWord(n.Node, within)
	case *parse.PipeNode:
		return templatePipe(n, within)
	case *parse.IdentifierNode:
		if !slices.Contains(templateFunctions, n.Ident) {
			return refuse("template: the function " + n.Ident + " is not known; use json, join, index, printf and the like")
		}
		return nil
	case *parse.NumberNode, *parse.StringNode, *parse.BoolNode, *parse.NilNode:
		return nil
	}
	return refuse("template: " + excerpt(word.String(), 0) + " is not followed; write it more plainly")
}

// templateIndex reads what index is given: literal keys name a member as a field does.
func templateIndex(words []parse.Node, within bool) error {
	if len(words) == 0 {
		return nil
	}
	var path []string
	switch first := words[0].(type) {
	case *parse.DotNode:
	case *parse.FieldNode:
		path = first.Ident
	default:
		for _, word := range words {
			if err := templateWord(word, within); err != nil {
				return err
			}
		}
		return nil
	}
	for _, word := range words[1:] {
		if key, literal := word.(*parse.StringNode); literal {
			path = append(slices.Clone(path), key.Text)
		} else if err := templateWord(word, within); err != nil {
			return err
		}
	}
	return templatePart(path, within)
}

// templatePart judges a part of the whole, or of what is listed.
func templatePart(path []string, within bool) error {
	if within || !showsEnvironment(path) {
		return nil
	}
	return forbid("template: ." + strings.Join(path, ".") + " may show the environment or how a log driver logs in, which are secrets; " +
		"name other parts, like {{.Name}}, {{json .State}} or {{.Config.Image}}")
}
