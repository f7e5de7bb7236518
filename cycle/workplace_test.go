package cycle

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// TestAgentsReachContainers: what the engine reports can be reached, but not this program's own listener, under any name.
func TestAgentsReachContainers(t *testing.T) {
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", "1.44")
		if strings.HasSuffix(r.URL.Path, "/containers/json") {
			_, _ = w.Write([]byte(`[
				{"Id":"aaaaaaaaaaaaaaaa","Names":["/web"],"HostConfig":{"NetworkMode":"shop"},"NetworkSettings":{"Networks":{"shop":{"IPAddress":"203.0.113.7"}}}},
				{"Id":"bbbbbbbbbbbbbbbb","Names":["/proxy"],"HostConfig":{"NetworkMode":"host"}},
				{"Id":"cccccccccccccccc","Names":["/dash"],"HostConfig":{"NetworkMode":"ours"},"NetworkSettings":{"Networks":{"ours":{"IPAddress":"127.0.0.1"}}}}]`))
		}
	}))
	defer engine.Close()
	ws, err := tiers.NewWorkspace(t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	c := &Cycle{Policy: policy.Embedded()}
	c.Config = config.Config{DashboardAddr: "127.0.0.1:8080", StateDir: "/state", ResultsDir: "/results", ReposDir: "/repos"}
	w := &workplace{
		copies: copies{Cycle: c, session: store.Session{Tier: 1}}, ws: ws,
		network: &discover.Network{Environ: []string{"DOCKER_HOST=tcp://" + engine.Listener.Addr().String()}},
	}
	for call, want := range map[string]bool{
		"curl http://web/health": true, "curl http://web:8080/health": true, "curl http://203.0.113.7:8080/health": true, "nc -z web 5432": true, "dig web": true,
		"docker exec web curl http://localhost:8080/health": true,
		"curl http://nothing/health":                        false, "curl http://203.0.113.8/health": false, "nc -z nothing 5432": false, "dig nothing.example.net": false,
		"curl http://localhost:8080/health": false, "curl http://127.1.2.3:8080/health": false, "curl http://dash:8080/health": false, "nc -z dash 8080": false,
		"curl http://proxy:8080/health": false, "docker exec proxy curl http://localhost:8080/health": false, "docker exec unknown curl http://localhost:8080/health": false,
	} {
		if v := w.judge(guard.Call{Argv: strings.Fields(call), Dir: "/repos"}); v.Allow != want {
			t.Errorf("`%s` is granted: %v, want %v; %s", call, v.Allow, want, v.Reason)
		}
	}
}
