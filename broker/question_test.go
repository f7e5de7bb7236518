package broker_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/query"
)

// asking returns a session with a services file, in which an agent may read what is not named closed.
func asking(t *testing.T, services string) *session {
	t.Helper()
	s := newSession(t)
	s.Asker = &query.Asker{}
	if services != "" {
		s.Inventory = got(inventory.Parse([]byte(services)))(t)
	}
	s.MayGet = func(url string) error {
		if strings.Contains(url, "forbidden") {
			return errors.New("not granted: that is nobody's URL")
		}
		return nil
	}
	s.Open = func(_ context.Context, path string) (*os.File, error) {
		if strings.Contains(path, "closed") {
			return nil, fmt.Errorf("%s may not be read: it is closed", path)
		}
		return os.Open(path)
	}
	return s
}

// asks asks a question by a tool.
func (s *session) asks(words ...string) (exit int, text string) {
	s.t.Helper()
	s.once.Do(func() { s.broker = broker.New(s.Settings) })
	var out bytes.Buffer
	exit, err := s.broker.Call(s.t.Context(), "toolu_1", "/", append([]string{"claudeops"}, words...), nil, &out)
	must(s.t, err)
	return exit, out.String()
}

// wantAnswer wants an exit status, and parts of the text.
func (s *session) wantAnswer(q []string, exit int, parts ...string) {
	s.t.Helper()
	status, text := s.asks(q...)
	if status != exit {
		s.t.Errorf("%q: exit %d, want %d: %s", q, status, exit, text)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			s.t.Errorf("%q: %q lacks %q", q, text, part)
		}
	}
}

func TestGet(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/health":
			fmt.Fprint(w, "fine, says sesame\n")
		case "/away":
			http.Redirect(w, r, "/health", http.StatusFound)
		case "/long":
			fmt.Fprint(w, strings.Repeat("x", 300<<10))
		case "/packed":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprint(z, "unpacked")
			_ = z.Close()
		case "/picture":
			_, _ = w.Write([]byte{0, 1, 2})
		case "/cut":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "half")
		default:
			http.Error(w, "gone", http.StatusBadGateway)
		}
	}))
	defer server.Close()
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	s := asking(t, "")
	get := func(path string) []string { return []string{"get", server.URL + path} }
	s.wantAnswer(get("/health"), 0, "HTTP/1.1 200 OK\nContent-Type: text/plain; charset=utf-8\n\nfine, says [hidden]\n")
	s.wantAnswer(get("/away"), 0, "HTTP/1.1 302 Found\n", "Location: /health\n")
	s.wantAnswer(get("/long"), 0, "x\n(cut after 256 KiB)\n")
	s.wantAnswer(get("/packed"), 0, "\nunpacked\n")
	s.wantAnswer(get("/picture"), 0, "(3 bytes or more that are no text)")
	s.wantAnswer(get("/cut"), 1, "\nhalf\n", "claudeops: unexpected EOF")
	s.wantAnswer(get("/none"), 0, "HTTP/1.1 502 Bad Gateway\n", "\ngone\n")
	s.wantAnswer(get("/forbidden"), 126, "claudeops: not granted: that is nobody's URL")
	for _, url := range []string{"file:///etc/passwd", "http://", "http://a:b@127.0.0.1/", "127.0.0.1", "gopher://127.0.0.1/", ":"} {
		s.wantAnswer([]string{"get", url}, 126, "not asked: expected a URL like")
	}
	server.Close()
	s.wantAnswer(get("/health"), 1, "connection refused")
	entries := got(s.Audit.Read())(t)
	if first, last := entries[0], entries[len(entries)-2]; first.Tool != "get" || first.Decision != "allow" || *first.Exit != 0 || first.Command != "claudeops get "+server.URL+"/health" ||
		last.Decision != "deny" || *last.Exit != 126 {
		t.Errorf("recorded %+v and %+v", first, last)
	}
}

func TestQueryOfAService(t *testing.T) {
	s := asking(t, `services: [{name: shop}, {name: cache, aliases: [redis], query: {database: "redis://127.0.0.1:1"}}]`)
	ask := func(service, statement string) []string { return []string{"query", service, statement} }
	s.wantAnswer([]string{"query", "shop"}, 126, "claudeops: expected query SERVICE STATEMENT")
	s.wantAnswer(ask("shop", " "), 126, "claudeops: expected query SERVICE STATEMENT")
	s.wantAnswer(ask("none", "SELECT 1"), 126, `claudeops: the services file does not name "none"`)
	s.wantAnswer(ask("shop", "SELECT 1"), 126, "no account for questions to shop: the operator adds `query: {database: URL, password_env: NAME}`")
	s.wantAnswer(ask("redis", "PING"), 1, "connection refused")
	s.wantAnswer(ask("cache", `\dt`), 126, "commands of psql and mysql")
	entries := got(s.Audit.Read())(t)
	if e := entries[4]; e.Tool != "query" || e.Decision != "allow" || !slices.Equal(e.Services, []string{"cache"}) || e.Command != "claudeops query redis PING" {
		t.Errorf("recorded %+v", e)
	}
	if _, errs, exit := s.call("claudeops", "query", "shop", "SELECT", "1"); exit != 126 || !strings.Contains(errs, "no account for questions to shop") {
		t.Errorf("typed: %q, %d", errs, exit)
	}
	if _, errs, exit := s.call("claudeops", "logs"); exit != 126 || !strings.Contains(errs, "expected logs SERVICE [--lines N]") {
		t.Errorf("typed: %q, %d", errs, exit)
	}
}

// program puts a program into the PATH of a test, which prints lines and its own arguments.
func program(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

func TestLogsOfPrograms(t *testing.T) {
	for _, name := range []string{"docker", "journalctl", "kubectl"} {
		program(t, name, `echo "`+name+` $*"; echo one sesame; echo two >&2; echo three`)
	}
	s := asking(t, `services:
  - {name: shop, restart: {container: shop-web-1}}
  - {name: cron, restart: {unit: cron.service}}
  - {name: api, restart: {deployment: {name: api, namespace: prod}}}
  - {name: wiki, restart: {compose: {file: /srv/wiki, service: web}}}
  - {name: run, restart: {run: [again]}, checks: [{type: service, unit: run.service}]}
  - {name: bare}
`)
	s.Environ = []string{"PATH=" + os.Getenv("PATH")}
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return at }
	logs := func(service string, options ...string) []string { return append([]string{"logs", service}, options...) }
	s.wantAnswer(logs("shop"), 0, "docker logs --tail 100 shop-web-1\none [hidden]\ntwo\nthree\n")
	s.wantAnswer(logs("cron"), 0, "journalctl --quiet --unit cron.service --lines 100 --no-pager --output short-iso\n")
	s.wantAnswer(logs("api"), 0, "kubectl --namespace prod logs deployment/api --tail 100\n")
	s.wantAnswer(logs("wiki"), 0, "docker compose --project-directory /srv/wiki logs --no-color --tail 100 web\n")
	s.wantAnswer(logs("run"), 0, "--unit run.service")
	s.wantAnswer(logs("bare"), 126, "names no container, unit, deployment or `logs:` of bare")
	s.wantAnswer(logs("other"), 126, `does not name "other"`)
	s.wantAnswer(logs("shop", "--since", "90m", "-n", "2"), 0, "two\nthree\n")
	s.wantAnswer(logs("shop", "--since=90m", "--contains=e 90"), 0, "(no such line)")
	s.wantAnswer(logs("shop", "--since=90m", "--contains=docker"), 0, "docker logs --tail 50000 --since 2026-11-30T07:30:00Z shop-web-1\n")
	s.wantAnswer(logs("shop", "--contains=sesame"), 0, "(no such line)") // a search must not tell what is masked
	s.wantAnswer(logs("shop", "--since=yesterday"), 126, `since is "yesterday"; expected a duration`)
	s.wantAnswer(logs("shop", "--lines=5001"), 126, "lines is 5001; expected 1 to 5000")
	if out, _, exit := s.call("claudeops", "logs", "cron", "-n", "1", "--since", "2026-11-30 08:00"); exit != 0 || out != "three\n" {
		t.Errorf("typed: %q, %d", out, exit)
	}
	program(t, "docker", "echo no such container; exit 3")
	s.wantAnswer(logs("shop"), 1, "no such container\nclaudeops: docker ended with Exit code 3\n")
}

func TestLogsWithoutAServicesFileAreOfAUnit(t *testing.T) {
	program(t, "journalctl", `echo "$*"`)
	s := asking(t, "")
	s.Environ = []string{"PATH=" + os.Getenv("PATH"), "DOCKER_HOST=unix://" + t.TempDir() + "/none"}
	s.wantAnswer([]string{"logs", "cron"}, 0, "--unit cron --lines")
}

func TestLogFilesAreCutAndReadInTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.log")
	s := asking(t, "services: [{name: shop, logs: ['"+path+"']}]")
	q := []string{"claudeops", "logs", "shop", "--contains", "x"}
	must(t, os.WriteFile(path, []byte(strings.Repeat("x", 16<<20)+"\n"+strings.Repeat("more\n", 300)), 0o644))
	s.wantAnswer(q[1:], 0, "(no such line)")
	open := s.Open
	ctx, cancel := context.WithCancelCause(t.Context())
	s.Open = func(of context.Context, path string) (*os.File, error) {
		cancel(errors.New("its time is over"))
		return open(of, path)
	}
	var out bytes.Buffer
	if exit, err := broker.New(s.Settings).Call(ctx, "toolu_1", "/", q, nil, &out); err != nil || exit != 1 || !strings.Contains(out.String(), "its time is over") {
		t.Errorf("%d, %v: %s", exit, err, out.String())
	}
}

func TestLogFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, age time.Duration) {
		path := filepath.Join(dir, name)
		at := time.Now().Add(-age)
		must(t, errors.Join(os.WriteFile(path, []byte(text), 0o644), os.Chtimes(path, at, at)))
	}
	write("shop.log", "new one\nnew two sesame\n", time.Minute)
	write("shop.log.1", "old one\nold two\n", time.Hour)
	write("shop.log.2.gz", "packed", 2*time.Hour)
	write("error.log", "no end", 3*time.Hour)
	write("closed.log", "closed", 2*time.Minute)
	s := asking(t, "services: [{name: shop, logs: ['"+dir+"/*.log*']}]")
	q := []string{"logs", "shop", "--lines=3"}
	all := "==> " + dir + "/shop.log <==\nnew one\nnew two [hidden]\n(rotated: " + dir + "/shop.log.1 and " + dir + "/shop.log.2.gz)\n"
	s.wantAnswer(q, 1, all, "==> "+dir+"/error.log <==\nno end\n", "closed.log may not be read: it is closed")
	if _, text := s.asks(q...); !strings.HasPrefix(text, all) {
		t.Errorf("the newest is not the first: %s", text)
	}
	must(t, os.Remove(filepath.Join(dir, "closed.log")))
	if exit, text := s.asks("logs", "shop", "--since=30m"); exit != 0 || text != "==> "+dir+"/shop.log <==\nnew one\nnew two [hidden]\n" {
		t.Errorf("since: %d %q", exit, text)
	}
	s.wantAnswer(append(q, "--contains=one"), 0, "<==\nnew one\n(rotated: ")
	write("shop.log-error", "another log\n", time.Minute)
	if _, text := s.asks("logs", "shop"); strings.Contains(text, "shop.log-error)") {
		t.Errorf("another log is a rotated one: %s", text)
	}
}
