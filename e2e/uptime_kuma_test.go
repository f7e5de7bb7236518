package e2e

import (
	"os/exec"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/need"
)

const uptimeKuma = "../.bin/uptime-kuma"

// kumaSends has the webhook of Uptime Kuma tell of a monitor, with the monitor as Uptime Kuma hands it to notifications.
const kumaSends = `
const Webhook = require("./server/notification-providers/webhook");
const [url, token, status, said] = process.argv.slice(1);
const monitor = {
	id: 7, name: "shop-web", description: null, pathName: "shop-web", parent: null, childrenIDs: [], url: "https://", method: "GET", hostname: "127.0.0.1", port: 8080,
	maxretries: 0, weight: 2000, active: true, forceInactive: false, type: "port", timeout: 48, interval: 60, retryInterval: 60, resendInterval: 0, keyword: null,
	notificationIDList: {1: true}, tags: [], maintenance: false, docker_container: "", docker_host: null, proxyId: null, screenshot: null,
};
const heartbeat = status === "test" || status === "notice" ? null : {
	monitorID: 7, status: Number(status), time: "2026-03-01 11:59:12.345", msg: said, ping: null, important: true, duration: 60,
	timezone: "UTC", timezoneOffset: "+00:00", localDateTime: "2026-03-01 11:59:12",
};
const to = {type: "webhook", webhookURL: url, webhookContentType: status === "notice" ? "form-data" : "json", webhookAdditionalHeaders: JSON.stringify({Authorization: "Bearer " + token})};
new Webhook().send(to, heartbeat ? "[shop-web] " + said : said, heartbeat && monitor, heartbeat).then(console.log, (err) => { console.error(err.message); process.exit(1); });
`

// kuma sends what a status means (0 is down, 1 is up, "test" is the button, "notice" is about a certificate or a domain) by the real webhook of
// Uptime Kuma.
func kuma(t *testing.T, url, token, status, said string) (answer string, sent bool) {
	t.Helper()
	node := exec.CommandContext(t.Context(), "node", "-e", kumaSends, url, token, status, said)
	node.Dir = uptimeKuma // made by make uptime-kuma
	out, err := node.CombinedOutput()
	return string(out), err == nil
}

// The real webhook of Uptime Kuma: down starts a cycle about that service, and up ends the alert, so that two healthy cycles close the
// incident. Its button Test is answered, and is no alert.
func TestTheRealUptimeKuma(t *testing.T) {
	need.Full(t, "npm's packages: make uptime-kuma")
	w := probing(t, []string{"shop"}, map[string]string{"shop": "aliases: [shop-web]"})
	w.agent(2, finish)
	c, url := w.intake()
	sends := func(token, status, said string, want bool) string {
		t.Helper()
		answer, sent := kuma(t, url, token, status, said)
		if sent != want {
			t.Fatalf("%s %q: %s", status, said, answer)
		}
		return answer
	}
	sends(alertToken, "test", "My webhook Testing", true)
	says(t, sends("another-token-than-that", "0", "connect ECONNREFUSED", false), "not the token")

	sends(alertToken, "0", "connect ECONNREFUSED 127.0.0.1:8080", true)
	c.says("msg=\"cycle started\" why=woken trigger=alert", 1)
	c.says("msg=\"cycle ended\" exit=0", 1)
	w.wantStatuses("1 escalated", "2 completed")
	if all := w.incidents(); len(all) != 1 || all[0].Service != "shop" || all[0].Status != "down" || all[0].ClosedAt != nil {
		t.Fatalf("incidents %+v", all)
	}
	context, _ := w.given(2).Flag("--append-system-prompt")
	says(t, context, `"title":"connect ECONNREFUSED 127.0.0.1:8080"`)

	sends(alertToken, "1", "200 - OK", true)
	c.says("msg=\"cycle ended\" exit=0", 2)
	w.cycle(0)
	if all := w.incidents(); len(all) != 1 || all[0].ClosedAt == nil {
		t.Errorf("after its end and two healthy cycles: %+v", all)
	}

	sends(alertToken, "notice", "[shop-web][https://127.0.0.1:8080] server certificate shop will expire in 7 days", true)
	c.says("msg=\"cycle ended\" exit=0", 3)
	w.wantEvent(store.Info, "shop is degraded") // and no model is started for it within ten minutes of the last one
	c.signal(syscall.SIGTERM)
	c.ends(128 + int(syscall.SIGTERM))
}
