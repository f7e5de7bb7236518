package guard

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"mvdan.cc/sh/v3/syntax"

	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/statefile"
)

func call(t testing.TB, members map[string]any) jsontext.Value {
	t.Helper()
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// What each tier may do, whatever its prompt says.
func TestSPEC0016_TierPermissions(t *testing.T) {
	for command, lowest := range map[string]int{
		"docker ps": 1, "docker restart web": 2, "systemctl reload nginx": 2, "docker compose -f /repos/shop/compose.yaml up -d --force-recreate": 3, "docker volume rm data": 4,
	} {
		for tier := 1; tier <= 3; tier++ {
			w := tableWorld(t, tier)
			if v := w.Shell(command); v.Allow != (tier >= lowest) {
				t.Errorf("Tier %d, %s: granted is %v; %s", tier, command, v.Allow, v.Reason)
			}
			w.DryRun = true
			if v := w.Shell(command); v.Allow != (lowest == 1) {
				t.Errorf("dry run, Tier %d, %s: granted is %v; %s", tier, command, v.Allow, v.Reason)
			}
		}
	}
}

// One refused part refuses the whole command, wherever it stands.
func TestOneRefusedPartRefusesAll(t *testing.T) {
	for _, form := range []string{"%s; docker volume rm x", "docker volume rm x && %s", "%s | docker volume rm x", "echo $(docker volume rm x); %s", "if %s; then docker volume rm x; fi"} {
		if v := tableWorld(t, 3).Shell(fmt.Sprintf(form, "docker ps")); v.Allow || !strings.Contains(v.Reason, "never allowed") {
			t.Errorf("%s: granted is %v, %s", form, v.Allow, v.Reason)
		}
	}
}

// What a grant has to reserve: every service, every repetition, and the steps of one remediation once.
func TestSPEC0007_REQ7_Remediations(t *testing.T) {
	for command, want := range map[string]string{
		"docker ps":                                                     "",
		"docker restart web":                                            "restart web",
		"docker restart web api":                                        "restart web, restart api",
		"docker restart web; docker restart web":                        "restart web, restart web",
		"docker stop web && docker start web":                           "restart web",
		"cd /repos/shop && docker compose up -d":                        "restart shop",
		"cd /repos/shop && docker compose pull && docker compose up -d": "redeployment shop",
		"docker compose -f /repos/shop/compose.yaml down; docker compose -f /repos/shop/compose.yaml up -d":                       "redeployment shop",
		"docker compose -f /repos/shop/compose.yaml down; docker compose -f /repos/shop/compose.yaml up -d; docker restart redis": "redeployment shop, restart redis",
		"docker compose -f /repos/shop/compose.yaml up -d --build && docker compose -f /repos/shop/compose.yaml up -d --build":    "redeployment shop, redeployment shop",
		"systemctl stop nginx; systemctl start nginx; systemctl stop nginx; systemctl start nginx":                                "restart nginx, restart nginx",
	} {
		v := tableWorld(t, 3).Shell(command)
		var got []string
		for _, r := range v.Remediations() {
			got = append(got, string(r.Action)+" "+r.Service)
		}
		if !v.Allow || strings.Join(got, ", ") != want {
			t.Errorf("%s: %v %q, want %q; %s", command, v.Allow, got, want, v.Reason)
		}
	}
}

func TestAHiddenExitStatusIsTold(t *testing.T) {
	for command, hidden := range map[string]bool{
		"docker restart web": false, "docker restart web && docker ps": false, "cd /repos && docker restart web": false,
		"docker restart web; docker ps": true, "docker restart web | cat": true, "docker restart web || true": true, "! docker restart web": true,
	} {
		for _, r := range tableWorld(t, 2).Shell(command).Remediations() {
			if r.Action != statefile.Restart || strings.Contains(r.Detail, "hidden") != hidden {
				t.Errorf("%s: %+v, want hidden %v", command, r, hidden)
			}
		}
	}
}

func joined(t *testing.T, p, own *policy.Policy) *policy.Policy {
	t.Helper()
	p, err := p.Join(own)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTools(t *testing.T) {
	state := "/state"
	for _, c := range []struct {
		tool  string
		input map[string]any
		tier  int // the lowest that is granted it; 0 is none
	}{
		{"Bash", map[string]any{"command": "docker ps", "description": "list"}, 1},
		{"Bash", map[string]any{"command": "docker restart web"}, 2},
		{"Bash", map[string]any{"command": "docker restart web", "run_in_background": true}, 0},
		{"Bash", map[string]any{"command": "docker logs -f web", "run_in_background": true}, 1},
		{"Bash", map[string]any{}, 0},
		{"Bash", map[string]any{"command": 7}, 0},
		{"Read", map[string]any{"file_path": "/repos/compose.yaml"}, 1},
		{"Read", map[string]any{"file_path": "/etc/shadow"}, 0},
		{"Read", map[string]any{"file_path": "/repos/../etc/shadow"}, 0},
		{"Read", map[string]any{"file_path": state + "/run/session-7-x/key"}, 0},
		{"Read", map[string]any{"file_path": state + "/run/session-7-x/tmp/out.txt"}, 1},
		{"Grep", map[string]any{"pattern": "image", "path": "/repos"}, 1},
		{"Grep", map[string]any{"pattern": "image"}, 1},
		{"Grep", map[string]any{"pattern": "root", "path": "/etc"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "/repos", "glob": "../../etc/*"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "/repos/.env", "glob": "*.md"}, 0}, // patterns do not hold for a file that is named
		{"Grep", map[string]any{"pattern": ".", "path": "/etc/shadow", "glob": "*.md"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "/proc/self/environ", "glob": "*.md"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": state + "/claudeops.db", "glob": "*.md"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "/etc", "glob": "hostname shadow"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "/etc", "glob": "*.md\tshadow"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "/etc", "glob": "hostname,shadow"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "~"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "~/", "glob": "hello"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": " /root"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "/repos "}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "\ufeff/repos"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": " "}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": ""}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "/repos/a\x00b"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "/repos/a\u200b"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "file:/etc/shadow"}, 0},
		{"Grep", map[string]any{"pattern": ".", "path": "/repos/shop", "glob": "*.md *.yaml"}, 1},
		{"Read", map[string]any{"file_path": "~/.ssh/id_rsa"}, 0},
		{"Read", map[string]any{"file_path": " /etc/shadow"}, 0},
		{"Read", map[string]any{"file_path": "/etc/hostname\n"}, 0},
		{"Read", map[string]any{"file_path": "/dev/md0"}, 0},
		{"Read", map[string]any{}, 0},
		{"Write", map[string]any{"file_path": "~/x", "content": ""}, 0},
		{"Write", map[string]any{"file_path": " " + state + "/handoff.json", "content": ""}, 0},
		{"Write", map[string]any{"content": ""}, 0},
		{"Glob", map[string]any{"pattern": "*", "path": "~"}, 0},
		{"Bash", map[string]any{"command": "docker restart web", "timeout": 1}, 0},
		{"Bash", map[string]any{"command": "docker restart web", "timeout": 120000}, 2},
		{"Bash", map[string]any{"command": "docker ps", "timeout": 1}, 1},
		{"Glob", map[string]any{"pattern": "**/*compose*.y*ml"}, 1},
		{"Glob", map[string]any{"pattern": "../**"}, 0},
		{"Write", map[string]any{"file_path": state + "/handoff.json", "content": "{}"}, 1},
		{"Write", map[string]any{"file_path": state + "/cooldown.json", "content": "{}"}, 0},
		{"Write", map[string]any{"file_path": "/repos/x", "content": ""}, 0},
		{"Edit", map[string]any{"file_path": state + "/handoff.json"}, 0},
		{"Task", map[string]any{"prompt": "restart everything"}, 0},
		{"WebFetch", map[string]any{"url": "http://127.0.0.1/"}, 0},
		{"mcp__docker__restart", map[string]any{"name": "web"}, 0},
		{"mcp__metrics__query", map[string]any{}, 1},
		{"mcp__nginx__reload", map[string]any{}, 2},
		{"mcp__docker__up", map[string]any{}, 0},
	} {
		for tier := 1; tier <= 3; tier++ {
			w := tableWorld(t, tier)
			w.Policy = joined(t, w.Policy, &policy.Policy{MCP: []policy.Tool{{Name: "mcp__metrics__query", Do: "observe"}, {Name: "mcp__nginx__reload", Do: "change"}, {Name: "mcp__docker__up", Do: "restart"}}})
			v := w.Judge(c.tool, call(t, c.input))
			if want := c.tier != 0 && tier >= c.tier; v.Allow != want || !v.Allow && v.Reason == "" {
				t.Errorf("Tier %d, %s %v: granted is %v, want %v; %s", tier, c.tool, c.input, v.Allow, want, v.Reason)
			}
		}
	}
}

// Links, patterns and folders are looked up: what they lead to counts.
func TestFilesAreLookedUp(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"app/compose.yaml": "services: {}", "app/.env": "A=1", "app/app.log": "x", "plain/a.conf": "x"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	scratch := filepath.Join(dir, "scratch")
	for _, err := range []error{os.Symlink("/etc/shadow", filepath.Join(dir, "plain/link.conf")), os.Mkdir(scratch, 0o700), os.Symlink("/etc", filepath.Join(scratch, "out"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	w := tableWorld(t, 3)
	w.Hypothetical, w.Cwd, w.ReposDir, w.Scratch = false, dir, dir, scratch
	for command, granted := range map[string]bool{
		"cat app/compose.yaml":                     true,
		"cat app/.env":                             false,
		"cat plain/link.conf":                      false,
		"cat plain/*.conf":                         false,
		"cat app/*":                                true, // a pattern does not mean names that begin with a dot
		"grep -r image app":                        false,
		"grep image app/*.yaml":                    true,
		"docker compose -f app/compose.yaml up -d": true,
		"docker compose -f app/missing.yaml up -d": false,
		"docker compose -f scratch/x.yaml up -d":   false,
		"echo x > scratch/x":                       true,
		"echo x > scratch/out/x":                   false,
		"echo x > app/x":                           false,
	} {
		if v := w.Shell(command); v.Allow != granted {
			t.Errorf("%s: granted is %v; %s", command, v.Allow, v.Reason)
		}
	}
}

// A project counts under the name that its file gives it, whatever its folder is called.
func TestComposeProjectsAreCountedByTheirName(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"app/compose.yaml": "name: 'shop' # the shop\nservices: {}", "env/compose.yaml": "services: {}", "env/.env": "COMPOSE_PROJECT_NAME=blog\n", "plain/compose.yaml": "services: {}"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := tableWorld(t, 2)
	w.Hypothetical, w.Cwd, w.ReposDir = false, dir, dir
	for command, want := range map[string]string{
		"docker compose -f app/compose.yaml restart":                          "shop",
		"cd app && docker compose restart":                                    "shop",
		"docker compose -f env/compose.yaml restart":                          "blog",
		"docker compose -f plain/compose.yaml restart":                        "plain",
		"docker compose -f app/compose.yaml --project-directory /etc restart": "",
	} {
		var got []string
		for _, r := range w.Shell(command).Remediations() {
			got = append(got, r.Service)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s counts as %q, want %q; %s", command, got, want, w.Shell(command).Reason)
		}
	}
}

func TestTooMuchIsRefused(t *testing.T) {
	for name, command := range map[string]string{
		"long":      "echo " + strings.Repeat("x", maxCommand),
		"deep":      strings.Repeat("$(", 3000) + "id" + strings.Repeat(")", 3000),
		"subshells": strings.Repeat("( ", 3000) + "id" + strings.Repeat(" )", 3000),
		"many":      strings.Repeat(":;", maxSteps),
		"unrolled":  "for a in {1..99}; do for b in {1..99}; do for c in {1..99}; do id; done; done; done",
		"braces":    "echo {1..100000}{1..100000}",
		"doubling":  "a=xxxxxxxxxxxxxxxx;" + strings.Repeat("a=$a$a;", 60) + "cat $a",
		"blocks":    strings.Repeat("{ ", 30_000) + "id" + strings.Repeat("; }", 30_000),
		"defaults":  "echo " + strings.Repeat("${x:-", 20_000) + strings.Repeat("}", 20_000),
		"copies":    "x=" + strings.Repeat("x", 60_000) + ";echo" + strings.Repeat(" $x$x", 3000),
		"trims":     "x=" + strings.Repeat("a", 60_000) + ";echo" + strings.Repeat(" ${x%%*a*b}", 2000),
		"options":   "docker ps" + strings.Repeat(" --filter x", 9_000),
		"pattern":   "cat " + strings.Repeat("/a*", 20_000),
		"folders":   "cat " + strings.Repeat("/a", 41),
		"recursion": "f() { f; f; }; f",
		"nested":    strings.Repeat("bash -c 'bash -c \"", 1) + strings.Repeat("timeout 1 ", 500) + "id\"'",
	} {
		if v := tableWorld(t, 3).Shell(command); v.Allow {
			t.Errorf("%s: granted", name)
		}
	}
}

func TestPolicyIsGenerated(t *testing.T) {
	data, err := os.ReadFile("policy/policy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	written, err1 := json.Marshal(p, json.Deterministic(true))
	built, err2 := json.Marshal(policy.Embedded(), json.Deterministic(true))
	if err1 != nil || err2 != nil || string(written) != string(built) {
		t.Errorf("policy/embedded.go is not made from policy/policy.yaml: run go generate ./guard/policy (%v, %v)", err1, err2)
	}
}

// Whatever comes: no crash, and no grant for what the parser cannot read.
func FuzzShell(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if fields := strings.Fields(line); i%10 == 0 && len(fields) > 2 {
				f.Add(strings.Join(fields[2:], " "))
			}
		}
	}
	worlds := []World{tableWorld(f, 1), tableWorld(f, 2), tableWorld(f, 3)}
	f.Fuzz(func(t *testing.T, command string) {
		var granted []bool
		for _, w := range worlds {
			v := w.Shell(command)
			granted = append(granted, v.Allow)
			if v.Allow == (v.Reason != "") || len(v.Acts) == 0 {
				t.Errorf("%q: %+v", command, v)
			}
			if w.Tier == 1 && v.Allow && slices.ContainsFunc(v.Acts, func(a Act) bool { return a.Action != Observe }) {
				t.Errorf("%q: Tier 1 is granted more than observing: %+v", command, v)
			}
		}
		if granted[0] && !granted[1] || granted[1] && !granted[2] {
			t.Errorf("%q: a higher tier may less: %v", command, granted)
		}
		if _, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), ""); err != nil && slices.Contains(granted, true) {
			t.Errorf("%q cannot be parsed and is granted: %v", command, err)
		}
	})
}

func FuzzJudge(f *testing.F) {
	f.Add("Bash", []byte(`{"command":"docker ps"}`))
	f.Add("Read", []byte(`{"file_path":"/etc/shadow"}`))
	f.Add("Grep", []byte(`{"pattern":"x","path":"/"}`))
	w := tableWorld(f, 3)
	f.Fuzz(func(t *testing.T, tool string, input []byte) {
		if v := w.Judge(tool, input); v.Allow && !jsontext.Value(input).IsValid() {
			t.Errorf("%s %q is no JSON and is granted", tool, input)
		}
	})
}
