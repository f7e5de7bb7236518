// Package policy holds what the guard knows of programs, paths and hosts. The built-in policy is policy.yaml.
//
// The policy lists what is granted to a program: its options and subcommands. Anything it does not list is refused. An operator's own
// file (CLAUDEOPS_POLICY) is joined to it. That file can add and tighten, but cannot grant what is forbidden.
package policy

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"
)

// Rule is what is granted to a program, or to one of its subcommands. The zero Rule grants nothing. docs/guard.md describes each member
// for operators. The texts in it are parsed on use, because a call uses only a few rules.
type Rule struct {
	Do         string    // observe, restart, redeploy, change, ask, forbidden, unknown; empty for a program that consists of subcommands
	Options    string    // options at this level
	Persistent string    // options at this level and all below
	Operands   string    // types of the operands
	Style      string    // gnu, pflag, strict or word
	Commands   []Command `yaml:"-"` // subcommands
	Why        string    // the reason of a refusal, and what to do instead
	Loose      bool      // no operand or option, listed or not, can do harm
	Bare       bool      // it may be called without a subcommand
	Stdin      string    // standard input: data, none, or a language; empty: it is not read
	Requires   string    // one of these options must be given
	Check      string    // the guard's function that checks the whole invocation
	Tiers      string    // the tiers that may run it; empty: Do decides
	Cwd        string    // what it reads from its working directory: code, settings
	SetID      bool      // run without a Landlock domain, in which set-id programs fail; only for users other than root
	Writes     string    // directories that it writes; $NAME is a new empty one for each call, whose path is in that variable
}

// Command is a subcommand under one of its names.
type Command struct {
	Name string
	Rule *Rule
}

// Program is a program under one of its names.
type Program = Command

// Policy is everything the guard knows. The zero Policy grants nothing.
type Policy struct {
	Programs    []Program `yaml:"-"` // by name
	Remote      []Program `yaml:"-"` // additional programs in text that another machine or a container runs
	Reachable   []string  // hosts that may be resolved, pinged and asked for a plain URL
	OwnSecrets  []string  `yaml:"-"` // the part of Secrets that an operator has added
	Secrets     []string  // path patterns that no agent reads; ** matches any directories, * any text within a name
	Etc         []string  // path patterns in /etc that agents may read
	Looked      []string  // path patterns that agents may read if no credential is found in the file
	SecretHosts []string  `yaml:"secret_hosts"` // hosts whose responses hold credentials
	Hosts       []string  // hosts that may get HTTP requests with query and headers
	Reading     []string  `yaml:"-"` // words of the URL paths of health and status endpoints
	SSH         []string  // hosts that may be reached by ssh
}

// WithSecretFiles returns the policy with additional patterns of files that no agent reads.
func (p *Policy) WithSecretFiles(patterns []string) *Policy {
	with := *p
	with.Secrets = slices.Concat(p.Secrets, patterns)
	return &with
}

// Program returns the rule of a program; nil if it is unknown.
func (p *Policy) Program(name string) *Rule { return find(p.Programs, name) }

// RemoteProgram returns the rule of a program in text for another machine or a container; nil if it is unknown.
func (p *Policy) RemoteProgram(name string) *Rule {
	for _, list := range [][]Program{p.Remote, p.Programs} {
		if r := find(list, name); r != nil {
			return r
		}
	}
	return nil
}

func find(programs []Program, name string) *Rule {
	if i, ok := slices.BinarySearchFunc(programs, name, func(c Program, name string) int { return strings.Compare(c.Name, name) }); ok {
		return programs[i].Rule
	}
	return nil
}

// Command returns the rule of a subcommand; nil if it is unknown.
func (r *Rule) Command(name string) *Rule {
	for _, c := range r.Commands {
		if c.Name == name {
			return c.Rule
		}
	}
	return nil
}

//go:embed policy.yaml
var embedded []byte

// Embedded is the built-in policy.
var Embedded = sync.OnceValue(func() *Policy {
	p, err := Parse(embedded)
	if err != nil {
		panic("the built-in policy: " + err.Error()) // a test parses it
	}
	return p
})

// IsType reports whether a text is the name of a type. Any other text is a choice of literals.
func IsType(typ string) bool {
	switch typ {
	case "any", "lit", "name", "svc", "file", "tree", "meta", "out", "code", "credential", "settings", "hosts", "host", "dbhost", "sshhost", "url", "shell",
		"inner", "remote", "disk", "psql", "mysql", "sqlite", "redis", "template", "list", "fields":
		return true
	}
	return false
}

// Matches reports whether a path matches a pattern, ignoring case: ** matches any directories, * any text within one name. A pattern that
// begins with neither / nor **/ may match below any directory.
func Matches(pattern, p string) bool {
	pattern, p = strings.ToLower(pattern), strings.ToLower(p)
	rest, anywhere := strings.CutPrefix(pattern, "**/")
	if anywhere = anywhere || !strings.HasPrefix(pattern, "/"); anywhere && !strings.Contains(rest, "/") {
		return fits(rest, path.Base(p))
	}
	parts := strings.Split(strings.TrimPrefix(rest, "/"), "/")
	if anywhere {
		parts = append([]string{"**"}, parts...)
	}
	return matchParts(parts, strings.Split(strings.TrimPrefix(p, "/"), "/"))
}

func matchParts(pattern, parts []string) bool {
	for i, name := range pattern {
		if name == "**" {
			for j := i; j <= len(parts); j++ {
				if matchParts(pattern[i+1:], parts[j:]) {
					return true
				}
			}
			return false
		}
		if i >= len(parts) || !fits(name, parts[i]) {
			return false
		}
	}
	return len(pattern) == len(parts)
}

func fits(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// Names returns the names of all programs in the policy.
func (p *Policy) Names() (names []string) {
	for _, program := range p.Programs {
		names = append(names, program.Name)
	}
	return names
}
