package fakeagent

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// misbehave executes the instructions about signals and processes.
func (a *agent) misbehave(word string, args []string, rest string) error {
	switch word {
	case "die":
		return die(args)
	case "ignore-signals":
		return ignore(args)
	case "on-sigint":
		if len(args) != 2 || args[0] != "result" {
			return errArguments
		}
		cost, err := amount(args, 1)
		if err != nil {
			return err
		}
		a.onInterrupt(cost)
		return nil
	case "background":
		return a.leave("", os.Environ(), "/bin/sh", "-c", rest)
	case "escape":
		return a.leave("loud", os.Environ(), "sleep", "3600")
	case "escape-quiet":
		return a.leave("", os.Environ(), "sleep", "3600")
	case "escape-clean":
		return a.leave("", []string{}, "sleep", "3600")
	case "escape-deaf":
		return a.leave("deaf", os.Environ(), "sleep", "3600")
	case "escape-respawn":
		return a.leave("deaf", os.Environ(), "/bin/sh", "-c", "while :; do sleep 3600; done")
	}
	return errors.New("no such instruction")
}

// sh is a Bash call: like the real program, it starts a shell in its own session, with the environment of this process.
func (a *agent) sh(command string) error {
	id := a.toolUse("Bash", object{"command": command})
	cmd := exec.Command("/bin/sh", "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := a.start(cmd); err != nil {
		return err
	}
	err := cmd.Wait()
	a.ended()
	var failed *exec.ExitError
	text := strings.TrimRight(output.String(), "\n")
	switch {
	case errors.As(err, &failed):
		a.toolResult(id, fmt.Sprintf("Exit code %d\n%s", failed.ExitCode(), text), true)
	case err != nil:
		return err
	default:
		a.toolResult(id, text, false)
	}
	return nil
}

// start holds the lock, so that an interrupt never misses a call that has just started.
func (a *agent) start(cmd *exec.Cmd) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	a.child = cmd.Process.Pid
	return nil
}

func (a *agent) ended() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.child = 0
}

// parting is the first argument of this program when it is the short-lived parent of an escaping process.
const parting = "fake-agent-leave"

// leave starts a process in its own session and does not wait for its end. When leave returns, the parent of that process has ended, so
// that it belongs to process 1 or a subreaper; its pid is in the file `escaped`, and it has executed its program.
func (a *agent) leave(how string, env []string, program string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if program, err = exec.LookPath(program); err != nil {
		return err
	}
	args = append([]string{parting, filepath.Join(a.dir, "escaped"), how, program}, args...)
	cmd := exec.Command(self, args...)
	cmd.Stdout, cmd.Stderr, cmd.Env = a.out, os.Stderr, env
	return cmd.Run()
}

// part is the main function of that parent. Its arguments are the pid file, how, and the command.
func part(args []string) error {
	if args[1] == "deaf" {
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	}
	cmd := exec.Command(args[2], args[3:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if args[1] == "loud" {
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	// Immediately after the start, a process has neither arguments nor environment.
	for {
		if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", cmd.Process.Pid)); err != nil || len(b) > 0 {
			break
		}
	}
	f, err := os.OpenFile(args[0], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, cmd.Process.Pid)
	return errors.Join(err, f.Close())
}

// onInterrupt makes SIGINT end the run like the real program.
func (a *agent) onInterrupt(cost float64) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGINT)
	go func() {
		<-c
		a.mu.Lock() // never unlocked: the script must not write anything more
		if a.child != 0 {
			_ = syscall.Kill(-a.child, syscall.SIGTERM) // it may have just ended
		}
		r := object{"subtype": "error_during_execution", "is_error": true, "num_turns": a.message, "terminal_reason": "aborted_tools"}
		_, _ = a.out.WriteString(a.encode(a.resultEvent(r, cost)))
		os.Exit(1)
	}()
}

func ignore(names []string) error {
	if len(names) == 0 {
		names = []string{"INT", "TERM"}
	}
	for _, name := range names {
		s, err := signalNamed(name)
		if err != nil {
			return err
		}
		signal.Ignore(s)
	}
	return nil
}

// die only returns if the signal could not be sent.
func die(args []string) error {
	if len(args) != 1 {
		return errArguments
	}
	s, err := signalNamed(args[0])
	if err != nil {
		return err
	}
	signal.Reset(s)
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		return err
	}
	for {
		time.Sleep(time.Hour) // until the signal arrives
	}
}

func signalNamed(name string) (syscall.Signal, error) {
	switch name {
	case "HUP":
		return syscall.SIGHUP, nil
	case "INT":
		return syscall.SIGINT, nil
	case "TERM":
		return syscall.SIGTERM, nil
	case "KILL":
		return syscall.SIGKILL, nil
	}
	return 0, fmt.Errorf("signal %q: want HUP, INT, TERM or KILL", name)
}
