// Package policy is what the guard knows of programs, paths and hosts: data, written in policy.yaml and read by operators too.
//
// A program is known by the options and subcommands that are granted to it, never by those that are refused: what the policy does not
// list is refused. An operator's own file (CLAUDEOPS_POLICY) is joined to it, and can add and tighten, but lifts nothing that is never
// allowed.
package policy

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"
)

// Rule is what is granted to a program, or to one of its subcommands. The zero Rule grants nothing. docs/guard.md describes each
// member for operators; the texts in it are parsed where they are used, which is for one rule of all.
type Rule struct {
	Do         string    // observe, restart, redeploy, change, ask, forbidden, unknown; empty for a program that is only its subcommands
	Options    string    // options at this level
	Persistent string    // options at this level and at all below
	Operands   string    // types of the operands
	Style      string    // gnu, pflag, strict or word
	Commands   []Command `yaml:"-"` // subcommands
	Why        string    // reason of a refusal, and what to do instead
	Loose      bool      // no operand and no option of it, known or not, can do harm
	Bare       bool      // it may be called without a subcommand
	Stdin      string    // what standard input is: data, none, or text in a language; empty: nothing
	Requires   string    // one of these options must be given
	Part       string    // first or last step of a remediation
	Service    string    // where the service's name comes from: project, kube, base; empty: the operands
	Check      string    // the function of the guard that has the last word
	Tiers      string    // the tiers that may run it, where that does not follow from Do
	Cwd        string    // what it takes from its folder: code, settings
	SetID      bool      // a user that is not root runs it without a domain of its own, in which set-id programs fail
	Writes     string    // folders that it writes; $NAME is an empty one of each call's own, which that variable names
}

// Command is a subcommand by one of its names.
type Command struct {
	Name string
	Rule *Rule
}

// Program is a program by one of its names.
type Program = Command

// Policy is all that the guard knows. The zero Policy grants nothing.
type Policy struct {
	Programs    []Program `yaml:"-"` // by name
	Remote      []Program `yaml:"-"` // further ones, for the text that another machine or a container runs
	Changes     []Program `yaml:"-"` // those that change files here, behind claudeops change
	Reachable   []string  // hosts that may be looked up, pinged and asked for a plain URL
	OwnSecrets  []string  `yaml:"-"` // of Secrets, those that an operator has added
	Secrets     []string  // path patterns that no agent reads: ** is any folders, * any text within a name
	Etc         []string  // path patterns of what agents read of /etc
	Looked      []string  // path patterns of what agents read where a look into it finds no credential
	SecretHosts []string  `yaml:"secret_hosts"` // hosts whose answers hold credentials
	Logs        []string  // folders whose rotated logs may be removed and whose current ones emptied
	Rotated     []string  // name patterns of rotated logs
	Units       []string  // names of units that are never restarted: the machine's own, its network, this program
	Hosts       []string  // hosts that may be asked by HTTP with query and headers
	Reading     []string  `yaml:"-"` // words of the paths by which servers are looked at
	SSH         []string  // hosts that may be reached by ssh
}

// WithSecretFiles is the policy with patterns of further files that no agent reads.
func (p *Policy) WithSecretFiles(patterns []string) *Policy {
	with := *p
	with.Secrets = slices.Concat(p.Secrets, patterns)
	return &with
}

// Program returns the rule of a program, and nil for one that is not known.
func (p *Policy) Program(name string) *Rule { return find(p.Programs, name) }

// RemoteProgram returns the rule of a program in text for another machine or a container, and nil for one that is not known.
func (p *Policy) RemoteProgram(name string) *Rule {
	for _, list := range [][]Program{p.Remote, p.Programs, p.Changes} {
		if r := find(list, name); r != nil {
			return r
		}
	}
	return nil
}

// ChangeProgram returns the rule of a program behind claudeops change, and nil for one that is not known.
func (p *Policy) ChangeProgram(name string) *Rule { return find(p.Changes, name) }

func find(programs []Program, name string) *Rule {
	if i, ok := slices.BinarySearchFunc(programs, name, func(c Program, name string) int { return strings.Compare(c.Name, name) }); ok {
		return programs[i].Rule
	}
	return nil
}

// Command returns the rule of a subcommand, and nil for one that is not known.
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

// Embedded is the policy that is built in.
var Embedded = sync.OnceValue(func() *Policy {
	p, err := Parse(embedded)
	if err != nil {
		panic("the built-in policy: " + err.Error()) // a test parses it
	}
	return p
})

// IsType reports whether a text is the name of a type; any other text is a choice of literals.
func IsType(typ string) bool {
	switch typ {
	case "any", "lit", "name", "svc", "file", "tree", "meta", "out", "code", "credential", "settings", "hosts", "host", "dbhost", "sshhost", "url", "shell", "inner", "remote",
		"disk", "psql", "mysql", "sqlite", "redis", "template", "list", "fields":
		return true
	}
	return false
}

// Matches reports whether a path fits a pattern, in letters of either case: ** is any folders, * for any text within one name. One that
// begins with neither / nor **/ may begin in any folder.
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

// Names are the programs that the policy knows.
func (p *Policy) Names() (names []string) {
	for _, program := range p.Programs {
		names = append(names, program.Name)
	}
	return names
}
