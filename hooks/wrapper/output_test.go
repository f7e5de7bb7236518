package wrapper

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
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
