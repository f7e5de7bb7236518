package wrapper

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestRunChangesNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		line  string
		stdin string
		want  result
	}{
		"success":       {`echo out; echo err >&2`, message("Stop"), result{0, "out\n", "err\n"}},
		"verdict":       {`echo no >&2; exit 2`, message("PreToolUse"), result{2, "", "no\n"}},
		"failure":       {`exit 7`, message("PreToolUse"), result{7, "", ""}},
		"signal":        {`kill -KILL $$`, message("PreToolUse"), result{137, "", ""}},
		"input":         {`cat`, message("PreToolUse"), result{0, message("PreToolUse"), ""}},
		"binary":        {`cat`, "\x00\xff\xfe{\x80\n\n", result{0, "\x00\xff\xfe{\x80\n\n", ""}},
		"empty":         {`wc -c`, "", result{0, "0\n", ""}},
		"no newline":    {`cat`, `{"a":1}`, result{0, `{"a":1}`, ""}},
		"two values":    {`cat`, "{}\n{}\n", result{0, "{}\n{}\n", ""}},
		"text":          {`cat`, "hello\nworld", result{0, "hello\nworld", ""}},
		"large":         {`cksum`, strings.Repeat("x", 10<<20), result{0, cksum(t, strings.Repeat("x", 10<<20)), ""}},
		"large JSON":    {`cksum`, largeJSON(), result{0, cksum(t, largeJSON()), ""}},
		"input unread":  {`exec true`, largeJSON(), result{0, "", ""}},
		"input closed":  {`exec <&-; echo done`, largeJSON(), result{0, "done\n", ""}},
		"output closed": {`exec >&- 2>&-; exit 3`, message("Stop"), result{3, "", ""}},
		"both outputs": {`head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2`, "",
			result{0, strings.Repeat("\x00", 3e6), strings.Repeat("\x00", 3e6)}},
		"words":           {`printf '<%s>' "$#" "a  b"`, "", result{0, "<0><a  b>", ""}},
		"environment":     {`printf %s "$MARK"`, "", result{0, "a b", ""}},
		"no own variable": {`env | grep -c '^` + asWrapper + `='`, "", result{1, "0\n", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := line(t, tt.line).run(t, tt.stdin, "MARK=a b")
			if len(got.stdout) > 1000 && got.stdout == tt.want.stdout {
				got.stdout, tt.want.stdout = "", ""
			}
			if len(got.stderr) > 1000 && got.stderr == tt.want.stderr {
				got.stderr, tt.want.stderr = "", ""
			}
			equal(t, got, tt.want)
		})
	}
}

func largeJSON() string {
	return `{"session_id":"s","hook_event_name":"PostToolUse","tool_response":"` + strings.Repeat(`é\n`, 2<<20) + `"}` + "\n"
}

func cksum(t *testing.T, text string) string {
	t.Helper()
	cmd := exec.Command("cksum")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	must(t, err)
	return string(out)
}

// Input and output pass while the hook runs: each side waits here for the other.
func TestStreams(t *testing.T) {
	s := line(t, `while read -r x; do echo "got $x"; done`).start(t)
	for _, text := range []string{"not JSON", "second", "third"} {
		_, err := io.WriteString(s.in, text+"\n")
		must(t, err)
		if got := s.read(t); got != "got "+text {
			t.Errorf("got %q", got)
		}
	}
	must(t, s.in.Close())
	if code := s.end(t); code != 0 {
		t.Errorf("exit code %d: %s", code, s.stderr.String())
	}
}

// A process that is left behind holds the hook's pipes open, and keeps running.
func TestLeftBehindHoldsNothing(t *testing.T) {
	w := line(t, `sleep 1000 & echo $!; head -c 50000 /dev/zero | tr '\0' x; exit 2`)
	got := w.run(t, largeJSON())
	first, rest, _ := strings.Cut(got.stdout, "\n")
	pid, err := strconv.Atoi(first)
	must(t, err)
	defer func() { must(t, syscall.Kill(pid, syscall.SIGKILL)) }()
	if got.code != 2 || rest != strings.Repeat("x", 50000) {
		t.Errorf("exit code %d, %d bytes", got.code, len(rest))
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Errorf("what was left behind: %v", err)
	}
	w.failed(t, 0, "")
}

// When a wrapper is killed its hook is ended too, and the run counts as a failure.
func TestKilledWrapper(t *testing.T) {
	w := line(t, `echo $$; exec sleep 1000`)
	s := w.start(t)
	must(t, s.in.Close())
	pid, err := strconv.Atoi(s.read(t))
	must(t, err)
	must(t, s.Process.Kill())
	s.end(t)
	gone(t, pid)
	w.Command.Args = []string{"true"}
	equal(t, w.run(t, message("Stop")), result{})
	if h := w.hook(t); h.FailureCount != 1 || !strings.Contains(h.LastError, "never finished") {
		t.Errorf("%+v", h)
	}
}

func TestPatience(t *testing.T) {
	calls := 0
	err := patiently(t.Context(), func() error {
		if calls++; calls < 3 {
			return &unspawned{err: os.NewSyscallError("fork", syscall.EAGAIN)}
		}
		return nil
	})
	if err != nil || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
	for name, tt := range map[string]struct {
		err   error
		calls int
	}{"never room": {syscall.ENOMEM, 6}, "something else": {syscall.ENOENT, 1}} {
		calls = 0
		if err := patiently(t.Context(), func() error { calls++; return tt.err }); !errors.Is(err, tt.err) || calls != tt.calls {
			t.Errorf("%s: %v after %d calls", name, err, calls)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	calls = 0
	if err := patiently(ctx, func() error { calls++; return syscall.EMFILE }); err == nil || calls != 1 {
		t.Errorf("told to end: %v after %d calls", err, calls)
	}
}
