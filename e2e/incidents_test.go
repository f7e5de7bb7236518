package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/testkit/machine"
	"github.com/claudeops/claudeops/testkit/modeltest"
)

// playedIncident is an incident of real services that three tiers of the real agent program resolve. Their calls are in testdata/incidents.
type playedIncident struct {
	name     string // of the file and the state directory
	services string // of the inventory
	service  string // restarted twice without success, then redeployed
	trouble  string // shell command that causes it
	outside  string // shell command that prints what no refused call may change
	well     string // shell command that succeeds once all is as well as tiers can make it
	asks     string // what a human is asked for; empty: nothing
	starts   string // shell command that prints a line for each start: the last before the cycle, two restarts, one redeployment
}

var playedIncidents = []playedIncident{{
	name: "502", service: "shop",
	services: `
  - name: nginx
    settle: 0s
    depends_on: [shop]
    checks: [{type: http, url: "http://www.example.org/health", attempts: 1}]
    actions: {reload: {run: [docker, exec, nginx, nginx, -s, reload]}}
  - name: shop
    settle: 0s
    aliases: [shop-web-1, web]
    checks: [{type: http, url: "http://127.0.0.1:8080/health", attempts: 1}]
    restart: {compose: {file: /repos/shop/compose.yaml, service: web}}
    redeploy: {compose: {file: /repos/shop/compose.yaml, service: web}}`,
	trouble: "docker exec shop-web-1 touch /app/cache.bin; docker kill shop-web-1; docker wait shop-web-1",
	outside: `docker ps --all --no-trunc --filter label=com.docker.compose.project=shop --format '{{.ID}} {{.Names}} {{.State}}'
		docker inspect --format '{{.State.StartedAt}} {{.HostConfig.Memory}}' shop-web-1 nginx; find /repos /etc /srv -type f -printf '%p %s %T@\n' | sort`,
	well:   `curl -sf http://www.example.org/health; docker exec shop-web-1 test ! -e /app/cache.bin; cd /repos/shop; test -z "$(git status --porcelain)"`,
	starts: "docker exec shop-web-1 cat /data/starts",
}, {
	name: "disk", service: "shop",
	services: `
  - name: host
    checks: [{type: service, plugin: [/usr/local/bin/check-disk], attempts: 1}]
    actions: {make_room: {run: [journalctl, --vacuum-size=1G]}}
  - name: shop
    settle: 0s
    ssh: shop-host
    checks: [{type: service, unit: shop.service, attempts: 1}]
    redeploy: {run: [ansible-playbook, shop.yml, --limit, shop-host], dir: ansible}
  - {name: nginx, restart: {unit: nginx.service}, actions: {reload: {run: [systemctl, reload, nginx.service]}}}`,
	trouble: "rm /srv/shop/starts; echo LEVEL=debug >/srv/shop/shop.conf; systemctl restart shop || true",
	outside: `find /repos /etc /srv /var/backups /var/lib/docker/volumes /var/log/shop /var/log/nginx -type f -printf '%p %s %T@\n' | sort
		ls /var/lib/postgresql/17/main /var/lib/postgresql/17/main/PG_VERSION /state-disk/claudeops.db; systemctl show --property=ActiveState,InvocationID shop rsyslog nginx postgresql@17-main`,
	well: `systemctl is-active shop nginx; grep -x LEVEL=info /srv/shop/shop.conf; test -s /var/log/shop/debug.log
		ls /var/log/nginx/access.log /var/log/nginx/access.log.[234].gz /var/log/shop/app.log.[123]*; cat /var/lib/docker/volumes/shop_data/file /var/backups/shop-2026-03-01.tar.gz`,
	asks:   "make room on /var/log",
	starts: "cat /srv/shop/starts",
}, {
	name: "replica", service: "replica",
	services: `
  - {name: shop-db, ssh: db1, aliases: [postgresql@17-main.service], query: {database: "postgres://monitor@db1/postgres"},
     checks: [{type: database, url: "postgres://monitor@db1/postgres", attempts: 1}]}
  - name: replica
    query: {database: "postgres://monitor@db2.example.org/postgres"}
    settle: 0s
    ssh: db2.example.org
    restart: {container: postgres-replica}
    redeploy: {run: [ansible-playbook, replica.yml, --limit, db2.example.org], dir: ansible}
    actions:
      end_report: {run: [psql, -h, db2.example.org, -U, postgres, -c, "select pg_cancel_backend(pid) from pg_stat_activity where query like 'select pg_sleep%'"]}
      resume: {run: [docker, exec, postgres-replica, psql, -U, postgres, -Atc, select pg_wal_replay_resume()]}
    checks:
      - {type: database, url: "postgres://monitor@db1/postgres", query: "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'", attempts: 1}
      - {type: database, url: "postgres://monitor@db2.example.org/postgres", attempts: 1}`,
	// The primary discards what the replica has not read. The replica also stopped replaying, and gets a query that takes a day.
	trouble: `psql -qh db1 -U postgres -c "select pg_create_physical_replication_slot('spare')"
		docker exec postgres-replica rm /data/starts; docker stop --time 5 postgres-replica
		for i in 1 2 3; do psql -qh db1 -U postgres -d shop -c 'insert into orders values (0)' -c 'select pg_switch_wal()' -c checkpoint; done
		docker start postgres-replica; until docker exec postgres-replica pg_isready -q; do sleep 0.1; done
		docker exec postgres-replica psql -U postgres -c 'select pg_wal_replay_pause()'
		systemd-run --quiet --unit=report psql -h db2.example.org -U postgres -c 'select pg_sleep(86400)'
		until psql -h db2.example.org -U postgres -Atc "select pid from pg_stat_activity where query like 'select pg_sleep%'" | grep -q .; do sleep 0.1; done`,
	outside: `docker ps --all --no-trunc --filter label=com.docker.compose.project=db --format '{{.ID}} {{.Names}} {{.State}}'; docker inspect --format '{{.State.StartedAt}}' postgres-replica
		docker exec postgres-replica ls /var/lib/postgresql /var/lib/postgresql/data/base
		for h in db1 db2.example.org; do psql -h $h -U postgres -Atc 'select pg_is_in_recovery(), pg_postmaster_start_time()' -c 'show wal_keep_size' -c 'select datname from pg_database' -c 'select slot_name from pg_replication_slots'; done
		docker exec postgres-replica psql -U postgres -Atc 'select pg_is_wal_replay_paused()'; find /repos /etc /srv -type f -printf '%p %s %T@\n' | sort`,
	well: `psql -qh db1 -U postgres -d shop -c 'insert into orders values (4711)'; test "$(systemctl is-active report)" != active
		for i in $(seq 600); do psql -h db2.example.org -U postgres -d shop -Atc 'select id from orders where id = 4711' | grep . && break; sleep 0.1; done
		psql -h db2.example.org -U postgres -d shop -Atc 'select id from orders where id = 4711' | grep 4711`,
	starts: "docker exec postgres-replica cat /data/starts",
}}

// typed is a line of an incident: a call of an agent of a tier, and its outcome.
type typed struct {
	tier    int
	want    string // the exit status of the call; "-": any, but nothing outside changes
	command string // for bash; after "[TOOL SERVICE]" or "[action SERVICE ACTION]" why that tool is called, or what a human is asked for
}

// call returns the call of the tool.
func (row typed) call() modeltest.ToolUse {
	if rest, tool := strings.CutPrefix(row.command, "["); tool {
		head, text, _ := strings.Cut(rest, "] ")
		words := strings.Fields(head)
		input := map[string]any{"service": words[1], "why": text}
		switch words[0] {
		case "action":
			input["action"] = words[2]
		case "ask_human":
			input = map[string]any{"service": words[1], "text": text}
		}
		return modeltest.ToolUse{Name: "mcp__claudeops__" + words[0], Input: input}
	}
	return modeltest.ToolUse{Name: "mcp__claudeops__bash", Input: map[string]any{"command": row.command}}
}

// typedRows reads an incident.
func typedRows(t *testing.T, name string) (rows []typed) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "incidents", name+".txt"))
	must(t, err)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		tier, rest, _ := strings.Cut(line, " ")
		want, command, _ := strings.Cut(rest, " ")
		if strings.HasPrefix(command, `"`) {
			must(t, json.Unmarshal([]byte(command), &command))
		}
		n, err := strconv.Atoi(tier)
		must(t, err)
		rows = append(rows, typed{n, want, command})
	}
	return rows
}

// The real agent program resolves three incidents with the tools of the door: each tier finds, tries and hands off what it should, with
// commands that people type, until the real service is well or a human is asked. Two restarts are counted and a third is refused, and nothing that is refused
// has an effect.
func TestClaude_ThreeIncidents(t *testing.T) {
	t.Parallel()
	oneHomelab(t)
	homelabImage(t, "unix://"+engineSocket(t))
	m := machine.Homelab(t, map[string]string{
		engineSocket(t): "/run/docker.sock", "testdata/incidents": "/srv/homelab", modeltest.Program(t): "/usr/local/bin/claude",
		claudeopsBin: "/usr/local/bin/claudeops", shimBin: "/usr/local/bin/claudeops-shim",
	})
	t.Cleanup(func() {
		for _, project := range []string{"shop", "db"} {
			m.Run("docker compose -p " + project + " down --volumes --timeout 1 >/run/down 2>&1")
		}
	})
	m.Run("HOMELAB_USR=" + machine.Root(t, "homelab") + "/usr bash -e /srv/homelab/homelab.sh")
	for _, incident := range playedIncidents {
		t.Run(incident.name, func(t *testing.T) { incident.play(t, m) })
	}
}

func (p playedIncident) play(t *testing.T, m *machine.Machine) {
	srv := modeltest.Start(t, modeltest.Script{})
	env := append(srv.Environ(), "CLAUDEOPS_STATE_DIR=/state-"+p.name, "CLAUDEOPS_RESULTS_DIR=/results-"+p.name, "CLAUDEOPS_REPOS_DIR=/repos",
		"CLAUDEOPS_INVENTORY=/etc/claudeops/"+p.name+".yaml", "CLAUDEOPS_TIER1_AGENT=claude", "CLAUDEOPS_DASHBOARD_ADDR=127.0.0.1:18089")
	m.Write("/etc/claudeops/"+p.name+".yaml", "services:"+p.services+"\n", 0o644)
	m.Write("/etc/claudeops/"+p.name+".env", strings.Join(env, "\n")+"\n", 0o600)
	m.Run("mkdir -p -m 700 /state-" + p.name + " /results-" + p.name + "; exec >/run/trouble 2>&1; " + p.trouble)
	if out, code := m.Try(p.well); code == 0 {
		t.Fatalf("there is no trouble: %s", out)
	}
	rows := typedRows(t, p.name)
	srv.Play(modeltest.Script{"haiku": p.turns(t, m, rows, 1), "sonnet": p.turns(t, m, rows, 2), "opus": p.turns(t, m, rows, 3)})
	p.cycle(t, m)

	if out, code := m.Try(p.well); code != 0 {
		t.Errorf("not all is well: %s", out)
	}
	if p.asks != "" {
		says(t, m.Run("claudeops notify list --json --db /state-"+p.name+"/claudeops.db"), "Tier 3 asks: "+p.asks)
	}
	if out, _ := m.Try(p.starts); out != strings.Repeat("started\n", 4) {
		t.Errorf("%s was started so often:\n%swant once before, two restarts and one redeployment", p.service, out)
	}
	state, err := statefile.Parse([]byte(m.Run("cat /state-" + p.name + "/cooldown.json")))
	must(t, err)
	if s := state.Service(p.service); len(s.Restarts) != 2 || len(s.Redeployments) != 1 || !s.Redeployments[0].Success {
		t.Errorf("records %+v, want two restarts and one redeployment", s)
	}
	for _, r := range srv.Requests() {
		if strings.Contains(string(r.Body), "hunter2") {
			t.Fatal("the model has read a secret")
		}
	}
	for tier := 1; tier <= 3; tier++ {
		p.wantAudit(t, m, rows, tier)
	}
}

// cycle runs one until it ends.
func (p playedIncident) cycle(t *testing.T, m *machine.Machine) {
	t.Helper()
	unit := "cycle-" + p.name
	m.Run("systemd-run --quiet --remain-after-exit --unit=" + unit + " --property=EnvironmentFile=/etc/claudeops/" + p.name + ".env --setenv=HOME=/root claudeops run-once")
	for range 8 { // each with the time limit of a command in the machine
		if _, code := m.Try(`for i in $(seq 200); do [ "$(systemctl show --value --property=SubState ` + unit + `)" = running ] || exit 0; sleep 1; done; exit 1`); code == 0 {
			break
		}
	}
	if result := m.Run("systemctl show --value --property=Result --property=SubState " + unit); result != "success\nexited\n" {
		t.Errorf("the cycle ended as %q\n%s", result, m.Run("journalctl --output=cat --unit="+unit))
	}
	const statuses = ` | jq -r 'reverse[] | "\(.tier) \(.status)"'`
	if got, want := m.Run(`claudeops sessions list --json --db /state-`+p.name+`/claudeops.db`+statuses), "1 escalated\n2 escalated\n3 completed\n"; got != want {
		t.Errorf("sessions\n%swant\n%s%s", got, want, m.Run("journalctl --output=cat --unit="+unit))
	}
}

// turns are what the model of a tier says. A refused call is in a separate turn, during which nothing outside may change.
func (p playedIncident) turns(t *testing.T, m *machine.Machine, rows []typed, tier int) (turns []modeltest.Turn) {
	var blocks [][]typed
	for _, row := range rows {
		last := len(blocks) - 1
		switch {
		case row.tier != tier:
		case last >= 0 && (blocks[last][0].want == "-") == (row.want == "-"):
			blocks[last] = append(blocks[last], row)
		default:
			blocks = append(blocks, []typed{row})
		}
	}
	outside := ""
	for i := range len(blocks) + 1 {
		turns = append(turns, modeltest.Ask(func(r modeltest.Request) modeltest.Turn {
			if i > 0 {
				wantTyped(t, blocks[i-1], r.Results)
			}
			if now, _ := m.Try(p.outside); outside != "" && now != outside {
				t.Errorf("what was refused has changed\n%s\nto\n%s", outside, now)
			} else if outside = ""; i < len(blocks) && blocks[i][0].want == "-" {
				outside = now
			}
			if i == len(blocks) {
				return modeltest.Say("That is all.")
			}
			var turn modeltest.Turn
			for _, row := range blocks[i] {
				turn.Tools = append(turn.Tools, row.call())
			}
			return turn
		}))
	}
	return turns
}

// wantTyped checks the tool results that the model got.
func wantTyped(t *testing.T, rows []typed, results []modeltest.Result) {
	if len(results) != len(rows) {
		t.Errorf("%d calls have %d results", len(rows), len(results))
		return
	}
	for i, row := range rows {
		got := "0"
		if results[i].IsError {
			head, _, _ := strings.Cut(results[i].Text, "\n")
			got = strings.TrimPrefix(head, "Exit code ")
		}
		if row.want != "-" && got != row.want {
			t.Errorf("Tier %d: %s\nexits with %s, want %s: %s", row.tier, row.command, got, row.want, results[i].Text)
		}
	}
}

// wantAudit checks that each call of a tier that reaches the broker, directly or through bash, is in the audit log.
func (p playedIncident) wantAudit(t *testing.T, m *machine.Machine, rows []typed, tier int) {
	t.Helper()
	var audit []guard.Entry
	shown := m.Run(fmt.Sprintf(". /etc/claudeops/%s.env; export CLAUDEOPS_STATE_DIR CLAUDEOPS_RESULTS_DIR; claudeops sessions show %d --commands --json", p.name, tier))
	must(t, json.Unmarshal([]byte(shown), &audit))
	for _, row := range rows {
		words := strings.Fields(row.command)
		if row.tier != tier || row.want == "-" || strings.ContainsAny(row.command, "'\"|&;<>$(){}*[]\n") || !slices.Contains([]string{"docker", "systemctl", "psql", "journalctl", "ansible-playbook", "claudeops"}, words[0]) {
			continue
		}
		verb, meant := guard.Typed(words) // what runs is the services file's list
		at := slices.IndexFunc(audit, func(e guard.Entry) bool {
			is := e.Command == row.command || e.Command == guard.CommandLine(words) || meant && slices.Contains(e.Actions, verb.Action)
			return is && e.Exit != nil && strconv.Itoa(*e.Exit) == row.want && (e.Decision == guard.Denied) == (row.want == "126")
		})
		if at < 0 {
			t.Errorf("Tier %d: the audit has no `%s` that exits with %s:\n%s", tier, row.command, row.want, shown)
		}
	}
}
