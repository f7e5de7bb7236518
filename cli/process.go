package cli

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Start makes the process ready for Main. The context that it returns ends with the first signal to end, so that the
// command can tidy up; a second one ends the process where it is. A command that stays may claim the signals.
func Start() context.Context {
	// Every command is over soon, and most before the memory that it has touched would be worth collecting.
	debug.SetGCPercent(400)

	ctx, cancel := context.WithCancelCause(context.Background())
	s := &signals{cancel: cancel}
	s.listen()

	// A reader that goes away (claudeops run-once | head) makes writing to it fail instead of killing a cycle half-way. Caught, not
	// ignored: children would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return context.WithValue(ctx, signalsKey{}, s)
}

// sameSignal is how long after a first signal to end others are the same one: the agent program sends it to a hook's process group and
// to each of its processes as well.
const sameSignal = time.Second

// signals are those that ask this process to end. A signal that whoever started us has switched off, as nohup does, stays off.
type signals struct {
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	first   time.Time // when the first signal to end came; zero before that
	claimed *claim    // nil as long as nobody has
}

// claim is what a command that stays gets instead of the second signal's end of the process.
type claim struct {
	hangup chan struct{}       // SIGHUP, which then asks for no end; several may come as one
	ends   chan syscall.Signal // each signal to end
}

type signalsKey struct{}

// claimSignals gives the signals that come from now on to the command. The first one to end also ends ctx; where ctx has ended
// already, nothing is claimed. Without Start there are no signals.
func claimSignals(ctx context.Context) *claim {
	c := &claim{hangup: make(chan struct{}, 1), ends: make(chan syscall.Signal, 8)}
	if s, started := ctx.Value(signalsKey{}).(*signals); started {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.first.IsZero() {
			s.claimed = c
		}
	}
	return c
}

// listen waits for signals, for as long as the process lives.
func (s *signals) listen() {
	ends := slices.DeleteFunc([]os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
	if len(ends) == 0 {
		return // Notify without a signal means all of them
	}
	received := make(chan os.Signal, 8)
	signal.Notify(received, ends...)
	go func() {
		for {
			if sig := (<-received).(syscall.Signal); s.enough(sig) {
				signal.Reset(ends...)
				_ = syscall.Kill(os.Getpid(), sig) // It cannot fail: the process is our own.
			}
		}
	}()
}

// enough takes a signal and says whether it is to end the process at once. Nothing here waits, so that no signal is lost behind another.
func (s *signals) enough(sig syscall.Signal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.claimed != nil && sig == syscall.SIGHUP {
		select {
		case s.claimed.hangup <- struct{}{}:
		default: // one is waiting
		}
		return false
	}
	first := s.first.IsZero()
	if first { // before it is passed on: the command that ends for it asks for the cause
		s.first = time.Now()
		s.cancel(SignalError{Signal: sig})
	}
	if s.claimed != nil {
		select {
		case s.claimed.ends <- sig:
		default: // so many are waiting
		}
	}
	return !first && s.claimed == nil && time.Since(s.first) >= sameSignal
}
