package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claudeops/claudeops/internal/fakeagent"
)

// TestMain makes the test binary the programs that the scripts call.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"claudeops": main,
		"fakeagent": func() { os.Exit(fakeagent.Main()) },
	})
}

// TestScripts runs testdata/script: the command line as a person or a cron job sees it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true})
}

// Start-up is paid for on every call of a hook, so no imported package may work before main: what all of them allocate while they
// are initialised is bounded. Time is measured elsewhere (make bench); allocations are the same on every machine.
func TestInitialisationIsLight(t *testing.T) {
	binary := build(t, ".")
	run := exec.Command(binary, "version")
	run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := run.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	const each, all = 16 << 10, 64 << 10 // bytes; unicode's own tables, the largest of the standard library, are 11 KiB
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

// The whole of start-up beside that of a program which only says hello, in turns, so that the machine's moods meet both. Goal:
// at most 2.5 times as long.
func BenchmarkStartUp(b *testing.B) {
	hello := filepath.Join(b.TempDir(), "hello.go")
	if err := os.WriteFile(hello, []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	programs := [2]string{build(b, "."), build(b, hello)}
	var took [2][]time.Duration
	for b.Loop() {
		for i, program := range programs {
			start := time.Now()
			if err := exec.Command(program, "version").Run(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(start))
		}
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	median := len(took[0]) / 2
	b.ReportMetric(0, "ns/op") // of both together: it says nothing
	b.ReportMetric(float64(took[0][median].Microseconds())/1000, "ms/start")
	b.ReportMetric(float64(took[0][median])/float64(took[1][median]), "x-hello-world")
}

// build makes a program as a release is made, except that it is linked dynamically.
func build(tb testing.TB, what string) string {
	tb.Helper()
	binary := filepath.Join(tb.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", binary, what).CombinedOutput(); err != nil {
		tb.Fatalf("go build %s: %v\n%s", what, err, out)
	}
	return binary
}
