package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
)

// inventory returns the services file of a lab.
func (lab *Lab) inventory(t *testing.T) *inventory.Inventory {
	t.Helper()
	if err := lab.write("services.yaml", servicesFile(lab, lab.services())); err != nil {
		t.Fatal(err)
	}
	all, err := inventory.Read(lab.Path("services.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return all
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

func TestAgentsOfTheDrillLookAtTheHomelab(t *testing.T) {
	lab := labWith(t, nil, processes, containers, compose, units)
	if err := lab.writeProject(); err != nil {
		t.Fatal(err)
	}
	table, err := guard.BuiltIn().With([]byte(labTable))
	if err != nil {
		t.Fatal(err)
	}
	g := guard.Guard{Table: table, ReposDir: lab.Path("srv"), Inventory: lab.inventory(t)}
	for command, want := range map[string]bool{
		"labctl status": true, "labctl log box": true, "curl -sS http://" + lab.Address("shop") + "/health": true,
		"docker compose -f " + lab.composeFile() + " ps": true,
		"labctl restart shop":                            false, "labctl stop preview": false, "labctl query db SELECT": false,
	} {
		if v := g.Judge(strings.Fields(command), g.ReposDir); v.Allow != want {
			t.Errorf("`%s`: %v, want %v: %s", command, v.Allow, want, v.Reason)
		}
	}
}

// A verb acts on the homelab alone, by the words of its services file: nothing else is named there.
func TestNobodyActsOnTheUsersServices(t *testing.T) {
	lab := labWith(t, nil, processes, containers, compose, postgres, units)
	orders := guard.Orders{Tier: 3, ReposDir: lab.Path("srv"), Inventory: lab.inventory(t)}
	for command, want := range map[string]string{
		"docker restart nginx":                                     "",
		"systemctl restart nginx.service":                          "",
		"kubectl rollout restart deployment/foo":                   "",
		"claudeops restart nginx":                                  "",
		"claudeops redeploy unit":                                  "",
		"claudeops action shop end_idle_transactions":              "",
		"docker restart db":                                        lab.Labctl() + " restart db",
		"docker restart " + lab.box():                              "docker restart " + lab.box(),
		"docker compose -f " + lab.composeFile() + " restart till": "docker compose --file " + lab.composeFile() + " restart till",
		"systemctl start " + lab.unit():                            "systemctl restart " + lab.unit(),
		"claudeops redeploy shop":                                  lab.Labctl() + " redeploy shop",
		"claudeops redeploy box":                                   lab.Labctl() + " redeploy box",
		"claudeops action orders end_idle_transactions":            lab.Labctl() + " query db " + endIdle,
	} {
		v, meant := guard.Typed(strings.Fields(command))
		order, refusal := orders.Order(t.Context(), v, orders.ReposDir)
		got := ""
		if refusal == nil {
			got = strings.Join(order.Argv, " ")
		}
		if !meant || got != want {
			t.Errorf("`%s` runs %q, want %q", command, got, want)
		}
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
	lab := labWith(t, []string{"CLAUDEOPS_SECRET_FILES=**/*.bak"}, processes)
	if value := config.Lookup(lab.cycleEnviron(), "CLAUDEOPS_SECRET_FILES"); value != "/var/log/**\n**/*.bak" {
		t.Errorf("the closed files are %q", value)
	}
}
