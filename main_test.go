package main

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claudeops/claudeops/cli"
	"github.com/claudeops/claudeops/internal/fakeagent"
)

// TestMain makes the test binary the programs that the scripts call.
func TestMain(m *testing.M) {
	hook := func() {
		os.Exit(cli.HookMain(cli.Start(), os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now}))
	}
	testscript.Main(m, map[string]func(){
		"claudeops":      main,
		"claudeops-hook": hook,
		"claude-hooks":   hook,
		"fakeagent":      func() { os.Exit(fakeagent.Main()) },
	})
}

// TestScripts runs testdata/script: the command line as a person or a cron job sees it.
func TestScripts(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(sig) { // by whoever started the tests, as nohup does: what is caught here is on again for the scripts' programs
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true})
}

// Start-up is paid for on every call of a hook, so no package that claudeops-hook imports may work before main: what all of them
// allocate while they are initialised is bounded. Time is measured in e2e (make bench); allocations are the same on every machine.
func TestInitialisationIsLight(t *testing.T) {
	binary := build(t, "./cmd/claudeops-hook")
	run := exec.Command(binary, "version")
	run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := run.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	const each, all = 32 << 10, 96 << 10 // bytes; the YAML library has 25 KiB, the shell parser 15, unicode 11
	total := 0
	lines := regexp.MustCompile(`(?m)^init (\S+) .* (\d+) bytes`).FindAllStringSubmatch(string(trace), -1)
	if len(lines) == 0 {
		t.Fatalf("no trace of initialisation in:\n%s", trace)
	}
	for _, line := range lines {
		size, err := strconv.Atoi(line[2])
		if err != nil {
			t.Fatal(err)
		}
		if total += size; size > each {
			t.Errorf("%s allocates %d bytes before main; at most %d", line[1], size, each)
		}
	}
	if total > all {
		t.Errorf("all packages allocate %d bytes before main; at most %d:\n%s", total, all, trace)
	}
}

// What claudeops watches with is no part of claudeops-hook, nor are servers: they alone would start as long as the rest. It links what the
// dashboard's pages are made of, because cli does, and nothing that serves them.
func TestTheHookProgramLinksNoClients(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./cmd/claudeops-hook").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "github.com/claudeops/claudeops/cli") {
		t.Fatalf("no list of what is linked: %q", deps)
	}
	own := []string{ // the database of our own records
		"database/sql", "database/sql/driver", "github.com/mattn/go-sqlite3",
	}
	for _, dep := range deps {
		if slices.Contains(own, dep) {
			continue
		}
		for _, heavy := range []string{
			"net/http", "crypto/tls", "html/template", "github.com/claudeops/claudeops/probe/client", "github.com/claudeops/claudeops/dashboard/web", "goldmark",
			"docker", "moby", "containerd", "grpc", "opentelemetry", "database/sql", "sqlite", "pgx", "lib/pq", "mysql", "redis",
		} {
			if strings.Contains(dep, heavy) {
				t.Errorf("claudeops-hook links %s", dep)
			}
		}
	}
}

// build makes a program as a release is made, except that it is linked dynamically.
func build(t *testing.T, folder string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", binary, folder).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}
