package metrics_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// withService are records of one service that is down.
func withService(t *testing.T) *ledger.Records {
	t.Helper()
	b, err := ledger.Open(t.Context(), config.Config{StateDir: t.TempDir()}, mask.New(nil), func() time.Time { return noon }, store.ReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := b.Store.AddChecks(t.Context(), store.Reported, 0, noon, []check.Result{{Service: "db", Type: check.HTTP, Status: check.Down}}); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestMetricsAreWrittenWhole(t *testing.T) {
	b, dir := withService(t), t.TempDir()
	if err := exporter.Write(t.Context(), b); err != nil {
		t.Fatalf("with no file configured: %v", err)
	}
	b.Config.MetricsFile = filepath.Join(dir, "claudeops.prom")
	for range 2 {
		if err := exporter.Write(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	is, err := os.Stat(b.Config.MetricsFile)
	if err != nil || is.Mode().Perm() != 0o644 { // node_exporter is another user
		t.Errorf("%v, %v", is.Mode(), err)
	}
	content, err := os.ReadFile(b.Config.MetricsFile)
	if err != nil || !strings.Contains(string(content), `claudeops_service_status{service="db",status="down"} 1`+"\n") {
		t.Errorf("%v: %s", err, content)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("it left %v, %v", left, err)
	}
}

func TestMetricsThatCannotBeWrittenSayWhatToDo(t *testing.T) {
	b, dir := withService(t), t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "none", "claudeops.prom"): "; make the directory " + filepath.Join(dir, "none"),
		dir: " is no regular file; name another one",
	} {
		b.Config.MetricsFile = path
		err := exporter.Write(t.Context(), b)
		if err == nil || !strings.HasPrefix(err.Error(), "CLAUDEOPS_METRICS_FILE: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", path, err, want)
		}
	}
}

func TestMetricsArePushed(t *testing.T) {
	b, status := withService(t), http.StatusAccepted
	if err := exporter.Send(t.Context(), b); err != nil {
		t.Fatalf("with no Pushgateway configured: %v", err)
	}
	server, last, _ := gateway(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	b.Config.PushgatewayURL = server.URL
	if err := exporter.Send(t.Context(), b); err != nil || last.Method != http.MethodPut {
		t.Errorf("%q, error %v", last.Method, err)
	}
	status = http.StatusForbidden
	if err := exporter.Send(t.Context(), b); err == nil || !strings.HasPrefix(err.Error(), "CLAUDEOPS_PUSHGATEWAY_URL: ") || !strings.Contains(err.Error(), "403") {
		t.Errorf("error %v", err)
	}
}
