package e2e

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/need"
)

// aidedContainer is an operator with the probes as Tier 1, whose only service is a container. Its first aid is to restart that.
func aidedContainer(t *testing.T) (*world, *container) {
	t.Helper()
	w := newWorld(t)
	agents := w.env["CLAUDEOPS_AGENT_ENV"]
	c := w.withContainer()
	w.env["CLAUDEOPS_AGENT_ENV"] = agents // first aid reaches the engine of the checks without it
	w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
	w.services(fmt.Sprintf("services:\n  - {name: shop, restart: {container: %[1]s}, first_aid: {settle: 1s}, checks: [{type: container, container: %[1]s, attempts: 1}]}\n", c.name))
	return w, c
}

// wantAided runs a cycle, which must mend shop by first aid alone: counted once, proved, told, and with this evidence in the incident.
func (w *world) wantAided(broken time.Time, evidence ...string) {
	w.t.Helper()
	w.cycle(0)
	w.wantStatuses("1 completed", "1 escalated", "2 completed")
	all := w.sessions()
	aid := all[len(all)-1]
	if aid.Agent != "first-aid" || aid.CostUSD != 0 || aid.EndedAt == nil {
		w.t.Fatalf("the session is %+v", aid)
	}
	w.t.Logf("%.1f s from the kill to the end of the cycle", time.Since(broken).Seconds())
	counted(w.t, "restarts", w.cooldowns().Service("shop").Records(statefile.Restart), 1)
	w.wantNotified("remediated", "shop")
	w.wantNotified("human_attention")
	w.wantEvent(store.Info, "shop remediated by first aid: its checks are healthy again")
	says(w.t, w.exits(0, "incidents", "show", "1").out, append(evidence, "the checks after it find it healthy")...)
}

// A killed container is restarted, and what the restart destroys is kept.
func TestFirstAidRestartsAContainer(t *testing.T) {
	need.Full(t, "a Docker engine")
	w, c := aidedContainer(t)
	w.cycle(0)
	broken := time.Now()
	docker(t, "kill", c.name)
	w.wantAided(broken, "Before first aid: container /"+c.name+": exited, exit code 137, out of memory false", "end of the log:", "up")
	c.wantRestarted(true)
	equal(t, "the container is", docker(t, "inspect", "--format", "{{.State.Status}}", c.name), "running")
}

// A killed unit is restarted by the hardened unit's user, who may do that to this unit only.
func TestFirstAidRestartsAUnit(t *testing.T) {
	need.Full(t, "a booted machine")
	h := newHost(t, nil)
	h.Write("/etc/systemd/system/shop.service", "[Service]\nExecStart=/bin/sh -c 'echo the till is open; exec sleep infinity'\n", 0o644)
	h.Write("/etc/systemd/system/claudeops.service.d/override.conf", "[Service]\nSupplementaryGroups=systemd-journal\n", 0o644)
	h.configure("  - {name: shop, restart: {unit: shop.service}, first_aid: {settle: 1s}, checks: [{type: service, unit: shop.service, attempts: 1}]}\n", "CLAUDEOPS_TIER1_AGENT=probe")
	h.Run("claudeops crontab install --target systemd --schedule '" + newYear + "' --allow-unit shop.service; systemctl start shop")
	h.awaitJournal("shop.service", "the till is open")
	h.Run("systemctl start claudeops.service")

	before, broken := h.show("shop", "InvocationID"), time.Now()
	h.Run("systemctl kill --wait --signal=SIGKILL shop || systemctl is-failed shop; systemctl start claudeops.service")
	t.Logf("%.1f s from the kill to the end of the cycle", time.Since(broken).Seconds())
	if h.show("shop", "InvocationID") == before || h.show("shop", "ActiveState") != "active" {
		t.Error("shop was not restarted")
	}
	equal(t, "sessions", h.statuses(), "1 completed systemd\n1 escalated systemd\n2 completed escalation\n")
	const records = " --db /var/lib/claudeops/claudeops.db"
	says(t, h.Run("claudeops incidents show 1"+records), "Before first aid: Result=signal, ", "ExecMainStatus=9, ", "Id=shop.service", "end of the log:", "the till is open",
		"the checks after it find it healthy")
	says(t, h.Run("claudeops events"+records), "shop remediated by first aid: its checks are healthy again")
	equal(t, "restarts", h.Run(`jq '.services.shop.restarts | length' /var/lib/claudeops/cooldown.json`), "1\n")
}

// A killed service of a compose project is restarted, whether the services file names the project's folder or its file.
func TestFirstAidRestartsAComposeService(t *testing.T) {
	need.Full(t, "a Docker engine")
	for name, project := range map[string]func(file string) string{"folder": filepath.Dir, "file": filepath.Clean} {
		t.Run(name, func(t *testing.T) {
			c := newComposed(t)
			c.builds("sh", "-c", "echo the till is open; exec sleep infinity")
			c.docker("compose", "-f", c.file, "up", "-d")
			c.w.services(fmt.Sprintf("services:\n  - {name: shop, restart: {compose: {file: %s, service: web}}, first_aid: {settle: 1s}, checks: [{type: container, container: shop-web-1, attempts: 1}]}\n", project(c.file)))
			c.w.cycle(0)
			const started = "{{.State.StartedAt}}"
			before, broken := c.docker("inspect", "--format", started, "shop-web-1"), time.Now()
			c.docker("kill", "shop-web-1")
			c.w.wantAided(broken, "Before first aid: container /shop-web-1: exited, exit code 137, out of memory false", "end of the log:", "the till is open")
			state := c.docker("inspect", "--format", "{{.State.Status}}", "shop-web-1")
			if state != "running" || c.docker("inspect", "--format", started, "shop-web-1") == before {
				t.Errorf("the container is %s and was not started anew", state)
			}
		})
	}
}

// Where no container has the name, an engine would take it for the start of another container's id.
func TestFirstAidLeavesTheContainerWhoseIDBeginsWithTheName(t *testing.T) {
	need.Full(t, "a Docker engine")
	w := newWorld(t)
	c := w.withContainer()
	w.env["CLAUDEOPS_TIER1_AGENT"] = "probe"
	name := docker(t, "inspect", "--format", "{{.Id}}", c.name)[:6]
	w.inventory([]string{"cache"}, map[string]string{"cache": fmt.Sprintf("restart: {container: %q}\n    first_aid: {}", name)})
	w.cycle(0)
	w.breaks("cache")
	w.cycle(0)
	c.wantRestarted(false)
	w.wantEvent(store.Info, "no first aid for cache: no container is named "+name)
	counted(t, "restarts", w.cooldowns().Service("cache").Records(statefile.Restart), 0)
}
