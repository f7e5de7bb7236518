package script

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
)

// Template judges the Go template of --format in docker and podman for objects that may hold an environment (inspect). A template has no
// side effects. It is granted if every part that it shows is listed, and no value is transformed so that masking would no longer
// recognise a credential. Words without a template, such as json, show the whole object and are refused.
func Template(text string) error {
	if err := checkText("template", text); err != nil {
		return err
	}
	if !strings.Contains(text, "{{") {
		return refuse("template: " + excerpt(text, 0) + " shows the whole object with its environment; name the parts, like {{.Name}} or {{json .State}}")
	}
	return templateReader{}.read(text)
}

// ListTemplate judges the template of list commands. Their objects hold no environment, so they may be shown whole.
func ListTemplate(text string) error {
	if err := checkText("template", text); err != nil {
		return err
	}
	return templateReader{list: true}.read(text)
}

// templateReader judges one template.
type templateReader struct{ list bool }

func (r templateReader) read(text string) error {
	trees := map[string]*parse.Tree{}
	tree := parse.New("format")
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", trees); err != nil {
		return refuse("template: cannot read it: " + strings.TrimPrefix(err.Error(), "template: format:") + "; write it more plainly")
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		if err := r.nodes(trees[name].Root, false); err != nil {
			return err
		}
	}
	return nil
}

// nodes judges a list of nodes. Inside a range or with over a granted part, the dot is granted too.
func (r templateReader) nodes(list *parse.ListNode, within bool) error {
	if list == nil {
		return nil
	}
	for _, node := range list.Nodes {
		if err := r.node(node, within); err != nil {
			return err
		}
	}
	return nil
}

func (r templateReader) node(node parse.Node, within bool) error {
	switch n := node.(type) {
	case *parse.TextNode, *parse.CommentNode, *parse.BreakNode, *parse.ContinueNode:
		return nil
	case *parse.ActionNode:
		return r.pipe(n.Pipe, within, len(n.Pipe.Decl) == 0)
	case *parse.IfNode:
		return r.branch(&n.BranchNode, within, within, len(n.Pipe.Decl) == 0)
	case *parse.WithNode:
		return r.branch(&n.BranchNode, true, within, false)
	case *parse.RangeNode:
		return r.branch(&n.BranchNode, true, within, false)
	}
	return refuse("template: " + excerpt(node.String(), 0) + " is not followed; write the parts without define, block and template")
}

func (r templateReader) branch(n *parse.BranchNode, inside, within, whole bool) error {
	err := r.pipe(n.Pipe, within, whole)
	if err == nil {
		err = r.nodes(n.List, inside)
	}
	if err == nil {
		err = r.nodes(n.ElseList, within)
	}
	return err
}

// pipe judges the commands of a pipeline. Values that are assigned to variables are judged like shown ones. whole means that text written
// by people may be shown, if it is not transformed.
func (r templateReader) pipe(pipe *parse.PipeNode, within, whole bool) error {
	values := 0
	shapes := false
	for _, command := range pipe.Cmds {
		function := ""
		for i, word := range command.Args {
			name, calls := word.(*parse.IdentifierNode)
			switch {
			case calls && !listed("template plain", name.Ident) && !listed("template choose", name.Ident) && !listed("template shape", name.Ident):
				return refuse("template: the function " + name.Ident + " is not known; use json, join, index, printf and the like")
			case calls:
				function = name.Ident
				shapes = shapes || listed("template shape", function) && !plainPrintf(command.Args[i:])
				whole = whole && listed("template plain", function)
			case isText(word) && slices.Contains([]string{"lt", "le", "gt", "ge"}, function):
				return refuse("template: texts are compared by eq and ne alone")
			case isText(word) && function == "join" && i == len(command.Args)-1:
				whole = whole && slices.Contains([]string{" ", ", "}, word.(*parse.StringNode).Text)
			default:
				values++
			}
		}
	}
	for i, command := range pipe.Cmds {
		if err := r.command(command.Args, i == 0, within, whole && values == 1, shapes); err != nil {
			return err
		}
	}
	return nil
}

func isText(word parse.Node) bool { return word.Type() == parse.NodeString }

// plainPrintf reports whether words are a printf whose format shows values unchanged.
func plainPrintf(words []parse.Node) bool {
	if words[0].String() != "printf" || len(words) < 2 || !isText(words[1]) {
		return false
	}
	return plainForm.MatchString(words[1].(*parse.StringNode).Text)
}

var plainForm = regexp.MustCompile(`^(?:[^%]|%%|%-?[0-9]*[svdqt])*$`)

// command judges one command of a pipeline; shapes means that the pipeline transforms its values.
func (r templateReader) command(words []parse.Node, first, within, whole, shapes bool) error {
	function, calls := words[0].(*parse.IdentifierNode)
	field, isField := words[0].(*parse.FieldNode)
	switch {
	case calls && function.Ident == "json" && len(words) == 1 && first: // podman's {{json}} is {{json .}}
		return r.part(nil, within, whole, shapes)
	case calls && function.Ident == "index" && first:
		return r.index(words[1:], within, shapes)
	case isField && len(words) == 2 && isText(words[1]): // {{.Label "x"}}
		return r.part(append(slices.Clone(field.Ident), words[1].(*parse.StringNode).Text), within, false, shapes)
	}
	for _, word := range words {
		if err := r.word(word, within, whole, shapes); err != nil {
			return err
		}
	}
	return nil
}

func (r templateReader) word(word parse.Node, within, whole, shapes bool) error {
	switch n := word.(type) {
	case *parse.DotNode:
		return r.part(nil, within, whole, shapes)
	case *parse.FieldNode:
		return r.part(n.Ident, within, whole, shapes)
	case *parse.VariableNode:
		return r.part(n.Ident[1:], n.Ident[0] != "$", whole, shapes)
	case *parse.ChainNode:
		if err := r.part(n.Field, true, whole, shapes); err != nil {
			return err
		}
		return r.word(n.Node, within, false, false)
	case *parse.PipeNode:
		if shapes {
			return refuse("template: a value in brackets is shown unchanged, without printf %x, slice, upper and the like")
		}
		return r.pipe(n, within, false)
	case *parse.IdentifierNode, *parse.NumberNode, *parse.StringNode, *parse.BoolNode, *parse.NilNode:
		return nil
	}
	return refuse("template: " + excerpt(word.String(), 0) + " is not followed; write it more plainly")
}

// index judges the arguments of index: literal keys name a member as a field does.
func (r templateReader) index(words []parse.Node, within, shapes bool) error {
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
			if err := r.word(word, within, false, shapes); err != nil {
				return err
			}
		}
		return nil
	}
	for _, word := range words[1:] {
		if isText(word) {
			path = append(slices.Clone(path), word.(*parse.StringNode).Text)
		} else if err := r.word(word, within, false, false); err != nil {
			return err
		}
	}
	return r.part(path, within, false, shapes)
}

// part judges a part of the object, or of a part that was granted.
func (r templateReader) part(path []string, within, whole, shapes bool) error {
	name := "." + strings.Join(path, ".")
	if !within && !r.list && showsEnvironment(path) {
		return forbid("template: " + name + " may show the environment or how a log driver logs in, which are secrets; " +
			"name other parts, like {{.Name}}, {{json .State}} or {{.Config.Image}}")
	}
	at := slices.IndexFunc(path, func(member string) bool { return listed("objects words", member) || listed("objects labels", member) })
	switch {
	case at < 0 && shapes && (len(path) == 0 || !listed("objects plain", path[len(path)-1])):
		return refuse("template: " + name + " is shown as it is, without printf %x, slice, upper and the like; those are for names, ids, times and states")
	case at < 0:
		return nil
	case at+1 < len(path) && listed("objects labels", path[at]):
		if knownLabel.MatchString(path[at+1]) {
			return nil
		}
		return refuse("template: a label by itself, such as " + path[at+1] + ", may be a credential; {{json .Config.Labels}} shows all of them, masked")
	case whole:
		return nil
	}
	return refuse("template: " + name + " may hold a credential: it is shown whole and as it is, like {{.Config.Cmd}}, {{json .Config.Labels}} or {{join .Args \" \"}}")
}

// showsEnvironment reports whether the part at path of the output of "docker inspect", or podman's, can hold an environment: its own, or
// that of a command line. Only parts that are known not to are granted, because the objects of a Go template have more names for the
// whole.
func showsEnvironment(path []string) bool {
	holder := false
	for i, name := range path {
		switch {
		case listed("objects holders", name):
			holder = true
		case holder:
			return !listed("objects beside_environment", name)
		case name == "HostConfig": // LogConfig holds the credentials of its driver, Mounts those of volumes
			return len(path) == i+1 || path[i+1] == "Mounts" || path[i+1] == "LogConfig" && !plainLogging(path[i+2:])
		default:
			return i > 0 || !listed("objects parts", name)
		}
	}
	return true
}

// plainLogging reports whether a part of a log configuration is not a driver option that may hold credentials.
func plainLogging(path []string) bool {
	return len(path) == 1 && path[0] == "Type" || len(path) == 2 && path[0] == "Config" && (path[1] == "max-size" || path[1] == "max-file")
}

// knownLabel matches keys of labels that programs set, and that hold no credentials.
var knownLabel = regexp.MustCompile(`^(?:com\.docker\.[a-z._-]+|org\.opencontainers\.image\.[a-z.]+|org\.label-schema\.[a-z-]+|io\.podman\.[a-z._-]+|io\.kubernetes\.[a-z.]+|` +
	`com\.centurylinklabs\.watchtower\.[a-z-]+|traefik\.(?:enable|docker\.network|http\.(?:routers|services)\.[A-Za-z0-9._-]+)|maintainer|version|` +
	`name|image|container|exitCode|signal|execID|execDuration|type)$`)
