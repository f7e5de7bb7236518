package shim

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// listen creates a socket in a directory whose path is longer than a socket address.
func listen(t *testing.T) (net.Listener, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 40))
	must(t, os.Mkdir(dir, 0o700))
	t.Chdir(dir)
	l, err := net.Listen("unix", "door")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	return l, filepath.Join(dir, "door")
}

func TestRelayCopiesBothWaysUntilTheProgramEnds(t *testing.T) {
	l, path := listen(t)
	want := strings.Repeat("a line of the program\n", 100_000)
	got := make(chan string, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		io.WriteString(conn, "hello\n")
		text := make([]byte, len(want))
		n, _ := io.ReadFull(conn, text)
		got <- string(text[:n])
	}()
	in, program := io.Pipe()
	out, answer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- relay(path, in, answer) }()
	said := make([]byte, len("hello\n"))
	if _, err := io.ReadFull(out, said); err != nil || string(said) != "hello\n" {
		t.Errorf("the program read %q, %v", said, err)
	}
	io.WriteString(program, want)
	if text := <-got; text != want {
		t.Errorf("the cycle read %d bytes, want %d", len(text), len(want))
	}
	must(t, program.Close())
	if err := <-ended; err != nil {
		t.Errorf("the program ended: %v", err)
	}
}

// What the cycle wrote before it ended arrives.
func TestRelayEndsWithTheCycle(t *testing.T) {
	l, path := listen(t)
	want := strings.Repeat("x", 1<<20)
	go func() {
		if conn, err := l.Accept(); err == nil {
			io.WriteString(conn, want)
			conn.Close()
		}
	}()
	in, program := io.Pipe()
	defer program.Close()
	var out bytes.Buffer
	if err := relay(path, in, &out); err == nil || out.String() != want {
		t.Errorf("error %v after %d bytes, want one after %d", err, out.Len(), len(want))
	}
}

func TestRelayWithoutACycle(t *testing.T) {
	l, path := listen(t)
	must(t, l.Close())
	for name, at := range map[string]string{"no socket": path, "no folder": filepath.Join(path, "none", "door"), "a folder": filepath.Dir(path)} {
		err := relay(at, strings.NewReader("x"), io.Discard)
		var errno syscall.Errno
		if !errors.As(err, &errno) || !strings.Contains(err.Error(), at) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line that names %s", name, err, at)
		}
	}
}

func TestMainRefusesWhatIsNoRole(t *testing.T) {
	for _, argv := range [][]string{{Name}, {Name, "relay"}, {Name, "relay", "a", "b"}, {Name, "other", "x"}, {}} {
		if code := Main(argv); code != 2 {
			t.Errorf("%q: exit %d, want 2", argv, code)
		}
	}
	if code := Main([]string{Name, "relay", filepath.Join(t.TempDir(), "none")}); code != 1 {
		t.Errorf("exit %d without a listener, want 1", code)
	}
}
