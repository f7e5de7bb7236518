package handoff

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mustNotExist(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is there: %v", path, err)
	}
}

func TestSPEC0016_HandoffFileLifecycle_SupervisorReadsAndDeletesHandoffAfterTier1(t *testing.T) {
	readAndRemove(t, fromTier1, 1)
}

func TestSPEC0016_HandoffFileLifecycle_SupervisorReadsAndDeletesHandoffAfterTier2(t *testing.T) {
	readAndRemove(t, fromTier2, 2)
}

func readAndRemove(t *testing.T, text string, from int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, text)
	h, raw, err := Read(path, from)
	if err != nil {
		t.Fatal(err)
	}
	if string(raw) != text {
		t.Errorf("raw is %s", raw)
	}
	want, err := Parse([]byte(text), from)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Error(diff)
	}
	if err := Remove(path); err != nil {
		t.Fatal(err)
	}
	mustNotExist(t, path)
}

func TestSPEC0016_HandoffFileLifecycle_StaleHandoffFileFromPreviousCycle(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, "stale, and not even JSON")
	h, err := Parse([]byte(fromTier1), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(path, h, 1); err != nil {
		t.Fatal(err)
	}
	got, _, err := Read(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(h.ServicesAffected, got.ServicesAffected); diff != "" {
		t.Error(diff)
	}
}

func TestSPEC0016_HandoffFileLifecycle_HandoffFileDeletedOnSupervisorCrashRecovery(t *testing.T) {
	for name, put := range map[string]func(t *testing.T, path string){
		"nothing":         func(*testing.T, string) {},
		"a handoff":       func(t *testing.T, path string) { write(t, path, fromTier1) },
		"a dangling link": func(t *testing.T, path string) { symlink(t, path+".nowhere", path) },
		"a named pipe":    func(t *testing.T, path string) { fifo(t, path) },
		"a directory": func(t *testing.T, path string) {
			if err := os.MkdirAll(filepath.Join(path, "a", "b"), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(path, "a", "b", "c"), "x")
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			put(t, path)
			if err := Remove(path); err != nil {
				t.Fatal(err)
			}
			mustNotExist(t, path)
		})
	}
}

func TestRemoveOfALinkLeavesWhatItPointsTo(t *testing.T) {
	dir := t.TempDir()
	path, victim := filepath.Join(dir, FileName), filepath.Join(dir, "victim")
	if err := os.Mkdir(victim, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(victim, "kept"), "x")
	symlink(t, victim, path)
	if err := Remove(path); err != nil {
		t.Fatal(err)
	}
	mustNotExist(t, path)
	if _, err := os.Stat(filepath.Join(victim, "kept")); err != nil {
		t.Error(err)
	}
}

func TestRemoveTakesOnlyAHandoffFile(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "cooldown.json"), ""} {
		if err := Remove(path); err == nil {
			t.Errorf("%q was removed", path)
		}
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

func TestReadOfNoFile(t *testing.T) {
	_, _, err := Read(filepath.Join(t.TempDir(), FileName), 1)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestReadTakesARegularFileOnly(t *testing.T) {
	for name, tt := range map[string]struct {
		put   func(t *testing.T, path string)
		fault string
	}{
		"link to a good handoff": {func(t *testing.T, path string) {
			write(t, path+".real", fromTier1)
			symlink(t, path+".real", path)
		}, "handoff.json is a symbolic link; must be a regular file"},
		"dangling link":  {func(t *testing.T, path string) { symlink(t, path+".nowhere", path) }, "handoff.json is a symbolic link; must be a regular file"},
		"link to itself": {func(t *testing.T, path string) { symlink(t, path, path) }, "handoff.json is a symbolic link; must be a regular file"},
		"directory": {func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "handoff.json is a directory; must be a regular file"},
		"named pipe":       {func(t *testing.T, path string) { fifo(t, path) }, "handoff.json is a named pipe; must be a regular file"},
		"link to a device": {func(t *testing.T, path string) { symlink(t, "/dev/zero", path) }, "handoff.json is a symbolic link; must be a regular file"},
		"50 MB": {func(t *testing.T, path string) {
			write(t, path, "")
			if err := os.Truncate(path, 50_000_000); err != nil {
				t.Fatal(err)
			}
		}, "50000000 bytes; a handoff has at most 1048576"},
		"one byte too many": {func(t *testing.T, path string) {
			write(t, path, fromTier1+strings.Repeat(" ", MaxBytes-len(fromTier1)+1))
		}, "1048577 bytes; a handoff has at most 1048576"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			tt.put(t, path)
			_, raw, err := Read(path, 1)
			wantFaults(t, err, tt.fault)
			if raw != nil {
				t.Errorf("%d bytes were read", len(raw))
			}
		})
	}
}

func TestReadTakesAFileOfMaxBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, fromTier1+strings.Repeat(" ", MaxBytes-len(fromTier1)))
	if _, _, err := Read(path, 1); err != nil {
		t.Error(err)
	}
}

func TestReadReturnsWhatItCouldNotTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, "{\"a\xff")
	_, raw, err := Read(path, 1)
	wantFaults(t, err, "line 1, column 4: byte 0xff is not UTF-8")
	if !bytes.Equal(raw, []byte("{\"a\xff")) {
		t.Errorf("raw is %q", raw)
	}
}

func TestReadErrorIsNotAFaultOfTheHandoff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "x")
	_, _, err := Read(filepath.Join(path, FileName), 1) // below a file: ENOTDIR
	var invalid *InvalidError
	if err == nil || errors.As(err, &invalid) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestWriteOfAnInvalidHandoffLeavesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, fromTier1)
	h, err := Parse([]byte(fromTier1), 1)
	if err != nil {
		t.Fatal(err)
	}
	err = Write(path, h, 2)
	wantFaults(t, err,
		"recommended_tier: 2; must be 3, the tier after Tier 2",
		"investigation_findings: missing; must be a non-empty string: what the root cause is, as far as it was found",
		"remediation_attempted: missing; must be a non-empty string: what was tried and why it failed")
	var invalid *InvalidError
	if err := Write(path, Handoff{}, 1); !errors.As(err, &invalid) {
		t.Errorf("got %v", err)
	}
	h.InvestigationFindings = "\xff"
	if err := Write(path, h, 1); !errors.As(err, &invalid) {
		t.Errorf("got %v", err)
	}
	if _, raw, err := Read(path, 1); err != nil || string(raw) != fromTier1 {
		t.Errorf("%v\n%s", err, raw)
	}
}

func symlink(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func fifo(t *testing.T, path string) {
	t.Helper()
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
