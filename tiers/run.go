package tiers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/text"
)

var (
	// errRefused is the reason to stop an agent whose credential was refused twice.
	errRefused = errors.New("the API refused the credential twice (authentication_failed); " +
		"check the API key or token, or log in again with the agent program")
	// errTime is the reason to stop an agent that has used up its time.
	errTime = errors.New("time limit reached")
	// errTools is the reason to stop an agent with other tools than it should have.
	errTools = errors.New("the agent program has not the tools of this cycle")
	// errUnrecorded is the reason to stop an agent whose session could not be recorded.
	errUnrecorded = errors.New("its session could not be recorded")
)

// stderrKept limits the end of the agent's standard error that is kept for an error message, in bytes.
const stderrKept = 4 << 10

// Run runs one tier and returns its outcome. An agent that fails, or cannot be started, is an Outcome and not an error. An error means
// that claudeops itself failed (Spec.Started, the log, a signal); it is returned with the Outcome.
func Run(ctx context.Context, s Spec) (Outcome, error) {
	began := time.Now()
	failed := func(err error) Outcome { return Outcome{Ending: Failed, Reason: err.Error(), ExitCode: -1} }
	cmd, err := command(s)
	if err != nil {
		return failed(err), err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	limited, cancel := context.WithTimeoutCause(ctx, s.Timeout, errTime)
	defer cancel()
	out := &stream{log: sessionLog{to: s.Log}, redactor: s.Redactor, progress: s.Progress, denied: func() { stop(errRefused) }}
	if s.Server != nil {
		out.offered = func(tools []string) {
			if err := s.Server.fault(tools); err != nil {
				stop(err)
			}
		}
	}
	stderr := &tail{max: stderrKept}
	cmd.Stdout, cmd.Stderr = out, stderr
	// While the agent runs, other processes of the user, including the agent's, must not read this process's memory and environment.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		err = fmt.Errorf("close this process's memory to the agent: %w", err)
		return failed(err), err
	}
	defer func() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0) }() // cannot fail
	p, err := start(cmd, config.Lookup(s.Environ, config.RunTokenVariable))
	if f, ok := cmd.Stdin.(io.Closer); ok {
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return failed(fmt.Errorf("start the agent program: %w", err)), nil
	}
	endServer := func() error { return nil }
	if s.Server != nil {
		endServer = s.Server.serve(ctx, stop)
	}
	startedErr := p.idErr
	if startedErr == nil && s.Started != nil {
		startedErr = s.Started(p.id)
	}
	if startedErr != nil {
		stop(errUnrecorded)
	}
	beside, endBeside := context.WithCancel(ctx)
	var goingOn sync.WaitGroup
	if s.Beside != nil {
		goingOn.Go(func() { s.Beside(beside) })
	}
	cause := p.await(limited, s.Grace)
	serverErr := endServer()
	endBeside()
	goingOn.Wait()
	survivors, sweepErr := sweep(p.others)
	// No writer is left, so the output is read to its end; if the kernel holds a writer, WaitDelay ends the read. The error only says that
	// the process has been waited for already.
	_ = cmd.Wait()
	out.Close()
	o := judge(p, out, cause, s.Redactor.String(stderr.text()), survivors)
	if o.DurationMS == 0 {
		o.DurationMS = time.Since(began).Milliseconds()
	}
	return o, errors.Join(startedErr, p.waitErr, serverErr, sweepErr, out.log.err)
}

// judge derives the outcome from the output and the way the process ended. The exit code and the result's is_error decide, never its
// subtype: an API error has the subtype "success".
func judge(p *process, out *stream, cause error, stderr string, survivors []int) Outcome {
	code, signal := p.exitCode()
	o := Outcome{ExitCode: code, Survivors: survivors}
	o.take(out)
	var ends *EndError
	switch {
	case errors.Is(cause, errTime):
		o.Ending, o.Reason = TimedOut, "stopped at its time limit"+out.retries()
	case errors.Is(cause, errRefused), errors.Is(cause, errTools), errors.Is(cause, errUnrecorded):
		o.Ending, o.Reason = Failed, cause.Error()
	case errors.As(cause, &ends):
		o.Ending, o.Reason = Failed, "stopped: "+ends.Reason
	case cause != nil:
		o.Ending, o.Reason = Interrupted, "stopped: "+cause.Error()
	case signal != 0:
		o.Ending, o.Reason = Failed, fmt.Sprintf("the agent was ended by %s%s", signal, quoted(stderr))
	case code != 0:
		o.Ending, o.Reason = Failed, fmt.Sprintf("the agent exited with %d%s%s", code, subtype(out.result), quoted(stderr))
	case out.result == nil:
		o.Ending, o.Reason = Failed, "the agent exited without a result event: its output is incomplete"+quoted(stderr)
	case out.result.IsError:
		o.Ending, o.Reason = Failed, "the agent reported an error"+subtype(out.result)
	default:
		o.Ending = Completed
	}
	return o
}

// take fills in the agent's own figures or, if no result arrived, the estimates.
func (o *Outcome) take(out *stream) {
	o.Response, o.Tools, o.Markers = out.response(), out.tools, out.markers
	o.CostUSD, o.InputTokens, o.OutputTokens = out.spent.usd, out.spent.input, out.spent.output
	r := out.result
	if r == nil {
		return
	}
	o.NumTurns, o.DurationMS = max(r.NumTurns, 0), max(r.DurationMS, 0)
	if r.TotalCostUSD > 0 || !r.IsError {
		o.CostUSD = out.cost
	}
	if input, output := r.tokens(); input >= 0 && output >= 0 && input+output > 0 {
		o.InputTokens, o.OutputTokens = input, output
	}
}

func subtype(r *result) string {
	switch {
	case r == nil:
		return " and no result event"
	case r.Subtype == "success":
		return ": " + text.FirstLine(r.Result)
	case len(r.Errors) > 0:
		return ": " + text.FirstLine(r.Errors[0]) + " (" + r.Subtype + ")"
	default:
		return " (" + r.Subtype + ")"
	}
}

func quoted(stderr string) string {
	if stderr == "" {
		return ""
	}
	return "; it said: " + stderr
}

func (t *tail) text() string { return strings.ToValidUTF8(strings.TrimSpace(string(t.buf)), "") }

// Replay reads the raw log of a session whose end no cycle saw, and returns its cost and response so far.
func Replay(log io.Reader) (Outcome, error) {
	out := &stream{}
	if _, err := io.Copy(out, log); err != nil {
		return Outcome{}, fmt.Errorf("read the agent's output: %w", err)
	}
	out.Close()
	o := Outcome{Ending: Interrupted, ExitCode: -1}
	o.take(out)
	return o, nil
}
