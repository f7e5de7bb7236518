package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe/discover"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).guardExplainGroup) }

func (a *app) guardExplainGroup() *cobra.Command {
	c := &cobra.Command{
		Use:   "guard",
		Short: "Say what an agent may have the broker run",
		Long: `guard tells of the rules by which programs that reach further than the sandbox are run for an agent: docker, kubectl, systemctl, curl,
psql, ssh and the others of the policy, each by its exact argument list.`,
	}
	c.AddCommand(a.guardExplainCommand())
	return c
}

func (a *app) guardExplainCommand() *cobra.Command {
	tier := tierOf("1", "2", "3")
	var cwd string
	c := &cobra.Command{
		Use:   "explain --tier N -- ARGV...",
		Short: "Say whether a tier may have a program run, and why",
		Long: `Say what a call of a program does, whether a tier may make it, and why. Nothing runs and nothing is reserved.

With - in the place of the call, JSON arrays of words are read from standard input, one a line, and each is answered by one JSON
object a line: decision (allow, ask or deny), reason, actions. "` + a.program + ` sandbox" runs shell text as an agent would.`,
		Example: "  " + a.program + " guard explain --tier 1 -- docker logs --tail 50 web\n  " + a.program + " guard explain --tier 2 -- docker restart web",
		Args: cobra.MatchAll(several("ARGV"), func(_ *cobra.Command, args []string) error {
			switch {
			case tier.tier() == 0:
				return errors.New("--tier is missing: 1, 2 or 3")
			case len(args) == 1 && strings.ContainsAny(args[0], " \t\n"):
				return fmt.Errorf("%q is one word: write a call without quotes around all of it; `%s sandbox` takes shell text", args[0], a.program)
			}
			return nil
		}),
		RunE: func(c *cobra.Command, args []string) error { return a.explain(c.Context(), args, tier.tier(), cwd) },
	}
	c.Flags().SetInterspersed(false) // from the program's name on nothing is ours
	c.Flags().Var(tier, "tier", "the tier, `N`: 1, 2 or 3")
	c.Flags().StringVar(&cwd, "cwd", "", "judge relative paths as in this `DIR` (default: the repositories' folder)")
	return c
}

func (a *app) explain(ctx context.Context, argv []string, tier int, cwd string) error {
	l, err := a.load()
	if err != nil {
		return err
	}
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
		Tier: tier, DryRun: c.DryRun, StateDir: c.StateDir, ResultsDir: c.ResultsDir, ReposDir: c.ReposDir, Scratch: filepath.Join(run, "tmp"), Home: filepath.Join(run, "home"),
		Policy: known, Reports: network.Reports, SharesNetwork: network.Shares, Lookup: network.Lookup, Listeners: []string{c.DashboardAddr},
		Inventory: sync.OnceValues(func() (*inventory.Inventory, error) { return readInventory(c) }),
	}
	if len(argv) == 1 && argv[0] == "-" {
		return a.explainAll(w, dir)
	}
	v := guard.JudgeArgv(w, guard.Call{Argv: argv, Dir: dir})
	if a.json {
		return a.printJSON(explained(v))
	}
	if program := filepath.Base(argv[0]); c.Sandbox != config.Plain && !slices.Contains(known.Names(), program) {
		return a.print(fmt.Sprintf("Tier %d: runs in the sandbox, where no rule is asked: the policy does not name `%s`. Programs of the policy that it calls\n"+
			"are judged by themselves: explain those. `%s sandbox --tier %d '…'` runs it.\n", tier, program, a.program, tier))
	}
	if err := a.printVerdict(v, tier); err != nil {
		return err
	}
	if !v.Allow {
		return nil
	}
	return a.printHeld(ctx, c, v)
}

// printHeld says of what is granted by itself and yet would be refused now: a service in a maintenance window or under a silence, and
// one that depends on another that is down.
func (a *app) printHeld(ctx context.Context, c config.Config, v guard.Verdict) error {
	b, err := records.Open(ctx, c, a.redactor, a.Now, store.ReadOnly)
	if err != nil {
		return err
	}
	if b.Inventory, err = readInventory(c); err != nil {
		return errors.Join(err, b.Close())
	}
	told := map[string]bool{}
	for _, r := range v.Remediations() {
		hold, err := b.Hold(ctx, r.Service)
		if err != nil {
			return errors.Join(err, b.Close())
		}
		if hold.Reason == "" || told[r.Service] {
			continue
		}
		told[r.Service] = true
		if err := a.print("Now it would be refused: " + (&records.HeldError{Service: r.Service, Hold: hold}).Error() + "\n"); err != nil {
			return errors.Join(err, b.Close())
		}
	}
	return b.Close()
}

// explanation is a verdict as programs read it.
type explanation struct {
	Decision guard.Decision `json:"decision"`
	Reason   string         `json:"reason"`
	Actions  []guard.Action `json:"actions"` // each that the call does, once
	Rule     string         `json:"rule"`
	Commands []guard.Act    `json:"commands"`
}

func explained(v guard.Verdict) explanation {
	e := explanation{Decision: decision(v), Reason: v.Reason, Rule: v.Rule, Commands: v.Acts}
	for _, act := range v.Acts {
		if !slices.Contains(e.Actions, act.Action) {
			e.Actions = append(e.Actions, act.Action)
		}
	}
	return e
}

func decision(v guard.Verdict) guard.Decision {
	switch {
	case v.Allow:
		return guard.Allowed
	case v.Ask:
		return guard.Asked
	}
	return guard.Denied
}

// maxExplained bounds a line of standard input, and with it a call.
const maxExplained = 1 << 20

// explainAll answers JSON arrays of words line by line. A line that is none, or is too long, is refused like every call that cannot be read.
func (a *app) explainAll(w guard.World, dir string) error {
	lines := bufio.NewReaderSize(a.In, maxExplained)
	for {
		line, err := lines.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return fmt.Errorf("read standard input: %w", err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			if err := a.explainLine(w, dir, line, long); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
	}
}

func (a *app) explainLine(w guard.World, dir string, line []byte, long bool) error {
	var argv []string
	answer := explanation{
		Decision: guard.Denied, Reason: "not granted: the line is no JSON array of strings of less than 1 MiB", Actions: []guard.Action{guard.Unknown}, Commands: []guard.Act{},
	}
	if !long && json.Unmarshal(line, &argv) == nil && argv != nil {
		answer = explained(guard.JudgeArgv(w, guard.Call{Argv: argv, Dir: dir}))
	}
	out, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	return a.print(string(out) + "\n")
}

// printVerdict shows what the call does, a line each, and the decision.
func (a *app) printVerdict(v guard.Verdict, tier int) error {
	err := a.printTable([]string{"ACTION", "SERVICES", "COMMAND", "RULE"}, func(row func(...string)) {
		for _, act := range v.Acts {
			row(string(act.Action), strings.Join(act.Services, ", "), strings.Join(strings.Fields(act.Command), " "), act.Rule)
		}
	})
	if err != nil {
		return err
	}
	text := fmt.Sprintf("\nTier %d: granted\n", tier)
	if !v.Allow {
		text = fmt.Sprintf("\nTier %d: refused, %s\n", tier, v.Reason)
	}
	return a.print(text)
}
