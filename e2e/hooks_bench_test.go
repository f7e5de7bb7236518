package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkHooksRun measures the whole process of the wrapper around /bin/true, which each call of a wrapped hook costs, with 1,000 hooks
// in the state file. It is compared with a Go program that only starts the same child, and with Python.
func BenchmarkHooksRun(b *testing.B) {
	program := release(b, "claudeops")
	home := b.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".claude"), 0o700); err != nil {
		b.Fatal(err)
	}
	put(b, filepath.Join(home, ".claude", "hook_state.json"), hooksState(1000))
	claudeHooks := filepath.Join(home, "claude-hooks")
	if err := os.Symlink(program, claudeHooks); err != nil {
		b.Fatal(err)
	}
	call := func() *exec.Cmd {
		cmd := exec.Command(claudeHooks, "run", "--", "/bin/true")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
		cmd.Stdin = strings.NewReader(input("PostToolUse", "11111111-1111-4111-8111-111111111111"))
		return cmd
	}
	if out, err := call().CombinedOutput(); err != nil || len(out) > 0 {
		b.Fatalf("claude-hooks run: %v\n%s", err, out)
	}
	wrapper := rival{run: call}
	spawn := spawner(b)
	interpreter, err := exec.Command("python3", "-c", "import sys; print(sys.executable, end='')").Output() // not a script that searches for it
	if err != nil {
		b.Fatal(err)
	}
	python := rival{run: func() *exec.Cmd {
		return exec.Command(string(interpreter), "-c", `import json,subprocess; subprocess.run(["/bin/true"])`)
	}}
	b.Run("spawn", func(b *testing.B) { versus(b, wrapper, spawn) })
	b.Run("python", func(b *testing.B) { versus(b, wrapper, python) })

	state, err := os.ReadFile(filepath.Join(home, ".claude", "hook_state.json"))
	if err != nil {
		b.Fatal(err)
	}
	if n := strings.Count(string(state), `"state":`); n != 1001 {
		b.Fatalf("%d hooks are in the state file, want 1,001", n)
	}
}

// hooksState returns a state file with n hooks, as after some use.
func hooksState(hooks int) string {
	var text strings.Builder
	text.WriteString("{\n  \"hooks\": {")
	for i := range hooks {
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, `
    "uv run $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_%05d.py --directory specs": {
      "state": "closed",
      "failure_count": 2,
      "consecutive_failures": 0,
      "consecutive_successes": 17,
      "first_failure": "2026-02-10T23:32:15Z",
      "last_failure": "2026-02-10T23:35:42Z",
      "last_success": "2026-11-21T08:15:00Z",
      "last_error": "Exit code 1: AssertionError: specs/plan.md has no section Testing",
      "disabled_at": null,
      "retry_after": null,
      "executions": 1523
    }`, i)
	}
	text.WriteString("\n  },\n  \"global_stats\": {\n    \"total_executions\": 1523000,\n    \"total_failures\": 2000,\n" +
		"    \"hooks_disabled\": 0,\n    \"last_updated\": \"2026-11-21T08:15:00Z\"\n  }\n}\n")
	return text.String()
}

// spawner is a program that only starts /bin/true and waits for it.
func spawner(b *testing.B) rival {
	b.Helper()
	source, program := filepath.Join(b.TempDir(), "spawn.go"), filepath.Join(b.TempDir(), "spawn")
	put(b, source, `package main

import (
	"os"
	"os/exec"
)

func main() {
	if exec.Command("/bin/true").Run() != nil {
		os.Exit(1)
	}
}
`)
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, source).CombinedOutput(); err != nil {
		b.Fatalf("build a bare program: %v\n%s", err, out)
	}
	return rival{run: func() *exec.Cmd { return exec.Command(program) }}
}
