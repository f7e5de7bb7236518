package readable

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// planted creates a machine with these files, and its world.
func planted(t testing.TB, files map[string]string) (World, string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plant(t, root, files)
	return World{ReposDir: root + "/repos", StateDir: root + "/state", ResultsDir: root + "/results", root: root}, root
}

func plant(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func listed(t testing.TB, w World) *List {
	t.Helper()
	l, err := New(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// wantOpen checks what of a machine may be read.
func wantOpen(t *testing.T, l *List, root string, want map[string]bool) {
	t.Helper()
	for name, open := range want {
		if got, why := l.Explain(root + name); got != open {
			t.Errorf("%s may be read: %v; want %v (%s)", name, got, open, why)
		} else if why == "" {
			t.Errorf("nothing says why %s may be read: %v", name, open)
		}
	}
}

// machineOf returns the files of testdata/machine.txt, and which of them may be read.
func machineOf(t *testing.T) (files map[string]string, want map[string]bool) {
	t.Helper()
	f, err := os.Open("testdata/machine.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files, want = map[string]string{}, map[string]bool{}
	unescape := strings.NewReplacer(`\n`, "\n", `\0`, "\x00", `\xfc`, "\xfc", `\e`, "")
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		verdict, rest, _ := strings.Cut(line, " ")
		name, content, given := strings.Cut(strings.TrimLeft(rest, " "), " ")
		if _, twice := want[name]; twice || verdict != "open" && verdict != "closed" {
			t.Fatalf("bad line: %s", line)
		}
		if !given {
			content = "x = 1"
		}
		files[name], want[name] = unescape.Replace(content), verdict == "open"
	}
	return files, want
}

func TestMachine(t *testing.T) {
	files, want := machineOf(t)
	w, root := planted(t, files)
	l := listed(t, w)
	wantOpen(t, l, root, want)
	nothingClosedBelow(t, l)
}

// nothingClosedBelow checks that no rule covers anything closed.
func nothingClosedBelow(t *testing.T, l *List) {
	t.Helper()
	for path, why := range l.closed {
		if l.covers(path) {
			t.Errorf("%s is closed (%s) and on the list", path, why)
		}
	}
	for i, rule := range l.rules {
		if i > 0 && within(rule, l.rules[i-1]) {
			t.Errorf("%s is on the list beside %s", rule, l.rules[i-1])
		}
		if real, err := filepath.EvalSymlinks(rule); err != nil || real != rule {
			t.Errorf("%s is on the list and leads to %s (%v)", rule, real, err)
		}
	}
}

// The program's own directories, and the operator's additions.
func TestOperatorsWord(t *testing.T) {
	w, root := planted(t, map[string]string{
		"/state/claudeops.db": "x", "/state/cooldown.json": "{}", "/state/cooldown.json.tmp": "{}", "/state/run/session-7/tmp/a": "password=x", "/state/run/session-8/tmp/a": "x", "/results/session-1.ndjson": "x",
		"/srv/a/secret-plan.db": "x", "/srv/b/deep/x.json": "{}", "/srv/c/x.yml": "a: 1", "/repos/r/token.json": "x", "/repos/r/notes.txt": "x",
		"/data/app/app.conf": "password=hunter2", "/data/app/.env": "x", "/data/app/log/a.log": "x", "/data/other/a.log": "x", "/srv/d/app.conf": "password=hunter2", "/elsewhere/token": "x",
	})
	w.Session = []string{root + "/state/run/session-7"}
	w.Secrets = []string{root + "/srv/b/**", "**/*.TXT", root + "/srv/c/x.yml"}
	w.Read = []string{root + "/data/app/**", root + "/srv/d/app.conf"}
	l := listed(t, w)
	wantOpen(t, l, root, map[string]bool{
		"/state/claudeops.db": false, "/state/cooldown.json": true, "/state/cooldown.json.tmp": false, "/state/run/session-7/tmp/a": true, "/state/run/session-8/tmp/a": false, "/results/session-1.ndjson": false,
		"/srv/b/deep/x.json": false, "/srv/c/x.yml": false, "/repos/r/notes.txt": false,
		"/data/app/app.conf": true, "/data/app/.env": false, "/data/app/log/a.log": true, "/data/other/a.log": false, "/srv/d/app.conf": true, "/elsewhere/token": false,
	})
	nothingClosedBelow(t, l)
	if err := os.Rename(root+"/state/cooldown.json.tmp", root+"/state/cooldown.json"); err != nil {
		t.Fatal(err)
	}
	if changed, err := l.Refresh(context.Background()); err != nil || !changed || !l.covers(root+"/state/cooldown.json") {
		t.Errorf("another cooldown.json: %v, %v", changed, err)
	}
	if _, err := New(context.Background(), World{Secrets: []string{"/a[b"}}); err == nil {
		t.Error("a malformed pattern is taken")
	}
	if _, why := l.Explain(root + "/srv/d/app.conf"); !strings.Contains(why, "CLAUDEOPS_INVENTORY") {
		t.Errorf("%q names no setting that there is", why)
	}
}

// Link targets are judged where they lie, and a file is closed by each of its names.
func TestLinks(t *testing.T) {
	w, root := planted(t, map[string]string{
		"/etc/shadow": "x", "/etc/nginx/sites-available/a": "listen 80;", "/root/key": "x", "/repos/a/x.conf": "x", "/repos/a/.env": "x", "/real/repos/b": "x", "/root/password.conf": "password=hunter2\n", "/srv/twice/a.css": "x",
		"/root/harmless": "a = 1\n", "/repos/b/.git/HEAD": "ref: x", "/srv/open.conf": "x",
	})
	for name, to := range map[string]string{
		"/repos/link": "/root", "/repos/a/shadow.conf": "/etc/shadow", "/etc/nginx/enabled": "/etc/nginx/sites-available/a", "/srv/env.txt": "/repos/a/.env",
	} {
		if err := os.Symlink(root+to, root+name); err != nil {
			t.Fatal(err)
		}
	}
	for name, of := range map[string]string{
		"/repos/a/hard.conf": "/etc/shadow", "/srv/hard.txt": "/repos/a/.env", "/repos/a/elsewhere.conf": "/root/password.conf", "/srv/twice/b.css": "/srv/twice/a.css", "/repos/a/harmless.conf": "/root/harmless",
	} {
		if err := os.Link(root+of, root+name); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(root+"/repos/a/pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	l := listed(t, w)
	wantOpen(t, l, root, map[string]bool{
		"/repos/link/key": false, "/repos/a/shadow.conf": false, "/etc/nginx/enabled": true, "/srv/env.txt": false, "/repos/a/x.conf": true, "/repos/a/pipe": false,
		"/repos/a/hard.conf": false, "/srv/hard.txt": false, "/repos/a/elsewhere.conf": false, "/srv/twice/b.css": true, "/repos/a/harmless.conf": true, "/srv/open.conf": true,
	})
	nothingClosedBelow(t, l)
}

// The repositories directory may be a link.
func TestRepositoriesBehindALink(t *testing.T) {
	w, root := planted(t, map[string]string{"/real/repos/a/x": "x", "/real/repos/a/.env": "x", "/real/other": "x"})
	if err := os.Symlink(root+"/real/repos", root+"/repos"); err != nil {
		t.Fatal(err)
	}
	wantOpen(t, listed(t, w), root, map[string]bool{"/repos/a/x": true, "/repos/a/.env": false, "/real/repos/a/x": true, "/real/other": false})
}

// Changes on disk take effect before the next command.
func TestRefresh(t *testing.T) {
	w, root := planted(t, map[string]string{"/etc/app/a.conf": "x", "/repos/a/b/c/x": "x", "/srv/x/a.yml": "a: 1\n", "/var/log/app/a.log": "x"})
	l := listed(t, w)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range l.watch.nodes {
		if !strings.HasPrefix(n.path, root) {
			l.watch.remove(n) // other programs make files beside it
		}
	}
	for _, step := range []struct {
		name    string
		change  func()
		changed bool
		want    map[string]bool
	}{
		{"nothing", func() {}, false, map[string]bool{"/repos/a/b/c/x": true}},
		{"a secret deep in a repository", func() { plant(t, root, map[string]string{"/repos/a/b/c/.env": "x"}) }, true, map[string]bool{"/repos/a/b/c/x": true, "/repos/a/b/c/.env": false}},
		{"it is gone", func() { must(os.Remove(root + "/repos/a/b/c/.env")) }, true, map[string]bool{"/repos/a/b/c/x": true}},
		{"a file becomes secret where it stands", func() {
			f, err := os.OpenFile(root+"/etc/app/a.conf", os.O_APPEND|os.O_WRONLY, 0)
			must(err)
			_, err = f.WriteString("\npassword = hunter2\n")
			must(err)
			must(f.Close())
		}, true, map[string]bool{"/etc/app/a.conf": false}},
		{"it is mended by another in its place", func() {
			plant(t, root, map[string]string{"/etc/app/new": "x"})
			must(os.Rename(root+"/etc/app/new", root+"/etc/app/a.conf"))
		}, true, map[string]bool{"/etc/app/a.conf": true}},
		{"another one in its place, which is no more of a secret", func() {
			plant(t, root, map[string]string{"/etc/app/new": "y"})
			must(os.Rename(root+"/etc/app/new", root+"/etc/app/a.conf"))
			plant(t, root, map[string]string{"/etc/app/.env": "x"})
		}, true, map[string]bool{"/etc/app/a.conf": true, "/etc/app/.env": false}},
		{"one that is listed by itself is replaced", func() {
			plant(t, root, map[string]string{"/etc/app/new": "z"})
			must(os.Rename(root+"/etc/app/new", root+"/etc/app/a.conf"))
		}, true, map[string]bool{"/etc/app/a.conf": true}},
		{"nothing again", func() {}, false, map[string]bool{"/etc/app/a.conf": true}},
		{"new folders", func() { plant(t, root, map[string]string{"/srv/y/z/a.yml": "a: 1", "/srv/y/z/.env": "x"}) }, true, map[string]bool{"/srv/y/z/a.yml": true, "/srv/y/z/.env": false}},
		{"a folder is moved away and comes back with a secret", func() {
			must(os.Rename(root+"/repos/a/b", root+"/b"))
			plant(t, root, map[string]string{"/b/c/id_rsa": "x"})
			must(os.Rename(root+"/b", root+"/repos/a/b"))
		}, true, map[string]bool{"/repos/a/b/c/x": true, "/repos/a/b/c/id_rsa": false}},
		{"a place that was not there", func() { plant(t, root, map[string]string{"/opt/x/a": "x"}) }, true, map[string]bool{"/opt/x/a": true}},
		{"a log is rotated", func() {
			must(os.Rename(root+"/var/log/app/a.log", root+"/var/log/app/a.log.1"))
			plant(t, root, map[string]string{"/var/log/app/a.log": "x"})
		}, false, map[string]bool{"/var/log/app/a.log": true, "/var/log/app/a.log.1": true}},
		{"another name of a file", func() { must(os.Link(root+"/repos/a/b/c/id_rsa", root+"/srv/x/plain")) }, true, map[string]bool{"/srv/x/plain": false, "/srv/x/a.yml": true}},
	} {
		step.change()
		changed, err := l.Refresh(context.Background())
		if err != nil || changed != step.changed {
			t.Errorf("%s: changed is %v, want %v (%v)", step.name, changed, step.changed, err)
		}
		wantOpen(t, l, root, step.want)
		nothingClosedBelow(t, l)
		if fresh := listed(t, w); !slices.Equal(fresh.rules, l.rules) {
			t.Errorf("%s: the list is\n%s\nand a new one\n%s", step.name, strings.Join(l.rules, "\n"), strings.Join(fresh.rules, "\n"))
		}
	}
}

// An interrupted walk starts again.
func TestBrokenOff(t *testing.T) {
	w, root := planted(t, map[string]string{"/repos/a/x": "x"})
	l := listed(t, w)
	plant(t, root, map[string]string{"/repos/b/c/.env": "x", "/repos/b/c/x": "x"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.Refresh(ctx); err == nil {
		t.Error("nothing says that it was broken off")
	}
	wantOpen(t, l, root, map[string]bool{"/repos/b/c/.env": false, "/repos/a/x": false})
	if changed, err := l.Refresh(context.Background()); !changed || err != nil {
		t.Errorf("changed is %v (%v)", changed, err)
	}
	wantOpen(t, l, root, map[string]bool{"/repos/a/x": true, "/repos/b/c/x": true, "/repos/b/c/.env": false})
}

// Without kernel notifications, timestamps are compared.
func TestRefreshWithoutWatches(t *testing.T) {
	w, root := planted(t, map[string]string{"/etc/app/a.conf": "x", "/repos/a/b/x": "x"})
	l := listed(t, w)
	l.watch.close()
	l.each(l.top, func(n *node) { l.watch.swept[n] = !n.leaf && n.closedReason == "" })
	plant(t, root, map[string]string{"/repos/a/b/.env": "x", "/etc/app/a.conf": "password = hunter2\n"})
	if changed, err := l.Refresh(context.Background()); !changed || err != nil {
		t.Errorf("changed is %v (%v)", changed, err)
	}
	wantOpen(t, l, root, map[string]bool{"/etc/app/a.conf": false, "/repos/a/b/.env": false, "/repos/a/b/x": true})
}

// What exceeds a limit is closed, and reported.
func TestBounds(t *testing.T) {
	w, root := planted(t, map[string]string{"/etc/app/a.conf": "x", "/srv/big/top.txt": "x", "/srv/many/.env": "x", "/etc/huge.conf": strings.Repeat("a = 1\n", maxLook)})
	for i := range 30 {
		plant(t, root, map[string]string{filepath.Join("/srv/big/deep", strings.Repeat("d/", i%3), "f"+strings.Repeat("x", i)): "x", "/srv/many/f" + strings.Repeat("x", i): "x"})
	}
	l := &List{world: w, bounds: bounds{entries: 60, rules: 20, bytes: maxBytes}}
	l.mounts = &mountTable{}
	if err := l.build(context.Background()); err != nil {
		t.Fatal(err)
	}
	wantOpen(t, l, root, map[string]bool{"/etc/app/a.conf": true, "/srv/big/top.txt": true, "/srv/big/deep/d/d/fxx": false, "/srv/many/.env": false, "/etc/huge.conf": false})
	if summary := l.Summary(); !strings.Contains(summary, root+"/srv") {
		t.Errorf("the summary does not say that something is closed: %s", summary)
	}
	if len(l.rules) > 60 {
		t.Errorf("there are %d rules", len(l.rules))
	}
	nothingClosedBelow(t, l)
}
