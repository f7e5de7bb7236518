package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/servers"
)

// services writes an inventory.
func (w *world) services(text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, "inventory.yaml")
	must(w.t, os.WriteFile(path, []byte(text), 0o600))
	w.env["CLAUDEOPS_INVENTORY"] = path
}

// probes makes the checks and returns "status: error" for each service, from its worst check.
func (w *world) probes(code int) map[string]string {
	w.t.Helper()
	a := w.run("probe", "--json")
	if a.code != code {
		w.t.Fatalf("probe exited with %d, want %d\n%s%s", a.code, code, a.out, a.err)
	}
	var results []check.Result
	must(w.t, json.Unmarshal([]byte(a.out), &results))
	found := map[string]string{}
	worst := check.Worst(results)
	for _, r := range results {
		if r.Status == worst[r.Service] {
			found[r.Service] = strings.TrimSuffix(string(r.Status)+": "+r.Error, ": ")
		}
	}
	return found
}

// Each type of check against the real service, with the installed program: first well, then broken.
func TestEachCheckTypeAgainstTheRealThing(t *testing.T) {
	w := newWorld(t)
	engine := servers.Containers(t)
	well := engine.Run(t, "well", []string{"--health-cmd", "say 0 fine", "--health-interval", "200ms"})
	sick := engine.Run(t, "sick", []string{"--health-cmd", "say 1 the queue is full", "--health-interval", "200ms", "--health-retries", "1"})
	loop := engine.Run(t, "loop", []string{"--restart", "always"}, "exit", "3")
	stopped := engine.Run(t, "stopped", nil)
	engine.AwaitState(t, loop, "restarting")
	engine.Docker(t, "stop", "--time", "1", stopped)
	for _, name := range []string{well, sick} {
		engine.Await(t, name, "{{.State.Health.Status}}", func(text string) bool { return text != "starting" })
	}
	if host := os.Getenv("DOCKER_HOST"); host != "" {
		w.env["DOCKER_HOST"] = host
	}
	nginx := servers.Nginx(t, 90*24*time.Hour, "location /health { return 200 ok; }")
	names := servers.DNS(t, "host-record=shop.test,10.0.0.7")
	postgres, mariadb, redis := servers.Postgres(t), servers.MariaDB(t), servers.Redis(t, "sesame")
	w.env["DB_PASSWORD"], w.env["REDIS_PASSWORD"] = servers.Password, "sesame"
	inventory := fmt.Sprintf(`
services:
  - {name: nginx, checks: [{type: http, url: "%s/health", body: ok, attempts: 1, timeout: 2m}]}
  - {name: tls, checks: [{type: http, url: "%s/health", ca: "%s", certificate_days: 14, attempts: 1, timeout: 2m}]}
  - {name: names, checks: [{type: dns, name: shop.test, server: "%s", answer: 10.0.0.7, attempts: 1, timeout: 2m}]}
  - {name: postgres, checks: [{type: database, url: "%s", password_env: DB_PASSWORD, attempts: 1, timeout: 2m}]}
  - {name: mariadb, checks: [{type: database, url: "%s", password_env: DB_PASSWORD, attempts: 1, timeout: 2m}]}
  - {name: redis, checks: [{type: database, url: "redis://%s", password_env: REDIS_PASSWORD, attempts: 1, timeout: 2m}]}
  - {name: sqlite, checks: [{type: database, url: "sqlite://%s", attempts: 1}]}
  - {name: port, checks: [{type: service, address: "%s", attempts: 1}]}
  - {name: plugin, checks: [{type: service, plugin: [/usr/lib/nagios/plugins/check_dummy, "0", all is well], attempts: 1}]}
  - {name: warned, checks: [{type: service, plugin: [/usr/lib/nagios/plugins/check_dummy, "1", nearly full], attempts: 1}]}
  - {name: well, checks: [{type: container, container: %s, attempts: 1}]}
  - {name: sick, checks: [{type: container, container: %s, attempts: 1}]}
  - {name: loop, checks: [{type: container, container: %s, attempts: 1}]}
  - {name: stopped, checks: [{type: container, container: %s, attempts: 1}]}
`, nginx.URL, nginx.TLSURL, nginx.Authority.File, names.Addr, withoutPassword(postgres.URL()), withoutPassword(mariadb.URL()), redis.Addr,
		w.path("state", store.FileName), strings.TrimPrefix(nginx.URL, "http://"), well, sick, loop, stopped)
	w.services(inventory)
	w.cycleOnce() // creates the database that one check reads

	healthy := []string{"nginx", "tls", "names", "postgres", "mariadb", "redis", "sqlite", "port", "plugin", "well"}
	found := w.probes(1)
	for end := time.Now().Add(deadline); strings.HasPrefix(found["loop"], "degraded: ") && time.Now().Before(end); { // it is running once more
		found = w.probes(1)
	}
	for _, name := range healthy {
		if found[name] != "healthy" {
			t.Errorf("%s is %q, want healthy", name, found[name])
		}
	}
	for name, texts := range map[string][]string{
		"warned":  {"degraded: ", "nearly full"},
		"sick":    {"down: ", "the queue is full"},
		"loop":    {"down: ", "exited with 3"},
		"stopped": {"down: ", "exited"},
	} {
		for _, text := range texts {
			if !strings.Contains(found[name], text) {
				t.Errorf("%s is %q, which has no %q", name, found[name], text)
			}
		}
	}

	nginx.Stop()
	names.Stop()
	postgres.Pause()
	mariadb.Pause()
	redis.Pause()
	w.services(strings.ReplaceAll(inventory, "timeout: 2m", "timeout: 5s")) // the checks of paused containers use all of it
	found = w.probes(1)
	for name, text := range map[string]string{
		"nginx": "connection refused", "tls": "connection refused", "names": "down: ", "postgres": "no answer", "mariadb": "no answer",
		"redis": "no answer", "port": "connection refused",
	} {
		if !strings.HasPrefix(found[name], "down: ") || !strings.Contains(found[name], text) {
			t.Errorf("%s is %q, want down: … %s", name, found[name], text)
		}
		if strings.Contains(found[name], servers.Password) || strings.Contains(found[name], "sesame") {
			t.Errorf("%s tells a password: %q", name, found[name])
		}
	}
}

// cycleOnce runs a cycle that starts no further tier, whatever it finds.
func (w *world) cycleOnce() {
	w.t.Helper()
	w.env["CLAUDEOPS_TIER1_AGENT"], w.env["CLAUDEOPS_MAX_TIER"] = "probe", "1"
	w.cycle(0)
}

// withoutPassword removes the password from a server's URL.
func withoutPassword(url string) string {
	return strings.Replace(url, ":"+servers.Password+"@", "@", 1)
}

// The whole path: nginx breaks, the cycle hands off, somebody mends it, and two cycles later its counters are reset.
func TestTheWholePathOfARealService(t *testing.T) {
	w := newWorld(t)
	nginx := servers.Nginx(t, 90*24*time.Hour, "")
	w.services(fmt.Sprintf("services:\n  - name: web\n    settle: 10ms\n    checks: [{type: http, url: %q, status: [200, 403, 404], attempts: 1}]\n", nginx.URL))
	w.env["CLAUDEOPS_TIER1_AGENT"], w.env["ANTHROPIC_API_KEY"] = "probe", "sk-ant-test"
	w.agent(2, claim("web", "restarts", `success: false, error: "it does not start"`), "say it does not start", finish)
	w.cycle(0)
	w.wantStatuses("1 completed")

	nginx.Kill()
	w.cycle(0)
	w.wantStatuses("1 completed", "1 escalated", "2 completed")
	context, _ := w.given(2).Flag("--append-system-prompt")
	says(t, context, "connection refused")
	w.wantNotified("human_attention", "web")
	if got := w.cooldowns().Service("web"); len(got.Restarts) != 1 || got.ConsecutiveHealthy != 0 {
		t.Errorf("counters %+v", got)
	}

	nginx.Start()
	w.cycle(0)
	if got := w.cooldowns().Service("web"); len(got.Restarts) != 1 || got.ConsecutiveHealthy != 1 {
		t.Errorf("counters after one healthy cycle %+v", got)
	}
	w.cycle(0)
	if got := w.cooldowns().Service("web"); len(got.Restarts) != 0 || got.ConsecutiveHealthy != 0 {
		t.Errorf("counters after two healthy cycles %+v", got)
	}
	w.wantNotified("recovered", "web")
	equal(t, "incidents, -want +got", cmp.Diff([]string{"closed"}, incidentStates(w.incidents())), "")
}

func incidentStates(incidents []store.Incident) (states []string) {
	for _, i := range incidents {
		state := "open"
		if i.ClosedAt != nil {
			state = "closed"
		}
		states = append(states, state)
	}
	return states
}
