package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).policyCommand) }

func (a *app) policyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "policy",
		Short: "Say what an agent may have the broker run",
		Long: `policy explains the rules by which programs that reach further than the sandbox are run for an agent: docker, kubectl, systemctl, curl,
psql, ssh and the others of the policy, each by its exact argument list.`,
	}
	c.AddCommand(a.policyExplainCommand())
	return c
}

func (a *app) policyExplainCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "explain --tier N -- ARGV…",
		Short: "Say whether a tier may have a program run, and why",
		Long: `Say what a call of a program does, whether a tier may make it, and why. Nothing runs and nothing is reserved.

With - in the place of the call, JSON arrays of words are read from standard input, one a line, and each is answered by one JSON
object a line: decision (allow, ask or deny), reason, actions. "claudeops sandbox" runs shell text as an agent would.`,
		Example: "  claudeops policy explain --tier 1 -- docker logs --tail 50 web\n  claudeops policy explain --tier 2 -- docker restart web",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && strings.ContainsAny(args[0], " \t\n") {
				return fmt.Errorf("%q is one word: write a call without quotes around all of it; `claudeops sandbox` takes shell text", args[0])
			}
			return nil
		},
	}
	c.Flags().SetInterspersed(false) // everything after the program's name belongs to the call
	tier := tierFlag(c, "tier", "the tier, `N`: 1, 2 or 3", 1, 2, 3)
	cwd := c.Flags().String("cwd", "", "judge relative paths as in this `DIR` (default: the repositories' folder)")
	c.RunE = a.configured(func(ctx context.Context, l *loaded, args []string) error { return a.explain(ctx, l, args, *tier, *cwd) })
	return c
}

func (a *app) explain(ctx context.Context, l *loaded, argv []string, tier int, cwd string) error {
	known, err := l.policy()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(cmp.Or(cwd, l.config.ReposDir))
	if err != nil {
		return err
	}
	c := l.config
	run := filepath.Join(c.StateDir, "run", "session-0")
	network := &discover.Network{Environ: broker.Environ(l.environment.Environ(), c.AgentEnv, []string{c.StateDir, c.ResultsDir})}
	w := guard.World{
		Tier: tier, StateDir: c.StateDir, ResultsDir: c.ResultsDir, ReposDir: c.ReposDir, Scratch: filepath.Join(run, "tmp"), Home: filepath.Join(run, "home"),
		Policy: known, Reports: network.Reports, SharesNetwork: network.Shares, Lookup: network.Lookup, Listeners: []string{c.DashboardAddr}, Dashboard: c.DashboardHost(),
		Inventory: sync.OnceValues(func() (*inventory.Inventory, error) { return readInventory(c) }),
	}
	judge := func(argv []string) (explanation, string) {
		if v, meant := guard.Typed(argv); meant {
			return explainVerb(ctx, l, w.Inventory, v, tier, dir, argv)
		}
		return explained(guard.JudgeArgv(w, guard.Call{Argv: argv, Dir: dir})), ""
	}
	if len(argv) == 1 && argv[0] == "-" {
		return a.explainAll(func(argv []string) explanation { e, _ := judge(argv); return e })
	}
	e, service := judge(argv)
	if a.json {
		return a.printJSON(e)
	}
	if program := filepath.Base(argv[0]); service == "" && !slices.Contains(known.Names(), program) {
		return a.print(fmt.Sprintf("Tier %d: runs in the sandbox, where no rule is asked: the policy does not name `%s`. Programs of the policy that it calls\n"+
			"are judged by themselves: explain those. `claudeops sandbox --tier %d '…'` runs it.\n", tier, program, tier))
	}
	said := table(a, []string{"ACTION", "COMMAND", "RULE"}, e.Commands, func(act guard.Act) []string {
		return []string{string(act.Action), act.Command, act.Rule}
	})
	switch e.Decision {
	case guard.Denied:
		return a.print(fmt.Sprintf("%s\nTier %d: refused, %s\n", said, tier, e.Reason))
	case guard.Asked:
		said += fmt.Sprintf("\nTier %d: put to a person\n", tier)
	default:
		said += fmt.Sprintf("\nTier %d: granted\n", tier)
	}
	held, err := a.held(ctx, l, w.Inventory, service)
	if err != nil {
		return err
	}
	return a.print(said + held)
}

// explainVerb returns what a verb of an agent would run, and for which service.
func explainVerb(
	ctx context.Context, l *loaded, services func() (*inventory.Inventory, error), v guard.Verb, tier int, dir string, typed []string,
) (e explanation, service string) {
	inv, err := services()
	if err != nil {
		return explanation{Decision: guard.Denied, Reason: err.Error(), Rule: broker.RuleServices, Actions: []guard.Action{v.Action}}, ""
	}
	c := l.config
	environ := broker.OperatorEnviron(l.environment.Environ(), []string{c.StateDir, c.ResultsDir})
	orders := broker.Orders{Tier: tier, DryRun: c.DryRun, ReposDir: c.ReposDir, Inventory: inv, Approval: c.Approval, Environ: environ}
	o, refusal := orders.Order(ctx, v, dir)
	runs := o.Argv
	if refusal != nil {
		runs = typed
	}
	act := guard.Act{Action: v.Action, Command: guard.CommandLine(runs), Rule: broker.RuleServices}
	e = explanation{Decision: guard.Allowed, Actions: []guard.Action{v.Action}, Rule: act.Rule, Commands: []guard.Act{act}}
	switch {
	case refusal != nil:
		e.Decision, e.Reason = guard.Denied, refusal.Reason
	case o.Asks:
		e.Decision, e.Reason = guard.Asked, "a person must permit it"
	}
	return e, o.Service
}

// held returns why an act on a service would still be refused now: a maintenance window, a silence, or a dependency that is down.
func (a *app) held(ctx context.Context, l *loaded, services func() (*inventory.Inventory, error), service string) (said string, err error) {
	if service == "" {
		return "", nil
	}
	b, err := records.Open(ctx, l.config, a.redactor, a.Now, store.ReadOnly)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if b.Inventory, err = services(); err != nil {
		return "", err
	}
	hold, err := b.Hold(ctx, service)
	if err != nil || hold.Reason == "" {
		return "", err
	}
	return "Now it would be refused: " + (&records.HeldError{Service: service, Hold: hold}).Error() + "\n", nil
}

// explanation is the JSON form of a verdict.
type explanation struct {
	Decision guard.Decision `json:"decision"`
	Reason   string         `json:"reason"`
	Actions  []guard.Action `json:"actions"` // of the call, each once
	Rule     string         `json:"rule"`
	Commands []guard.Act    `json:"commands"`
}

func explained(v guard.Verdict) explanation {
	e := explanation{Decision: guard.Denied, Reason: v.Reason, Rule: v.Rule, Commands: v.Acts}
	if v.Allow {
		e.Decision = guard.Allowed
	}
	for _, act := range v.Acts {
		if !slices.Contains(e.Actions, act.Action) {
			e.Actions = append(e.Actions, act.Action)
		}
	}
	return e
}

// maxExplained limits a line of standard input, and thereby a call.
const maxExplained = 1 << 20

// explainAll answers JSON arrays of words line by line. An invalid line is refused, like any call that cannot be parsed.
func (a *app) explainAll(judge func(argv []string) explanation) error {
	lines := bufio.NewScanner(a.In)
	lines.Buffer(nil, maxExplained)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var argv []string
		answer := explanation{
			Decision: guard.Denied, Reason: "not granted: the line is no JSON array of strings", Actions: []guard.Action{guard.Unknown}, Commands: []guard.Act{},
		}
		if json.Unmarshal(lines.Bytes(), &argv) == nil && argv != nil {
			answer = judge(argv)
		}
		out, err := json.Marshal(answer)
		if err != nil {
			return fmt.Errorf("encode the answer: %w", err)
		}
		if err := a.print(string(out) + "\n"); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	return nil
}
