package cli

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

// Start prepares the process for Main. The returned context ends with the first signal to end, so that the command can clean up; a second
// one ends the process at once. A long-running command may claim the signals.
func Start() context.Context {
	// Most commands end before collecting their memory would pay off.
	debug.SetGCPercent(400)

	ctx, cancel := context.WithCancelCause(context.Background())
	claimed := &atomic.Bool{}
	received := make(chan os.Signal, 8)
	ends := subscribe(received, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go listen(received, ends, cancel, claimed)

	// If a reader goes away (claudeops run-once | head), writing must fail instead of killing a cycle. The signal is caught, not ignored,
	// because children would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return context.WithValue(ctx, claimedKey{}, claimed)
}

// subscribe is signal.Notify for those signals that the parent process has not ignored, as nohup does.
func subscribe(to chan os.Signal, signals ...os.Signal) (some []os.Signal) {
	if some = slices.DeleteFunc(signals, signal.Ignored); len(some) > 0 { // Notify without a signal means all of them
		signal.Notify(to, some...)
	}
	return some
}

// sameSignal is how long after a first signal to end another counts as the same one: whoever ends a tree of processes sends it to a process
// group and also to each of its processes.
const sameSignal = time.Second

// listen waits for signals as long as the process lives.
func listen(received <-chan os.Signal, ends []os.Signal, cancel context.CancelCauseFunc, claimed *atomic.Bool) {
	var first time.Time
	for sig := range received {
		switch number := sig.(syscall.Signal); {
		case claimed.Load() && number == syscall.SIGHUP:
		case first.IsZero():
			first = time.Now()
			cancel(SignalError{Signal: number})
		case !claimed.Load() && time.Since(first) >= sameSignal:
			signal.Reset(ends...)
			_ = syscall.Kill(os.Getpid(), number) // cannot fail for our own process
		}
	}
}

type claimedKey struct{}

// claimSignals passes all further signals to a long-running command: SIGHUP, which then does not end it, and those to end, none of which
// ends the process. The first signal to end still ends ctx. Without Start there are no signals.
func claimSignals(ctx context.Context) (hangup, ends <-chan os.Signal) {
	hangups, others := make(chan os.Signal, 1), make(chan os.Signal, 8)
	if claimed, started := ctx.Value(claimedKey{}).(*atomic.Bool); started {
		subscribe(hangups, syscall.SIGHUP)
		subscribe(others, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
		claimed.Store(true)
	}
	return hangups, others
}

// ownPath returns the path by which this program was called, without resolving links: a new version may be at another path.
func ownPath() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	is, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if called, err := exec.LookPath(os.Args[0]); err == nil {
		if by, err := os.Stat(called); err == nil && os.SameFile(is, by) {
			return filepath.Abs(called)
		}
	}
	return path, nil
}
