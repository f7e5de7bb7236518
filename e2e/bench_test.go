package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/modeltest"
)

// The benchmarks of this file time whole processes, each beside something bare, in turns, so that the machine's moods meet both.
// They state the medians and the ratio of the two; docs/benchmarks.md has the goals.

// leastPairs is how often the two are run, however short the benchmark is meant to be.
const leastPairs = 21

// rival is one of the two programs of a comparison. ready puts the world into the state that run is to find and is not timed.
type rival struct {
	ready func()
	run   func() *exec.Cmd
}

// versus runs the two in turns and reports medians as ms/run and ms/bare, and the ratio of the medians as x-bare; cpu-ms/run is the median of
// the processor time of ours and of what it started, which other work on the machine disturbs less.
func versus(b *testing.B, ours, bare rival) {
	b.Helper()
	var took, busy [2][]time.Duration
	pair := func() {
		for i, r := range [2]rival{ours, bare} {
			if r.ready != nil {
				r.ready()
			}
			cmd := r.run()
			start := time.Now()
			if err := cmd.Run(); err != nil {
				b.Fatalf("%q: %v", cmd.Args, err)
			}
			took[i] = append(took[i], time.Since(start))
			busy[i] = append(busy[i], cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		}
	}
	for b.Loop() {
		pair()
	}
	for len(took[0]) < leastPairs {
		pair()
	}
	our, their := median(took[0]), median(took[1])
	b.ReportMetric(0, "ns/op") // of both together: it says nothing
	b.ReportMetric(float64(our.Microseconds())/1000, "ms/run")
	b.ReportMetric(float64(their.Microseconds())/1000, "ms/bare")
	b.ReportMetric(float64(median(busy[0]).Microseconds())/1000, "cpu-ms/run")
	b.ReportMetric(float64(our)/float64(their), "x-bare")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// release is a program as `make build` makes it, which is what users run.
func release(b *testing.B, name string) string {
	b.Helper()
	cmd := exec.Command("make", "--silent", "build")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("make build: %v\n%s", err, out)
	}
	path, err := filepath.Abs("../" + name)
	if err != nil {
		b.Fatal(err)
	}
	return path
}

// hello is a program that only says hello.
func hello(b *testing.B) rival {
	b.Helper()
	source, program := filepath.Join(b.TempDir(), "hello.go"), filepath.Join(b.TempDir(), "hello")
	if err := os.WriteFile(source, []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, source).CombinedOutput(); err != nil {
		b.Fatalf("build a bare program: %v\n%s", err, out)
	}
	return rival{run: func() *exec.Cmd { return exec.Command(program) }}
}

// stage has the directories of a cycle and the environment that names them.
func stage(b *testing.B, settings ...string) (dir string, environ []string) {
	b.Helper()
	dir = b.TempDir()
	for _, name := range []string{"state", "results", "repos", "agent", "home"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			b.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	return dir, append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + at("home"), "TZ=UTC", "CLAUDEOPS_TIER1_AGENT=claude",
		"CLAUDEOPS_STATE_DIR=" + at("state"), "CLAUDEOPS_RESULTS_DIR=" + at("results"), "CLAUDEOPS_REPOS_DIR=" + at("repos"),
		"CLAUDEOPS_AGENT_ENV=FAKE_AGENT_DIR", "FAKE_AGENT_DIR=" + at("agent"),
	}, settings...)
}

func put(b *testing.B, path, content string) {
	b.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkStartUp is the least that any command costs. Every call of a wrapped hook pays it, too. Its goal: under 10 ms.
func BenchmarkStartUp(b *testing.B) {
	program := release(b, "claudeops")
	versus(b, rival{run: func() *exec.Cmd { return exec.Command(program, "version") }}, hello(b))
}

// instantAgent hands on from each tier to the next, and does nothing else. Its error is another one in every cycle, because an
// incident that stays as it was would not be looked into again at once.
const instantAgent = `#!/bin/sh
echo '{"type":"system","subtype":"init","tools":["Bash","Read","Grep","Glob"]}'
read -r fault < "$FAKE_AGENT_DIR/fault"
more=
[ "$CLAUDEOPS_TIER" = 2 ] && more='"investigation_findings":"no memory","remediation_attempted":"restarted it",'
[ "$CLAUDEOPS_TIER" = 3 ] || echo '{"schema_version":1,"recommended_tier":'$((CLAUDEOPS_TIER + 1))',"services_affected":["shop"],
"check_results":[{"service":"shop","check_type":"http","status":"down","error":"'$fault'"}],'$more'"cooldown_state":{}}' > "$CLAUDEOPS_STATE_DIR/handoff.json"
echo '{"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":0.01,"num_turns":3,"duration_ms":1200,"usage":{"input_tokens":100,"output_tokens":20}}'
`

// BenchmarkThreeTierCycle is everything about a cycle but the agent: lock, recovery, three sessions with their processes, logs and
// handoffs, incident, last_run. Goal: at most 20 times a program that only says hello.
func BenchmarkThreeTierCycle(b *testing.B) {
	program := release(b, "claudeops")
	dir, environ := stage(b)
	agent := filepath.Join(dir, "claude")
	put(b, agent, instantAgent)
	if err := os.Chmod(agent, 0o700); err != nil {
		b.Fatal(err)
	}
	environ = append(environ, "CLAUDEOPS_CLAUDE_BIN="+agent)
	cycles := 0
	ready := func() {
		cycles++
		put(b, filepath.Join(dir, "agent/fault"), strings.Map(func(digit rune) rune { return digit - '0' + 'p' }, fmt.Sprint(cycles))+"\n")
	}
	run := func() *exec.Cmd {
		cmd := exec.Command(program, "run-once")
		cmd.Env = environ
		return cmd
	}
	versus(b, rival{ready, run}, hello(b))
	if tiers := sessionsOfTier(b, filepath.Join(dir, "state"), 3); tiers != cycles {
		b.Fatalf("%d of %d cycles had three tiers", tiers, cycles)
	}
}

func sessionsOfTier(b *testing.B, stateDir string, tier int) int {
	b.Helper()
	s, err := store.Open(b.Context(), filepath.Join(stateDir, store.FileName), store.ReadOnly)
	if err != nil {
		b.Fatal(err)
	}
	list, err := s.Sessions(b.Context(), store.SessionFilter{Tier: tier, Limit: 1_000_000})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return len(list)
}

// BenchmarkCooldownRecord is one record added to cooldown.json (and the database, and synced) beside what the cooldown skill's jq does
// to the same file, neither locked nor synced. Goal: at most a fifth of it.
func BenchmarkCooldownRecord(b *testing.B) {
	program := release(b, "claudeops")
	for _, services := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprint(services), func(b *testing.B) {
			dir, environ := stage(b)
			state, kept := filepath.Join(dir, "state"), filepath.Join(dir, "kept")
			record := func() *exec.Cmd {
				cmd := exec.Command(program, "cooldown", "record", "service-00003", "restart", "success")
				cmd.Env = environ
				return cmd
			}
			fill(b, state, services)
			if out, err := record().CombinedOutput(); err != nil { // makes the database
				b.Fatalf("%v\n%s", err, out)
			}
			fill(b, state, services)
			if err := os.Rename(state, kept); err != nil {
				b.Fatal(err)
			}
			again := func() { copied(b, kept, state) }
			const program = `cd "$1" && jq '.services["service-00003"].restarts += [{"timestamp": (now | todate), "success": true}]' cooldown.json > tmp && mv tmp cooldown.json`
			versus(b, rival{again, record}, rival{again, func() *exec.Cmd { return exec.Command("sh", "-c", program, "sh", state) }})
		})
	}
}

// fill makes a state file with one record for each service.
func fill(b *testing.B, stateDir string, services int) {
	b.Helper()
	s := statefile.New()
	for i := range services {
		s.Add(fmt.Sprintf("service-%05d", i), statefile.Actions()[i%2], statefile.Record{
			Timestamp: statefile.At(time.Now().Add(-time.Hour)), Success: true, Tier: 2, ID: fmt.Sprintf("0190a7c2-4b5e-7d3a-9c1f-%012d", i),
		})
	}
	text, err := s.Marshal()
	if err != nil {
		b.Fatal(err)
	}
	put(b, filepath.Join(stateDir, statefile.FileName), string(text))
}

// copied makes to a copy of a directory of files, synced, so that nobody's time has the writing of the copy in it.
func copied(b *testing.B, from, to string) {
	b.Helper()
	if err := os.RemoveAll(to); err != nil {
		b.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command("sync", "--file-system", to).CombinedOutput(); err != nil {
		b.Fatalf("sync: %v\n%s", err, out)
	}
}

// BenchmarkFirstRequest is what the real agent program sends to the model first in Tier 1, and again on every turn. Goal: at
// most 30 KB.
func BenchmarkFirstRequest(b *testing.B) {
	program, agent := release(b, "claudeops"), modeltest.Program(b)
	size, tools := 0, 0
	for b.Loop() {
		model := modeltest.Start(b, modeltest.Script{"haiku": {modeltest.Say("all healthy")}})
		_, environ := stage(b, "CLAUDEOPS_CLAUDE_BIN="+agent)
		ctx, cancel := context.WithTimeout(b.Context(), deadline)
		cmd := exec.CommandContext(ctx, program, "run-once")
		cmd.Env = append(environ, model.Environ()...)
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			b.Fatalf("run-once: %v\n%s", err, out)
		}
		first := model.Requests()[0]
		size, tools = len(first.Body), len(first.Tools)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(size)/1000, "kB/first-request")
	b.ReportMetric(float64(tools), "tools")
}
