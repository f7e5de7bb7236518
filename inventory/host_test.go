package inventory

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
)

// A host is what a check or ssh reaches, want; where want is empty, there is none, and where it is a dash, the text is a fault.
func TestHostsOfChecks(t *testing.T) {
	for _, c := range []struct{ key, text, want string }{
		{"url http", "http://Example.ORG", "example.org"},
		{"url http", "HTTPS://example.org.:8443/x?y=http://other/", "example.org"},
		{"url http", "http://user:secret@example.org/", "example.org"},
		{"url http", "http://[::1]:80/", "::1"},
		{"url http", "http://[fe80::1%25eth0]/", "fe80::1%eth0"},
		{"url http", "http://bücher.example/", "bücher.example"},
		{"url http", "http://under_score/", "under_score"},
		{"url http", "example.org", "-"},
		{"url http", "//example.org/", "-"},
		{"url http", "localhost:8080", "-"},
		{"url http", "http:///path", "-"},
		{"url http", "http://:80/", "-"},
		{"url http", "http://a b/", "-"},
		{"url http", "http://::1/", "-"},
		{"url http", "http://user:secret@[::1", "-"},
		{"url http", "http://${HOST}/", "-"},
		{"url http", "http://-oProxyCommand=x/", "-"},
		{"url http", "unix:///var/run/x.sock", "-"},
		{"url http", "file:///etc/passwd", "-"},
		{"url database", "postgres://probe:secret@db1:5432/shop?sslmode=require", "db1"},
		{"url database", "redis://10.0.0.1", "10.0.0.1"},
		{"url database", "sqlite:///srv/shop.db", ""},
		{"url database", "user:secret@tcp(db1:3306)/shop", "-"},
		{"url database", "host=db1 password=secret", "-"},
		{"url database", "postgres://a:secret/b", "-"},
		{"url database", "postgres://a..b/c", "-"},
		{"url container", "unix:///var/run/docker.sock", ""},
		{"url container", "tcp://docker1:2375", "docker1"},
		{"address", "db1", "db1"},
		{"address", "db1:5432", "db1"},
		{"address", "10.0.0.1:80", "10.0.0.1"},
		{"address", "2001:db8::1", "2001:db8::1"},
		{"address", "[2001:DB8::1]:53", "2001:db8::1"},
		{"address", "/var/run/postgresql", ""},
		{"address", "http://db1/", "-"},
		{"address", "db1:port", "-"},
		{"address", "db1:", "-"},
		{"address", "db1:123456", "-"},
		{"address", "user:secret@db1", "-"},
		{"address", "a:b:c", "-"},
		{"address", "-db1", "-"},
		{"address", "db1 db2", "-"},
		{"address", strings.Repeat("a", 254), "-"},
		{"host", "db1.", "db1"},
		{"server", "9.9.9.9", "9.9.9.9"},
		{"server", "resolver.example.org:53", "resolver.example.org"},
		{"server", "@9.9.9.9", "-"},
	} {
		name, kind, _ := strings.Cut(c.key, " ")
		if kind == "" {
			kind = string(check.Service)
		}
		text := fmt.Sprintf("services: [{name: a, checks: [{%s: %q, type: %s}]}]", name, c.text, kind)
		if c.want == "-" {
			wantFault(t, text, name, c.text)
			continue
		}
		inv := mustParse(t, text)
		if known := len(inv.hosts) == 1 && inv.KnowsHost(c.want); known != (c.want != "") {
			t.Errorf("%s %q: knows %v, want %q", c.key, c.text, inv.hosts, c.want)
		}
	}
}

func TestSSHTargets(t *testing.T) {
	for text, want := range map[string]string{
		"db1":               "db1",
		"DB1.example.org.":  "db1.example.org",
		"ops@db1":           "db1",
		"ops.x_y-1@db1":     "db1",
		"10.0.0.1":          "10.0.0.1",
		"root@2001:db8::1":  "2001:db8::1",
		"":                  "-",
		"db1:22":            "-",
		"[::1]":             "-",
		"ssh://db1":         "-",
		"@db1":              "-",
		"ops@":              "-",
		"ops:secret@db1":    "-",
		"a@b@db1":           "-",
		"-oProxyCommand=x":  "-",
		"-l@db1":            "-",
		"db1 -p 22":         "-",
		"db1;reboot":        "-",
		"$(reboot)":         "-",
		"*.example.org":     "-",
		"db1,db2":           "-",
		"wheel@db\u200b1":   "-",
		"root@-oProxy=x.y.": "-",
	} {
		file := fmt.Sprintf("services: [{name: a, ssh: %q}]", text)
		if want == "-" {
			wantFault(t, file, "ssh", text)
			continue
		}
		inv := mustParse(t, file)
		if hosts := inv.SSHHosts(); len(hosts) != 1 || hosts[0] != want || !inv.KnowsSSH(want) {
			t.Errorf("ssh %q reaches %q, want %q", text, hosts, want)
		}
	}
}

// wantFault wants one fault of the member, which does not repeat its value: there may be a password in it.
func wantFault(t *testing.T, file, member, value string) {
	t.Helper()
	faults := faultsOf(t, file)
	if len(faults) != 1 || !strings.Contains(faults[0], " "+member+": ") || strings.Contains(faults[0], "secret") {
		t.Errorf("%s %q: faults %q", member, value, faults)
	}
}

func FuzzHost(f *testing.F) {
	for _, seed := range []string{"db1", "[::1]:80", "a:80", "a.", "A..", "[a:1]", "::ffff:1.2.3.4", "fe80::1%eth0", "-x", "1.2.3.4:5", "::% "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bare := bareHost(text)
		if !isHost(bare) {
			return
		}
		if again := bareHost(bare); again != bare {
			t.Errorf("%q is the host %q, and that is %q", text, bare, again)
		}
		if strings.HasPrefix(bare, "-") || strings.ContainsAny(bare, " /@[]$`'\";&|\x00\n") {
			t.Errorf("%q is the host %q", text, bare)
		}
	})
}
