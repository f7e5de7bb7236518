package inventory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/probe"
)

// faultsOf returns the faults of a text, nil for none.
func faultsOf(t testing.TB, text string) []string {
	t.Helper()
	inv, err := Parse([]byte(text))
	var invalid *strict.InvalidError
	switch {
	case err == nil:
		return nil
	case inv != nil:
		t.Errorf("%q: an inventory beside the error %v", text, err)
	case !errors.As(err, &invalid):
		t.Fatalf("%q: error of type %T: %v", text, err, err)
	}
	return invalid.Faults
}

// In a list whose entries are commented out, as written by discover, the entries can be enabled without changes to other lines.
func TestServicesWithNothingBelowThemAreNone(t *testing.T) {
	for _, text := range []string{"services:\n", "services:\nx-y: z\n", "services:\n#  - name: shop\n"} {
		if inv, err := Parse([]byte(text)); err != nil || len(inv.Services) != 0 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestFaultsSayWhereAndWhat(t *testing.T) {
	types := strings.Join(typeNames(), ", ")
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "line 1, column 1: nothing; must be `services:`, a list of services"},
		{"text", "services", "line 1, column 1: a text; must be `services:`, a list of services"},
		{"list", "- name: a", "line 1, column 1: a list; must be `services:`, a list of services"},
		{"no services", "x-a: b", "line 1, column 1: services: missing; must be a list of services, each with a name"},
		{"services mapping", "services:\n  shop: {}\n", "line 2, column 3: services: a mapping; must be a list of services, each with a name"},
		{"services twice", "services: []\nservices: []\n", `line 2, column 1: "services" is given twice; must be given once`},
		{"service null", "services:\n  -\n", "line 2, column 4: services: nothing; must be a service: `name:`, and what belongs to it"},
		{"no name", "services:\n  - ssh: a\n", "line 2, column 5: name: missing; must be the name of the service"},
		{"own key twice", "x-a: 1\nx-a: 2\nservices: []", `line 2, column 1: "x-a" is given twice; must be given once`},
		{"name number", "services: [{name: 12}]", "line 1, column 19: name: a number; must be a text, so put it in quotes"},
		{"name null", "services: [{name: ~}]", "line 1, column 19: name: nothing; must be a text"},
		{"name tagged", "services: [{name: !env NAME}]", "line 1, column 19: name: a value with a tag (!…); must be a text"},
		{"name empty", `services: [{name: ""}]`, "line 1, column 19: name: empty; must be the name of a service"},
		{"name control", `services: [{name: "a\nb"}]`, `line 1, column 19: name: "a\nb" has a control character in it`},
		{"name blank", `services: [{name: "a "}]`, `line 1, column 19: name: "a " has white space before or after the name`},
		{"name long", "services: [{name: " + strings.Repeat("a", 201) + "}]",
			`line 1, column 19: name: "` + strings.Repeat("a", 60) + `"… is 201 bytes long; a service name has at most 200`},
		{"name of suffix", "services: [{name: /.service}]", `line 1, column 19: name: "/.service" consists only of parts that are removed from names; must be a name`},
		{"column in characters", "services: [{owner: äöü, name: 5}]", "line 1, column 31: name: a number; must be a text, so put it in quotes"},
		{"aliases text", "services: [{name: a, aliases: b}]", "line 1, column 31: aliases: a text; must be a list of names"},
		{"aliases null", "services:\n  - name: a\n    aliases:\n", "line 3, column 13: aliases: nothing; must be a list of names"},
		{"same name", "services:\n  - name: a\n  - name: a\n", `line 3, column 11: name: "a" means another service already, by line 2 ` +
			"(a leading / and .service do not distinguish names); must be a name or alias of one service only"},
		{"same alias", "services:\n  - {name: a, aliases: [x]}\n  - {name: b, aliases: [x.service]}\n",
			`line 3, column 25: aliases: "x.service" means another service already, by line 2 ` +
				"(a leading / and .service do not distinguish names); must be a name or alias of one service only"},
		{"alias of a name", "services:\n  - {aliases: [b], name: a}\n  - name: /b\n", `line 3, column 11: name: "/b" means another service already, by line 2 ` +
			"(a leading / and .service do not distinguish names); must be a name or alias of one service only"},
		{"checks mapping", "services: [{name: a, checks: {type: http}}]", "line 1, column 30: checks: a mapping; must be a list of checks, each with a type"},
		{"check text", "services: [{name: a, checks: [http]}]", "line 1, column 31: checks: a text; must be a check: `type:`, and what it asks"},
		{"no type", "services: [{name: a, checks: [{url: 'http://secret/', query: secret}]}]", "line 1, column 31: type: missing; must be one of " + types},
		{"type misspelled", "services: [{name: a, checks: [{type: containr}]}]", `line 1, column 38: type: "containr" is none of ` + types + `; did you mean container?`},
		{"type misspelled", "services: [{name: a, checks: [{type: htpp}]}]", `line 1, column 38: type: "htpp" is none of ` + types + `; did you mean http?`},
		{"type unheard of", "services: [{name: a, checks: [{type: telepathy}]}]", `line 1, column 38: type: "telepathy" is none of ` + types},
		{"type", "services: [{name: a, checks: [{type: HTTP}]}]", `line 1, column 38: type: "HTTP" is none of ` + types + `; a URL is written type: http, url: https://…`},
		{"list as key", "services: [{name: a, ? [x] : y}]", "line 1, column 24: a list as a key; must be a text"},
		{"merge of texts", "services: [{name: a, <<: [b]}]", "line 1, column 27: <<: a text; must be a mapping, or a list of mappings"},
		{"two documents", "services: []\n---\nservices: []\n", "line 2, column 1: a second document; must be one"},
		{"not UTF-8", "services: []\n# caf\xe9\n", "line 2, column 6: byte 0xe9 is not UTF-8"},
		{"UTF-16", "\xff\xfes\x00", "line 1, column 1: byte 0xff is not UTF-8"},
		{"control character", "services: [] # ä\x00\n", "line 1, column 17: a control character, U+0000; must be text"},
		{"large", "services: []\n#" + strings.Repeat(" ", MaxBytes), "larger than 8 MiB"},
	} {
		if diff := cmp.Diff([]string{c.want}, faultsOf(t, c.text)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	text := `services:
  - name: 12
    aliases: [~, x]
    ssh: db1:22
    depends_on: [nobody]
  - alias: [x]
    checks:
      - {type: ping, url: nowhere}
      - type: http
        url: ftp://h/
        timeout: 0s
        query: SELECT 1
`
	want := []string{
		"line 2, column 11: name: a number; must be a text, so put it in quotes",
		"line 3, column 15: aliases: nothing; must be a text",
		"line 4, column 10: ssh: not what ssh reaches; write it like db1 or ops@db1, without a port (that belongs into ssh's own configuration)",
		`line 6, column 5: "alias" is no key of a service; did you mean aliases?`,
		`line 8, column 16: type: "ping" is none of ` + strings.Join(typeNames(), ", ") + `; what a program checks is written type: service, plugin: [PROGRAM, …]`,
		"line 10, column 14: url: a URL of another kind; write it like https://host:8443/path",
		`line 11, column 18: timeout: "0s"; must be more than 0s and at most 10m`,
		`line 12, column 9: "query" is no key of an http check but of ` + ownersOf("query") + `; must be one of type, timeout, attempts, ` +
			"degraded_after, url, method, headers, headers_env, status, body, body_regex, redirects, certificate_days, ca, insecure, proxy",
		"line 6, column 5: name: missing; must be the name of the service",
		`line 5, column 18: depends_on: "nobody" is no service here; must be the name or an alias of one`,
	}
	if diff := cmp.Diff(want, faultsOf(t, text)); diff != "" {
		t.Error(diff)
	}
	_, err := Parse([]byte(text))
	if got, want := err.Error(), "not a valid services file:\n  "+strings.Join(want, "\n  "); got != want {
		t.Errorf("the error reads\n%s", got)
	}
}

func TestFaultsAreBounded(t *testing.T) {
	faults := faultsOf(t, "services:\n"+strings.Repeat("  - x\n", 1000))
	if len(faults) != 101 || faults[100] != "and 900 more faults" {
		t.Errorf("%d lines, the last %q", len(faults), faults[len(faults)-1])
	}
}

func TestSyntaxFaultsSayWhere(t *testing.T) {
	for _, c := range []struct{ name, text, at string }{
		{"tab", "services:\n\t- name: a\n", "line 2, column 1: a tab;"},
		{"indented less", "services:\n  - name: a\n   ssh: b\n  - name: c\n", "line 3, column 4: not YAML: "},
		{"list not closed", "services:\n  - name: a\n    aliases: [b, c\n    ssh: x\n", "line 3, column 15: not YAML: "},
		{"text after a quote", "services:\n  - name: 'a'b\n    ssh: x\n", "line 2, column 14: not YAML: "},
		{"no space after a colon", "services:\n  - name: a\n    ssh:x\n    checks: []\n", "line 3, column 5: not YAML: "},
		{"indicator", "services:\n  - name: @a\n    ssh: x\n", "line 2, column 11: not YAML: "},
		{"unknown anchor", "services:\n  - name: *a\n    ssh: x\n", "line 2, column 12: not YAML: "},
		{"after a list of lines", "services:\n  - name: a\n    aliases: [b,\n      c]\n    ssh: [x\n", "line 5, column 11: not YAML: "},
		{"in the second document", "services: []\n---\n[", "line 3, column 1: not YAML: "},
	} {
		faults := faultsOf(t, c.text)
		if len(faults) != 1 || !strings.HasPrefix(faults[0], c.at) {
			t.Errorf("%s: %q, want %q", c.name, faults, c.at)
		}
	}
}

// In a large file the exact place is not searched; the line before the fault is still reported.
func TestSyntaxFaultOfALargeFile(t *testing.T) {
	text := "services:\n" + strings.Repeat("  - name: a\n", (512<<10)/10) + "  - name: \"a\n"
	want := fmt.Sprintf("line %d: not YAML: ", strings.Count(text, "\n"))
	if faults := faultsOf(t, text); len(faults) != 1 || !strings.HasPrefix(faults[0], want) {
		t.Errorf("%q, want %q", faults, want)
	}
}

func TestAliasesAreBounded(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i <= 12; i++ {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	var merges strings.Builder
	merges.WriteString("a0: &a0 {x: y}\n")
	for i := 1; i <= 30; i++ {
		fmt.Fprintf(&merges, "a%d: &a%d {<<: [*a%d, *a%d]}\n", i, i, i-1, i-1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a billion laughs":    {laughs.String() + "services: []\n", "expand to more than"},
		"a billion merges":    {merges.String() + "services: []\n", "expand to more than"},
		"in services":         {"s: &s {name: a, checks: [" + strings.Repeat("{type: http},", 1000) + "]}\nservices: [" + strings.Repeat("*s,", 1000) + "]\n", "expand to more than"},
		"itself":              {"services: &s [*s]\n", "nested deeper than 64 levels"},
		"itself, in a key":    {"services: &s {? *s : x}\n", "nested deeper than 64 levels"},
		"itself, merged":      {"services: &s {<<: *s}\n", "nested deeper than 64 levels"},
		"each other":          {"a: &a {b: &b {a: *a, b: *b}}\nservices: []\n", "nested deeper than 64 levels"},
		"depth without alias": {"services: " + strings.Repeat("[", 70) + strings.Repeat("]", 70), "nested deeper than 64 levels"},
		"endless depth":       {strings.Repeat("[", 1<<20), "not YAML"},
	} {
		if faults := faultsOf(t, c.text); len(faults) != 1 || !strings.Contains(faults[0], c.want) {
			t.Errorf("%s: %.300q, want %q", name, faults, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "services.yaml")
	write(t, path, world)
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink("services.yaml", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, link} {
		inv, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := inv.Service("shop-web-1"); got != "shop" {
			t.Errorf("%s: the service is %q", path, got)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name    string
		make    func(path string) error
		want    string
		invalid bool
	}{
		{"none", func(string) error { return nil }, "no such file", false},
		{"a directory", func(path string) error { return os.Mkdir(path, 0o700) }, "is no regular file", false},
		{"a pipe that nobody writes to", func(path string) error { return syscall.Mkfifo(path, 0o600) }, "is no regular file", false},
		{"a device", func(path string) error { return os.Symlink("/dev/zero", path) }, "is no regular file", false},
		{"a wrong file", func(path string) error { return os.WriteFile(path, []byte("services: 5"), 0o600) }, "line 1, column 11: ", true},
		{"a large file", func(path string) error { return os.WriteFile(path, make([]byte, MaxBytes+1), 0o600) }, "larger than 8 MiB", true},
	} {
		path := filepath.Join(dir, c.name)
		if err := c.make(path); err != nil {
			t.Fatal(err)
		}
		inv, err := Read(path)
		if inv != nil || err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want the path and %q", c.name, err, c.want)
		}
		var invalid *strict.InvalidError
		if errors.As(err, &invalid) != c.invalid {
			t.Errorf("%s: error of type %T", c.name, err)
		}
	}
	if _, err := Read(filepath.Join(dir, "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, want fs.ErrNotExist", err)
	}
}

// Files with a reported size of 0, as in /proc, are read, too.
func TestReadDoesNotTrustTheSize(t *testing.T) {
	_, err := Read("/proc/self/status")
	var invalid *strict.InvalidError
	if !errors.As(err, &invalid) || strings.Contains(err.Error(), "nothing") {
		t.Errorf("%v, want a fault of what is in it", err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// For any text: either an inventory that is valid by its types' comments, or faults of one line each.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"services: []", "services:\n  - {name: a, aliases: [b.service], ssh: x@y}\n", "a: &a [*a]", "services: [{name: 1}]", "\t", everything, world} {
		f.Add([]byte(seed))
	}
	for _, d := range documents() {
		f.Add([]byte(d.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		inv, err := Parse(text)
		var invalid *strict.InvalidError
		if (inv == nil) == (err == nil) || err != nil && (!errors.As(err, &invalid) || len(invalid.Faults) == 0) {
			t.Fatalf("%v, %v", inv, err)
		}
		if inv == nil {
			for _, fault := range invalid.Faults {
				if !utf8.ValidString(fault) || strict.HasControl(fault) || len(fault) > 10_000 {
					t.Errorf("fault %q", fault)
				}
			}
			return
		}
		for i := range inv.Services {
			s := &inv.Services[i]
			for _, name := range append(slices.Clone(s.Aliases), s.Name) {
				if got, known := inv.Get(name); !known || got != s {
					t.Errorf("%q means %v (%v), want %q", name, got, known, s.Name)
				}
			}
			for _, name := range s.DependsOn {
				if got, known := inv.Get(name); !known || got == s || got.Name != name {
					t.Errorf("%q depends on %q", s.Name, name)
				}
			}
			s.Maintained(time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC))
			for j := range s.Checks {
				mustKeep(t, &s.Checks[j])
			}
		}
		for host := range inv.hosts {
			if host == "" || probe.BareHost(host) != host || !inv.KnowsHost(host) {
				t.Errorf("%q is no host", host)
			}
		}
	})
}

// mustKeep checks what the comment of probe.Check promises.
func mustKeep(t *testing.T, c *probe.Check) {
	t.Helper()
	if c.Timeout <= 0 || c.Timeout > 10*time.Minute || c.Attempts < 1 || c.Attempts > 10 || c.DegradedAfter < 0 || c.DegradedAfter >= c.Timeout {
		t.Errorf("%+v", c)
	}
	var of check.Type
	var fine bool
	switch o := c.Options.(type) {
	case *probe.HTTP:
		of, fine = check.HTTP, o.URL != "" && o.Method != "" && len(o.Status) > 0
	case *probe.DNS:
		of, fine = check.DNS, o.Name != "" && o.Record != ""
	case *probe.Container:
		of, fine = check.Container, o.Name != "" && strings.Trim(o.Name[:1], "/._-") != ""
	case *probe.Database:
		of, fine = check.Database, o.URL != ""
	case *probe.TCP:
		of, fine = check.Service, o.Address != ""
	case *probe.Unit:
		of, fine = check.Service, strings.Contains(o.Name, ".")
	case *probe.Plugin:
		of, fine = check.Service, len(o.Command) > 0 && o.Command[0] != ""
	default: // of a type without a rule of its own
		of, fine = c.Type, c.About().Target != ""
	}
	if !fine || c.Type != of {
		t.Errorf("a check of type %q: %+v", c.Type, c.Options)
	}
}
