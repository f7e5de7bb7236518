package guard

import (
	"errors"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// nested are the kinds of the rest of a call that is a call itself, on another host or in a container: its argument list, words that a shell
// there joins to a text, or that text.
var nested = []string{"ARGV", "TEXT", "SCRIPT"}

// nested judges such a rest.
func (j *judge) nested(kind string, words []string, inside int) ([]string, error) {
	switch kind {
	case "TEXT":
		return j.text(words, inside)
	case "SCRIPT":
		return j.script(words, inside)
	}
	return j.call(words, inside)
}

// elsewhere returns the arguments to run where the last operand of a line is a call itself.
func (j *judge) elsewhere(s *spec, args, operands []string, inside int) ([]string, error) {
	fixed := len(s.operands) - 1
	if len(operands) <= fixed {
		return nil, errors.New("`" + j.name + "` lacks the program to run there")
	}
	if err := j.operands(s.operands[:fixed], operands[:fixed]); err != nil {
		return nil, err
	}
	inner := operands[fixed:]
	there := &judge{Guard: j.Guard, far: true}
	run, err := there.nested(s.operands[fixed].of[0].kind, inner, inside+1)
	if err != nil {
		return nil, err
	}
	j.env, j.own = append(j.env, s.env...), j.own || s.own
	return slices.Concat(s.add, args[:len(args)-len(inner)], run), nil
}

// text returns words for a shell on another host, each quoted: an argument list, or a script.
func (j *judge) text(words []string, inside int) ([]string, error) {
	if len(words) > 1 {
		run, err := j.call(words, inside)
		return quotedWords(run), err
	}
	return j.script(words, inside)
}

// script returns a text for a shell with each of its words quoted: programs with literal words, joined by a pipe, && or ||, or one after
// the other.
func (j *judge) script(words []string, inside int) ([]string, error) {
	if len(words) != 1 {
		return nil, errors.New("a script is one word")
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(words[0]), "")
	if err != nil || len(file.Stmts) == 0 {
		return nil, errors.New(onlyLiteral)
	}
	var commands []string
	for _, statement := range file.Stmts {
		command, err := j.statement(statement, inside)
		if err != nil {
			return nil, err
		}
		commands = append(commands, command)
	}
	return []string{strings.Join(commands, "; ")}, nil
}

// statement returns a statement with its words quoted.
func (j *judge) statement(s *syntax.Stmt, inside int) (string, error) {
	redirected, literal := redirections(s.Redirs)
	if s.Negated || s.Background || s.Coprocess || s.Disown || !literal {
		return "", errors.New(onlyLiteral)
	}
	switch command := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		left, err := j.statement(command.X, inside)
		if err != nil {
			return "", err
		}
		if command.Op == syntax.PipeAll || redirected != "" {
			return "", errors.New(onlyLiteral)
		}
		right, err := j.statement(command.Y, inside)
		return left + " " + command.Op.String() + " " + right, err
	case *syntax.CallExpr:
		words, literal := literals(command)
		if !literal {
			return "", errors.New(onlyLiteral)
		}
		there := &judge{Guard: j.Guard, far: true}
		run, err := there.call(words, inside)
		return strings.Join(quotedWords(run), " ") + redirected, err
	}
	return "", errors.New(onlyLiteral)
}

const onlyLiteral = "for a shell elsewhere only programs with literal words stand in one text, joined by |, ;, && and ||: no patterns, variables, loops; " +
	"use those here"

// redirections returns redirections as they are written, if nothing is read from or written to a file by them.
func redirections(all []*syntax.Redirect) (text string, literal bool) {
	for _, r := range all {
		word, literal := literals(&syntax.CallExpr{Args: []*syntax.Word{r.Word}})
		to := ""
		if literal {
			to = word[0]
		}
		switch {
		case r.N != nil && r.N.Value != "1" && r.N.Value != "2":
			return "", false
		case r.Op == syntax.DplOut && to == "1", r.Op == syntax.RdrOut && to == "/dev/null":
		default:
			return "", false
		}
		if text += " "; r.N != nil {
			text += r.N.Value
		}
		text += r.Op.String() + to
	}
	return text, true
}

// literals returns the words of a command, if the shell would take each as it is written.
func literals(c *syntax.CallExpr) (words []string, literal bool) {
	if len(c.Assigns) > 0 || len(c.Args) == 0 {
		return nil, false
	}
	for _, arg := range c.Args {
		word := ""
		for _, part := range arg.Parts {
			text, literal := literalPart(part)
			if !literal {
				return nil, false
			}
			word += text
		}
		words = append(words, word)
	}
	return words, true
}

func literalPart(part syntax.WordPart) (text string, literal bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		return p.Value, !strings.ContainsAny(p.Value, `\*?[]{}~`)
	case *syntax.SglQuoted:
		return p.Value, !p.Dollar
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			lit, is := inner.(*syntax.Lit)
			if !is || strings.Contains(lit.Value, `\`) {
				return "", false
			}
			text += lit.Value
		}
		return text, !p.Dollar
	}
	return "", false
}

// quotedWords returns words each as one that a shell takes as it is.
func quotedWords(words []string) []string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return all
}
