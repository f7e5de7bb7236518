package guard

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmts judges a list of commands. Behind it nobody knows how far it has come: a jump, or an error, may have left it.
func (k *walker) stmts(list []*syntax.Stmt, f flow) (out output) {
	before := maps.Clone(k.vars)
	out = k.sequence(list, f)
	if k.depth > 1 {
		k.join(before)
	}
	return out
}

// sequence judges commands one after the other. What is printed is known only of a single one.
func (k *walker) sequence(list []*syntax.Stmt, f flow) (out output) {
	outer := k.strayed
	for i, s := range list {
		step := f
		step.hidden = f.hidden || i < len(list)-1
		k.strayed = k.cwds
		out = k.stmt(s, step)
		if !k.exits(s) { // where a cd failed the shell still stands where it stood
			k.cwds = unite(k.strayed, k.cwds)
		}
	}
	k.strayed = outer
	if len(list) != 1 {
		return output{}
	}
	return out
}

// exits reports whether a statement ends the shell where its first part fails: cd X || exit.
func (k *walker) exits(s *syntax.Stmt) bool {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok || b.Op != syntax.OrStmt || b.X.Negated || s.Negated || s.Background {
		return false
	}
	c, ok := b.Y.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || c.Args[0].Lit() != "exit" || len(b.Y.Redirs) > 0 || b.Y.Background {
		return false
	}
	_, number := digits("0" + c.Args[len(c.Args)-1].Lit())
	return len(c.Args) == 1 || len(c.Args) == 2 && number && k.loops == 0
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
	out = k.redirected(s, f)
	if s.Negated { // what follows it may follow its failure
		k.cwds = unite(k.strayed, k.cwds)
	}
	return out
}

// redirected judges a statement's redirections and then its command, which does not run where one of them fails.
func (k *walker) redirected(s *syntax.Stmt, f flow) output {
	printed, before, stands := all, maps.Clone(k.vars), k.cwds
	sure := true
	for _, r := range s.Redirs {
		f.stdin = k.redirect(r, s.Cmd, f)
		printed = min(printed, leaves(r))
		sure = sure && (r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc || r.Op == syntax.WordHdoc || r.Op == syntax.DplOut)
	}
	f.branch = f.branch || !sure
	out := k.command(s.Cmd, f)
	if !sure {
		k.join(before)
		k.strayed = unite(k.strayed, stands)
	}
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
		k.ifClause(c, f.within("in a condition"))
	case *syntax.WhileClause:
		f = f.within("in a loop")
		k.loop(func() {
			k.sequence(c.Cond, f)
			k.stmts(c.Do, f)
		})
	case *syntax.ForClause:
		k.forClause(c, f.within("in a loop"))
	case *syntax.CaseClause:
		k.caseClause(c, f.within("in a condition"))
	case *syntax.FuncDecl:
		k.define(c, f)
	case *syntax.ArithmCmd:
		k.arithmetic(c.X, f)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			k.arithmetic(x, f)
		}
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
		before, within := maps.Clone(k.vars), f.chain
		f.chain = isAnd(c.X)
		k.stmt(c.X, f)
		stands := k.cwds
		f.branch, f.chain = true, false
		k.stmt(c.Y, f)
		if !within { // until the chain's end what stands in it holds: it has come so far
			k.join(before)
		}
		k.strayed = unite(k.strayed, stands)
	case syntax.OrStmt:
		first := f
		first.hidden = true
		before := maps.Clone(k.vars)
		k.stmt(c.X, first)
		after := k.cwds
		k.join(before)
		k.cwds = unite(k.strayed, after)
		k.branch(func() { k.stmt(c.Y, f.within("after `||`")) })
		k.strayed = unite(k.strayed, k.cwds)
		if k.cwds = unite(after, k.cwds); k.exits(&syntax.Stmt{Cmd: c}) {
			k.cwds = after
		}
	case syntax.Pipe, syntax.PipeAll:
		return k.pipe(c, f)
	default:
		k.refuse(Unknown, "syntax", k.source(c), "this construct is not read; write it plainly")
	}
	return output{}
}

func isAnd(s *syntax.Stmt) bool {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	return ok && b.Op == syntax.AndStmt && len(s.Redirs) == 0 && !s.Background && !s.Negated
}

// pipe judges both sides, each in a shell of its own. A remediation may only stand at the start.
func (k *walker) pipe(c *syntax.BinaryCmd, f flow) (out output) {
	first := f
	first.hidden = true
	at := len(k.acts)
	var left output
	k.subshell(func() { left = k.stmt(c.X, first) })
	next := f.within("in a pipe")
	next.hidden = f.hidden
	if c.Op == syntax.PipeAll {
		left = output{call: left.call}
	}
	next.stdin = input{unknown: !left.known, known: left.known, text: left.text, plain: left.plain || left.known && plainText(left.text), found: left.found}
	k.subshell(func() { out = k.stmt(c.Y, next) })
	k.filtered(at, left, out)
	if keeps(out.call) {
		out.plain = left.plain
	}
	return out
}

// ifClause judges every branch: which of them runs is not known.
func (k *walker) ifClause(c *syntax.IfClause, f flow) {
	outside := maps.Clone(k.vars)
	k.sequence(c.Cond, f)
	before, stands := maps.Clone(k.vars), k.cwds
	k.stmts(c.Then, f)
	done, moved := k.vars, k.cwds
	k.vars, k.cwds = before, stands
	if c.Else != nil {
		k.ifClause(c.Else, f)
	}
	k.join(done)
	k.join(outside)
	k.cwds = unite(moved, k.cwds)
}

func (k *walker) caseClause(c *syntax.CaseClause, f flow) {
	k.text(c.Word, f)
	stands := k.cwds
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			k.text(p, f)
		}
		k.branch(func() { k.stmts(item.Stmts, f) })
		k.cwds = unite(stands, k.cwds)
	}
}

// forClause judges the body for each word, with what is known of it.
func (k *walker) forClause(c *syntax.ForClause, f flow) {
	iter, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		style, isC := c.Loop.(*syntax.CStyleLoop)
		k.loop(func() {
			if isC {
				k.arithmetic(style.Init, f)
				k.arithmetic(style.Cond, f)
				k.arithmetic(style.Post, f)
			}
			k.stmts(c.Do, f)
		})
		return
	}
	name := iter.Name.Value
	k.assignable(name, k.source(c.Loop))
	values := k.words(iter.Items, f)
	if c.Select || iter.InPos == (syntax.Pos{}) {
		values = []word{opaque("`$" + name + "` is only known when it runs")}
	}
	k.loop(func() {
		for _, value := range values {
			if !value.known { // one of several: a name, a file's, or anything
				value.one = value.plain || value.glob != ""
			}
			k.set(name, value)
			k.stmts(c.Do, f)
			if k.full {
				return
			}
		}
		delete(k.vars, name)
	})
}

// define remembers a function. One that may not be there when it is called, or that takes the name of a program, is refused.
func (k *walker) define(c *syntax.FuncDecl, f flow) {
	if c.Name == nil || c.Body == nil {
		k.refuse(Unknown, "functions", k.source(c), "this function cannot be read")
		return
	}
	name := c.Name.Value
	_, again := k.funcs[name]
	if f.branch || again || name == "command_not_found_handle" || !identifier(strings.ReplaceAll(name, "-", "_")) || builtin(name) || k.world.Policy.Program(name) != nil {
		k.refuse(Unknown, "functions", "function "+name, "the function `"+name+"` may take the place of a program; write the commands out, or take a name that nothing else has")
		return
	}
	k.funcs[name] = c.Body
}

// invoke judges a function's body with these arguments.
func (k *walker) invoke(body *syntax.Stmt, words []word, f flow) {
	args := arguments{words, true}
	if slices.ContainsFunc(words, func(a word) bool { return !a.known && !a.one }) { // how many there are is not known
		args = arguments{}
	}
	outer, folders := k.locals, k.folders
	k.args, k.locals = append(k.args, args), nil
	k.stmt(body, f.within("in a function"))
	for _, name := range k.locals { // behind it they are what they were
		k.lose(name)
	}
	k.args, k.locals = k.args[:len(k.args)-1], outer
	if k.folders != folders { // and how far it has come nobody knows
		k.cwds = nil
	}
}
