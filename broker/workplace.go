package broker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/query"
	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/sandbox/shim"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Setup is what a Workplace is made of. All fields are required, unless they say otherwise.
type Setup struct {
	ledger.Records                 // with the session's own Config
	Session        store.Session   // without an id a trial, in which every act is refused
	Approved       *store.Proposal // the only act that the session may do; nil: any
	Scratch        string          // where its agent writes, besides the folder that Config.Agent names
	Readable       []string        // further folders that its commands read
	Dir            string          // the working folder: REPOS_DIR, if it is accessible
	Environ        []string        // the operator's environment
	Secrets        []string        // files that no agent may read
	Table          *guard.Table    // of what agents may look with
	Shim           string          // path of claudeops-shim; empty where it is not installed
	Databases      *query.Asker
	Log            *slog.Logger
	Variables      map[string]string // of commands in the sandbox: whose they are, HOME and TMPDIR
	Programs       string            // folder of the programs that they reach by the broker
	// Own runs a command of this program and returns its exit status.
	Own func(ctx context.Context, c config.Config, args []string, in io.Reader, out, faults io.Writer) int
}

// Workplace is everything that one session's agent can reach: the sandbox for shell text, the broker for programs that need more access,
// and this program's commands. It is the Handler of the agent's calls, and reserves the acts of every session: of a model, of first aid, of
// what was approved, of a person's trial.
type Workplace struct {
	Setup
	Broker *Broker
	Cell   *Cell
	// Unconfined says why the kernel confines nothing that the agent runs; empty if it does. The agent then has no shell, and programs
	// that it has run are in no domain.
	Unconfined string
	Seen       Seen // what the calls have printed
	// Differs says how what Approved depends on differs from what was approved; then it did not run.
	Differs string

	issued *statefile.State // cooldown.json as it was given to the agent; nil before that
	text   []byte           // the same, as written
	added  ledger.Added     // what the agent has added to it so far
}

// maxAgentFile limits the size of a file that an agent writes, in bytes.
const maxAgentFile = 256 << 20

// Open opens the workplace of a session. The caller closes it.
func Open(ctx context.Context, s Setup) (*Workplace, error) {
	w := &Workplace{Setup: s, added: ledger.Added{}}
	acts := ActEnviron(s.Environ, s.Session.RunToken)
	runner := Runner{Shim: s.Shim, Closed: w.closed(), Environ: Environ(s.Environ, s.Config.AgentEnv)}
	if s.Shim != "" { // without it no agent runs
		err := sandbox.Check(ctx, s.Shim)
		switch {
		case errors.Is(err, sandbox.ErrMissing):
			w.Unconfined, runner.Shim = err.Error(), ""
		case err != nil:
			return nil, err
		}
	}
	if s.Session.Agent == store.FirstAid {
		runner.Environ = acts
	}
	network := &discover.Network{Environ: runner.Environ}
	judge := &guard.Guard{Table: s.Table, ReposDir: s.Config.ReposDir, Inventory: s.Inventory, Reports: network.Reports}
	w.Broker = New(Settings{
		Tier: s.Session.Tier, Records: w, OnCall: w.onCall, Now: s.Now, Own: w.own, Do: w.Do,
		Audit: guard.Audit{Path: guard.AuditBeside(cmp.Or(s.Session.LogPath, s.Config.Agent.Folder)), Redactor: s.Redactor}, // temporary without a session
		Mask:  func(to io.Writer) io.WriteCloser { return mask.NewWriter(to, s.Redactor) },
		Find:  Looker{runner.Environ}.find, Run: runner.Run, ActEnviron: acts,
		Inventory: s.Inventory, Environ: s.Environ, Asker: s.Databases, MayGet: judge.MayGet,
		Open: func(ctx context.Context, path string) (*os.File, error) { return w.Cell.Open(ctx, path) },
		Judge: func(argv []string, dir string) guard.Verdict {
			v := judge.Judge(argv, dir)
			v.Sandbox = v.Sandbox && w.Unconfined == "" // what would run in the sandbox is refused where there is none
			return v
		},
	})
	w.Cell = &Cell{
		Shim: s.Shim, Broker: w.Broker, Writes: []string{s.Config.Agent.Folder, s.Scratch}, Dir: s.Dir, Environ: w.cellEnviron,
		Limits: sandbox.Limits{FileSize: maxAgentFile},
		Places: guard.Places{
			ReposDir: s.Config.ReposDir, StateDir: s.Config.StateDir, ResultsDir: s.Config.ResultsDir, Session: s.Readable,
			Secrets: s.Secrets, Open: append(w.opened(), s.Table.Open...),
		},
	}
	if err := w.sync(ctx); err != nil {
		return nil, errors.Join(err, w.Cell.Close())
	}
	return w, nil
}

// Close takes over the agent's results, and releases the sandbox.
func (w *Workplace) Close(ctx context.Context) error { return errors.Join(w.sync(ctx), w.Cell.Close()) }

// Door returns the server of the session's tools.
func (w *Workplace) Door() *Door {
	return &Door{Tier: w.Session.Tier, Confined: w.Unconfined == "", Handler: w, Scratch: w.Scratch}
}

// records returns the records for one call: calls of a command run concurrently, and have transactions of their own.
func (w *Workplace) records() *ledger.Records {
	own := w.Records
	return &own
}

// closed are the folders below which is all that an agent can write, and which no program reads for it.
func (w *Workplace) closed() []string { return []string{w.Config.StateDir, w.Config.ResultsDir} }

// opened returns the patterns of what agents may read wherever it is: the services file, and the services' own log files.
func (w *Workplace) opened() (patterns []string) {
	if w.Config.Inventory != "" {
		patterns = []string{config.Literal(w.Config.Inventory)}
	}
	for _, s := range w.Inventory.Everything() {
		patterns = append(patterns, s.Logs...)
	}
	return patterns
}

// cellEnviron returns the environment of commands in the sandbox. Of the operator's it keeps only the identity and the locale.
func (w *Workplace) cellEnviron(files *guard.Files) []string {
	path := slices.DeleteFunc(filepath.SplitList(config.Lookup(w.Environ, "PATH")), func(dir string) bool {
		open, _ := files.Explain(dir) // a shell would find programs in an unreadable directory, and fail to run them
		return !open && !slices.ContainsFunc(files.Paths(), func(path string) bool { return strings.HasPrefix(path, dir+"/") })
	})
	env := []string{
		"PATH=" + w.Programs + ":" + strings.Join(path, ":"),
		"CLAUDEOPS_INVENTORY=" + w.Config.Inventory, "CLAUDEOPS_SHARD=" + w.Config.Shard.String(),
	}
	for name, value := range w.Variables {
		env = append(env, name+"="+value)
	}
	for _, entry := range w.Setup.Environ {
		if name, _, _ := strings.Cut(entry, "="); slices.Contains([]string{"USER", "LOGNAME", "LANG", "LANGUAGE", "TZ"}, name) || strings.HasPrefix(name, "LC_") {
			env = append(env, entry)
		}
	}
	return env
}

// onCall logs an agent's call: at level info if it changes something or was refused.
func (w *Workplace) onCall(call guard.Entry) {
	if w.Session.ID == 0 { // a person sees the output
		return
	}
	level, what := slog.LevelDebug, "a call has ended"
	if slices.ContainsFunc(call.Actions, func(a guard.Action) bool { return a != guard.Observe }) {
		level = slog.LevelInfo
	}
	attributes := []any{"session", w.Session.ID, "command", text.Shorten(call.Command, maxLogged)}
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

// maxLogged limits a command in a log line, in characters.
const maxLogged = 300

// Bash runs shell text in the sandbox.
func (w *Workplace) Bash(ctx context.Context, id, command string, out io.Writer) error {
	return w.call(ctx, command, out, func(out io.Writer) (int, error) { return w.Cell.Run(ctx, id, command, out, out) })
}

// Call makes a call of the broker's.
func (w *Workplace) Call(ctx context.Context, id string, argv []string, input []byte, out io.Writer) error {
	return w.call(ctx, guard.CommandLine(argv), out, func(out io.Writer) (int, error) {
		return w.Broker.Call(ctx, id, w.Dir, argv, input, out)
	})
}

// Read prints lines of a file.
func (w *Workplace) Read(ctx context.Context, id, path string, from, lines int, out io.Writer) error {
	return w.call(ctx, path, out, func(out io.Writer) (int, error) { return w.Cell.Read(ctx, id, path, from, lines, out) })
}

// call makes a call of the agent, whose cooldown.json is brought up to date before and after it.
func (w *Workplace) call(
	ctx context.Context, command string, out io.Writer, do func(out io.Writer) (exit int, err error),
) error {
	if err := w.sync(ctx); err != nil {
		return err
	}
	exit, err := do(w.Seen.record(command, out))
	if err = errors.Join(err, w.sync(ctx)); err != nil {
		return err
	}
	if exit != 0 {
		return ExitError(exit)
	}
	return nil
}

// AskHuman passes a question on to people.
func (w *Workplace) AskHuman(ctx context.Context, _, service, text string, out io.Writer) error {
	if err := w.askHuman(ctx, service, text); err != nil {
		return err
	}
	_, err := io.WriteString(out, "It is passed on. About a silenced service, or about the same again, no message is sent now.\n")
	return err
}

// own runs a command of this program in this process.
func (w *Workplace) own(ctx context.Context, args []string, in io.Reader, out, faults io.Writer) int {
	if w.Session.ID == 0 && writesRecords(args) {
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
