package guard

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxCommand = 128 << 10 // bytes of one command: more than the kernel takes as one argument
	maxSteps   = 20_000    // parts of a command that are judged, loops unrolled
	maxDepth   = 60        // of commands within commands
	maxNesting = 300       // of brackets, which the parser goes down
	maxWords   = 2_000     // of one command
)

// walker judges one command from its first word to its last, in the order in which a shell would run it. It keeps what is known of
// variables and folders, and collects acts; what it does not know it refuses.
type walker struct {
	world    World
	acts     []Act
	vars     map[string][]word // what is known to be in a variable here
	touched  map[string]bool   // the variables that were set so far
	texts    map[string]bool   // those of them that were set to anything but a number
	sites    map[string]int    // in how many places the source gives a variable a value
	folders  int               // how often the folder was changed
	arrays   map[string]bool   // those that are lists
	aborts   bool              // something that came before may have ended its line
	eaten    bool              // something may have read a part of the input that commands share
	inner    int               // substitutions so far: they read the input of the command around them
	away     bool              // what is judged runs elsewhere: in a container, on another host
	makes    bool              // it may have made a folder
	moves    bool              // it may have moved something
	other    bool              // another user than the guard's runs what is judged: it may see what the guard cannot
	foreign  bool              // another shell than the agent's own is judged, whose environment is not known
	cwds     []string          // folders of which the shell stands in one; none: in an unknown one
	strayed  []string          // folders in which it stands where a part of the present statement failed
	piped    map[*syntax.ProcSubst]output
	looked   map[string]string // what secretBelow has found
	told     map[string]bool   // the files that were looked into, and whether they may hold a credential
	lookedAt int               // how much was looked into, in bytes
	steps    int
	depth    int
	full     bool // a bound was reached, which is refused once
}

// flow is where a command stands among the others.
type flow struct {
	loose  string // why no remediation may stand here: "in a loop"; empty in the plain flow
	hidden bool   // what follows hides the exit status
	chain  bool   // it begins a chain of &&, of which the rest follows
	place  string // where else it runs: "in the container web", "on db1"; empty here
	stdin  input
}

// input is what a command has as standard input. The zero input is nothing.
type input struct {
	unknown bool   // what another program prints, or a file holds
	text    string // what it is, where known is set
	known   bool
	plain   bool // nothing but plain names
	shared  bool // several commands read it, each a part of it
	found   word // paths that find hands on, each ended by NUL
}

// parted is an input of which several commands read, each a part: nobody knows which.
func (in input) parted() input {
	if in == (input{}) {
		return in
	}
	return input{unknown: true, plain: in.plain, shared: true}
}

// names reports whether an input is nothing but plain names, none of them cut in two.
func (k *walker) names(in input) bool { return in.plain && !(in.shared && k.eaten) }

// output is what is known of what a command prints.
type output struct {
	plain  bool // nothing but plain names
	digits bool // nothing but numbers
	text   string
	known  bool
	found  word   // paths that find hands on, each ended by NUL
	under  string // a path below this folder
	call   []word // the command itself, where it is a single one that prints to what follows
	filter []word // the command itself, wherever it prints to
}

// judgeShell judges shell source.
func (w World) judgeShell(source string) []Act {
	k := &walker{
		world: w, vars: map[string][]word{}, touched: map[string]bool{}, texts: map[string]bool{},
		piped: map[*syntax.ProcSubst]output{}, cwds: []string{w.Cwd},
	}
	k.shell(source, flow{}, false)
	switch {
	case strings.TrimSpace(source) == "":
		k.refuse(Unknown, "text", source, "there is no command")
	case len(k.acts) == 0:
		k.act(Act{Action: Observe, Rule: "nothing runs", Command: source})
	}
	return k.acts
}

// shell judges source that bash runs, or any shell.
func (k *walker) shell(source string, f flow, anyShell bool) {
	if reason := unreadable(source); reason != "" {
		k.refuse(Unknown, "text", source, reason)
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader(source), "")
	if err != nil {
		k.refuse(Unknown, "syntax", source, "it cannot be parsed: "+strings.TrimPrefix(err.Error(), ":")+"; write it plainly")
		return
	}
	if len(file.Stmts) == 0 && k.depth > 0 {
		k.refuse(Unknown, "text", source, "there is no command")
		return
	}
	if anyShell && !everywhere(file, source) {
		k.refuse(Unknown, "syntax", source, "another shell than bash may read it otherwise; use the plain words that every `sh` knows, or bash -c")
		return
	}
	arrays, sites := k.arrays, k.sites
	k.assignments(file)
	k.plainly(file, source)
	k.depth++
	k.stmts(file.Stmts, f)
	k.depth--
	k.arrays, k.sites = arrays, sites
}

// unreadable is why a text is not even parsed.
func unreadable(source string) string {
	if len(source) > maxCommand {
		return "it is longer than 128 KiB; do it in smaller steps"
	}
	if !utf8.ValidString(source) {
		return "it is not UTF-8; write it plainly"
	}
	if nesting(source) > maxNesting {
		return "it is nested too deep; do it in smaller steps"
	}
	for _, r := range source {
		switch {
		case r == '\n' || r == '\t':
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0:
			return "it holds a control character; write it plainly"
		case r == 0xa0 || r == 0x1680 || r >= 0x2000 && r <= 0x200f || r >= 0x2028 && r <= 0x202f || r >= 0x205f && r <= 0x206f || r == 0x3000 || r == 0xfeff:
			return "it holds an invisible character or a blank that is none; write it plainly"
		}
	}
	return ""
}

// assignments counts the places where a source gives a variable a value, on top of those around it, and finds the lists.
func (k *walker) assignments(file *syntax.File) {
	k.sites, k.arrays = clone(k.sites), clone(k.arrays)
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				k.sites[n.Name.Value]++
				k.arrays[n.Name.Value] = k.arrays[n.Name.Value] || n.Array != nil
			}
		case *syntax.WordIter:
			k.sites[n.Name.Value]++
		}
		return true
	})
}

func clone[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return maps.Clone(m)
}

func isIdentifier(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// nesting is about how deep brackets stand in each other, those in quotes among them.
func nesting(source string) (deepest int) {
	depth := 0
	for _, c := range []byte(source) {
		switch c {
		case '(', '{', '[':
			depth++
			deepest = max(deepest, depth)
		case ')', '}', ']':
			depth = max(0, depth-1)
		}
	}
	return deepest
}

// act keeps an act, an observing one only once.
func (k *walker) act(a Act) {
	a.Command = strings.TrimSpace(a.Command)
	if a.Action == Observe && slices.ContainsFunc(k.acts, func(b Act) bool { return b.Command == a.Command && b.Rule == a.Rule && b.tiers == a.tiers }) {
		return
	}
	k.acts = append(k.acts, a)
}

func (k *walker) refuse(action Action, rule, command, reason string) {
	if !slices.ContainsFunc(k.acts, func(b Act) bool { return b.Command == command && b.Rule == rule && b.Reason == reason }) {
		k.act(Act{Action: action, Rule: rule, Command: command, Reason: reason})
	}
}

// source is a node as it would be written.
func (k *walker) source(node syntax.Node) string {
	if r, ok := node.(*syntax.Redirect); ok {
		return r.Op.String() + " " + k.source(r.Word)
	}
	var b strings.Builder
	if err := syntax.NewPrinter(syntax.SingleLine(true)).Print(&b, node); err != nil {
		return "?"
	}
	return b.String()
}

// over counts a step and reports whether the command is too much to judge.
func (k *walker) over() bool {
	k.steps++
	if k.steps > maxSteps || k.depth > maxDepth {
		if !k.full {
			k.full = true
			k.refuse(Unknown, "size", "…", "it is too long or too deep to be judged; do it in smaller steps")
		}
		return true
	}
	return false
}

// subshell judges what changes neither variables nor folder of the shell around it.
func (k *walker) subshell(judge func()) {
	vars, cwds := k.vars, k.cwds
	k.vars = maps.Clone(vars)
	judge()
	k.vars, k.cwds = vars, cwds
}
