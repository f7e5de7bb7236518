package wrapper

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

// How long a hook may take to end once it is asked to, and its output to be taken once it cannot go on.
const (
	endGrace    = 500 * time.Millisecond
	outputGrace = 100 * time.Millisecond
	recordGrace = 350 * time.Millisecond // for the state file, once the wrapper is asked to end
	groupPoll   = 5 * time.Millisecond
)

// ending ends a hook that is to end before it does so by itself: at its timeout, and when the wrapper is asked to end. Other signals
// it passes on.
type ending struct {
	asked chan struct{} // closed when the hook is asked to end, or would be
	stop  func()        // gives the signals back

	fault   onPanic
	mu      sync.Mutex
	group   int         // the hook's processes; 0 before it runs and after
	first   *os.Process // the first of them
	signal  syscall.Signal
	timeout time.Duration // it is the timeout that ended it
	timer   *time.Timer   // that asks at the timeout, then the one that kills
}

// watch begins to take the signals to end, and those that a hook may understand in its own way. Two more are caught so that a failing
// write fails instead of ending the wrapper: caught, not ignored, because the hook would inherit that. SIGHUP and SIGINT stay off where
// the parent has switched them off, as nohup does; of other signals Go's runtime does not say. Cancel is called when the wrapper is asked to end.
func watch(ctx context.Context, cancel context.CancelFunc, fault onPanic) *ending {
	e := &ending{asked: make(chan struct{}), fault: fault}
	wanted := []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGPIPE, syscall.SIGXFSZ}
	wanted = slices.DeleteFunc(wanted, signal.Ignored)
	signals := make(chan os.Signal, 8)
	take := func() {
		if len(wanted) > 0 { // Notify without a signal means all of them
			signal.Notify(signals, wanted...)
		}
	}
	take()
	over := make(chan struct{})
	var listener sync.WaitGroup
	listener.Go(func() {
		done := ctx.Done()
		for {
			select {
			case sig := <-signals:
				e.pass(sig.(syscall.Signal), cancel)
			case <-done:
				done = nil
				take() // again: whoever cancelled may have given back all signals
				e.cancelled(signals, cancel)
			case <-over:
				return
			}
		}
	})
	e.stop = sync.OnceFunc(func() {
		signal.Stop(signals)
		close(over)
		listener.Wait()
	})
	return e
}

// cancelled asks to end by the signal behind the cancelling, which is about to arrive here too, or without one.
func (e *ending) cancelled(signals <-chan os.Signal, cancel context.CancelFunc) {
	defer e.fault.contain()
	select {
	case sig := <-signals:
		e.pass(sig.(syscall.Signal), cancel)
	case <-time.After(2 * groupPoll):
	}
	e.ask(syscall.SIGTERM, 0)
}

func (e *ending) pass(sig syscall.Signal, cancel context.CancelFunc) {
	defer e.fault.contain()
	switch sig {
	case syscall.SIGPIPE, syscall.SIGXFSZ:
	case syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP:
		e.ask(sig, 0)
		cancel()
	default:
		e.mu.Lock()
		e.send(sig)
		e.mu.Unlock()
	}
}

// ask asks the hook to end, and kills what of it has not ended after a while. Only the first asking counts: the agent program asks
// twice, and a person may press a key until something happens.
func (e *ending) ask(sig syscall.Signal, timeout time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.signal != 0 {
		return
	}
	e.signal, e.timeout = sig, timeout
	close(e.asked)
	e.end()
}

// end sends what was asked for, and later SIGKILL.
func (e *ending) end() {
	if e.group == 0 {
		return
	}
	if e.timer != nil {
		e.timer.Stop()
	}
	e.send(e.signal)
	e.timer = time.AfterFunc(endGrace, func() {
		defer e.fault.contain()
		e.mu.Lock()
		defer e.mu.Unlock()
		e.send(syscall.SIGKILL)
		e.group = 0
	})
}

// send signals all of the hook's processes, where there are any. They may have ended meanwhile. The first one is sent it by itself
// where it has left its group.
func (e *ending) send(sig syscall.Signal) {
	if e.group == 0 {
		return
	}
	_ = syscall.Kill(-e.group, sig)
	if group, err := syscall.Getpgid(e.group); err == nil && group != e.group {
		_ = e.first.Signal(sig)
	}
}

// wasAsked reports by which signal the wrapper, which is cancelled, was asked to end.
func (e *ending) wasAsked() syscall.Signal {
	<-e.asked
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.signal
}

// started takes over the first process of a hook's group, which may run for so long; 0 is without end.
func (e *ending) started(first *os.Process, timeout time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.group, e.first = first.Pid, first
	if e.signal != 0 {
		e.end()
	} else if timeout > 0 {
		e.timer = time.AfterFunc(timeout, func() {
			defer e.fault.contain()
			e.ask(syscall.SIGTERM, timeout)
		})
	}
}

// exited is called when the first of the hook's processes has ended, and returns what had been asked of it before. Where it was asked to
// end, all of its processes are gone when exited returns.
func (e *ending) exited() (sig syscall.Signal, timeout time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.signal == 0 {
		e.group = 0 // what it left behind may go on
		return 0, 0
	}
	for e.group != 0 && syscall.Kill(-e.group, 0) == nil {
		e.mu.Unlock()
		time.Sleep(groupPoll)
		e.mu.Lock()
	}
	e.group = 0
	return e.signal, e.timeout
}

// release ends the wait for the timeout.
func (e *ending) release() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.timer != nil {
		e.timer.Stop()
	}
}
