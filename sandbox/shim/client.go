package shim

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/sudo"
)

// exitNotFound is the exit status for a program that is not installed, as in a shell.
const exitNotFound = 127

// call has the broker run a program, and returns its exit status. If the broker cannot be asked, the call is refused.
func call(argv []string) int {
	// No process gains privileges in a sandbox. The broker refuses a call of sudo that asks for more.
	if words := sudo.Drop(argv); len(words) < len(argv) {
		return end(execute(words, func(string) bool { return true }))
	}
	argv = append([]string{filepath.Base(argv[0])}, argv[1:]...) // of a link to this program
	reply, err := ask(argv)
	if err != nil {
		reply = Reply{Exit: ExitRefused, Message: filepath.Base(argv[0]) + ": " + err.Error()}
	}
	if reply.Here {
		reply = execute(argv, func(file string) bool { return filepath.Base(file) != Name })
	}
	return end(reply)
}

// execute becomes a program: the file at its path, or the first of its name in PATH, that is one of those wanted once its links are
// resolved. It returns if it cannot.
func execute(argv []string, wanted func(file string) bool) Reply {
	files := []string{argv[0]}
	if filepath.Base(argv[0]) == argv[0] {
		files = nil
		for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
			files = append(files, filepath.Join(dir, argv[0]))
		}
	}
	for _, file := range files {
		real, err := filepath.EvalSymlinks(file)
		if err == nil && wanted(real) && unix.Access(file, unix.X_OK) == nil {
			err = unix.Exec(file, argv, os.Environ())
			return Reply{Exit: ExitRefused, Message: file + ": " + err.Error()}
		}
	}
	return Reply{Exit: exitNotFound, Message: argv[0] + ": command not found"}
}

// end prints the message of a reply, and returns its exit status.
func end(reply Reply) int {
	if reply.Message != "" {
		fmt.Fprintln(os.Stderr, reply.Message)
	}
	return reply.Exit
}

func ask(argv []string) (Reply, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Reply{}, fmt.Errorf("find the working folder: %w", err)
	}
	request, err := Request{argv, dir}.Frame()
	if err != nil {
		return Reply{}, err
	}
	socket, err := broker()
	if errors.Is(err, unix.EPROTONOSUPPORT) {
		return Reply{}, errors.New("this program works only in an agent's sandbox, and no broker of claudeops answers here")
	}
	if err != nil {
		return Reply{}, fmt.Errorf("reach the broker: %w", err)
	}
	return exchange(socket, request)
}

// broker opens the socket that reaches the broker from a sandbox.
func broker() (int, error) {
	return unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, BrokerProtocol)
}

// exchange sends a request with the standard descriptors of this process, and waits for the reply.
func exchange(socket int, request []byte) (reply Reply, err error) {
	conn := os.NewFile(uintptr(socket), "broker")
	defer func() { _ = conn.Close() }()
	if err = unix.Sendmsg(socket, request[:1], unix.UnixRights(0, 1, 2), nil, unix.MSG_NOSIGNAL); err == nil {
		_, err = conn.Write(request[1:])
	}
	if err == nil {
		reply, err = ReadReply(conn)
	}
	switch {
	case errors.Is(err, unix.EPIPE), errors.Is(err, unix.ECONNRESET): // the broker closed the connection without reading the request
		return Reply{}, errors.New("nothing was run: the broker has too many concurrent calls, or has ended; try again when other calls have ended")
	case errors.Is(err, io.EOF):
		return Reply{}, errors.New("the broker has ended, and it is not known whether it ran anything")
	case err != nil:
		return Reply{}, fmt.Errorf("ask the broker: %w", err)
	}
	return reply, nil
}
