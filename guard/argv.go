package guard

import (
	"cmp"
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

// Call is one call of a brokered program, as it arrived.
type Call struct {
	Argv []string // the program's name first
	Dir  string   // the folder in which it was called, absolute
	// Input is the text on standard input, where a verdict has asked for it (StdinText); nil is not known.
	Input *string
}

// Stdin is what a granted program gets as its standard input.
type Stdin string

// What there is: nothing, what its caller gave it, or text that was judged.
const (
	StdinNone Stdin = ""
	StdinData Stdin = "data"
	// StdinText is text that the program would run: it gets the very text that was judged. A refusal with it asks for Call.Input.
	StdinText Stdin = "text"
)

// JudgeArgv decides on one call of a brokered program. It reserves and runs nothing.
func JudgeArgv(w World, c Call) Verdict {
	j := &judge{world: w, dir: c.Dir, input: c.Input}
	if err := j.checkWords(c.Argv); err != nil {
		j.refuse(err, "call", c.Argv[:min(1, len(c.Argv))])
	} else if err := j.command(c.Argv); err != nil {
		j.refuse(err, path.Base(c.Argv[0]), c.Argv)
	}
	v := w.decide(joinSteps(j.acts))
	v.Stdin, v.SetID, v.User = j.stdin, j.setID, j.user
	if v.Allow {
		v.Argv, v.Env, v.Writes = j.argv, j.env, j.writes
	}
	return v
}

// judge is the judging of one call, with all that runs inside of it.
type judge struct {
	world     World
	dir       string          // where the present command runs
	place     string          // where else it runs: "in the container web", "on db1"; empty here
	machine   bool            // it runs on another machine
	nowhere   string          // the host on which it runs, where no address of that is known
	container string          // the container of this machine in which it runs, as its program calls it; empty for none
	changing  bool            // behind claudeops change
	patterns  map[string]bool // words that the shell elsewhere may replace by names of files
	hidden    bool            // what follows hides its exit status
	input     *string
	piped     bool // elsewhere, what another command prints is its standard input
	handed    bool // in a container, it is given our standard input
	scripted  bool // elsewhere, the text that contains it is its standard input
	depth     int
	extended  int // how many compose files others have named

	acts   []Act
	argv   []string // what is run here
	env    []string
	user   string // as whom; empty: as the broker
	stdin  Stdin
	setID  bool
	writes []string
}

// refusal is an error that says why a call is refused.
type refusal struct {
	action    Action // Unknown or Forbidden
	reason    string
	explained bool // with what to do instead
}

func (r *refusal) Error() string { return r.reason }

func unknown(format string, args ...any) error {
	return &refusal{action: Unknown, reason: fmt.Sprintf(format, args...)}
}

// final is unknown for a reason beside which the rule's advice would mislead.
func final(format string, args ...any) error {
	return &refusal{action: Unknown, reason: fmt.Sprintf(format, args...), explained: true}
}

func forbidden(format string, args ...any) error {
	return &refusal{action: Forbidden, reason: fmt.Sprintf(format, args...)}
}

// refuse keeps a refusal as an act.
func (j *judge) refuse(err error, rule string, words []string) {
	a := Act{Action: Unknown, Rule: rule, Command: CommandLine(words), Reason: err.Error()}
	if r := (*refusal)(nil); errors.As(err, &r) {
		a.Action = r.action
	}
	j.acts = append(j.acts, a)
}

const (
	maxArguments = 2_000
	maxArgument  = 128 << 10 // bytes, all of them together
	maxInside    = 8         // commands within commands
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

// systemFolders hold programs that are known by their names.
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
	case rule == nil && j.changing:
		return unknown("`%s` is not among the programs that change files: rm, truncate, chmod, chown, chgrp", name)
	case rule == nil && j.place == "" && j.user != "":
		return final("`%s` as another user is not granted: leave `sudo` out, what is to be read or computed runs in the sandbox; files are changed by `claudeops change -- ARGV`", name)
	case rule == nil:
		return unknown("the program `%s` is not in the policy; use another one, or leave it to a person", name)
	case name == "claudeops" && (j.place != "" || j.user != ""):
		return forbidden("this program is called plainly, never by way of another program, shell or machine")
	}
	if j.place == "" {
		j.argv = append([]string{name}, words[1:]...)
		if name == "ssh" { // which fails where its configuration has it make a socket for others, and uses one that is there all the same
			j.argv = slices.Insert(j.argv, 1, "-o", "ControlMaster=no")
		}
	}
	c := &invocation{words: words, name: name, rule: rule, levels: []*policy.Rule{rule}}
	if err := c.parse(words[1:]); err != nil {
		return c.explain(err)
	}
	return c.explain(j.conclude(c))
}

// rule is what the policy knows of a program here, elsewhere, or among those that change files.
func (j *judge) rule(name string) *policy.Rule {
	switch {
	case j.changing:
		return j.world.Policy.ChangeProgram(name)
	case j.place != "":
		return j.world.Policy.RemoteProgram(name)
	}
	return j.world.Policy.Program(name)
}

// conclude judges what was given to a program, and keeps what it does then.
func (j *judge) conclude(c *invocation) error {
	if err := c.complete(); err != nil {
		return err
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

// record keeps what the program does, and how it is to be run.
func (j *judge) record(c *invocation) error {
	a := Act{Action: c.action(), Rule: c.name, Command: CommandLine(c.words), part: cmp.Or(c.part, c.rule.Part), tiers: c.rule.Tiers}
	if a.Action == Restart || a.Action == Redeploy {
		services, err := j.services(c)
		if err != nil {
			return err
		}
		if len(services) == 0 {
			return unknown("which service this is about cannot be read; name it")
		}
		a.Services, a.Hidden = services, j.hidden
	}
	j.acts = append(j.acts, a)
	if j.place == "" {
		j.setID = j.setID || c.rule.SetID
		j.writes = append(j.writes, strings.Fields(c.rule.Writes)...)
		j.readOnly(a, len(j.argv))
	}
	return nil
}

// readOnly has a server keep to reading where its client only looks: a net below the reading of the text, never instead of it. at is
// where in the argument list a variable for a container would stand.
func (j *judge) readOnly(a Act, at int) {
	const postgres, mysql = "PGOPTIONS=-c default_transaction_read_only=on", "--init-command=SET SESSION TRANSACTION READ ONLY"
	switch {
	case a.Action != Observe || slices.Contains(j.argv, "--"): // behind which there are no options
	case a.Rule == "psql" && strings.Contains(a.Command, "6432"): // PgBouncer takes no options
	case a.Rule == "psql" && at == len(j.argv):
		j.env = append(j.env, postgres)
	case a.Rule == "psql":
		j.argv = slices.Insert(j.argv, at, "-e", postgres)
	case a.Rule == "mysql" || a.Rule == "mariadb":
		j.argv = append(j.argv, mysql)
	}
}

// standardInput judges what a program reads there.
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

// folder judges what the program takes from the folder where it is called.
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
	j.handed = place == "" && step(c.name) == "exec" && c.has("-i", "--interactive")
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
			if j.container == container { // the first is what is entered
				j.container = v.text
			}
		}
	}
	if dir, given := c.value("-w", "--workdir"); given {
		if j.dir = dir; !wholePath().MatchString(dir) || linkedFolder(dir) {
			return unknown("`%s` is not the whole path of a folder without links to other processes", dir)
		}
	}
	if c.name == "claudeops change" {
		j.changing = true
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
	if err := j.command(inner); err != nil || place != "" || step(c.name) != "exec" || !strings.HasPrefix(c.name, "docker") && !strings.HasPrefix(c.name, "podman") {
		return err
	}
	for _, a := range slices.Clone(j.acts[acts:]) {
		if path.Base(inner[0]) == a.Rule { // not in text for a shell there
			j.readOnly(a, len(j.argv)-len(inner)-1)
		}
	}
	return nil
}

// CommandLine is an argument list as a person would type it.
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
