package settings_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/hooks/settings"
)

// The scripts of these tests. log prints its input to standard output; standIn acts as claude-hooks, and leaves a trace; missing does not
// exist.
const (
	log = `#!/bin/sh
printf '%s:' "$0" $# "$@" "${FOO-unset}" "${CLAUDE_HOOK-no hook}"
printf '\n%s\n' "$(cat)"
echo "told $1" >&2
exit "${CODE-0}"
`
	standIn = `#!/bin/sh
echo "$1" >>"$TRACE"
[ "$1" = run ] || exit 70
shift
while :; do
	case $1 in
	--timeout) shift 2 ;;
	--quiet) shift ;;
	-c) exec "$SHELL_OF_TEST" -c "$2" ;;
	--) shift; exec "$@" ;;
	*) exit 71 ;;
	esac
done
`
)

// A wrapped line does the same as the original, with and without claude-hooks, in each shell that may be sh.
func TestWrappedLinesDoWhatTheOriginalsDid(t *testing.T) {
	lines := []string{
		`log`,
		`log a b`,
		`log 'a  b' "c d" e\ f`,
		`log "it's" 'say "hi"' '\' "\\" \\`,
		`log '$FOO' "$FOO" $FOO "${FOO:-default}" $(echo sub) ` + "`echo back`",
		`FOO=1 log x`,
		`FOO='a b'; export FOO; log "$FOO"`,
		`true && log yes || log no`,
		`false && log yes || log no`,
		`(cd / && log "$PWD")`,
		`log a; exit 3`,
		`exit 2`,
		`CODE=2 log blocked`,
		`CODE=7 log x | cat`,
		`{ log a; log b; } | sort`,
		"log a\nlog b",
		"\n\n  log indented  \n",
		"cat <<EOF\na $FOO 'b' \"c\"\nEOF\n",
		"cat <<'EOF'\na $FOO 'b' \\\nEOF",
		"log <<-EOF\n\ttabbed\n\tEOF\nlog after",
		`log "$0" "$#" "$@" "$*" end`,
		`set -- 1 2; log "$@"`,
		`log x # a comment`,
		`log x # it's a comment`,
		`# nothing but a comment`,
		`log trailing \`,
		`log 'ünï' ✓ 😀`,
		"log 'tab\there'",
		`log *.nothing [a-z]`,
		`if read -r line; then log "got $line"; fi`,
		`cat`,
		`cat >/dev/null; log`,
		`exec log replaced`,
		`no-such-program-at-all x`,
		`./no-such-file`,
		`log 'unclosed`,
		`if`,
		`)`,
		`log "$CLAUDE_HOOKS_SKIP"`,
		`trap 'log trapped' EXIT; log body`,
		`set -e; false; log never`,
		`set -u; log "$UNSET_VARIABLE"`,
		`f() { log "in f" "$1"; return 4; }; f x`,
		`log a & wait`,
		`log %s %d '%%' 100%`,
		`eval 'log "a b"'`,
		`kill -TERM $$`,
		`''`,
	}
	eachShell(t, func(t *testing.T, w world) {
		for _, line := range lines {
			t.Run(line, func(t *testing.T) {
				h := wrapHook(t, hookOf{Command: line, Timeout: 60})
				if h.Args != nil {
					t.Fatalf("a line got arguments: %v", h)
				}
				want := w.run(t, false, "-c", line)
				for _, installed := range []bool{false, true} {
					got := w.run(t, installed, "-c", h.Command)
					if diff := cmp.Diff(want, got, cmp.Comparer(sameTalk)); diff != "" {
						t.Errorf("claude-hooks installed: %v:\n%s", installed, diff)
					}
				}
			})
		}
	})
}

// A hook with arguments is started without a shell, and its arguments are passed unchanged.
func TestWrappedArgsDoWhatTheOriginalsDid(t *testing.T) {
	for _, args := range [][]string{
		{"log"},
		{"log", ""},
		{"log", "a  b", "$FOO", "`x`", "$(x)", "'", `"`, `\`, "*", "~", "--", "-c", "-x", "a\nb", "ünï ✓", ";", "&&", "#"},
		{"env", "CODE=2", "log", "blocked"},
		{"log", "$@", "\"$@\"", "$0", "$CLAUDE_HOOK"},
		{"cat"},
		{"no-such-program-at-all", "x"},
		{"echo", "-n", "a"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			h := wrapHook(t, hookOf{Command: args[0], Args: args[1:], Timeout: 1})
			eachShell(t, func(t *testing.T, w world) {
				if h.Command != "/bin/sh" {
					t.Fatalf("the command is %q", h.Command)
				}
				want := w.start(t, false, args)
				for _, installed := range []bool{false, true} {
					got := w.run(t, installed, h.Args...)
					if diff := cmp.Diff(want, got, cmp.Comparer(sameTalk)); diff != "" {
						t.Errorf("claude-hooks installed: %v:\n%s", installed, diff)
					}
				}
			})
		})
	}
}

// ended is the outcome of a command.
type ended struct {
	Out  string
	Talk talk
	Code string
}

type talk string

// sameTalk compares standard errors. A shell's own message begins with its name, the line number, and the builtin. Those may differ; the
// error itself may not.
func sameTalk(a, b talk) bool {
	last := func(t talk) string {
		line := strings.TrimSpace(string(t))
		line = line[strings.LastIndexByte(line, '\n')+1:]
		return line[strings.LastIndexByte(line, ':')+1:]
	}
	return strings.HasPrefix(string(a), "told ") && a == b || (a == "") == (b == "") && last(a) == last(b)
}

// world is a directory to run commands in: bin holds log, and hooks the stand-in for claude-hooks.
type world struct {
	dir   string
	shell []string
}

func eachShell(t *testing.T, f func(*testing.T, world)) {
	for _, shell := range [][]string{{"/bin/sh"}, {"dash"}, {"bash", "--posix"}, {"bash"}, {"busybox", "sh"}} {
		t.Run(strings.Join(shell, " "), func(t *testing.T) {
			path, err := exec.LookPath(shell[0])
			if err != nil {
				t.Skipf("there is no %s here", shell[0])
			}
			w := world{t.TempDir(), append([]string{path}, shell[1:]...)}
			sh := "#!/bin/sh\nexec " + strings.Join(w.shell, " ") + ` "$@"` + "\n"
			for name, text := range map[string]string{"bin/log": log, "hooks/claude-hooks": standIn, "sh": sh} {
				write(t, filepath.Join(w.dir, name), text, 0o755)
			}
			f(t, w)
		})
	}
}

// run gives arguments to the world's shell.
func (w world) run(t *testing.T, installed bool, args ...string) ended {
	t.Helper()
	return w.start(t, installed, append(w.shell[:len(w.shell):len(w.shell)], args...))
}

// start runs a command as the agent program does. If claude-hooks is installed, it must be called.
func (w world) start(t *testing.T, installed bool, args []string) ended {
	t.Helper()
	trace := filepath.Join(w.dir, "trace")
	path := filepath.Join(w.dir, "bin") + ":/usr/bin:/bin"
	if installed {
		path = filepath.Join(w.dir, "hooks") + ":" + path
	}
	t.Setenv("PATH", path) // exec searches this process's PATH
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = filepath.Join(w.dir, "bin")
	cmd.Env = []string{"PATH=" + path, "TRACE=" + trace, "SHELL_OF_TEST=" + filepath.Join(w.dir, "sh"), "FOO=from outside"}
	cmd.Stdin = strings.NewReader("{\"hook_event_name\":\"Stop\"}\n")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	e := ended{Code: "0"}
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		e.Code = exit.String()
	} else if errors.Is(err, exec.ErrNotFound) {
		e.Code, errs = "exit status 127", strings.Builder{}
		fmt.Fprintf(&errs, "%s: not found", args[0])
	} else if err != nil {
		t.Fatal(err)
	}
	e.Out, e.Talk = out.String(), talk(errs.String())
	called, err := os.ReadFile(trace)
	if (err == nil) != installed || installed && string(called) != "run\n" {
		t.Errorf("claude-hooks was called %q, %v", called, err)
	}
	os.Remove(trace)
	return e
}

type hookOf struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitzero"`
	Timeout int      `json:"timeout,omitempty"`
}

// wrapHook wraps one hook, using another JSON library.
func wrapHook(t *testing.T, h hookOf) hookOf {
	t.Helper()
	h.Type = "command"
	type group struct {
		Hooks []hookOf `json:"hooks"`
	}
	doc, err := stdjson.Marshal(map[string]map[string][]group{"hooks": {"Stop": {{[]hookOf{h}}}}})
	if err != nil {
		t.Fatal(err)
	}
	wrapped, entries, err := settings.Wrap(doc, usual)
	if err != nil || entries[0].Action != settings.Wrapped {
		t.Fatalf("%v, %v", entries, err)
	}
	var back map[string]map[string][]group
	if err := stdjson.Unmarshal(wrapped, &back); err != nil {
		t.Fatal(err)
	}
	return back["hooks"]["Stop"][0].Hooks[0]
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode), os.Chmod(path, mode)); err != nil {
		t.Fatal(err)
	}
}
