package cycle

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/guard"
)

// What the engine reports can be asked.
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
	network := &discover.Network{Environ: []string{"DOCKER_HOST=tcp://" + engine.Listener.Addr().String()}}
	g := guard.Guard{Table: guard.BuiltIn(), ReposDir: "/repos", Reports: network.Reports}
	for call, want := range map[string]bool{
		"curl http://web/health": true, "curl http://203.0.113.7:8080/health": true, "nc -z web 5432": true, "dig web": true,
		"docker exec web curl http://localhost:8080/health": true,
		"curl http://nothing/health":                        false, "curl http://203.0.113.8/health": false, "nc -z nothing 5432": false,
		"dig nothing.example.net": false, "curl http://proxy:8080/health": false,
	} {
		if v := g.Judge(strings.Fields(call), "/repos"); v.Allow != want {
			t.Errorf("`%s` is granted: %v, want %v; %s", call, v.Allow, want, v.Reason)
		}
	}
}
