package notify_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/internal/receiver"
	"github.com/claudeops/claudeops/notify"
)

// send sends a message to the only target.
func send(ctx context.Context, t *testing.T, c notify.Courier, m notify.Message) error {
	t.Helper()
	all := c.Targets()
	if len(all) != 1 {
		t.Fatalf("%d targets; want one", len(all))
	}
	return c.Send(ctx, all[0], m)
}

func wantSendError(t *testing.T, err error, parts ...string) *notify.SendError {
	t.Helper()
	var why *notify.SendError
	if !errors.As(err, &why) {
		t.Fatalf("%v; want a SendError", err)
	}
	if strings.ContainsAny(why.Reason, "\n\r\x1b") {
		t.Errorf("%q is more than a line of text", why.Reason)
	}
	for _, part := range parts {
		if !strings.Contains(why.Reason, part) {
			t.Errorf("%q; want %q in it", why.Reason, part)
		}
	}
	return why
}

// realApprise is a courier by the apprise program of this machine.
func realApprise(t *testing.T, urls ...string) notify.Courier {
	t.Helper()
	if _, err := exec.LookPath("apprise"); err != nil {
		t.Fatalf("the apprise program is needed: %v; apt-get install apprise", err)
	}
	return notify.NewProgram(notify.Settings{URLs: urls, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C"}})
}

func TestRealAppriseDelivers(t *testing.T) {
	r := receiver.New(t)
	m := notify.Message{Type: notify.Failure, Title: "shop_1: Ärger", Body: "What <b>was</b> tried:\n- `restart` ✓\nthe end\x07"}
	for _, row := range []struct{ url, title, body string }{
		{r.JSONURL("/markdown"), "`shop_1:` Ärger", "What `< b>was< /b>` tried:\n\n- `restart` ✓\n\nthe end"},
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

// Apprise's reader of Markdown looks for HTML before it looks for code, and some of it, left as it is, keeps that reader busy for ever.
func TestRealAppriseMakesNoHTMLOfForeignText(t *testing.T) {
	r := receiver.New(t)
	foreign := "'*stx<!--<style></div>word </p>**\\~~[^1]##>---- ><?php-\n<script>x</script> &amp; <http://h>\n![a](http://h)"
	m := notify.Message{Type: notify.Info, Title: "T", Body: foreign + "\n`" + strings.ReplaceAll(foreign, "\n", " ") + "`"}
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
	r := receiver.New(t)
	r.Answer(func(int, receiver.Message) receiver.Answer { return receiver.Answer{Status: 500} })
	password := "sesame-open"
	down := receiver.New(t)
	down.Down()
	for _, row := range []struct {
		url   string
		parts []string
	}{
		{strings.Replace(r.JSONURL("/x"), "json://", "json://me:"+password+"@", 1), []string{"ended with 1", "error=500"}},
		{down.JSONURL("/" + password), []string{"Connection error"}},
		{"nosuch://" + password + "/x", []string{"Unparseable URL [redacted]"}},
		{"tgram://" + password + "/x", []string{"Unparseable Telegram URL [redacted]"}},
		{"mattermost://" + password + "/x", []string{"[redacted]"}},
		{"json://", []string{"CLAUDEOPS_APPRISE_URLS", "ends after its scheme"}},
	} {
		why := wantSendError(t, send(t.Context(), t, realApprise(t, row.url), notify.Message{Title: "T", Body: "B"}), row.parts...)
		if strings.Contains(why.Reason, password) || strings.Contains(why.Reason, "Usage") || strings.Contains(why.Reason, " - ") {
			t.Errorf("%s: %q", row.url, why.Reason)
		}
	}
}

func TestAppriseMissingSaysWhatToDo(t *testing.T) {
	c := notify.NewProgram(notify.Settings{URLs: []string{"json://h/x"}, Environ: []string{"PATH=" + t.TempDir() + ":."}})
	wantSendError(t, send(t.Context(), t, c, notify.Message{}), "apprise is not installed", "apt install apprise", "CLAUDEOPS_APPRISE_API_URL")
}

func TestURLThatIsNoLineOfAConfigurationIsRefused(t *testing.T) {
	for _, url := range []string{"json://h/a\njson://h/b", "json://h/\x00", "json://h/\xff", "include http://h/x", "tag=json://h/x", "#json://h/x", "a:b", ""} {
		dir, _ := fakeApprise(t, "exit 0")
		c := notify.NewProgram(notify.Settings{URLs: []string{url}, Environ: []string{"PATH=" + dir}})
		wantSendError(t, send(t.Context(), t, c, notify.Message{}), "CLAUDEOPS_APPRISE_URLS")
	}
}

// fakeApprise is a shell script in the place of apprise; out is a folder that it can write to, by the name $OUT.
func fakeApprise(t *testing.T, script string) (path, out string) {
	t.Helper()
	path, out = t.TempDir(), t.TempDir()
	text := "#!/bin/sh\nPATH=/usr/bin:/bin OUT=" + out + "\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(path, "apprise"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path, out
}

func faked(t *testing.T, script string, environ ...string) (c notify.Courier, out string) {
	t.Helper()
	path, out := fakeApprise(t, script)
	return notify.NewProgram(notify.Settings{URLs: []string{"json://h/sesame-open"}, Environ: append(environ, "PATH="+path)}), out
}

func TestTheURLIsOnlyInAFileWithoutName(t *testing.T) {
	c, out := faked(t, `tr '\0' '\n' </proc/$$/cmdline >$OUT/cmdline; tr '\0' '\n' </proc/$$/environ >$OUT/environ
cat /proc/self/fd/3 >$OUT/config; stat -L -c %a /proc/self/fd/3 >$OUT/mode; { echo more >/proc/self/fd/3; } 2>/dev/null; stat -L -c %s /proc/self/fd/3 >$OUT/size; cat >$OUT/body`,
		"HOME=/home/ops", "LANG=de_DE.UTF-8", "HTTPS_PROXY=http://proxy:1", "CLAUDEOPS_APPRISE_URLS=json://h/sesame-open",
		"ANTHROPIC_API_KEY=sesame-open", "CLAUDE_CODE_OAUTH_TOKEN=sesame-open", "APPRISE_URLS=json://h/sesame-open")
	if err := send(t.Context(), t, c, notify.Message{Type: notify.Warning, Title: "-T 'x'", Body: "B\nC"}); err != nil {
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
	got := []string{read("config"), read("mode"), read("size"), read("body")}
	if diff := cmp.Diff([]string{config, "600\n", strconv.Itoa(len(config)) + "\n", "B  \nC"}, got); diff != "" {
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
			go func() { sent <- send(ctx, t, c, notify.Message{Body: "B"}) }()
			pid := awaitPid(t, out)
			cancel()
			wantSendError(t, <-sent, "had not sent it when the time for that was over")
			awaitEnd(t, pid)
		})
	}
}

func TestAppriseThatLeavesAChildBehindHasSent(t *testing.T) {
	c, out := faked(t, "sleep 1000 & echo $! >$OUT/pid; exit 0")
	if err := send(t.Context(), t, c, notify.Message{Body: "B"}); err != nil {
		t.Error(err)
	}
	awaitEnd(t, awaitPid(t, out))
}

func TestAppriseWhoseChildEscapesDoesNotHoldUs(t *testing.T) {
	c, out := faked(t, "setsid sleep 1000 & echo $! >$OUT/pid; sleep 0.2; exit 0")
	if err := send(t.Context(), t, c, notify.Message{Body: "B"}); err != nil {
		t.Error(err)
	}
	_ = syscall.Kill(awaitPid(t, out), syscall.SIGKILL)
}

func TestAppriseThatWritesWithoutEndIsEnded(t *testing.T) {
	c, _ := faked(t, "exec yes without end")
	wantSendError(t, send(t.Context(), t, c, notify.Message{Body: "B"}), "wrote without end")
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
		wantSendError(t, send(t.Context(), t, c, notify.Message{Body: "B"}), row.want)
	}
}

func TestNothingIsStartedOnceTheTimeIsOver(t *testing.T) {
	c, out := faked(t, "echo $$ >$OUT/pid")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantSendError(t, send(ctx, t, c, notify.Message{Body: "B"}), "the time for that was over")
	if _, err := os.Stat(filepath.Join(out, "pid")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v; want that it was not started", err)
	}
}

// await looks until done, or fails.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
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

// awaitEnd waits until a process has ended; one that nobody has waited for yet counts.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	await(t, "the end of process "+strconv.Itoa(pid), func() bool {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		return err != nil || strings.Contains(string(text), ") Z ")
	})
}
