package crontab

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// started is a shell that runs a script as a cycle's program, and its output.
func started(t *testing.T, script string) (Process, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	p := Program{Path: "/bin/sh", Args: []string{"-c", script}, Out: &out, Err: &out}
	process, err := p.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(process.Kill)
	return process, &out
}

func exit(t *testing.T, p Process) Exit {
	t.Helper()
	select {
	case e := <-p.Ended():
		return e
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
		return Exit{}
	}
}

func TestAProgramsExitIsKnown(t *testing.T) {
	p, out := started(t, "echo said; echo warned >&2; exit 75")
	if e := exit(t, p); e != (Exit{Code: 75}) || out.String() != "said\nwarned\n" {
		t.Errorf("%+v, %q", e, out)
	}
	p, _ = started(t, "kill -KILL $$")
	if e := exit(t, p); e != (Exit{Code: -1, Signal: syscall.SIGKILL}) {
		t.Errorf("%+v", e)
	}
	p.Signal(syscall.SIGTERM) // no effect, because it has ended
	p.Kill()
}

func TestAProgramHasAGroupOfItsOwn(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	p, _ := started(t, `trap "exit 9" TERM; : > "`+ready+`"; while :; do sleep 0.01; done`)
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(ready); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("it does not run")
		}
	}
	if group, err := syscall.Getpgid(p.PID()); err != nil || group != p.PID() {
		t.Errorf("its group is %d (%v), want its own, %d", group, err, p.PID())
	}
	p.Signal(syscall.SIGTERM)
	if e := exit(t, p); e.Code != 9 {
		t.Errorf("%+v, want what it made of SIGTERM", e)
	}
}

func TestAProgramThatIsNotThereIsNamed(t *testing.T) {
	p := Program{Path: "/nowhere/claudeops"}
	if _, err := p.Start(); err == nil || !strings.Contains(err.Error(), "/nowhere/claudeops") {
		t.Errorf("the error is %v", err)
	}
}
