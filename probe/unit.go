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

// justRestarted is how long after it was restarted a unit is not yet believed to stay.
const justRestarted = time.Minute

// Prepare makes the attempt, which asks systemctl for the unit's state.
func (u *Unit) Prepare(_ *Client, k *Check, _ string) Try {
	name := u.Name
	command, environ := systemctl(*u), systemctlEnviron(os.Environ())
	return func(ctx context.Context) Finding {
		began := time.Now()
		end, err := run(ctx, environ, 0, command...)
		switch {
		case err != nil:
			return Finding{Status: check.Unknown, Error: "systemd cannot be asked: " + err.Error(), Final: true}
		case end.late:
			return Finding{Status: check.Unknown, Error: fmt.Sprintf("no answer from systemd within %s", k.Timeout)}
		case end.Code != 0:
			return Finding{Status: check.Unknown, Error: "systemd cannot be asked: " + systemctlFailed(&end)}
		}
		now := time.Duration(0)
		var clock unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &clock); err == nil {
			now = time.Duration(clock.Nano())
		}
		f := readUnit(end.Stdout, now).finding(name)
		f.Took = time.Since(began)
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

// systemctlEnviron is what systemctl needs to reach the manager, and English of it. Under cron the folder of the user's manager is in
// no variable.
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
	said, _, _ := strings.Cut(string(bytes.TrimSpace(end.Stderr)), "\n")
	switch {
	case strings.Contains(said, "not been booted with systemd"):
		return "systemd does not run on this machine"
	case said != "":
		return "systemctl says: " + said
	case end.Signal != 0:
		return "systemctl was ended by " + unix.SignalName(end.Signal)
	}
	return fmt.Sprintf("systemctl exited with %d", end.Code)
}

// Systemctl is what systemctl prints when it is called so, at most 1 MiB of it. An error is for a person.
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

// unitState is what systemd says of a unit. What it leaves out, since no unit of that type has it, is empty or 0.
type unitState struct {
	load, loadError, active, sub string
	kind                         string // Type of a service
	remains                      bool   // RemainAfterExit
	triggeredBy                  string // units, with spaces between them
	result                       string // of its last run: success, exit-code, signal, oom-kill …
	exitCode, exitStatus         int    // si_code and si_status of its main process
	restarts                     int    // by its Restart=, since somebody started it
	conditionFailed              bool
	age                          time.Duration // since it came into this state; -1 where that is not known
}

// readUnit reads the output of systemctl; now is the monotonic clock.
func readUnit(output []byte, now time.Duration) unitState {
	values := map[string]string{}
	for line := range bytes.Lines(output) {
		name, value, found := strings.Cut(strings.TrimSpace(string(line)), "=")
		if !found {
			break // an empty line: what follows is another unit
		}
		values[name] = value
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(values[name]) // not a number: as if it were left out
		return n
	}
	u := unitState{
		load: values["LoadState"], loadError: values["LoadError"], active: values["ActiveState"], sub: values["SubState"],
		kind: values["Type"], remains: values["RemainAfterExit"] == "yes", triggeredBy: values["TriggeredBy"],
		result: values["Result"], exitCode: number("ExecMainCode"), exitStatus: number("ExecMainStatus"), restarts: number("NRestarts"),
		conditionFailed: values["ConditionResult"] == "no" && number("ConditionTimestampMonotonic") > 0, age: -1,
	}
	if changed := number("StateChangeTimestampMonotonic"); changed > 0 && now > 0 {
		u.age = max(0, now-time.Duration(changed)*time.Microsecond)
	}
	return u
}

// finding is what the state means. Another attempt would find the same, except where the unit is on its way to another state.
func (u unitState) finding(name string) Finding {
	status, why := u.judge()
	if status == check.Healthy {
		return Finding{Status: status, Final: true}
	}
	return Finding{Status: status, Error: name + " " + why, Final: u.active != "activating" && u.active != "deactivating"}
}

func (u unitState) judge() (check.Status, string) {
	switch u.active {
	case "active", "reloading", "refreshing":
		if u.restarts > 0 && u.age >= 0 && u.age < justRestarted {
			return check.Degraded, fmt.Sprintf("was restarted %s, the last time %s", times(u.restarts), text.Ago(u.age))
		}
		return check.Healthy, ""
	case "activating":
		return u.activating()
	case "failed":
		return check.Down, "failed" + u.reason() + u.ago() + u.restarted()
	case "deactivating":
		return check.Down, "is stopping (" + u.sub + ")"
	case "inactive":
		return u.inactive()
	case "":
		return check.Down, "is not known: systemctl said nothing of it"
	}
	return check.Down, "is " + u.active + " (" + u.sub + ")"
}

// activating is about a unit that starts: once, or again and again. A oneshot unit starts for as long as it runs.
func (u unitState) activating() (check.Status, string) {
	switch {
	case strings.HasPrefix(u.sub, "auto-restart"):
		return check.Down, "starts again and again: failed" + u.reason() + u.restarted()
	case u.kind == "oneshot":
		return check.Healthy, ""
	case u.age >= 0:
		return check.Degraded, fmt.Sprintf("is starting (%s) for %s", u.sub, u.age.Round(time.Second))
	}
	return check.Degraded, "is starting (" + u.sub + ")"
}

// inactive is about a unit that does not run. One that a timer starts, or that is done with what it was started for, need not.
func (u unitState) inactive() (check.Status, string) {
	switch {
	case u.load == "not-found":
		return check.Down, "does not exist: systemd finds no such unit"
	case u.load == "masked":
		return check.Down, "is masked: it does not run, and cannot be started before `systemctl unmask`"
	case u.load != "loaded" && u.load != "merged":
		return check.Down, "cannot be loaded (" + u.load + ")" + said(u.loadError)
	case u.conditionFailed:
		return check.Down, "does not run: a condition of it was not met" + u.ago()
	case u.result == "success" && !u.remains && (u.kind == "oneshot" || strings.Contains(u.triggeredBy, ".timer")):
		return check.Healthy, ""
	}
	return check.Down, "does not run (inactive)" + u.ago()
}

// reason is why the last run ended as it did: " (exit-code 1)".
func (u unitState) reason() string {
	const exited, killed, dumped = 1, 2, 3 // CLD_EXITED and its kin, as in si_code
	last := ""
	switch u.exitCode {
	case exited:
		last = " " + strconv.Itoa(u.exitStatus)
	case killed, dumped:
		if last = unix.SignalName(syscall.Signal(u.exitStatus)); last != "" {
			last = " " + last
		}
	}
	switch u.result {
	case "", "success":
		return ""
	case "exit-code", "signal", "core-dump":
		return " (" + u.result + last + ")"
	}
	return " (" + u.result + ")"
}

// ago is since when that is so: " 4 min ago".
func (u unitState) ago() string {
	if u.age < 0 {
		return ""
	}
	return " " + text.Ago(u.age)
}

func (u unitState) restarted() string {
	if u.restarts == 0 {
		return ""
	}
	return ", restarted " + times(u.restarts)
}
