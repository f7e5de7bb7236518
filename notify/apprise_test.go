package notify

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/need"
	"github.com/claudeops/claudeops/testkit/receiver"
)

// send sends a message to the only target.
func send(ctx context.Context, t *testing.T, c Courier, m Message) error {
	t.Helper()
	all := c.Targets()
	if len(all) != 1 {
		t.Fatalf("%d targets; want one", len(all))
	}
	return c.Send(ctx, all[0], m)
}

func wantSendError(t *testing.T, err error, parts ...string) (why string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	why = err.Error()
	if strings.ContainsAny(why, "\n\r\x1b") || strings.Contains(why, secret) {
		t.Errorf("%q is more than a line of text, or holds a secret", why)
	}
	for _, part := range parts {
		if !strings.Contains(why, part) {
			t.Errorf("%q; want %q in it", why, part)
		}
	}
	return why
}

// realApprise returns a courier that uses the apprise program of this machine.
func realApprise(t *testing.T, urls ...string) Courier {
	t.Helper()
	if _, err := exec.LookPath("apprise"); err != nil {
		t.Fatalf("the apprise program is needed: %v; apt-get install apprise", err)
	}
	return New(Settings{URLs: urls, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C"}})
}

func TestRealAppriseDelivers(t *testing.T) {
	need.Full(t, "apprise")
	r := receiver.New(t)
	m := Message{Type: store.FailureMessage, Title: "shop_1: Ärger", Body: "What <b>was</b> tried:\n- `restart` ✓\nthe end\x07"}
	for _, row := range []struct{ url, title, body string }{
		{r.JSONURL("/markdown"), "`shop_1`: Ärger", "What `< b>was< /b>` tried:\n\n- `restart` ✓\n\nthe end"},
		{r.JSONURL("/plain?format=text"), "shop_1: Ärger", "What <b>was</b> tried:\n- `restart` ✓\nthe end"},
		{r.JSONURL("/nested?format=text&+X-Icon=json://127.0.0.1:1/icon"), "shop_1: Ärger", "What <b>was</b> tried:\n- `restart` ✓\nthe end"},
	} {
		before := len(r.Messages())
		if err := send(t.Context(), t, realApprise(t, row.url), m); err != nil {
			t.Errorf("%s: %v", row.url, err)
			continue
		}
		all := r.Messages()
		got := all[len(all)-1]
		if len(all) != before+1 || got.Title != row.title || got.Body != row.body || got.Type != "failure" {
			t.Errorf("%s: %d messages, the last %+v; want one more, %q %q", row.url, len(all), got, row.title, row.body)
		}
	}
	if got := r.Messages()[2].Header.Get("X-Icon"); got != "json://127.0.0.1:1/icon" {
		t.Errorf("the header in the URL is %q", got)
	}
}

// Apprise's Markdown parser looks for HTML before it looks for code, and some unescaped input makes it loop forever.
func TestRealAppriseMakesNoHTMLOfForeignText(t *testing.T) {
	need.Full(t, "apprise")
	r := receiver.New(t)
	foreign := "'*stx<!--<style></div>word </p>**\\~~[^1]##>---- ><?php-\n<script>x</script> &amp; <http://h>\n![a](http://h)"
	m := Message{Type: store.InfoMessage, Title: "T", Body: foreign + "\n`" + strings.ReplaceAll(foreign, "\n", " ") + "`"}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := send(ctx, t, realApprise(t, r.JSONURL("/?format=html")), m); err != nil {
		t.Fatal(err)
	}
	html := r.Messages()[0].Body
	ours := strings.NewReplacer("<p>", "", "</p>", "", "<code>", "", "</code>", "", "<br />", "").Replace(html)
	if strings.Contains(ours, "<") || !strings.Contains(html, "<code>") || !strings.Contains(html, "script&gt;x&lt;") {
		t.Errorf("%s", html)
	}
}

func TestRealAppriseSaysWhatWentWrong(t *testing.T) {
	need.Full(t, "apprise")
	r := answering(t, receiver.Answer{Status: 422})
	password := "sesame-open"
	down := receiver.New(t)
	down.Down()
	for _, row := range []struct {
		url   string
		parts []string
	}{
		{strings.Replace(r.JSONURL("/x"), "json://", "json://me:"+password+"@", 1), []string{"ended with 1", "error=422"}},
		{down.JSONURL("/" + password), []string{"Connection error"}},
		{"nosuch://" + password + "/x", []string{"Unparseable URL [redacted]"}},
		{"tgram://" + password + "/x", []string{"Unparseable Telegram URL [redacted]"}},
		{"mattermost://" + password + "/x", []string{"[redacted]"}},
		{"json://", []string{"CLAUDEOPS_APPRISE_URLS", "ends after its scheme"}},
	} {
		why := wantSendError(t, send(t.Context(), t, realApprise(t, row.url), Message{Title: "T", Body: "B"}), row.parts...)
		if strings.Contains(why, password) || strings.Contains(why, "Usage") || strings.Contains(why, " - ") {
			t.Errorf("%s: %q", row.url, why)
		}
	}
}

func TestAppriseMissingSaysWhatToDo(t *testing.T) {
	c := New(Settings{URLs: []string{"json://h/x"}, Environ: []string{"PATH=" + t.TempDir() + ":."}})
	wantSendError(t, send(t.Context(), t, c, Message{}), "apprise is not installed", "apt install apprise", "CLAUDEOPS_APPRISE_API_URL")
}

func TestURLThatIsNoLineOfAConfigurationIsRefused(t *testing.T) {
	for _, url := range []string{"json://h/a\njson://h/b", "json://h/\x00", "json://h/\xff", "include http://h/x", "1=json://h/x", "#json://h/x", "a:b", ""} {
		dir, _ := fakeApprise(t, "exit 0")
		c := New(Settings{URLs: []string{url}, Environ: []string{"PATH=" + dir}})
		wantSendError(t, send(t.Context(), t, c, Message{}), "CLAUDEOPS_APPRISE_URLS")
	}
}

// fakeApprise creates a shell script to be run as apprise. out is a directory that it can write to, in its variable OUT.
func fakeApprise(t *testing.T, script string) (path, out string) {
	t.Helper()
	path, out = t.TempDir(), t.TempDir()
	text := "#!/bin/sh\nPATH=/usr/bin:/bin OUT=" + out + "\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(path, "apprise"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path, out
}

func faked(t *testing.T, script string, environ ...string) (c Courier, out string) {
	t.Helper()
	path, out := fakeApprise(t, script)
	return New(Settings{URLs: []string{"json://h/sesame-open"}, Environ: append(environ, "PATH="+path)}), out
}

func TestTheURLIsOnlyInAFileWithoutName(t *testing.T) {
	c, out := faked(t, `tr '\0' '\n' </proc/$$/cmdline >$OUT/cmdline; tr '\0' '\n' </proc/$$/environ >$OUT/environ
cat /proc/self/fd/3 >$OUT/config; cat >$OUT/body`,
		"HOME=/home/ops", "LANG=de_DE.UTF-8", "HTTPS_PROXY=http://proxy:1", "CLAUDEOPS_APPRISE_URLS=json://h/sesame-open",
		"ANTHROPIC_API_KEY=sesame-open", "CLAUDE_CODE_OAUTH_TOKEN=sesame-open", "APPRISE_URLS=json://h/sesame-open")
	if err := send(t.Context(), t, c, Message{Type: store.WarningMessage, Title: "-T 'x'", Body: "B\nC"}); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	wantArgs := "--config=/proc/self/fd/3\n--input-format=markdown\n--notification-type=warning\n--title=`-T` 'x'\n-v\n"
	if got := read("cmdline"); !strings.HasSuffix(got, wantArgs) || strings.Contains(got, "sesame") {
		t.Errorf("command line %q", got)
	}
	environ := read("environ")
	for _, want := range []string{"HOME=/home/ops\n", "LANG=de_DE.UTF-8\n", "HTTPS_PROXY=http://proxy:1\n", "PYTHONUTF8=1\n"} {
		if !strings.Contains(environ, want) {
			t.Errorf("environment %q lacks %q", environ, want)
		}
	}
	if strings.Contains(environ, "sesame") {
		t.Errorf("environment %q has a secret", environ)
	}
	const config = "json://h/sesame-open\n"
	got := []string{read("config"), read("body")}
	if diff := cmp.Diff([]string{config, "B  \nC"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAppriseThatHangsIsEndedWithItsChildren(t *testing.T) {
	for name, script := range map[string]string{
		"hangs":           "echo $$ >$OUT/pid; exec sleep 1000",
		"ignores SIGTERM": "trap '' TERM INT HUP; echo $$ >$OUT/pid; while :; do sleep 1000; done",
		"has a child":     "sleep 1000 & echo $! >$OUT/pid; wait",
	} {
		t.Run(name, func(t *testing.T) {
			c, out := faked(t, script)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			sent := make(chan error, 1)
			go func() { sent <- send(ctx, t, c, Message{Body: "B"}) }()
			pid := awaitPid(t, out)
			cancel()
			wantSendError(t, <-sent, "had not sent it when the time for that was over")
			awaitEnd(t, pid)
		})
	}
}

// several sends a message to each of count targets at the same time.
func several(t *testing.T, script string, count int, patience time.Duration) (c Courier, out string, sent chan error) {
	t.Helper()
	path, out := fakeApprise(t, script)
	s := Settings{Environ: []string{"PATH=" + path}}
	for i := range count {
		s.URLs = append(s.URLs, "json://h/"+strconv.Itoa(i))
	}
	p := newProgram(s.Environ)
	p.patience = patience
	return &sender{s.Routes(), p.send}, out, make(chan error, count)
}

func TestEightProgramsRunAtOnce(t *testing.T) {
	const all = 12
	c, out, sent := several(t, `mkdir $OUT/runs.$$; ls -d $OUT/runs.* | wc -l >$OUT/count.$$; until [ -e $OUT/go ]; do sleep 0.01; done; rmdir $OUT/runs.$$`, all, time.Hour)
	for _, to := range c.Targets() {
		go func() { sent <- c.Send(t.Context(), to, Message{Body: "B"}) }()
	}
	counts := func() []string {
		found, err := filepath.Glob(filepath.Join(out, "count.*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	await(t, "eight programs", func() bool { return len(counts()) >= 8 })
	if err := os.WriteFile(filepath.Join(out, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range all {
		if err := <-sent; err != nil {
			t.Error(err)
		}
	}
	if got := len(counts()); got != all {
		t.Errorf("%d ran; want %d", got, all)
	}
	for _, name := range counts() {
		text, err := os.ReadFile(name)
		if n, bad := strconv.Atoi(strings.TrimSpace(string(text))); err != nil || bad != nil || n > 8 {
			t.Errorf("%q ran at once, %v; want 8 at most", text, err)
		}
	}
}

// eightHang sends a message to each of several targets. The programs of eight of them hang until cancel is called.
func eightHang(t *testing.T, patience time.Duration, targets int) (c Courier, sent chan error, cancel context.CancelFunc) {
	t.Helper()
	c, out, sent := several(t, `[ "$(ls $OUT | wc -l)" = 8 ] && exit 0; echo >$OUT/hung.$$; exec sleep 1000`, 9, patience)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	for _, to := range c.Targets()[:targets] {
		go func() { sent <- c.Send(ctx, to, Message{Body: "B"}) }()
	}
	await(t, "eight programs that hang", func() bool {
		found, err := filepath.Glob(filepath.Join(out, "hung.*"))
		return err == nil && len(found) == 8
	})
	return c, sent, cancel
}

func TestProgramsThatHangDoNotKeepOthersFromTheirTurn(t *testing.T) {
	c, sent, cancel := eightHang(t, time.Millisecond, 8)
	if err := c.Send(t.Context(), c.Targets()[8], Message{Body: "B"}); err != nil {
		t.Errorf("the ninth: %v; want it sent while the others hang", err)
	}
	cancel()
	for range 8 {
		wantSendError(t, <-sent, "had not sent it when the time for that was over")
	}
}

func TestWaitingForATurnEndsWithTheTime(t *testing.T) {
	_, sent, cancel := eightHang(t, time.Hour, 9)
	cancel()
	waited := 0
	for range 9 {
		if why := wantSendError(t, <-sent, "the time for that was over"); strings.Contains(why, "was not started") {
			waited++
		}
	}
	if waited != 1 {
		t.Errorf("%d were not started; want one", waited)
	}
}

func TestAppriseThatWritesWithoutEndIsEnded(t *testing.T) {
	c, _ := faked(t, "exec yes without end")
	wantSendError(t, send(t.Context(), t, c, Message{Body: "B"}), "wrote without end")
}

func TestWhatAppriseSaysIsCutToOneLine(t *testing.T) {
	for _, row := range []struct{ script, want string }{
		{`echo "2026-11-21 21:57:07,156 - INFO - hello"; echo "2026-11-21 21:57:07,156 - ERROR - no json://h/sesame-open - at all"; exit 1`, "ended with 1: no [redacted] - at all"},
		{`echo "Traceback (most recent call last):" >&2; echo "ModuleNotFoundError: No module named 'yaml'" >&2; exit 1`, "No module named 'yaml'"},
		{`echo "Usage: apprise"; echo "Error: No such option: --config"; exit 2`, "ended with 2: No such option: --config"},
		{`exit 3`, "ended with 3: it did not say why"},
		{`printf '\033[31mred\007\n'; exit 1`, "ended with 1: red"},
		{`kill -9 $$`, "signal: killed"},
	} {
		c, _ := faked(t, row.script)
		wantSendError(t, send(t.Context(), t, c, Message{Body: "B"}), row.want)
	}
}

func TestNothingIsStartedOnceTheTimeIsOver(t *testing.T) {
	c, out := faked(t, "echo $$ >$OUT/pid")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantSendError(t, send(ctx, t, c, Message{Body: "B"}), "the time for that was over")
	if _, err := os.Stat(filepath.Join(out, "pid")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v; want that it was not started", err)
	}
}

// await waits until done returns true, or fails the test.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: waited in vain", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func awaitPid(t *testing.T, out string) (pid int) {
	t.Helper()
	await(t, "the program's start", func() bool {
		text, err := os.ReadFile(filepath.Join(out, "pid"))
		if err != nil || !bytes.HasSuffix(text, []byte("\n")) {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	return pid
}

// awaitEnd waits until a process has ended; it may still be a zombie.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	await(t, "the end of process "+strconv.Itoa(pid), func() bool {
		p, err := procfs.Read(pid)
		return err != nil || p.Dead()
	})
}
