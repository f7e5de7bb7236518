package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/drill"
	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/internal/text"
)

func init() { addCommand((*app).drillCommand) }

// drillFlags are the flags of drill.
type drillFlags struct {
	names      []string
	list       bool
	requireAll bool
	min        float64
}

func (a *app) drillCommand() *cobra.Command {
	var f drillFlags
	c := &cobra.Command{
		Use:   "drill",
		Short: "Break a homelab of its own, one fault at a time, and score what first aid or your model makes of it",
		Long: `drill starts a homelab of its own on loopback, private and gone at the end, injects one fault at a time, and runs real cycles with what is
configured: the checks and first aid alone or, with a credential, your models, which then cost what they cost. Your services, records,
messages and settings are left alone; of the environment only what says which model to ask, and what limits agents, is used: the highest
tier, the files that none may read, and CLAUDEOPS_DAILY_BUDGET_USD, at which the drill ends.

A fault scores 20 where it was detected, 30 where its cause was named, 50 where it was mended; a case in which nothing should be done 100
where nothing was. A case in which a service was touched that should not have been scores 0. The total is the mean of the cases that ran.

Exit codes: 0; 1 below --min, with --require-all where a case was skipped, and where a case could not be run or the drill could not go on.`,
		Example: "  claudeops drill\n  claudeops drill --case crash --case hang\n  claudeops drill --json --min 60",
	}
	c.Flags().StringArrayVar(&f.names, "case", nil, "only the case of this `NAME`; may be repeated")
	c.Flags().BoolVar(&f.list, "list", false, "list the cases, and run none")
	c.Flags().BoolVar(&f.requireAll, "require-all", false, "fail where a case was skipped")
	flags.Var(c.Flags(), &f.min, "min", "", "fail where the total is below this `SCORE`, 0 to 100", func(text string) (float64, error) {
		score, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(score) || score < 0 || score > 100 {
			return 0, errors.New("not a score of 0 to 100")
		}
		return score, nil
	})
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := noDrillForAgents(); err != nil {
			return err
		}
		chosen, err := drill.Named(f.names...)
		if err != nil {
			return &exitError{exitUsage, err}
		}
		if f.list {
			return a.listCases(chosen)
		}
		return a.drill(c.Context(), chosen, f)
	}
	c.AddCommand(a.drillServe(), a.drillPart(), a.drillControl(), a.drillSweep())
	return c
}

func (a *app) listCases(list []drill.Case) error {
	type listed struct {
		Name   string     `json:"name"`
		Kind   drill.Kind `json:"kind"`
		Unseen bool       `json:"unseen"`
		About  string     `json:"about"`
		Needs  []string   `json:"needs"`
	}
	rows := []listed{}
	for _, c := range list {
		rows = append(rows, listed{c.Name, c.Kind, c.Unseen, c.Summary, append([]string{}, c.Needs...)})
	}
	return show(a, rows, "no cases", []string{"CASE", "KIND", "ABOUT", "NEEDS"}, func(c listed) []string {
		kind := string(c.Kind)
		if c.Unseen {
			kind += ", unseen"
		}
		return []string{c.Name, kind, c.About, dash(strings.Join(c.Needs, ", "))}
	})
}

func (a *app) drill(ctx context.Context, chosen []drill.Case, f drillFlags) error {
	l, err := a.load()
	if err != nil {
		return &exitError{exitUsage, err}
	}
	known, err := l.policy()
	if err != nil {
		return err
	}
	program, err := ownPath()
	if err != nil {
		return fmt.Errorf("the path of this program: %w", err)
	}
	report, failed := drill.Run(ctx, drill.Options{
		Program: program, Environ: l.environment.Environ(), Cases: chosen, DailyBudgetUSD: l.config.DailyBudgetUSD,
		Secrets: slices.Concat(l.environment.SecretFiles(), known.OwnSecrets),
		Ended:   func(r drill.Result) { a.note(drillCells(a, r)[0] + ": " + drillWords(r)) },
	})
	if ctx.Err() != nil {
		return cmp.Or(failed, context.Cause(ctx))
	}
	if failed != nil && report.Cases == nil { // there is no homelab
		return failed
	}
	if err := errors.Join(failed, a.answer(report, a.drillTable(report))); err != nil {
		return err
	}
	return f.wanted(report)
}

// wanted returns what a report lacks of what the flags want.
func (f drillFlags) wanted(report drill.Report) error {
	if f.requireAll && slices.ContainsFunc(report.Cases, func(r drill.Result) bool { return r.Skipped != "" }) {
		return errors.New("cases were skipped, and --require-all wants all of them")
	}
	if report.Score < f.min {
		return fmt.Errorf("the score is %.1f, below %.1f", report.Score, f.min)
	}
	return nil
}

// drillWords says in short how a case ended.
func drillWords(r drill.Result) string {
	switch {
	case r.Skipped != "":
		return "skipped: " + r.Skipped
	case r.Failed != "":
		return "failed: " + r.Failed
	}
	return fmt.Sprintf("%d points", r.Score)
}

// drillTable shows a report: faults, those that no check sees, and cases without an act.
func (a *app) drillTable(report drill.Report) string {
	var out strings.Builder
	group := func(title string, belongs func(drill.Result) bool) {
		rows := slices.DeleteFunc(slices.Clone(report.Cases), func(r drill.Result) bool { return !belongs(r) })
		if len(rows) > 0 {
			out.WriteString(table(a, []string{title, "DETECTED", "CAUSE", "MENDED", "TOOK", "COST", "COLLATERAL", "SCORE"}, rows,
				func(r drill.Result) []string { return drillCells(a, r) }) + "\n")
		}
	}
	group("FAULT", func(r drill.Result) bool { return r.Kind == drill.Fault && !r.Unseen })
	group("FAULT THAT NO CHECK SEES", func(r drill.Result) bool { return r.Kind == drill.Fault && r.Unseen })
	group("NOTHING TO DO", func(r drill.Result) bool { return r.Kind == drill.NoAct })
	ran, cost := 0, 0.0
	for _, r := range report.Cases {
		cost += r.CostUSD
		if r.Ran() {
			ran++
		}
	}
	fmt.Fprintf(&out, "score %.1f of 100, the mean of %s that ran; %s\n", report.Score, text.Count(ran, "case"), text.Cost(cost))
	return out.String()
}

func drillCells(a *app, r drill.Result) []string {
	if !r.Ran() {
		return []string{r.Name, a.line(drillWords(r)), "", "", "", "", "", ""}
	}
	detected, cause, mended := "-", "-", "-"
	if r.DetectedS != nil {
		detected = fmt.Sprintf("%.1f s, %s", *r.DetectedS, text.Count(r.Cycles, "cycle"))
	}
	if r.Cause != nil {
		cause = string(*r.Cause)
	}
	if r.Kind == drill.Fault {
		mended = map[bool]string{true: "yes", false: "no"}[r.Mended]
	}
	return []string{r.Name, detected, cause, mended, fmt.Sprintf("%.0f s", r.Seconds), text.Cost(r.CostUSD), dash(strings.Join(r.Collateral, ", ")), fmt.Sprint(r.Score)}
}

// noDrillForAgents refuses the drill, and what it starts of its own, within an agent's session.
func noDrillForAgents() error {
	if os.Getenv("CLAUDEOPS_RUN_TOKEN") != "" {
		return errors.New("drill is for operators: it starts services and whole cycles, which is not an agent's to do")
	}
	return nil
}

// ofTheDrill is a command that the drill calls, and nobody else.
func ofTheDrill(use, short string, args cobra.PositionalArgs, run func(c *cobra.Command, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Hidden: true, Args: args, RunE: func(c *cobra.Command, args []string) error {
		if err := noDrillForAgents(); err != nil {
			return err
		}
		return run(c, args)
	}}
}

// drillServe is a small service of the homelab.
func (a *app) drillServe() *cobra.Command {
	return ofTheDrill("serve FOLDER", "Run a small service of the homelab", cobra.ExactArgs(1), func(c *cobra.Command, args []string) error {
		if err := drill.Serve(c.Context(), a.Err, args[0]); err != nil {
			return &exitError{code: exitFault} // its log has it
		}
		return nil
	})
}

// drillPart is a server of the homelab that is none of its small services.
func (a *app) drillPart() *cobra.Command {
	return ofTheDrill("part WORD…", "Run a server of the homelab", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		return drill.ServePart(c.Context(), args)
	})
}

// drillControl is labctl. It is the one that agents call, those that the drill tries.
func (a *app) drillControl() *cobra.Command {
	return &cobra.Command{Use: "control FOLDER", Short: "Ask the homelab's supervisor, as labctl does", Hidden: true, DisableFlagParsing: true, RunE: func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return &exitError{exitUsage, errors.New("missing: FOLDER")}
		}
		code, err := drill.Control(a.Out, args[0], args[1:])
		if err != nil || code == 0 {
			return err
		}
		return &exitError{code: code}
	}}
}

// drillSweep removes the homelab of a drill that has ended.
func (a *app) drillSweep() *cobra.Command {
	return ofTheDrill("sweep FOLDER", "Remove the homelab of a drill that has ended", cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
		return drill.Sweep(a.In, args[0])
	})
}
