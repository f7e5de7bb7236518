package main

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/testkit/fakeagent"
)

// TestMain makes the test binary the programs that the scripts call.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"claudeops": main,
		"claude-hooks": func() {
			os.Exit(hooks.Main(os.Args[1:], hooks.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now}))
		},
		"fakeagent": func() { os.Exit(fakeagent.Main()) },
	})
}

// TestScripts runs testdata/script: the command line as a person or a cron job sees it.
func TestScripts(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(sig) { // in the process that started the tests, as nohup does: a signal that is caught here is reset to its default in the scripts' programs
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
	shim := t.TempDir() // in its own program: the sandbox has no libraries
	build := exec.Command("go", "build", "-o", shim, "./cmd/claudeops-shim")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the shim: %v: %s", err, out)
	}
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true, Setup: func(e *testscript.Env) error {
		e.Setenv("PATH", e.Getenv("PATH")+":"+shim)
		return nil
	}})
}
