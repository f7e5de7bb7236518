// Claudeops watches infrastructure with an AI agent, one monitoring cycle at a time. "claudeops --help" lists what it does.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/cli"
)

func main() {
	// Every command is over soon, and most before the memory that it has touched would be worth collecting.
	debug.SetGCPercent(400)

	ctx, cancel := context.WithCancelCause(context.Background())
	cancelOnSignal(cancel)

	// A reader that goes away (claudeops run-once | head) makes writing to it fail instead of killing a cycle half-way. Caught, not
	// ignored: children would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	os.Exit(cli.Main(ctx, os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now}))
}

// cancelOnSignal cancels with the first signal to end, so that the command can tidy up; the second ends the process where it is. A
// signal that whoever started us has switched off, as nohup does, stays off.
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
		signal.Reset(ends...)
		cancel(cli.SignalError{Signal: first.(syscall.Signal)})
	}()
}
