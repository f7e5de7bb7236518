package statedir_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/claudeops/claudeops/internal/statedir"
)

func TestARequestForACycleIsTakenOnce(t *testing.T) {
	dir := t.TempDir()
	took := func(want string) {
		t.Helper()
		if got, err := statedir.TakeWake(dir); got != want || err != nil {
			t.Errorf("took %q, %v; want %q", got, err, want)
		}
	}
	took("")
	must(t, statedir.Wake(dir, "alert"))
	must(t, statedir.Wake(dir, "approval"))
	is, err := os.Stat(filepath.Join(dir, "wake"))
	must(t, err)
	if is.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v", is.Mode())
	}
	took("approval")
	took("")
}

func TestOnlyKnownTriggersWake(t *testing.T) {
	dir := t.TempDir()
	for _, trigger := range []string{"", "cron", "escalation", "alert\n"} {
		if err := statedir.Wake(dir, trigger); err == nil {
			t.Errorf("%q was taken", trigger)
		}
	}
	for name, put := range map[string]func(path string) error{
		"empty":          func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"another word":   func(path string) error { return os.WriteFile(path, []byte("--strict"), 0o600) },
		"a large file":   func(path string) error { return os.WriteFile(path, make([]byte, 1<<16), 0o600) },
		"a link":         func(path string) error { return os.Symlink("/etc/passwd", path) },
		"a full folder":  func(path string) error { return os.MkdirAll(filepath.Join(path, "x"), 0o700) },
		"an absent file": func(path string) error { return os.Symlink("/nowhere", path) },
	} {
		must(t, put(filepath.Join(dir, "wake")))
		if got, err := statedir.TakeWake(dir); got != "manual" || err != nil {
			t.Errorf("%s: took %q, %v", name, got, err)
		}
		if got, err := statedir.TakeWake(dir); got != "" || err != nil {
			t.Errorf("%s: took %q, %v a second time", name, got, err)
		}
	}
}
