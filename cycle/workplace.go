package cycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/query"
	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/sandbox/shim"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// workplace is everything that a session's agent can reach: the sandbox for shell text, the broker for programs that need more access,
// and this program's commands. It is the Handler of the agent's calls.
type workplace struct {
	*Cycle // of its own, as the agent has it: the watch uses that of the chain meanwhile
	run    *tierRun
	ws     *tiers.Workspace
	cell   *broker.Cell
	broker *broker.Broker
	acts   []string // the environment of acts
	// unconfined says why the kernel confines nothing that the agent runs; empty if it does. The agent then has no shell, and programs
	// that it has run are in no domain.
	unconfined string

	issued *statefile.State // cooldown.json as it was given to the agent; nil before that
	text   []byte           // the same, as written
	added  ledger.Added     // what the agent has added to it so far
}

// records returns the records for one call: calls of a command run concurrently, and have transactions of their own.
func (w *workplace) records() *ledger.Records {
	own := w.Records
	return &own
}

// closed are the folders below which is all that an agent can write, and which no program reads for it.
func (c *Cycle) closed() []string { return []string{c.Config.StateDir, c.Config.ResultsDir} }

// maxAgentFile limits the size of a file that an agent writes, in bytes.
const maxAgentFile = 256 << 20

// openWorkplace opens the workplace of a run, in a new workspace. The caller closes it. Without a session it is for a
// trial, in which every act is refused.
func (c *Cycle) openWorkplace(ctx context.Context, run *tierRun) (w *workplace, err error) {
	s := run.session
	ws, err := tiers.NewWorkspace(c.Config.StateDir, s.ID)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ws.Remove())
		}
	}()
	if s.Agent != store.FirstAid { // it has no agent to call them, and works where no agent can
		if err := ws.LinkPrograms(c.Shim, c.Table.Names()); err != nil {
			return nil, err
		}
	}
	own := *c
	own.Config.Agent = config.Agent{Tier: s.Tier, SessionID: s.ID, RunToken: s.RunToken, Folder: ws.State()}
	w = &workplace{Cycle: &own, run: run, ws: ws, acts: c.actEnviron(s.RunToken), added: ledger.Added{}}
	if w.unconfined, err = c.whyUnconfined(ctx); err != nil {
		return nil, err
	}
	runner := broker.Runner{Shim: c.Shim, Closed: c.closed(), Environ: broker.Environ(c.Environ, c.Config.AgentEnv)}
	if w.unconfined != "" {
		runner.Shim = ""
	}
	if s.Agent == store.FirstAid {
		runner.Environ = w.acts
	}
	if c.databases == nil { // it remembers their accounts as long as the cycle lives
		c.databases = &query.Asker{Environ: c.Environ}
	}
	network := &discover.Network{Environ: runner.Environ}
	judge := &guard.Guard{Table: c.Table, ReposDir: c.Config.ReposDir, Inventory: c.Inventory, Reports: network.Reports}
	w.broker = broker.New(broker.Settings{
		Tier: s.Tier, Records: w, OnCall: w.onCall, Now: c.Now, Own: w.own, Do: w.do,
		Audit: guard.Audit{Path: guard.AuditBeside(cmp.Or(s.LogPath, ws.State())), Redactor: c.Redactor}, // temporary without a session
		Mask:  func(to io.Writer) io.WriteCloser { return mask.NewWriter(to, c.Redactor) },
		Find:  looker{environ: runner.Environ}.find, Run: runner.Run, ActEnviron: w.acts,
		Inventory: c.Inventory, Environ: c.Environ, Asker: c.databases, MayGet: judge.MayGet,
		Open: func(ctx context.Context, path string) (*os.File, error) { return w.cell.Open(ctx, path) },
		Judge: func(argv []string, dir string) guard.Verdict {
			v := judge.Judge(argv, dir)
			v.Sandbox = v.Sandbox && w.unconfined == "" // what would run in the sandbox is refused where there is none
			return v
		},
	})
	w.cell = &broker.Cell{
		Shim: c.Shim, Broker: w.broker, Writes: []string{ws.State(), ws.Scratch()}, Dir: c.workDir(),
		Environ: func(files *guard.Files) []string { return c.cellEnvironment(s, ws, files) },
		Limits:  sandbox.Limits{FileSize: maxAgentFile},
		Places: guard.Places{
			ReposDir: c.Config.ReposDir, StateDir: c.Config.StateDir, ResultsDir: c.Config.ResultsDir, Session: ws.Readable(),
			Secrets: c.SecretFiles, Open: append(c.opened(), c.Table.Open...),
		},
	}
	if err := w.sync(ctx); err != nil {
		return nil, errors.Join(err, w.cell.Close())
	}
	return w, nil
}

// whyUnconfined returns why the kernel cannot confine what a session runs; empty if it can, or if there is no shim,
// without which no agent runs.
func (c *Cycle) whyUnconfined(ctx context.Context) (string, error) {
	if c.Shim == "" {
		return "", nil
	}
	err := sandbox.Check(ctx, c.Shim)
	if errors.Is(err, sandbox.ErrMissing) {
		return err.Error(), nil
	}
	return "", err
}

// opened returns the patterns of what agents may read wherever it is: the services file, and the services' own log files.
func (c *Cycle) opened() (patterns []string) {
	if c.Config.Inventory != "" {
		patterns = []string{config.Literal(c.Config.Inventory)}
	}
	for _, s := range c.Inventory.Everything() {
		patterns = append(patterns, s.Logs...)
	}
	return patterns
}

// onCall logs an agent's call: at level info if it changes something or was refused.
func (w *workplace) onCall(call guard.Entry) {
	if w.run.session.ID == 0 { // a person sees the output
		return
	}
	level, what := slog.LevelDebug, "a call has ended"
	if slices.ContainsFunc(call.Actions, func(a guard.Action) bool { return a != guard.Observe }) {
		level = slog.LevelInfo
	}
	attributes := []any{"session", w.run.session.ID, "command", text.Shorten(call.Command, maxLoggedCommand)}
	switch {
	case call.Decision == "":
		what = "a call begins"
	case call.Decision != guard.Allowed:
		level, what, attributes = slog.LevelInfo, "a call is refused", append(attributes, "reason", call.Reason)
	case call.Exit != nil:
		attributes = append(attributes, "exit", *call.Exit)
	}
	w.Log.Log(context.Background(), level, what, attributes...)
}

// maxLoggedCommand limits a command in a log line, in characters.
const maxLoggedCommand = 300

func (w *workplace) Bash(ctx context.Context, id, command string, out io.Writer) error {
	return w.call(ctx, command, out, func(out io.Writer) (int, error) { return w.cell.Run(ctx, id, command, out, out) })
}

func (w *workplace) Call(ctx context.Context, id string, argv []string, input []byte, out io.Writer) error {
	return w.call(ctx, guard.CommandLine(argv), out, func(out io.Writer) (int, error) {
		return w.broker.Call(ctx, id, w.cell.Dir, argv, input, out)
	})
}

func (w *workplace) Read(ctx context.Context, id, path string, from, lines int, out io.Writer) error {
	return w.call(ctx, path, out, func(out io.Writer) (int, error) {
		return w.cell.Read(ctx, id, path, from, lines, out)
	})
}

// call makes a call of the agent, whose cooldown.json is brought up to date before and after it. What it prints is
// kept as seen.
func (w *workplace) call(
	ctx context.Context, command string, out io.Writer, do func(out io.Writer) (exit int, err error),
) error {
	if err := w.sync(ctx); err != nil {
		return err
	}
	exit, err := do(w.run.seen.record(command, out))
	if err = errors.Join(err, w.sync(ctx)); err != nil {
		return err
	}
	if exit != 0 {
		return broker.ExitError(exit)
	}
	return nil
}

func (w *workplace) AskHuman(ctx context.Context, _, service, text string, out io.Writer) error {
	if err := w.askHuman(ctx, service, text); err != nil {
		return err
	}
	_, err := io.WriteString(out, "It is passed on. About a silenced service, or about the same again, no message is sent now.\n")
	return err
}

// server opens the socket for the session's tools, which a broker.Door serves.
func (w *workplace) server() (*tiers.Server, error) {
	tools, err := broker.Listen(w.ws.Socket())
	if err != nil {
		return nil, err
	}
	confined := w.unconfined == ""
	served := broker.Door{Tier: w.run.session.Tier, Confined: confined, Handler: w, Scratch: w.ws.Scratch()}
	return &tiers.Server{Shim: w.Shim, Tools: broker.Tools(w.run.session.Tier, confined), Serve: func(ctx context.Context) error {
		err := served.Serve(ctx, tools)
		var repeated broker.RepeatError
		if errors.As(err, &repeated) {
			return &tiers.EndError{Reason: w.Redactor.String(repeated.Error())}
		}
		return err
	}}, nil
}

// close takes over the agent's results, releases the sandbox, and removes the workspace.
func (w *workplace) close(ctx context.Context) error {
	err := errors.Join(w.sync(ctx), w.cell.Close())
	h, raw, fault := handoff.Read(state.HandoffPath(w.Config), w.run.session.Tier)
	if !errors.Is(fault, fs.ErrNotExist) {
		w.run.written = &written{h, raw, fault}
	}
	left := w.ws.Remove()
	if left != nil && w.run.session.ID != 0 { // not a fault of the tier; the next cycle tries again
		left = w.event(ctx, store.Warning, w.run.session.ID, "", left.Error())
	}
	return errors.Join(err, left)
}

// own runs a command of this program in this process.
func (w *workplace) own(ctx context.Context, args []string, in io.Reader, out, faults io.Writer) int {
	if w.run.session.ID == 0 && writesRecords(args) {
		_, _ = fmt.Fprintf(faults, "claudeops %s records something, and was not run: with --act it is\n", args[0]) // the caller may be gone
		return shim.ExitRefused
	}
	return w.Own(ctx, w.Config, args, in, out, faults)
}

// writesRecords reports whether a command of this program writes records.
func writesRecords(args []string) bool {
	return slices.ContainsFunc([]string{"report", "handoff write", "cooldown record"}, func(verb string) bool {
		return strings.HasPrefix(strings.Join(args, " "), verb)
	})
}
