package inventory

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestGetAndDependsOn(t *testing.T) {
	inv := mustParse(t, `
services:
  - {name: shop, depends_on: [web.service, /queue]}
  - {name: web, aliases: [nginx], depends_on: [db]}
  - {name: queue, depends_on: [db, disk]}
  - {name: db, depends_on: [disk]}
  - {name: disk, aliases: [/nfs]}
`)
	for name, want := range map[string][]string{
		"shop": {"web", "queue"}, "nginx.service": {"db"}, "queue": {"db", "disk"}, "nfs": nil,
	} {
		service, _ := inv.Get(name)
		if diff := cmp.Diff(want, service.DependsOn); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, want := range map[string]string{"shop": "shop", "nginx": "web", "nginx.service": "web", "/queue": "queue", "nobody": ""} {
		service, known := inv.Get(name)
		if known != (want != "") || known && service.Name != want || !known && service != nil {
			t.Errorf("Get(%q) = %v, %v", name, service, known)
		}
	}
	var none *Inventory
	if service, known := none.Get("shop"); service != nil || known {
		t.Error("a nil inventory knows a service")
	}
}

func TestFaultsOfDependencies(t *testing.T) {
	const rest = "; must be the name or an alias of one"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"unknown", "[{name: shop, depends_on: [shap-db]}, {name: shop-db}]",
			[]string{`line 1, column 38: depends_on: "shap-db" is no service here (did you mean "shop-db"?)` + rest}},
		{"nothing like it", "[{name: a, depends_on: [zookeeper]}]", []string{`line 1, column 35: depends_on: "zookeeper" is no service here` + rest}},
		{"itself", "[{name: a, aliases: [b], depends_on: [b.service]}]",
			[]string{`line 1, column 49: depends_on: "b.service" is the service itself; must be another`}},
		{"twice", "[{name: a, aliases: [x]}, {name: b, depends_on: [a, x]}]",
			[]string{`line 1, column 63: depends_on: "x" is "a", which is given already; must be given once`}},
		{"number", "[{name: a, depends_on: [1]}]", []string{"line 1, column 35: depends_on: a number; must be a text, so put it in quotes"}},
		{"two", "[{name: a, depends_on: [b]}, {name: b, depends_on: [a]}]",
			[]string{"line 1, column 63: depends_on: a circle: a → b → a; must lead to no service twice"}},
		{"behind others", "[{name: x, depends_on: [a]}, {name: a, depends_on: [b]}, {name: b, depends_on: [c]}, {name: c, aliases: [d], depends_on: [a]}]",
			[]string{"line 1, column 133: depends_on: a circle: a → b → c → a; must lead to no service twice"}},
		{"two circles", "[{name: a, depends_on: [b, c]}, {name: b, depends_on: [a]}, {name: c, depends_on: [a]}]", []string{
			"line 1, column 66: depends_on: a circle: a → b → a; must lead to no service twice",
			"line 1, column 94: depends_on: a circle: a → c → a; must lead to no service twice",
		}},
	} {
		if diff := cmp.Diff(c.want, faultsOf(t, "services: "+c.text)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// A cycle of very many services is found, and reported on one line.
func TestLongCircle(t *testing.T) {
	const services = 20_000
	var file strings.Builder
	file.WriteString("services:\n")
	for i := range services {
		fmt.Fprintf(&file, "- {name: s%d, depends_on: [s%d]}\n", i, (i+1)%services)
	}
	faults := faultsOf(t, file.String())
	if len(faults) != 1 || !strings.HasPrefix(faults[0], "line 20001, column ") || !strings.HasSuffix(faults[0], " → s17 → s18 → … → s0; must lead to no service twice") {
		t.Errorf("%d faults, the first %q", len(faults), faults[0])
	}
}

// For any dependencies: they are accepted if and only if they have no cycle, and are then as written.
func TestCirclesAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const services = 6
		var direct, leads [services][services]bool
		var file strings.Builder
		file.WriteString("services:\n")
		for i := range services {
			on := rapid.SliceOfNDistinct(rapid.IntRange(0, services-1).Filter(func(j int) bool { return j != i }), 0, 2, rapid.ID).Draw(t, "on")
			fmt.Fprintf(&file, "- {name: s%d, depends_on: [", i)
			for _, j := range on {
				direct[i][j], leads[i][j] = true, true
				fmt.Fprintf(&file, "s%d, ", j)
			}
			file.WriteString("]}\n")
		}
		for k := range services {
			for i := range services {
				for j := range services {
					leads[i][j] = leads[i][j] || leads[i][k] && leads[k][j]
				}
			}
		}
		circle := false
		for i := range services {
			circle = circle || leads[i][i]
		}
		inv, err := Parse([]byte(file.String()))
		if (err != nil) != circle {
			t.Fatalf("%s: %v", &file, err)
		}
		for i := range services {
			if inv == nil {
				break
			}
			got := map[string]bool{}
			for _, name := range inv.Services[i].DependsOn {
				got[name] = true
			}
			for j := range services {
				if got[fmt.Sprintf("s%d", j)] != direct[i][j] {
					t.Fatalf("%s: s%d depends on %v", &file, i, got)
				}
			}
		}
	})
}
