package guard

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// plantMachine creates a machine with these files, and its places. Files have mode 0644, folders 0755.
func plantMachine(t testing.TB, files ...string) (Places, string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plant(t, root, append(files, "/proc/self/mountinfo")...)
	return Places{ReposDir: root + "/repos", StateDir: root + "/state", ResultsDir: root + "/results", root: root}, root
}

func plant(t testing.TB, root string, files ...string) {
	t.Helper()
	for _, name := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func listed(t testing.TB, places Places) *Files {
	t.Helper()
	f, err := NewFiles(t.Context(), places, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantOpen checks what of a machine may be read, and that no rule covers anything closed.
func wantOpen(t *testing.T, f *Files, root string, want map[string]bool) {
	t.Helper()
	for name, open := range want {
		if got, why := f.Explain(root + name); got != open || why == "" {
			t.Errorf("%s may be read: %v; want %v (%s)", name, got, open, why)
		}
	}
	for path := range f.closed {
		if readable, _ := f.Explain(path); readable {
			t.Errorf("%s is closed and on the list", path)
		}
	}
	for _, rule := range f.rules {
		if real, err := filepath.EvalSymlinks(rule); err != nil || real != rule {
			t.Errorf("%s is on the list and leads to %s (%v)", rule, real, err)
		}
	}
}

// machineTable returns the files of testdata/files.txt with their modes, and which of them may be read.
func machineTable(t *testing.T) (modes map[string]os.FileMode, want map[string]bool) {
	t.Helper()
	f, err := os.Open("testdata/files.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	modes, want = map[string]os.FileMode{}, map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.Fields(lines.Text())
		if len(line) == 0 || line[0] == "#" {
			continue
		}
		mode := uint64(0o644)
		if len(line) == 3 {
			if mode, err = strconv.ParseUint(line[2], 8, 32); err != nil {
				t.Fatal(err)
			}
		}
		if _, twice := want[line[1]]; twice || line[0] != "open" && line[0] != "closed" {
			t.Fatalf("bad line: %s", line)
		}
		modes[line[1]], want[line[1]] = os.FileMode(mode), line[0] == "open"
	}
	return modes, want
}

func TestMachine(t *testing.T) {
	modes, want := machineTable(t)
	places, root := plantMachine(t)
	for name, mode := range modes {
		plant(t, root, name)
		if err := os.Chmod(root+name, mode); err != nil {
			t.Fatal(err)
		}
	}
	wantOpen(t, listed(t, places), root, want)
}

var _ = syscall.Getuid
var _ = slices.Equal[[]int]
var _ = context.Background
