package cycle

import (
	"context"
	"errors"
	"io/fs"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/query"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// workplace is where a run works.
type workplace struct {
	*broker.Workplace
	run *tierRun
	ws  *tiers.Workspace
}

// openWorkplace opens the workplace of a run, in a new workspace. The caller closes it. Without a session it is for a
// trial, in which every act is refused.
func (c *Cycle) openWorkplace(ctx context.Context, run *tierRun) (*workplace, error) {
	s := run.session
	ws, err := tiers.NewWorkspace(c.Config.StateDir, s.ID)
	if err != nil {
		return nil, err
	}
	if s.Agent != store.FirstAid { // it has no agent to call them, and works where no agent can
		err = ws.LinkPrograms(c.Shim, c.Table.Names())
	}
	if c.databases == nil { // it remembers their accounts as long as the cycle lives
		c.databases = &query.Asker{Environ: c.Environ}
	}
	records := c.Records
	records.Config.Agent = config.Agent{Tier: s.Tier, SessionID: s.ID, RunToken: s.RunToken, Folder: ws.State()}
	w := &workplace{run: run, ws: ws}
	if err == nil {
		w.Workplace, err = broker.Open(ctx, broker.Setup{
			Records: records, Session: s, Approved: run.approved, Scratch: ws.Scratch(), Readable: ws.Readable(), Dir: c.workDir(),
			Environ: c.Environ, Secrets: c.SecretFiles, Table: c.Table, Shim: c.Shim, Databases: c.databases, Log: c.Log, Own: c.Own,
			Variables: c.sessionVariables(s, ws), Programs: ws.Programs(),
		})
	}
	if err != nil {
		return nil, errors.Join(err, ws.Remove())
	}
	return w, nil
}

// server opens the socket for the session's tools, which its door serves.
func (w *workplace) server() (*tiers.Server, error) {
	tools, err := broker.Listen(w.ws.Socket())
	if err != nil {
		return nil, err
	}
	door := w.Door()
	return &tiers.Server{Shim: w.Shim, Tools: broker.Tools(door.Tier, door.Confined), Serve: func(ctx context.Context) error {
		err := door.Serve(ctx, tools)
		var repeated broker.RepeatError
		if errors.As(err, &repeated) {
			return &tiers.EndError{Reason: w.Redactor.String(repeated.Error())}
		}
		return err
	}}, nil
}

// closeWorkplace takes over what the run's agent has left, releases the sandbox, and removes the workspace.
func (c *Cycle) closeWorkplace(ctx context.Context, w *workplace) error {
	err := w.Close(ctx)
	w.run.seen = w.Seen
	h, raw, fault := handoff.Read(state.HandoffPath(w.Config), w.run.session.Tier)
	if !errors.Is(fault, fs.ErrNotExist) {
		w.run.written = &written{h, raw, fault}
	}
	left := w.ws.Remove()
	if left != nil && w.run.session.ID != 0 { // not a fault of the tier; the next cycle tries again
		left = c.event(ctx, store.Warning, w.run.session.ID, "", left.Error())
	}
	return errors.Join(err, left)
}
