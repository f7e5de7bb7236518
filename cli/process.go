package cli

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"
)

// Start makes the process ready for Main or HookMain. The context that it returns ends with the first signal to end, so that the
// command can tidy up; a second one ends the process where it is.
func Start() context.Context {
	// Every command is over soon, and most before the memory that it has touched would be worth collecting.
	debug.SetGCPercent(400)

	ctx, cancel := context.WithCancelCause(context.Background())
	cancelOnSignal(cancel)

	// A reader that goes away (claudeops run-once | head) makes writing to it fail instead of killing a cycle half-way. Caught, not
	// ignored: children would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return ctx
}

// sameSignal is how long after a first signal to end others are the same one: the agent program sends it to a hook's process group and
// to each of its processes as well.
const sameSignal = time.Second

// cancelOnSignal cancels with the first signal to end. A signal that whoever started us has switched off, as nohup does, stays off.
func cancelOnSignal(cancel context.CancelCauseFunc) {
	ends := []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	ends = slices.DeleteFunc(ends, signal.Ignored)
	if len(ends) == 0 {
		return // Notify without a signal means all of them
	}
	received := make(chan os.Signal, 1)
	signal.Notify(received, ends...)
	go func() {
		first := <-received
		cancel(SignalError{Signal: first.(syscall.Signal)})
		for since := time.Now(); ; {
			again := <-received
			if time.Since(since) < sameSignal {
				continue
			}
			signal.Reset(ends...)
			_ = syscall.Kill(os.Getpid(), again.(syscall.Signal)) // It cannot fail: the process is our own.
		}
	}()
}
