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

// call has the broker run a program, and returns its exit status. If the broker cannot be asked, the call is refused.
func call(argv []string) int {
	// No process gains privileges in a sandbox. The broker refuses a call of sudo that asks for more.
	if words := sudo.Drop(argv); len(words) < len(argv) {
		return execute(words, func(string) bool { return true })
	}
	argv = append([]string{filepath.Base(argv[0])}, argv[1:]...) // of a link to this program
	reply, err := ask(argv)
	switch {
	case err != nil:
		return fails(ExitRefused, "%s: %v", argv[0], err)
	case reply.Here:
		return execute(argv, func(file string) bool { return filepath.Base(file) != Name })
	}
	return reply.Exit
}

// execute becomes a program: the file at its path, or the first of its name in PATH, that is one of those wanted once its links are
// resolved. It returns if it cannot.
func execute(argv []string, wanted func(file string) bool) int {
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
			return fails(ExitRefused, "%s: %v", file, err)
		}
	}
	return fails(ExitNotFound, "%s: command not found", argv[0])
}

// fails prints a message, and returns an exit status.
func fails(exit int, format string, args ...any) int {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	return exit
}

func ask(argv []string) (Reply, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Reply{}, fmt.Errorf("find the working folder: %w", err)
	}
	input, err := document(argv)
	if err != nil {
		return Reply{}, fmt.Errorf("read standard input: %w", err)
	}
	request, err := Request{Argv: argv, Dir: dir, Input: input, Both: oneOutput()}.Encode()
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

// document returns standard input where a command of claudeops takes a document from it. Any other call leaves it to its caller: a loop may
// be reading it.
func document(argv []string) ([]byte, error) {
	if len(argv) < 2 || argv[0] != "claudeops" || argv[1] != "report" && argv[1] != "handoff" {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(os.Stdin, MaxInput))
}

// oneOutput reports whether standard output and error are one file, so that their order must be kept.
func oneOutput() bool {
	var out, err unix.Stat_t
	return unix.Fstat(1, &out) == nil && unix.Fstat(2, &err) == nil && out.Dev == err.Dev && out.Ino == err.Ino
}

// broker opens the socket that reaches the broker from a sandbox.
func broker() (int, error) {
	return unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, BrokerProtocol)
}

// exchange sends a request, prints what its program prints, and returns the reply.
func exchange(socket int, request []byte) (reply Reply, err error) {
	conn := os.NewFile(uintptr(socket), "broker")
	defer func() { _ = conn.Close() }()
	if _, err = conn.Write(request); err == nil {
		reply, err = ReadReply(conn, os.Stdout, os.Stderr)
	}
	switch {
	case errors.Is(err, unix.EPIPE), errors.Is(err, unix.ECONNRESET): // the broker closed the connection without reading the request
		return Reply{}, errors.New("nothing was run: the broker has too many concurrent calls, or has ended; try again when other calls have ended")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Reply{}, errors.New("the broker has ended, and it is not known whether it ran anything")
	case err != nil:
		return Reply{}, fmt.Errorf("ask the broker: %w", err)
	}
	return reply, nil
}
