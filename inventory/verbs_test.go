package inventory

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWays(t *testing.T) {
	inv := mustParse(t, `
services:
  - {name: shop, checks: [{type: container, container: shop-web-1, engine: 'tcp://10.0.0.1:2375'}, {type: http, url: 'http://h/'}]}
  - {name: wiki, ssh: ops@h, checks: [{type: service, unit: wiki}], redeploy: {run: [ansible-playbook, 5], dir: plays, timeout: 30m}}
  - {name: box, ssh: ops@h, restart: {unit: box.service}}
  - {name: till, restart: {container: till-1}, checks: [{type: container, container: till-1, engine: 'tcp://10.0.0.1:2375'}, {type: container, container: till-2}]}
  - {name: mail, restart: {compose: {file: /srv/mail, service: smtp}}, redeploy: {compose: {file: /srv/mail/mail.yml, service: smtp}}}
  - {name: api, restart: {deployment: {name: api}}, redeploy: {helm: {release: api, chart: repo/api, namespace: prod}}}
  - {name: job, checks: [{type: container, job: true}]}
  - {name: timer, checks: [{type: service, unit: timer.timer}]}
  - {name: own, checks: [{type: service, unit: own.service, user: true}]}
  - {name: two, checks: [{type: service, unit: one.service}, {type: container, container: two-1}]}
`)
	for name, want := range map[string]struct{ restart, redeploy string }{
		"shop":  {"docker --host tcp://10.0.0.1:2375 restart shop-web-1", ""},
		"wiki":  {"systemctl restart wiki.service", "ansible-playbook 5"},
		"box":   {"ssh -o BatchMode=yes -o ControlMaster=no ops@h -- systemctl restart box.service", ""},
		"till":  {"docker --host tcp://10.0.0.1:2375 restart till-1", ""},
		"mail":  {"docker compose --project-directory /srv/mail restart smtp", "docker compose --file /srv/mail/mail.yml up --detach --no-deps --force-recreate smtp"},
		"api":   {"kubectl --namespace default rollout restart deployment/api", "helm upgrade --namespace prod --reuse-values api repo/api"},
		"job":   {},
		"timer": {},
		"own":   {},
		"two":   {},
	} {
		got, _ := inv.Get(name)
		if restart, redeploy := strings.Join(got.Restart.RestartArgv("docker"), " "), strings.Join(got.Redeploy.RedeployArgv("docker"), " "); restart != want.restart || redeploy != want.redeploy {
			t.Errorf("%s is restarted by %q, and redeployed by %q", name, restart, redeploy)
		}
	}
	if got := inv.Service("box.service"); got != "box" {
		t.Errorf("the unit that is restarted means %q", got)
	}
}

func TestFirstAid(t *testing.T) {
	inv := mustParse(t, `
services:
  - {name: shop, settle: 1m, restart: {unit: shop.service}, first_aid: {}}
  - {name: disk, actions: {make_room: {run: [journalctl, --vacuum-size=500M]}}, first_aid: {do: make_room, attempts: 2, settle: 0s}}
  - {name: quiet, restart: {unit: quiet.service}}
`)
	for name, want := range map[string]struct {
		aid  FirstAid
		argv string
	}{
		"shop":  {FirstAid{Attempts: 1, Settle: time.Minute}, "systemctl restart shop.service"},
		"disk":  {FirstAid{Attempts: 2, Do: "make_room"}, "journalctl --vacuum-size=500M"},
		"quiet": {},
	} {
		got, _ := inv.Get(name)
		if diff := cmp.Diff(want.aid, got.FirstAid); diff != "" || strings.Join(got.Aid().RestartArgv("docker"), " ") != want.argv {
			t.Errorf("%s: %v\n%s", name, got.Aid(), diff)
		}
	}
}

func TestFaultsOfVerbs(t *testing.T) {
	for rest, want := range map[string]string{
		"restart: unit":                           "line 1, column 31: restart: a text; must have one of container, unit, compose, deployment, run",
		"redeploy: {}":                            "line 1, column 32: redeploy: says not how; must have one of compose, deployment, helm, run",
		"restart: {unit: a, run: [b]}":            "line 1, column 31: restart: both unit and run; must have one of container, unit, compose, deployment, run",
		"restart: {compose: {service: b}}":        "line 1, column 41: file: missing; must be the file of the compose project, or its folder",
		"restart: {unit: b, dir: c}":              "line 1, column 46: dir: must not be given here; it belongs to run",
		"restart: {container: '--all'}":           `line 1, column 43: container: "--all" is no name of a container`,
		"restart: {run: [./again]}":               "line 1, column 38: run: a path that does not begin with /; must be one that does, or a name in PATH",
		"actions: {A: {run: [b]}}":                `line 1, column 32: actions: "A" is no name of an action; must be a word in lower case, like make_room`,
		"actions: {a: {unit: b}}":                 `line 1, column 36: "unit" is no key of a but of restart, redeploy and actions and of a service check; must be one of run, dir, timeout`,
		"restart: {unit: b}, first_aid: {do: c}":  `line 1, column 58: do: "c" is none of the service's actions`,
		"first_aid: {}":                           "line 1, column 33: first_aid: its checks name no container or unit, or several, so it is not known what to restart; must have `do:` the name of one of its actions, or a `restart:` beside it",
		"query: {database: 'mysql://r:secret@h'}": "line 1, column 40: database: has a password, and agents may read this file; password_env names the variable that has it",
		"query: {database: 'sqlite:///a.db'}":     "line 1, column 40: database: a file, which agents read with sqlite3; must be the URL of PostgreSQL, MySQL, MariaDB or Redis",
		"logs: [log/a.log]":                       "line 1, column 29: logs: not the path or pattern of a log file; must begin with /, like /srv/shop/log/*.log",
		"runbook: ../a.md":                        "line 1, column 31: runbook: not the path of a file below CLAUDEOPS_REPOS_DIR; write it like runbooks/shop.md",
		"remediate: {hours: noon}":                `line 1, column 41: hours: "noon"; must be two times of day, like "22:00-07:00 Europe/Berlin"`,
	} {
		got := faultsOf(t, "services: [{name: a, "+rest+"}]")
		if len(got) == 0 || got[0] != want {
			t.Errorf("%s\n%q, want\n%q", rest, got, want)
		}
	}
}

// An old key is answered with what to write in its place, which means the same.
func TestARemedyIsNowAVerb(t *testing.T) {
	for remedy, want := range map[string]string{
		"{restart: container, name: shop-web-1, settle: 20s}":           "restart: {container: shop-web-1}\n    first_aid: {attempts: 1, settle: 20s}",
		"{restart: unit, name: 'postgresql@16-main', attempts: 2}":      "restart: {unit: postgresql@16-main}\n    first_aid: {attempts: 2}",
		"{restart: compose, project: /srv/my shop, name: web}":          "restart: {compose: {file: \"/srv/my shop\", service: web}}\n    first_aid: {attempts: 1}",
		"{restart: deployment, name: api}":                              "restart: {deployment: {name: api, namespace: default}}\n    first_aid: {attempts: 1}",
		"{run: [/bin/again, -n, 5]}":                                    "restart: {run: [/bin/again, \"-n\", 5]}\n    first_aid: {attempts: 1}",
		"{run: [/bin/again, 'a, b'], counts: redeployment, settle: 1m}": "actions: {redo: {run: [/bin/again, \"a, b\"]}}\n    first_aid: {attempts: 1, settle: 1m, do: redo}",
	} {
		got := faultsOf(t, "services: [{name: a, remedy: "+remedy+"}]")
		if len(got) != 1 {
			t.Fatalf("%s: %q", remedy, got)
		}
		said, block, _ := strings.Cut(got[0], " and first_aid; write\n    ")
		if key, _, _ := strings.Cut(want, ":"); said != "line 1, column 30: remedy is now "+key || block != want {
			t.Errorf("%s\n%s", remedy, got[0])
		}
		mustParse(t, "services:\n  - name: a\n    "+block)
	}
	if got := faultsOf(t, "services: [{name: a, remedy: again}]"); len(got) != 1 || !strings.Contains(got[0], "restart: {container: NAME}") {
		t.Errorf("%q", got)
	}
}

func TestHoursOfRemediation(t *testing.T) {
	inv := mustParse(t, `services: [{name: a, remediate: {hours: "22:00-06:00 UTC"}}, {name: b, remediate: {}}]`)
	for at, want := range map[int]bool{21: false, 22: true, 5: true, 6: false} {
		now := time.Date(2026, 11, 24, at, 0, 0, 0, time.UTC)
		if got := inv.Services[0].Remediable(now); got != want {
			t.Errorf("at %d o'clock: %v", at, got)
		}
		if !inv.Services[1].Remediable(now) {
			t.Errorf("without hours, at %d o'clock: no", at)
		}
	}
}
