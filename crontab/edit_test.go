package crontab

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/testkit/need"
)

var noon = time.Date(2026, 2, 16, 12, 0, 0, 0, time.UTC)

// shared is a file that also holds lines of the operator.
func shared(path string) filePlace {
	return filePlace{File: File{Path: path, Mode: 0o644, Marks: Hash}}
}

// put installs block in the file, and returns what was backed up where.
func put(t *testing.T, path, block string, own bool) (edit, []string, error) {
	t.Helper()
	place := shared(path)
	place.whole = own
	e, err := putBlock(context.Background(), place, block)
	if err != nil {
		return e, nil, err
	}
	kept, err := apply(context.Background(), []edit{e}, filepath.Join(filepath.Dir(path), "backups"), noon)
	return e, kept, err
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestInstalledTwiceChangesNothingTheSecondTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claudeops")
	if e, kept, err := put(t, path, own, false); err != nil || !e.changes() || kept[0] != "" {
		t.Fatalf("the first time: %v, %q, %v", e.changes(), kept, err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if e, kept, err := put(t, path, own, false); err != nil || e.changes() || kept[0] != "" || e.diff() != "" {
		t.Errorf("the second time: %v, %q, %v, %s", e.changes(), kept, err, e.diff())
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("it was written again (%v)", err)
	}
}

func TestWhatWasThereIsKeptForItsUserAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claudeops")
	var backups []string
	for _, block := range []string{own, "changed\n", own} {
		_, kept, err := put(t, path, block, false)
		if err != nil {
			t.Fatal(err)
		}
		backups = append(backups, kept...)
	}
	for i, want := range map[int]string{1: begin + own + end, 2: begin + "changed\n" + end} {
		is, err := os.Stat(backups[i])
		if err != nil || is.Mode().Perm() != 0o600 || content(t, backups[i]) != want {
			t.Errorf("%s: %v, %v", backups[i], is, err)
		}
	}
	if !strings.HasSuffix(backups[1], "-claudeops.20260216T120000Z") || backups[2] != backups[1]+"-2" {
		t.Errorf("names %q", backups)
	}
}

func TestAModeWithWhichCronIgnoresTheFileIsMended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claudeops")
	for range 2 {
		if _, _, err := put(t, path, own, false); err != nil {
			t.Fatal(err)
		}
		is, err := os.Stat(path)
		if err != nil || is.Mode().Perm() != 0o644 {
			t.Errorf("mode %v, %v", is.Mode(), err)
		}
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAFileIsRemovedOnlyWithNothingElseInIt(t *testing.T) {
	for text, want := range map[string]string{begin + own + end: "", "# mine\n" + begin + own + end: "# mine\n"} {
		path := filepath.Join(t.TempDir(), "claudeops")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		e, err := takeBlock(context.Background(), shared(path))
		if err != nil || e.block == "" || !e.changes() {
			t.Fatalf("%+v, %v", e, err)
		}
		if _, err := apply(context.Background(), []edit{e}, filepath.Join(t.TempDir(), "b"), noon); err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadFile(path); string(left) != want || (err == nil) != (want != "") {
			t.Errorf("%q left, %v; want %q", left, err, want)
		}
	}
}

func TestFilesThatAreNotOursAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("unit"), []byte("[Unit]\n"), 0o644), os.Symlink("/dev/null", at("masked")), os.Mkdir(at("folder"), 0o755),
		os.WriteFile(at("huge"), make([]byte, maxText+1), 0o644)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"unit": "somebody else wrote it", "masked": "is a symbolic link (to /dev/null)", "folder": "is no regular file", "huge": "at most",
	} {
		if _, _, err := put(t, at(name), own, true); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), at(name)) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
	if _, err := os.Stat(at("backups")); err == nil {
		t.Error("something was kept, though nothing was changed")
	}
}

func TestWhatSomebodyChangedMeanwhileIsNotOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claudeops")
	if err := os.WriteFile(path, []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := putBlock(context.Background(), shared(path), own)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("two\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := apply(context.Background(), []edit{e}, t.TempDir(), noon); !errors.Is(err, errChanged) || content(t, path) != "two\n" {
		t.Errorf("%v, and %q is there", err, content(t, path))
	}
}

func TestOnAFaultOfOneFileAllAreAsTheyWere(t *testing.T) {
	dir := t.TempDir()
	first, second, third := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "none", "c")
	if err := os.WriteFile(first, []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var edits []edit
	for _, path := range []string{first, second, third} {
		e, err := putBlock(context.Background(), shared(path), own)
		if err != nil {
			t.Fatal(err)
		}
		edits = append(edits, e)
	}
	if _, err := apply(context.Background(), edits, filepath.Join(dir, "backups"), noon); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(second); !errors.Is(err, os.ErrNotExist) || content(t, first) != "one\n" {
		t.Errorf("half written: %q, %v", content(t, first), err)
	}
}

// smallDisk creates a file system of the given size in bytes.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("a disk can be made by root alone: run the tests as root, as .ci/run does")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestAFullDiskChangesNothing(t *testing.T) {
	need.Full(t, "root")
	large := strings.Repeat("# a long block\n", 4000)
	for name, lay := range map[string]func(disk, elsewhere string) (path, text, backups string){
		"of the file": func(disk, elsewhere string) (path, text, backups string) {
			return filepath.Join(disk, "claudeops"), "mine\n", elsewhere
		},
		"of the backups": func(disk, elsewhere string) (path, text, backups string) {
			return filepath.Join(elsewhere, "claudeops"), "mine\n" + large, filepath.Join(disk, "b")
		},
	} {
		t.Run(name, func(t *testing.T) {
			disk := smallDisk(t, "16k")
			path, text, backups := lay(disk, t.TempDir())
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			e, err := putBlock(context.Background(), shared(path), large)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := apply(context.Background(), []edit{e}, backups, noon); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("error %v, want that the disk is full", err)
			}
			if content(t, path) != text {
				t.Error("the file was changed")
			}
			entries, err := os.ReadDir(filepath.Dir(path))
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range entries {
				if strings.HasPrefix(entry.Name(), ".") {
					t.Errorf("%s was left behind", entry.Name())
				}
			}
			if left, err := filepath.Glob(filepath.Join(disk, "b", "*")); err != nil || len(left) > 0 {
				t.Errorf("%q was left, %v", left, err)
			}
		})
	}
}
