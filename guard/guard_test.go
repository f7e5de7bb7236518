package guard

import (
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/statefile"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// typed is a call as a person types it in /repos.
func typed(t *testing.T, text string) Call {
	t.Helper()
	steps, err := (&judge{world: argvWorld(t, 1)}).readRemote(text)
	must(t, err)
	if len(steps) != 1 {
		t.Fatalf("%s is no single call", text)
	}
	return Call{Argv: steps[0].words, Dir: "/repos"}
}

// What each tier may do, whatever its prompt says.
func TestSPEC0016_TierPermissions(t *testing.T) {
	for text, lowest := range map[string]int{
		"docker ps": 1, "docker restart web": 2, "systemctl reload nginx": 2, "docker compose -f /repos/shop/compose.yaml up -d --force-recreate": 3, "docker volume rm data": 4,
		"rm /var/log/shop/app.log.1": 4, "ssh db1 'systemctl restart postgresql.service'": 2,
	} {
		for tier := 1; tier <= 3; tier++ {
			w := argvWorld(t, tier)
			if v := JudgeArgv(w, typed(t, text)); v.Allow != (tier >= lowest) {
				t.Errorf("Tier %d, %s: granted is %v; %s", tier, text, v.Allow, v.Reason)
			}
			w.DryRun = true
			if v := JudgeArgv(w, typed(t, text)); v.Allow != (lowest == 1) {
				t.Errorf("dry run, Tier %d, %s: granted is %v; %s", tier, text, v.Allow, v.Reason)
			}
		}
	}
}

// One refused part refuses the whole call, in any position.
func TestOneRefusedPartRefusesAll(t *testing.T) {
	for _, text := range []string{"uptime; docker volume rm x", "docker volume rm x && uptime", "uptime | docker volume rm x", "docker volume rm x || uptime"} {
		if v := JudgeArgv(argvWorld(t, 3), Call{Argv: []string{"ssh", "db1", text}, Dir: "/repos"}); v.Allow || !strings.Contains(v.Reason, "never allowed") {
			t.Errorf("%s: granted is %v, %s", text, v.Allow, v.Reason)
		}
	}
}

// A grant reserves every service and every repetition, and the steps of one remediation once.
func TestSPEC0007_REQ7_Remediations(t *testing.T) {
	for text, want := range map[string]string{
		"docker ps":              "",
		"docker restart web":     "restart web",
		"docker restart web api": "restart web, restart api",
		"docker compose -f /repos/shop/compose.yaml up -d":                                                   "restart shop",
		"ssh db1 'docker restart web; docker restart web'":                                                   "restart web, restart web",
		"ssh db1 'docker stop web && docker start web'":                                                      "restart web",
		"ssh db1 'systemctl stop nginx; systemctl start nginx; systemctl stop nginx; systemctl start nginx'": "restart nginx, restart nginx",
	} {
		v := JudgeArgv(argvWorld(t, 3), typed(t, text))
		var got []string
		for _, r := range v.Remediations() {
			got = append(got, string(r.Action)+" "+r.Service)
		}
		if !v.Allow || strings.Join(got, ", ") != want {
			t.Errorf("%s: %v %q, want %q; %s", text, v.Allow, got, want, v.Reason)
		}
	}
}

func TestAHiddenExitStatusIsTold(t *testing.T) {
	for text, hidden := range map[string]bool{
		"docker restart web": false, "docker restart web && docker ps": false, "uptime && docker restart web": false,
		"docker restart web; docker ps": true, "docker restart web | cat": true, "docker restart web || true": true,
	} {
		v := JudgeArgv(argvWorld(t, 2), Call{Argv: []string{"ssh", "db1", text}, Dir: "/repos"})
		if len(v.Remediations()) != 1 {
			t.Errorf("%s: %+v", text, v)
		}
		for _, r := range v.Remediations() {
			if r.Action != statefile.Restart || strings.Contains(r.Detail, "hidden") != hidden {
				t.Errorf("%s: %+v, want hidden %v", text, r, hidden)
			}
		}
	}
}

func TestTooMuchIsRefused(t *testing.T) {
	for name, argv := range map[string][]string{
		"nothing":  nil,
		"no name":  {""},
		"words":    slices.Repeat([]string{"docker"}, maxArguments+1),
		"long":     {"docker", "ps", "--filter", strings.Repeat("x", maxArgument)},
		"no text":  {"docker", "ps", "\xff"},
		"NUL":      {"docker", "ps", "a\x00b"},
		"nested":   append(slices.Repeat([]string{"timeout", "1"}, 500), "docker", "ps"),
		"steps":    {"ssh", "db1", strings.Repeat("docker restart web;", 7000)},
		"folders":  {"ssh", "db1", "cat " + strings.Repeat("/a", maxFolders+1)},
		"patterns": {"ssh", "db1", "cat " + strings.Repeat("/a*", 20_000)},
	} {
		if v := JudgeArgv(argvWorld(t, 3), Call{Argv: argv, Dir: "/repos"}); v.Allow || v.Reason == "" {
			t.Errorf("%s: granted is %v; %s", name, v.Allow, v.Reason)
		}
	}
	if v := JudgeArgv(argvWorld(t, 3), Call{Argv: []string{"docker", "ps"}}); v.Allow {
		t.Error("a call from nowhere is granted")
	}
}

func TestCommandLine(t *testing.T) {
	argv := []string{"docker", "exec", "shop-db-1", "sh", "-c", "grep 'a b' /x | head", "", "a\nb\x1b", "\xff", "\x00"}
	if got, want := CommandLine(argv), `docker exec shop-db-1 sh -c "grep 'a b' /x | head" '' $'a\nb\x1b' $'\xff' "\x00"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
