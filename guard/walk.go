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
	maxSteps   = 20_000    // parts of a command that are judged, loops and functions unrolled
	maxDepth   = 60        // of commands within commands
	maxNesting = 300       // of brackets, which the parser goes down
	maxWords   = 2_000     // of one command
)

// walker judges one command from its first word to its last, in the order in which a shell would run it. It keeps what is known of
// variables and folders, and collects acts; what it does not know it refuses.
type walker struct {
	world   World
	acts    []Act
	vars    map[string][]word // what is known to be in a variable here
	touched map[string]bool   // the variables that were set so far
	texts   map[string]bool   // those of them that were set to anything but a number
	sites   map[string]int    // in how many places the source gives a variable a value
	bare    map[string]int    // how often it has a word without a $ in front
	aborts  bool              // something that came before may have ended its line
	folders int               // how often the folder was changed
	arrays  map[string]bool   // those of them that may be arrays
	funcs   map[string]*syntax.Stmt
	args    []arguments // arguments of the functions being judged
	locals  []string    // variables of the function being judged
	cwds    []string    // folders of which the shell stands in one; none: in an unknown one
	strayed []string    // folders in which it stands where a part of the present statement failed
	piped   map[*syntax.ProcSubst]output
	loops   int // that stand around what is being judged
	steps   int
	depth   int
	full    bool // a bound was reached, which is refused once
}

// flow is where a command stands among the others.
type flow struct {
	loose  string // why no remediation may stand here: "in a loop"; empty in the plain flow
	hidden bool   // what follows hides the exit status
	branch bool   // it may not run at all
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
	found   word // paths that find hands on, each ended by NUL
}

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
		world: w, vars: map[string][]word{}, touched: map[string]bool{}, texts: map[string]bool{}, arrays: map[string]bool{}, funcs: map[string]*syntax.Stmt{},
		piped: map[*syntax.ProcSubst]output{}, cwds: []string{w.Cwd},
	}
	k.shell(source, flow{})
	switch {
	case strings.TrimSpace(source) == "":
		k.refuse(Unknown, "text", source, "there is no command")
	case len(k.acts) == 0:
		k.act(Act{Action: Observe, Rule: "nothing runs", Command: source})
	}
	return k.acts
}

// shell judges source that a shell runs.
func (k *walker) shell(source string, f flow) {
	if reason := unreadable(source); reason != "" {
		k.refuse(Unknown, "text", source, reason)
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(source), "")
	if err != nil {
		k.refuse(Unknown, "syntax", source, "it cannot be parsed: "+strings.TrimPrefix(err.Error(), ":")+"; write it plainly")
		return
	}
	outer, sites := k.bare, k.sites
	k.bare, k.sites = bareWords(source, outer), assignments(file, sites)
	k.depth++
	k.stmts(file.Stmts, f)
	k.depth--
	k.bare, k.sites = outer, sites
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

// assignments counts the places where a source gives a variable a value, on top of those around it.
func assignments(file *syntax.File, outer map[string]int) map[string]int {
	sites := maps.Clone(outer)
	if sites == nil {
		sites = map[string]int{}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				sites[n.Name.Value]++
			}
		case *syntax.WordIter:
			sites[n.Name.Value]++
		}
		return true
	})
	return sites
}

// bareWords counts the words of a source that are no expansions, on top of those around it.
func bareWords(source string, outer map[string]int) map[string]int {
	words := maps.Clone(outer)
	if words == nil {
		words = map[string]int{}
	}
	for i := 0; i < len(source); {
		n := span(source[i:], len(source), isIdentifier)
		if n == 0 {
			i++
			continue
		}
		before, after := strings.TrimRight(source[:i], "{#"), source[i+n:]
		if !strings.HasSuffix(before, "$") && !strings.ContainsAny(lastByte(before), "-/.%:@") && !strings.ContainsAny(after[:min(1, len(after))], "/.:%@") {
			words[source[i:i+n]]++
		}
		i += n
	}
	return words
}

func lastByte(s string) string { return s[max(0, len(s)-1):] }

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
	vars, cwds, funcs := k.vars, k.cwds, k.funcs
	k.vars, k.funcs = maps.Clone(vars), maps.Clone(funcs)
	judge()
	k.vars, k.cwds, k.funcs = vars, cwds, funcs
}
