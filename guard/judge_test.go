package guard

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"mvdan.cc/sh/v3/syntax"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/testkit/need"
)

// judgedInventory is the services file of judgedWorld.
const judgedInventory = `
services:
  - name: shop
    aliases: [shop-web-1, shop.service]
    ssh: shop.example.org
    checks:
      - {type: http, url: "http://127.0.0.1:8080/health"}
      - {type: http, url: "https://www.example.org/cart?probe=1"}
  - name: shop-db
    aliases: [shop-db-1, postgresql.service, postgresql@16-main.service]
    ssh: db1
  - name: replica
    aliases: [postgres-replica]
    ssh: db2.example.org
  - name: nginx
    aliases: [nginx.service]
    checks:
      - {type: http, url: "https://www.example.org/"}
`

// judgedWorld judges as in a machine with a services file, and a few containers.
func judgedWorld(t testing.TB) *Guard {
	t.Helper()
	inv, err := inventory.Parse([]byte(judgedInventory))
	must(t, err)
	return &Guard{Table: BuiltIn(), ReposDir: "/repos", Inventory: inv, Reports: func(host string) bool {
		return slices.Contains([]string{"web", "api", "db", "shop", "shop-web", "10.0.3.7", "fd00::7", "192.0.2.53"}, host)
	}}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestCalls judges every row of testdata/argv/*.txt: VERDICT  CALL. A call is written as typed, or as a JSON array, after `cd FOLDER &&` if it
// is not made in /repos.
func TestCalls(t *testing.T) {
	files, err := filepath.Glob("testdata/argv/*.txt")
	must(t, err)
	g, rows := judgedWorld(t), 0
	for _, file := range files {
		eachCall(t, file, func(at, want string, argv []string, dir string) {
			rows++
			if got, reason := verdictOf(g, argv, dir); got != want {
				t.Errorf("%s: `%s`: %s, want %s; %s", at, CommandLine(argv), got, want, reason)
			}
		})
	}
	if rows < 3500 {
		t.Errorf("the tables have %d rows, want 3500 at least", rows)
	}
}

// verdictOf returns what becomes of a call, and why.
func verdictOf(g *Guard, argv []string, dir string) (verdict, reason string) {
	if _, meant := Typed(argv); meant {
		return "verb", ""
	}
	v := g.Judge(argv, dir)
	switch {
	case v.Allow:
		return "look", ""
	case v.Sandbox:
		return "sandbox", v.Reason
	}
	return "refused", v.Reason
}

// eachCall reads a table.
func eachCall(t *testing.T, file string, row func(at, verdict string, argv []string, dir string)) {
	t.Helper()
	f, err := os.Open(file)
	must(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		verdict, call, _ := strings.Cut(line, "  ")
		dir := "/repos"
		if rest, moved := strings.CutPrefix(call, "cd "); moved {
			dir, call, _ = strings.Cut(rest, " && ")
		}
		argv, literal := typed(call)
		if call[0] == '[' {
			literal = json.Unmarshal([]byte(call), &argv) == nil
		}
		if !literal {
			t.Errorf("%s:%d: the call cannot be read", file, n)
			continue
		}
		row(fmt.Sprintf("%s:%d", file, n), verdict, argv, dir)
	}
	must(t, lines.Err())
}

// typed returns the words of one command as typed.
func typed(text string) (words []string, literal bool) {
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil || len(file.Stmts) != 1 {
		return nil, false
	}
	call, is := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !is {
		return nil, false
	}
	return literals(call)
}

// A shell takes each word that is quoted for it as it was.
func TestWordsForAShellElsewhere(t *testing.T) {
	words := []string{"", "a b", "it's", `"$HOME" \ $(id) ` + "`id`", "*", "new\nline", "~", "-n", "é"}
	out, err := exec.Command("sh", "-c", "printf '<%s>' "+strings.Join(quotedWords(words), " ")).Output()
	if want := "<" + strings.Join(words, "><") + ">"; err != nil || string(out) != want {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
	for text, want := range map[string]string{
		"df -h | grep -v tmpfs; uptime":      "'df' '-h' | 'grep' '-v' 'tmpfs'; 'uptime'",
		"ls /srv 2>/dev/null && echo 'a  b'": "'ls' '/srv' 2>/dev/null && 'echo' 'a  b'",
		"cat /proc/loadavg 2>&1 || true":     "'cat' '/proc/loadavg' 2>&1 || 'true'",
		"docker ps >/dev/null":               "'docker' 'ps' >/dev/null",
		"uptime > /tmp/x":                    "",
		"uptime >& 3":                        "",
		"cat < /etc/hosts":                   "",
		"echo $HOME":                         "",
		"echo `id`":                          "",
		"ls /srv/*":                          "",
		"for i in 1 2; do uptime; done":      "",
		"uptime &":                           "",
		"A=1 uptime":                         "",
		"uptime; rm -r /srv":                 "",
		"(uptime)":                           "",
		"echo \"a\\$b\"":                     "",
		"cat <<E\nx\nE":                      "",
		"docker exec web sh -c 'ls /app | head -1'":  `'docker' 'exec' 'web' 'sh' '-c' ''\''ls'\'' '\''/app'\'' | '\''head'\'' '\''-1'\'''`,
		"docker exec web sh -c 'docker exec a ls /'": "",
	} {
		v := judgedWorld(t).Judge([]string{"ssh", "db1", text}, "/repos")
		got := ""
		if v.Allow {
			got = v.Argv[len(v.Argv)-1]
		}
		if got != want {
			t.Errorf("%s: %s, want %s; %s", text, got, want, v.Reason)
		}
	}
}

// What git prints of a repository holds no file of a closed name, in no revision, and runs nothing that the repository or the user's
// settings name.
func TestGitLeavesClosedNamesOut(t *testing.T) {
	need.Full(t, "git")
	repo := t.TempDir()
	git := func(words ...string) string {
		cmd := exec.Command("git", words...)
		cmd.Dir = repo
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", words, err, out)
		}
		return string(out)
	}
	git("init", "-q", "-b", "main")
	for _, folder := range []string{"web", "secrets"} {
		must(t, os.Mkdir(filepath.Join(repo, folder), 0o755))
	}
	for name, text := range map[string]string{".env": "closed-1", "web/tls.key": "closed-2", "secrets/db": "closed-3", "web/database.yml.bak": "closed-4", "web/app.yaml": "open-1", "README.md": "open-2"} {
		must(t, os.WriteFile(filepath.Join(repo, name), []byte(text+"\n"), 0o644))
	}
	git("add", "-A")
	git("-c", "user.name=o", "-c", "user.email=o@example.org", "commit", "-qm", "one")
	hash := strings.TrimSpace(git("rev-parse", "HEAD:.env"))
	git("-c", "user.name=o", "-c", "user.email=o@example.org", "commit", "-q", "--allow-empty", "-m", "deployed")
	git("rm", "-q", ".env")
	git("config", "core.fsmonitor", "touch "+repo+"/ran; false")
	must(t, os.WriteFile(filepath.Join(repo, "README.md"), []byte("open-3\n"), 0o644))
	g := &Guard{Table: BuiltIn(), ReposDir: repo}
	for command, want := range map[string][]string{
		"git log -p":                               {"open-1", "open-2"},
		"git log -p --stat main":                   {"open-1", "open-2"},
		"git log --oneline":                        {"deployed", "one"},
		"git log -1 --oneline -- README.md":        {"one"},
		"git log -1 --oneline README.md":           {"one"},
		"git show":                                 {"deployed"},
		"git show HEAD^":                           {"open-1", "open-2"},
		"git show HEAD^ -- web":                    {"open-1"},
		"git show HEAD^ web":                       {"open-1"},
		"git show HEAD:web/app.yaml":               {"open-1"},
		"git diff":                                 {"open-3"},
		"git diff HEAD":                            {"open-3"},
		"git show --stat HEAD^":                    {"app.yaml", "README.md"},
		"git -C web log -p":                        {"open-1", "open-2"},
		"git status --short":                       {"README.md"},
		"git blame web/app.yaml":                   {"open-1"},
		"git show " + hash:                         {},
		"git show HEAD:.env":                       nil,
		"git diff --no-index /etc/passwd x":        nil,
		"git log --output=x":                       nil,
		"git -c core.pager=id log":                 nil,
		"git blame .env":                           nil,
		"git log -p --follow -- .":                 nil,
		"git log -p --pretty -- --pretty .env x,y": nil,
		"git log -L1,1:.env HEAD":                  nil,
	} {
		v := g.Judge(strings.Fields(command), repo)
		if v.Allow != (want != nil) {
			t.Errorf("%s: granted: %v; %s", command, v.Allow, v.Reason)
		}
		if !v.Allow {
			continue
		}
		cmd := exec.Command(v.Argv[0], v.Argv[1:]...)
		cmd.Dir, cmd.Env = repo, append(os.Environ(), v.Env...)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(string(out), "closed-") || slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(string(out), w) }) {
			t.Errorf("%s: %v: %s", command, err, out)
		}
	}
	if _, err := os.Lstat(filepath.Join(repo, "ran")); err == nil {
		t.Error("git ran what the repository's settings name")
	}
}

func TestTheOperatorsLines(t *testing.T) {
	table, err := BuiltIn().With([]byte(`
programs:
  plainctl:
  appctl: {list: , dump: 'need:--dry --dry -n=NUM NAME?'}
  docker: {scout: NAME}
far:
  appctl: {list: ''}
hosts: [sonarr.example.org]
urls: ['8989/api/v3/(?:health|queue)']
open: [/data/media/*.nfo]
`))
	must(t, err)
	g := judgedWorld(t)
	g.Table = table
	for command, want := range map[string]bool{
		"plainctl": true, "plainctl x": false, "appctl list": true, "appctl dump --dry -n 5 x": true, "appctl dump": false, "appctl drop": false, "docker scout web": true, "docker ps": true,
		"docker rm web": false, "ssh db1 appctl list": true, "ssh db1 appctl dump --dry": true,
		"curl http://sonarr.example.org:8989/api/v3/health": true, "curl http://sonarr.example.org:8989/api/v3/command": false,
		"curl http://radarr.example.org:8989/api/v3/health": false,
	} {
		if v := g.Judge(strings.Fields(command), "/repos"); v.Allow != want {
			t.Errorf("%s: %v; %s", command, v.Allow, v.Reason)
		}
	}
	if !slices.Contains(table.Names(), "appctl") || slices.Contains(BuiltIn().Names(), "appctl") || !slices.Equal(table.Open, []string{"/data/media/*.nfo"}) {
		t.Errorf("%q, %q", table.Names(), table.Open)
	}
	for content, want := range map[string]string{
		"programs:\n  a:\n    b: '/[/'\n":  "line 3: \"/[/\": ",
		"programs:\n  a: '-n=/(/'":         "line 2: ",
		"urls: ['(']":                      "urls: ",
		"open: [data]":                     "open: \"data\"; must be a path from the root",
		"kinds: {X: [y]}":                  "kinds and parts are the built-in table's",
		"programs: {a: -n=NUMBER}":         "NUMBER is no kind",
		"programs: {a: '@dcoker compose'}": "line 1: @dcoker compose: there is no such program",
		"programs: {a: {all: [-n]}}":       "all is one text",
		"programs: {a: {else: sandbx}}":    "must be sandbox",
		"program: {}":                      "line 1: field program not found",
	} {
		if _, err := BuiltIn().With([]byte(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}

func TestTheBuiltInLinesCanBeRead(t *testing.T) {
	for _, section := range []map[string][]*rule{BuiltIn().programs, BuiltIn().far} {
		for name, rules := range section {
			for _, r := range rules {
				if err := BuiltIn().check(r, ""); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add("docker\x00exec\x00web\x00sh\x00-c\x00ls | head")
	f.Add("ssh\x00db1\x00cat /etc/hosts; docker ps --format '{{json .}}'")
	f.Add("git\x00-C\x00/repos\x00log\x00--\x00x")
	f.Add("curl\x00-sS\x00http://127.0.0.1:8080/health?x=1")
	g := judgedWorld(f)
	f.Fuzz(func(t *testing.T, call string) {
		argv := strings.Split(call, "\x00")
		v := g.Judge(argv, "/repos")
		switch {
		case v.Allow && (v.Reason != "" || len(v.Argv) == 0 || g.Table.programs[v.Argv[0]] == nil):
			t.Errorf("%q: %+v", argv, v)
		case !v.Allow && (v.Reason == "" || v.Argv != nil):
			t.Errorf("%q: %+v", argv, v)
		}
	})
}

// The policy that docs/agents.md shows is one.
func TestThePolicyOfTheDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/agents.md")
	must(t, err)
	_, rest, shown := strings.Cut(string(page), "```yaml\n")
	example, _, ended := strings.Cut(rest, "```")
	table, err := BuiltIn().With([]byte(example))
	if err != nil || !shown || !ended || len(table.Open) == 0 || len(table.urls) == len(BuiltIn().urls) {
		t.Errorf("%v in\n%s", err, example)
	}
}
