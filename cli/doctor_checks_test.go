package cli

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/inventory"
)

// A check that needs its own permission, program or password is a separate kind.
func TestOneCheckOfEachKind(t *testing.T) {
	inv, err := inventory.Parse([]byte(`services:
  - {name: a, checks: [{type: http, url: "http://localhost"}, {type: container}, {type: service, unit: ssh.service}]}
  - {name: b, checks: [{type: http, url: "http://127.0.0.1"}, {type: container, engine: "unix:///run/podman.sock"}, {type: service, address: "localhost:22"}]}
  - {name: c, checks: [{type: database, url: "postgres://u@localhost/c"}, {type: service, plugin: [check_load]}]}
  - {name: d, checks: [{type: database, url: "redis://localhost"}, {type: service, plugin: [check_disk]}, {type: service, plugin: [check_disk, -w]}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	services, kinds := oneOfEach(inv.Services)
	n := 0
	for _, s := range services {
		for _, k := range s.Checks {
			if kindOf(k) != kinds[n] {
				t.Errorf("check %d is of kind %q, and its service's is %q", n, kinds[n], kindOf(k))
			}
			kinds[n] = s.Name + " " + kinds[n]
			n++
		}
	}
	want := []string{"a http", "a container", "a service (unit)", "b container (unix:///run/podman.sock)", "b service (tcp)",
		"c database (postgres)", "c service (check_load)", "d database (redis)", "d service (check_disk)"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestUnitsThatFirstAidMayNotRestart(t *testing.T) {
	unit := func(name string) inventory.Service {
		return inventory.Service{Name: name, FirstAid: inventory.FirstAid{Attempts: 1}, Restart: inventory.Way{Kind: inventory.Unit, Name: name}}
	}
	services := []inventory.Service{
		unit("wiki"), unit("shop@1.service"), unit("nginx.service"), unit("nginx"), unit("php8.2-fpm"), {Name: "mail"},
		{Name: "db", FirstAid: inventory.FirstAid{Attempts: 1}, Restart: inventory.Way{Kind: inventory.Container, Name: "db"}},
	}
	targets := crontab.Targets()
	systemd := slices.IndexFunc(targets, func(t crontab.Target) bool { return t.Name() == "systemd" })
	job := func(user string, flags ...string) *crontab.Installed {
		return &crontab.Installed{Target: targets[systemd].(crontab.Local), User: user, Flags: flags}
	}
	for _, c := range []struct {
		job  *crontab.Installed
		want []string
	}{
		{nil, nil},
		{job("root"), nil},
		{job(""), []string{"nginx.service", "php8.2-fpm.service", "shop@1.service", "wiki.service"}},
		{job("ops", "--allow-unit 'shop@1.service'", "--jitter 2m0s", "--allow-unit wiki", "--allow-unit php8.2-fpm"), []string{"nginx.service"}},
		{job("ops", "--allow-unit 'shop@1.service'", "--allow-unit wiki.service", "--allow-unit nginx.service", "--allow-unit php8.2-fpm.service"), nil},
	} {
		if got := notAllowed(services, c.job); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.job, got, c.want)
		}
	}
}
