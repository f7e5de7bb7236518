package statedir_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/internal/statedir"
)

func TestRewrite(t *testing.T) {
	for _, tc := range []struct {
		name     string
		prepare  func(t *testing.T, path string)
		wantMode fs.FileMode
	}{
		{"new file", func(*testing.T, string) {}, 0o600},
		{"keeps the mode", func(t *testing.T, path string) { write(t, path, "old", 0o640) }, 0o640},
		{"replaces a link, not what it leads to", func(t *testing.T, path string) {
			write(t, path+".target", "old", 0o644)
			must(t, os.Symlink(path+".target", path))
		}, 0o600},
		{"after one that was killed", func(t *testing.T, path string) { write(t, path+".new", "longer than what is written", 0o644) }, 0o600},
		{"a link has the name of the new one", func(t *testing.T, path string) {
			write(t, path+".target", "old", 0o644)
			must(t, os.Symlink(path+".target", path+".new"))
		}, 0o600},
	} {
		for _, durable := range []bool{false, true} {
			t.Run(tc.name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "state.json")
				tc.prepare(t, path)
				must(t, statedir.Rewrite(path, 0o600, durable, []byte("n"), nil, []byte("ew")))
				wantContent(t, path, "new")
				is, err := os.Lstat(path)
				must(t, err)
				if is.Mode() != tc.wantMode {
					t.Errorf("mode %v, want %v", is.Mode(), tc.wantMode)
				}
				if _, err := os.Stat(path + ".target"); err == nil {
					wantContent(t, path+".target", "old")
				}
				wantNoNew(t, path)
			})
		}
	}
}

func TestRewriteFails(t *testing.T) {
	err := statedir.Rewrite(filepath.Join(t.TempDir(), "none", "f"), 0o600, false)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: error %v, want fs.ErrNotExist", err)
	}
	path := filepath.Join(t.TempDir(), "f")
	must(t, os.Mkdir(path, 0o700))
	if err := statedir.Rewrite(path, 0o600, true, []byte("x")); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a directory has the name: error %v, want one that names %s", err, path)
	}
	wantNoNew(t, path)

	path = filepath.Join(t.TempDir(), "f")
	must(t, statedir.Rewrite(path, 0o600, false, []byte("old and whole")))
	if out := child(t, "full-disk-rewrite", path); !strings.Contains(out, "file too large") {
		t.Errorf("the write past the limit said %q, want EFBIG", out)
	}
	wantContent(t, path, "old and whole")
	wantNoNew(t, path)
}

func TestRewriteKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files to another user")
	}
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "old", 0o600)
	must(t, os.Chown(path, 1234, 2345))
	must(t, statedir.Rewrite(path, 0o600, false, []byte("new")))
	is, err := os.Lstat(path)
	must(t, err)
	if st, ok := is.Sys().(*syscall.Stat_t); !ok || st.Uid != 1234 || st.Gid != 2345 {
		t.Errorf("owner %+v, want 1234:2345", is.Sys())
	}
}

func wantNoNew(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left behind: %s.new, %v", path, err)
	}
}
