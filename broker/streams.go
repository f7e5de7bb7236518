package broker

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// streams are the caller's standard input, output and error that a verdict gives to a program.
type streams struct {
	in       io.ReadCloser // of this program's own commands; nil for the others
	out, err *sink         // the same if the caller's are the same file
}

// openStreams opens them. After ctx has ended, a caller that does not write its input or read its output no longer blocks.
func (c *call) openStreams(ctx context.Context) (*streams, error) {
	defer c.close() // closes what was not opened
	merged := c.sameOutput()
	out, err := c.openSink(ctx, 1)
	if err != nil {
		return nil, err
	}
	s := &streams{out: out, err: out}
	if !merged {
		if s.err, err = c.openSink(ctx, 2); err != nil {
			return nil, errors.Join(err, out.close())
		}
	}
	if c.descriptors[0] >= 0 && c.verdict.Argv != nil && c.verdict.Argv[0] == ownName {
		if s.in, err = c.openInput(ctx); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	return s, nil
}

// close writes what masking still holds back.
func (s *streams) close() error {
	err := s.out.close()
	if s.err != s.out {
		err = errors.Join(err, s.err.close())
	}
	if s.in != nil {
		_ = s.in.Close()
	}
	return err
}

// openInput returns the caller's standard input, until ctx ends.
func (c *call) openInput(ctx context.Context) (io.ReadCloser, error) {
	in, err := c.open(0, false, 0)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = in.SetDeadline(time.Now()) })
	return in, nil
}

// sink masks what a program prints, and writes it to the caller.
type sink struct {
	masked io.WriteCloser
	to     descriptor
}

func (c *call) openSink(ctx context.Context, number int) (*sink, error) {
	d, err := c.open(number, true, c.MaxFile)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = d.SetDeadline(time.Now().Add(gracePeriod)) })
	return &sink{c.Mask(d), d}, nil
}

func (s *sink) close() error { return errors.Join(unlessUnread(s.masked.Close()), s.to.Close()) }

// unlessUnread returns err, except errors that only say that the output is no longer read. Those concern the writing program alone.
func unlessUnread(err error) error {
	if errors.Is(err, unix.EPIPE) || errors.Is(err, os.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return err
}

// outputGrace limits how long to wait for more output once a program has ended: a process that left its group may hold the pipe open.
const outputGrace = time.Second

// connect gives p pipes in place of its caller's output, and nothing to read. unread is called when the output of p is no longer read. end must be called
// once p has ended, and returns when all its output has reached the caller.
func (s *streams) connect(ctx context.Context, p *Program, unread func()) (end func() error, err error) {
	var ends, own []*os.File // the ends that p uses, and the others
	var copied []chan error
	end = func() error {
		for _, f := range ends {
			_ = f.Close()
		}
		for _, f := range own {
			_ = f.SetDeadline(time.Now().Add(outputGrace))
		}
		var errs []error
		for _, c := range copied {
			errs = append(errs, <-c)
		}
		return errors.Join(append(errs, s.close())...)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, end())
		}
	}()
	toCaller := func(to *sink) (*os.File, error) {
		from, end, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		// Do not wait for a program that survives ctx.
		context.AfterFunc(ctx, func() { _ = from.SetReadDeadline(time.Now().Add(2 * gracePeriod)) })
		ends, own, copied = append(ends, end), append(own, from), append(copied, copying(to.masked, &printed{from: from}, func(err error) {
			if errors.Is(err, unix.EPIPE) {
				unread()
			}
			_ = from.Close() // p gets a SIGPIPE at its next write
		}))
		return end, nil
	}
	if p.Stdout, err = toCaller(s.out); err != nil {
		return nil, err
	}
	if p.Stderr = p.Stdout; s.err != s.out {
		if p.Stderr, err = toCaller(s.err); err != nil {
			return nil, err
		}
	}
	p.Stdin, err = os.Open(os.DevNull)
	ends = append(ends, p.Stdin)
	return end, err
}

// printed reads what a program prints. Once the pipe's deadline has passed, it reads what is in the pipe, and then ends: a caller that reads
// slowly loses nothing.
type printed struct {
	from *os.File
	late bool // the deadline has passed
	left int  // with late: bytes to be read
}

func (r *printed) Read(p []byte) (n int, err error) {
	if !r.late {
		if n, err = r.from.Read(p); !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		r.late = true
		if r.left, err = waiting(r.from); err == nil {
			err = r.from.SetReadDeadline(time.Time{}) // reading what is there takes no time
		}
		if err != nil {
			return 0, err
		}
	}
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err = r.from.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

// waiting returns how many bytes are in a pipe.
func waiting(pipe *os.File) (n int, err error) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { n, failed = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	return n, errors.Join(err, failed)
}

// copying copies until one side ends, and then calls done. The channel gets one error.
func copying(to io.Writer, from io.Reader, done func(error)) chan error {
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(to, from)
		done(err)
		copied <- unlessUnread(err)
	}()
	return copied
}
