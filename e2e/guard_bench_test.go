package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// BenchmarkGuard is the whole process of one decision, which every tool call of an agent waits for, with 1,000 services in the
// state file and a year of sessions in the database. Goals: at most 5 times a program that only says hello, and at most an eighth
// of what a hook in Python takes to start and to call one child.
func BenchmarkGuard(b *testing.B) {
	program := release(b, "claudeops-hook")
	dir, environ := stage(b, "CLAUDEOPS_TIER=2", "CLAUDEOPS_RUN_TOKEN=token-of-a-benchmark")
	state := filepath.Join(dir, "state")
	fill(b, state, 1000)
	environ = append(environ, fmt.Sprint("CLAUDEOPS_SESSION_ID=", aYear(b, state)), "TMPDIR="+filepath.Join(dir, "home"))
	guard := func(decision string, command func() string) rival {
		calls := 0
		decide := func() *exec.Cmd {
			calls++
			cmd := exec.Command(program, "guard")
			cmd.Env = environ
			cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"x","cwd":%q,"permission_mode":"dontAsk","hook_event_name":"PreToolUse",`+
				`"tool_name":"Bash","tool_input":{"command":%q},"tool_use_id":"toolu_%d"}`+"\n", filepath.Join(dir, "repos"), command(), calls))
			return cmd
		}
		if out, err := decide().CombinedOutput(); err != nil || !strings.Contains(string(out), `"permissionDecision":"`+decision+`"`) {
			b.Fatalf("the guard answered %v: %s; want %s", err, out, decision)
		}
		return rival{run: decide}
	}
	restarts := 0
	bare := hello(b)
	python := rival{run: func() *exec.Cmd {
		return exec.Command("python3", "-c", `import json, subprocess; subprocess.run(["true"], check=True)`)
	}}
	for _, bm := range []struct {
		name  string
		guard rival
	}{
		{"observe", guard("allow", func() string { return `docker ps --format '{{.Names}} {{.Status}}' | grep -v Up | head -20` })},
		{"restart", guard("allow", func() string { restarts++; return fmt.Sprintf("docker restart web-%d", restarts) })},
		{"refuse", guard("deny", func() string { return "rm -rf /var/lib/docker/volumes" })},
	} {
		b.Run(bm.name+"/hello", func(b *testing.B) { versus(b, bm.guard, bare) })
		b.Run(bm.name+"/python", func(b *testing.B) { versus(b, bm.guard, python) })
	}
}

// aYear fills a database with a year: 10,000 sessions with 10 checks each, 2,000 acts. It returns the session that runs now.
func aYear(b *testing.B, stateDir string) (running int64) {
	b.Helper()
	const sessions = 10_000
	s, err := store.Open(b.Context(), filepath.Join(stateDir, store.FileName), store.ReadWrite)
	if err != nil {
		b.Fatal(err)
	}
	err = s.Update(b.Context(), func(tx *store.Tx) error {
		for i := range sessions {
			if running, err = aSession(b, tx, i, time.Now().Add(-time.Duration(sessions-i)*365*24*time.Hour/sessions)); err != nil {
				return err
			}
		}
		return tx.SetSessionStatus(b.Context(), running, store.Running)
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return running
}

func aSession(b *testing.B, tx *store.Tx, i int, at time.Time) (int64, error) {
	id, err := tx.AddSession(b.Context(), store.Session{
		Tier: 1 + i%2, Trigger: "cron", Status: store.Completed, StartedAt: at, Response: strings.Repeat("everything is fine ", 20)})
	if err != nil {
		return 0, err
	}
	results := make([]check.Result, 10)
	for k := range results {
		results[k] = check.Result{Service: fmt.Sprintf("service-%05d", (i*10+k)%1000), Type: check.HTTP, Status: check.Healthy}
	}
	if err := tx.AddChecks(b.Context(), &id, at, results); err != nil || i%5 != 0 {
		return id, err
	}
	return id, tx.PutAct(b.Context(), store.Act{
		ID: fmt.Sprintf("year-%05d", i), SessionID: &id, Service: fmt.Sprintf("service-%05d", i%1000), Action: statefile.Restart, Success: true,
		Tier: 2, Source: store.SourceGuard, ToolUseID: fmt.Sprintf("toolu_y%05d", i), CreatedAt: at})
}
