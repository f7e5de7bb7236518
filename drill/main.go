// Drill measures what claudeops is worth: it injects one fault at a time into a homelab of its own, runs real cycles of the built program
// with what is configured, first aid alone or a model, and scores what they did.
//
// The homelab is private: its processes listen on loopback only, its files are below one folder that nobody else may list or write, and
// both are gone when the drill ends, however it ends. The user's state directory, services file, notification targets and environment file
// are not used. What was detected and mended is what claudeops says in its JSON; what was touched that should not be is judged by the
// homelab itself. Nothing of claudeops imports the drill.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/text"
)

const usage = `drill starts a homelab of its own on loopback, private and gone at the end, injects one fault at a time, and runs real cycles of the built
claudeops with what is configured: the checks and first aid alone or, with a credential, your models, which then cost what they cost.
docs/drill.md says what of your environment it uses.

A fault scores 20 where it was detected, 30 where its cause was named, 50 where it was mended; a case in which nothing should be done 100
where nothing was. A case in which a service was touched that should not have been scores 0. The total is the mean of the cases that ran.

Exit codes: 0; 1 below --min, with --require-all where a case was skipped, and where a case could not be run or the drill could not go on;
2 wrong usage.

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program: the drill itself or, by a first word, what the homelab consists of. It returns the exit code.
func run(ctx context.Context, args []string, out, log io.Writer) int {
	code, err := 0, error(nil)
	switch {
	case len(args) == 2 && args[0] == "serve":
		if serveSmall(ctx, log, args[1]) != nil { // its log has it
			code = 1
		}
	case len(args) > 1 && args[0] == "part":
		err = servePart(ctx, args[1:])
	case len(args) > 1 && args[0] == "control":
		code, err = control(out, args[1], args[2:])
	case len(args) == 2 && args[0] == "sweep":
		err = sweep(os.Stdin, args[1])
	default:
		err = drill(ctx, args, out, log)
	}
	var wrong *usageError
	switch {
	case err == nil:
		return code
	case errors.As(err, &wrong):
		code = 2
	default:
		code = 1
	}
	_, _ = fmt.Fprintf(log, "drill: %v\n", err)
	return code
}

// usageError is a wrong command line or configuration.
type usageError struct{ error }

// flags are those of the drill.
type flags struct {
	program    string
	names      []string
	list       bool
	json       bool
	requireAll bool
	min        float64
}

func parse(args []string, log io.Writer) (f flags, err error) {
	set := flag.NewFlagSet("drill", flag.ContinueOnError)
	set.SetOutput(log)
	set.Usage = func() {
		_, _ = fmt.Fprint(log, usage)
		set.PrintDefaults()
	}
	set.StringVar(&f.program, "program", "claudeops", "the built `claudeops`, beside which is its shim")
	set.Func("case", "only the case of this `NAME`; may be repeated", func(name string) error {
		f.names = append(f.names, name)
		return nil
	})
	set.BoolVar(&f.list, "list", false, "list the cases, and run none")
	set.BoolVar(&f.json, "json", false, "print JSON")
	set.BoolVar(&f.requireAll, "require-all", false, "fail where a case was skipped")
	set.Float64Var(&f.min, "min", 0, "fail where the total is below this `SCORE`, 0 to 100")
	switch err := set.Parse(args); {
	case err != nil:
		return f, err
	case set.NArg() > 0:
		return f, fmt.Errorf("unexpected: %s", set.Arg(0))
	case !(f.min >= 0 && f.min <= 100):
		return f, fmt.Errorf("--min %v: not a score of 0 to 100", f.min)
	}
	return f, nil
}

// drill runs the chosen cases and prints the report, or lists them.
func drill(ctx context.Context, args []string, out, log io.Writer) error {
	f, err := parse(args, log)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return &usageError{err}
	}
	chosen, err := Named(f.names...)
	if err != nil {
		return &usageError{err}
	}
	if f.list {
		return listCases(out, chosen, f.json)
	}
	o, err := options(f.program, os.Environ())
	if err != nil {
		return &usageError{err}
	}
	o.Cases = chosen
	o.Ended = func(r Result) { _, _ = fmt.Fprintf(log, "%s: %s\n", r.Name, outcome(r)) }
	report, failed := Run(ctx, o)
	if ctx.Err() != nil {
		return cmp.Or(failed, context.Cause(ctx))
	}
	if failed != nil && report.Cases == nil { // there is no homelab
		return failed
	}
	if f.json {
		err = json.NewEncoder(out).Encode(report)
	} else {
		_, err = io.WriteString(out, report.table())
	}
	return cmp.Or(errors.Join(failed, err), f.wanted(report))
}

// options are what a drill of this user runs with.
func options(program string, environ []string) (o Options, err error) {
	o.Environ = environ
	if o.Program, err = filepath.Abs(program); err != nil {
		return o, err
	}
	if _, err := exec.LookPath(o.Program); err != nil {
		return o, fmt.Errorf("%w: `make` builds it, --program names another one", err)
	}
	if o.Self, err = os.Executable(); err != nil {
		return o, err
	}
	if budget := config.Lookup(environ, "CLAUDEOPS_DAILY_BUDGET_USD"); budget != "" {
		if o.DailyBudgetUSD, err = strconv.ParseFloat(budget, 64); err != nil {
			return o, fmt.Errorf("CLAUDEOPS_DAILY_BUDGET_USD: %w", err)
		}
	}
	return o, nil
}

// wanted returns what a report lacks of what the flags want.
func (f flags) wanted(report Report) error {
	if f.requireAll && slices.ContainsFunc(report.Cases, func(r Result) bool { return r.Skipped != "" }) {
		return errors.New("cases were skipped, and --require-all wants all of them")
	}
	if report.Score < f.min {
		return fmt.Errorf("the score is %.1f, below %.1f", report.Score, f.min)
	}
	return nil
}

func listCases(out io.Writer, list []Case, asJSON bool) error {
	type listed struct {
		Name   string   `json:"name"`
		Kind   Kind     `json:"kind"`
		Unseen bool     `json:"unseen"`
		About  string   `json:"about"`
		Needs  []string `json:"needs"`
	}
	all, rows := []listed{}, [][]string{{"CASE", "KIND", "ABOUT", "NEEDS"}}
	for _, c := range list {
		all = append(all, listed{c.Name, c.Kind, c.Unseen, c.Summary, append([]string{}, c.Needs...)})
		kind := string(c.Kind)
		if c.Unseen {
			kind += ", unseen"
		}
		rows = append(rows, []string{c.Name, kind, c.Summary, cmp.Or(strings.Join(c.Needs, ", "), "-")})
	}
	if asJSON {
		return json.NewEncoder(out).Encode(all)
	}
	_, err := io.WriteString(out, columns(rows))
	return err
}

// outcome says in short how a case ended.
func outcome(r Result) string {
	switch {
	case r.Skipped != "":
		return "skipped: " + r.Skipped
	case r.Failed != "":
		return "failed: " + r.Failed
	}
	return fmt.Sprintf("%d points", r.Score)
}

// table shows a report: faults, those that no check sees, and cases without an act.
func (report Report) table() string {
	var out strings.Builder
	group := func(title string, belongs func(Result) bool) {
		rows := [][]string{{title, "DETECTED", "CAUSE", "MENDED", "TOOK", "COST", "COLLATERAL", "SCORE"}}
		for _, r := range report.Cases {
			if belongs(r) {
				rows = append(rows, cells(r))
			}
		}
		if len(rows) > 1 {
			out.WriteString(columns(rows) + "\n")
		}
	}
	group("FAULT", func(r Result) bool { return r.Kind == Fault && !r.Unseen })
	group("FAULT THAT NO CHECK SEES", func(r Result) bool { return r.Kind == Fault && r.Unseen })
	group("NOTHING TO DO", func(r Result) bool { return r.Kind == NoAct })
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

func cells(r Result) []string {
	if !r.Ran() {
		return []string{r.Name, text.Line(outcome(r)), "", "", "", "", "", ""}
	}
	detected, cause, mended := "-", "-", "-"
	if r.DetectedS != nil {
		detected = fmt.Sprintf("%.1f s, %s", *r.DetectedS, text.Count(r.Cycles, "cycle"))
	}
	if r.Cause != nil {
		cause = string(*r.Cause)
	}
	if r.Kind == Fault {
		mended = map[bool]string{true: "yes", false: "no"}[r.Mended]
	}
	return []string{
		r.Name, detected, cause, mended, fmt.Sprintf("%.0f s", r.Seconds), text.Cost(r.CostUSD),
		cmp.Or(strings.Join(r.Collateral, ", "), "-"), strconv.Itoa(r.Score),
	}
}

// columns lays rows out, the heading first.
func columns(rows [][]string) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		_, _ = fmt.Fprintln(w, strings.Join(row, "\t")) // writing to a Builder does not fail
	}
	_ = w.Flush()
	return out.String()
}
