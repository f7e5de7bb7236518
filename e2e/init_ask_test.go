package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// onTerminal is a program with a user at a terminal.
type onTerminal struct {
	t        *testing.T
	terminal *os.File
	cmd      *exec.Cmd
	said     string // and not yet awaited by the test
}

// atTerminal starts a program in a pseudo-terminal of 40 lines.
func atTerminal(t *testing.T, env []string, command ...string) *onTerminal {
	t.Helper()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	must(t, err)
	t.Cleanup(func() { _ = terminal.Close() })
	var number int
	raw, err := terminal.SyscallConn()
	must(t, err)
	must(t, raw.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
		err = errors.Join(err, unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120}))
	}))
	must(t, err)
	side, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, side, side, side
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(t, errors.Join(cmd.Start(), side.Close()))
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &onTerminal{t: t, terminal: terminal, cmd: cmd}
}

// read reads up to the text, or to the end if that is empty.
func (o *onTerminal) read(text string) {
	o.t.Helper()
	must(o.t, o.terminal.SetReadDeadline(time.Now().Add(2*time.Minute)))
	buffer := make([]byte, 64<<10)
	for text == "" || !strings.Contains(o.said, text) {
		n, err := o.terminal.Read(buffer)
		o.said += string(buffer[:n])
		if err != nil && text == "" && errors.Is(err, syscall.EIO) { // the other side is closed
			return
		}
		if err != nil {
			o.t.Fatalf("waiting for %q: %v; the terminal has %q", text, err, o.said)
		}
	}
	_, o.said, _ = strings.Cut(o.said, text)
}

// end returns the exit code and the output so far.
func (o *onTerminal) end() (code int, said string) {
	o.t.Helper()
	o.read("")
	_ = o.cmd.Wait()
	return o.cmd.ProcessState.ExitCode(), o.said
}

// Leaving at a question, by Ctrl-C or because the login ends, changes nothing; answering all of them does what was answered.
func TestInit_QuestionsAtATerminal(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	must(t, os.WriteFile(filepath.Join(bin, "systemctl"), []byte("#!/bin/sh\ncase $1 in\nlist-unit-files) printf '%s.service enabled\\n' first-here second-here;;\n"+
		"list-units) printf '%s.service loaded active running\\n' first-here second-here;;\nesac\n"), 0o700))
	env := append(os.Environ(), "TERM=xterm-256color", "DOCKER_HOST=unix:///none", "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir())
	questions := []struct{ asks, answer string }{
		{"Who is to be told", "\r"}, {"How often are", "often\r*/5 * * * *\r"}, {"Which of these", "\r"}, {"May agents", "\r"}, {"Do this?", "\r"},
	}
	answer := func(t *testing.T, prefix string, n int) *onTerminal {
		o := atTerminal(t, env, claudeopsBin, "init", "--prefix", prefix)
		for _, q := range questions[:n] {
			o.read(q.asks)
			_, err := o.terminal.WriteString(q.answer)
			must(t, err)
		}
		return o
	}
	for i, q := range questions {
		t.Run("left at "+q.asks, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "root")
			o := answer(t, prefix, i)
			o.read(q.asks)
			_, err := o.terminal.WriteString("\x03")
			must(t, err)
			if code, said := o.end(); code != 130 || !strings.Contains(said, "claudeops: nothing was done: ") {
				t.Errorf("exit %d: %q", code, said)
			}
			if _, err := os.Stat(prefix); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("something was written: %v", err)
			}
		})
		t.Run("ended at "+q.asks, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "root")
			o := answer(t, prefix, i)
			o.read(q.asks)
			must(t, o.cmd.Process.Signal(syscall.SIGTERM))
			if code, said := o.end(); code != 143 || !strings.Contains(said, "claudeops: nothing was done: ") {
				t.Errorf("exit %d: %q", code, said)
			}
			if _, err := os.Stat(prefix); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("something was written: %v", err)
			}
		})
	}
	t.Run("no", func(t *testing.T) {
		prefix := filepath.Join(t.TempDir(), "root")
		last := len(questions) - 1
		o := answer(t, prefix, last)
		o.read(questions[last].asks)
		_, err := o.terminal.WriteString("n\r")
		must(t, err)
		if code, said := o.end(); code != 2 || !strings.Contains(said, "claudeops: nothing was done: you said no") {
			t.Errorf("exit %d: %q", code, said)
		}
		if _, err := os.Stat(prefix); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("something was written: %v", err)
		}
	})
	t.Run("answered", func(t *testing.T) {
		prefix := filepath.Join(t.TempDir(), "root")
		_, said := answer(t, prefix, len(questions)).end()
		if !strings.Contains(said, "next:") {
			t.Errorf("it ends with %q", said)
		}
		text, err := os.ReadFile(filepath.Join(prefix, "etc/claudeops/env"))
		must(t, err)
		wantIn(t, string(text), "CLAUDEOPS_SCHEDULE=*/5 * * * *\n", "CLAUDEOPS_MAX_TIER=1\n")
		text, err = os.ReadFile(filepath.Join(prefix, "etc/claudeops/services.yaml"))
		must(t, err)
		wantIn(t, string(text), "name: first-here\n", "name: second-here\n")
	})
}
