// Package guard decides whether a call of a brokered program may run. It judges the argument list, and text in it that a remote shell, a
// database or a template engine would interpret. What the policy does not list is refused, and so is what cannot be parsed. Judging has
// no side effects; the caller records the remediations that a grant must reserve.
package guard

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/inventory"
)

// Action is the kind of effect that a command has, for the purpose of permissions.
type Action string

// The actions, from the mildest to the gravest.
const (
	Observe   Action = "observe"
	Change    Action = "change"
	Restart   Action = "restart"
	Redeploy  Action = "redeploy"
	Named     Action = "action"    // an action of the services file
	Ask       Action = "ask"       // a person decides
	Unknown   Action = "unknown"   // not granted, or not parsable
	Forbidden Action = "forbidden" // on the never-allowed list
)

func (a Action) gravity() int {
	return slices.Index([]Action{Observe, Change, Restart, Redeploy, Named, Ask, Unknown, Forbidden}, a)
}

// Act is one effect of a call.
type Act struct {
	Action  Action `json:"action"`
	Command string `json:"command"`         // the part of the command that has the effect
	Rule    string `json:"rule"`            // the rule of the policy, or the check of the guard, that applied
	Reason  string `json:"reason,omitzero"` // of an unknown or forbidden act, with what to do instead

	tiers string // the tiers that may do it; empty: all
}

// Verdict is the decision on a call.
type Verdict struct {
	Allow  bool
	Reason string // of a refusal: tells the model why, and what to do instead
	Rule   string // the rule that decided
	Acts   []Act
	Argv   []string // the command to run, starting with the program's name
	Env    []string // NAME=VALUE, in addition to the broker's environment
	User   string   // the user to run as (sudo -u); empty for the broker's own
	Stdin  Stdin
	SetID  bool     // run without a Landlock domain, in which set-id programs fail
	Writes []string // directories that it may write; $NAME is a new empty one whose path is in that variable
}

// World is everything a decision depends on besides the call itself.
type World struct {
	Tier       int
	StateDir   string
	ResultsDir string
	ReposDir   string
	Scratch    string // the agent's TMPDIR
	Home       string // the agent's HOME
	Policy     *policy.Policy
	// Inventory is called only if names of services or hosts matter; nil means an empty inventory.
	Inventory func() (*inventory.Inventory, error)

	// Each of these may be nil.

	Reports       func(host string) bool            // reports whether the engine or the cluster reports a container or a service at host
	SharesNetwork func(container string) bool       // reports whether a container uses this machine's network; nil: any may
	Lookup        func(host string) []netip.Addr    // resolves a name; nil: any name may be this machine's
	Listeners     []string                          // HOST:PORT on which this program listens; no call may connect to them
	Dashboard     string                            // HOST:PORT by which people reach its dashboard; no call may connect to that either
	Resolve       func(path string) (string, error) // resolves links; nil: on this machine
}

// gravest returns the act that decides about all of them; Observe if there is none.
func gravest(acts []Act) Act {
	worst := Act{Action: Observe}
	for i, a := range acts {
		if i == 0 || a.Action.gravity() > worst.Action.gravity() {
			worst = a
		}
	}
	return worst
}

// decide turns acts into the tier's verdict: one refused act refuses the whole call.
func (w World) decide(acts []Act) Verdict {
	v := Verdict{Acts: acts, Allow: true, Rule: gravest(acts).Rule}
	worst := -1
	for _, a := range acts {
		if reason := w.refusal(a); reason != "" && a.Action.gravity() > worst {
			worst = a.Action.gravity()
			v.Allow, v.Reason, v.Rule = false, reason, a.Rule
		}
	}
	return v
}

// refusal returns the reason why the tier may not do this; empty if it may: whatever is more than a look is done by a verb (Verb).
func (w World) refusal(a Act) string {
	switch {
	case a.Action == Forbidden:
		return "never allowed: " + a.Reason
	case a.Action == Unknown:
		return "not granted: " + a.Reason
	case a.tiers != "" && !strings.Contains(a.tiers, strconv.Itoa(w.Tier)):
		return quoted(a.Command) + " is not for Tier " + strconv.Itoa(w.Tier) + ", only for: " + strings.Join(strings.Split(a.tiers, ""), ", ")
	case a.Action == Observe:
		return ""
	case w.Tier == 1:
		return quoted(a.Command) + " changes something, and Tier 1 only observes. Report what you see, and hand off to Tier 2"
	}
	return quoted(a.Command) + " changes something, which is done by a verb and a service alone: `restart`, `redeploy` (Tier 3) or `action`. " +
		"What these do not do, `propose` puts to a person"
}

// quoted formats a command for a sentence, at most 120 characters of it.
func quoted(command string) string {
	const most = 120
	command = strings.Join(strings.Fields(command), " ")
	if runes := []rune(command); len(runes) > most {
		command = string(runes[:most]) + "…"
	}
	return "`" + command + "`"
}
