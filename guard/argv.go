package guard

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/claudeops/claudeops/guard/policy"
)

// Call is one call of a brokered program, as it arrived at the broker.
type Call struct {
	Argv []string // the program's name first
	Dir  string   // absolute path of the working directory
	// Input is the text on standard input if a verdict has asked for it (StdinText); nil means that it is not known.
	Input *string
}

// Stdin says what a granted program gets as its standard input.
type Stdin string

// The kinds of standard input: none, the caller's own, or text that was judged.
const (
	StdinNone Stdin = ""
	StdinData Stdin = "data"
	// StdinText is text that the program would execute: it gets exactly the text that was judged. A refusal with it asks for Call.Input.
	StdinText Stdin = "text"
)

// JudgeArgv decides on one call of a brokered program. It neither reserves a cooldown nor runs anything.
func JudgeArgv(w World, c Call) Verdict {
	j := &judge{world: w, dir: c.Dir, input: c.Input}
	if err := j.checkWords(c.Argv); err != nil {
		j.refuse(err, "call", c.Argv[:min(1, len(c.Argv))])
	} else if err := j.command(c.Argv); err != nil {
		j.refuse(err, path.Base(c.Argv[0]), c.Argv)
	}
	v := w.decide(j.acts)
	v.Stdin, v.SetID, v.User = j.stdin, j.setID, j.user
	if v.Allow {
		v.Argv, v.Env, v.Writes = j.argv, j.env, j.writes
	}
	return v
}

// judge holds the state while one call is judged, including the commands nested in it.
type judge struct {
	world     World
	dir       string          // working directory of the current command
	place     string          // where else the current command runs: "in the container web", "on db1"; empty for this machine
	machine   bool            // the current command runs on another machine
	nowhere   string          // the host on which it runs if none of that host's addresses is known
	container string          // the container of this machine in which it runs, as given on the command line; empty for none
	patterns  map[string]bool // words that a remote shell may expand to file names
	input     *string
	piped     bool // remote text only: standard input is another command's output
	handed    bool // in a container: the command gets the caller's standard input
	scripted  bool // remote text only: standard input is the script itself
	depth     int

	acts   []Act
	argv   []string // the command to run on this machine
	env    []string
	user   string // the user to run as; empty for the broker's own
	stdin  Stdin
	setID  bool
	writes []string
}

// refusal is the reason for which a call is refused.
type refusal struct {
	action    Action // Unknown or Forbidden
	reason    string
	explained bool // the reason already says what to do instead
}

func (r *refusal) Error() string { return r.reason }

func unknown(format string, args ...any) error {
	return &refusal{action: Unknown, reason: fmt.Sprintf(format, args...)}
}

// final is like unknown, for a reason to which the rule's advice would not apply.
func final(format string, args ...any) error {
	return &refusal{action: Unknown, reason: fmt.Sprintf(format, args...), explained: true}
}

func forbidden(format string, args ...any) error {
	return &refusal{action: Forbidden, reason: fmt.Sprintf(format, args...)}
}

// refuse records a refusal as an act.
func (j *judge) refuse(err error, rule string, words []string) {
	a := Act{Action: Unknown, Rule: rule, Command: CommandLine(words), Reason: err.Error()}
	if r := (*refusal)(nil); errors.As(err, &r) {
		a.Action = r.action
	}
	j.acts = append(j.acts, a)
}

const (
	maxArguments = 2_000
	maxArgument  = 128 << 10 // bytes, sum of all arguments
	maxInside    = 8         // nesting depth of commands
)

// checkWords refuses an argument list that cannot be judged at all.
func (j *judge) checkWords(words []string) error {
	size := 0
	for _, w := range words {
		if size += len(w) + 1; !utf8.ValidString(w) || strings.ContainsRune(w, 0) {
			return unknown("it is not UTF-8; write it plainly")
		}
	}
	switch {
	case len(words) == 0 || words[0] == "":
		return unknown("the program's name is missing")
	case len(words) > maxArguments || size > maxArgument:
		return unknown("it is too long; do it in smaller steps")
	case !path.IsAbs(j.dir):
		return unknown("the folder in which it is called is not known")
	}
	return nil
}

// systemFolders are the directories whose programs are identified by name.
var systemFolders = []string{"/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/snap/bin/"}

// command judges a program with its arguments.
func (j *judge) command(words []string) error {
	if j.depth++; j.depth > maxInside {
		return unknown("too many commands are nested; call the program itself")
	}
	defer func() { j.depth-- }()
	dir, name := path.Split(words[0])
	if dir != "" && !slices.Contains(systemFolders, dir) {
		return unknown("what `%s` does is not known: only programs of the system are; call one of those by its name", words[0])
	}
	rule := j.rule(name)
	switch {
	case rule == nil && j.place == "" && j.user != "":
		return final("`%s` as another user is not granted: leave `sudo` out, what is to be read or computed runs in the sandbox", name)
	case rule == nil:
		return unknown("the program `%s` is not in the policy; use another one, or leave it to a person", name)
	case name == "claudeops" && (j.place != "" || j.user != ""):
		return forbidden("this program is called plainly, never by way of another program, shell or machine")
	}
	if j.place == "" {
		j.argv = append([]string{name}, words[1:]...)
		if name == "ssh" { // ssh fails where its configuration makes it create a control socket, and would reuse an existing one
			j.argv = slices.Insert(j.argv, 1, "-o", "ControlMaster=no")
		}
	}
	c := &invocation{words: words, name: name, rule: rule, levels: []*policy.Rule{rule}}
	if err := c.parse(words[1:]); err != nil {
		return c.explain(err)
	}
	return c.explain(j.conclude(c))
}

// rule returns the policy's rule for a program, on this machine or elsewhere.
func (j *judge) rule(name string) *policy.Rule {
	if j.place != "" {
		return j.world.Policy.RemoteProgram(name)
	}
	return j.world.Policy.Program(name)
}

// conclude judges a fully parsed invocation and records what it does.
func (j *judge) conclude(c *invocation) error {
	if err := c.complete(); err != nil {
		return err
	}
	if c.changes() { // nothing else about it matters
		return j.record(c)
	}
	inner, err := c.place()
	if err != nil {
		return err
	}
	for _, v := range c.values {
		if err := j.value(c, v); err != nil {
			return err
		}
	}
	if err := errors.Join(j.standardInput(c), j.folder(c)); err != nil {
		return err
	}
	if err := j.check(c); err != nil {
		return err
	}
	if inner != nil {
		return j.nested(c, inner)
	}
	return j.record(c)
}

// record adds the act of an invocation and how it is to be run.
func (j *judge) record(c *invocation) error {
	a := Act{Action: c.action(), Rule: c.name, Command: CommandLine(c.words), tiers: c.rule.Tiers}
	j.acts = append(j.acts, a)
	if j.place == "" {
		j.setID = j.setID || c.rule.SetID
		j.writes = append(j.writes, strings.Fields(c.rule.Writes)...)
		j.readOnly(a, len(j.argv))
	}
	return nil
}

// readOnly makes a database server enforce read-only mode for a client that only reads. It is a second safeguard and never replaces
// judging the statement. at is the index in argv where a container's environment option would go.
func (j *judge) readOnly(a Act, at int) {
	const postgres, mysql = "PGOPTIONS=-c default_transaction_read_only=on", "--init-command=SET SESSION TRANSACTION READ ONLY"
	switch {
	case a.Action != Observe || slices.Contains(j.argv, "--"): // no options after --
	case a.Rule == "psql" && strings.Contains(a.Command, "6432"): // PgBouncer rejects PGOPTIONS
	case a.Rule == "psql" && at == len(j.argv):
		j.env = append(j.env, postgres)
	case a.Rule == "psql":
		j.argv = slices.Insert(j.argv, at, "-e", postgres)
	case a.Rule == "mysql" || a.Rule == "mariadb":
		j.argv = append(j.argv, mysql)
	}
}

// standardInput judges what a program reads from standard input.
func (j *judge) standardInput(c *invocation) error {
	switch language := c.rule.Stdin; language {
	case "":
	case "none":
		if j.piped {
			return unknown("nothing may be piped into `%s`", c.name)
		}
	case "data":
		if j.place == "" {
			j.stdin = StdinData
		}
	default:
		if c.effect("nostdin") || slices.ContainsFunc(c.values, func(v value) bool { return v.typ == language }) {
			return nil
		}
		if j.place == "" || j.handed {
			j.stdin = StdinText
		}
		if j.input == nil {
			return unknown("what `%s` would run is not known; give it as an argument", c.name)
		}
		return j.script(c, language, *j.input)
	}
	return nil
}

// folder judges what the program reads from its working directory.
func (j *judge) folder(c *invocation) error {
	typ := ""
	for _, level := range c.levels {
		if level.Cwd != "" {
			typ = level.Cwd
		}
	}
	if typ == "" || j.place != "" {
		return nil
	}
	return j.configures(c, ".", typ)
}

// nested judges the command that a program starts: as another user, in a container, on another host.
func (j *judge) nested(c *invocation, inner []string) error {
	if len(inner) == 0 {
		return unknown("`%s` would read its commands from its input; give the command to run as an argument", c.name)
	}
	place, machine, nowhere, container, dir, handed, acts := j.place, j.machine, j.nowhere, j.container, j.dir, j.handed, len(j.acts)
	defer func() {
		j.place, j.machine, j.nowhere, j.container, j.dir, j.handed = place, machine, nowhere, container, dir, handed
	}()
	j.handed = place == "" && subcommand(c.name) == "exec" && c.has("-i", "--interactive")
	for _, v := range c.values {
		switch v.typ {
		case "sshhost":
			here, known := j.isHere(sshHostName(v.text))
			j.place, j.machine, j.dir = "on "+v.text, !here, "/root"
			if !known {
				j.nowhere = sshHostName(v.text)
			}
		case "lit", "name", "svc":
			j.place, j.dir = "in "+v.text, "/"
			if j.container == container { // the first such value is the container that is entered
				j.container = v.text
			}
		}
	}
	if dir, given := c.value("-w", "--workdir"); given {
		if j.dir = dir; !wholePath().MatchString(dir) || linkedFolder(dir) {
			return unknown("`%s` is not the whole path of a folder without links to other processes", dir)
		}
	}
	if strings.Contains(c.rule.Operands, "remote") {
		text := strings.Join(inner, " ")
		if place == "" && readsScript(strings.Fields(text)) {
			return j.remoteScript(len(inner))
		}
		return j.remote(text)
	}
	if user, given := c.value("-u", "--user"); given && j.place == "" {
		j.user = user
	} else if j.place == "" && (c.name == "sudo" || c.name == "doas") {
		j.user = "root"
	}
	if err := j.command(inner); err != nil || place != "" || subcommand(c.name) != "exec" || !strings.HasPrefix(c.name, "docker") && !strings.HasPrefix(c.name, "podman") {
		return err
	}
	for _, a := range slices.Clone(j.acts[acts:]) {
		if path.Base(inner[0]) == a.Rule { // not for text that a shell there interprets
			j.readOnly(a, len(j.argv)-len(inner)-1)
		}
	}
	return nil
}

// subcommand returns the last word of a rule's name: "exec" of "docker compose exec".
func subcommand(rule string) string { return rule[strings.LastIndexByte(rule, ' ')+1:] }

// CommandLine returns an argument list as a person would type it.
func CommandLine(argv []string) string {
	quoted := make([]string, len(argv))
	for i, word := range argv {
		var err error
		if quoted[i], err = syntax.Quote(word, syntax.LangBash); err != nil { // a NUL, which no shell can hold
			quoted[i] = strconv.Quote(word)
		}
	}
	return strings.Join(quoted, " ")
}
