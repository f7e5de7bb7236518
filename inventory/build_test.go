package inventory

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/probe"
)

// everything has every key of a services file.
const everything = `
x-slow: &slow {timeout: 30s, attempts: 3, degraded_after: 1m30s}
x-patient: &patient
  timeout: 5m
services:
  - name: shop
    aliases: [shop-web-1]
    ssh: ops@shop.example.org
    owner: Ann, phone 4711
    depends_on: [postgresql.service, cache]
    settle: 1m
    fail_after: 2
    maintenance:
      - {from: 2026-11-21T22:00:00Z, to: "2026-11-22T00:30:00+01:00", note: new disks}
      - {schedule: CRON_TZ=Europe/Berlin 0 3 * * 0, for: 2h}
    checks:
      - type: http
        url: https://shop.example.org/health
        timeout: 2s
        attempts: 1
        degraded_after: 500ms
        method: POST
        headers: {accept: text/plain, X-Empty: ""}
        headers_env: {authorization: SHOP_TOKEN}
        status: [200, 4xx, "301-303"]
        body: fine
        body_regex: "^(fine|well)$"
        redirects: false
        certificate_days: 30
        ca: /etc/ssl/ours.pem
      - {type: http, url: "http://127.0.0.1/", status: 204, redirects: 3, insecure: true, certificate_days: 0}
      - {type: container, container: /shop-worker-1, engine: "tcp://docker1:2376", job: true}
      - {type: container, container: shop}
      - {type: service, unit: shop-mail, user: true}
      - {type: service, unit: shop-backup.timer}
  - name: shop-db
    aliases: [postgresql.service]
    checks:
      - {<<: [*patient], type: database, url: "postgres://probe@db1/shop", password_env: DB_PASSWORD, query: SELECT 1, degraded_after: 1m}
      - {type: database, url: "sqlite:///srv/shop.db"}
      - {type: service, address: "db1:5432"}
  - name: cache
    checks:
      - {type: container}
      - {type: dns, name: shop.example.org., record: MX, server: 10.0.0.53, answer: 10 mail.example.org}
      - {type: dns, name: 10.0.0.1, record: PTR, answer: [a.example.org, b.example.org]}
      - {type: dns, name: shop.example.org}
      - {<<: *slow, type: service, plugin: [check_tcp, -p, 080, -w, 1.50, --ok, yes, "a b"], host: cache1, degraded_after: 20s}
      - {type: service, plugin: /usr/lib/nagios/plugins/check_load}
`

func TestParseReadsChecks(t *testing.T) {
	inv := mustParse(t, everything)
	common := func(of check.Type, o probe.Options) probe.Check {
		return probe.Check{Name: string(of), Type: of, Timeout: probe.DefaultTimeout, Attempts: probe.DefaultAttempts, Options: o}
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	want := []Service{
		{
			Name: "shop", Aliases: []string{"shop-web-1", "shop-worker-1", "shop-mail.service", "shop-backup.timer", "shop-backup"},
			SSH: "ops@shop.example.org", Owner: "Ann, phone 4711", DependsOn: []string{"shop-db", "cache"}, Settle: time.Minute, FailAfter: 2,
			Maintenance: []Window{
				{From: time.Date(2026, 11, 21, 22, 0, 0, 0, time.UTC), To: time.Date(2026, 11, 22, 0, 30, 0, 0, berlin), Note: "new disks"},
				{For: 2 * time.Hour},
			},
			Checks: []probe.Check{
				{Name: "http", Type: check.HTTP, Timeout: 2 * time.Second, Attempts: 1, DegradedAfter: 500 * time.Millisecond, Options: &probe.HTTP{
					URL: "https://shop.example.org/health", Method: "POST",
					Headers: map[string]string{"Accept": "text/plain", "X-Empty": ""}, HeadersEnv: map[string]string{"Authorization": "SHOP_TOKEN"},
					Status: []probe.StatusRange{{From: 200, To: 200}, {From: 400, To: 499}, {From: 301, To: 303}}, Body: "fine", BodyRegex: regexp.MustCompile("^(fine|well)$"),
					CertificateDays: 30, CA: "/etc/ssl/ours.pem",
				}},
				common(check.HTTP, &probe.HTTP{URL: "http://127.0.0.1/", Method: "GET", Status: []probe.StatusRange{{From: 204, To: 204}}, Redirects: 3, Insecure: true}),
				common(check.Container, &probe.Container{Name: "shop-worker-1", Engine: "tcp://docker1:2376", Job: true}),
				common(check.Container, &probe.Container{Name: "shop"}),
				common(check.Service, &probe.Unit{Name: "shop-mail.service", User: true}),
				common(check.Service, &probe.Unit{Name: "shop-backup.timer"}),
			},
		},
		{
			Name: "shop-db", Aliases: []string{"postgresql.service"}, Settle: DefaultSettle, FailAfter: 1,
			Checks: []probe.Check{
				{Name: "database", Type: check.Database, Timeout: 5 * time.Minute, Attempts: probe.DefaultAttempts, DegradedAfter: time.Minute, Options: &probe.Database{
					URL: "postgres://probe@db1/shop", PasswordEnv: "DB_PASSWORD", Query: "SELECT 1",
				}},
				common(check.Database, &probe.Database{URL: "sqlite:///srv/shop.db"}),
				common(check.Service, &probe.TCP{Address: "db1:5432"}),
			},
		},
		{
			Name: "cache", Settle: DefaultSettle, FailAfter: 1, Restart: Way{Kind: Container, Name: "cache", Timeout: DefaultTimeout},
			Checks: []probe.Check{
				common(check.Container, &probe.Container{Name: "cache"}),
				common(check.DNS, &probe.DNS{Name: "shop.example.org.", Record: "MX", Server: "10.0.0.53", Answer: []string{"10 mail.example.org"}}),
				common(check.DNS, &probe.DNS{Name: "10.0.0.1", Record: "PTR", Answer: []string{"a.example.org", "b.example.org"}}),
				common(check.DNS, &probe.DNS{Name: "shop.example.org", Record: "A"}),
				{Name: "service", Type: check.Service, Timeout: 30 * time.Second, Attempts: 3, DegradedAfter: 20 * time.Second, Options: &probe.Plugin{
					Command: []string{"check_tcp", "-p", "080", "-w", "1.50", "--ok", "yes", "a b"}, Host: "cache1",
				}},
				common(check.Service, &probe.Plugin{Command: []string{"/usr/lib/nagios/plugins/check_load"}}),
			},
		},
	}
	if recurring := &inv.Services[0].Maintenance[1]; recurring.Schedule == nil {
		t.Error("no schedule")
	} else {
		recurring.Schedule = nil // see TestScheduledWindows
	}
	sameRegex := cmp.Comparer(func(a, b *regexp.Regexp) bool { return a == b || a != nil && b != nil && a.String() == b.String() })
	if diff := cmp.Diff(want, inv.Services, sameRegex, sameHours); diff != "" {
		t.Error(diff)
	}
}

// checked returns a services file with one check of a type; rest are its other keys.
func checked(of, rest string) string {
	return fmt.Sprintf("services:\n  - name: a\n    checks:\n      - {type: %s, %s}\n", of, rest)
}

// Each row is a check with one fault, at the column of the text `at`.
func TestFaultsOfChecks(t *testing.T) {
	const (
		url      = `url: "http://h/"`
		database = `url: "mysql://h/"`
		duration = "; must be a duration like 10s or 1m30s"
		status   = `; must be a status code, like 200, "2xx" or "200-299"`
		plugin   = "must be a list of the plugin and its arguments, like [check_tcp, -H, db1, -p, 5432]"
		httpKeys = "type, timeout, attempts, degraded_after, url, method, headers, headers_env, status, body, body_regex, redirects, " +
			"certificate_days, ca, insecure, proxy"
		serviceKeys = "type, timeout, attempts, degraded_after, address, disk, free, unit, user, plugin, host"
	)
	for _, c := range []struct{ of, rest, at, want string }{
		{"http", url + ", timeot: 1s", "timeot", `"timeot" is no key of an http check; did you mean timeout?`},
		{"http", url + ", Body: x", "Body", `"Body" is no key of an http check; did you mean body?`},
		{"http", url + ", record: A", "record", `"record" is no key of an http check but of ` + ownersOf("record") + "; must be one of " + httpKeys},
		{"service", `url: "http://h/", unit: x`, "url", `"url" is no key of a service check but of ` + ownersOf("url") + "; must be one of " + serviceKeys},
		{"http", url + ", for: 2h", "for", `"for" is no key of an http check but of a maintenance window; must be one of ` + httpKeys},
		{"http", url + ", 5: x", "5:", `"5" is no key of an http check; must be one of ` + httpKeys},
		{"http", url + ", " + strings.Repeat("k", 70) + ": x", strings.Repeat("k", 70), `"` + strings.Repeat("k", 60) + `"… is no key of an http check; must be one of ` + httpKeys},
		{"http", url + ", timeout: 1s, timeout: 2s", "timeout: 2s", `"timeout" is given twice; must be given once`},
		{"http", "attempts: 1", "{type", "url: missing; must be the http:// or https:// URL that is asked"},

		{"http", url + ", timeout: 10", "10}", "timeout: a number" + duration},
		{"http", url + ", timeout: [1s]", "[1s]", "timeout: a list" + duration},
		{"http", url + ", timeout: soon", "soon", `timeout: "soon" is no duration` + duration},
		{"http", url + ", timeout: 0s", "0s", `timeout: "0s"; must be more than 0s and at most 10m`},
		{"http", url + ", timeout: 10m1ns", "10m1ns", `timeout: "10m1ns"; must be more than 0s and at most 10m`},
		{"http", url + ", degraded_after: 10s", "10s", "degraded_after: 10s; must be less than the timeout, 10s"},
		{"http", url + ", degraded_after: 2s, timeout: 1500ms", "2s", "degraded_after: 2s; must be less than the timeout, 1.5s"},
		{"http", url + ", attempts: 0", "0}", "attempts: 0; must be a whole number from 1 to 10"},
		{"http", url + ", attempts: 2.0", "2.0", "attempts: 2.0; must be a whole number from 1 to 10"},
		{"http", url + ", attempts: " + strings.Repeat("9", 90), strings.Repeat("9", 90), "attempts: a number; must be a whole number from 1 to 10"},
		{"http", url + ", attempts: '2'", "'2'", "attempts: a text; must be a whole number from 1 to 10"},

		{"http", "url: 5", "5}", "url: a number; must be a text, so put it in quotes"},
		{"http", url + ", method: get", "get", `method: "get" is no HTTP method; must be in upper case, like GET, HEAD or POST`},
		{"http", url + ", headers: [a]", "[a]", "headers: a list; must be a mapping of headers' names"},
		{"http", url + `, headers: {"X Y": a}`, `"X Y"`, `headers: "X Y" is not a header name; write it like X-Api-Key`},
		{"http", url + `, headers: {"X\r\nY": a}`, `"X\r`, `headers: "X\r\nY" is not a header name; write it like X-Api-Key`},
		{"http", url + `, headers: {X: "secret\r\nY: z"}`, `"secret`, "headers: X: has a line break or another control character in it; must be one line"},
		{"http", url + `, headers: {X-a: b, x-A: c}`, `x-A`, `headers: "x-A" is given twice (upper and lower case are one); must be given once`},
		{"http", url + `, headers: {[a]: c}`, `[a]`, `headers: a list as a key; must be a text`},
		{"http", url + `, headers: {content-length: "5"}`, `content-`, "headers: Content-Length is written by the request itself; leave it out"},
		{"http", url + `, headers: {x-a: secret}, headers_env: {X-A: VAR}`, `{X-A`, `headers_env: "X-A" is in headers too; must be in one of them`},
		{"http", url + `, headers_env: {X-A: my-secret}`, `my-secret`,
			"headers_env: X-A: not the name of an environment variable; write it like SHOP_PASSWORD, and set that where the program runs"},
		{"http", url + ", status: 6xx", "6xx", `status: "6xx"` + status},
		{"http", url + ", status: 200-", "200-", `status: "200-"` + status},
		{"http", url + ", status: 299-200", "299-200", `status: "299-200" ends before it begins; write it like "200-299"`},
		{"http", url + ", status: [200, true]", "true", "status: true or false" + status},
		{"http", url + ", status: []", "[]", "status: empty" + status},
		{"http", url + ", status: {200: x}", "{200", "status: a mapping" + status},
		{"http", url + ", body: ''", "''", "body: empty; must be what the answer contains"},
		{"http", url + ", body_regex: '(a'", "'(a'", "body_regex: missing closing ): `(a`; must be a regular expression as Go and RE2 have them"},
		{"http", url + ", body_regex: '" + strings.Repeat("*", 150) + "'", "'" + strings.Repeat("*", 150),
			"body_regex: missing argument to repetition operator: `*`; must be a regular expression as Go and RE2 have them"},
		{"http", url + `, body_regex: "(?P<\n>)"`, `"(?P`,
			"body_regex: \"error parsing regexp: invalid named capture: `(?P<\\n>`\"; must be a regular expression as Go and RE2 have them"},
		{"http", url + ", redirects: true", "true", "redirects: true; must be how many redirects are followed, or false"},
		{"http", url + ", certificate_days: 3651", "3651", "certificate_days: 3651; must be a whole number from 0 to 3650"},
		{"http", url + ", ca: ours.pem", "ours", "ca: not the path of a file; must begin with /"},
		{"http", url + ", insecure: yes", "yes", "insecure: a text; must be true or false"},
		{"http", url + ", insecure: true, ca: /a", "/a", "ca: means nothing beside insecure, by which any certificate is believed; keep one of them"},

		{"dns", "record: A", "{type", "name: missing; must be the name that is asked for"},
		{"dns", "name: a..b", "a..b", `name: "a..b" is not a DNS name; write it like www.example.org`},
		{"dns", "name: " + strings.Repeat("a", 64), strings.Repeat("a", 64), `name: "` + strings.Repeat("a", 60) + `"… is not a DNS name; write it like www.example.org`},
		{"dns", "name: 10.0.0.1", "10.0", `name: "10.0.0.1" is an address, for which ` + "`record: PTR`" + ` looks up the name; must be a name like www.example.org`},
		{"dns", "name: x, record: a", "a}", `record: "a" is none of A, AAAA, CNAME, MX, NS, PTR, SOA, SRV, TXT, CAA`},
		{"dns", "name: x, answer: []", "[]", "answer: empty; must be what must be among the answers, or left out for any"},
		{"dns", "name: x, answer: ''", "''", "answer: empty; must be what must be among the answers"},

		{"container", "container: a b", "a b", `container: "a b" is no container's name; must be letters, digits, _, . and -, like shop-web-1`},
		{"container", "container: ''", "''", `container: "" is no container's name; must be letters, digits, _, . and -, like shop-web-1`},
		{"container", "job: 1", "1}", "job: a number; must be true or false"},

		{"database", "query: SELECT 1", "{type", "url: missing; must be the URL of the database, like postgres://probe@db1:5432/shop"},
		{"database", database + ", password_env: 'hunter2!'", "'hunter2",
			"password_env: not the name of an environment variable; write it like SHOP_PASSWORD, and set that where the program runs"},
		{"database", database + ", query: ''", "''", "query: empty; must be a statement"},
		{"database", "url: 'sqlite:///a', password_env: A", "A}", "password_env: means nothing to sqlite; leave it out"},

		{"service", "timeout: 1s", "{type", "a service check must have one of address, disk, unit and plugin"},
		{"service", "address: 'a:1', unit: b", "b}", "unit: is given beside address; a service check must have one of address, disk, unit and plugin"},
		{"service", "plugin: b, unit: b", "b, unit", "plugin: is given beside unit; a service check must have one of address, disk, unit and plugin"},
		{"service", "address: 'a:1', user: true", "true", "user: belongs to unit, not to address; leave it out"},
		{"service", "unit: b, host: db1", "db1", "host: belongs to plugin, not to unit; leave it out"},
		{"service", "unit: ''", "''", `unit: "" is no unit of systemd; write it like nginx.service`},
		{"service", "unit: --all", "--all", `unit: "--all" is no unit of systemd; write it like nginx.service`},
		{"service", "plugin: []", "[]", "plugin: empty; " + plugin},
		{"service", "plugin: ''", "''", "plugin: not the name or path of a program; " + plugin},
		{"service", "plugin: {a: b}", "{a", "plugin: a mapping; " + plugin},
		{"service", "plugin: [a, [b]]", "[b]", "plugin: a list; " + plugin},
		{"service", `plugin: [a, "secret\0"]`, `"secret`, "plugin: a NUL character in an argument; must be text"},
		{"service", "plugin: [-x, a]", "-x", "plugin: not the name or path of a program; " + plugin},
		{"service", "plugin: check_http -p secret", "check", "plugin: one text with blanks; " + plugin},
		{"service", "plugin: [plugins/check]", "plugins", "plugin: a path that does not begin with /; must be one that does, or a name in PATH"},
	} {
		file := checked(c.of, c.rest)
		line := strings.Split(file, "\n")[3]
		column := strings.LastIndex(line, c.at)
		if column < 0 {
			t.Fatalf("%q is not in %q", c.at, line)
		}
		want := []string{fmt.Sprintf("line 4, column %d: %s", column+1, c.want)}
		if diff := cmp.Diff(want, faultsOf(t, file)); diff != "" {
			t.Errorf("%s\n%s", line, diff)
		}
	}
}

// keysOfChecks returns the keys of all types of checks, sorted.
func keysOfChecks() []string {
	keys := strict.Names(probe.CommonFields(&probe.Check{}))
	for _, kind := range probe.Types() {
		keys = append(keys, strict.Names(kind.Options().Fields())...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// ownersOf returns the owners of a key, in the words of faults.
func ownersOf(key string) string { return strings.Join(owners()(key), " and of ") }

// Whether a key is valid depends on its place.
func TestFaultsOfKeys(t *testing.T) {
	if got := ownersOf("url"); !strings.HasPrefix(got, "an http check and of a database check") {
		t.Errorf("url is a key of %s", got)
	}
	const serviceKeys = "name, aliases, ssh, owner, depends_on, maintenance, settle, fail_after, approval, restart, redeploy, actions, first_aid, query, logs, max_tier, runbook, remediate, checks"
	for _, c := range []struct{ name, text, want string }{
		{"file", "service: []\nservices: []", `line 1, column 1: "service" is no key of the services file; did you mean services?, or begin with x- if it is for anchors only`},
		{"file, list of all", "zzz: []\nservices: []", `line 1, column 1: "zzz" is no key of the services file; must be one of services, notify, digest, or begin with x- if it is for anchors only`},
		{"service", "services: [{name: a, alias: [b]}]", `line 1, column 22: "alias" is no key of a service; did you mean aliases?`},
		{"service, dashes", "services: [{name: a, depends-on: [b]}]", `line 1, column 22: "depends-on" is no key of a service; did you mean depends_on?`},
		{"service, own key", "services: [{name: a, x-note: b}]", `line 1, column 22: "x-note" is no key of a service; must be one of ` + serviceKeys},
		{"service, of a check", "services: [{name: a, timeout: 1s}]", `line 1, column 22: "timeout" is no key of a service but of restart, redeploy and actions and of a check; must be one of ` + serviceKeys},
		{"service, of checks", "services: [{name: a, url: b}]",
			`line 1, column 22: "url" is no key of a service but of ` + ownersOf("url") + "; must be one of " + serviceKeys},
		{"service, of a window", "services: [{name: a, schedule: '@daily'}]",
			`line 1, column 22: "schedule" is no key of a service but of a maintenance window; must be one of ` + serviceKeys},
		{"window", "services: [{name: a, maintenance: [{schedule: '@daily', for: 1h, notes: x}]}]",
			`line 1, column 66: "notes" is no key of a maintenance window; did you mean note?`},
		{"check without a type that is one", "services: [{name: a, checks: [{type: ping, retries: 3}]}]",
			`line 1, column 44: "retries" is no key of a check; must be one of ` + strings.Join(keysOfChecks(), ", ")},
	} {
		faults := faultsOf(t, c.text)
		if len(faults) == 0 || faults[len(faults)-1] != c.want {
			t.Errorf("%s: %q, want %q", c.name, faults, c.want)
		}
	}
}

func TestFaultsOfServices(t *testing.T) {
	for _, c := range []struct{ rest, want string }{
		{"owner: ''", "line 1, column 29: owner: empty; must be a line of text"},
		{`owner: "a\nb"`, "line 1, column 29: owner: has a line break or another control character in it; must be one line of text"},
		{`owner: "a\u202eb"`, "line 1, column 29: owner: has a line break or another control character in it; must be one line of text"},
		{"owner: " + strings.Repeat("a", 501), "line 1, column 29: owner: 501 bytes long; must be at most 500"},
		{"approval: yes", `line 1, column 32: approval: "yes"; must be none, tier3 or remediation`},
		{"settle: 61m", `line 1, column 30: settle: "61m"; must be from 0s to 1h`},
		{"fail_after: 0", "line 1, column 34: fail_after: 0; must be a whole number from 1 to 60"},
		{"maintenance: {}", "line 1, column 35: maintenance: a mapping; must be a list of windows, each with from and to, or with schedule and for"},
		{"maintenance: [x]", "line 1, column 36: maintenance: a text; must be a window: from and to, or schedule and for"},
	} {
		if diff := cmp.Diff([]string{c.want}, faultsOf(t, "services: [{name: a, "+c.rest+"}]")); diff != "" {
			t.Errorf("%s:\n%s", c.rest, diff)
		}
	}
	if settle := mustParse(t, "services: [{name: a, settle: 0s}]").Services[0].Settle; settle != 0 {
		t.Errorf("settle: 0s is %s", settle)
	}
}

// A fault in what an alias or a merge repeats is reported once.
func TestFaultsOfAnchorsAreToldOnce(t *testing.T) {
	text := "x-c: &c {type: http, url: 'http://h/', timeout: soon, retries: 2}\nservices: [{name: a, checks: [*c, *c, {<<: *c}]}, {name: b, checks: [*c]}]\n"
	faults := faultsOf(t, text)
	if len(faults) != 2 || !strings.HasPrefix(faults[0], `line 1, column 49: timeout: "soon"`) || !strings.HasPrefix(faults[1], `line 1, column 55: "retries"`) {
		t.Errorf("%q", faults)
	}
}

// The targets of checks are aliases of their service.
func TestContainersAndUnitsOfChecksAreAliases(t *testing.T) {
	inv := mustParse(t, everything)
	for name, want := range map[string]string{
		"shop-worker-1":        "shop",
		"/shop-worker-1":       "shop",
		"shop-mail":            "shop",
		"shop-mail.service":    "shop",
		"shop-backup.timer":    "shop",
		"shop-backup.service":  "shop", // started by the timer
		"cache":                "cache",
		"check_tcp":            "check_tcp",
		"shop-web-1":           "shop",
		"postgresql.service":   "shop-db",
		"shop-backup.timers":   "shop-backup.timers",
		"shop-worker-1.socket": "shop-worker-1.socket",
	} {
		if got := inv.Service(name); got != want {
			t.Errorf("Service(%q) = %q, want %q", name, got, want)
		}
	}
	// Names that the service already has are not added as aliases.
	text := "services: [{checks: [{type: container, container: /a}, {type: container, container: b}, {type: service, unit: b}, {type: service, unit: a}], aliases: [/b], name: a}]"
	if aliases := mustParse(t, text).Services[0].Aliases; len(aliases) != 1 {
		t.Errorf("aliases %q", aliases)
	}
	for _, text := range []string{
		"services:\n- name: a\n  checks: [{type: container, container: b}]\n- name: b\n",
		"services:\n- name: a\n  aliases: [b]\n- {name: c, checks: [{type: service, unit: b}]}\n",
		"services:\n- name: a\n  checks: [{type: service, unit: b.service}]\n- {name: c, checks: [{type: service, unit: b.timer}]}\n",
		"services:\n- {checks: [{type: container}], name: a}\n- {name: b, checks: [{type: container, container: a}]}\n",
	} {
		faults := faultsOf(t, text)
		if len(faults) != 1 || !strings.Contains(faults[0], "means another service already, by line ") {
			t.Errorf("%q: %q", text, faults)
		}
	}
}

func TestContainerOfAServiceWhoseNameIsNone(t *testing.T) {
	want := []string{"line 1, column 33: container: missing, and the service's name is not a valid container name; must be the name of the container"}
	if diff := cmp.Diff(want, faultsOf(t, "services: [{name: a b, checks: [{type: container}]}]")); diff != "" {
		t.Error(diff)
	}
	if name := mustParse(t, "services: [{name: /a, checks: [{type: container}]}]").Services[0].Checks[0].Options.(*probe.Container).Name; name != "a" {
		t.Errorf("the container is %q", name)
	}
}

// No fault quotes what may be a password, wherever it is.
func TestFaultsRepeatNoSecret(t *testing.T) {
	const secret = "hunter2"
	for _, rest := range []string{
		`type: http, url: "http://u:hunter2@[::1"`,
		`type: http, url: "hunter2"`,
		`type: http, url: "http://h/\u0001?token=hunter2"`,
		`type: http, url: "http://u:hunter2@h:x/"`,
		`type: http, url: "http://u:%zzhunter2@h/"`,
		`type: http, url: {hunter2: x}`,
		`type: http, url: "http://h/", headers: {Authorization: "hunter2\n"}`,
		`type: http, url: "http://h/", headers: {Authorization: [hunter2]}`,
		`type: http, url: "http://h/", headers: {Authorization: *hunter2}`,
		`type: http, url: "http://h/", headers: {Authorization: !hunter2 x}`,
		`type: http, url: "http://h/", headers: {Authorization: "\q hunter2"}`,
		`type: http, url: "http://h/", headers: {Authorization: @hunter2}`,
		`type: http, url: "http://h/", headers: {Authorization: hunter2: x}`,
		`type: http, url: http://u:p@h: hunter2`,
		`type: http, url: "http://h/", headers_env: {Authorization: "Bearer hunter2"}`,
		`type: database, url: "postgres://u:hunter2@h:x/"`,
		`type: database, url: "hunter2://u:hunter2@h/"`,
		`type: database, url: "mysql://u:hunter2@/db"`,
		`type: database, url: "sqlite://hunter2"`,
		`type: database, url: "redis://h/", password_env: "hunter2 "`,
		`type: container, engine: "tcp://u:hunter2@"`,
		`type: service, address: "u:hunter2@h"`,
		`type: service, plugin: "check_x -p hunter2"`,
		`type: service, plugin: [[hunter2]]`,
	} {
		faults := faultsOf(t, "services: [{name: a, checks: [{"+rest+"}]}]")
		if len(faults) == 0 || strings.Contains(strings.Join(faults, "\n"), secret) {
			t.Errorf("%s: %q", rest, faults)
		}
	}
}
