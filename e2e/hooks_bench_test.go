package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkHooksRun measures the whole process of the wrapper around /bin/true, which each call of a wrapped hook costs, with few and with
// 1,000 hooks in the state file. It is compared with a Go program that only starts the same child, and with Python.
func BenchmarkHooksRun(b *testing.B) {
	spawn := compiled(b, `package main

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
	interpreter, err := exec.Command("python3", "-c", "import sys; print(sys.executable, end='')").Output() // not a script that searches for it
	if err != nil {
		b.Fatal(err)
	}
	python := rival{run: func() *exec.Cmd {
		return exec.Command(string(interpreter), "-c", `import json, subprocess; subprocess.run(["/bin/true"])`)
	}}
	program := release(b, "claude-hooks")
	few, thousand := wrapped(b, 3, program, "run", "--", "/bin/true"), wrapped(b, 1000, program, "run", "--", "/bin/true")
	b.Run("spawn", func(b *testing.B) { versus(b, few, spawn) })
	b.Run("1000-hooks", func(b *testing.B) { versus(b, thousand, spawn) })
	b.Run("python", func(b *testing.B) { versus(b, few, python) })
}

// BenchmarkHooksToolCall measures three hooks that run at once, wrapped and bare, as at a tool call. -benchtime=1000x makes 1,000 of them.
func BenchmarkHooksToolCall(b *testing.B) {
	call := func(hook string) rival {
		line := ""
		for i := range 3 {
			line += fmt.Sprintf("sh -c '%s' < input & ", strings.ReplaceAll(hook, "HOOK", fmt.Sprintf(`"cat > /dev/null # %d"`, i)))
		}
		return wrapped(b, 3, "/bin/sh", "-c", line+"wait")
	}
	versus(b, call(`command -v claude-hooks > /dev/null 2>&1 && exec claude-hooks run -c HOOK`), call("eval HOOK"))
}

// wrapped returns a program in a home where claude-hooks has seen so many hooks.
func wrapped(b *testing.B, hooks int, program string, args ...string) rival {
	b.Helper()
	home := b.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".claude"), 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.Symlink(release(b, "claude-hooks"), filepath.Join(home, "claude-hooks")); err != nil {
		b.Fatal(err)
	}
	var known []string
	for i := range hooks {
		known = append(known, fmt.Sprintf(`
    "uv run $CLAUDE_PROJECT_DIR/.claude/hooks/validators/validate_%05d.py --directory specs": {
      "state": "closed", "failure_count": 2, "consecutive_failures": 0, "consecutive_successes": 17,
      "first_failure": "2026-02-10T23:32:15Z", "last_failure": "2026-02-10T23:35:42Z", "last_success": "2099-11-21T08:15:00Z",
      "last_error": "Exit code 1: AssertionError: specs/plan.md has no section Testing", "disabled_at": null, "retry_after": null,
      "executions": 1523
    }`, i))
	}
	put(b, filepath.Join(home, ".claude/hook_state.json"), `{"hooks": {`+strings.Join(known, ",")+`}, "global_stats": {"total_executions": 1523000}}`)
	call := input("PostToolUse", "11111111-1111-4111-8111-111111111111")
	put(b, filepath.Join(home, "input"), call)
	run := func() *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Env, cmd.Dir, cmd.Stdin = []string{"PATH=" + home + ":" + os.Getenv("PATH"), "HOME=" + home}, home, strings.NewReader(call)
		return cmd
	}
	if out, err := run().CombinedOutput(); err != nil || len(out) > 0 {
		b.Fatalf("%s %q: %v\n%s", program, args, err, out)
	}
	return rival{run: run}
}
