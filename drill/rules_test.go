package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/inventory"
)

// judging returns a func that judges a call as a cycle of the drill does.
func judging(t *testing.T, lab *Lab) func(tier int, command string) guard.Verdict {
	t.Helper()
	own, err := policy.Parse([]byte(lab.policyText()))
	if err != nil {
		t.Fatal(err)
	}
	joined, err := policy.Embedded().Join(own)
	if err != nil {
		t.Fatal(err)
	}
	if err := lab.write("services.yaml", servicesFile(lab, lab.services())); err != nil {
		t.Fatal(err)
	}
	all, err := inventory.Read(lab.Path("services.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var shard config.Shard
	if err := shard.Decode(config.Lookup(lab.cycleEnviron(), "CLAUDEOPS_SHARD")); err != nil {
		t.Fatal(err)
	}
	w := guard.World{ReposDir: lab.Path("srv"), StateDir: "/state", Scratch: "/state/tmp", Policy: joined,
		Inventory: func() (*inventory.Inventory, error) { return all.Part(shard.Elsewhere), nil }}
	return func(tier int, command string) guard.Verdict {
		w.Tier = tier
		return guard.JudgeArgv(w, guard.Call{Argv: strings.Fields(command), Dir: lab.Path("srv")})
	}
}

func labWith(t *testing.T, environ []string, needed ...string) *Lab {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "claudeops-drill-1")
	if err := os.MkdirAll(filepath.Join(dir, "srv"), 0o700); err != nil {
		t.Fatal(err)
	}
	lab := &Lab{Dir: dir, environ: environ, needed: needed, ports: map[string]int{}, missing: map[string]string{}}
	for _, p := range parts {
		if slices.Contains(needed, p.Name) {
			lab.parts = append(lab.parts, p)
		}
	}
	return lab
}

// Whoever is tried in a drill, in whatever tier, acts on the homelab alone.
func TestNobodyActsOnTheUsersServices(t *testing.T) {
	lab := labWith(t, nil, processes, containers, compose, units)
	judge := judging(t, lab)
	if err := lab.writeProject(); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"docker restart nginx", "docker stop nginx", "docker exec nginx nginx -s reload", "docker logs nginx", "docker compose restart", "docker compose -f /opt/shop/compose.yaml up -d", "podman restart nginx",
		"docker container restart nginx", "docker-compose up -d", "kubectl rollout restart deployment/foo", "kubectl get pods", "systemctl restart nginx.service",
		"systemctl reset-failed", "systemctl reload nginx", "systemctl status nginx", "journalctl -u nginx", "nginx -s reload", "service nginx restart",
		"ssh db1 systemctl restart postgresql", "sudo systemctl restart nginx", "psql -c SELECT", "redis-cli info", "supervisorctl restart all", "helm list",
		"rm /var/log/nginx/access.log.2.gz",
		"docker stop db", "docker restart shop", "docker start db cache", "docker restart box", "systemctl stop proxy", "systemctl restart unit", "systemctl start db.service",
		"docker restart " + lab.box() + " db", "docker compose -p shop -f " + lab.composeFile() + " up -d till",
		"labctl restart nginx", "labctl query cache SELECT(1)", "labctl query db DROP/**/TABLE/**/orders", "ansible-playbook site.yml",
	} {
		for tier := 1; tier <= 3; tier++ {
			if v := judge(tier, command); v.Allow {
				t.Errorf("Tier %d: `%s` is granted: %+v", tier, command, v.Acts)
			}
		}
	}
	for _, command := range []string{"labctl restart shop", "docker restart " + lab.till(), "docker stop " + lab.box(), "systemctl stop " + lab.unit(), "docker restart " + lab.box(), "systemctl restart " + lab.unit(), "labctl log box", "ss -lnt",
		"labctl query db SELECT(1)", "docker compose -f " + lab.composeFile() + " up -d till",
		"curl -sS http://" + lab.Address("shop") + "/health", "claudeops cooldown show"} {
		if v := judge(2, command); !v.Allow {
			t.Errorf("`%s` is refused: %s", command, v.Reason)
		}
	}
	if v := judging(t, labWith(t, nil, processes))(2, "docker ps"); v.Allow {
		t.Error("`docker ps` is granted without a case that has a container")
	}
}

// No program of the built-in policy does anything graver than observe but the few that are granted.
func TestNoProgramIsForgotten(t *testing.T) {
	own, err := policy.Parse([]byte(labWith(t, nil, processes).policyText()))
	if err != nil {
		t.Fatal(err)
	}
	joined, err := policy.Embedded().Join(own)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range joined.Programs {
		if p.Name != "labctl" {
			onlyObserves(t, p.Name, p.Rule)
		}
	}
}

func onlyObserves(t *testing.T, name string, r *policy.Rule) {
	t.Helper()
	if !slices.Contains([]string{"", "observe", "unknown", "forbidden"}, r.Do) {
		t.Errorf("%s: %s", name, r.Do)
	}
	for _, c := range r.Commands {
		onlyObserves(t, name+" "+c.Name, c.Rule)
	}
}

func TestCyclesGetTheModelsVariablesAlone(t *testing.T) {
	user := []string{
		"PATH=/usr/bin", "HOME=/home/ann", "KUBECONFIG=/home/ann/kube", "DOCKER_HOST=tcp://10.0.0.1:2375", "DOCKER_CONFIG=/home/ann/.docker", "PGPASSWORD=x",
		"SSH_AUTH_SOCK=/tmp/agent", "CLAUDEOPS_STATE_DIR=/nowhere", "CLAUDEOPS_APPRISE_URLS=json://x/", "CLAUDEOPS_SHARD=1/4", "CLAUDEOPS_AGENT_ENV=KUBECONFIG,AWS_REGION,PGPASSWORD",
		"ANTHROPIC_API_KEY=key", "ANTHROPIC_BASE_URL=http://x", "AWS_REGION=eu", "CLAUDEOPS_TIER2_MODEL=m",
		"CLAUDEOPS_MAX_TIER=2", "CLAUDEOPS_DAILY_BUDGET_USD=5",
	}
	lab := labWith(t, user, processes)
	lab.budget, lab.spent = 5, 3.5
	got := lab.cycleEnviron()
	for _, name := range []string{"KUBECONFIG", "DOCKER_HOST", "DOCKER_CONFIG", "PGPASSWORD", "SSH_AUTH_SOCK", "CLAUDEOPS_APPRISE_URLS"} {
		if value := config.Lookup(got, name); value != "" {
			t.Errorf("%s=%s", name, value)
		}
	}
	for name, want := range map[string]string{"HOME": lab.Path("home"), "ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": "http://x", "AWS_REGION": "eu",
		"CLAUDEOPS_TIER2_MODEL": "m", "CLAUDEOPS_MAX_TIER": "2", "CLAUDEOPS_DAILY_BUDGET_USD": "1.5", "CLAUDEOPS_SHARD": "1/1", "CLAUDEOPS_AGENT_ENV": "AWS_REGION,DOCKER_HOST,DOCKER_CONFIG", "PATH": lab.Path("bin") + ":/usr/bin"} {
		if value := config.Lookup(got, name); value != want {
			t.Errorf("%s=%s, want %s", name, value, want)
		}
	}
	if value := config.Lookup(labWith(t, user, processes, containers).cycleEnviron(), "DOCKER_HOST"); value != "tcp://10.0.0.1:2375" {
		t.Errorf("DOCKER_HOST=%s with a case that has a container", value)
	}
}

func TestAgentsOfTheDrillReadNoSecretOfTheUser(t *testing.T) {
	lab := labWith(t, nil, processes)
	lab.secrets = []string{`/srv/a\,b: "x"/**`, "**/*.bak"}
	own, err := policy.Parse([]byte(lab.policyText()))
	if want := append([]string{"/var/log/**"}, lab.secrets...); err != nil || !slices.Equal(own.Secrets, want) {
		t.Errorf("%q, %v; want %q", own.Secrets, err, want)
	}
}
