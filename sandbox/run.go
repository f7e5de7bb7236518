package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/sandbox/shim"
)

const (
	grace          = 5 * time.Second // how long a shim may take to end the call when asked, before it is killed
	maxConnections = 512             // concurrent connections of one call to the broker; more are closed at once
)

// Run runs a command, and returns when it and every descendant have ended: because the command ended, ctx ended, or a limit was exceeded.
// An error means that it did not run, that its result is unknown, or that its output could not be written.
func (d *Domain) Run(ctx context.Context, c Command) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("run in the sandbox: %w", err)
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return Result{}, fmt.Errorf("make a socket for the sandbox's shim: %w", err)
	}
	near, far := os.NewFile(uintptr(pair[0]), "control"), os.NewFile(uintptr(pair[1]), "control")
	defer func() { _, _ = near.Close(), far.Close() }()
	conn, err := unixConn(near)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = conn.Close() }()

	spec := shim.Spec{
		Path: cmp.Or(c.Path, c.Argv[0]), Argv: c.Argv, Env: c.Env, Dir: cmp.Or(c.Dir, "/"), Limits: c.Limits.WithDefaults(),
		Filter: d.filter, Broker: c.Connect != nil, Scratch: d.scratch, Mark: newMark(),
	}
	cmd := exec.Cmd{Path: d.shim, Args: []string{shim.Name, "confine"}, Env: []string{}, ExtraFiles: []*os.File{far, d.ruleset},
		Stdout: c.Stdout, Stderr: c.Stderr, SysProcAttr: &syscall.SysProcAttr{Setsid: true}}
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("start the sandbox's shim: %w", err)
	}
	_ = far.Close() // only the shim's copy remains, so that its end is noticed

	var connections sync.WaitGroup
	defer connections.Wait()
	report, err := converse(ctx, conn, spec, c.Connect, &connections)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = endMarked(spec.Mark) // otherwise the remaining processes hold the output pipes, and Wait does not return
	}
	outputErr := cmd.Wait()
	if err != nil || !cmd.ProcessState.Success() {
		return Result{}, fmt.Errorf("run in the sandbox: %w", errors.Join(err, outputErr, endMarked(spec.Mark)))
	}
	if report.Fault != nil {
		return Result{}, missing(report.Fault.Step, report.Fault.Errno)
	}
	if outputErr != nil {
		err = &OutputError{outputErr}
	}
	return Result{Exit: report.Exit, Limit: report.Limit}, err
}

// OutputError means that a command ran to its end, but its output could not be written.
type OutputError struct{ err error }

func (e *OutputError) Error() string { return "pass on a command's output: " + e.err.Error() }
func (e *OutputError) Unwrap() error { return e.err }

// newMark returns a number that no other call has, and that is not in use as a limit.
func newMark() uint64 {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return 1<<61 | binary.NativeEndian.Uint64(random[:])>>4
}

// converse tells the shim what to run and when to end it, passes on connections to the broker, and returns the report.
func converse(ctx context.Context, conn *net.UnixConn, spec shim.Spec, connect func(*net.UnixConn), connections *sync.WaitGroup) (report shim.Report, err error) {
	_ = conn.SetWriteDeadline(time.Now().Add(grace))
	if err := json.NewEncoder(conn).Encode(spec); err != nil {
		return report, fmt.Errorf("send the command to the shim: %w", err)
	}
	defer context.AfterFunc(ctx, func() {
		_ = conn.SetReadDeadline(time.Now().Add(grace))
		_ = conn.CloseWrite()
	})()
	open := make(chan struct{}, maxConnections)
	for {
		first, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
		n, oobn, _, _, err := conn.ReadMsgUnix(first, rights)
		if err != nil || n == 0 {
			return report, fmt.Errorf("hear from the shim: %w", errors.Join(err, io.ErrUnexpectedEOF))
		}
		if first[0] != shim.Connection {
			err := json.NewDecoder(io.MultiReader(bytes.NewReader(first), conn)).Decode(&report)
			return report, err
		}
		client, err := received(rights[:oobn])
		if err != nil {
			return report, fmt.Errorf("take a connection to the broker: %w", err)
		}
		select {
		case open <- struct{}{}:
			connections.Go(func() {
				defer func() { <-open }()
				connect(client)
			})
		default:
			_ = client.Close()
		}
	}
}

// received returns the connection that came with a message.
func received(rights []byte) (*net.UnixConn, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) != 1 {
		return nil, errors.Join(err, errors.New("no descriptor came with it"))
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fds[0]), "broker connection")
	defer func() { _ = file.Close() }()
	return unixConn(file)
}

func unixConn(file *os.File) (*net.UnixConn, error) {
	conn, err := net.FileConn(file)
	if err != nil {
		return nil, fmt.Errorf("use %s: %w", file.Name(), err)
	}
	return conn.(*net.UnixConn), nil
}
