package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// hookDeadline is how long the guard takes at most: less than the agent program waits for it, so that the model is told why.
const hookDeadline = 12 * time.Second

func (a *app) guardHookCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "guard",
		Short: "Decide on a tool call of an agent, as the hook of the agent program",
		Long: `guard is the hook that the agent program calls before and after each tool call, and when the agent wants to end. It reads one
line of JSON on standard input and grants the call or refuses it; a restart or a redeployment that it grants is recorded
before it runs. It is called by the agent program, within a session; "` + a.program + ` guard explain" is for people.

Exit codes: 0 decided; 2 whatever trouble there was, by which the call is refused, with one line on standard error.`,
		Args: takes(),
	}
	stop := c.Flags().Bool("stop", false, "answer an agent that wants to end: trouble exits with 1, which lets it")
	c.RunE = func(c *cobra.Command, _ []string) error {
		err := a.hook(c.Context())
		if err == nil {
			return nil
		}
		code := exitUsage
		if *stop { // after exit 2 the agent program would have the agent go on, as often as it tries
			code = exitFault
		}
		return &exitError{code, errors.New(oneLine(err.Error()))}
	}
	c.AddCommand(a.guardExplainCommand())
	return c
}

// hook answers one hook event. A panic is an error like any other.
func (a *app) hook(ctx context.Context) (err error) {
	talk := a.Err
	a.Err = io.Discard // warnings about variables would be further lines
	defer func() {
		a.Err = talk
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the guard failed: %v", fault) // after which nothing of it can be relied on, its audit neither
		}
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, hookDeadline, fmt.Errorf("it was not decided within %v", hookDeadline))
	defer cancel()
	l, err := a.load()
	if err != nil {
		return err
	}
	if agent := l.config.Agent; agent.SessionID <= 0 || agent.Tier < 1 || agent.Tier > 3 {
		return errors.New("the guard serves an agent's session, and CLAUDEOPS_SESSION_ID and CLAUDEOPS_TIER name none; `" + a.program + " guard explain` is for people")
	}
	var open records
	h := a.guardOf(l, &open)
	line, err := guard.ReadInput(ctx, a.In)
	if err != nil {
		return errors.Join(err, h.Failed(err))
	}
	text, err := h.Answer(ctx, line)
	if err := errors.Join(err, open.leave()); err != nil {
		return err
	}
	// Last of all: the agent program takes a grant even from a hook that fails after it.
	_, err = a.Out.Write(text)
	return err
}

// guardOf is the hook of the agent's session.
func (a *app) guardOf(l *loaded, open *records) guard.Hook {
	c := l.config
	services := sync.OnceValues(func() (*inventory.Inventory, error) { return readInventory(c) })
	openBooks := func(ctx context.Context, mode store.Mode) (*books.Books, error) {
		if err := stateDirectory(c.StateDir); err != nil {
			return nil, err
		}
		var err error
		open.books, err = books.Open(ctx, c, l.redactor, a.Now, mode)
		return open.books, err
	}
	return guard.Hook{
		Tier: c.Agent.Tier, Now: a.Now, Handoff: books.HandoffPath(c),
		Audit: guard.Audit{Path: guard.AuditPath(c.ResultsDir, c.Agent.SessionID), Redactor: l.redactor},
		Judge: func(in guard.Input) (guard.Verdict, error) {
			w, err := world(l, c.Agent.Tier, in.Cwd, services)
			if err != nil {
				return guard.Verdict{}, err
			}
			return w.Judge(in.Tool, in.ToolInput), nil
		},
		Records: func(ctx context.Context) (guard.Reservations, error) {
			b, err := openBooks(ctx, store.ReadWrite)
			return reservations{b, services}, err
		},
		Checks: func(ctx context.Context) ([]check.Result, error) {
			b, err := openBooks(ctx, store.ReadOnly)
			if err != nil || b.Store == nil {
				return nil, err
			}
			stored, err := b.Store.LatestBySession(ctx, c.Agent.SessionID)
			return store.Results(stored), err
		},
	}
}

// records are open where the hook needed any.
type records struct{ books *books.Books }

func (r *records) leave() error {
	if r.books == nil {
		return nil
	}
	return r.books.Close()
}

// reservations are the books as the guard sees them.
type reservations struct {
	*books.Books
	services func() (*inventory.Inventory, error)
}

func (r reservations) Reserve(ctx context.Context, toolUseID string, wanted []guard.Remediation) (refusal string, err error) {
	if r.Inventory, err = r.services(); err != nil {
		return "", err
	}
	acts := make([]books.Wanted, len(wanted))
	for i, w := range wanted {
		acts[i] = books.Wanted{Service: w.Service, Action: w.Action, Detail: w.Detail}
	}
	err = r.Books.Reserve(ctx, toolUseID, acts)
	if limit := (*books.LimitError)(nil); errors.As(err, &limit) {
		return err.Error(), nil // with what kept a human from being asked, where anything did
	}
	if held := (*books.HeldError)(nil); errors.As(err, &held) {
		return held.Error(), nil
	}
	return "", err
}
