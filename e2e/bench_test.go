package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/modeltest"
)

// The benchmarks of this file time whole processes, each compared with a simple program. The two run alternately, so that other load
// affects both. They report the medians and their ratio; the goals are in docs/benchmarks.md.

// leastPairs is the least number of pairs of runs, regardless of -benchtime.
const leastPairs = 21

// rival is one of the two programs of a comparison. ready prepares the run and is not timed.
type rival struct {
	ready func()
	run   func() *exec.Cmd
}

// versus runs the two alternately. It reports their medians as ms/run and ms/bare, and the ratio of the medians as x-bare. cpu-ms/run is
// the median processor time of ours and its children, which other load disturbs less.
func versus(b *testing.B, ours, bare rival) {
	b.Helper()
	var took, busy [2][]time.Duration
	pair := func() {
		for i, r := range [2]rival{ours, bare} {
			if r.ready != nil {
				r.ready()
			}
			cmd := r.run()
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			start := time.Now()
			if err := cmd.Run(); err != nil {
				b.Fatalf("%q: %v\n%s", cmd.Args, err, &stderr)
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
	b.ReportMetric(0, "ns/op") // it is the sum of both and means nothing
	b.ReportMetric(float64(our.Microseconds())/1000, "ms/run")
	b.ReportMetric(float64(their.Microseconds())/1000, "ms/bare")
	b.ReportMetric(float64(median(busy[0]).Microseconds())/1000, "cpu-ms/run")
	b.ReportMetric(float64(our)/float64(their), "x-bare")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// release returns a program built as by `make build`.
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

// hello returns a program that only prints hello.
func hello(b *testing.B) rival {
	b.Helper()
	return compiled(b, "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n")
}

// compiled returns a Go program.
func compiled(b *testing.B, source string) rival {
	b.Helper()
	file, program := filepath.Join(b.TempDir(), "main.go"), filepath.Join(b.TempDir(), "bare")
	put(b, file, source)
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, file).CombinedOutput(); err != nil {
		b.Fatalf("build a bare program: %v\n%s", err, out)
	}
	return rival{run: func() *exec.Cmd { return exec.Command(program) }}
}

// stage holds the directories of a cycle and the environment that names them.
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

// BenchmarkStartUp measures the least that any command takes. Goal: under 10 ms.
func BenchmarkStartUp(b *testing.B) {
	program := release(b, "claudeops")
	versus(b, rival{run: func() *exec.Cmd { return exec.Command(program, "version") }}, hello(b))
}

// instantAgent only hands off to the next tier. It says that it has the tools of its tier, as an agent program must.
const instantAgent = `#!/bin/sh
case $CLAUDEOPS_TIER in
1) tools=hand_off ;;
2) tools='hand_off restart action propose' ;;
3) tools='restart redeploy action propose' ;;
esac
printf '{"type":"system","subtype":"init","tools":["mcp__claudeops__bash"'
printf ',"mcp__claudeops__%s"' query logs get report $tools ask_human
echo ']}'
more=
[ "$CLAUDEOPS_TIER" = 2 ] && more='"investigation_findings":"no memory","remediation_attempted":"restarted it",'
[ "$CLAUDEOPS_TIER" = 3 ] || echo '{"schema_version":1,"recommended_tier":'$((CLAUDEOPS_TIER + 1))',"services_affected":["shop"],
"check_results":[{"service":"shop","check_type":"http","status":"down","error":"HTTP 502"}],'$more'"cooldown_state":{}}' > "$CLAUDEOPS_STATE_DIR/handoff.json"
echo '{"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":0.01,"num_turns":3,"duration_ms":1200,"usage":{"input_tokens":100,"output_tokens":20}}'
`

// BenchmarkThreeTierCycle measures everything about a cycle except the agent: lock, recovery, three sessions with their processes, logs and
// handoffs, incident, last_run. Goal: at most 20 times a program that only prints hello.
func BenchmarkThreeTierCycle(b *testing.B) {
	program := release(b, "claudeops")
	dir, environ := stage(b)
	agent := filepath.Join(dir, "claude")
	put(b, agent, instantAgent)
	if err := os.Chmod(agent, 0o700); err != nil {
		b.Fatal(err)
	}
	environ = append(environ, "CLAUDEOPS_CLAUDE_BIN="+agent)
	run := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Env = environ
		return cmd
	}
	if out, err := run("cooldown", "record", "shop", "restart", "success").CombinedOutput(); err != nil { // creates the database
		b.Fatalf("%v\n%s", err, out)
	}
	state, kept := filepath.Join(dir, "state"), filepath.Join(dir, "kept")
	if err := os.Rename(state, kept); err != nil {
		b.Fatal(err)
	}
	// Each cycle finds the incident anew: an open one would soon wait for a human.
	ready := func() { copied(b, kept, state) }
	versus(b, rival{ready, func() *exec.Cmd { return run("run-once") }}, hello(b))
	if tiers := sessionsOfTier(b, state, 3); tiers != 1 {
		b.Fatalf("%d sessions of Tier 3 in a cycle, want 1", tiers)
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

// BenchmarkCooldownRecord compares adding one record to cooldown.json (and the database, synced) with what the cooldown skill's jq does to
// the same file, without lock or sync. Goal: at most a fifth of it.
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
			if out, err := record().CombinedOutput(); err != nil { // creates the database
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

// fill writes a state file with one record for each service.
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

// copied makes to a copy of a directory of files and syncs it, so that no measurement includes writing the copy to disk.
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

// BenchmarkFirstRequest measures the first request of the real agent program to the model in Tier 1, which is sent again on every turn.
// Goal: at most 30 KB.
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
