// Package guard decides whether a call of a brokered program may run. It judges the argument list, and text in it that a remote shell, a
// database or a template engine would interpret. What the policy does not list is refused, and so is what cannot be parsed. Judging has
// no side effects; the caller records the remediations that a grant must reserve.
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

// Action is the kind of effect that a command has, for the purpose of permissions.
type Action string

// The actions, from the mildest to the gravest.
const (
	Observe   Action = "observe"
	Change    Action = "change" // reversible; not counted as a remediation
	Restart   Action = "restart"
	Redeploy  Action = "redeploy"
	Ask       Action = "ask"       // needs a person's approval
	Unknown   Action = "unknown"   // not granted, or not parsable
	Forbidden Action = "forbidden" // on the never-allowed list
)

func (a Action) gravity() int {
	return slices.Index([]Action{Observe, Change, Restart, Redeploy, Ask, Unknown, Forbidden}, a)
}

// Act is one effect of a call, whether it counts as a remediation or not. What counts is recorded as a store.Act.
type Act struct {
	Action   Action   `json:"action"`
	Services []string `json:"services,omitzero"` // of a restart or redeployment
	Command  string   `json:"command"`           // the part of the command that has the effect
	Rule     string   `json:"rule"`              // the rule of the policy, or the check of the guard, that applied
	Reason   string   `json:"reason,omitzero"`   // of an unknown or forbidden act, with what to do instead
	Hidden   bool     `json:"hidden,omitzero"`   // a later command hides its exit status

	part  string // the remediation step: first or last
	tiers string // the tiers that may do it; empty: the action decides
}

// Verdict is the decision on a call.
type Verdict struct {
	Allow   bool
	Reason  string // of a refusal: tells the model why, and what to do instead
	Rule    string // the rule that decided
	Acts    []Act
	Ask     bool     // refused until a person approves it; Argv and the like are then set
	Argv    []string // the command to run, starting with the program's name
	Env     []string // NAME=VALUE, in addition to the broker's environment
	User    string   // the user to run as (sudo -u); empty for the broker's own
	Stdin   Stdin
	SetID   bool     // run without a Landlock domain, in which set-id programs fail
	Writes  []string // directories that it may write; $NAME is a new empty one whose path is in that variable
	Project Project
	// Relative is set if it goes back to the revision before the one that runs, whichever that is by then.
	Relative bool
}

// Project is what a verdict has read of compose projects, and the paths that the call and these projects name.
type Project struct {
	Read      map[string][]byte // the content of each compose file by its path; nil if there is one that cannot be read
	Named     []string          // the paths that compose files name, and those of files that the call names
	Manifests []string          // the paths of charts and manifests that the call names: files, or folders that are read as a whole
	Images    []string          // the images that compose files name
}

// Remediation is one restart or redeployment of one service. It must be reserved before it runs.
type Remediation struct {
	Service string
	Action  statefile.Action
	Detail  string // the command
	Part    string // first or last, if it is one step of a remediation (stop, start); empty for a whole one
}

// Remediations returns what a granted call must reserve, in order. Repetitions are listed separately.
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

// World is everything a decision depends on besides the call itself.
type World struct {
	Tier       int
	DryRun     bool
	Approved   bool // a person has approved the call: what needs that is granted
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
	ReadFile      func(path string) ([]byte, error) // reads a file of a compose project; nil: on this machine, up to the size that is judged
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
		reason := w.refusal(a)
		if reason != "" && a.Action.gravity() > worst {
			worst = a.Action.gravity()
			v.Allow, v.Ask, v.Reason, v.Rule = false, a.Action == Ask && w.mayDo(a) && !w.DryRun, reason, a.Rule
		}
	}
	return v
}

// refusal returns the reason why the tier may not do this; empty if it may (SPEC-0007 REQ-14, SPEC-0016 tiers).
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
	case a.Action == Ask && !w.Approved:
		return quoted(a.Command) + " needs a person's approval"
	}
	return ""
}

// mayDo reports whether the tier may do a granted act.
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

// quoted formats a command for a sentence, at most 120 characters of it.
func quoted(command string) string {
	const most = 120
	command = strings.Join(strings.Fields(command), " ")
	if runes := []rune(command); len(runes) > most {
		command = string(runes[:most]) + "…"
	}
	return "`" + command + "`"
}
