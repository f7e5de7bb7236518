package handoff

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/strict"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(content), 0o600))
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
	same(t, parse(t, text, from), h)
	must(t, os.RemoveAll(path))
	mustNotExist(t, path)
}

func TestSPEC0016_HandoffFileLifecycle_StaleHandoffFileFromPreviousCycle(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, "stale, and not even JSON")
	h := parse(t, fromTier1, 1)
	must(t, Write(path, h, 1))
	got, _, err := Read(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, h.ServicesAffected, got.ServicesAffected)
}

func TestSPEC0016_HandoffFileLifecycle_HandoffFileDeletedOnSupervisorCrashRecovery(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"nothing":         func(string) error { return nil },
		"a handoff":       func(path string) error { return os.WriteFile(path, []byte(fromTier1), 0o600) },
		"a dangling link": func(path string) error { return os.Symlink(path+".nowhere", path) },
		"a named pipe":    func(path string) error { return unix.Mkfifo(path, 0o600) },
		"a directory": func(path string) error {
			return errors.Join(os.MkdirAll(filepath.Join(path, "a", "b"), 0o700), os.WriteFile(filepath.Join(path, "a", "b", "c"), nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			must(t, put(path))
			must(t, os.RemoveAll(path))
			mustNotExist(t, path)
		})
	}
}

func TestRemoveOfALinkLeavesWhatItPointsTo(t *testing.T) {
	dir := t.TempDir()
	path, victim := filepath.Join(dir, FileName), filepath.Join(dir, "victim")
	must(t, os.Mkdir(victim, 0o700))
	write(t, filepath.Join(victim, "kept"), "x")
	must(t, os.Symlink(victim, path))
	must(t, os.RemoveAll(path))
	mustNotExist(t, path)
	got(os.Stat(filepath.Join(victim, "kept")))(t)
}

func TestReadOfNoFile(t *testing.T) {
	_, _, err := Read(filepath.Join(t.TempDir(), FileName), 1)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestReadTakesARegularFileOnly(t *testing.T) {
	const other, long = "handoff.json must be a regular file, not a link, a directory or a pipe", "handoff.json has more than 1048576 bytes"
	for name, tt := range map[string]struct {
		put   func(path string) error
		fault string
	}{
		"link to a good handoff": {func(path string) error {
			return errors.Join(os.WriteFile(path+".real", []byte(fromTier1), 0o600), os.Symlink(path+".real", path))
		}, other},
		"dangling link":     {func(path string) error { return os.Symlink(path+".nowhere", path) }, other},
		"link to itself":    {func(path string) error { return os.Symlink(path, path) }, other},
		"directory":         {func(path string) error { return os.Mkdir(path, 0o700) }, other},
		"named pipe":        {func(path string) error { return unix.Mkfifo(path, 0o600) }, other},
		"link to a device":  {func(path string) error { return os.Symlink("/dev/zero", path) }, other},
		"50 MB":             {func(path string) error { return os.WriteFile(path, make([]byte, 50_000_000), 0o600) }, long},
		"one byte too many": {func(path string) error { return os.WriteFile(path, make([]byte, MaxBytes+1), 0o600) }, long},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			must(t, tt.put(path))
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
	_, _, err := Read(filepath.Join(path, FileName), 1) // below a regular file: ENOTDIR
	var invalid *strict.InvalidError
	if err == nil || errors.As(err, &invalid) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestWriteOfAnInvalidHandoffLeavesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	write(t, path, fromTier1)
	h := parse(t, fromTier1, 1)
	wantFaults(t, Write(path, h, 2),
		"recommended_tier: 2; must be 3, the tier after Tier 2",
		"investigation_findings: missing; must be a non-empty string: what the root cause is, as far as it was found",
		"remediation_attempted: missing; must be a non-empty string: what was tried and why it failed")
	var invalid *strict.InvalidError
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
