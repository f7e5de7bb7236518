package wrapper

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// How long the input is waited for. The agent program writes one line of JSON, but does not always close its pipe behind it.
const (
	headerQuiet  = time.Second            // with nothing coming, before the header counts as unknown
	headerWithin = 3 * time.Second        // all in all
	newlineQuiet = 100 * time.Millisecond // after the end of the value, for its newline or the end
	signalCheck  = 50 * time.Millisecond  // how often a wait looks whether it is still wanted
)

const (
	headerMax = 1 << 20  // bytes in which the header is looked for
	chunk     = 64 << 10 // bytes read at once
	pipeAtom  = 4 << 10  // bytes that every empty pipe takes at once
)

// input is the standard input of a call: what the agent program says of it. All that is read is kept in pending, unchanged,
// until it is forwarded.
type input struct {
	file     *os.File
	scan     scanner
	pending  []byte
	eof      bool
	terminal bool
	fault    onPanic
}

// arrival is what came of waiting for input.
type arrival int

// The arrivals.
const (
	came   arrival = iota // bytes, or the end
	quiet                 // nothing in time
	called                // the wait is no longer wanted
)

// complete reports whether the hook's input is whole: it ended, or the agent program's message and its newline came.
func (in *input) complete() bool { return in.eof || in.scan.message() && in.scan.newline }

// late reports whether what the call is may still come.
func (in *input) late() bool { return !in.eof && !in.terminal && !in.scan.known() }

// readHeader reads until the header is known, or will not be: the value ended, it is no JSON, or nothing comes. A terminal is
// not waited for: whoever sits there may type for as long as they like.
func (in *input) readHeader(ctx context.Context) {
	if in.file == nil {
		in.eof = true
		return
	}
	in.control(func(fd int) { in.terminal = term.IsTerminal(fd) })
	if in.terminal {
		return
	}
	begin := time.Now()
	wanted := func() bool { return !in.scan.known() && !in.eof && len(in.pending) < headerMax && ctx.Err() == nil }
	for last := begin; wanted() && time.Since(begin) < headerWithin && time.Since(last) < headerQuiet; {
		if in.fill(signalCheck, -1) == came {
			last = time.Now()
		}
	}
	if in.scan.message() && !in.complete() && ctx.Err() == nil {
		in.fill(0, -1) // mostly the end is there already, and then no goroutine is needed to wait for it
	}
}

// fill reads once into pending, after waiting at most so long for something to come; below 0 it waits as long as it takes. The wait
// ends too when something can be read from wake, where that is not -1.
func (in *input) fill(wait time.Duration, wake int) (a arrival) {
	a = quiet
	in.control(func(fd int) {
		if a = await(fd, wake, wait); a == came {
			a = in.read(fd)
		}
	})
	return a
}

// control calls f with the file's descriptor as it is: File.Fd would make it a blocking one, for all who share it.
func (in *input) control(f func(fd int)) {
	raw, err := in.file.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) { f(int(fd)) })
	}
	if err != nil {
		in.eof = true // closed: there is no more to come
	}
}

func (in *input) read(fd int) arrival {
	have := len(in.pending)
	if cap(in.pending)-have < chunk {
		in.pending = append(make([]byte, 0, 2*have+chunk), in.pending...)
	}
	n, err := unix.Read(fd, in.pending[have:have+chunk])
	switch {
	case errors.Is(err, unix.EINTR), errors.Is(err, unix.EAGAIN):
		return quiet
	case err != nil || n == 0:
		in.eof = true // a broken pipe, a directory: the hook's ends too
		return came
	}
	in.pending = in.pending[:have+n]
	in.follow(in.pending[have:])
	return came
}

// follow has the scanner look at what came. Where that fails, what it has found stays, and the input is handed on to its end.
func (in *input) follow(b []byte) {
	defer func() {
		if fault := recover(); fault != nil {
			in.scan.state = noMessage
			in.fault(fault)
		}
	}()
	in.scan.feed(b)
}

// await waits for something to read.
func await(fd, wake int, wait time.Duration) arrival {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(wake), Events: unix.POLLIN}}
	timeout := -1
	if wait >= 0 {
		timeout = int(wait.Milliseconds())
	}
	n, err := unix.Poll(fds, timeout)
	for errors.Is(err, unix.EINTR) {
		n, err = unix.Poll(fds, timeout)
	}
	switch {
	case err != nil || n == 0:
		return quiet
	case fds[1].Revents != 0:
		return called
	}
	return came
}

// feeder hands the input on to the hook, in the goroutine that it starts.
type feeder struct {
	in           *input
	hook         *os.File // where the hook reads
	wakeR, wakeW *os.File
	done         chan struct{}
}

// feed hands on what is pending and what still comes. Input that is whole and small is in the pipe when feed returns.
func (in *input) feed(ctx context.Context, hook *os.File) (*feeder, error) {
	if in.complete() && len(in.pending) <= pipeAtom {
		f := &feeder{in: in, hook: hook}
		f.forward()
		return nil, hook.Close()
	}
	f := &feeder{in: in, hook: hook, done: make(chan struct{})}
	err := patiently(ctx, func() (err error) {
		f.wakeR, f.wakeW, err = os.Pipe()
		return err
	})
	if err != nil {
		return nil, errors.Join(err, hook.Close())
	}
	go f.run()
	return f, nil
}

func (f *feeder) run() {
	defer close(f.done)
	defer func() { _ = f.hook.Close() }() // in any case: the hook would wait for more
	defer f.in.fault.contain()
	wake := int(f.wakeR.Fd())
	for f.forward() && !f.in.complete() {
		wait := time.Duration(-1)
		if f.in.scan.message() {
			wait = newlineQuiet
		}
		if a := f.in.fill(wait, wake); a == called || a == quiet && wait >= 0 {
			break
		}
	}
	_ = f.hook.Close() // The hook may have closed its end long ago.
	f.in.drain(wake)
}

// forward writes what is pending. A hook that does not read its input, or not all of it, is no error.
func (f *feeder) forward() bool {
	_, err := f.hook.Write(f.in.pending)
	f.in.pending = f.in.pending[:0]
	return err == nil
}

// stop ends the forwarding: the hook has ended.
func (f *feeder) stop() {
	if f == nil {
		return
	}
	_ = f.hook.Close() // It ends a write that a hook's orphan keeps waiting.
	_ = f.wakeW.Close()
	<-f.done
	_ = f.wakeR.Close()
}

// drain reads what is not used, so that the agent program's writing does not fail for it, until the input is whole or nothing
// comes for a moment, or for as long as it takes where wake ends it.
func (in *input) drain(wake int) {
	wait := newlineQuiet
	if wake >= 0 {
		wait = -1
	}
	for begin := time.Now(); in.file != nil && !in.complete() && (wake >= 0 || time.Since(begin) < headerQuiet); {
		in.pending = in.pending[:0]
		if a := in.fill(wait, wake); a == called || a == quiet && wait >= 0 {
			return
		}
	}
}
