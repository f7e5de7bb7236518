package guard

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmts judges commands one after the other. What is printed is known only of a single one.
func (k *walker) stmts(list []*syntax.Stmt, f flow) (out output) {
	for i, s := range list {
		step := f
		step.hidden = f.hidden || i < len(list)-1
		before := k.cwds
		out = k.stmt(s, step)
		if !exits(s) { // where a cd failed the shell still stands where it stood
			k.cwds = unite(before, k.cwds)
		}
	}
	if len(list) != 1 {
		return output{}
	}
	return out
}

// exits reports whether a statement ends the shell where its first part fails: cd X || exit.
func exits(s *syntax.Stmt) bool {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok || b.Op != syntax.OrStmt {
		return false
	}
	c, ok := b.Y.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && (c.Args[0].Lit() == "exit" || c.Args[0].Lit() == "return") && len(b.Y.Redirs) == 0
}

// unite is the union of two sets of folders. None is every folder.
func unite(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	all := slices.Clone(a)
	for _, dir := range b {
		if !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	if len(all) > 8 {
		return nil
	}
	return all
}

func (k *walker) stmt(s *syntax.Stmt, f flow) (out output) {
	if k.over() {
		return output{}
	}
	k.depth++
	defer func() { k.depth-- }()
	if s.Coprocess || s.Disown {
		k.refuse(Unknown, "syntax", k.source(s), "coprocesses are not read; write it plainly")
	}
	f.hidden = f.hidden || s.Negated
	if s.Background {
		f.loose = "in the background"
		k.subshell(func() { out = k.redirected(s, f) })
		return output{}
	}
	return k.redirected(s, f)
}

// redirected judges a statement's redirections and then its command.
func (k *walker) redirected(s *syntax.Stmt, f flow) output {
	printed := all
	for _, r := range s.Redirs {
		f.stdin = k.redirect(r, s.Cmd, f)
		printed = min(printed, leaves(r))
	}
	out := k.command(s.Cmd, f)
	out.filter = out.call
	switch printed {
	case nothing:
		return output{filter: out.call}
	case mixed:
		return output{call: out.call, filter: out.call}
	}
	return out
}

func (k *walker) command(c syntax.Command, f flow) (out output) {
	switch c := c.(type) {
	case nil:
	case *syntax.CallExpr:
		return k.call(c, f)
	case *syntax.BinaryCmd:
		return k.binary(c, f)
	case *syntax.Block:
		return k.stmts(c.Stmts, f)
	case *syntax.Subshell:
		k.subshell(func() { out = k.stmts(c.Stmts, f) })
		return out
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return k.stmt(c.Stmt, f)
		}
	case *syntax.IfClause:
		k.enclosed(c, func() { k.ifClause(c, f.within("in a condition")) })
	case *syntax.WhileClause:
		f = f.within("in a loop")
		k.enclosed(c, func() {
			k.again(func() {
				k.stmts(c.Cond, f)
				k.stmts(c.Do, f)
			})
		})
	case *syntax.ForClause:
		k.enclosed(c, func() { k.forClause(c, f.within("in a loop")) })
	case *syntax.CaseClause:
		k.enclosed(c, func() { k.caseClause(c, f.within("in a condition")) })
	case *syntax.FuncDecl:
		k.define(c, f)
	case *syntax.ArithmCmd:
		k.arithmetic(c.X, f)
		k.forget(c)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			k.arithmetic(x, f)
		}
		k.forget(c)
	case *syntax.TestClause:
		k.test(c.X, f)
	case *syntax.DeclClause:
		k.declare(c, f)
	default:
		k.refuse(Unknown, "syntax", k.source(c), "this construct is not read; write it plainly")
	}
	return out
}

func (f flow) within(what string) flow {
	if f.loose == "" {
		f.loose = what
	}
	f.hidden, f.branch = true, true
	return f
}

func (k *walker) binary(c *syntax.BinaryCmd, f flow) output {
	switch c.Op {
	case syntax.AndStmt:
		k.stmt(c.X, f)
		f.branch = true
		k.stmt(c.Y, f)
		k.forget(c.Y)
	case syntax.OrStmt:
		before := k.cwds
		first := f
		first.hidden = true
		k.stmt(c.X, first)
		after := k.cwds
		k.forget(c.X)
		k.cwds = unite(before, after)
		k.stmt(c.Y, f.within("after `||`"))
		k.forget(c.Y)
		k.cwds = unite(after, k.cwds)
		if exits(&syntax.Stmt{Cmd: c}) {
			k.cwds = after
		}
	case syntax.Pipe, syntax.PipeAll:
		return k.pipe(c, f)
	default:
		k.refuse(Unknown, "syntax", k.source(c), "this construct is not read; write it plainly")
	}
	return output{}
}

// pipe judges both sides, each in a shell of its own. A remediation may only stand at the start.
func (k *walker) pipe(c *syntax.BinaryCmd, f flow) (out output) {
	first := f
	first.hidden = true
	if c.Op == syntax.PipeAll {
		first.stdin = f.stdin
	}
	at := len(k.acts)
	var left output
	k.subshell(func() { left = k.stmt(c.X, first) })
	next := f.within("in a pipe")
	next.hidden = f.hidden
	if c.Op == syntax.PipeAll {
		left = output{call: left.call}
	}
	next.stdin = input{unknown: !left.known, known: left.known, text: left.text, plain: left.plain, found: left.found}
	k.subshell(func() { out = k.stmt(c.Y, next) })
	k.filtered(at, left, out)
	if keeps(out.call) {
		out.plain = left.plain
	}
	return out
}

// ifClause judges every branch: which of them runs is not known.
func (k *walker) ifClause(c *syntax.IfClause, f flow) {
	k.stmts(c.Cond, f)
	after := k.cwds
	k.stmts(c.Then, f)
	done := k.cwds
	k.cwds = after
	if c.Else != nil {
		k.forget(&syntax.Block{Stmts: c.Then})
		k.ifClause(c.Else, f)
	}
	k.cwds = unite(done, k.cwds)
}

func (k *walker) caseClause(c *syntax.CaseClause, f flow) {
	k.text(c.Word, f)
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			k.text(p, f)
		}
		k.stmts(item.Stmts, f)
		k.forget(&syntax.Block{Stmts: item.Stmts})
	}
}

// forClause judges the body once for each word where all are known, and once with what is known of them otherwise.
func (k *walker) forClause(c *syntax.ForClause, f flow) {
	iter, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		if style, isC := c.Loop.(*syntax.CStyleLoop); isC {
			k.arithmetic(style.Init, f)
			k.arithmetic(style.Cond, f)
			k.arithmetic(style.Post, f)
		}
		k.again(func() { k.stmts(c.Do, f) })
		return
	}
	name := iter.Name.Value
	k.assignable(name, k.source(c.Loop))
	values := k.words(iter.Items, f)
	if c.Select || iter.InPos == (syntax.Pos{}) || assignedIn(&syntax.Block{Stmts: c.Do})[name] || k.functionsSet(name) {
		values = []word{opaque("`$" + name + "` is only known when it runs")}
	}
	body := func(value word) {
		k.forget(&syntax.Block{Stmts: c.Do})
		if value.why == "" || value.plain || value.glob != "" || value.known {
			k.vars[name] = []word{value}
		}
		k.again(func() { k.stmts(c.Do, f) })
	}
	for _, value := range values {
		if !value.known {
			value.one = value.plain || value.glob != ""
		}
		body(value)
		if k.full {
			break
		}
	}
}

// functionsSet reports whether any function sets the variable.
func (k *walker) functionsSet(name string) bool {
	for _, body := range k.funcs {
		if assignedIn(body)[name] {
			return true
		}
	}
	return false
}

// define remembers a function. One that may not be there when it is called, or that takes the name of a program, is refused.
func (k *walker) define(c *syntax.FuncDecl, f flow) {
	if c.Name == nil || c.Body == nil {
		k.refuse(Unknown, "functions", k.source(c), "this function cannot be read")
		return
	}
	name := c.Name.Value
	_, again := k.funcs[name]
	if f.branch || again || !identifier(strings.ReplaceAll(name, "-", "_")) || builtin(name) || k.world.Policy.Program(name) != nil {
		k.refuse(Unknown, "functions", "function "+name, "the function `"+name+"` may take the place of a program; write the commands out, or take a name that nothing else has")
		return
	}
	k.funcs[name] = c.Body
}

// invoke judges a function's body with these arguments.
func (k *walker) invoke(body *syntax.Stmt, args []word, f flow) {
	for _, a := range args {
		if !a.known && !a.one {
			args = nil // how many there are is not known
			break
		}
	}
	k.args = append(k.args, args)
	k.enclosed(body, func() { k.stmt(body, f.within("in a function")) })
	k.args = k.args[:len(k.args)-1]
}

// again judges the body of a loop. Where it changes the folder, it is judged a second time, in an unknown one.
func (k *walker) again(judge func()) {
	before := k.cwds
	judge()
	if !slices.Equal(before, k.cwds) {
		k.cwds = nil
		judge()
		k.cwds = nil
	}
}
