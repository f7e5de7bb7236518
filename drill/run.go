package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
)

// Options are what a drill runs with.
type Options struct {
	Program string   // of claudeops, whose cycles are run
	Self    string   // the path of this program, which is also the homelab's servers
	Environ []string // the user's, of which cycles get what says which model to ask, and how
	Cases   []Case
	// DailyBudgetUSD ends the drill once its cases have cost so much; 0 is no limit.
	DailyBudgetUSD float64
	// Began and Ended, which may be nil, are called when a case begins and has ended or was skipped.
	Began func(*Lab, Case)
	Ended func(Result)

	noFirstAid bool // the services file has none, so that a model has to mend everything
}

const (
	mostCycles    = 6               // of a case with a fault
	noActCycles   = 4               // of a case without
	healthyCycles = 2               // after which a service counts as mended
	betweenCycles = 1 * time.Second // from the end of one to the start of the next
	cycleWithin   = 2 * time.Hour   // no chain of tiers takes longer
	cycleEndsIn   = 30 * time.Second
)

// Run runs a drill. Its error is whatever kept the drill from going on, or cases from being run; the report has the cases until then.
func Run(ctx context.Context, o Options) (report Report, err error) {
	lab, err := newLab(ctx, o, neededParts(o.Cases))
	defer func() {
		closing, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer stop()
		err = errors.Join(err, lab.Close(closing))
		report.Score = total(report.Cases)
	}()
	if err != nil {
		return report, err
	}
	report.Cases = []Result{}
	for i, c := range o.Cases {
		if o.Began != nil {
			o.Began(lab, c)
		}
		r := lab.try(ctx, c)
		if ctx.Err() != nil {
			return report, fmt.Errorf("case %s: %w", c.Name, context.Cause(ctx))
		}
		report.Cases = append(report.Cases, r)
		if o.Ended != nil {
			o.Ended(r)
		}
		if lab.spent += r.CostUSD; o.DailyBudgetUSD > 0 && lab.spent >= o.DailyBudgetUSD {
			return report, fmt.Errorf("%s, and CLAUDEOPS_DAILY_BUDGET_USD is %v: the drill has ended after %d of %s", text.Cost(lab.spent), o.DailyBudgetUSD,
				i+1, text.Count(len(o.Cases), "case"))
		}
	}
	return report, failures(report.Cases)
}

// failures names the cases that could not be run; it is nil without one.
func failures(all []Result) error {
	var names []string
	for _, r := range all {
		if r.Failed != "" {
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("%s could not be run: %s", text.Count(len(names), "case"), text.List(names))
}

// neededParts returns the names of the parts that cases need.
func neededParts(list []Case) []string {
	names := []string{processes}
	for _, c := range list {
		names = append(names, c.Needs...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// try runs one case on a healthy homelab with fresh records.
func (lab *Lab) try(ctx context.Context, c Case) Result {
	r := Result{Name: c.Name, Kind: c.Kind, Unseen: c.Unseen, Collateral: []string{}}
	for _, need := range c.Needs {
		if reason := lab.missing[need]; reason != "" {
			r.Skipped = reason
			return r
		}
	}
	t, err := lab.newTrial(c, &r)
	if err == nil {
		err = t.begin(ctx)
	}
	if err == nil {
		err = t.run(ctx)
	}
	if err == nil {
		err = t.judge(ctx)
	}
	lab.left = lab.reset(context.WithoutCancel(ctx), c)
	if err != nil {
		r = Result{Name: c.Name, Kind: c.Kind, Unseen: c.Unseen, Collateral: []string{}, Failed: errors.Join(err, lab.left).Error()}
		if t != nil {
			_, r.CostUSD, _ = t.written(context.WithoutCancel(ctx)) // there may be no records
		}
	}
	return r
}

// trial is one case while it runs.
type trial struct {
	lab    *Lab
	c      Case
	r      *Result
	dir    string // of its records
	before map[string]string
	began  time.Time
	unwell map[string]bool   // services that a cycle found so
	errors []string          // of the checks of the cycles
	streak int               // cycles in a row in which all was healthy, and nothing had been started anew
	last   map[string]string // identities after the last cycle
}

// summary is what `run-once --json` prints, as far as the drill reads it.
type summary struct {
	Tiers []struct {
		Tier  int    `json:"tier"`
		Model string `json:"model"`
	} `json:"tiers"`
	Services []struct {
		Service  string       `json:"service"`
		Status   check.Status `json:"status"`
		Found    string       `json:"found"`
		Incident int64        `json:"incident"`
	} `json:"services"`
}

// session is one of `sessions list --json`, as far as the drill reads it.
type session struct {
	Tier        int     `json:"tier"`
	Model       string  `json:"model"`
	CostUSD     float64 `json:"cost_usd"`
	Response    string  `json:"response"`
	HandoffJSON string  `json:"handoff_json"`
}

// proposal is one of `proposals --json`, as far as the drill reads it.
type proposal struct {
	ID     int64    `json:"id"`
	Argv   []string `json:"argv"`
	Status string   `json:"status"`
}

func (lab *Lab) newTrial(c Case, r *Result) (*trial, error) {
	dir, err := os.MkdirTemp(lab.Path("cycles"), "") // its name tells an agent nothing of the case
	if err != nil {
		return nil, err
	}
	t := &trial{lab: lab, c: c, r: r, dir: dir, unwell: map[string]bool{}}
	return t, errors.Join(os.Mkdir(dir+"/state", 0o700), os.Mkdir(dir+"/results", 0o700))
}

// begin makes sure that the homelab is healthy, with a cycle on record that says so, and injects the fault. Without that record, trouble
// with a container could have begun with its deployment.
func (t *trial) begin(ctx context.Context) error {
	t.lab.current = t.dir
	if err := t.lab.restore(ctx); err != nil {
		return fmt.Errorf("the homelab is not healthy before it: %w", err)
	}
	if _, err := t.lab.runWith(ctx, []string{"CLAUDEOPS_TIER1_AGENT=probe"}, "", "run-once"); err != nil {
		return fmt.Errorf("a cycle before it: %w", err)
	}
	if t.c.Inject != nil {
		if err := t.c.Inject(ctx, t.lab); err != nil {
			return fmt.Errorf("inject: %w", err)
		}
	}
	t.began = time.Now()
	before, err := t.lab.identities(ctx)
	t.before = before
	return err
}

// run runs cycles until the case is decided.
func (t *trial) run(ctx context.Context) error {
	most := mostCycles
	if t.c.Kind == NoAct {
		most = noActCycles
	}
	for n := 1; n <= most && t.streak < healthyCycles; n++ {
		if err := t.cycle(ctx, n); err != nil {
			return fmt.Errorf("cycle %d: %w", n, err)
		}
		if err := t.permit(ctx); err != nil {
			return fmt.Errorf("after cycle %d: %w", n, err)
		}
		if t.c.Between != nil {
			if err := t.c.Between(ctx, t.lab, n); err != nil {
				return fmt.Errorf("after cycle %d: %w", n, err)
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(betweenCycles):
		}
	}
	t.r.Mended = t.c.Kind == Fault && t.streak >= healthyCycles
	return nil
}

// permit approves, as a person would, what was proposed if the case's cure needs it. Anything else waits.
func (t *trial) permit(ctx context.Context) error {
	if t.c.Propose == nil {
		return nil
	}
	out, err := t.lab.run(ctx, "", "proposals", "--json")
	if err != nil {
		return err
	}
	var all []proposal
	if err := json.Unmarshal(out, &all); err != nil {
		return fmt.Errorf("the proposals: %w", err)
	}
	for _, p := range all {
		if p.Argv[0] == t.lab.Labctl() {
			p.Argv[0] = "labctl"
		}
		if p.Status != "waiting" || !slices.Equal(p.Argv, t.c.Propose) {
			continue
		}
		if _, err := t.lab.run(ctx, "", "approve", strconv.FormatInt(p.ID, 10)); err != nil {
			return err
		}
	}
	return nil
}

// cycle runs one cycle, and reads what it found.
func (t *trial) cycle(ctx context.Context, n int) error {
	out, err := t.lab.run(ctx, "", "run-once", "--json")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // a tier failed; the cycle ran
		err = nil
	}
	if err != nil {
		return err
	}
	found, err := t.found(out)
	if err != nil || t.c.Kind == NoAct {
		return err
	}
	healthy := t.detect(found, n)
	if t.c.Well != nil {
		healthy = healthy && t.c.Well(ctx, t.lab) == nil
	}
	steady, err := t.steady(ctx)
	if err != nil {
		return err
	}
	if healthy && !steady {
		t.streak = 0 // what ends and starts all the time is healthy now and then
	}
	if healthy && (t.r.DetectedS != nil || t.c.Unseen) {
		t.streak++
		return nil
	}
	t.streak = 0
	return nil
}

// detect records which services at fault a cycle found unwell, and reports whether all are healthy. The fault is detected once each of
// them was found so.
func (t *trial) detect(found map[string]check.Status, cycle int) (healthy bool) {
	healthy = true
	for _, name := range t.c.Services {
		healthy = healthy && found[name] == check.Healthy
		if found[name].Unwell() {
			t.unwell[name] = true
		}
	}
	if t.r.DetectedS == nil && len(t.unwell) == len(t.c.Services) {
		seconds := time.Since(t.began).Seconds()
		t.r.DetectedS, t.r.Cycles = &seconds, cycle
	}
	return healthy
}

// steady reports whether what is at fault has been the same since the last cycle.
func (t *trial) steady(ctx context.Context) (bool, error) {
	now, err := t.lab.identities(ctx)
	was := t.last
	t.last = now
	return err == nil && !slices.ContainsFunc(t.c.Services, func(name string) bool { return was[name] != now[name] }), err
}

// found returns how the first tier of a cycle found each service.
func (t *trial) found(out []byte) (map[string]check.Status, error) {
	var s summary
	if err := json.Unmarshal(out, &s); err != nil {
		return nil, fmt.Errorf("its summary: %w", err)
	}
	if len(s.Tiers) == 0 {
		return nil, errors.New("it left no session")
	}
	acted := false
	for _, tier := range s.Tiers {
		acted = acted || tier.Tier > 1
	}
	found := map[string]check.Status{}
	for _, is := range s.Services {
		found[is.Service] = is.Status
		if acted && is.Incident != 0 && is.Status == check.Healthy {
			found[is.Service] = check.Down // until a later tier had worked on it
		}
		if s.Tiers[0].Model == "" {
			t.errors = append(t.errors, is.Found)
		}
	}
	return found, nil
}

// judge reads what the case came to.
func (t *trial) judge(ctx context.Context) (err error) {
	t.r.Seconds = time.Since(t.began).Seconds()
	after, err := t.lab.identities(ctx)
	if err != nil {
		return err
	}
	t.r.Collateral = touched(t.before, after, slices.Concat(t.c.Services, t.c.Culprits))
	written, cost, err := t.written(ctx)
	if err != nil {
		return err
	}
	t.r.CostUSD = cost
	if t.c.Kind == Fault {
		cause := grade(written, t.c.Services, t.c.Terms)
		t.r.Cause = &cause
	}
	t.r.Score = score(*t.r)
	return nil
}

// written returns what models have written about the fault without the errors of the checks, and what the sessions cost.
func (t *trial) written(ctx context.Context) (text string, cost float64, err error) {
	out, err := t.lab.run(ctx, "", "sessions", "list", "--all", "--limit", "1000", "--json")
	if err != nil {
		return "", 0, err
	}
	var sessions []session
	if err := json.Unmarshal(out, &sessions); err != nil {
		return "", 0, fmt.Errorf("the sessions: %w", err)
	}
	for _, s := range sessions {
		cost += s.CostUSD
	}
	return without(modelWords(sessions), append(t.errors, checkErrors(sessions)...)), cost, nil
}

// checkErrors returns the errors of checks in what the program itself has handed on.
func checkErrors(sessions []session) (all []string) {
	for _, s := range sessions {
		if s.Model != "" {
			continue
		}
		if h, err := handoff.Parse([]byte(s.HandoffJSON), s.Tier); err == nil {
			for _, r := range h.CheckResults {
				all = append(all, r.Error)
			}
		}
	}
	return all
}

// modelWords returns what models have written about a fault: what their handoffs found and tried, and the last message of a tier that
// investigates. What the program writes by itself, such as the errors of its checks, names no cause. sessions begin with the newest.
func modelWords(sessions []session) string {
	var all []string
	last := ""
	for _, s := range slices.Backward(sessions) {
		if s.Model == "" {
			continue
		}
		if s.Tier > 1 { // a later Tier 1 finds all well
			last = cmp.Or(s.Response, last)
		}
		h, err := handoff.Parse([]byte(s.HandoffJSON), s.Tier)
		if err != nil || h.InvestigationFindings+h.RemediationAttempted == "" {
			continue // there is none, or it says only which services are meant
		}
		all = append(all, strings.Join(h.ServicesAffected, " "), h.InvestigationFindings, h.RemediationAttempted)
	}
	return strings.Join(append(all, last), "\n")
}

// healthy makes the checks of the services file, and returns what is not as it must be.
func (lab *Lab) healthy(ctx context.Context) (err error) {
	for range 10 {
		if _, err = lab.run(ctx, "", "probe"); err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(10 * pace)
	}
	return err
}

// restore puts all parts back if the homelab is not healthy: the case before may have broken one that it does not need.
func (lab *Lab) restore(ctx context.Context) error {
	if lab.left == nil && lab.healthy(ctx) == nil {
		return nil
	}
	left := lab.putBack(ctx, lab.parts)
	if err := lab.healthy(ctx); err != nil {
		return errors.Join(lab.left, left, err)
	}
	return nil
}

// run runs claudeops with the records of the case that runs, and returns its output. When ctx ends, the program is asked to end in order.
func (lab *Lab) run(ctx context.Context, input string, args ...string) ([]byte, error) {
	return lab.runWith(ctx, nil, input, args...)
}

// runWith is run with further variables.
func (lab *Lab) runWith(ctx context.Context, variables []string, input string, args ...string) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, cycleWithin)
	defer stop()
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, lab.program, append([]string{"--env-file", os.DevNull}, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay, cmd.Env = cycleEndsIn, append(lab.cycleEnviron(), variables...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &said
	err := runBound(cmd)
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		end := strings.TrimSpace(out.String() + said.String())
		err = fmt.Errorf("`claudeops %s`: %w: %s", strings.Join(args, " "), err, end[max(0, len(end)-mostSaid):])
	}
	return out.Bytes(), err
}

const mostSaid = 4 << 10 // bytes
