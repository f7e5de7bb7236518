package cli

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

// Start makes the process ready for Main. The context that it returns ends with the first signal to end, so that the
// command can tidy up; a second one ends the process where it is. A command that stays may claim the signals.
func Start() context.Context {
	// Every command is over soon, and most before the memory that it has touched would be worth collecting.
	debug.SetGCPercent(400)

	ctx, cancel := context.WithCancelCause(context.Background())
	claimed := &atomic.Bool{}
	received := make(chan os.Signal, 8)
	ends := subscribe(received, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go listen(received, ends, cancel, claimed)

	// A reader that goes away (claudeops run-once | head) makes writing to it fail instead of killing a cycle half-way. Caught, not
	// ignored: children would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return context.WithValue(ctx, claimedKey{}, claimed)
}

// subscribe is signal.Notify of those signals that whoever started this process has not switched off, as nohup does.
func subscribe(to chan os.Signal, signals ...os.Signal) (some []os.Signal) {
	if some = slices.DeleteFunc(signals, signal.Ignored); len(some) > 0 { // Notify without a signal means all of them
		signal.Notify(to, some...)
	}
	return some
}

// sameSignal is how long after a first signal to end others are the same one: the agent program sends it to a hook's process group and
// to each of its processes as well.
const sameSignal = time.Second

// listen waits for signals, for as long as the process lives.
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
			_ = syscall.Kill(os.Getpid(), number) // it cannot fail: the process is our own
		}
	}
}

type claimedKey struct{}

// claimSignals gives the signals that come from now on to a command that stays: SIGHUP, which asks for no end then, and those to end, none of
// which ends the process. The first one to end still ends ctx. Without Start there are no signals.
func claimSignals(ctx context.Context) (hangup, ends <-chan os.Signal) {
	hangups, others := make(chan os.Signal, 1), make(chan os.Signal, 8)
	if claimed, started := ctx.Value(claimedKey{}).(*atomic.Bool); started {
		subscribe(hangups, syscall.SIGHUP)
		subscribe(others, syscall.SIGINT, syscall.SIGTERM)
		claimed.Store(true)
	}
	return hangups, others
}
