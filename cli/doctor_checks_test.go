package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
