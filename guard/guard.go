// Package guard decides whether a call of a brokered program may run: its argument list, and text in it that a shell elsewhere, a
// database or a template engine would read. What the policy does not list is refused, and so is what cannot be read. Judging has no
// effects; what a grant has to reserve is the caller's to write down.
package guard

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
)

// Action is what a command does, as far as permission goes.
type Action string

// The actions there are, from the mildest to the gravest.
const (
	Observe   Action = "observe"
	Change    Action = "change" // reversible, and not counted
	Restart   Action = "restart"
	Redeploy  Action = "redeploy"
	Ask       Action = "ask"       // a person decides
	Unknown   Action = "unknown"   // not granted, or not to be read
	Forbidden Action = "forbidden" // on the never-allowed list
)

func (a Action) gravity() int {
	return slices.Index([]Action{Observe, Change, Restart, Redeploy, Ask, Unknown, Forbidden}, a)
}

// Act is one thing that a call does.
type Act struct {
	Action   Action   `json:"action"`
	Services []string `json:"services,omitzero"` // of a restart or redeployment
	Command  string   `json:"command"`           // the part of the command that does it
	Rule     string   `json:"rule"`              // where the policy or the guard says so
	Reason   string   `json:"reason,omitzero"`   // of an unknown or forbidden one, with what to do instead
	Hidden   bool     `json:"hidden,omitzero"`   // its exit status is hidden by what follows it

	part  string // first or last step of a remediation
	tiers string // the tiers that may do it, where that does not follow from the action
}

// Verdict is the decision on a call.
type Verdict struct {
	Allow  bool
	Reason string // of a refusal: for the model, with what to do instead
	Rule   string // the rule that decided
	Acts   []Act
	Ask    bool     // refused until a person approves it
	Argv   []string // what is to be run, by the program's name
	Env    []string // variables that it gets beside the broker's, NAME=VALUE
	User   string   // as whom (sudo -u); empty: as the broker's own
	Stdin  Stdin
	SetID  bool     // it runs without a domain of its own
	Writes []string // folders that it may write; $NAME is an empty one of its own, which that variable names
}

// Remediation is one restart or redeployment of one service, which has to be reserved before it runs.
type Remediation struct {
	Service string
	Action  statefile.Action
	Detail  string // the command
	Part    string // first or last step of one (stop, start); empty for a whole one
}

// Remediations are what a granted call has to reserve, in order, each repetition for itself.
func (v Verdict) Remediations() (list []Remediation) {
	for _, a := range v.Acts {
		action, counted := map[Action]statefile.Action{Restart: statefile.Restart, Redeploy: statefile.Redeployment}[a.Action]
		if !counted {
			continue
		}
		detail := a.Command
		if a.Hidden {
			detail += " (its exit status is hidden by what follows it)"
		}
		for _, service := range a.Services {
			list = append(list, Remediation{service, action, detail, a.part})
		}
	}
	return list
}

// World is what a decision depends on beside the call itself.
type World struct {
	Tier       int
	DryRun     bool
	StateDir   string
	ResultsDir string
	ReposDir   string
	Scratch    string // the agent's TMPDIR
	Home       string // the agent's HOME
	Policy     *policy.Policy
	// Inventory is called only where names of services or hosts matter; nil is an empty one.
	Inventory func() (*inventory.Inventory, error)

	// Each of these may be nil.

	Reports       func(host string) bool            // whether the engine or the cluster reports a container or a service of this name or address
	SharesNetwork func(container string) bool       // whether a container has this machine's own network; nil: each may
	Lookup        func(host string) []netip.Addr    // the addresses of a name; nil: a name may be this machine's
	Listeners     []string                          // HOST:PORT on which this program listens: nothing reaches them
	Resolve       func(path string) (string, error) // a path without links; nil: as it lies on this machine
	ReadFile      func(path string) ([]byte, error) // a file of a project; nil: as it lies on this machine
}

// gravest is the action that decides about all of them; Observe where there is none.
func gravest(acts []Act) Act {
	worst := Act{Action: Observe}
	for i, a := range acts {
		if i == 0 || a.Action.gravity() > worst.Action.gravity() {
			worst = a
		}
	}
	return worst
}

// decide turns acts into the tier's verdict: one refused part refuses the whole.
func (w World) decide(acts []Act) Verdict {
	v := Verdict{Acts: acts, Allow: true, Rule: gravest(acts).Rule}
	worst := -1
	for _, a := range acts {
		reason := w.refusal(a)
		if reason != "" && a.Action.gravity() > worst {
			worst = a.Action.gravity()
			v.Allow, v.Ask, v.Reason, v.Rule = false, a.Action == Ask && w.mayDo(a) && !w.DryRun, reason, a.Rule
		}
	}
	return v
}

// refusal is why the tier may not do this; empty where it may (SPEC-0007 REQ-14, SPEC-0016 tiers).
func (w World) refusal(a Act) string {
	switch {
	case a.Action == Forbidden:
		return "never allowed: " + a.Reason
	case a.Action == Unknown:
		return "not granted: " + a.Reason
	case (a.Action != Observe || a.tiers != "") && w.DryRun:
		return "this is a dry run: " + quoted(a.Command) + " is a " + string(a.Action) + "; only observing is permitted. Report what you would have done"
	case !w.mayDo(a):
		return w.tierRefusal(a)
	case a.Action == Ask:
		return quoted(a.Command) + " needs a person's approval"
	}
	return ""
}

// mayDo reports whether a granted act is for the tier.
func (w World) mayDo(a Act) bool {
	return strings.Contains(cmp.Or(a.tiers, policy.Tiers(string(a.Action))), strconv.Itoa(w.Tier))
}

func (w World) tierRefusal(a Act) string {
	if a.tiers != "" {
		return quoted(a.Command) + " is not for Tier " + strconv.Itoa(w.Tier) + ", only for: " + strings.Join(strings.Split(a.tiers, ""), ", ")
	}
	what := quoted(a.Command) + " is a " + string(a.Action)
	if len(a.Services) > 0 {
		what += " of " + strings.Join(a.Services, ", ")
	}
	if w.Tier == 1 {
		return what + "; Tier 1 only observes. Report what you see with `claudeops report` and hand off to Tier 2"
	}
	return what + ", which Tier 3 may do. Write down what you found with `claudeops handoff write --tier 3`"
}

// quoted is a command in a sentence, cut where it is long.
func quoted(command string) string {
	const most = 120
	command = strings.Join(strings.Fields(command), " ")
	if runes := []rune(command); len(runes) > most {
		command = string(runes[:most]) + "…"
	}
	return "`" + command + "`"
}
