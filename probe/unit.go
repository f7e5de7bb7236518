package probe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/text"
)

// justRestarted is how long a unit must run after a restart before it counts as stable.
const justRestarted = time.Minute

// Prepare returns the attempt, which asks systemctl for the unit's state.
func (u *Unit) Prepare(_ *Client, k *Check, _ string) Try {
	name := u.Name
	command, environ := systemctl(*u), systemctlEnviron(os.Environ())
	return func(ctx context.Context) check.Result {
		began := time.Now()
		end, err := run(ctx, environ, 0, command...)
		switch {
		case err != nil:
			return impossible("systemd cannot be asked: " + err.Error())
		case end.late:
			return unmade(lateFault("no answer from systemd", k.Timeout))
		case end.Code != 0:
			return unmade("systemd cannot be asked: " + systemctlFailed(&end))
		}
		now := time.Duration(0)
		var clock unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &clock); err == nil {
			now = time.Duration(clock.Nano())
		}
		f := readUnit(end.Stdout, now).result(name)
		f.ResponseTimeMS = milliseconds(time.Since(began))
		return f
	}
}

func systemctl(u Unit) []string {
	command := []string{"systemctl"}
	if u.User {
		command = append(command, "--user")
	}
	return append(command, "show", "--no-pager", "--property="+
		"LoadState,LoadError,ActiveState,SubState,Type,RemainAfterExit,TriggeredBy,Result,ExecMainCode,ExecMainStatus,NRestarts,"+
		"ConditionResult,ConditionTimestampMonotonic,StateChangeTimestampMonotonic", "--", u.Name)
}

// systemctlEnviron returns the environment in which systemctl reaches the manager and answers in English. Under cron, no variable names
// the directory of the user's manager.
func systemctlEnviron(environ []string) []string {
	seen := []string{"LC_ALL=C", "SYSTEMD_COLORS=0"}
	for _, entry := range environ {
		switch name, _, _ := strings.Cut(entry, "="); name {
		case "PATH", "HOME", "USER", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS":
			seen = append(seen, entry)
		}
	}
	if config.Lookup(environ, "XDG_RUNTIME_DIR") == "" {
		seen = append(seen, "XDG_RUNTIME_DIR="+filepath.Join("/run/user", strconv.Itoa(os.Getuid())))
	}
	return seen
}

// systemctlFailed explains why systemctl gave no answer.
func systemctlFailed(end *ended) string {
	switch said := text.FirstLine(string(end.Stderr)); {
	case strings.Contains(said, "not been booted with systemd"):
		return "systemd does not run on this machine"
	case said != "":
		return "systemctl says: " + said
	case end.Signal != 0:
		return "systemctl was ended by " + unix.SignalName(end.Signal)
	}
	return fmt.Sprintf("systemctl exited with %d", end.Code)
}

// Systemctl returns the output of systemctl with these arguments, at most 1 MiB. Errors are for people.
func Systemctl(ctx context.Context, environ []string, args ...string) ([]byte, error) {
	end, err := run(ctx, systemctlEnviron(environ), 1<<20, append([]string{"systemctl"}, args...)...)
	switch {
	case err != nil:
		return nil, err
	case end.late:
		return nil, errors.New("systemctl did not end in time")
	case end.Code != 0:
		return nil, errors.New(systemctlFailed(&end))
	}
	return end.Stdout, nil
}

// unitState is the state of a unit, as systemd reports it.
type unitState struct {
	is  map[string]string // by property; missing if units of that type do not have it
	age time.Duration     // time in this state; -1 if unknown
}

// readUnit parses the output of systemctl; now is the monotonic clock.
func readUnit(output []byte, now time.Duration) unitState {
	u := unitState{is: map[string]string{}, age: -1}
	for line := range bytes.Lines(output) {
		name, value, found := strings.Cut(strings.TrimSpace(string(line)), "=")
		if !found {
			break // an empty line: another unit follows
		}
		u.is[name] = value
	}
	if changed := u.number("StateChangeTimestampMonotonic"); changed > 0 && now > 0 {
		u.age = max(0, now-time.Duration(changed)*time.Microsecond)
	}
	return u
}

// number returns a numeric property; 0 if it is missing.
func (u unitState) number(name string) int {
	n, _ := strconv.Atoi(u.is[name])
	return n
}

// result returns the result for the state.
func (u unitState) result(name string) check.Result {
	status, why := u.judge()
	if status == check.Degraded && u.is["ActiveState"] == "activating" {
		return asks(name + " " + why)
	}
	return check.Result{Status: status, Error: name + " " + why}
}

func (u unitState) judge() (check.Status, string) {
	switch active := u.is["ActiveState"]; active {
	case "active", "reloading", "refreshing":
		if n := u.number("NRestarts"); n > 0 && u.age >= 0 && u.age < justRestarted {
			return check.Degraded, fmt.Sprintf("was restarted %s, the last time %s", times(n), text.Ago(u.age))
		}
		return check.Healthy, ""
	case "activating":
		return u.activating()
	case "failed":
		return check.Down, "failed" + u.reason() + u.ago() + u.restarted()
	case "deactivating":
		return check.Down, "is stopping (" + u.is["SubState"] + ")"
	case "inactive":
		return u.inactive()
	case "":
		return check.Down, "is not known: systemctl said nothing of it"
	default:
		return check.Down, "is " + active + " (" + u.is["SubState"] + ")"
	}
}

// activating judges a unit that is starting, once or repeatedly. A oneshot unit is starting for as long as it runs.
func (u unitState) activating() (check.Status, string) {
	switch sub := u.is["SubState"]; {
	case strings.HasPrefix(sub, "auto-restart"):
		return check.Down, "starts again and again: failed" + u.reason() + u.restarted()
	case u.is["Type"] == "oneshot":
		return check.Healthy, ""
	case u.age >= 0:
		return check.Degraded, fmt.Sprintf("is starting (%s) for %s", sub, u.age.Round(time.Second))
	default:
		return check.Degraded, "is starting (" + sub + ")"
	}
}

// inactive judges a unit that does not run. That is healthy if a timer starts it, or if it has finished its work.
func (u unitState) inactive() (check.Status, string) {
	switch load := u.is["LoadState"]; {
	case load == "not-found":
		return check.Down, "does not exist: systemd finds no such unit"
	case load == "masked":
		return check.Down, "is masked: it does not run, and cannot be started before `systemctl unmask`"
	case load != "loaded" && load != "merged":
		return check.Down, "cannot be loaded (" + load + ")" + said(u.is["LoadError"])
	case u.is["ConditionResult"] == "no" && u.number("ConditionTimestampMonotonic") > 0:
		return check.Down, "does not run: a condition of it was not met" + u.ago()
	case u.is["Result"] == "success" && u.is["RemainAfterExit"] != "yes" &&
		(u.is["Type"] == "oneshot" || strings.Contains(u.is["TriggeredBy"], ".timer")):
		return check.Healthy, ""
	}
	return check.Down, "does not run (inactive)" + u.ago()
}

// reason returns how the last run ended: " (exit-code 1)".
func (u unitState) reason() string {
	const exited, killed, dumped = 1, 2, 3 // CLD_EXITED and so on, as in si_code
	switch result := u.is["Result"]; result {
	case "", "success":
		return ""
	case "exit-code", "signal", "core-dump":
		last, status := "", u.number("ExecMainStatus")
		switch u.number("ExecMainCode") {
		case exited:
			last = strconv.Itoa(status)
		case killed, dumped:
			last = unix.SignalName(syscall.Signal(status))
		}
		return " (" + strings.TrimSpace(result+" "+last) + ")"
	default:
		return " (" + result + ")"
	}
}

// ago returns how long the state has lasted: " 4 min ago".
func (u unitState) ago() string {
	if u.age < 0 {
		return ""
	}
	return " " + text.Ago(u.age)
}

func (u unitState) restarted() string {
	if n := u.number("NRestarts"); n > 0 {
		return ", restarted " + times(n)
	}
	return ""
}
