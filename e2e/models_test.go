package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/claudeops/claudeops/testkit/modeltest"
	"github.com/claudeops/claudeops/testkit/need"
)

const (
	gatewayToken = "sk-gateway-correct-horse-battery"
	gatewayTeam  = "operations"
)

// startGateway starts a gateway in front of a scripted model, which refuses requests without its token and header.
func startGateway(t *testing.T, to *modeltest.Server) (address string, refused func() []string) {
	t.Helper()
	target, err := url.Parse(to.URL)
	must(t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	var mu sync.Mutex
	var all []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && (r.Header.Get("Authorization") != "Bearer "+gatewayToken || r.Header.Get("X-Gateway-Team") != gatewayTeam) {
			mu.Lock()
			all = append(all, r.URL.Path)
			mu.Unlock()
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	return strings.TrimPrefix(srv.URL, "http://"), func() []string { mu.Lock(); defer mu.Unlock(); return slices.Clone(all) }
}

// contacts returns the network addresses, "IP:PORT", in a recording by strace, each once.
func contacts(recording string) (all []string) {
	address := regexp.MustCompile(`sin6?_port=htons\((\d+)\).*?(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)"`)
	for line := range strings.Lines(recording) {
		for _, found := range address.FindAllStringSubmatch(line, -1) {
			if to := found[2] + ":" + found[1]; !slices.Contains(all, to) {
				all = append(all, to)
			}
		}
	}
	return all
}

// recording is a command that records each address to which a program and all its descendants connect or send.
const recording = "strace -f -qq -s 0 -e trace=connect,sendto,sendmsg,sendmmsg -e signal=none"

// Models of others, behind a gateway with a token and a header of its own: the cycle works, what it cost is known, and the agent program
// contacts nothing but the gateway.
func TestModels_GatewayIsTheOnlyPlaceThatIsContacted(t *testing.T) {
	need.Full(t, "strace")
	shop := newService(t)
	shop.breakDown()
	w := newWorld(t)
	usage := modeltest.Usage{Input: 100_000, Output: 1000}
	model := modeltest.Start(t, modeltest.Script{
		"gpt-oss":     {modeltest.Bash(shop.check()).With(usage), modeltest.Say("shop is down, handed off")},
		"qwen3-coder": {modeltest.Bash("curl -s " + shop.URL + "/up; env | sort"), modeltest.Bash(shop.check()), modeltest.Say("it works again")},
	})
	gateway, refused := startGateway(t, model)
	trace := w.path("contacts")
	w.program("recorded", "exec "+recording+" -A -o "+trace+" "+modeltest.Program(t)+` "$@"`)
	for name, value := range map[string]string{
		"CLAUDEOPS_CLAUDE_BIN":  w.path("bin", "recorded"),
		"CLAUDEOPS_TIER1_MODEL": "gpt-oss:20b", "CLAUDEOPS_TIER2_MODEL": "qwen3-coder",
		"ANTHROPIC_BASE_URL": "http://" + gateway, "ANTHROPIC_AUTH_TOKEN": gatewayToken, "ANTHROPIC_CUSTOM_HEADERS": "X-Gateway-Team: " + gatewayTeam,
	} {
		w.env[name] = value
	}
	w.cycle(0)
	w.wantStatuses("1 escalated", "2 completed")
	if paths := refused(); len(paths) > 0 {
		t.Errorf("the gateway refused requests without its token or header: %q", paths)
	}
	for _, s := range w.sessions() {
		t.Logf("Tier %d, %s: $%.4f, %d tokens in, %d out", s.Tier, s.Model, s.CostUSD, s.InputTokens, s.OutputTokens)
		if s.CostUSD <= 0 || s.InputTokens == 0 {
			t.Errorf("a model without a known price cost nothing: %+v", s)
		}
	}
	for _, r := range model.Requests() {
		for _, result := range r.Results {
			if strings.Contains(result.Text, gatewayToken) || strings.Contains(result.Text, "ANTHROPIC_") {
				t.Errorf("a command of the agent sees what the gateway wants: %s", result.Text)
			}
		}
	}
	text, err := os.ReadFile(trace)
	must(t, err)
	if got := contacts(string(text)); !slices.Equal(got, []string{gateway}) {
		t.Errorf("the agent program contacted %q, want the gateway %s alone", got, gateway)
	}
}

// The control of the test above: the recording sees a descendant's connection, also one without a connect.
func TestModels_RecordingSeesContacts(t *testing.T) {
	need.Full(t, "strace and python3")
	trace := t.TempDir() + "/contacts"
	program := `python3 -c "import socket; s=socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b'x', ('127.0.0.7', 53))"; (exec 3<>/dev/udp/::1/53) & wait`
	out, err := exec.Command("sh", "-c", recording+` -o "$0" bash -c "$1"`, trace, program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(trace)
	must(t, err)
	if got := contacts(string(text)); !slices.Equal(got, []string{"127.0.0.7:53", "::1:53"}) {
		t.Errorf("recorded %q in %s", got, text)
	}
}
