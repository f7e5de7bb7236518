package inventory

import (
	"slices"
	"testing"
)

const parted = `
services:
  - {name: shop, aliases: [shop-web-1], depends_on: [shop-db, cache], checks: [{type: http, url: "http://shop.example.org/"}]}
  - {name: shop-db, ssh: db1, checks: [{type: service, address: "db1:5432"}]}
  - {name: cache, depends_on: [shop-db]}
`

// partOf returns the inventory of the part that has these services.
func partOf(t *testing.T, names ...string) *Inventory {
	t.Helper()
	inv, err := Parse([]byte(parted))
	if err != nil {
		t.Fatal(err)
	}
	return inv.Part(func(service string) string {
		if slices.Contains(names, service) {
			return ""
		}
		return "the other part"
	})
}

func TestAPartHasItsServicesAndKnowsEveryName(t *testing.T) {
	part := partOf(t, "shop", "cache")
	if len(part.Services) != 2 || part.Services[0].Name != "shop" || part.Services[1].Name != "cache" || len(part.Everything()) != 3 {
		t.Errorf("it has %v of %d", part.Services, len(part.Everything()))
	}
	for name, want := range map[string]string{"/shop-web-1": "shop", "shop-db.service": "shop-db", "cache": "cache"} {
		if got, known := part.Lookup(name); !known || got != want {
			t.Errorf("%s means %q (%v), want %s", name, got, known, want)
		}
		if got, known := part.Get(name); !known || got.Name != want {
			t.Errorf("%s is not the service %s", name, want)
		}
	}
	if !part.KnowsHost("db1") || !part.KnowsSSH("db1") {
		t.Error("a host of another part is not known")
	}
	if got := part.Services[0].DependsOn; !slices.Equal(got, []string{"shop-db", "cache"}) {
		t.Errorf("shop depends on %v", got)
	}
}

func TestAPartSaysWhoLooksAfterTheOthers(t *testing.T) {
	part := partOf(t, "shop", "cache")
	for name, want := range map[string]string{
		"shop": "", "shop-web-1": "", "cache.service": "", "shop-db": "the other part", "/shop-db": "the other part", "unheard-of": "the other part",
	} {
		if got := part.Elsewhere(name); got != want {
			t.Errorf("%s is looked after by %q, want %q", name, got, want)
		}
	}
	if got := part.DependenciesElsewhere(); got != 2 {
		t.Errorf("%d dependencies lead elsewhere, want those of shop and cache on shop-db", got)
	}
	var none *Inventory
	if none.Elsewhere("shop") != "" || none.Everything() != nil || none.HasChecks() {
		t.Error("without an inventory something is looked after elsewhere")
	}
}

func TestWithoutPartsEverythingIsHere(t *testing.T) {
	inv, err := Parse([]byte(parted))
	if err != nil {
		t.Fatal(err)
	}
	if len(inv.Everything()) != 3 || inv.Elsewhere("shop-db") != "" || inv.DependenciesElsewhere() != 0 {
		t.Errorf("%d services, shop-db is looked after by %q", len(inv.Everything()), inv.Elsewhere("shop-db"))
	}
}

func TestAPartWithoutServicesIsOfAnInventoryWithChecks(t *testing.T) {
	if part := partOf(t); len(part.Services) != 0 || !part.HasChecks() {
		t.Errorf("%d services, checks: %v", len(part.Services), part.HasChecks())
	}
}
