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

// Grace periods: for a hook to end once asked to, for its output to be read after that, and for recording.
const (
	endGrace    = 500 * time.Millisecond
	outputGrace = 100 * time.Millisecond
	recordGrace = 350 * time.Millisecond // for updating the state file, once the wrapper is asked to end
	groupPoll   = 5 * time.Millisecond
)

// ending ends a hook early: at its timeout, and when the wrapper is asked to end. It passes on other signals.
type ending struct {
	asked chan struct{} // closed when the hook is, or would be, asked to end
	stop  func()        // stops catching signals

	fault   onPanic
	mu      sync.Mutex
	group   int            // the hook's process group; 0 before it runs and after it has ended
	first   *os.Process    // the first process of the group
	signal  syscall.Signal // by which it was asked to end; 0 if it was not
	timeout time.Duration  // set if it was ended by its timeout
	timer   *time.Timer    // fires at the timeout, and later to kill
}

// watch starts to catch the signals that ask to end, and those that a hook may interpret itself. SIGPIPE and SIGXFSZ are caught so that a
// failing write returns an error instead of ending the wrapper. They are not ignored, because the hook would inherit that. SIGHUP and
// SIGINT stay ignored if the parent ignores them, as nohup does; for other signals Go cannot report this. cancel is called when the
// wrapper is asked to end.
func watch(ctx context.Context, cancel context.CancelFunc, fault onPanic) *ending {
	e := &ending{asked: make(chan struct{}), fault: fault}
	wanted := []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGPIPE, syscall.SIGXFSZ}
	wanted = slices.DeleteFunc(wanted, signal.Ignored)
	signals := make(chan os.Signal, 8)
	take := func() {
		if len(wanted) > 0 { // Notify without signals would mean all signals
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
				take() // whoever cancelled ctx may have reset all signal handlers
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

// cancelled asks the hook to end because ctx was cancelled. If a signal caused that, it is about to arrive here too, and is passed on.
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

// ask asks the hook to end, and kills what has not ended after endGrace. Only the first request counts: the agent program asks twice, and
// a person may press a key repeatedly.
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

// end sends the requested signal, and later SIGKILL.
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

// send signals all processes of the hook, if any are left. It signals the first one separately if that has left its group.
func (e *ending) send(sig syscall.Signal) {
	if e.group == 0 {
		return
	}
	_ = syscall.Kill(-e.group, sig)
	if group, err := syscall.Getpgid(e.group); err == nil && group != e.group {
		_ = e.first.Signal(sig)
	}
}

// wasAsked returns the signal by which the wrapper was asked to end. The wrapper must be cancelled.
func (e *ending) wasAsked() syscall.Signal {
	<-e.asked
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.signal
}

// started registers the first process of a hook's group, and its timeout; 0 means none.
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

// exited is called when the first of the hook's processes has ended, and returns what it was asked before. If it was asked to end, all of
// its processes have ended when exited returns.
func (e *ending) exited() (sig syscall.Signal, timeout time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.signal == 0 {
		e.group = 0 // what it left behind may continue
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

// release stops the timer.
func (e *ending) release() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.timer != nil {
		e.timer.Stop()
	}
}
