package inventory

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/probe"
)

// reach is which faults of a document the schema can find.
type reach int

const (
	both       reach = iota // the parser and the schema agree
	parserOnly              // a fault that no schema can find: of YAML, between two values, or within a value
)

// The schema for editors and the parser accept the same documents, as far as a schema can express that.
func TestSchemaAgreesWithParser(t *testing.T) {
	schema := compiled(t)
	verdicts := map[bool]int{}
	rows := map[*probe.Type]map[bool]int{}
	for _, kind := range probe.Types() {
		rows[kind] = map[bool]int{}
	}
	for _, c := range documents() {
		document, read := strict.YAML([]byte(c.text), MaxBytes, &strict.Faults{})
		if !read {
			t.Fatalf("%s\nis not YAML", c.text)
		}
		value := plain(document)
		schemaFault := schema.Validate(value)
		_, parserFault := Parse([]byte(c.text))
		verdicts[parserFault == nil]++
		for kind, seen := range rows {
			if strings.Contains(c.text, "type: "+kind.Name+",") && strings.Contains(c.text, kind.Key) {
				seen[parserFault == nil]++
			}
		}
		switch {
		case c.reach == both && (schemaFault == nil) != (parserFault == nil):
			t.Errorf("%s\nschema: %v\nparser: %v", c.text, schemaFault, parserFault)
		case c.reach == parserOnly && (schemaFault != nil || parserFault == nil):
			t.Errorf("%s\nis refused by the parser only, it was said\nschema: %v\nparser: %v", c.text, schemaFault, parserFault)
		}
	}
	for kind, seen := range rows {
		if seen[true] == 0 || seen[false] == 0 {
			t.Errorf("%s: %d rows are valid and %d are not: add some by checks(%q, …)", kind.Doc, seen[true], seen[false], kind.Name)
		}
	}
	if verdicts[true] < 80 || verdicts[false] < 150 {
		t.Errorf("%d documents are valid and %d are not: too few", verdicts[true], verdicts[false])
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := jsonschema.UnmarshalJSON(strings.NewReader(schemaText(t)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", text); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// plain is a document as an editor passes it to a schema: by YAML 1.2, which has no dates.
func plain(n strict.Node) any {
	switch n.Kind {
	case strict.Null:
		return nil
	case strict.Boolean:
		return strings.EqualFold(n.Value, "true")
	case strict.Number:
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil {
			return f
		}
	case strict.List:
		elements := make([]any, len(n.Content))
		for i := range n.Content {
			elements[i] = plain(n.Content[i])
		}
		return elements
	case strict.Mapping:
		members := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			members[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return members
	}
	return n.Value
}

type document struct {
	text  string
	reach reach
}

// documents returns valid and invalid services files. The mark at the beginning of a row means that only the parser rejects it.
func documents() (all []document) {
	add := func(format string, rows ...string) {
		for _, row := range rows {
			row, marked := strings.CutPrefix(row, "!")
			d := document{text: fmt.Sprintf(format, row)}
			if marked {
				d.reach = parserOnly
			}
			all = append(all, d)
		}
	}
	add("%s", everything, "services: []", "x-a: 1\nservices: []", "{}", "services: ", "services: {}", "x: 1\nservices: []", "[]",
		"services: [a]", "services: [{}]",
		"!services: []\nservices: []", "!services: [{name: a}, {name: a}]")
	add("services: [{name: a, aliases: [b]}]\nnotify: [{%s}]", "", "targets: [phone]", "targets: []", "targets: ['ntfy://ntfy.sh (2)']", "targets: phone", "targets: ['']",
		"kinds: [human_attention, down]", "kinds: [recovered, daily_digest, message]", "kinds: []", "kinds: [downs]", "kinds: down", "kinds: [5]",
		"services: [a, b]", "services: []", "services: a", "!services: [c]", "service: [a]",
		"quiet: 22:00-07:00", "quiet: 22:00 - 07:00 Europe/Berlin", "quiet: '00:00-23:59 UTC'", "quiet: 22-7", "quiet: 24:00-07:00", "quiet: 22:00-07:60",
		"quiet: ''", "!quiet: 22:00-07:00 Local", "!quiet: 22:00-07:00 Mars/Olympus", "!quiet: 22:00-22:00")
	add("services: []\n%s", "notify: []", "notify: {}", "notify: [[]]", "!notify: []\nnotify: []", "digest: '08:00'", "digest: 08:00 Europe/Berlin", "digest: 8:00",
		"digest: 8", "!digest: 08:00 Mars/Olympus")
	add("services: [{name: %s}]", "a", "a b", "'12'", "Проба", "12", "true", "~", "''", "' a'", "'a '", `"a\nb"`, "[a]",
		strings.Repeat("a", 200), strings.Repeat("a", 201),
		"!2026-11-21", "!/.service", "!"+strings.Repeat("ä", 101), `!"a\u200bb"`)
	add("services: [{name: a, %s}]",
		"aliases: []", "aliases: [b, c]", "aliases: b", "aliases: [1]", "aliases: ['']", "alias: [b]", "x-b: 1", "url: 'http://h/'",
		"name2: b", "!name: b",
		"ssh: db1", "ssh: ops@db1", "ssh: ops.x_y-1@db1.example.org", "ssh: '2001:db8::1'", "ssh: root@bücher.example", "ssh: ''",
		"ssh: db1:22", "ssh: -x", "ssh: -l@db1",
		"ssh: 'a b'", "ssh: 'ssh://db1'", "ssh: '[::1]'", "ssh: a@b@c", "ssh: 'a;b'", "ssh: 5", "!ssh: a..b", "!ssh: '1:2:3'",
		"owner: Ann", "owner: ''", "owner: 5", `owner: "a\nb"`, "owner: "+strings.Repeat("a", 501),
		"settle: 0s", "settle: 1m30s", "settle: 0.5h", "settle: 30", "settle: '30'", "settle: -1s", "settle: +1s", "settle: .5s",
		"settle: 1d", "!settle: 2h",
		"fail_after: 1", "fail_after: 60", "fail_after: 0", "fail_after: 61", "fail_after: 1.5", "fail_after: '2'",
		"depends_on: []", "depends_on: b", "depends_on: [1]", "depends_on: [b, b]", "!depends_on: [b]", "!depends_on: [a]",
		"checks: []", "checks: {}", "checks: [http]", "checks: [{}]", "checks: [{type: ping}]",
		"checks: [{type: HTTP, url: 'http://h/'}]", "checks: [{url: 'http://h/'}]",
		"maintenance: []", "maintenance: {}", "maintenance: [x]", "maintenance: [{}]", "maintenance: [{note: x}]")
	add("services: [{name: a, maintenance: [{%s}]}]",
		"from: 2026-11-21T22:00:00Z, to: 2026-11-21T23:00:00Z", "from: 2026-11-21T22:00:00Z, to: '2026-11-22T01:00:00.5+01:00', note: x",
		"from: 2026-11-21 22:00:00Z, to: 2026-11-21 23:00:00Z", "from: 2026-11-21T22:00:00Z", "to: 2026-11-21T22:00:00Z",
		"from: 2026-11-21T22:00:00, to: 2026-11-21T23:00:00Z", "from: 2026-11-21, to: 2026-11-21T23:00:00Z",
		"from: 5, to: 2026-11-21T23:00:00Z",
		"from: 2026-11-21T22:00Z, to: 2026-11-21T23:00:00Z", "from: 2026-11-21T22:00:00Z, to: 2026-11-21T23:00:00Z, for: 1h",
		"from: 2026-11-21T22:00:00Z, to: 2026-11-21T23:00:00Z, note: ''", "from: 2026-11-21T22:00:00Z, to: 2026-11-21T23:00:00Z, x: y",
		"!from: '2026-02-30T22:00:00Z', to: 2026-11-21T23:00:00Z", "!from: 2026-11-21T23:00:00Z, to: 2026-11-21T22:00:00Z",
		"schedule: 0 3 * * 0, for: 2h", "schedule: '@daily', for: 90m", "schedule: CRON_TZ=Europe/Berlin 0 3 * * MON-FRI, for: 2h",
		"schedule: TZ=UTC @weekly, for: 2h, note: x",
		"schedule: 0 3 * * 0", "for: 2h", "schedule: 0 3 * *, for: 2h", "schedule: 0 0 3 * * *, for: 2h",
		"schedule: '@every 1h', for: 2h", "schedule: '@sometimes', for: 2h",
		"schedule: CRON_TZ=UTC, for: 2h", "schedule: '', for: 2h", "schedule: '@daily', for: 2", "schedule: 5, for: 2h",
		"!schedule: 0 3 30 2 *, for: 2h", "!schedule: 60 3 * * *, for: 2h", "!schedule: CRON_TZ=No/Where @daily, for: 2h",
		"!schedule: '@daily', for: 0s", "!schedule: '@daily', for: 169h")
	add("services: [{name: a, restart: {%s}}]",
		"container: shop-web-1", "unit: nginx.service", "unit: 'postgresql@16-main'", "compose: {file: /srv/shop, service: web}",
		"deployment: {name: web}", "deployment: {name: web, namespace: shop}", "run: [/usr/local/bin/again, --now, 5]", "run: again",
		"run: [again], dir: /srv", "run: [again], dir: playbooks, timeout: 30m",
		"", "name: a", "vm: a", "container: ''", "container: -f", "container: 'a b'", "container: [a]", "unit: '*'", "run: []", "run: [-x]",
		"run: [a/b]", "run: [[a]]", "container: a, run: [b]", "container: a, dir: b", "unit: a, timeout: 1m", "run: [a], dir: ''", "run: [a], timeout: 5",
		"compose: /srv/shop", "compose: {file: /srv/shop}", "compose: {service: web}", "compose: {file: srv, service: web}",
		"deployment: web", "deployment: {namespace: shop}", "deployment: {name: web, namespace: A_B}", "helm: {release: a, chart: b}", "run: [a], shell: true",
		"!run: [a], dir: ../b", "!run: [a], timeout: 25h")
	add("services: [{name: a, redeploy: {%s}}]",
		"compose: {file: /srv/shop/compose.yaml, service: web}", "deployment: {name: web}", "helm: {release: shop, chart: 'oci://registry/shop'}",
		"helm: {release: shop, chart: /srv/charts/shop, namespace: shop}", "run: [ansible-playbook, -i, hosts, shop.yaml]",
		"container: a", "unit: a", "helm: {release: shop}", "helm: {chart: shop}", "helm: {release: shop, chart: --set}")
	add("services: [{name: a, actions: %s}]",
		"{}", "{reload: {run: [nginx, -s, reload]}}", "{make_room: {run: journalctl, timeout: 1m}, a-b: {run: [a], dir: b}}",
		"{Reload: {run: [a]}}", "{'a b': {run: [a]}}", "{a: {}}", "{a: [b]}", "{a: {unit: b}}", "[a]", "!{a: {run: [a]}, a: {run: [b]}}")
	add("services: [{name: a, restart: {unit: b}, actions: {c: {run: d}}, first_aid: %s}]",
		"{}", "{attempts: 5, settle: 20s, do: c}", "{settle: 0s}", "{attempts: 0}", "{attempts: 6}", "{settle: 5}", "{do: A}", "{run: [a]}", "true", "~",
		"!{do: d}", "!{settle: 2h}")
	add("services: [{name: a, %s}]",
		"query: {database: 'postgres://reader@db1/shop', password_env: A}", "query: {database: 'redis://db1', container: shop-db}",
		"query: {database: 'sqlite:///srv/a.db'}", "query: {}", "query: {container: a}", "query: {database: db1}", "query: {database: 'mysql://r@h', password_env: a-b}",
		"query: {database: 'mysql://r@h', statement: x}", "query: 'mysql://r@h'",
		"!query: {database: 'mysql://r:p@h'}",
		"logs: []", "logs: ['/srv/shop/log/*.log', /var/log/shop]", "logs: /srv", "logs: [srv]", "logs: [5]", "!logs: ['/srv/[']", "!logs: [/srv/../etc]",
		"max_tier: 1", "max_tier: 3", "max_tier: 0", "max_tier: 4", "max_tier: two",
		"runbook: runbooks/shop.md", "runbook: /srv/shop.md", "runbook: ''", "runbook: 5", "!runbook: ../shop.md", "!runbook: a/../b",
		"first_aid: {}, checks: [{type: container}]", "!first_aid: {}", "!first_aid: {}, checks: [{type: container}, {type: service, unit: a.service}]")
	add("services: [{name: a, restart: {container: c}}, {name: b, %s}]", "aliases: [d]", "!aliases: [c]", "!restart: {unit: c}",
		"restart: {compose: {file: /srv/c, service: c}}")
	add("services: [{name: a, remediate: %s}]", "{}", "{hours: '22:00-06:00 Europe/Berlin'}", "{hours: 22-6}", "{hours: []}", "{days: x}", "22:00-06:00", "!{hours: '22:00-22:00'}")
	checks := func(of string, rows ...string) { add("services: [{name: a, checks: [{type: "+of+", %s}]}]", rows...) }
	checks("http, url: 'http://h/'",
		"timeout: 10m", "timeout: 500ms", "timeout: 10", "timeout: ~", "timeout: ten", "!timeout: 0s", "!timeout: 11m",
		"attempts: 1", "attempts: 10", "attempts: 0", "attempts: 11", "attempts: 1.5", "attempts: two", "!attempts: 2.0",
		"degraded_after: 1s", "degraded_after: 1", "!degraded_after: 10s", "retries: 1", "query: x", "!url: 'http://h/'",
		"method: POST", "method: get", "method: ''", "method: 'A B'", "method: -A",
		"headers: {}", "headers: {X-A: b, Host: x}", "headers: {X-A: 5}", "headers: [a]", "headers: {'X A': b}", `headers: {X: "a\nb"}`,
		`headers: {X: "a\tb"}`, "headers: {X: ''}",
		"!headers: {Content-Length: '5'}", "!headers: {X-A: b, x-a: b}", "!headers: {X-A: b}, headers_env: {x-a: B}",
		"headers_env: {X-A: TOKEN_1}", "headers_env: {X-A: a-b}", "headers_env: {X-A: 1A}", "headers_env: {X-A: ''}", "headers_env: TOKEN",
		"status: 200", "status: '200'", "status: 2xx", "status: 200-299", "status: [200, 3xx, 404-410]", "status: 99", "status: 600",
		"status: 0xx", "status: 6xx", "status: []",
		"status: true", "status: '99'", "status: 200-", "!status: 299-200", "status: [200, [300]]",
		"body: x", "body: ''", "body: 5", "body_regex: '^a|b$'", "body_regex: ''", "!body_regex: '('",
		"redirects: 0", "redirects: 20", "redirects: false", "redirects: true", "redirects: 21", "redirects: -1", "redirects: no",
		"certificate_days: 0", "certificate_days: 3650", "certificate_days: 3651", "certificate_days: -1", "certificate_days: 14d",
		"ca: /etc/ca.pem", "ca: ca.pem", "ca: ''", "insecure: true", "insecure: yes", "insecure: 1", "!insecure: true, ca: /a")
	checks("http", "url: 'https://h:8443/x?y=z#f'", "url: 'HTTP://h'", "url: 'http://u:p@[::1]:80/'", "attempts: 1", "url: h",
		"url: '//h/'", "url: 'ftp://h/'", "url: 'http:///x'", "url: 'http://'",
		"url: 5", "url: ''", "!url: 'http://h:99999/'", "!url: 'http://a..b/'", "!url: 'http://%zz/'")
	checks("dns", "name: www.example.org", "name: www.example.org.", "name: _sip._tcp.example.org, record: SRV", "name: '*.example.org'",
		"name: bücher.example", "name: .", "!name: a→b", "name: 10.0.0.1, record: PTR", "name: '::1', record: PTR",
		"name: 0/25.2.0.192.in-addr.arpa, record: CNAME", "record: A", "name: ''", "name: a..b", "name: 'a b'", "name: ..",
		"name: "+strings.Repeat("a", 63), "name: "+strings.Repeat("a", 64),
		"!name: 10.0.0.1", "!name: ':::', record: PTR",
		"name: x, record: AAAA", "name: x, record: CAA", "name: x, record: a", "name: x, record: ANY",
		"name: x, server: 10.0.0.53", "name: x, server: 'ns1.example.org:5353'", "name: x, server: '[::1]:53'", "name: x, server: '::1'",
		"name: x, server: '[::1]'", "name: x, server: ''", "name: x, server: /run/dns",
		"name: x, server: 'a:b'", "!name: x, server: '10.0.0.53:99999'",
		"name: x, answer: 10.0.0.1", "name: x, answer: [a, b]", "name: x, answer: []", "name: x, answer: ''", "name: x, answer: 5",
		"name: x, url: 'http://h/'")
	checks("container", "job: true", "container: shop-web-1", "container: /shop-web-1", "container: a_b.c-d", "container: ''",
		"container: -a", "container: 'a b'", "container: a/b", "container: 5", "job: 1", "job: 'true'",
		"engine: 'unix:///var/run/docker.sock'", "engine: 'tcp://docker1:2376'", "engine: 'https://docker1'", "engine: 'ssh://docker1'",
		"engine: 'unix://run/x'", "engine: docker1", "engine: 'tcp://'", "engine: 'unix:///'",
		"!engine: 'tcp://a..b'", "name: x", "unit: x")
	checks("database", "url: 'postgres://probe@db1:5432/shop?sslmode=require'", "url: 'postgresql://db1'", "url: 'mysql://db1'",
		"url: 'mariadb://db1/x'", "url: 'redis://:p@db1'", "url: 'rediss://db1/2'",
		"url: 'postgres:///x?host=/run/postgresql'", "url: 'sqlite:///srv/x.db'", "url: 'sqlite:///srv/x/'", "url: 'sqlite:///'",
		"url: 'sqlite:x.db'", "url: 'sqlite:/srv/x.db'", "url: 'sqlite://srv'",
		"url: 'mongodb://db1'", "url: db1", "url: ''", "query: SELECT 1", "!url: 'postgres:///x'", "!url: 'postgres://db1:x/'",
		"url: 'mysql://h', password_env: A_B", "url: 'mysql://h', password_env: a-b", "url: 'mysql://h', query: SELECT 1",
		"url: 'mysql://h', query: ''",
		"!url: 'sqlite:///a', password_env: A",
		"url: 'mysql://h', host: h")
	checks("service", "address: 'db1:5432'", "address: '[::1]:80'", "address: /run/x.sock", "address: db1", "address: ''",
		"address: ':80'", "address: /", "address: 'http://h/'", "address: 5432", "!address: 'db1:0'",
		"!address: 'db1:99999'", "address: '::1'",
		"unit: nginx", "unit: nginx.service, user: true", "unit: postgresql@16-main", "unit: 'a\\x2db.mount'", "unit: ''", "unit: -a",
		"unit: 'a*'", "unit: /dev/sda", "unit: .service", "unit: 5", "unit: x, user: 1",
		"disk: /", "disk: /srv, free: 5%", "disk: /, free: 2GiB", "disk: /, free: 1.5TiB", "disk: srv", "disk: ''", "disk: /, free: 0%", "disk: /, free: 100%",
		"disk: /, free: 5", "disk: /, free: 2GB", "disk: /, host: a", "free: 5%", "address: 'a:1', free: 5%",
		"plugin: [check_load, -w, 5, 1.5, true]", "plugin: check_load", "plugin: /usr/lib/nagios/plugins/check_load",
		"plugin: [/opt/my plugins/check]", "plugin: [check_x], host: db1", "plugin: check_load -w 5",
		"plugin: []", "plugin: ''", "plugin: [-x]", "plugin: [a/b]", "plugin: [5]", "plugin: [a, [b]]", "plugin: [a, ~]",
		"plugin: [a], host: 'db1:80'", "plugin: [a], host: /run", "plugin: [a], host: '::1'",
		"timeout: 1s", "user: true", "host: db1", "address: 'a:1', unit: b", "address: 'a:1', user: true", "unit: b, host: db1",
		"address: 'a:1', host: b", "url: 'http://h/'")
	return all
}

// The checked-in schema is generated from the fields; `go test ./inventory -run TestSchemaIsTheFields -update` updates it.
func TestSchemaIsTheFields(t *testing.T) {
	upToDate(t, "schema.json", schemaText(t))
}

// upToDate compares a generated file with want, or writes it.
func upToDate(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not as the fields are (-update makes it so):\n%s", path, diff)
	}
}

var update = flag.Bool("update", false, "write schema.json and the tables of docs/inventory.md from the fields")

// schemaBase is the beginning of the schema.
const schemaBase = `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"` + SchemaURL + `","title":"claudeops inventory",
"description":"What CLAUDEOPS_INVENTORY names: the services, what means them, and how they are checked. See docs/inventory.md.",
"type":"object","required":["services"],"additionalProperties":false,"patternProperties":{"^x-":{"description":"Yours: a place for anchors."}},
"properties":{`

// schemaDefs are definitions that several fields share.
const schemaDefs = `},
"$defs":{
"name":{"type":"string","minLength":1,"maxLength":200,"pattern":"^[^\\s\\x00-\\x1f\\x7f]([^\\x00-\\x1f\\x7f]*[^\\s\\x00-\\x1f\\x7f])?$"},
"line":{"type":"string","minLength":1,"maxLength":500,"pattern":"^[^\\x00-\\x1f\\x7f]+$"},
"duration":{"type":"string","pattern":"^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$"},
"moment":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"},
"variable":{"type":"string","pattern":"^[A-Za-z_][A-Za-z0-9_]*$"},
"file":{"type":"string","pattern":"^/[^\\x00-\\x1f\\x7f]*$"},
"status":{"anyOf":[{"type":"integer","minimum":100,"maximum":599},{"type":"string","pattern":"^([1-5]xx|[1-5][0-9]{2}(-[1-5][0-9]{2})?)$"}]}`

func schemaText(t *testing.T) string {
	t.Helper()
	b := newBuilder(&strict.Faults{})
	window := b.windowFields(&Window{})
	text := schemaBase + strings.Join(properties(b.documentFields()), ",") + schemaDefs
	text += shape("rule", "Who gets which notifications.", nil, b.ruleFields(&Rule{}, nil))
	text += shape("service", "One thing that is checked, and that restarts are counted of.", nil, b.serviceFields(&Service{Settle: DefaultSettle, FailAfter: 1}, 0))
	once := slices.DeleteFunc(slices.Clone(window), func(f strict.Field) bool { return f.Name == "schedule" || f.Name == "for" })
	again := slices.DeleteFunc(slices.Clone(window), func(f strict.Field) bool { return f.Name == "from" || f.Name == "to" })
	text += shape("once", "A window that comes once.", []string{"from", "to"}, once) + shape("recurring", "A window that comes again and again.", []string{"schedule", "for"}, again)
	byKey := func(keys ...string) []strict.Field {
		w := Way{Timeout: DefaultTimeout}
		return slices.DeleteFunc(b.wayFields(&w), func(f strict.Field) bool { return !slices.Contains(keys, f.Name) })
	}
	for _, kind := range []string{"container", "unit", "compose", "deployment", "helm"} {
		text += shape("way_"+kind, "How it is done.", []string{kind}, byKey(kind))
	}
	text += shape("way_run", "A program.", []string{"run"}, byKey("run", "dir", "timeout"))
	text += shape("compose", "A service of a compose project.", nil, composeFields(&Way{}))
	text += shape("deployment", "A deployment of Kubernetes.", nil, deploymentFields(&Way{})) + shape("helm", "A release of helm.", nil, helmFields(&Way{}))
	aid := newFirstAid()
	text += shape("first_aid", "What is done without a model.", nil, firstAidFields(&aid))
	text += shape("query", "The account of agents' statements.", nil, queryFields(&Query{}))
	text += shape("remediate", "When the service may be remediated.", nil, b.remediateFields(&Service{}))
	var refs []string
	for _, kind := range probe.Types() {
		c := probe.Check{Timeout: probe.DefaultTimeout, Attempts: probe.DefaultAttempts}
		fields := append(probe.CommonFields(&c), kind.Options().Fields()...)
		fields[0].Schema = `"const":"` + kind.Name + `"`
		name, required := cmp.Or(kind.Key, kind.Name), []string{"type"}
		if kind.Key != "" {
			required = append(required, kind.Key)
		}
		text += shape(name, kind.Doc, required, fields)
		refs = append(refs, `{"$ref":"#/$defs/`+name+`"}`)
	}
	schema := jsontext.Value(text + `,"check":{"anyOf":[` + strings.Join(refs, ",") + `]}}}`)
	if err := schema.Indent(jsontext.WithIndent("  ")); err != nil {
		t.Fatalf("%v\n%s", err, schema)
	}
	return string(schema) + "\n"
}

// shape returns the schema's definition of a mapping with these fields.
func shape(name, doc string, required []string, fields []strict.Field) string {
	for _, f := range fields {
		if f.Required != "" {
			required = append(required, f.Name)
		}
	}
	list := ""
	if len(required) > 0 {
		list = `"required":["` + strings.Join(required, `","`) + `"],`
	}
	return `,"` + name + `":{"description":"` + doc + `","type":"object",` + list + `"additionalProperties":false,"properties":{` + strings.Join(properties(fields), ",") + "}}"
}

func properties(fields []strict.Field) (all []string) {
	plain := regexp.MustCompile("`|\\[([^]]*)\\]\\([^)]*\\)")
	for _, f := range fields {
		doc := []rune(plain.ReplaceAllString(f.Doc, "$1"))
		property := `"` + f.Name + `":{"description":` + strconv.Quote(string(unicode.ToUpper(doc[0]))+string(doc[1:])+".") + "," + f.Schema
		if f.Init != "" {
			property += `,"default":` + f.Init
		}
		all = append(all, property+"}")
	}
	return all
}
