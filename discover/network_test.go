package discover

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/claudeops/claudeops/probe"
)

// networked are the containers of an engine: one with a network of its own, one with its machine's, one that joins that, one of this
// program, and one whose image claims a public name.
const networked = `[
{"Id":"aaaaaaaaaaaabbbb","Names":["/shop-Web-1","/other/web"],"State":"running","Labels":{"com.docker.compose.project":"shop","com.docker.compose.service":"web"},
 "HostConfig":{"NetworkMode":"shop_default"},"NetworkSettings":{"Networks":{"shop_default":{"IPAddress":"203.0.113.7","GlobalIPv6Address":"2001:db8::7"}}}},
{"Id":"hhhhhhhhhhhhhhhh","Names":["/node-exporter"],"HostConfig":{"NetworkMode":"host"},"NetworkSettings":{"Networks":{"host":{"IPAddress":""}}}},
{"Id":"jjjjjjjjjjjjjjjj","Names":["/sidecar"],"HostConfig":{"NetworkMode":"container:hhhhhhhhhhhhhhhh"}},
{"Id":"cccccccccccccccc","Names":["/ops"],"Labels":{"org.opencontainers.image.title":"claudeops"},"HostConfig":{"NetworkMode":"ops"},
 "NetworkSettings":{"Networks":{"ops":{"IPAddress":"203.0.113.9"}}}},
{"Id":"eeeeeeeeeeeeeeee","Names":["/evil"],"Labels":{"com.docker.compose.service":"attacker.example.net"},"HostConfig":{"NetworkMode":"bridge"},
 "NetworkSettings":{"Networks":{"bridge":{"IPAddress":"203.0.113.8"}}}},
{"Id":"dddddddddddddddd","Names":["/within"],"HostConfig":{"NetworkMode":"ours"},"NetworkSettings":{"Networks":{"ours":{"IPAddress":"127.0.0.1"}}}}]`

// engineOf starts an engine with these containers. asked counts the requests.
func engineOf(t *testing.T, asked *atomic.Int32, list http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", "1.44")
		if strings.HasSuffix(r.URL.Path, "/containers/json") {
			asked.Add(1)
			list(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return "DOCKER_HOST=tcp://" + s.Listener.Addr().String()
}

func TestNetworkOfTheEngine(t *testing.T) {
	var asked atomic.Int32
	now := time.Now()
	n := &Network{Environ: []string{engineOf(t, &asked, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, networked)
	})}, now: func() time.Time { return now }}
	for name, want := range map[string]bool{
		"shop-web-1": true, "web": true, "203.0.113.7": true, "2001:db8::7": true, "evil": true,
		"other/web": false, "nothing": false, "attacker.example.net": false, "203.0.113.200": false,
		"ops": false, "203.0.113.9": false, "within": false, "127.0.0.1": false, "node-exporter": false,
	} {
		if got := n.Reports(name); got != want {
			t.Errorf("%s is reported: %v, want %v", name, got, want)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("the engine was asked %d times, want once", asked.Load())
	}
	if now = now.Add(keepTime); !n.Reports("web") || asked.Load() != 2 {
		t.Errorf("%v later the engine was asked %d times, want twice", keepTime, asked.Load())
	}
}

func TestNetworkOfASilentEngine(t *testing.T) {
	var asked atomic.Int32
	n := &Network{Environ: []string{engineOf(t, &asked, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })}, limit: 50 * time.Millisecond}
	for range 2 {
		if n.Reports("web") {
			t.Error("of a silent engine something is known")
		}
	}
	if asked.Load() != 1 {
		t.Errorf("it was asked %d times, want once", asked.Load())
	}
}

func TestNetworkWithoutAnEngine(t *testing.T) {
	n := &Network{Environ: []string{"DOCKER_HOST=unix://" + t.TempDir() + "/none"}}
	if n.Reports("web") {
		t.Error("an engine that is not there has answered")
	}
}

func TestNetworkOfARealEngine(t *testing.T) {
	e := containers(t)
	name := e.Run(t, "networked", []string{"--label", labelService + "=" + e.Name("part")})
	found, err := probe.Identities(t.Context(), os.Environ(), false)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(found, func(one probe.Identity) bool { return one.Name == name && one.ID != "" && one.Network != "" }) {
		t.Errorf("%s is not among %+v", name, found)
	}
	n := &Network{Environ: os.Environ()}
	if !n.Reports(name) || !n.Reports(e.Name("part")) {
		t.Errorf("%s is not reported", name)
	}
}

// clustered are the services and pods of a cluster, as its API lists them.
var clustered = map[string]string{
	"/api":  `{"kind":"APIVersions","versions":["v1"]}`,
	"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`,
	"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"services","singularName":"service","namespaced":true,"kind":"Service","verbs":["get","list"]},
		{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get","list"]}]}`,
	"/api/v1/services": `{"kind":"ServiceList","apiVersion":"v1","metadata":{},"items":[
		{"metadata":{"name":"shop","namespace":"prod"},"spec":{"type":"ClusterIP","clusterIPs":["10.96.0.7","2001:db8::96"],"selector":{"app":"shop","tier":"web"}}},
		{"metadata":{"name":"headless","namespace":"prod"},"spec":{"clusterIPs":["None"],"selector":{"app":"db"}}},
		{"metadata":{"name":"elsewhere","namespace":"prod"},"spec":{"type":"ExternalName","externalName":"attacker.example.net","selector":{"app":"x"}}},
		{"metadata":{"name":"bare","namespace":"prod"},"spec":{"clusterIPs":["10.96.0.9"]}},
		{"metadata":{"name":"dashboard","namespace":"ops"},"spec":{"clusterIPs":["10.96.0.8"],"selector":{"app.kubernetes.io/name":"claudeops"}}},
		{"metadata":{"name":"metrics","namespace":"ops"},"spec":{"clusterIPs":["10.96.0.10"],"selector":{"app":"within"}}}]}`,
	"/api/v1/pods": `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[
		{"metadata":{"name":"shop-1","namespace":"prod","labels":{"app":"shop","tier":"web"}},"spec":{},"status":{"podIPs":[{"ip":"10.1.0.7"}]}},
		{"metadata":{"name":"ops-1","namespace":"ops","labels":{"app.kubernetes.io/name":"claudeops"}},"spec":{},"status":{"podIPs":[{"ip":"10.1.0.8"}]}},
		{"metadata":{"name":"here-1","namespace":"ops","labels":{"app":"within"}},"spec":{},"status":{"podIPs":[{"ip":"127.0.0.1"}]}},
		{"metadata":{"name":"node-1","namespace":"prod","labels":{"app":"node"}},"spec":{"hostNetwork":true},"status":{"podIPs":[{"ip":"192.0.2.7"}]}},
		{"metadata":{"name":"pending","namespace":"prod"},"spec":{}}]}`,
}

// clusterOf returns the environment of a cluster that kubectl reaches. Requests for the path closed are refused.
func clusterOf(t *testing.T, closed string) []string {
	t.Helper()
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		t.Skip("kubectl is not installed")
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		text, known := clustered[r.URL.Path]
		if !known && strings.HasPrefix(r.URL.Path, "/api/v1/namespaces/prod/") {
			text, known = clustered["/api/v1/"+filepath.Base(r.URL.Path)]
		}
		if !known || closed != "" && r.URL.Path == closed {
			w.WriteHeader(http.StatusForbidden)
			text = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":"Forbidden","code":403}`
		}
		fmt.Fprint(w, text)
	}))
	t.Cleanup(s.Close)
	home := t.TempDir()
	write(t, filepath.Join(home, ".kube", "config"), `{"apiVersion":"v1","kind":"Config","current-context":"c","contexts":[{"name":"c","context":{"cluster":"c","user":"u","namespace":"prod"}}],
		"clusters":[{"name":"c","cluster":{"server":"`+s.URL+`"}}],"users":[{"name":"u","user":{}}]}`)
	return []string{"HOME=" + home, "PATH=" + filepath.Dir(kubectl), "DOCKER_HOST=unix://" + home + "/none"}
}

func TestNetworkOfACluster(t *testing.T) {
	n := &Network{Environ: clusterOf(t, ""), limit: time.Minute}
	for name, want := range map[string]bool{
		"shop": true, "shop.prod": true, "shop.prod.svc": true, "shop.prod.svc.cluster.local": true, "10.96.0.7": true, "2001:db8::96": true, "10.1.0.7": true, "headless": true,
		"elsewhere": false, "bare": false, "shop-1": false, "192.0.2.7": false, "None": false,
		"dashboard": false, "dashboard.ops.svc": false, "10.96.0.8": false, "10.1.0.8": false, "metrics": false, "10.96.0.10": false, "127.0.0.1": false,
	} {
		if got := n.Reports(name); got != want {
			t.Errorf("%s is reported: %v, want %v", name, got, want)
		}
	}
}

func TestNetworkOfWhatKubectlMayList(t *testing.T) {
	for _, closed := range []string{"/api/v1/services", "/api/v1/pods"} {
		n := &Network{Environ: clusterOf(t, closed), limit: time.Minute}
		if !n.Reports("shop") || !n.Reports("10.1.0.7") {
			t.Errorf("without %s those of the namespace are not reported", closed)
		}
	}
}
