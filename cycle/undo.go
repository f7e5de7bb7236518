package cycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/sandbox/shim"
	"github.com/claudeops/claudeops/store"
)

// lookTime limits a look at what runs, before and after a remediation.
const lookTime = 20 * time.Second

// run runs a granted program. If it remediates something in a way that can be undone, it keeps how. If the session undoes something, it
// first prepares that.
func (w *workplace) run(ctx context.Context, p broker.Program) (exit int, err error) {
	u, known := undoableBy(p.Argv)
	if w.session.ID == 0 || len(p.Remediates) == 0 || !known {
		return w.runner.Run(ctx, p)
	}
	look := looker{environ: w.runner.Environ, dir: p.Dir}
	was, failed := look.at(ctx, u)
	if err := w.prepareUndo(ctx, p.Argv, look); err != nil {
		return shim.ExitRefused, err
	}
	exit, err = w.runner.Run(ctx, p)
	keep := context.WithoutCancel(ctx)
	if failed != nil {
		return exit, errors.Join(err, w.undoUnknown(keep, p, failed))
	}
	return exit, errors.Join(err, w.keepUndo(keep, p, u, was, look))
}

// keepUndo keeps how a remediation that has ended can be undone, if it changed what runs.
func (w *workplace) keepUndo(ctx context.Context, p broker.Program, u undoable, was running, look looker) error {
	base := p.Dir + "\n" + strings.Join(u.look, "\x00")
	w.former.Lock()
	if w.former.removed[base] == nil {
		w.former.removed[base] = running{}
	}
	if u.clears { // the command that brings it up again changes what runs
		maps.Copy(w.former.removed[base], was)
		w.former.Unlock()
		return nil
	}
	before := maps.Clone(w.former.removed[base])
	maps.Copy(before, was)
	delete(w.former.removed, base)
	w.former.Unlock()
	became, err := look.at(ctx, u)
	if err != nil {
		return w.undoUnknown(ctx, p, err)
	}
	return w.agent.Store.Update(ctx, func(tx *store.Store) error {
		for _, way := range u.undo(before, became) {
			kept := store.Undo{
				SessionID: &w.session.ID, ToolUseID: p.ToolUse, Service: p.Remediates[0].Service, Tier: w.session.Tier, Done: w.Redactor.String(guard.CommandLine(p.Argv)),
				Steps: way.steps, Dir: p.Dir, Was: map[string]string{}, Became: map[string]string{}, CreatedAt: w.Now(),
			}
			for _, name := range way.names {
				kept.Was[name], kept.Became[name] = before[name], became[name]
			}
			id, err := tx.AddUndo(ctx, kept)
			if err != nil {
				return err
			}
			if err := tx.AddEvent(ctx, store.Event{
				SessionID: &w.session.ID, Level: store.Info, Service: kept.Service, CreatedAt: w.Now(), Message: fmt.Sprintf("`claudeops undo %d` undoes: %s", id, kept.Done),
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// undoUnknown records that a remediation cannot be undone by a command of ours.
func (w *workplace) undoUnknown(ctx context.Context, p broker.Program, why error) error {
	return w.agent.Store.AddEvent(ctx, store.Event{
		SessionID: &w.session.ID, Level: store.Warning, Service: p.Remediates[0].Service, CreatedAt: w.Now(),
		Message: w.Redactor.String("how to undo it is not known: " + why.Error()),
	})
}

// prepareUndo takes the first steps of what the session undoes, if argv is the last one.
func (w *workplace) prepareUndo(ctx context.Context, argv []string, look looker) error {
	u, found, err := w.agent.Store.UndoRunBy(ctx, w.session.ID)
	if err != nil || !found || !slices.Equal(argv, u.Steps[len(u.Steps)-1]) {
		return err
	}
	for _, step := range u.Steps[:len(u.Steps)-1] {
		if _, err := look.run(ctx, step); err != nil {
			return fmt.Errorf("prepare to undo it: %w", err)
		}
	}
	return nil
}

// UndoProposal returns the part of a proposal to undo something that depends on this machine. The error says why it cannot be undone any
// more, such as a later redeployment.
func (c *Cycle) UndoProposal(ctx context.Context, u store.Undo) (p store.Proposal, err error) {
	environ, err := c.environAs(ctx, u.SessionID)
	if err != nil {
		return p, err
	}
	look := looker{environ, u.Dir}
	void, err := look.outdated(ctx, u)
	if err == nil && void != "" {
		err = errors.New(void)
	}
	if err != nil {
		return p, err
	}
	last := u.Steps[len(u.Steps)-1]
	if p.Program, err = look.find(last[0]); err != nil {
		return p, err
	}
	world := guard.World{
		Tier: records.UndoTier, Approved: true, StateDir: c.Config.StateDir, ResultsDir: c.Config.ResultsDir, ReposDir: c.Config.ReposDir,
		Policy: c.Policy, Inventory: func() (*inventory.Inventory, error) { return c.Inventory, nil },
	}
	call := guard.Call{Argv: last, Dir: u.Dir}
	p.Bound, err = bindFiles(ctx, look, p.Program, call, guard.JudgeArgv(world, call).Project)
	return p, err
}

// reachedByChecks are the variables that say which engine and which cluster checks reach. An agent's programs have them only where
// CLAUDEOPS_AGENT_ENV names them. A remedy is the operator's own word and must act on what the checks have seen.
var reachedByChecks = []string{"DOCKER_HOST", "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH", "DOCKER_CONFIG", "KUBECONFIG"}

// environ returns the environment of the brokered programs of a session's agent.
func (c *Cycle) environ(agent string) []string {
	closed := []string{c.Config.StateDir, c.Config.ResultsDir}
	if agent != store.FirstAid {
		return broker.Environ(c.Environ, c.Config.AgentEnv, closed)
	}
	env := broker.Environ(c.Environ, slices.Concat(c.Config.AgentEnv, reachedByChecks), closed)
	if config.Lookup(env, "DOCKER_HOST") == "" { // docker would ask that of its current context
		env = append(env, "DOCKER_HOST="+probe.EngineAddress(c.Environ))
	}
	return env
}

// environAs returns the environment of the brokered programs of a session that has run or proposed something; an agent's for none.
func (c *Cycle) environAs(ctx context.Context, session *int64) ([]string, error) {
	if session == nil {
		return c.environ(""), nil
	}
	s, err := c.Store.Session(ctx, *session)
	return c.environ(s.Agent), err
}

// looker returns what looks at this machine as a remedy would.
func (c *Cycle) looker() looker { return looker{environ: c.environ(store.FirstAid)} }

// proposeUndos asks people whether to undo what a session redeployed, if more services are down after it than before.
func (c *Cycle) proposeUndos(ctx, keep context.Context, done *tierRun, before, after map[string]check.Status) error {
	down := func(all map[string]check.Status) (n int) {
		for _, status := range all {
			if status == check.Down {
				n++
			}
		}
		return n
	}
	if down(after) <= down(before) || done.session.Agent == agentApproved {
		return nil
	}
	all, err := c.Store.SessionUndos(keep, done.session.ID)
	if err != nil {
		return err
	}
	for _, u := range all {
		p, err := c.UndoProposal(ctx, u)
		if err == nil {
			why := fmt.Sprintf("%s down after `%s` of Tier %d, and %d before", text.Count(down(after), "service"), u.Done, u.Tier, down(before))
			err = c.ProposeUndo(keep, u, p, guard.CommandLine(u.Steps[len(u.Steps)-1]), why)
		}
		if err != nil {
			if err := c.event(keep, store.Warning, done.session.ID, u.Service, fmt.Sprintf("`claudeops undo %d` is not proposed: %v", u.ID, err)); err != nil {
				return err
			}
		}
	}
	return nil
}

// outdated returns why something cannot be undone any more: what runs is not what it brought up. It is empty if it can be.
func (l looker) outdated(ctx context.Context, u store.Undo) (reason string, err error) {
	how, known := undoableBy(u.Steps[len(u.Steps)-1])
	if !known {
		return "it is not known how to look at what runs", nil
	}
	now, err := l.at(ctx, how)
	if err != nil {
		return "", fmt.Errorf("look at what runs: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(u.Became)) {
		if now[name] != u.Became[name] {
			return name + " is not what the redeployment brought up: another one came since", nil
		}
	}
	return "", nil
}

// looker runs short programs outside of the sandbox, as the broker runs them.
type looker struct {
	environ []string
	dir     string
}

// at returns what runs.
func (l looker) at(ctx context.Context, u undoable) (running, error) {
	output, err := l.run(ctx, u.look)
	if err != nil {
		return nil, err
	}
	if u.detail != nil {
		found := strings.Fields(output)
		if len(found) == 0 {
			return running{}, nil
		}
		if output, err = l.run(ctx, slices.Concat(u.detail, found)); err != nil {
			return nil, err
		}
	}
	return u.read(output)
}

func (l looker) run(ctx context.Context, argv []string) (string, error) {
	file, err := l.find(argv[0])
	if err != nil {
		return "", err
	}
	cmd := &exec.Cmd{Path: file, Args: argv, Env: l.environ, Dir: l.dir}
	result, err := child.Run(ctx, cmd, child.Limits{Within: lookTime, Keep: 4 << 20})
	return string(result.Stdout), err
}

// find returns the path of a program, which is named by it or by its name in PATH.
func (l looker) find(program string) (file string, err error) {
	folders := config.Lookup(l.environ, "PATH")
	if path.IsAbs(program) { // a remedy's: the guard's have no folder
		folders = path.Dir(program)
	}
	file, found := child.Find(path.Base(program), folders)
	if !found {
		return "", fmt.Errorf("%s is not installed on this machine", program)
	}
	return file, nil
}
