// Package policy is what the guard knows of programs, paths and hosts: data, written in policy.yaml and read by operators too.
//
// A program is known by the options and subcommands that are granted to it, never by those that are refused: what the policy does not
// list is refused. The embedded policy is Go data made from policy.yaml, so that a decision reads no YAML; an operator's own file
// (CLAUDEOPS_POLICY) is joined to it, and can add and tighten, but lifts nothing that is never allowed.
package policy

//go:generate go run ./generate

import (
	_ "embed"
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
	Commands   []Command // subcommands
	Why        string    // reason of a refusal, and what to do instead
	Loose      bool      // no operand and no option of it, known or not, can do harm
	Globs      bool      // a pattern of file names may stand where an option could
	Bare       bool      // it may be called without a subcommand
	Fold       bool      // subcommands are written in any case
	Stdin      string    // how standard input is read without a file operand: data, none, or a language
	Requires   string    // one of these options must be given
	Part       string    // first or last step of a remediation
	Service    string    // where the service's name comes from: operands, project, base
	Prints     string    // names: each word that it prints is a plain name
	Check      string    // the function of the guard that has the last word
	Tiers      string    // the tiers that may run it, where that does not follow from Do
	Cwd        string    // code: not in a folder that an agent can write; tree: its folder is read where no operand is given
	SetID      bool      // a user that is not root runs it without a domain of its own, in which set-id programs fail
	Writes     string    // folders that it writes
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
	Programs    []Program // by name
	Remote      []Program // further ones, for the text that another machine or a container runs
	Changes     []Program // those that change files here, behind claudeops change
	Reachable   []string  // hosts that may be looked up, pinged and asked for a plain URL
	OwnSecrets  []string  // of Secrets, those that an operator has added
	Secrets     []string  // path patterns that no agent reads: ** is any folders, * any text within a name
	Etc         []string  // path patterns of what agents read of /etc
	Looked      []string  // path patterns of what agents read where a look into it finds no credential
	SecretHosts []string  // hosts whose answers hold credentials
	Logs        []string  // folders whose rotated logs may be removed and whose current ones emptied
	Rotated     []string  // name patterns of rotated logs
	Units       []string  // names of units that nobody restarts: the machine's own, its network, this program
	Environment []string  // variables that a command may be given in front of it; a trailing * is a prefix
	Hosts       []string  // hosts that may be asked by HTTP with query and headers
	Reading     []string  // words of the paths by which servers are looked at
	SSH         []string  // hosts that may be reached by ssh
	Write       []string  // folders and files that Tiers 2 and 3 may write
	MCP         []Tool    // tools of MCP servers
}

// Tool is a tool of an MCP server and what it does.
type Tool struct{ Name, Do string }

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
		if c.Name == name || r.Fold && strings.EqualFold(c.Name, name) {
			return c.Rule
		}
	}
	return nil
}

// Embedded is the policy that is built in.
func Embedded() *Policy { return &embedded }

//go:embed brokered.yaml
var brokered []byte

// Brokered is the built-in policy of the programs that a sandbox reaches through the broker.
var Brokered = sync.OnceValue(func() *Policy {
	p, err := Parse(brokered)
	if err != nil {
		panic("the built-in policy: " + err.Error()) // a test parses it
	}
	return p
})

// IsType reports whether a text is the name of a type; every other stands for a choice of literals.
func IsType(typ string) bool {
	switch typ {
	case "any", "lit", "name", "svc", "file", "archive", "tree", "meta", "out", "code", "credential", "settings", "hosts", "host", "dbhost", "sshhost", "url", "rev", "shell", "inner", "remote", "size", "date", "disk", "database",
		"sed", "awk", "jq", "psql", "mysql", "sqlite", "redis", "template", "fields":
		return true
	}
	return false
}

// LeadsElsewhere reports whether a variable leads a shell or a program elsewhere: to other programs, libraries, servers, configuration.
func LeadsElsewhere(name string) bool {
	if slices.Contains([]string{
		"PATH", "IFS", "ENV", "HOME", "SHELL", "TMPDIR", "CDPATH", "GLOBIGNORE", "PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND", "SHELLOPTS", "POSIXLY_CORRECT",
		"EDITOR", "VISUAL", "PAGER", "BROWSER", "PWD", "OLDPWD", "FUNCNEST", "OPTIND", "HISTFILE", "MAIL", "MAILPATH", "TERMINFO", "TERM",
		"UID", "EUID", "PPID", "RANDOM", "SECONDS", "LINENO", "COLUMNS", "LINES", "USER", "HOSTNAME", "OSTYPE", "SHLVL", "TZ",
	}, name) {
		return true
	}
	for _, family := range []string{
		"BASH", "LD_", "DYLD_", "GIT_", "DOCKER_", "COMPOSE_", "KUBE", "HELM_", "CLAUDEOPS_", "CLAUDE", "ANTHROPIC_", "PG", "MYSQL", "REDIS", "SSH_", "LESS",
		"PYTHON", "PERL", "RUBY", "NODE_", "JAVA_", "AWK", "SYSTEMD_", "ANSIBLE_", "TF_", "CURL_", "SSL_", "OPENSSL_", "LC_", "LANG", "XDG_", "GREP_", "MAN", "COMP_", "READLINE_",
	} {
		if strings.HasPrefix(name, family) {
			return true
		}
	}
	return strings.HasSuffix(strings.ToLower(name), "_proxy") || strings.HasSuffix(name, "PAGER") || strings.HasSuffix(name, "EDITOR")
}

// Names are the programs that the policy knows.
func (p *Policy) Names() (names []string) {
	for _, program := range p.Programs {
		names = append(names, program.Name)
	}
	return names
}
