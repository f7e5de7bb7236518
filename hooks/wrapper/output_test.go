package wrapper

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestLargeOutput(t *testing.T) {
	content := make([]byte, 10<<20)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range content {
		content[i] = byte(random.Uint32())
	}
	w := line(t, "cat content; cat content >&2")
	must(t, os.WriteFile(filepath.Join(w.Dir, "content"), content, 0o600))
	got := w.run(t, message("Stop"))
	if got.code != 0 || got.stdout != string(content) || got.stderr != string(content) {
		t.Errorf("exit code %d, %d and %d bytes of %d, or others", got.code, len(got.stdout), len(got.stderr), len(content))
	}
}

func TestReaderGone(t *testing.T) {
	w := line(t, `while :; do echo y; done`)
	s := w.start(t)
	s.read(t)
	must(t, s.in.Close())
	must(t, s.pipe.Close())
	if err := s.Wait(); err == nil || s.ProcessState.ExitCode() != 128+int(syscall.SIGPIPE) {
		t.Errorf("%v, want the exit code of SIGPIPE", err)
	}
}

func TestDenyOnly(t *testing.T) {
	w := line(t, `cat out; test -n "$CLAUDE_ENV_FILE" && exit 4; exit 3`)
	w.Options.DenyOnly = true
	for out, want := range map[string]string{
		`{"decision":"approve","systemMessage":"m"}`: `{"systemMessage":"m"}` + "\n",
		"text\n":                   "text\n",
		strings.Repeat("x", 1<<20): strings.Repeat("x", 1<<20),
		`{"decision":"approve"}` + strings.Repeat(" ", 1<<20):   "{}\n",
		`{"decision":"approve"}` + strings.Repeat(" ", heldMax): unreadable, // it may have been a refusal
		strings.Repeat("x", heldMax+1):                          unreadable,
		`{"decision":"approve"} x`:                              "", // nothing in it could be a refusal
	} {
		must(t, os.WriteFile(filepath.Join(w.Dir, "out"), []byte(out), 0o600))
		must(t, os.RemoveAll(w.state()))
		if got := w.run(t, message("PreToolUse"), "CLAUDE_ENV_FILE=/x"); got.code != 3 || got.stdout != want {
			t.Errorf("%.50q gives %d %.50q", out, got.code, got.stdout)
		}
		if len(out) <= heldMax {
			continue
		}
		if got := w.run(t, message("PostToolUse")); got.code != 3 || got.stdout != "" {
			t.Errorf("%.50q, at an event that refuses nothing, gives %d %.50q", out, got.code, got.stdout)
		}
		w.logged(t, fmt.Sprintf("%d bytes of output are too many", len(out)))
	}
}

// A hook whose output is not read is ended at its timeout nevertheless.
func TestOutputNotRead(t *testing.T) {
	w := line(t, `head -c 1000000 /dev/zero`)
	w.Options.Timeout = 200 * time.Millisecond
	r, pipe, err := os.Pipe()
	must(t, err)
	defer r.Close()
	cmd := w.command(t)
	cmd.Stdout = pipe
	must(t, cmd.Start())
	must(t, pipe.Close())
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 124 {
		t.Error(err)
	}
	w.failed(t, 1, "Timed out after 200ms")
}

func TestCaptureKeepsBothEnds(t *testing.T) {
	c := capture{headMax: 4, tailMax: 5}
	for _, part := range []string{"ab", "cdef", "g", "", "hijk"} {
		c.add([]byte(part))
	}
	if string(c.head) != "abcd" || string(c.tail) != "ghijk" || c.size != 11 || !c.cut() {
		t.Errorf("%q, %q, %d", c.head, c.tail, c.size)
	}
	c.add([]byte("0123456789"))
	if string(c.tail) != "56789" {
		t.Errorf("%q", c.tail)
	}
}

// A filter that the hook prints through ends after the hook.
func TestOutputThroughFilter(t *testing.T) {
	for name, tt := range map[string]struct {
		line  string
		event string
		want  result
	}{
		"stdout": {`exec > >(tee -a log); cat >/dev/null; echo '{"decision":"block"}'`, "Stop", result{0, `{"decision":"block"}` + "\n", ""}},
		"stderr": {`exec 2> >(sed 's/^/hook: /' >&2); echo no >&2; exit 2`, "PreToolUse", result{2, "", "hook: no\n"}},
		"slow":   {`exec > >(while read -r x; do sleep 0.02; echo "$x"; done); seq 10; exit 3`, "Stop", result{3, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := program(t, "bash", "-c", tt.line)
			w.configure(t, "circuit_breaker: {mode: observe}")
			for range 50 {
				inTime(t, quietTime, func() (fault string) {
					if got := w.run(t, message(tt.event)); got != tt.want {
						fault = fmt.Sprintf("got  %+v\nwant %+v", got, tt.want)
					}
					return fault
				})
			}
		})
	}
}

// A process that is left behind and continues to print is not waited for.
func TestChattyLeftBehind(t *testing.T) {
	w := line(t, `{ echo x; : >begun; while echo x; do sleep 0.01; done; } & until [ -e begun ]; do sleep 0.01; done; exit 3`)
	if got := w.run(t, message("Stop")); got.code != 3 || !strings.HasPrefix(got.stdout, "x\n") {
		t.Errorf("got %+v", got)
	}
	w.failed(t, 1, "Exit code 3")
}

func TestOutputThatCannotBeChecked(t *testing.T) {
	var said bytes.Buffer
	r := &Runner{Stdout: &said, Log: nil}
	var faults []any
	p := &process{runner: r, event: "PreToolUse", denyOnly: true, fault: func(fault any) { faults = append(faults, fault) }}
	p.print(&capture{head: []byte(`{"decision":`), size: 12})
	if said.Len() > 0 || len(faults) > 0 {
		t.Errorf("%q, %v", said.String(), faults)
	}
	p.print(&capture{head: []byte("{}"), size: 3})
	if said.String() != unreadable {
		t.Errorf("%q", said.String())
	}
}
