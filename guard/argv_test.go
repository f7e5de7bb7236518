package guard

import (
	"bufio"
	"fmt"
	"net/netip"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/inventory"
)

// argvInventory is the inventory of argvWorld.
const argvInventory = `
services:
  - name: shop
    aliases: [shop-web-1, shop.service]
    ssh: shop.example.org
    checks:
      - {type: http, url: "http://127.0.0.1:8080/health"}
  - name: shop-db
    aliases: [shop-db-1, postgresql.service, postgresql@16-main.service]
    ssh: db1
  - name: replica
    aliases: [postgres-replica]
    ssh: db2.example.org
  - name: nginx
    aliases: [nginx.service]
    checks:
      - {type: http, url: "https://www.example.org/"}
`

// argvWorld is the world in which argument lists are judged. Every other path
// exists too, and is not a link.
func argvWorld(t testing.TB, tier int) World {
	t.Helper()
	inv, err := inventory.Parse([]byte(argvInventory))
	if err != nil {
		t.Fatal(err)
	}
	return World{
		Tier: tier, StateDir: "/state", ResultsDir: "/results", ReposDir: "/repos", Scratch: "/state/run/session-7-x/tmp", Home: "/state/run/session-7-x/home",
		Policy: policy.Embedded(), Inventory: func() (*inventory.Inventory, error) { return inv, nil },
		Reports: func(host string) bool {
			return slices.Contains([]string{"web", "api", "db", "shop", "shop-web", "whoami.localhost", "10.0.3.7", "fd00::7", "192.0.2.53"}, host)
		},
		SharesNetwork: func(container string) bool { return container == "hostnet" },
		Lookup: func(host string) []netip.Addr {
			switch host {
			case "alias.example.org", "shop-web":
				return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
			case "api":
				return nil
			}
			return []netip.Addr{netip.MustParseAddr("203.0.113.80")}
		},
		Listeners: []string{"127.0.0.1:9911"},
		Resolve:   func(p string) (string, error) { return path.Clean(p), nil },
	}
}

// TestArgv judges every row of testdata/argv/*.txt: TIER  ACTS  ARGUMENT LIST. TIER is the lowest that is granted the call, and ACTS is
// what it does.
func TestArgv(t *testing.T) {
	files, err := filepath.Glob("testdata/argv/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	seen := map[string]string{}
	for _, file := range files {
		eachArgv(t, file, func(at, tier, acts string, call Call) {
			rows++
			key := fmt.Sprintf("%q", append([]string{call.Dir}, call.Argv...))
			if before, twice := seen[key]; twice {
				t.Errorf("%s: the call is also at %s", at, before)
			}
			seen[key] = at
			if lowest, found, reason := judgeTiers(t, call); lowest != tier || found != acts {
				t.Errorf("%s: `%s` is %s %s, want %s %s; %s", at, CommandLine(call.Argv), lowest, found, tier, acts, reason)
			}
		})
	}
	if rows < 4000 {
		t.Errorf("the table has %d rows, want 4000 at least", rows)
	}
}

// judgeTiers returns the lowest tier that is granted a call, and what the call does.
func judgeTiers(t testing.TB, call Call) (lowest, acts, reason string) {
	t.Helper()
	return judgeTiersIn(t, argvWorld, call)
}

func judgeTiersIn(t testing.TB, world func(testing.TB, int) World, call Call) (lowest, acts, reason string) {
	t.Helper()
	lowest = "-"
	for tier := 3; tier >= 1; tier-- {
		v := JudgeArgv(world(t, tier), call)
		if v.Allow {
			lowest = fmt.Sprint(tier)
		}
		if tier == 3 {
			acts, reason = summary(v.Acts), v.Reason
		}
	}
	return lowest, acts, reason
}

// eachArgv reads a table. A call is written as typed, after `cd FOLDER &&` if it is not made in /repos, or as a JSON array.
func eachArgv(t *testing.T, file string, row func(at, tier, acts string, call Call)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := fmt.Sprintf("%s:%d", file, n)
		tier, rest, _ := strings.Cut(line, "  ")
		acts, text, ok := strings.Cut(rest, "  ")
		if !ok {
			t.Errorf("%s: want TIER  ACTS  ARGUMENT LIST", at)
			continue
		}
		call := Call{Dir: "/repos"}
		if strings.HasPrefix(text, "[") {
			if err := json.Unmarshal([]byte(text), &call.Argv); err != nil {
				t.Errorf("%s: %v", at, err)
			}
			row(at, tier, acts, call)
			continue
		}
		steps, err := (&judge{world: argvWorld(t, 1)}).readRemote(text)
		if err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if steps[0].words[0] == "cd" {
			call.Dir, steps = steps[0].words[1], steps[1:]
		}
		call.Argv = steps[0].words
		row(at, tier, acts, call)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// summary formats acts as in the tables: the gravest.
func summary(acts []Act) string { return string(gravest(acts).Action) }

// TestEmbeddedPolicy parses every option and operand of the policy, because a misspelled one would be ignored or grant something else.
func TestARefusalDoesNotRepeatAPassword(t *testing.T) {
	for _, argv := range [][]string{{"mysql", "-pS3cret", "-e", "SELECT 1"}, {"mysql", "--password=S3cret"}, {"redis-cli", "-aS3cret", "PING"}} {
		if v := JudgeArgv(argvWorld(t, 2), Call{Argv: argv, Dir: "/repos"}); v.Allow || strings.Contains(v.Reason, "S3cret") {
			t.Errorf("%q: %t, %s", argv, v.Allow, v.Reason)
		}
	}
}

func TestEmbeddedPolicy(t *testing.T) {
	p := policy.Embedded()
	typed := func(name, typ string) {
		if strings.HasPrefix(typ, "/") {
			if _, err := regexp.Compile("^(?:" + strings.Trim(typ, "/") + ")$"); err != nil || !strings.HasSuffix(typ, "/") || len(typ) < 3 {
				t.Errorf("%s: the expression %s cannot be read: %v", name, typ, err)
			}
		} else if strings.ContainsAny(typ, `\^$(){}/`) {
			t.Errorf("%s: %q is neither a type, a choice nor an expression", name, typ)
		}
	}
	var each func(name string, r *policy.Rule)
	each = func(name string, r *policy.Rule) {
		for token := range strings.FieldsSeq(r.Options + " " + r.Persistent) {
			o := parseOption(token)
			for _, n := range o.names {
				if !strings.HasPrefix(n, "-") {
					t.Errorf("%s: %q is no option", name, token)
				}
			}
			for _, typ := range o.types {
				typed(name+" "+token, typ)
			}
			for _, effect := range o.effects {
				if Action(effect).gravity() < 0 && !slices.Contains([]string{"first", "nostdin", "once", "glued", "alone"}, effect) {
					t.Errorf("%s: %q has an effect that there is not", name, token)
				}
			}
		}
		for pattern := range strings.FieldsSeq(r.Operands) {
			if typ, _, _ := quantity(pattern); pattern != "none" {
				typed(name, typ)
			}
		}
		for _, sub := range r.Commands {
			each(name+" "+sub.Name, sub.Rule)
		}
	}
	for _, list := range [][]policy.Program{p.Programs, p.Remote} {
		for _, program := range list {
			each(program.Name, program.Rule)
		}
	}
}

func TestNoCallReachesTheDashboard(t *testing.T) {
	w := argvWorld(t, 2)
	w.Dashboard = "shop.example.org:8080"
	for _, test := range []struct {
		own  bool
		argv []string
	}{
		{true, []string{"curl", "http://shop.example.org:8080/health"}},
		{true, []string{"curl", "http://SHOP.example.org.:8080/health"}},
		{true, []string{"curl", "http://203.0.113.80:8080/health"}},
		{true, []string{"nc", "-z", "shop.example.org", "8000-9000"}},
		{true, []string{"docker", "exec", "web", "curl", "http://shop.example.org:8080/health"}},
		{true, []string{"ssh", "db1", "curl http://shop.example.org:8080/health"}},
		{true, []string{"curl", "-H", "Host: shop.example.org", "http://web/health"}},
		{true, []string{"curl", "--header", "host:SHOP.example.org:8443", "http://web/health"}},
		{false, []string{"curl", "-H", "Host: web", "http://web/health"}},
		{false, []string{"curl", "http://shop.example.org:8081/health"}},
		{false, []string{"curl", "http://web:8080/health"}},
	} {
		v := JudgeArgv(w, Call{Argv: test.argv, Dir: "/repos"})
		if refused := strings.Contains(v.Reason, "this program's own dashboard"); refused != test.own {
			t.Errorf("%q: %q; want it refused as the dashboard: %t", test.argv, v.Reason, test.own)
		}
	}
}

func TestOwnListeners(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		listener string
		argv     []string
		allow    bool
	}{
		{"127.0.0.1:80", []string{"nc", "-z", "localhost", "http"}, false},
		{"127.0.0.1:80", []string{"nc", "-z", "localhost", "1-1000"}, false},
		{"127.0.0.1:80", []string{"nc", "-z", "localhost", "81"}, true},
		{"127.0.0.1:80", []string{"curl", "http://localhost/"}, false},
		{"[::]:80", []string{"curl", "http://" + host + "/"}, false},
		{":443", []string{"curl", "https://127.0.0.1/"}, false},
		{":443", []string{"openssl", "s_client", "-connect", "127.0.0.1:0443"}, false},
		{":8080", []string{"curl", "http://shop.example.org:8080/health"}, true},
		{":8080", []string{"ssh", "db1", "curl http://localhost:8080/health"}, true},
		{":8080", []string{"docker", "exec", "web", "curl", "http://localhost:8080/health"}, true},
		{":8080", []string{"docker", "exec", "web", "curl", "http://shop-web:8080/health"}, false},
		{":8080", []string{"kubectl", "exec", "hostnet", "-c", "web", "--", "curl", "http://localhost:8080/health"}, false},
		{":8080", []string{"curl", "http://shop-web:8080/health"}, false},
		{":8080", []string{"curl", "http://shop-web:8081/health"}, true},
		{":8080", []string{"nc", "-z", "api", "8080"}, false}, // its address is unknown
		{":8080", []string{"nc", "-z", "api", "8081"}, true},
		{":8080", []string{"curl", "http://whoami.localhost:8080/health"}, false},
		{":8080", []string{"docker", "exec", "hostnet", "curl", "http://localhost:8080/health"}, false},
		{":5432", []string{"psql", "-h", "127.0.0.1", "-p", "5432", "-c", "select 1"}, false},
		{":2222", []string{"ssh", "-p", "2222", "db1", "uptime"}, true},
		{":8080", []string{"ssh", "db2.example.org", "curl http://localhost:8080/health"}, false}, // an alias of ssh's configuration
	} {
		w := argvWorld(t, 1)
		w.Listeners = []string{test.listener}
		lookup := w.Lookup
		w.Lookup = func(host string) []netip.Addr {
			if host == "db2.example.org" {
				return nil
			}
			return lookup(host)
		}
		v := JudgeArgv(w, Call{Argv: test.argv, Dir: "/repos"})
		if v.Allow != test.allow {
			t.Errorf("%s: %q: allowed %v, want %v; %s", test.listener, test.argv, v.Allow, test.allow, v.Reason)
		}
		for _, nowhere := range []string{"api", "db2.example.org"} {
			if says := strings.Contains(v.Reason, "no address of `"+nowhere+"` is known"); !v.Allow && says != slices.Contains(test.argv, nowhere) {
				t.Errorf("%q: %s", test.argv, v.Reason)
			}
		}
	}
}
