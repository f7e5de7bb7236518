package guard

import (
	"slices"
	"strings"
	"testing"
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

// A call only looks, whatever the tier: what changes something is done by a verb (SPEC-0016 tiers).
func TestSPEC0016_TierPermissions(t *testing.T) {
	for text, looks := range map[string]bool{
		"docker ps": true, "docker restart web": false, "systemctl reload nginx": false, "docker compose -f /repos/shop/compose.yaml up -d --force-recreate": false,
		"docker volume rm data": false, "rm /var/log/shop/app.log.1": false, "ssh db1 'systemctl restart postgresql.service'": false,
	} {
		for tier := 1; tier <= 3; tier++ {
			if v := JudgeArgv(argvWorld(t, tier), typed(t, text)); v.Allow != looks {
				t.Errorf("Tier %d, %s: granted is %v; %s", tier, text, v.Allow, v.Reason)
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
