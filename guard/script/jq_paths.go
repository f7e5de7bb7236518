package script

import (
	"slices"
	"strings"
)

// JQPath follows what a filter shows of the output of "docker inspect": an array of objects, the numbers and iterations at
// the beginning of a path being left out. exact tells that the paths are all of it: what the filter prints, compares or
// says in an error comes from these parts and those below them. It is false where the whole may be shown or the filter
// is not followed.
func JQPath(filter string) (paths []string, exact bool) {
	shown, ok := jqShown(filter)
	for _, path := range shown {
		if len(path) == 0 {
			ok = false
		}
		paths = append(paths, "."+strings.Join(path, "."))
	}
	return paths, ok
}

// JQInspect refuses a filter that may show an environment in the output of "docker inspect", beyond what JQ refuses. The
// jq that runs it takes JSON as it is: with options such as --raw-input or --stream, what the filter sees is something else.
func JQInspect(filter string) error {
	if _, err := JQ(filter); err != nil {
		return err
	}
	shown, ok := jqShown(filter)
	if !ok {
		return refuse("jq: cannot follow which parts this filter shows, and the environment of a container is secret; " +
			"name the parts, like .[0].State or .[].Config.Image")
	}
	for _, path := range shown {
		if showsEnvironment(path) {
			return forbid("jq: ." + strings.Join(path, ".") + " may show the environment or how a log driver logs in, which are secrets; " +
				"name other parts, like .[0].State or .[].Config.Image")
		}
	}
	return nil
}

// jqShown is the parts of its input that a filter shows, the empty path for the whole.
func jqShown(filter string) (shown [][]string, ok bool) {
	if checkText("jq", filter) != nil {
		return nil, false
	}
	tokens, err := jqTokens(filter)
	if err != nil {
		return nil, false
	}
	root, err := parseJQ(tokens)
	if err != nil {
		return nil, false
	}
	f := jqFollower{variables: map[string][]jqPart{}, ok: true}
	f.show(f.follow(root, []jqPart{{}}))
	return f.shown, f.ok
}

// jqPart is a value that is a part of the input. What was made from shown parts is none any more.
type jqPart struct {
	path  []string
	depth int // where the path is empty: 0 for an array of objects such as the input, 1 for an object, -1 for an array of arrays
}

func (part jqPart) whole() bool { return len(part.path) == 0 }

// jqFollower follows the parts through a filter.
type jqFollower struct {
	variables map[string][]jqPart
	shown     [][]string
	ok        bool
}

// show notes that the parts, and all below them, are shown, and returns what is left to follow: nothing.
func (f *jqFollower) show(parts []jqPart) []jqPart {
	for _, part := range parts {
		if !slices.ContainsFunc(f.shown, func(path []string) bool { return slices.Equal(path, part.path) }) {
			f.shown = append(f.shown, part.path)
		}
	}
	return nil
}

// unknown notes that the filter is not followed.
func (f *jqFollower) unknown() []jqPart {
	f.ok = false
	return nil
}

// follow returns the parts that the results of n may be, for the inputs in.
func (f *jqFollower) follow(n *jqNode, in []jqPart) []jqPart {
	if !f.ok {
		return nil
	}
	switch n.op {
	case ".":
		return in
	case "number":
		return nil
	case "$":
		if n.name == "ENV" || strings.HasPrefix(n.name, "__") {
			return f.unknown()
		}
		return f.variables[n.name]
	case "|":
		return f.follow(n.args[1], f.follow(n.args[0], in))
	case "as":
		f.variables[n.name] = union(f.variables[n.name], f.follow(n.args[0], in))
		return f.follow(n.args[1], in)
	case ",", "//":
		return f.bounded(union(f.follow(n.args[0], in), f.follow(n.args[1], in)))
	case "and", "or":
		f.follow(n.args[0], in)
		f.follow(n.args[1], in)
		return nil
	case "field", "index", "slice", "iterate":
		return f.member(n, in)
	case "[":
		return f.array(f.follow(n.args[0], in))
	case "if":
		return f.conditional(n, in)
	case "try":
		result := f.follow(n.args[0], in)
		if len(n.args) > 1 {
			result = union(result, f.follow(n.args[1], nil))
		}
		return result
	case "call":
		return f.call(n, in)
	}
	for _, arg := range n.args { // strings, objects, operators: made from what they show
		f.show(f.follow(arg, in))
	}
	return nil
}

// bounded gives up on filters that multiply their parts.
func (f *jqFollower) bounded(parts []jqPart) []jqPart {
	const most = 64
	if len(parts) > most {
		return f.unknown()
	}
	return parts
}

func union(a, b []jqPart) []jqPart {
	all := slices.Clone(a)
	for _, part := range b {
		if !slices.ContainsFunc(all, func(other jqPart) bool {
			return slices.Equal(other.path, part.path) && other.depth == part.depth
		}) {
			all = append(all, part)
		}
	}
	return all
}

// array is an array of the parts: as the input where these are objects of it, otherwise the parts are shown.
func (f *jqFollower) array(parts []jqPart) []jqPart { return f.regroup(parts, -1) }

// elements are the elements of the parts.
func (f *jqFollower) elements(parts []jqPart) []jqPart { return f.regroup(parts, 1) }

// regroup changes the depth of those parts that stay whole objects and shows the others.
func (f *jqFollower) regroup(parts []jqPart, by int) (whole []jqPart) {
	for _, part := range parts {
		if part.whole() && part.depth+by <= 1 {
			whole = append(whole, jqPart{depth: part.depth + by})
		} else {
			f.show([]jqPart{part})
		}
	}
	return whole
}

// maxPath is how many names of a path are followed; the part there stands for all below it.
const maxPath = 8

// member follows .name, .["name"], .[0], .[1:2] and .[].
func (f *jqFollower) member(n *jqNode, in []jqPart) []jqPart {
	targets := f.follow(n.args[0], in)
	name, named := n.name, n.op == "field"
	if n.op == "index" {
		if len(n.args) != 2 {
			return f.unknown()
		}
		name, named = n.args[1].plainString()
	}
	if named {
		members := make([]jqPart, len(targets))
		for i, target := range targets {
			members[i].path = target.path
			if len(target.path) < maxPath {
				members[i].path = append(slices.Clone(target.path), name)
			}
		}
		return f.bounded(members)
	}
	for _, key := range n.args[1:] {
		number := key.op == "number" || key.op == "-" && len(key.args) == 1 && key.args[0].op == "number"
		if f.show(f.follow(key, in)); !number {
			return f.show(targets)
		}
	}
	if n.op == "slice" {
		return f.regroup(targets, 0)
	}
	return f.elements(targets)
}

func (f *jqFollower) conditional(n *jqNode, in []jqPart) (result []jqPart) {
	for i, arg := range n.args {
		parts := f.follow(arg, in)
		if i%2 == 1 || i == len(n.args)-1 {
			result = union(result, parts)
		}
	}
	if len(n.args)%2 == 0 {
		result = union(result, in) // without an else
	}
	return f.bounded(result)
}

// call follows the functions that pass parts on; all others show what they get.
func (f *jqFollower) call(n *jqNode, in []jqPart) []jqPart {
	arg := func(i int, of []jqPart) []jqPart { return f.follow(n.args[i], of) }
	switch {
	case len(n.args) == 0:
		return f.plainCall(n.name, in)
	case len(n.args) == 1:
		switch n.name {
		case "select":
			arg(0, in)
			return in
		case "first", "last":
			return arg(0, in)
		case "map":
			return f.array(arg(0, f.elements(in)))
		case "any", "all":
			arg(0, f.elements(in))
			return nil
		case "has":
			f.show(arg(0, in))
			return nil
		case "sort_by", "unique_by":
			f.show(arg(0, f.elements(in)))
			return f.regroup(in, 0)
		case "group_by":
			f.show(arg(0, f.elements(in)))
			return f.array(in)
		case "min_by", "max_by":
			f.show(arg(0, f.elements(in)))
			return f.elements(in)
		}
	case len(n.args) == 2 && n.name == "limit":
		f.show(arg(0, in))
		return arg(1, in)
	case len(n.args) == 2 && (n.name == "any" || n.name == "all"):
		arg(1, arg(0, in))
		return nil
	}
	if !jqBuiltin(n.name) {
		return f.unknown()
	}
	for i := range n.args {
		f.show(arg(i, in))
	}
	return f.show(in)
}

// plainCall follows a function without arguments.
func (f *jqFollower) plainCall(name string, in []jqPart) []jqPart {
	switch name {
	case "true", "false", "null", "empty", "now", "nan", "infinite", "input_filename", "input_line_number", "builtins",
		"type", "not":
		return nil
	case "objects", "arrays", "strings", "numbers", "booleans", "nulls", "values", "iterables", "scalars":
		return in
	case "input", "inputs":
		return []jqPart{{}}
	case "reverse", "sort", "unique":
		return f.regroup(in, 0)
	case "first", "last", "min", "max", "add":
		return f.elements(in)
	case "length", "keys", "keys_unsorted":
		for _, part := range in {
			object := part.whole() && (part.depth == 1 || name == "length") || slices.Equal(part.path, []string{"Config"})
			if !object {
				f.show([]jqPart{part})
			}
		}
		return nil
	}
	if !jqBuiltin(name) {
		return f.unknown()
	}
	return f.show(in)
}
