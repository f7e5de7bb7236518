package inventory

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRemedies(t *testing.T) {
	inv := mustParse(t, `
services:
  - {name: shop, remedy: {restart: container, name: shop-web-1, settle: 20s, attempts: 2}}
  - {name: wiki, settle: 1m, remedy: {restart: unit, name: wiki.service}}
  - {name: mail, remedy: {restart: compose, project: /srv/mail, name: smtp}}
  - {name: api, remedy: {restart: deployment, name: api, namespace: prod}}
  - {name: billing, remedy: {run: [/usr/local/bin/again, -n, 5], counts: redeployment}}
  - {name: quiet}
`)
	want := map[string]Remedy{
		"shop":    {Restart: RestartContainer, Name: "shop-web-1", Namespace: "default", Counts: "restart", Settle: 20 * time.Second, Attempts: 2},
		"wiki":    {Restart: RestartUnit, Name: "wiki.service", Namespace: "default", Counts: "restart", Settle: time.Minute, Attempts: 1},
		"mail":    {Restart: RestartCompose, Name: "smtp", Project: "/srv/mail", Namespace: "default", Counts: "restart", Settle: DefaultSettle, Attempts: 1},
		"api":     {Restart: RestartDeployment, Name: "api", Namespace: "prod", Counts: "restart", Settle: DefaultSettle, Attempts: 1},
		"billing": {Run: []string{"/usr/local/bin/again", "-n", "5"}, Namespace: "default", Counts: "redeployment", Settle: DefaultSettle, Attempts: 1},
		"quiet":   {},
	}
	for name, remedy := range want {
		got, _ := inv.Get(name)
		if diff := cmp.Diff(remedy, got.Remedy); diff != "" || got.Remedy.Given() != (name != "quiet") {
			t.Errorf("%s: given %v\n%s", name, got.Remedy.Given(), diff)
		}
	}
	if got := inv.Service("shop-web-1"); got != "shop" {
		t.Errorf("the container that is restarted means %q", got)
	}
}

func TestFaultsOfRemedies(t *testing.T) {
	for rest, want := range map[string]string{
		"remedy: restart": "line 1, column 30: remedy: a text; must be a remedy: restart and name, or run",
		"remedy: {}":      "line 1, column 30: remedy: neither restart nor run; must have restart and name, or run",
		"remedy: {restart: unit, name: a, run: [b]}":              "line 1, column 30: remedy: both restart and run; must have restart and name, or run",
		"remedy: {restart: vm, name: a}":                          `line 1, column 40: restart: "vm"; must be container, unit, compose or deployment`,
		"remedy: {restart: unit}":                                 "line 1, column 30: name: missing; must be the name of what is restarted",
		"remedy: {restart: compose, name: a}":                     "line 1, column 30: project: missing; must be the folder of the compose project, or its file",
		"remedy: {run: [a], name: b}":                             "line 1, column 47: name: must not be given here; it belongs to restart",
		"remedy: {restart: unit, name: b, counts: restart}":       "line 1, column 63: counts: must not be given here; it belongs to run: a restart counts as one",
		"remedy: {restart: container, name: b, namespace: c}":     "line 1, column 71: namespace: must not be given here; it belongs to restart: deployment",
		"remediate: {hours: noon}":                                `line 1, column 41: hours: "noon"; must be two times of day, like "22:00-07:00 Europe/Berlin"`,
		"remedy: {run: [sh, -c, x], shell: true}":                 `line 1, column 49: "shell" is no key of a remedy; must be one of restart, name, project, namespace, run, counts, settle, attempts`,
		"remedy: {run: [./again]}":                                "line 1, column 37: run: a path that does not begin with /; must be one that does, or a name in PATH",
		"remedy: {restart: container, name: '--all', settle: 1s}": `line 1, column 57: name: "--all" is no name of a container, unit, compose service or deployment`,
	} {
		if diff := cmp.Diff([]string{want}, faultsOf(t, "services: [{name: a, "+rest+"}]")); diff != "" {
			t.Errorf("%s\n%s", rest, diff)
		}
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
