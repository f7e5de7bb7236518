package settings_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/hooks/settings"
)

var noon = time.Date(2026, 2, 16, 12, 0, 0, 0, time.UTC)

func TestWriteKeepsModeOwnerAndLinks(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("dotfiles/real.json"), "old", 0o640)
	if err := errors.Join(os.Symlink("dotfiles/real.json", at("second")), os.Symlink("second", at("settings.json"))); err != nil {
		t.Fatal(err)
	}
	owned := os.Geteuid() == 0
	if owned {
		if err := os.Chown(at("dotfiles/real.json"), 1234, 2345); err != nil {
			t.Fatal(err)
		}
	}
	var backups []string
	for _, content := range []string{"new", "newer"} {
		backup, err := open(t, at("settings.json")).Write([]byte(content), noon)
		if err != nil {
			t.Fatal(err)
		}
		backups = append(backups, backup)
	}
	for path, want := range map[string]string{
		at("dotfiles/real.json"): "newer", backups[0]: "old", backups[1]: "new",
	} {
		text, err := os.ReadFile(path)
		is, serr := os.Lstat(path)
		if err := errors.Join(err, serr); err != nil {
			t.Fatal(err)
		}
		if string(text) != want || is.Mode() != 0o640 {
			t.Errorf("%s: %q, mode %v", path, text, is.Mode())
		}
		if owner, ok := is.Sys().(*syscall.Stat_t); owned && (!ok || owner.Uid != 1234 || owner.Gid != 2345) {
			t.Errorf("%s: owner %d:%d", path, owner.Uid, owner.Gid)
		}
	}
	if backups[0] != at("settings.json.backup-20260216T120000Z") || backups[1] != backups[0]+"-2" {
		t.Errorf("backups %q", backups)
	}
	for _, link := range []string{"second", "settings.json"} {
		if is, err := os.Lstat(at(link)); err != nil || is.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", link, is, err)
		}
	}
}

func TestWriteRefusesWhatWasChangedMeanwhile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	write(t, path, "old", 0o600)
	f := open(t, path)
	write(t, path, "somebody else's", 0o600)
	if _, err := f.Write([]byte("new"), noon); !errors.Is(err, settings.ErrChanged) {
		t.Errorf("error %v, want ErrChanged", err)
	}
	missing := open(t, filepath.Join(dir, "new", "settings.json"))
	if !missing.Missing {
		t.Error("what does not exist is not missing")
	}
	write(t, missing.Path, "somebody else's", 0o600)
	if _, err := missing.Write([]byte("new"), noon); !errors.Is(err, settings.ErrChanged) {
		t.Errorf("missing: error %v, want ErrChanged", err)
	}
	for _, path := range []string{path, missing.Path} {
		if text, err := os.ReadFile(path); string(text) != "somebody else's" || err != nil {
			t.Errorf("%s: %q, %v", path, text, err)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) > 2 {
			t.Errorf("left behind: %v, %v", entries, err)
		}
	}
}

func TestWriteMakesWhatWasMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "settings.json")
	backup, err := open(t, path).Write([]byte("{}"), noon)
	if err != nil || backup != "" {
		t.Fatalf("backup %q, %v", backup, err)
	}
	if text, err := os.ReadFile(path); string(text) != "{}" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	err := errors.Join(os.Symlink("nowhere", at("dangling")), os.Symlink("loop", at("loop")), syscall.Mkfifo(at("pipe"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"dangling": "leads nowhere", "loop": "too many links", "pipe": "not a regular file", ".": "not a regular file",
	} {
		if _, err := settings.Open(at(name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func open(t *testing.T, path string) *settings.File {
	t.Helper()
	f, err := settings.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
