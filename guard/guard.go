// Package guard decides what an agent may look at: which argument lists the broker runs for it (Guard, with the table policy.yaml), which
// files its commands read (Files), and which verb typed words mean (Typed). It keeps the record of a session's calls (Audit).
//
// What looks is listed; whatever is not listed is refused. Judging has no side effects.
package guard

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/sudo"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
)

// Action is what a call does.
type Action string

// The actions. All but Observe are acts, which verbs mean (Typed).
const (
	Observe  Action = "observe"
	Restart  Action = "restart"
	Redeploy Action = "redeploy"
	Named    Action = "action" // an action of the services file
	Ask      Action = "ask"    // a person decides
)

// Counts returns how an act counts against the limits.
func (a Action) Counts() statefile.Action {
	switch a {
	case Restart:
		return statefile.Restart
	case Redeploy:
		return statefile.Redeployment
	}
	return statefile.Other
}

// Guard judges argument lists. All fields except Inventory and Reports are required.
type Guard struct {
	Table     *Table
	ReposDir  string
	Inventory *inventory.Inventory
	Reports   func(host string) bool // reports whether the engine or the cluster reports a container or a service at a host
}

// Verdict is the decision on a call.
type Verdict struct {
	Allow   bool
	Sandbox bool   // it is not allowed, because it runs in the sandbox
	Reason  string // of a refusal: one sentence that tells the model what to do instead
	Rule    string // the program's name

	Argv []string // what runs, the program's name first
	Env  []string // NAME=VALUE, in addition to the broker's environment
	Own  bool     // it runs in no domain, in which the privileges of its file, and capabilities of root, have no effect
}

const (
	maxArguments = 2_000
	maxArgument  = 128 << 10 // bytes, sum of all arguments
	maxInside    = 3         // calls on another host, in a container or of a shell there, one in the other
)

// Judge decides on one call, with the working folder in which it was made.
func (g *Guard) Judge(argv []string, dir string) Verdict {
	j := &judge{Guard: g, dir: dir}
	argv = sudo.Drop(argv)
	if err := checkWords(argv); err != nil {
		return Verdict{Reason: "not granted: " + err.Error()}
	}
	v := Verdict{Rule: path.Base(argv[0])}
	run, err := j.call(argv, 0)
	var within *advised
	switch {
	case errors.As(err, &within):
		v.Reason = "not granted: " + err.Error() + ". " + within.sentence
	case errors.Is(err, errSandbox):
		v.Sandbox, v.Reason = true, "not granted: `"+v.Rule+"` runs in the sandbox, where a shell is"
	case err != nil:
		v.Reason = "not granted: " + err.Error() + j.Table.advice(argv)
	default:
		v.Allow, v.Argv, v.Env, v.Own = true, run, j.env, j.own
	}
	return v
}

// MayGet returns why a URL may not be asked; nil if it may.
func (g *Guard) MayGet(address string) error {
	j := &judge{Guard: g}
	if !j.url(address) {
		return errors.New(j.why)
	}
	return nil
}

// checkWords refuses an argument list that cannot be judged at all.
func checkWords(words []string) error {
	size := 0
	for _, w := range words {
		if size += len(w) + 1; !utf8.ValidString(w) || strings.ContainsRune(w, 0) {
			return errors.New("it is not UTF-8; write it plainly")
		}
	}
	switch {
	case len(words) == 0 || words[0] == "":
		return errors.New("the program's name is missing")
	case len(words) > maxArguments || size > maxArgument:
		return errors.New("it is too long; do it in smaller steps")
	}
	return nil
}

// advice returns what a refusal of a call adds: what to do instead.
func (t *Table) advice(argv []string) string {
	name := path.Base(argv[0])
	words := slices.DeleteFunc(slices.Clone(argv[1:]), func(w string) bool { return strings.HasPrefix(w, "-") })
	for n := min(2, len(words)); n >= 0; n-- {
		if sentence := t.instead[strings.Join(append([]string{name}, words[:n]...), " ")]; sentence != "" {
			return ". " + sentence
		}
	}
	return ". Use what looks in another form, or `propose` it"
}

// quoted formats a word for a sentence, at most 120 characters of it.
func quoted(word string) string { return "`" + text.Shorten(text.Line(word), 120) + "`" }

// CommandLine returns an argument list as a person would type it.
func CommandLine(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = text.ShellWord(word)
	}
	return strings.Join(words, " ")
}

func notListed(what string, args ...any) error {
	return fmt.Errorf(what+" is not listed", args...)
}
