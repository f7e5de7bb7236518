package guard

import (
	"maps"
	"slices"

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
	if !ok || k.aborts || len(c.Args) == 0 || c.Args[0].Lit() != "exit" || len(c.Assigns) > 0 || len(b.Y.Redirs) > 0 || b.Y.Background || b.Y.Negated {
		return false
	}
	return len(c.Args) == 1 || len(c.Args) == 2 && canonical(c.Args[1].Lit())
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
	printed, before, stands, inner := all, maps.Clone(k.vars), k.cwds, k.inner
	sure := true
	for _, r := range s.Redirs {
		f.stdin = k.redirect(r, s.Cmd, f)
		printed = min(printed, leaves(r))
		sure = sure && (r.Op == syntax.Hdoc || r.Op == syntax.WordHdoc || r.Op == syntax.DplOut)
	}
	if _, one := s.Cmd.(*syntax.CallExpr); !one || k.inner != inner {
		f.stdin = f.stdin.parted()
	}
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
	case *syntax.ArithmCmd:
		k.arithmetic(c.X, f, true)
	case *syntax.TestClause:
		k.test(c.X, f)
	case *syntax.DeclClause:
		k.declare(c, f)
	}
	return out // what is missing here is refused by its syntax
}

func (f flow) within(what string) flow {
	if f.loose == "" {
		f.loose = what
	}
	f.hidden = true
	return f
}

func (k *walker) binary(c *syntax.BinaryCmd, f flow) output {
	switch c.Op {
	case syntax.AndStmt:
		before, within := maps.Clone(k.vars), f.chain
		f.chain = isAnd(c.X)
		k.stmt(c.X, f)
		stands := k.cwds
		f.chain = false
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
	next.stdin = input{unknown: !left.known, known: left.known, text: left.text, plain: left.plain || left.known && plainNames(left.text), found: left.found}
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
				k.arithmetic(style.Init, f, true)
				k.arithmetic(style.Cond, f, true)
				k.arithmetic(style.Post, f, true)
			}
			k.stmts(c.Do, f)
		})
		return
	}
	name := iter.Name.Value
	k.assignable(name, k.source(c.Loop))
	values := k.words(iter.Items, f)
	k.loop(func() {
		for _, value := range values {
			if !value.known { // one of several: a name, a file's, or anything
				value.one = value.plain || value.glob != ""
			}
			aborts := k.aborts
			k.aborts = false // an error would end the loop
			k.set(name, value)
			k.aborts = aborts
			k.stmts(c.Do, f)
			if k.full {
				return
			}
		}
		delete(k.vars, name)
	})
}
