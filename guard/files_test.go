package guard

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/sandbox/shim"
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

// The operator's word and the program's own folders count before the machine's places.
func TestOperatorsWord(t *testing.T) {
	places, root := plantMachine(t,
		"/state/claudeops.db", "/state/cooldown.json", "/state/run/session-7/tmp/a.env", "/state/run/session-8/tmp/a",
		"/results/session-1.ndjson", "/srv/b/deep/x.json", "/srv/c/x.yml", "/srv/c/y.yml", "/srv/d/deep/mine.conf", "/repos/r/notes.TXT",
		"/data/app/app.conf", "/data/app/.env", "/data/app/log/a.log", "/data/app/.git/config", "/data/other/a.log", "/data/other/b.conf",
		"/elsewhere/token", "/data/[x]/services.yml", "/usr/lib/app/mine",
	)
	for _, closed := range []string{"/data/app/app.conf", "/data/app", "/data/other/a.log"} {
		if err := os.Chmod(root+closed, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	places.Session = []string{root + "/state/run/session-7"}
	places.Secrets = []string{root + "/srv/b/**", "**/*.TXT", root + "/srv/c/x.yml", root + "/srv/**/mine.conf", root + "/usr/lib/app/*"}
	places.Open = []string{root + "/data/app/**", root + "/data/other/*.log", root + `/data/\[x]/services.yml`, root + "/elsewhere/token"}
	f := listed(t, places)
	wantOpen(t, f, root, map[string]bool{
		"/state/claudeops.db": false, "/state/cooldown.json": true, "/state/run/session-7/tmp/a.env": true, "/state/run/session-8/tmp/a": false,
		"/results/session-1.ndjson": false, "/srv/b/deep/x.json": false, "/srv/c/x.yml": false, "/srv/c/y.yml": true, "/srv/d/deep/mine.conf": false,
		"/repos/r/notes.TXT": false, "/data/app/app.conf": true, "/data/app/.env": false, "/data/app/log/a.log": true,
		"/data/app/.git/config": false, "/data/other/a.log": true, "/data/other/b.conf": false, "/elsewhere/token": false,
		"/data/[x]/services.yml": true, "/usr/lib/app/mine": false,
	})
	for _, malformed := range []Places{{Secrets: []string{"/a[b"}}, {Open: []string{"/a[b"}}} {
		if _, err := NewFiles(t.Context(), malformed, time.Now); err == nil {
			t.Errorf("%+v is taken", malformed)
		}
	}
	if summary := f.Summary(); !strings.Contains(summary, places.ReposDir) || !strings.Contains(summary, places.Open[0]) {
		t.Errorf("the summary does not name every place: %s", summary)
	}
}

// What a link leads to is judged where it lies. The operator's folders may be links.
func TestLinks(t *testing.T) {
	places, root := plantMachine(t, "/etc/shadow", "/etc/nginx/sites-available/a", "/root/x", "/real/repos/a/x.conf", "/real/repos/a/.env", "/real/x", "/data/log/a.log")
	if err := os.Symlink(root+"/real/repos", root+"/repos"); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"/repos/link": "/root", "/repos/a/shadow.conf": "/etc/shadow", "/etc/nginx/enabled": "/etc/nginx/sites-available/a",
		"/etc/env.txt": "/repos/a/.env", "/data/log/b.log": "/root/x", "/log": "/data/log",
	} {
		if err := os.Symlink(root+to, root+name); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(root+"/repos/a/pipe", 0o644); err != nil {
		t.Fatal(err)
	}
	places.Open = []string{root + "/log/*.log"}
	wantOpen(t, listed(t, places), root, map[string]bool{
		"/repos/link/x": false, "/repos/a/shadow.conf": false, "/repos/a/x.conf": true, "/repos/a/.env": false, "/real/x": false,
		"/etc/nginx/enabled": true, "/etc/env.txt": false, "/repos/a/pipe": false, "/log/a.log": true, "/log/b.log": false, "/root/x": false,
	})
}

// A mode closes a file, or everything below a folder, where others may not read it, except in logs, repositories and what is opened.
func TestModesOfFolders(t *testing.T) {
	places, root := plantMachine(t, "/etc/a/b/x", "/srv/a/x", "/opt/a/x", "/repos/a/x", "/var/log/a/x", "/home/joe/log/x")
	for name, mode := range map[string]os.FileMode{
		"/etc/a": 0o750, "/etc/a/b": 0o755, "/srv/a": 0o754, "/opt/a": 0o711, "/repos/a": 0o700, "/repos/a/x": 0o600, "/var/log/a": 0o750, "/home/joe": 0o700,
	} {
		if err := os.Chmod(root+name, mode); err != nil {
			t.Fatal(err)
		}
	}
	places.Open = []string{root + "/home/joe/log"}
	wantOpen(t, listed(t, places), root, map[string]bool{
		"/etc/a/b/x": false, "/srv/a/x": false, "/opt/a/x": true, "/repos/a/x": true, "/var/log/a/x": true, "/home/joe/log/x": true,
	})
}

// The list is made anew once it is a minute old. Until then a new file is open in a folder that is listed as a whole.
func TestRefresh(t *testing.T) {
	places, root := plantMachine(t, "/var/log/app/a.log", "/srv/a/x", "/srv/a/.env")
	now := time.Now()
	f, err := NewFiles(t.Context(), places, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	plant(t, root, "/var/log/app/b.log", "/var/log/new/.env", "/srv/a/y")
	refresh := func(want bool) {
		t.Helper()
		if anew, err := f.Refresh(t.Context()); anew != want || err != nil {
			t.Errorf("made anew: %v, %v; want %v", anew, err, want)
		}
	}
	now = now.Add(filesAge - 1)
	refresh(false)
	wantOpen(t, f, root, map[string]bool{"/var/log/app/b.log": true, "/srv/a/x": true, "/srv/a/y": false})
	now = now.Add(1)
	refresh(true)
	wantOpen(t, f, root, map[string]bool{"/var/log/app/b.log": true, "/var/log/new/.env": false, "/srv/a/y": true, "/srv/a/.env": false})
	now = now.Add(-time.Second) // the clock was set back
	refresh(true)
	now = now.Add(filesAge)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Refresh(ctx); err == nil || len(f.Paths()) > 0 {
		t.Errorf("after it was broken off (%v), %q may be read", err, f.Paths())
	}
	refresh(true)
	wantOpen(t, f, root, map[string]bool{"/srv/a/y": true})
}

// What exceeds a limit is closed, deep folders first, and the summary says so.
func TestLimits(t *testing.T) {
	places, root := plantMachine(t, "/etc/app/a.conf", "/srv/top", "/srv/big/deep/a", "/srv/big/deep/b", "/srv/big/deep/c", "/srv/x/.env", "/srv/x/y", "/opt/.env", "/opt/a", "/opt/b", "/opt/c")
	f := listed(t, places)
	f.limit = placeLimit{entries: 6, rules: 2}
	if err := f.make(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantOpen(t, f, root, map[string]bool{"/etc/app/a.conf": true, "/srv/top": true, "/srv/big/deep/a": false})
	if summary := f.Summary(); !strings.Contains(summary, "closed in part: "+root+"/opt, "+root+"/srv.") {
		t.Errorf("the summary does not say what is too large: %s", summary)
	}
	open := 0
	for _, name := range []string{"/opt/a", "/opt/b", "/opt/c"} {
		if readable, _ := f.Explain(root + name); readable {
			open++
		}
	}
	if open != 2 {
		t.Errorf("%d of three files are open, with two rules", open)
	}
}

// File systems of other machines are not looked through, unless the operator opens them.
func TestForeignFileSystems(t *testing.T) {
	places, root := plantMachine(t, "/srv/nas/x", "/srv/local/x", "/srv/open nas/.env", "/srv/part/log/a.log", "/srv/part/x", "/opt/x", "/proc/fs/x", "/repos/r/x", "/repos/far/x")
	mounts := `22 1 8:1 / / rw,relatime shared:1 - nfs4 server:/ rw
30 22 0:40 / /srv/nas rw - nfs4 nas:/x rw
31 22 8:17 / /srv/local rw - ext4 /dev/sdb1 rw
32 22 0:41 / /srv/open\040nas rw - fuse.sshfs x rw
33 22 0:42 / /srv/part rw shared:2 master:1 - cifs //x rw
34 22 0:43 / /opt rw - 9p x rw
35 22 0:44 / /proc/fs rw - autofs x rw
36 22 0:45 / /repos rw - nfs x rw
37 22 0:46 / /repos/far rw - nfs x rw
a broken line
`
	if err := os.WriteFile(root+"/proc/self/mountinfo", []byte(mounts), 0o600); err != nil {
		t.Fatal(err)
	}
	places.Open = []string{root + "/srv/open nas/**", root + "/srv/part/log/*.log"}
	f := listed(t, places)
	wantOpen(t, f, root, map[string]bool{
		"/srv/nas/x": false, "/srv/local/x": true, "/srv/open nas/.env": true, "/srv/part/log/a.log": true, "/srv/part/x": false,
		"/opt/x": false, "/proc/fs/x": true, "/repos/r/x": true, "/repos/far/x": false,
	})
	if _, why := f.Explain(root + "/srv/nas/x"); why != closedForeign {
		t.Error(why)
	}
}

// Names close paths on other machines and in repositories too.
func TestClosedName(t *testing.T) {
	for path, want := range map[string]bool{
		"config/.env": true, ".env": true, "/home/joe/.ssh/config": true, ".git/HEAD": true, "a/.git": true, "x/../.env": true, "/etc/shadow-": true,
		"app/.env.example": false, "main.go": false, "/var/log/syslog.1": false, "docs/passwords.md": false, "/": false, "": false,
	} {
		if got := ClosedName(path); got != want {
			t.Errorf("%q is closed by its name: %v", path, got)
		}
	}
}

// In the sandbox, what is on the list opens and nothing else does, with Debian's modes and groups of logs and a repository cloned under
// umask 077: for root, a user of the group adm, and a user without.
func TestFilesInTheSandbox(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root makes files of others, and runs as them")
	}
	const stranger, adm = 65534, 4
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.Chmod(filepath.Dir(dir), 0o755))
	check(os.WriteFile(dir+"/test", self, 0o755))
	build := exec.Command("go", "build", "-o", dir+"/"+shim.Name, "../cmd/claudeops-shim")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the shim: %v\n%s", err, out)
	}
	if err := sandbox.Check(t.Context(), dir+"/"+shim.Name); err != nil {
		t.Skip(err)
	}
	for _, who := range []struct {
		name string
		uid  uint32
		adm  bool
	}{{"root", 0, true}, {"adm", stranger, true}, {"user", stranger, false}} {
		root := filepath.Join(dir, who.name)
		var names []string
		for _, f := range []struct {
			path   string
			mode   os.FileMode
			folder os.FileMode
			group  int
			owner  uint32
			want   string // who opens it
		}{
			{"/var/log/syslog", 0o640, 0o755, adm, 0, "root adm"},
			{"/var/log/dpkg.log", 0o644, 0o755, 0, 0, "root adm user"},
			{"/var/log/mysql/error.log.1.gz", 0o640, 0o2750, adm, 0, "root adm"},
			{"/var/log/private/app/x.log", 0o644, 0o755, 0, 0, "root"},
			{"/var/log/private/y.log", 0o644, 0o700, 0, 0, "root"},
			{"/var/log/app/.env", 0o644, 0o755, 0, 0, ""},
			{"/repos/shop/compose.yml", 0o600, 0o700, 0, who.uid, "root adm user"},
			{"/repos/shop/.env", 0o600, 0o700, 0, who.uid, ""},
			{"/repos/shop/.git/config", 0o600, 0o700, 0, who.uid, ""},
			{"/etc/app/app.conf", 0o640, 0o755, adm, 0, ""},
			{"/etc/app/open.conf", 0o644, 0o755, 0, 0, "root adm user"},
			{"/opt/app/app.conf", 0o644, 0o750, adm, 0, ""},
			{"/data/app/app.log", 0o640, 0o2750, adm, 0, "root adm"},
		} {
			plant(t, root, f.path)
			at := root + f.path
			check(os.Chown(at, int(f.owner), f.group))
			check(os.Chmod(at, f.mode))
			check(os.Chown(filepath.Dir(at), int(f.owner), f.group))
			check(syscall.Chmod(filepath.Dir(at), uint32(f.folder)))
			verdict := "closed "
			if slices.Contains(strings.Fields(f.want), who.name) {
				verdict = "open "
			}
			names = append(names, verdict+at)
		}
		plant(t, root, "/proc/self/mountinfo")
		cmd := exec.Command(dir+"/test", "-test.run", "^TestReadInTheSandbox$", "-test.v")
		cmd.Env = append(os.Environ(), "TMPDIR=/tmp", "FILES_ROOT="+root, "FILES="+strings.Join(names, "\n"))
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: who.uid, Gid: who.uid}}
		if who.adm {
			cmd.SysProcAttr.Credential.Groups = []uint32{adm}
		}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("as %s: %v\n%s", who.name, err, out)
		}
	}
}

// TestReadInTheSandbox is what TestFilesInTheSandbox runs as each user.
func TestReadInTheSandbox(t *testing.T) {
	root, want := os.Getenv("FILES_ROOT"), os.Getenv("FILES")
	if root == "" {
		t.Skip("TestFilesInTheSandbox runs it")
	}
	f := listed(t, Places{ReposDir: root + "/repos", Open: []string{root + "/data/app/*.log"}, root: root})
	read := append(f.Paths(), "/usr", "/lib", "/lib64", "/bin")
	d, err := sandbox.New(filepath.Join(filepath.Dir(root), shim.Name), sandbox.Access{Read: read})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var out strings.Builder
	result, err := d.Run(t.Context(), sandbox.Command{
		Argv: []string{"/bin/bash", "-c", `while read -r _ f; do { exec 3<"$f"; } && echo "open $f" || echo "closed $f"; done <<<"$FILES" 2>/dev/null`},
		Env:  []string{"PATH=/usr/bin:/bin", "FILES=" + want}, Stdout: &out,
	})
	if err != nil || result.Exit != 0 {
		t.Fatalf("exit status %d, %v", result.Exit, err)
	}
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); !strings.Contains(out.String(), line+"\n") {
			t.Errorf("it is not so: %s", line)
		}
	}
}
