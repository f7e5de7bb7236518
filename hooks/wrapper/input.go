package wrapper

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// How long to wait for input. The agent program writes one line of JSON, but does not always close its pipe.
const (
	headerQuiet  = time.Second            // without new input, before the header counts as unknown
	headerWithin = 3 * time.Second        // in total
	newlineQuiet = 100 * time.Millisecond // after the end of the value, for its newline or the end of the input
	signalCheck  = 50 * time.Millisecond  // how often a wait checks whether it was cancelled
)

const (
	headerMax = 1 << 20  // bytes in which the header is searched
	chunk     = 64 << 10 // bytes per read
	pipeAtom  = 4 << 10  // bytes that fit in any empty pipe
)

// input is the standard input of a call, a message of the agent program. Everything read is kept unchanged in pending until it is
// forwarded.
type input struct {
	file     *os.File
	scan     scanner
	pending  []byte
	eof      bool
	terminal bool
	fault    onPanic
}

// arrival is the result of waiting for input.
type arrival int

// The arrivals.
const (
	came   arrival = iota // input, or its end
	quiet                 // nothing in time
	called                // the wait was cancelled
)

// complete reports whether the hook's input is complete: it ended, or the agent program's message with its newline has arrived.
func (in *input) complete() bool { return in.eof || in.scan.message() && in.scan.newline }

// late reports whether the header may still arrive.
func (in *input) late() bool { return !in.eof && !in.terminal && !in.scan.known() }

// readHeader reads until the header is known, or cannot become known: the value ended, it is not JSON, or nothing arrives. It does not
// wait for a terminal, where a person may take any time to type.
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
		in.fill(0, -1) // usually the end is there already, and no goroutine is needed to wait for it
	}
}

// fill reads once into pending. It waits for input for at most wait, or without limit if wait is negative. Waiting also ends when wake,
// unless it is -1, becomes readable.
func (in *input) fill(wait time.Duration, wake int) (a arrival) {
	a = quiet
	in.control(func(fd int) {
		if a = await(fd, wake, wait); a == came {
			a = in.read(fd)
		}
	})
	return a
}

// control calls f with the file's descriptor. File.Fd would make it blocking, for everyone who shares it.
func (in *input) control(f func(fd int)) {
	raw, err := in.file.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) { f(int(fd)) })
	}
	if err != nil {
		in.eof = true // closed: no more input will come
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
		in.eof = true // a broken pipe or a directory: end the hook's input too
		return came
	}
	in.pending = in.pending[:have+n]
	in.follow(in.pending[have:])
	return came
}

// follow passes new input to the scanner. If the scanner panics, what it has found is kept, and the rest of the input is forwarded.
func (in *input) follow(b []byte) {
	defer func() {
		if fault := recover(); fault != nil {
			in.scan.state = noMessage
			in.fault(fault)
		}
	}()
	in.scan.feed(b)
}

// await waits until there is something to read.
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

// feeder forwards the input to the hook, in its own goroutine.
type feeder struct {
	in           *input
	hook         *os.File // the hook's standard input
	wakeR, wakeW *os.File
	done         chan struct{}
}

// feed forwards what is pending and what still arrives. Input that is complete and small is in the pipe when feed returns.
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
	defer func() { _ = f.hook.Close() }() // always, because the hook would wait for more
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
	_ = f.hook.Close() // the hook may have closed its end before
	f.in.drain(wake)
}

// forward writes what is pending. A hook that does not read all of its input is not an error.
func (f *feeder) forward() bool {
	_, err := f.hook.Write(f.in.pending)
	f.in.pending = f.in.pending[:0]
	return err == nil
}

// stop stops forwarding, because the hook has ended.
func (f *feeder) stop() {
	if f == nil {
		return
	}
	_ = f.hook.Close() // ends a write that an orphan of the hook blocks
	_ = f.wakeW.Close()
	<-f.done
	_ = f.wakeR.Close()
}

// drain reads unused input, so that writes of the agent program do not fail. It ends when the input is complete or nothing arrives for a
// moment; with wake, it waits without limit until wake is readable.
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
