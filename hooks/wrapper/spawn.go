package wrapper

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A shell's exit codes for a hook that could not be started.
const (
	exitCannotRun = 126
	exitNotFound  = 127
	exitSignalled = 128 // plus the signal's number
)

const shell = "/bin/sh"

// spawn starts a hook as a shell would: found in PATH, and run by the shell if it is a text file without #!.
func spawn(args, environ []string, files []*os.File) (p *os.Process, err error) {
	if len(args) == 0 || args[0] == "" {
		return nil, &unspawned{"", syscall.ENOENT, ""}
	}
	path, err := lookUp(args[0], environ)
	if err != nil {
		return nil, &unspawned{args[0], err, ""}
	}
	attr := &os.ProcAttr{Env: environ, Files: files, Sys: &syscall.SysProcAttr{
		Setpgid: true,
		// If the wrapper is killed, the kernel ends the hook too. Otherwise the run would not be counted, and the agent program, which ends
		// its hooks by group, would not find it.
		Pdeathsig: syscall.SIGKILL,
	}}
	if p, err = os.StartProcess(path, args, attr); err == nil {
		return p, nil
	}
	line, readErr := beginning(path)
	if errors.Is(err, syscall.ENOEXEC) && readErr == nil && !bytes.Contains(line, []byte{0}) { // not a program for another architecture
		if p, err = os.StartProcess(shell, append([]string{"sh", path}, args[1:]...), attr); err == nil {
			return p, nil
		}
	}
	u := &unspawned{file: args[0], err: err}
	if named, script := bytes.CutPrefix(line, []byte("#!")); script && errors.Is(err, syscall.ENOENT) {
		if fields := bytes.Fields(named); len(fields) > 0 {
			u.interpreter = string(fields[0])
		}
	}
	return nil, u
}

// usualPath is the search path without PATH, as in the C library.
const usualPath = "/bin:/usr/bin"

// lookUp finds a program as execvp(3) does: a name with a slash is a path.
func lookUp(name string, environ []string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	dirs, set := fromEnviron(environ, "PATH")
	if !set {
		dirs = usualPath
	}
	denied := syscall.ENOENT
	for dir := range strings.SplitSeq(dirs, ":") {
		path := filepath.Join(dir, name)
		if !strings.Contains(path, "/") {
			path = "./" + path
		}
		if is, err := os.Stat(path); err != nil || is.IsDir() {
			continue
		}
		if unix.Access(path, unix.X_OK) == nil {
			return path, nil
		}
		denied = syscall.EACCES
	}
	return "", denied
}

// fromEnviron returns a variable's value in an environment; the last one if there are several.
func fromEnviron(environ []string, name string) (value string, set bool) {
	for _, entry := range environ {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value, set = v, true
		}
	}
	return value, set
}

// beginning returns the first line of a file, by which shells recognise its type.
func beginning(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	line := make([]byte, 256)
	n, err := io.ReadFull(f, line)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	line, _, _ = bytes.Cut(line[:n], []byte("\n"))
	return line, errors.Join(err, f.Close())
}

// unspawned is the error of a hook that could not be started.
type unspawned struct {
	file        string
	err         error
	interpreter string // set if this is missing, rather than the file that names it
}

// why returns the system's message.
func (u *unspawned) why() string {
	var errno syscall.Errno
	text := u.err.Error()
	if errors.As(u.err, &errno) {
		text = errno.Error()
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if u.interpreter != "" {
		text = fmt.Sprintf("bad interpreter %s: %s", u.interpreter, text)
	}
	return text
}

// Error returns a message in the form of ANTI-LOOP "State Management".
func (u *unspawned) Error() string { return "Failed to spawn: " + u.why() }

func (u *unspawned) Unwrap() error { return u.err }

// line returns what a shell would print.
func (u *unspawned) line() string { return fmt.Sprintf("claude-hooks: %s: %s\n", u.file, u.why()) }

func (u *unspawned) exitCode() int {
	if errors.Is(u.err, syscall.ENOENT) || errors.Is(u.err, syscall.ENOTDIR) {
		return exitNotFound
	}
	return exitCannotRun
}
