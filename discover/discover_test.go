package discover

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/testkit/servers"
)

var suite servers.Suite

var containers = servers.Share(&suite, servers.Containers)

func TestMain(m *testing.M) {
	code := m.Run()
	suite.End()
	os.Exit(code)
}

// of returns the result for these containers.
func of(t *testing.T, found ...probe.ListedContainer) (Found, *inventory.Inventory, string) {
	t.Helper()
	return parsed(t, settled(t, collected(found...)))
}

// collected returns what is known of these containers alone.
func collected(found ...probe.ListedContainer) *collection {
	c := &collection{byKey: map[string]*candidate{}, host: "127.0.0.1", exists: func(string) bool { return true }}
	for i := range found {
		c.container(&found[i])
	}
	return c
}

func settled(t *testing.T, c *collection) Found {
	t.Helper()
	found, err := c.settle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// parsed returns the inventory that was found, as package inventory reads it.
func parsed(t *testing.T, f Found) (Found, *inventory.Inventory, string) {
	t.Helper()
	text, err := f.YAML()
	if err != nil {
		t.Fatalf("%v:\n%s", err, f.render())
	}
	inv, err := inventory.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(inv.Services) != len(f.Services) {
		t.Fatalf("%d services were read of %d", len(inv.Services), len(f.Services))
	}
	for i := range f.Services {
		if inv.Services[i].Name != f.Services[i].Name || inv.Services[i].Owner != f.Services[i].Owner {
			t.Errorf("%q was read as %q", f.Services[i].Name, inv.Services[i].Name)
		}
	}
	withAid(t, string(text))
	return f, inv, string(text)
}

// withAid returns a services file with its first aid uncommented, as package inventory reads it.
func withAid(t *testing.T, text string) *inventory.Inventory {
	t.Helper()
	uncommented := strings.ReplaceAll(text, "# first_aid: {}", "first_aid: {}")
	inv, err := inventory.Parse([]byte(uncommented))
	if err != nil {
		t.Fatalf("with its first aid: %v:\n%s", err, uncommented)
	}
	given := 0
	for _, s := range inv.Services {
		if s.FirstAid.Given() {
			given++
		}
	}
	if written := strings.Count(text, "# first_aid: {}"); given != written {
		t.Errorf("first aid was written %d times, and read %d times", written, given)
	}
	return inv
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// composed returns a running container of compose.
func composed(project, service string, more map[string]string, ports ...probe.Port) probe.ListedContainer {
	given := map[string]string{labelProject: project, labelService: service}
	for name, value := range more {
		given[name] = value
	}
	return probe.ListedContainer{
		Name: project + "-" + service + "-1", Image: "registry.example.org/" + service + ":1.2", Running: true, Labels: given, Ports: ports,
	}
}

func TestInventoryIsWrittenForPeople(t *testing.T) {
	found := []probe.ListedContainer{
		composed("shop", "web", map[string]string{
			"claudeops.owner": "Team Shop: shop@example.org", "claudeops.url": "https://shop.example.org/health", "claudeops.settle": "1m",
			labelDependsOn: "db:service_healthy:true,cache:service_started:false,migrate:service_completed_successfully:false",
		}, probe.Port{Address: "0.0.0.0", Public: 8080, Private: 80, Protocol: "tcp"}),
		composed("shop", "db", nil, probe.Port{Address: "127.0.0.1", Public: 15432, Private: 5432, Protocol: "tcp"}),
		composed("shop", "cache", nil),
		composed("blog", "web", map[string]string{
			"claudeops.depends_on": "shop-web, nobody", labelFolder: "/srv/blog", labelFiles: "/srv/blog/docker-compose.yml",
		},
			probe.Port{Address: "0.0.0.0", Public: 8081, Private: 80, Protocol: "tcp"},
			probe.Port{Address: "::", Public: 8081, Private: 80, Protocol: "tcp"},
			probe.Port{Address: "10.0.0.5", Public: 9000, Private: 9000, Protocol: "tcp"},
			probe.Port{Address: "0.0.0.0", Public: 53, Private: 53, Protocol: "udp"}),
		composed("blog", "secret", map[string]string{"claudeops.ignore": "true"}),
		{Name: "registry", Image: "registry:2", Restart: "always"},
		{Name: "try-out", Image: "debian", Restart: "no"},
	}
	found[1].Image, found[2].Image = "postgres:17-alpine", "redis:8"
	_, _, got := of(t, found...)
	want := `# yaml-language-server: $schema=https://raw.githubusercontent.com/claudeops/claudeops/main/inventory/schema.json
# Written by ` + "`claudeops probe discover`" + ` from what runs here. Look it over: it knows no health URL that no label names.
# Uncomment a first_aid to have it done when the checks find its service down, without a model: with CLAUDEOPS_MAX_TIER above 1, and without your yes with approval: none (docs/first-aid.md)
#
# Left out:
#   - claudeops.depends_on of service blog-web: there is no service nobody

services:
  # container blog-web-1, service web of compose project blog
  - name: blog-web
    aliases: [blog-web-1]
    depends_on: [shop-web]
    restart: {compose: {file: /srv/blog, service: web}}
    # first_aid: {}
    checks:
      - type: container
        container: blog-web-1
      - type: service
        address: "10.0.0.5:9000"
      - type: service
        address: "127.0.0.1:8081"

  # container shop-cache-1, service cache of compose project shop
  - name: cache
    aliases: [shop-cache-1]
    # first_aid: {}
    checks:
      - type: container
        container: shop-cache-1
      # It is a database: with a user of its own, where its port can be reached, this sees more than a port does:
      # - {type: database, url: "redis://HOST:6379", password_env: CACHE_PASSWORD}

  # container shop-db-1, service db of compose project shop
  - name: db
    aliases: [shop-db-1]
    # first_aid: {}
    checks:
      - type: container
        container: shop-db-1
      - type: service
        address: "127.0.0.1:15432"
      # It is a database: with a user of its own this sees more than a port does:
      # - {type: database, url: "postgres://USER@127.0.0.1:15432/NAME", password_env: DB_PASSWORD}

  # container registry
  - name: registry
    # first_aid: {}
    checks:
      - type: container
        container: registry

  # container shop-web-1, service web of compose project shop
  - name: shop-web
    aliases: [shop-web-1]
    owner: "Team Shop: shop@example.org"
    depends_on: [cache, db]
    settle: "1m"
    # first_aid: {}
    checks:
      - type: container
        container: shop-web-1
      - type: http
        url: "https://shop.example.org/health"
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestNothingFoundIsAnInventory(t *testing.T) {
	_, inv, text := parsed(t, Found{Missing: []string{"no answer from the Docker engine at unix:///s: is it running?"}})
	if len(inv.Services) != 0 || !strings.HasPrefix(text, "# yaml-language-server: ") ||
		!strings.Contains(text, "# Not asked:\n#   - no answer from the Docker engine at unix:///s: is it running?\n") {
		t.Errorf("%s", text)
	}
}

func TestReplicasOfAServiceAreOneService(t *testing.T) {
	second := composed("shop", "web", nil)
	second.Name = "shop-web-2"
	_, inv, _ := of(t, second, composed("shop", "web", nil))
	if len(inv.Services) != 1 || len(inv.Services[0].Checks) != 2 || inv.Service("shop-web-2") != "web" || inv.Service("shop-web-1") != "web" {
		t.Errorf("%+v; want one service with both containers", inv.Services)
	}
}

func TestUnitAndContainerOfOneNameAreOneService(t *testing.T) {
	c := collected(probe.ListedContainer{Name: "nginx", Running: true}, composed("shop", "nginx", nil))
	c.candidate("unit", candidate{service: "nginx", unit: "nginx.service"})
	_, inv, text := parsed(t, settled(t, c))
	if len(inv.Services) != 2 || inv.Services[0].Name != "nginx" || len(inv.Services[0].Checks) != 2 || inv.Services[1].Name != "shop-nginx" {
		t.Errorf("want nginx with a container and a unit, and shop-nginx:\n%s", text)
	}
}

func TestAPortIsReachedWhereItIsPublished(t *testing.T) {
	for published, want := range map[string]string{
		"": "127.0.0.1:80", "0.0.0.0": "127.0.0.1:80", "::": "127.0.0.1:80", "127.0.0.1": "127.0.0.1:80", "127.0.0.2": "127.0.0.2:80", "::1": "[::1]:80",
		"10.0.0.7": "10.0.0.7:80",
	} {
		if got := (&collection{host: "127.0.0.1"}).published(published, 80, 8080).address; got != want {
			t.Errorf("%q: %s, want %s", published, got, want)
		}
	}
	if got := (&collection{host: "db1"}).published("127.0.0.1", 80, 8080).address; got != "db1:80" { // loopback of another machine
		t.Errorf("of another machine: %s", got)
	}
}

func TestWhatALabelDependsOnIsOfItsOwnProjectFirst(t *testing.T) {
	_, inv, text := of(t,
		composed("shop", "db", nil), composed("blog", "db", nil), probe.ListedContainer{Name: "db", Running: true},
		composed("blog", "web", map[string]string{"claudeops.depends_on": "db"}),
	)
	for _, s := range inv.Services {
		if s.Name == "web" && !slices.Equal(s.DependsOn, []string{"blog-db"}) {
			t.Errorf("web depends on %q; want blog-db:\n%s", s.DependsOn, text)
		}
	}
}

func TestCirclesAreLeftOpen(t *testing.T) {
	f, inv, text := of(t,
		composed("shop", "a", map[string]string{"claudeops.depends_on": "b"}),
		composed("shop", "b", map[string]string{"claudeops.depends_on": "c,b"}),
		composed("shop", "c", map[string]string{"claudeops.depends_on": "a"}),
	)
	if len(inv.Services) != 3 || len(f.LeftOut) != 1 || f.LeftOut[0] != "that service c depends on a: it would be a circle" {
		t.Errorf("%q:\n%s", f.LeftOut, text)
	}
}

// Three thousand containers that name each other are resolved to an inventory in time.
func TestManyDependenciesAreResolved(t *testing.T) {
	var found []probe.ListedContainer
	names := make([]string, 3000)
	for i := range names {
		names[i] = fmt.Sprintf("c%04d", i)
		found = append(found, probe.ListedContainer{Name: names[i], Running: true, Labels: map[string]string{
			"claudeops.depends_on": strings.Join(names[max(0, i-300):i], ","), labelDependsOn: strings.Repeat("a,", 1<<16)}})
	}
	c := collected(found...)
	f := settled(t, c)
	if len(f.Services) != 3000 || len(f.Services[2999].DependsOn) != maxNeeded ||
		!slices.Contains(f.LeftOut, "claudeops.depends_on of service c2999: it names more than 100 services, of which the first are taken") {
		t.Errorf("%d services, the last of which needs %d; left out: %q", len(f.Services), len(f.Services[2999].DependsOn), f.LeftOut[:1])
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.settle(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("it goes on after its end: %v", err)
	}
}

// However often a name ends with .service, it means the same service.
func TestNamesThatMeanOneServiceAreOne(t *testing.T) {
	_, inv, text := of(t,
		probe.ListedContainer{Name: "a", Running: true},
		composed("shop", "web", map[string]string{"claudeops.name": "a.service.service"}),
		composed("shop", "db", map[string]string{"claudeops.name": "//a", "claudeops.depends_on": "x.service.service"}),
		probe.ListedContainer{Name: "x", Running: true},
	)
	if len(inv.Services) != 2 || inv.Services[0].Name != "a" || len(inv.Services[0].Checks) != 3 || len(inv.Services[0].DependsOn) != 1 {
		t.Errorf("%+v of\n%s", inv.Services, text)
	}
}

// A service that is invalid together with the others is left out, and the others are written.
func TestAServiceThatCannotBeWithTheOthersIsLeftOut(t *testing.T) {
	f := Found{Missing: []string{"one"}, LeftOut: []string{"two"}, Services: []Service{
		{Name: "a", DependsOn: []string{"b"}, From: []string{"here"}}, {Name: "b", DependsOn: []string{"c"}, Checks: []Check{{Container: "z"}}},
		{Name: "c", Aliases: []string{"z.service"}}, {Name: "d", DependsOn: []string{"a"}},
	}}
	text, err := f.YAML()
	if err != nil {
		t.Fatal(err)
	}
	inv, err := inventory.Parse(text)
	if err != nil || len(inv.Services) != 3 {
		t.Fatalf("%v of\n%s", err, text)
	}
	if _, known := inv.Lookup("d"); !known || !strings.Contains(string(text), "#   - two\n#   - service c: ") {
		t.Errorf("in\n%s", text)
	}
}

func TestHostileNamesAndLabelsMakeNoOtherInventory(t *testing.T) {
	evil := []string{
		"x\n  - name: injected", "x: [", "#", "a # b", "\x00", "\x1b[31m", "\u202egnp", "\u2028", "é", "\xff\xfe", "", " ", "true", "~",
		"1e3", "2026-11-21", "- a", "*a", "&a", "!!int 3", "'", `"`, `\`, strings.Repeat("x", 10_000), "a.service", ".service", "/",
		"{{.}}", "%YAML", "<<", "../../etc",
	}
	var found []probe.ListedContainer
	for i, text := range evil {
		found = append(found, probe.ListedContainer{Name: text, Running: true, Image: "postgres"},
			composed("p"+text, "s"+text, nil),
			composed(projectName(text), "f"+text, map[string]string{labelFolder: "/srv/" + text, labelFiles: "/srv/" + text + "/compose.yaml"}),
			composed("shop", fmt.Sprintf("web%d", i), map[string]string{
				"claudeops.owner": text, "claudeops.url": text, "claudeops.settle": text, "claudeops.depends_on": text,
			}, probe.Port{Address: text, Public: 80, Private: 80, Protocol: "tcp"}),
			composed("shop", fmt.Sprintf("named%d", i), map[string]string{"claudeops.name": text}))
	}
	f, inv, text := of(t, found...)
	steers := func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' || r == '\u2028' }
	if !utf8.ValidString(text) || strings.ContainsFunc(text, steers) {
		t.Errorf("control characters are in\n%q", text)
	}
	if _, known := inv.Lookup("injected"); known {
		t.Error("a label has written a service of its own")
	}
	if !slices.ContainsFunc(inv.Services, func(s inventory.Service) bool { return s.Name == "web0" }) || len(f.LeftOut) == 0 {
		t.Errorf("a service with labels that cannot be used is one still; left out: %q", f.LeftOut)
	}
}

func TestUnitsAreThoseThatAnOperatorEnabled(t *testing.T) {
	enabled := []byte("nginx.service enabled enabled\nssh.service enabled enabled\ncron.service enabled enabled\n" +
		"shop@.service indirect enabled\ndbus.service enabled\nsystemd-timesyncd.service enabled enabled\nold.service generated -\n" +
		"stopped.service enabled enabled\n")
	loaded := []byte("nginx.service loaded active running A web server\n" +
		"● shop@1.service loaded failed failed Shop 1\n" +
		"cron.service loaded active running Regular background\n" +
		"ssh.service loaded activating auto-restart OpenBSD\n" +
		"dbus.service loaded active running D-Bus\n" +
		"systemd-timesyncd.service loaded active running Time\n" +
		"old.service loaded active running LSB: old\n" +
		"started-by-hand.service loaded active running x\n" +
		"stopped.service loaded inactive dead x\n" +
		"getty@tty1.service loaded active running Getty\nuser@1000.service loaded active running User Manager\n\nshort line\n")
	want := []string{"cron.service", "nginx.service", "old.service", "shop@1.service", "ssh.service"}
	if got := operatorsUnits(enabled, loaded); !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}

func TestRunSaysWhatCouldNotBeAsked(t *testing.T) {
	dir := t.TempDir()
	f, err := Run(t.Context(), Options{Environ: []string{"DOCKER_HOST=unix://" + dir + "/none", "PATH=" + dir}, proc: dir + "/none"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"no answer from the Docker engine at unix://" + dir + "/none: is it running? Start it, or name the one that does in DOCKER_HOST",
		"systemd was not asked for units: there is no program systemctl in PATH (" + dir + ")",
		"the listening ports were not read: could not read \"" + dir + "/none\": stat " + dir + "/none: no such file or directory",
	}
	if diff := cmp.Diff(want, f.Missing); diff != "" || len(f.Services) != 1 || f.Services[0].Name != "disk" {
		t.Errorf("%+v (-want +got)\n%s", f.Services, diff)
	}
}

// This machine's own disk is a service, unless another is called so.
func TestTheDiskIsAService(t *testing.T) {
	path := t.TempDir()
	write(t, filepath.Join(path, "journalctl"), "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(path, "journalctl"), 0o700); err != nil {
		t.Fatal(err)
	}
	for environ, want := range map[string]string{
		"PATH=" + path:     "    actions: {make_room: {run: [journalctl, --vacuum-size=500M]}}\n    # first_aid: {do: make_room}\n",
		"PATH=/none/where": "",
	} {
		var f Found
		f.addDisk([]string{environ})
		f.addDisk([]string{environ})
		got, err := f.YAML()
		block := "services:\n  # this machine\n  - name: disk\n" + want + "    checks:\n      - type: service\n        disk: /\n        free: 5%\n"
		if err != nil || !strings.HasSuffix(string(got), block) {
			t.Errorf("%v\n%s", err, got)
		}
		if _, err := inventory.Parse([]byte(strings.Replace(string(got), "# first_aid:", "first_aid:", 1))); err != nil {
			t.Error(err)
		}
	}
}

func TestRunFindsWhatRuns(t *testing.T) {
	e := containers(t)
	label := func(name, value string) []string { return []string{"--label", name + "=" + value} }
	runs := e.Run(t, "runs", append(label("claudeops.owner", "Ops"), label("claudeops.url", "http://127.0.0.1:8080/")...))
	stopped := e.Run(t, "stopped", []string{"--restart", "always"})
	e.Docker(t, "stop", stopped)
	tried := e.Run(t, "tried", nil, "exit", "0")
	e.AwaitState(t, tried, "exited")
	ignored := e.Run(t, "ignored", label("claudeops.ignore", "true"))
	service := e.Name("api")
	web := e.Run(t, "composed", slices.Concat(label(labelProject, "shop"), label(labelService, service),
		label("claudeops.depends_on", runs)))

	path := t.TempDir()
	write(t, filepath.Join(path, "systemctl"), "#!/bin/sh\ncase $1 in\nlist-unit-files) echo nginx.service enabled enabled;;\n"+
		"list-units) echo nginx.service loaded active running x;;\nesac\n")
	if err := os.Chmod(filepath.Join(path, "systemctl"), 0o700); err != nil {
		t.Fatal(err)
	}

	found, err := Run(t.Context(), Options{Environ: append(os.Environ(), "PATH="+path), proc: nothingListens(t)})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Missing) != 0 {
		t.Errorf("missing: %q", found.Missing)
	}
	_, inv, text := parsed(t, found)
	for name, want := range map[string]string{runs: runs, stopped: stopped, web: service, "nginx.service": "nginx"} {
		if got, known := inv.Lookup(name); !known || got != want {
			t.Errorf("%s is known as %q; want %q:\n%s", name, got, want, text)
		}
	}
	for _, name := range []string{tried, ignored} {
		if _, known := inv.Lookup(name); known {
			t.Errorf("%s is to be left out:\n%s", name, text)
		}
	}
	for _, s := range inv.Services {
		if s.Name == service && !slices.Equal(s.DependsOn, []string{runs}) {
			t.Errorf("%s depends on %q; want %s", s.Name, s.DependsOn, runs)
		}
	}
}

func FuzzScalar(f *testing.F) {
	for _, text := range []string{"shop", "true", "1", "a: b", "#", "é\n", "\u2028", "\x7f", "\U0001f600", "-", "0x1f", ".5", "1_000",
		"=", "a-b.c/d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // no name is
		}
		var read []any
		if err := yaml.Unmarshal([]byte("- "+scalar(text)+"\n- ["+scalar(text)+"]\n"), &read); err != nil {
			t.Fatalf("%q is written as %s: %v", text, scalar(text), err)
		}
		if diff := cmp.Diff([]any{text, []any{text}}, read); diff != "" {
			t.Errorf("%q is written as %s (-want +got)\n%s", text, scalar(text), diff)
		}
	})
}

func FuzzFoundIsAnInventory(f *testing.F) {
	f.Add("shop", "web", "Ops", "http://127.0.0.1/", "db")
	f.Add("shop", "web", "Ops", "/srv/shop", "db")
	f.Add("x\n", "\x00", "#", "::", "web,web")
	f.Fuzz(func(t *testing.T, project, service, owner, url, needs string) {
		one := composed(project, service, map[string]string{
			"claudeops.owner": owner, "claudeops.url": url, "claudeops.depends_on": needs, labelDependsOn: needs,
			labelFolder: url, labelFiles: url + "/compose.yaml",
		})
		other := probe.ListedContainer{Name: service, Running: true, Labels: map[string]string{"claudeops.name": owner}}
		found := settled(t, collected(one, other))
		text, err := found.YAML()
		if err != nil {
			t.Fatalf("%v:\n%s", err, found.render())
		}
		withAid(t, string(text))
	})
}
