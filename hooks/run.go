package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sys/unix"
)

const (
	// maxRead is how much of a hook's input, and of each of its outputs, is kept to be looked at, in bytes. All of it is passed on.
	maxRead = 4 << 20
	// inputWait is how long a call waits for its input; then the hook runs, and its event is not known.
	inputWait = 2 * time.Second
	// countWait is how long a call that has run waits for the state's lock, so that it is counted even where hundreds end at once.
	countWait = 10 * time.Second
	// endGrace is how long a hook may take to end when it is asked to: the agent program ends a call 1.5 s after it has asked.
	endGrace = time.Second
	// outputGrace is how long output is waited for that the hook's children hold open.
	outputGrace = time.Second
)

// Streams are the standard files of a call, and the clock.
type Streams struct {
	In       *os.File
	Out, Err io.Writer
	Now      func() time.Time
}

// hookRun is one call of a hook.
type hookRun struct {
	Streams
	key   string   // the hook's command, by which it is known
	args  []string // what is run
	quiet bool     // print nothing where the hook is skipped: the model would read it
	plain bool     // run it without the breaker

	config *Config
	file   *File
	log    *Log
	call   Call
}

// Run runs a hook behind its circuit breaker, and returns its exit code. A fault of the breaker is logged, and the hook runs.
func Run(args []string, std Streams) int {
	r := &hookRun{Streams: std}
	if err := r.parse(args); err != nil {
		_, _ = fmt.Fprintf(std.Err, "claude-hooks: %v\n", err) // standard error may be closed
		return 1                                               // 2 would be a verdict for the agent
	}
	signals := make(chan os.Signal, 8)
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as nohup does
			signal.Notify(signals, s)
		}
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a closed output does not end this process before the run is counted
	input := r.readCall()
	decision := r.begin()
	if decision.Skip != "" {
		return 0
	}
	e := r.execute(input, signals)
	if e.err != nil {
		_, _ = fmt.Fprintf(std.Err, "claude-hooks: %s: %s\n", r.args[0], reason(e.err))
	}
	r.finish(decision, e)
	return e.exitCode()
}

// parse reads the command line: -c LINE, or -- and the words of a command. Other words before these are of no meaning, such as options that
// install has written in earlier versions.
func (r *hookRun) parse(args []string) error {
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		switch {
		case word == "--quiet":
			r.quiet = true
		case word == "--plugin": // from CLAUDE_CODE_SHELL_PREFIX, as earlier versions set it: this may be no hook
			r.plain = true
		case word == "-c" && len(args) == 1:
			r.key, r.args = valid(args[0]), []string{"/bin/sh", "-c", args[0]}
			return nil
		case word == "--" && len(args) > 0:
			r.key, r.args = valid(commandLine(args)), args
			return nil
		}
	}
	return errors.New("run: expected -c LINE or -- COMMAND…")
}

// valid returns a text as it is in the state file.
func valid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// commandLine returns the words of a command as a line of shell.
func commandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return strings.Join(quoted, " ")
}

// readCall reads the call's input as far as it is one JSON value, and returns all of the input for the hook. The agent program does not
// always close its pipe, and a person at a terminal has nothing to say.
func (r *hookRun) readCall() io.Reader {
	var head bytes.Buffer
	if _, err := unix.IoctlGetTermios(int(r.In.Fd()), unix.TCGETS); err != nil {
		waiting := &deadlineReader{r.In, r.Now().Add(inputWait), r.Now}
		decoder := jsontext.NewDecoder(io.TeeReader(io.LimitReader(waiting, maxRead), &head), reading)
		_ = json.UnmarshalDecode(decoder, &r.call) // otherwise nothing is known of it
	}
	return io.MultiReader(&head, r.In)
}

// begin decides whether the hook runs, and tells the person where it does not.
func (r *hookRun) begin() (d Decision) {
	defer func() {
		if fault := recover(); fault != nil {
			d = Decision{}
		}
	}()
	home, err := userHome()
	if err != nil {
		r.config, r.log = &Config{}, &Log{now: r.Now}
		return Decision{}
	}
	r.config, err = LoadConfig(home)
	r.log = r.config.Log(r.Now)
	if err != nil {
		r.log.Error("-", err.Error())
	}
	if r.plain {
		r.config.Breaker.Enabled = false
	}
	if !r.config.Breaker.Enabled {
		return Decision{}
	}
	r.file = r.config.File(r.Now)
	state, err := r.file.Read() // a damaged file is set aside when the result is written
	if err != nil && !errors.Is(err, errDamaged) {
		r.log.Error(r.key, err.Error())
		return Decision{}
	}
	r.call.Asked = matchesAny(skipList(), r.key)
	r.call.Parent = r.config.Parent(r.key, state, r.Now())
	hook := state.Hook(r.key)
	if hook.RunsAsIs(r.call) {
		return Decision{generation: hook.Generation}
	}
	var changes []Change
	note, err := r.file.Update(lockWait, func(s *Hooks) {
		changes = s.Edit(r.key, r.call.Session, func(h *Hook) { d = h.Begin(r.Now(), r.config.Rules(r.key), r.call) })
		hook = s.Hook(r.key)
	})
	if err != nil {
		r.log.Error(r.key, err.Error()+"; the hook runs")
		return Decision{}
	}
	r.report(note, changes)
	if d.Skip != "" {
		r.skipped(d, hook)
	}
	return d
}

// skipList returns the hooks that CLAUDE_HOOKS_SKIP names, separated by commas or blanks: patterns of Matches.
func skipList() []string {
	return strings.FieldsFunc(os.Getenv("CLAUDE_HOOKS_SKIP"), func(r rune) bool { return r == ',' || r == ' ' })
}

// execute runs the hook to its end. The signals are passed on to its process group.
func (r *hookRun) execute(input io.Reader, signals <-chan os.Signal) *ending {
	runtime.LockOSThread() // the hook is killed when this thread ends
	defer runtime.UnlockOSThread()
	out, errs := &head{to: r.Out}, &head{to: r.Err}
	cmd := exec.Command(r.args[0], r.args[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, errs, outputGrace
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return &ending{err: err}
	}
	go func() {
		_, _ = io.Copy(stdin, input) // the hook need not read it
		_ = stdin.Close()
	}()
	over := make(chan struct{})
	asked := make(chan os.Signal)
	go func() { asked <- passOn(signals, cmd.Process.Pid, over) }()
	_ = cmd.Wait() // how it ended is in ProcessState
	close(over)
	e := &ending{status: cmd.ProcessState.Sys().(syscall.WaitStatus), stdout: out.kept, stderr: errs.kept}
	if s := <-asked; s != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it has left
		e.interrupted = s != syscall.SIGTERM
	}
	return e
}

// passOn passes signals on to a process group until it is over, kills it if it does not end after the first one, and returns that one.
func passOn(signals <-chan os.Signal, group int, over <-chan struct{}) (first os.Signal) {
	var late <-chan time.Time
	for {
		select {
		case s := <-signals:
			_ = syscall.Kill(-group, s.(syscall.Signal))
			if first == nil {
				first, late = s, time.After(endGrace)
			}
		case <-late:
			_ = syscall.Kill(-group, syscall.SIGKILL)
		case <-over:
			return first
		}
	}
}

// finish counts how the hook ended.
func (r *hookRun) finish(d Decision, e *ending) {
	defer func() { _ = recover() }() // the hook's exit code is what counts
	if !r.config.Breaker.Enabled || e.interrupted {
		return
	}
	outcome := e.outcome(r.call.Event)
	if outcome.Failed {
		r.log.Warning(r.key, "Hook failed: "+outcome.Error)
	} else {
		r.log.Debug(r.key, fmt.Sprintf("Hook ended with %d", e.exitCode()))
	}
	var changes []Change
	note, err := r.file.Update(countWait, func(s *Hooks) {
		changes = s.Edit(r.key, r.call.Session, func(h *Hook) {
			h.Finish(r.Now(), r.config.Rules(r.key), r.call, d, outcome)
		})
		s.Stats.TotalExecutions++
		if outcome.Failed {
			s.Stats.TotalFailures++
		}
	})
	if err != nil {
		r.log.Error(r.key, err.Error()+"; this call does not count")
		return
	}
	r.report(note, changes)
}

// report logs and sends what has changed.
func (r *hookRun) report(note string, changes []Change) {
	if note != "" {
		r.log.Error("-", note)
	}
	for _, c := range changes {
		r.log.Info(c.Hook, c.String())
	}
	if err := r.config.notify(changes, r.log); err != nil {
		r.log.Error("-", err.Error())
	}
}

// shownToPerson are the events at which the agent program shows a systemMessage to the person and not to the model. What a hook prints at
// others would go to the model, or be lost.
var shownToPerson = []string{
	"", "PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "Stop", "SubagentStop",
}

// skipped logs that a call is skipped, and answers it (ANTI-LOOP "Graceful Degradation"). The person is told once a session.
func (r *hookRun) skipped(d Decision, h *Hook) {
	why := r.why(d.Skip, h)
	message := "Hook " + why
	if d.Skip == CircuitOpen || d.Skip == TrialRunning {
		message = "Hook disabled due to repeated failures"
	}
	r.log.Info(r.key, message)
	if r.quiet || !slices.Contains(shownToPerson, r.call.Event) {
		return
	}
	answer := struct {
		Result  string `json:"result"`
		Message string `json:"message"`
		System  string `json:"systemMessage,omitzero"`
	}{Result: "continue", Message: message}
	if d.Tell {
		answer.System = "claude-hooks: " + ShortName(r.key) + " " + why + "; claude-hooks health shows more"
	}
	if line, err := json.Marshal(answer); err == nil {
		_, _ = r.Out.Write(append(line, '\n')) // it may be closed
	}
}

// why says why a hook is skipped, as the rest of a sentence.
func (r *hookRun) why(skip Reason, h *Hook) string {
	switch skip {
	case DisabledByHand:
		return "is switched off by hand"
	case AskedFor:
		return "is skipped because CLAUDE_HOOKS_SKIP names it"
	case ParentOpen:
		return "is skipped while " + ShortName(r.call.Parent) + ", which it depends on, is switched off"
	case LoopOpen:
		loop := h.Sessions[r.call.Session].Loop
		return "is switched off in this session until " + loop.RetryAfter.Local().Format(time.TimeOnly) + ": it " + loop.LastError
	case TrialRunning:
		return "is switched off while a trial of it runs"
	}
	return "is switched off until " + h.RetryAfter.Local().Format(time.TimeOnly) + " because it failed: " + clip(h.LastError, 200)
}

// String describes a change for the log.
func (c Change) String() string {
	text := fmt.Sprintf("Circuit %s -> %s", strings.ToUpper(string(c.From)), strings.ToUpper(string(c.State)))
	if c.Session != "" {
		text += " for session " + c.Session
	}
	if c.State == Open {
		text += fmt.Sprintf(" (%s); next try at %s", c.LastError, c.RetryAfter.Format(time.RFC3339))
	}
	return text
}

// head passes on all that is written, and keeps its beginning.
type head struct {
	kept []byte
	to   io.Writer
}

func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), maxRead-len(h.kept))]...)
	return h.to.Write(p)
}

// deadlineReader reads what comes until a time.
type deadlineReader struct {
	file  *os.File
	until time.Time
	now   func() time.Time
}

func (d *deadlineReader) Read(p []byte) (int, error) {
	for {
		left := max(0, d.until.Sub(d.now()).Milliseconds())
		ready, err := unix.Poll([]unix.PollFd{{Fd: int32(d.file.Fd()), Events: unix.POLLIN}}, int(left))
		switch {
		case errors.Is(err, unix.EINTR):
		case ready > 0:
			return d.file.Read(p)
		default:
			return 0, os.ErrDeadlineExceeded
		}
	}
}
