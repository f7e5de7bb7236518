package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func testLog(path, level, format string) *Log {
	at := time.Date(2026, 2, 10, 23, 35, 42, 123456789, time.Local)
	return (&Config{LogFile: path, LogLevel: level, LogFormat: format}).OpenLog(func() time.Time { return at })
}

func readLog(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLogFormat(t *testing.T) {
	for _, tt := range []struct{ format, want string }{
		{defaultLogFormat, "2026-02-10 23:35:42,123 | WARNING | check.py | it failed"},
		{"%(levelname)-8s|%(levelname)8s|", "WARNING | WARNING|"},
		{"%(levelname).4s %(message)6.2s", "WARN     it"},
		{"%(levelname)08s|%(levelname)-08s|%(message)04.02s", " WARNING|WARNING |  it"},
		{"%(process)d", fmt.Sprint(os.Getpid())},
		{"%(process)8s", fmt.Sprintf("%8d", os.Getpid())},
		{"100%% é", "100% é"},
	} {
		got := strings.TrimSuffix(testLog("x", "INFO", tt.format).line(2, "check.py", "it failed"), "\n")
		want(t, tt.format, got, tt.want)
	}
	for _, format := range []string{
		"", "100%", "%", "%s", "%(message)", "%(message", "%(message)d", "%(levelno)s", "%()s", "%(process)x", "%(message)999s", "%(message)+s",
		"%(message)s\n", "\x1b[1m%(message)s", "%(message)-", "%(message).",
	} {
		if _, ok := parseFormat(format); ok {
			t.Errorf("%q is taken for a format", format)
		}
	}
}

// A hook chooses its messages. They cannot start another line, control a terminal or fill the disk.
func TestLogEscapes(t *testing.T) {
	for text, shown := range map[string]string{
		"plain | text é ✓":                     "plain | text é ✓",
		"a\nb\r\tc\x00\x1b[31m":                `a\nb\r\tc\x00\x1b[31m`,
		"\u202eevil\u2028\u0085":               `\u202eevil\u2028\u0085`,
		"\xff\ufffd":                           "\\xff\ufffd",
		`back\slash "quoted"`:                  `back\slash "quoted"`,
		strings.Repeat("é", maxLogField):       strings.Repeat("é", maxLogField/2) + "…",
		"x" + strings.Repeat("é", maxLogField): "x" + strings.Repeat("é", maxLogField/2-1) + "…",
	} {
		want(t, fmt.Sprintf("%.20q", text), visible(text), shown)
	}
}

func TestLogLevels(t *testing.T) {
	for i, level := range logLevels {
		path := filepath.Join(t.TempDir(), "x.log")
		l := testLog(path, level, "%(levelname)s %(message)s")
		l.Debug("h", "d")
		l.Info("h", "i")
		l.Warning("h", "w")
		l.Error("h", "e")
		want(t, level, readLog(t, path), strings.Join([]string{"DEBUG d\n", "INFO i\n", "WARNING w\n", "ERROR e\n"}[i:], ""))
	}
}

func TestLogMakesDirectories(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a/b/x.log")
	testLog(path, "INFO", "%(message)s").Info("h", "m")
	for name, mode := range map[string]fs.FileMode{"": 0o600, "..": fs.ModeDir | 0o700, "../..": fs.ModeDir | 0o700} {
		is, err := os.Stat(filepath.Join(path, name))
		if name != "" {
			is, err = os.Stat(filepath.Join(filepath.Dir(path), strings.TrimPrefix(strings.TrimPrefix(name, ".."), "/")))
		}
		if err != nil {
			t.Fatal(err)
		}
		want(t, name, is.Mode(), mode)
	}
}

// A log that cannot be written is ignored, and nothing waits for it.
func TestLogCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	pipe, file, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "file"), filepath.Join(dir, "link")
	for _, err := range []error{
		syscall.Mkfifo(pipe, 0o600), os.WriteFile(file, nil, 0o600), os.Symlink(filepath.Join(dir, "none/x"), link),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"", dir, pipe, link, filepath.Join(file, "x.log"), "/dev/null", "/dev/full", "/proc/none/x.log"} {
		testLog(path, "INFO", "%(message)s").Info("h", "m")
	}
	(*Log)(nil).Error("h", "m")
}

func TestLogIsNotWrittenThroughALink(t *testing.T) {
	dir := t.TempDir()
	link, file := filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	testLog(link, "INFO", "%(message)s").Info("h", "m")
	want(t, "file", readLog(t, file), "")
}

func TestLogRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	l := testLog(path, "INFO", "%(message)s")
	l.max = 6
	for i := range 7 {
		l.Info("h", fmt.Sprint(i)) // two bytes each
	}
	want(t, "the log", readLog(t, path), "6\n")
	want(t, "the one before", readLog(t, path+".1"), "3\n4\n5\n")
}

func TestLogThatCannotBeRotatedIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	if err := os.MkdirAll(path+".1/full", 0o700); err != nil {
		t.Fatal(err)
	}
	l := testLog(path, "INFO", "%(message)s")
	l.max = 6
	for i := range 9 {
		l.Info("h", fmt.Sprint(i))
	}
	want(t, "the log", readLog(t, path), "0\n1\n2\n3\n4\n5\n")
}

const (
	logChildPath  = "BREAKER_TEST_LOG"
	logChildLines = 200
	logChildMax   = 24 << 10
)

// TestLogChild is a child process of the two tests below.
func TestLogChild(t *testing.T) {
	path := os.Getenv(logChildPath)
	if path == "" {
		t.Skip("started by TestLogOfSeveralProcesses")
	}
	l := testLog(path, "INFO", "%(process)d %(message)s")
	l.max = logChildMax
	for i := range logChildLines {
		l.Info("h", fmt.Sprintf("%d %s.", i, strings.Repeat("x", 30)))
	}
}

// Each line of each process appears once and complete, in order, though all of them find the log full at the same time.
func TestLogOfSeveralProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	const processes = 5 // more bytes than one log and fewer than two, so that nothing may be lost
	children := make([]*exec.Cmd, processes)
	outputs := make([]bytes.Buffer, processes)
	for i := range children {
		children[i] = exec.Command(os.Args[0], "-test.run=^TestLogChild$")
		children[i].Env = append(os.Environ(), logChildPath+"="+path)
		children[i].Stdout, children[i].Stderr = &outputs[i], &outputs[i]
		if err := children[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range children {
		if err := c.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, outputs[i].String())
		}
	}
	before := readLog(t, path+".1")
	if len(before) < logChildMax {
		t.Errorf("a log of %d bytes was moved; it was not full", len(before))
	}
	next := map[string]int{}
	for line := range strings.Lines(before + readLog(t, path)) {
		var pid string
		var i int
		var rest string
		if _, err := fmt.Sscanf(line, "%s %d %s\n", &pid, &i, &rest); err != nil || rest != strings.Repeat("x", 30)+"." {
			t.Fatalf("line %q", line)
		}
		if next[pid] != i {
			t.Fatalf("process %s: line %d, want %d", pid, i, next[pid])
		}
		next[pid]++
	}
	want(t, "processes", len(next), processes)
	for pid, n := range next {
		want(t, "lines of "+pid, n, logChildLines)
	}
}
