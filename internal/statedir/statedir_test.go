package statedir_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

// writers are the two functions that replace the content of a file.
var writers = map[string]func(path string, data []byte) error{"replace": statedir.Replace, "rewrite": statedir.Rewrite}

func TestReplaceAndRewrite(t *testing.T) {
	for _, tc := range []struct {
		name     string
		prepare  func(t *testing.T, path string)
		wantMode fs.FileMode
	}{
		{"new file", func(*testing.T, string) {}, 0o600},
		{"keeps the mode", func(t *testing.T, path string) { write(t, path, "old", 0o640) }, 0o640},
		{"keeps a mode that is not writable", func(t *testing.T, path string) { write(t, path, "old", 0o400) }, 0o400},
		{"replaces a link, not what it leads to", func(t *testing.T, path string) {
			write(t, path+".target", "old", 0o600)
			must(t, os.Symlink(path+".target", path))
		}, 0o600},
	} {
		for do, writer := range writers {
			t.Run(do+": "+tc.name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "state.json")
				tc.prepare(t, path)
				must(t, writer(path, []byte("new")))
				wantContent(t, path, "new")
				is, err := os.Lstat(path)
				must(t, err)
				if is.Mode() != tc.wantMode {
					t.Errorf("mode %v, want %v", is.Mode(), tc.wantMode)
				}
				if _, err := os.Stat(path + ".target"); err == nil {
					wantContent(t, path+".target", "old")
				}
				wantNoTemporaries(t, filepath.Dir(path))
			})
		}
	}
}

func TestReplaceAndRewriteFail(t *testing.T) {
	for do, writer := range writers {
		t.Run(do, func(t *testing.T) {
			if err := writer(filepath.Join(t.TempDir(), "none", "f"), nil); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("no directory: error %v, want fs.ErrNotExist", err)
			}
			path := filepath.Join(t.TempDir(), "f")
			must(t, os.Mkdir(path, 0o700))
			if err := writer(path, nil); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("a directory has the name: error %v, want one that names %s", err, path)
			}
			wantNoTemporaries(t, filepath.Dir(path))

			path = filepath.Join(t.TempDir(), "f")
			must(t, writer(path, []byte("old and whole")))
			if out := child(t, "full disk: "+do, path); !strings.Contains(out, "file too large") {
				t.Errorf("the write past the limit said %q, want EFBIG", out)
			}
			wantContent(t, path, "old and whole")
			wantNoTemporaries(t, filepath.Dir(path))
		})
	}
}

func TestCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	created, err := statedir.Create(path, []byte("first"))
	must(t, err)
	again, err := statedir.Create(path, []byte("second"))
	must(t, err)
	if !created || again {
		t.Errorf("created %v and then %v, want true and then false", created, again)
	}
	wantContent(t, path, "first")
	wantNoTemporaries(t, filepath.Dir(path))

	dangling := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink("nowhere", dangling))
	if created, err := statedir.Create(dangling, nil); created || err != nil {
		t.Errorf("over a dangling link: created %v, error %v; want false and none", created, err)
	}
}

func TestCreateHasOneWinner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	var wg sync.WaitGroup
	winners := make(chan string, 20)
	for i := range 20 {
		wg.Go(func() {
			content := fmt.Sprint("from ", i)
			if created, err := statedir.Create(path, []byte(content)); err != nil {
				t.Error(err)
			} else if created {
				winners <- content
			}
		})
	}
	wg.Wait()
	if len(winners) != 1 {
		t.Fatalf("%d made the file, want 1", len(winners))
	}
	wantContent(t, path, <-winners)
}

func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	link := filepath.Join(dir, "link")
	must(t, os.Symlink(path, link))
	if _, err := statedir.OpenFile(link, os.O_WRONLY|os.O_CREATE, 0o600); !errors.Is(err, statedir.ErrNotRegular) {
		t.Errorf("dangling link: error %v, want ErrNotRegular", err)
	}
	write(t, path, "content", 0o600)
	if _, err := statedir.OpenFile(link, os.O_RDONLY, 0); !errors.Is(err, statedir.ErrNotRegular) {
		t.Errorf("link: error %v, want ErrNotRegular", err)
	}
	if _, err := statedir.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("O_EXCL: error %v, want fs.ErrExist", err)
	}
	f, err := statedir.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	must(t, err)
	_, err = f.WriteString(", more")
	must(t, errors.Join(err, f.Close()))
	wantContent(t, path, "content, more")
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("empty"), "", 0o600)
	write(t, at("ten"), "0123456789", 0o600)
	must(t, os.Symlink(at("ten"), at("link")))
	must(t, os.Mkdir(at("dir"), 0o700))
	must(t, syscall.Mkfifo(at("fifo"), 0o600))
	for _, tc := range []struct {
		name string
		max  int64
		want string
		err  error
	}{
		{"empty", 0, "", nil},
		{"ten", 10, "0123456789", nil},
		{"ten", 9, "", statedir.ErrTooLarge},
		{"none", 10, "", fs.ErrNotExist},
		{"link", 10, "", statedir.ErrNotRegular},
		{"dir", 1 << 20, "", statedir.ErrNotRegular},
		{"fifo", 10, "", statedir.ErrNotRegular},
	} {
		t.Run(fmt.Sprintf("%s at most %d", tc.name, tc.max), func(t *testing.T) {
			b, err := statedir.ReadFile(at(tc.name), tc.max)
			if !errors.Is(err, tc.err) || string(b) != tc.want {
				t.Errorf("got %q, %v; want %q, %v", b, err, tc.want, tc.err)
			}
			if err != nil && !strings.Contains(err.Error(), at(tc.name)) {
				t.Errorf("error %q does not name the file", err)
			}
		})
	}
	if _, err := statedir.ReadFile("/dev/zero", 10); !errors.Is(err, statedir.ErrNotRegular) {
		t.Errorf("a device: error %v, want ErrNotRegular", err)
	}
}

func TestMkdir(t *testing.T) {
	dir := t.TempDir()
	must(t, statedir.Mkdir(filepath.Join(dir, "a"), 0o700))
	must(t, statedir.Mkdir(filepath.Join(dir, "a"), 0o700))
	is, err := os.Stat(filepath.Join(dir, "a"))
	must(t, err)
	if is.Mode() != fs.ModeDir|0o700 {
		t.Errorf("mode %v, want drwx------", is.Mode())
	}
	write(t, filepath.Join(dir, "f"), "", 0o600)
	if err := statedir.Mkdir(filepath.Join(dir, "f"), 0o700); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: error %v, want fs.ErrExist", err)
	}
	if err := statedir.Mkdir(filepath.Join(dir, "none", "b"), 0o700); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("two levels: error %v, want fs.ErrNotExist", err)
	}
}

// Mode and owner are what was asked for, whatever was there and whatever the umask is.
func TestAccessIsWhatIsAskedFor(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	at := func(name string) string { return filepath.Join(t.TempDir(), name) }
	mine := statedir.Access{Mode: 0o640, UID: -1, GID: -1}
	for name, prepare := range map[string]func(path string){
		"new": func(string) {}, "open": func(path string) { write(t, path, "old", 0o644); must(t, os.Chmod(path, 0o644)) },
		"link": func(path string) { must(t, os.Symlink("/etc/passwd", path)) },
	} {
		path := at(name)
		prepare(path)
		must(t, statedir.ReplaceAs(path, []byte("new"), mine))
		wantContent(t, path, "new")
		if is, err := os.Lstat(path); err != nil || is.Mode() != 0o640 {
			t.Errorf("%s: mode %v, %v; want -rw-r-----", name, is.Mode(), err)
		}
	}
	dir := at("dir")
	for _, want := range []bool{true, false} {
		if made, err := statedir.MkdirAs(dir, statedir.Access{Mode: 0o755, UID: -1, GID: -1}); made != want || err != nil {
			t.Errorf("made %v, %v; want %v", made, err, want)
		}
	}
	if is, err := os.Stat(dir); err != nil || is.Mode().Perm() != 0o755 {
		t.Errorf("mode %v, %v; want rwxr-xr-x", is.Mode(), err)
	}
	if os.Geteuid() != 0 {
		mine.UID = 0
		path := at("given")
		if err := statedir.ReplaceAs(path, nil, mine); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("given to root: %v, want fs.ErrPermission", err)
		}
		wantNoTemporaries(t, filepath.Dir(path))
		return
	}
	given := statedir.Access{Mode: 0o600, UID: 1234, GID: 2345}
	file, folder := at("file"), at("folder")
	must(t, statedir.ReplaceAs(file, nil, given))
	_, err := statedir.MkdirAs(folder, given)
	must(t, err)
	for _, path := range []string{file, folder} {
		is, err := os.Stat(path)
		must(t, err)
		if got := statedir.AccessOf(is); got != given {
			t.Errorf("%s: %+v, want %+v", path, got, given)
		}
	}
}

func TestOwnerIsTheDirectorys(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files to another user")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.Chown(dir, 1234, 2345))
	must(t, statedir.Replace(at("replaced"), nil))
	_, err := statedir.Create(at("created"), nil)
	must(t, err)
	must(t, statedir.Mkdir(at("made"), 0o700))
	f, err := statedir.OpenFile(at("opened"), os.O_WRONLY|os.O_CREATE, 0o600)
	must(t, err)
	must(t, f.Close())
	l, err := statedir.TryAcquire(at("lock"))
	must(t, err)
	must(t, l.Release())
	write(t, at("kept"), "", 0o600)
	must(t, os.Chown(at("kept"), 3456, 4567))
	must(t, statedir.Replace(at("kept"), nil))
	write(t, at("rewritten"), "", 0o600)
	must(t, os.Chown(at("rewritten"), 3456, 4567))
	must(t, statedir.Rewrite(at("rewritten"), nil))
	for name, want := range map[string][2]uint32{
		"rewritten": {3456, 4567}, "replaced": {1234, 2345}, "created": {1234, 2345}, "made": {1234, 2345}, "opened": {1234, 2345}, "lock": {1234, 2345}, "kept": {3456, 4567},
	} {
		is, err := os.Lstat(at(name))
		must(t, err)
		st, ok := is.Sys().(*syscall.Stat_t)
		if !ok || [2]uint32{st.Uid, st.Gid} != want {
			t.Errorf("%s: owner %d:%d, want %v", name, st.Uid, st.Gid, want)
		}
	}
}

func TestOtherUserReplaces(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root becomes another user")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	must(t, os.Chmod(dir, 0o777))
	write(t, path, "old", 0o660)
	must(t, os.Chmod(filepath.Dir(dir), 0o755)) // t.TempDir is only accessible to its owner
	out := child(t, "replace-as-nobody", path)
	if out != "done" {
		t.Fatalf("as another user: %s", out)
	}
	wantContent(t, path, "new")
	must(t, os.Chmod(dir, 0o555))
	out = child(t, "replace-as-nobody", path)
	if !strings.Contains(out, "permission denied") {
		t.Errorf("in a directory that may not be written: %q, want permission denied", out)
	}
}

func TestRemoveTemporaries(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 2, 16, 10, 0, 0, 0, time.UTC)
	ages := map[string]time.Duration{
		".cooldown.json1234567890123456789": 11 * time.Minute,
		".handoff.json9876543210987654":     10 * time.Minute,
		".cooldown.json2234567890123456789": 9 * time.Minute,
		".hidden20260216100000":             time.Hour,
		"cooldown.json":                     time.Hour,
		"1234567890123456789":               time.Hour,
		".1234567890123456789":              time.Hour,
	}
	for name, age := range ages {
		write(t, filepath.Join(dir, name), "", 0o600)
		must(t, os.Chtimes(filepath.Join(dir, name), now, now.Add(-age)))
	}
	for _, begin := range []string{"cooldown", ""} {
		must(t, statedir.RemoveTemporaries(dir, begin, now))
		for name := range ages {
			_, err := os.Stat(filepath.Join(dir, name))
			gone := errors.Is(err, fs.ErrNotExist)
			if want := strings.Contains(name, "json1") || strings.Contains(name, "json9") && begin == ""; gone != want {
				t.Errorf("%s: gone %v, want %v", name, gone, want)
			}
		}
	}
}

// TestMain lets the test binary act as another process.
func TestMain(m *testing.M) {
	if do := os.Getenv("STATEDIR_TEST_DO"); do != "" {
		if err := act(do, os.Getenv("STATEDIR_TEST_PATH")); err != nil {
			fmt.Print(err)
			os.Exit(1)
		}
		fmt.Print("done")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func act(do, path string) error {
	switch do {
	case "replace-as-nobody":
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
			return err
		}
		return statedir.Replace(path, []byte("new"))
	case "lock":
		_, err := statedir.TryAcquire(path)
		return err
	}
	if writer := writers[strings.TrimPrefix(do, "full disk: ")]; writer != nil {
		err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 10, Max: 1 << 10})
		return errors.Join(err, writer(path, make([]byte, 1<<20)))
	}
	return fmt.Errorf("what is %q?", do)
}

func child(t *testing.T, do, path string) string {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), "STATEDIR_TEST_DO="+do, "STATEDIR_TEST_PATH="+path)
	out, err := cmd.Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return string(out)
}

func write(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(content), mode))
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || string(b) != want {
		t.Errorf("%s: %q, %v; want %q", path, b, err, want)
	}
}

func wantNoTemporaries(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, ".*[0-9]"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
