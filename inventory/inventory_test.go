package inventory

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// world is the inventory for the guard's table of commands.
const world = `# what runs here
services:
  - name: shop
    aliases: [shop-web-1, shop.service]
    ssh: shop.example.org
    checks:
      - {type: http, url: "http://127.0.0.1:8080/health"}
  - name: shop-db
    aliases:
      - shop-db-1
      - postgresql.service
      - postgresql@16-main.service
    ssh: postgres@db1
    checks:
      - type: database
        url: postgres://probe@DB1.example.org:5432/shop
  - name: replica
    aliases: [postgres-replica]
    ssh: db2.example.org.
  - name: nginx
    aliases: [nginx.service]
    checks:
      - type: http
        url: https://www.example.org/
      - {type: dns, name: www.example.org, server: "[2001:DB8:0::53]:53"}
      - {type: service, address: edge.example.org:443}
      - {type: service, plugin: [check_ssh], host: Edge2.example.org.}
      - {type: service, address: /var/run/postgresql/.s.PGSQL.5432}
      - {type: container, engine: "tcp://Docker1:2375"}
      - {type: container, engine: "unix:///run/podman/podman.sock"}
`

func mustParse(t testing.TB, text string) *Inventory {
	t.Helper()
	inv, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func TestParseReadsServices(t *testing.T) {
	got := mustParse(t, world).Services
	want := []Service{
		{Name: "shop", Aliases: []string{"shop-web-1", "shop.service"}, SSH: "shop.example.org"},
		{Name: "shop-db", Aliases: []string{"shop-db-1", "postgresql.service", "postgresql@16-main.service"}, SSH: "postgres@db1"},
		{Name: "replica", Aliases: []string{"postgres-replica"}, SSH: "db2.example.org."},
		{Name: "nginx", Aliases: []string{"nginx.service"}},
	}
	for i := range want {
		want[i].Settle, want[i].FailAfter = DefaultSettle, 1
		want[i].Checks = got[i].Checks // see TestParseReadsChecks
	}
	if diff := cmp.Diff(want, got, sameHours); diff != "" {
		t.Error(diff)
	}
}

func TestServiceIsTheOneThatANameMeans(t *testing.T) {
	inv := mustParse(t, world)
	for name, want := range map[string]string{
		"shop":                       "shop",
		"/shop":                      "shop",
		"shop.service":               "shop",
		"shop-web-1":                 "shop",
		"postgresql":                 "shop-db", // systemctl adds the suffix itself
		"postgresql.service":         "shop-db",
		"postgresql@16-main.service": "shop-db",
		"postgres-replica":           "replica",
		"unheard":                    "unheard",
		"//unheard":                  "/unheard",
		"cron.timer":                 "cron.timer",
		"Shop":                       "Shop",         // names of containers and units are case-sensitive
		"shop.service.service":       "shop.service", // only one suffix is removed
		"/":                          "/",
		"":                           "",
	} {
		if got := inv.Service(name); got != want {
			t.Errorf("Service(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestLookupTakesTheFirstThatIsKnown(t *testing.T) {
	inv := mustParse(t, world)
	for _, c := range []struct {
		names   []string
		service string
		known   bool
	}{
		{[]string{"shop-web-1", "shop_web_1", "shop-web", "web"}, "shop", true},
		{[]string{"x-db-1", "x_db_1", "shop-db-1", "shop"}, "shop-db", true},
		{[]string{"nginx.service"}, "nginx", true},
		{[]string{"web", ""}, "", false},
		{nil, "", false},
	} {
		if service, known := inv.Lookup(c.names...); service != c.service || known != c.known {
			t.Errorf("Lookup(%q) = %q, %v, want %q, %v", c.names, service, known, c.service, c.known)
		}
	}
}

func TestKnownHosts(t *testing.T) {
	inv := mustParse(t, world)
	for _, c := range []struct {
		host       string
		check, ssh bool
	}{
		{"127.0.0.1", true, false},
		{"::ffff:127.0.0.1", true, false}, // the same address in IPv6 form
		{"www.example.org", true, false},
		{"WWW.Example.ORG.", true, false},
		{"db1.example.org", true, false},
		{"2001:db8::53", true, false},
		{"[2001:0db8:0:0::0053]:8053", true, false},
		{"edge.example.org", true, false},
		{"shop.example.org", false, true},
		{"db1", false, true},
		{"db2.example.org", false, true},
		{"postgres@db1", false, false}, // a host, not a target
		{"shop", false, false},         // the name of a service is not a host
		{"example.org", false, false},
		{"evil.www.example.org", false, false},
		{"www.example.org.evil.org", false, false},
		{"www.example.org:80@evil.org", false, false},
		{"www.example.org/", false, false},
		{"edge.example.org..", false, false},
		{"2130706433", false, false}, // 127.0.0.1 in a form that Go does not write
		{"[www.example.org]x", false, false},
		{"", false, false},
	} {
		if got := inv.KnowsHost(c.host); got != c.check {
			t.Errorf("KnowsHost(%q) = %v", c.host, got)
		}
		if got := inv.KnowsSSH(c.host); got != c.ssh {
			t.Errorf("KnowsSSH(%q) = %v", c.host, got)
		}
	}
	if diff := cmp.Diff([]string{"db1", "db2.example.org", "shop.example.org"}, inv.sshHosts); diff != "" {
		t.Error(diff)
	}
}

func TestLowerLeavesLookAlikesAlone(t *testing.T) {
	inv := mustParse(t, "services: [{name: a, ssh: kiosk}]")
	if inv.KnowsSSH("\u212aiosk") {
		t.Error("a Kelvin sign is taken for a k")
	}
	if !inv.KnowsSSH("KIOSK") {
		t.Error("upper case matters")
	}
}

func TestNilKnowsNothing(t *testing.T) {
	var inv *Inventory
	if got := inv.Service("/shop.service"); got != "shop" {
		t.Errorf("Service = %q", got)
	}
	if service, known := inv.Lookup("shop", ""); known || service != "" {
		t.Errorf("Lookup = %q, %v", service, known)
	}
	if inv.KnowsHost("127.0.0.1") || inv.KnowsSSH("db1") {
		t.Error("it knows a host")
	}
}

// The different forms of YAML result in the same inventory.
func TestWaysOfWriting(t *testing.T) {
	want := mustParse(t, `
services:
  - name: a b
    aliases: [x, "y"]
    checks:
      - {type: http, url: "http://h:80/"}
`).Services
	for name, text := range map[string]string{
		"JSON":              `{"services": [{"name": "a b", "aliases": ["x", "y"], "checks": [{"type": "http", "url": "http://h:80/"}]}]}`,
		"marked":            "---\nservices: [{name: a b, aliases: [x, y], checks: [{type: http, url: 'http://h:80/'}]}]\n...\n",
		"byte order mark":   "\ufeffservices: [{name: a b, aliases: [x, y], checks: [{type: http, url: 'http://h:80/'}]}]\n",
		"tagged":            "services: [{name: !!str a b, aliases: [x, y], checks: [{type: http, url: 'http://h:80/'}]}]\n",
		"aliases":           "x-names: &x [x, y]\nservices: [{name: a b, aliases: *x, checks: [{type: http, url: 'http://h:80/'}]}]\n",
		"merge":             "x-web: &web {type: http, url: 'http://other/'}\nservices: [{name: a b, aliases: [x, y], checks: [{<<: *web, url: 'http://h:80/'}]}]\n",
		"merge of several":  "x-a: &a {type: http}\nx-b: &b {type: dns, url: 'http://h:80/'}\nservices: [{name: a b, aliases: [x, y], checks: [{<<: [*a, *b]}]}]\n",
		"keys of one's own": "x-: 3\nx-x: [1, ~, {? [a] : b}]\nservices: [{name: a b, aliases: [x, y], checks: [{type: http, url: 'http://h:80/'}]}]\n",
		"in another order":  "services:\n  - checks: [{url: 'http://h:80/', type: http}]\n    aliases: [x, y]\n    name: a b\n",
		"defaults spelled out": "services:\n  - name: a b\n    aliases: [x, y]\n    settle: 30s\n    fail_after: 1\n    depends_on: []\n    checks: [{url: 'http://h:80/', type: http, timeout: 10s, " +
			"attempts: 2, method: GET, status: 200-299, redirects: 5, certificate_days: 14, insecure: false}]\n",
	} {
		got, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got.Services, sameHours); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
