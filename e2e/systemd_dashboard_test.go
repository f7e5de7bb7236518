package e2e

import (
	"os"
	"strings"
	"testing"
)

// The dashboard's unit in a real systemd: it requires a token, uses it, shows what cycles record, may reset counters, and ends without a
// failure.
func TestSystemd_DashboardUnit(t *testing.T) {
	h := newHost(t, map[string]string{"../deploy": "/deploy"})
	h.Run("cp /usr/local/bin/claudeops /usr/bin/; cp /deploy/systemd/*.service /deploy/systemd/*.timer /etc/systemd/system/; systemctl daemon-reload")
	h.configure("  - {name: ssh, checks: [{type: service, address: \"127.0.0.1:1\"}]}\n", "CLAUDEOPS_TIER1_AGENT=probe", "CLAUDEOPS_MAX_TIER=1", "CLAUDEOPS_DASHBOARD_ADDR=127.0.0.1:0")
	want := func(script, answer string) {
		t.Helper()
		if out, _ := h.Try(script); strings.TrimSpace(out) != answer {
			t.Errorf("%q says %q, want %q", script, strings.TrimSpace(out), answer)
		}
	}
	want("systemd-analyze verify --man=no claudeops-dashboard.service", "")
	if out, code := h.Try("systemctl start claudeops-dashboard.service"); code == 0 || !strings.Contains(out, "Assertion failed") {
		t.Errorf("without a token: exit code %d\n%s", code, out)
	}

	doc, err := os.ReadFile("../docs/deploy.md")
	must(t, err)
	for _, command := range []string{
		"openssl rand -hex 32 | sudo install -m 600 /dev/stdin /etc/claudeops/dashboard-token", "sudo systemctl enable --now claudeops-dashboard.service",
	} {
		says(t, string(doc), "\n    "+command+"\n")
		command = strings.Replace(command, "openssl rand -hex 32", "echo 0123456789abcdef0123456789abcdef", 1) // the machine has none
		h.Run(strings.ReplaceAll(command, "sudo ", ""))
	}
	h.awaitJournal("claudeops-dashboard.service", "dashboard: http://127.0.0.1:")
	const at = `at=$(journalctl --unit=claudeops-dashboard --output=cat | sed -n 's|^dashboard: \(.*\)/$|\1|p' | tail -n 1); `
	const get, login = at + `curl -sS -o /dev/null -w '%{http_code}' `, `-H 'Authorization: Bearer 0123456789abcdef0123456789abcdef' `
	want(get+"$at/healthz", "200")
	want(get+"$at/api/v1/overview", "401")
	want(get+login+"$at/", "503") // no cycle has run
	h.Run("systemctl start claudeops.service")
	want(get+login+"$at/", "200")
	want(at+"curl -sS "+login+"$at/api/v1/services | jq -r '.services[].name'", "ssh")
	want(get+login+"$at/sessions/1/log", "200")
	want("grep -c 0123456789abcdef /proc/$(systemctl show --property=MainPID --value claudeops-dashboard)/environ", "0")

	h.Run("systemctl stop claudeops-dashboard.service")
	want("systemctl show --property=Result --value claudeops-dashboard.service", "success")
	want("systemctl is-failed claudeops-dashboard.service", "inactive")
}
