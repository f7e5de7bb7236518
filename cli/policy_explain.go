package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).policyCommand) }

func (a *app) policyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "policy",
		Short: "Say what an agent may have the broker run",
		Long: `policy explains which programs that reach further than the sandbox are run for an agent: docker, kubectl, systemctl, curl, ssh and
others, each by its exact argument list, as the built-in table and CLAUDEOPS_POLICY list it.`,
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
object a line: decision (allow, ask or deny), reason, actions, rule, runs. "claudeops sandbox" runs shell text as an agent would.`,
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
	known, err := l.table()
	if err != nil {
		return err
	}
	inv, err := readInventory(l.config)
	if err != nil {
		return err
	}
	c := l.config
	dir, err := filepath.Abs(cmp.Or(cwd, c.ReposDir))
	if err != nil {
		return err
	}
	network := &discover.Network{Environ: broker.Environ(l.environment.Environ(), c.AgentEnv)}
	looks := guard.Guard{Table: known, ReposDir: c.ReposDir, Inventory: inv, Reports: network.Reports}
	judge := func(argv []string) explanation {
		if v, meant := guard.Typed(argv); meant {
			return explainVerb(ctx, l, inv, v, tier, dir, argv)
		}
		if broker.Asked(argv) {
			if err := looks.MayGet(strings.Join(argv[2:], " ")); argv[1] == "get" && err != nil {
				return explanation{Decision: guard.Denied, Reason: err.Error(), Actions: []guard.Action{}, Rule: argv[1]}
			}
			return explanation{Decision: guard.Allowed, Actions: []guard.Action{guard.Observe}, Rule: argv[1], Runs: guard.CommandLine(argv)}
		}
		return explained(looks.Judge(argv, dir))
	}
	if len(argv) == 1 && argv[0] == "-" {
		return a.explainAll(judge)
	}
	e := judge(argv)
	if a.json {
		return a.printJSON(e)
	}
	switch {
	case e.sandbox:
		return a.print(fmt.Sprintf("Tier %d: runs in the sandbox, where no rule is asked; `claudeops sandbox --tier %d '…'` runs it\n", tier, tier))
	case e.Decision == guard.Denied:
		return a.print(fmt.Sprintf("Tier %d: refused, %s\n", tier, e.Reason))
	case e.Decision == guard.Asked:
		return a.print(fmt.Sprintf("Tier %d: put to a person: %s\n", tier, e.Runs))
	}
	held, err := a.held(ctx, l, inv, e, tier)
	if err != nil {
		return err
	}
	return a.print(fmt.Sprintf("Tier %d: granted: %s\n%s", tier, e.Runs, held))
}

// explainVerb returns what a verb of an agent would run.
func explainVerb(ctx context.Context, l *loaded, inv *inventory.Inventory, v guard.Verb, tier int, dir string, typed []string) explanation {
	c := l.config
	environ := broker.ActEnviron(l.environment.Environ(), "")
	orders := guard.Orders{Tier: tier, DryRun: c.DryRun, ReposDir: c.ReposDir, Inventory: inv, Approval: c.Approval, Environ: environ}
	o, refusal := orders.Order(ctx, v, dir)
	runs := o.Argv
	if refusal != nil {
		runs = typed
	}
	e := explanation{
		Decision: guard.Allowed, Actions: []guard.Action{v.Action}, Rule: guard.RuleServices, Runs: guard.CommandLine(runs), service: o.Service,
	}
	switch {
	case refusal != nil:
		e.Decision, e.Reason = guard.Denied, refusal.Reason
	case o.Asks:
		e.Decision, e.Reason = guard.Asked, "a person must permit it"
	}
	return e
}

// held returns why an act on a service would still be refused now: a maintenance window, a silence, a dependency that is down, a limit.
func (a *app) held(ctx context.Context, l *loaded, inv *inventory.Inventory, e explanation, tier int) (said string, err error) {
	if e.service == "" {
		return "", nil
	}
	b, err := ledger.Open(ctx, l.config, a.redactor, a.Now, store.ReadOnly)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	b.Inventory = inv
	st, _, err := state.Mended(ctx, b) // it reserves nothing
	if err != nil {
		return "", err
	}
	if refusal := st.MayTouch(e.service, e.Actions[0].Counts(), state.By{Tier: tier}); refusal != nil {
		said = "Now it would be refused: " + refusal.Why() + "\n"
	}
	return said, nil
}

// explanation is the JSON form of a verdict.
type explanation struct {
	Decision guard.Decision `json:"decision"`
	Reason   string         `json:"reason"`
	Actions  []guard.Action `json:"actions"` // what it does: look, or an act; of a refusal that is no verb, none
	Rule     string         `json:"rule"`
	Runs     string         `json:"runs"` // as a person would type it; of a verb that is refused the call

	sandbox bool   // it is no call of the broker's
	service string // of a verb
}

func explained(v guard.Verdict) explanation {
	if !v.Allow {
		return explanation{Decision: guard.Denied, Reason: v.Reason, Actions: []guard.Action{}, Rule: v.Rule, sandbox: v.Sandbox}
	}
	return explanation{Decision: guard.Allowed, Actions: []guard.Action{guard.Observe}, Rule: v.Rule, Runs: guard.CommandLine(v.Argv)}
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
			Decision: guard.Denied, Reason: "not granted: the line is no JSON array of strings", Actions: []guard.Action{},
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
