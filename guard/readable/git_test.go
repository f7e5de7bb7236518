package readable

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a git repository for tests.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T, dir string) repository {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r := repository{t, dir}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "HOME=/nonexistent", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// commit writes files, removes those with empty text, and commits everything.
func (r repository) commit(files map[string]string) {
	r.t.Helper()
	for name, text := range files {
		if text != "" {
			plant(r.t, r.dir, map[string]string{name: text})
		} else if err := os.Remove(filepath.Join(r.dir, name)); err != nil {
			r.t.Fatal(err)
		}
	}
	r.git("add", "-A", "-f")
	r.git("commit", "-q", "-m", "change")
}

func TestHistories(t *testing.T) {
	hasGit(t)
	for name, row := range map[string]struct {
		make func(r repository)
		open bool
	}{
		"clean": {func(r repository) {
			r.commit(map[string]string{"compose.yml": "PASSWORD: hunter2", "pkg/token.go": "x"})
		}, true},
		"empty":     {func(repository) {}, true},
		"committed": {func(r repository) { r.commit(map[string]string{".env": "A=1", "a": "x"}) }, false},
		"example":   {func(r repository) { r.commit(map[string]string{".env.example": "PASSWORD=", "secrets/README.md": "x"}) }, true},
		"removed": {func(r repository) {
			r.commit(map[string]string{"deep/er/.env": "A=1"})
			r.commit(map[string]string{"deep/er/.env": ""})
		}, false},
		"packed": {func(r repository) {
			r.commit(map[string]string{"id_rsa": "x"})
			r.commit(map[string]string{"id_rsa": ""})
			r.git("gc", "-q")
		}, false},
		"folder": {func(r repository) { r.commit(map[string]string{"secrets/db": "hunter2"}) }, false},
		"branch": {func(r repository) {
			r.commit(map[string]string{"a": "x"})
			r.git("checkout", "-q", "-b", "x")
			r.commit(map[string]string{"tls.key": "x"})
			r.git("checkout", "-q", "main")
		}, false},
		"unreachable": {func(r repository) {
			r.commit(map[string]string{"a": "x"})
			r.commit(map[string]string{".env": "x"})
			r.git("reset", "-q", "--hard", "HEAD~1")
		}, false},
		"staged": {func(r repository) {
			r.commit(map[string]string{"a": "x"})
			plant(r.t, r.dir, map[string]string{"b": "DB_PASSWORD=hunter2\n"})
			r.git("add", "b")
			r.git("rm", "-q", "--cached", "b")
		}, false},
		"staged and harmless": {func(r repository) { plant(r.t, r.dir, map[string]string{"b": "x\n"}); r.git("add", "b") }, true},
		"staged code": {func(r repository) {
			plant(r.t, r.dir, map[string]string{"b": "DB_PASSWORD=hunter2\n" + strings.Repeat("code\n", 1000)})
			r.git("add", "b")
			r.git("rm", "-q", "--cached", "b")
		}, true},
		"an earlier content": {func(r repository) {
			r.commit(map[string]string{"settings.py": "SECRET_KEY = 'x'"})
			r.commit(map[string]string{"settings.py": "DEBUG = 1"})
		}, false},
		"harmless settings": {func(r repository) {
			r.commit(map[string]string{"settings.py": "DEBUG = 0"})
			r.commit(map[string]string{"settings.py": "DEBUG = 1"})
		}, true},
		"encrypted": {func(r repository) { r.commit(map[string]string{"vault.yml": "$ANSIBLE_VAULT;1.1;AES256\n01"}) }, true},
		"once in plain": {func(r repository) {
			r.commit(map[string]string{"vault.yml": "db: x"})
			r.commit(map[string]string{"vault.yml": "$ANSIBLE_VAULT;1.1;AES256\n01"})
		}, false},
		"damaged": {func(r repository) {
			r.commit(map[string]string{"a": "x"})
			plant(r.t, r.dir, map[string]string{".git/objects/00": "x"})
		}, false},
		"configuration runs no": {func(r repository) {
			r.commit(map[string]string{"a": "x"})
			for _, key := range []string{"core.fsmonitor", "core.pager", "pager.cat-file", "core.sshCommand", "core.hooksPath", "diff.external", "core.alternateRefsCommand"} {
				r.git("config", key, "touch "+r.dir+"/ran")
			}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w, root := planted(t, map[string]string{"/repos/x": "x"})
			r := newRepository(t, root+"/repos/r")
			row.make(r)
			l := listed(t, w)
			wantOpen(t, l, root, map[string]bool{"/repos/r/.git/objects": row.open, "/repos/r/.git/HEAD": true, "/repos/r/.git/config": true, "/repos/x": true})
			nothingClosedBelow(t, l)
			if _, err := os.Stat(r.dir + "/ran"); err == nil {
				t.Error("what the configuration names was run")
			}
		})
	}
}

// A commit made during a session counts for the next command.
func TestHistoryChanges(t *testing.T) {
	hasGit(t)
	w, root := planted(t, nil)
	r := newRepository(t, root+"/repos/r")
	r.commit(map[string]string{"a": "x"})
	l := listed(t, w)
	wantOpen(t, l, root, map[string]bool{"/repos/r/.git/objects": true})
	r.commit(map[string]string{".env": "x"})
	if changed, err := l.Refresh(context.Background()); !changed || err != nil {
		t.Errorf("changed is %v (%v)", changed, err)
	}
	wantOpen(t, l, root, map[string]bool{"/repos/r/.git/objects": false, "/repos/r/.git/refs/heads/main": true, "/repos/r/a": true, "/repos/r/.env": false})
}

// A directory becomes a repository while the list exists.
func TestRepositoryIsMade(t *testing.T) {
	w, root := planted(t, map[string]string{"/repos/r/.git/objects/pack/x.pack": "x"})
	l := listed(t, w)
	plant(t, root, map[string]string{"/repos/r/.git/refs/x": "x", "/repos/r/.git/HEAD": "x"})
	if _, err := l.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	wantOpen(t, l, root, map[string]bool{"/repos/r/.git/objects/pack/x.pack": false, "/repos/r/.git/HEAD": true})
}

// Git's own files are examined wherever a repository lies.
func TestGitsOwnFiles(t *testing.T) {
	hasGit(t)
	w, root := planted(t, map[string]string{"/srv/git/none/objects/x": "x"})
	r := newRepository(t, root+"/repos/r")
	r.commit(map[string]string{"a": "x"})
	r.git("config", "remote.origin.url", "https://oauth2:ghp_0123456789@github.com/x/y")
	plant(t, root, map[string]string{"/repos/r/.git/FETCH_HEAD": "0123 branch 'main' of https://example.org/x\n", "/repos/r/.git/lfs/objects/01/23/0123": "x", "/repos/r/.git/logs/refs/x": "clone: from https://joe:hunter2@example.org/x\n"})
	r.git("clone", "-q", "--bare", r.dir, root+"/srv/git/shop.git")
	etc := newRepository(t, root+"/etc")
	etc.commit(map[string]string{"a": "x"})
	l := listed(t, w)
	wantOpen(t, l, root, map[string]bool{
		"/repos/r/.git/config": false, "/repos/r/.git/objects": true, "/repos/r/.git/FETCH_HEAD": true, "/repos/r/.git/lfs/objects/01/23/0123": false, "/repos/r/.git/logs/refs/x": false, "/repos/r/.git/index": true,
		"/srv/git/shop.git/objects": true, "/srv/git/shop.git/HEAD": true, "/etc/a": true, "/etc/.git/objects": false,
	})
	t.Setenv("PATH", "/nonexistent")
	wantOpen(t, listed(t, w), root, map[string]bool{"/repos/r/.git/objects": false, "/repos/r/a": true})
}

func hasGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x0001234567890123456789"), 20)
	f.Add([]byte("40000 b\x00"), 20)
	f.Fuzz(func(t *testing.T, content []byte, length int) {
		if length < 1 || length > 64 {
			return
		}
		entries, err := parseTree(content, length)
		if err == nil && len(content) > 0 && len(entries) > len(content)/length {
			t.Errorf("%d entries of %d bytes", len(entries), len(content))
		}
	})
}
