package inventory

import (
	"fmt"
	"strings"
	"testing"
)

// want is the host of a check or of ssh; empty if there is none, and a dash if the text is a fault.
func TestHostsOfChecks(t *testing.T) {
	for _, c := range []struct{ key, text, want string }{
		{"url http", "http://Example.ORG", "example.org"},
		{"url http", "HTTPS://example.org.:8443/x?y=http://other/", "example.org"},
		{"url http", "http://user:secret@example.org/", "example.org"},
		{"url http", "http://[::1]:80/", "::1"},
		{"url http", "http://[fe80::1%25eth0]/", "fe80::1%eth0"},
		{"url http", "http://bücher.example/", "bücher.example"},
		{"url http", "http://under_score/", "under_score"},
		{"url http", "http://\u0301b.example/", "-"}, // not even in ASCII
		{"url http", "example.org", "-"},
		{"url http", "localhost:8080", "-"},
		{"url http", "http:///path", "-"},
		{"url http", "http://user:secret@[::1", "-"},
		{"url http", "http://${HOST}/", "-"},
		{"url http", "http://-oProxyCommand=x/", "-"},
		{"url http", "http://h:65536/", "-"},
		{"url http", "http://h/\u200b", "-"},
		{"url database", "postgres://probe:secret@DB1:5432/shop?sslmode=require", "db1"},
		{"url database", "postgres:///shop?host=/run/postgresql", ""},
		{"url database", "mysql://probe:secret@db1/shop", "db1"},
		{"url database", "mariadb://[2001:db8::1]:3307/", "2001:db8::1"},
		{"url database", "mysql://probe:secret@/shop?socket=/run/mysqld/mysqld.sock", ""},
		{"url database", "rediss://:secret@cache:6380/2", "cache"},
		{"url database", "sqlite:///srv/shop.db", ""},
		{"url database", "sqlite://srv/shop.db", "-"},
		{"url database", "sqlite:///srv/%00.db", "-"},
		{"url database", "sqlite:///", "-"},
		{"url database", "sqlite://probe:secret@/srv/shop.db", "-"},
		{"url database", "user:secret@tcp(db1:3306)/shop", "-"},
		{"url database", "host=db1 password=secret", "-"},
		{"url database", "postgres://probe:secret@h1,h2/c", "-"},
		{"url database", "postgres:///shop", "-"},
		{"url database", "postgres:///shop?host=run", "-"},
		{"url database", "postgres://probe:secret@db1:99999/shop", "-"},
		{"url database", "http://probe:secret@db1/shop", "-"},
		{"engine container", "unix:///var/run/docker.sock", ""},
		{"engine container", "tcp://docker1:2375", "docker1"},
		{"engine container", "unix://var/run/docker.sock", "-"},
		{"engine container", "unix:///", "-"},
		{"engine container", "ssh://ops:secret@docker1", "-"},
		{"address service", "db1:5432", "db1"},
		{"address service", "[2001:DB8::1]:53", "2001:db8::1"},
		{"address service", "/var/run/postgresql/.s.PGSQL.5432", ""},
		{"address service", "/run/\u0001x", "-"},
		{"address service", "db1", "-"},
		{"address service", "2001:db8::1", "-"},
		{"address service", "db1:port", "-"},
		{"address service", "db1:65536", "-"},
		{"address service", ":80", "-"},
		{"address service", "user:secret@db1", "-"},
		{"address service", "db1 db2:80", "-"},
		{"address service", strings.Repeat("a", 254) + ":80", "-"},
		{"host service", "db1.", "db1"},
		{"host service", "2001:db8::1", "2001:db8::1"},
		{"host service", "db1:80", "-"},
		{"host service", "/run", "-"},
		{"server dns", "9.9.9.9", "9.9.9.9"},
		{"server dns", "[2001:db8::53]:53", "2001:db8::53"},
		{"server dns", "resolver.example.org:53", "resolver.example.org"},
		{"server dns", "https://9.9.9.9/dns-query", "-"},
	} {
		name, kind, _ := strings.Cut(c.key, " ")
		beside := map[string]string{"host service": "plugin: [check_ssh], ", "server dns": "name: x.org, "}[c.key]
		text := fmt.Sprintf("services: [{name: a, checks: [{type: %s, %s%s: %q}]}]", kind, beside, name, c.text)
		if c.want == "-" {
			wantFault(t, text, name, c.text)
			continue
		}
		inv := mustParse(t, text)
		if known := len(inv.hosts) == 1 && inv.KnowsHost(c.want); known != (c.want != "") || len(inv.hosts) > 1 {
			t.Errorf("%s %q: knows %v, want %q", c.key, c.text, inv.hosts, c.want)
		}
	}
}

// The queried name is not the host of the query.
func TestNameOfDNSIsNoHost(t *testing.T) {
	inv := mustParse(t, "services: [{name: a, checks: [{type: dns, name: www.example.org}]}]")
	if inv.KnowsHost("www.example.org") {
		t.Error("the name makes a host known")
	}
}

func TestSSHTargets(t *testing.T) {
	for text, want := range map[string]string{
		"db1":               "db1",
		"DB1.example.org.":  "db1.example.org",
		"ops@db1":           "db1",
		"ops.x_y-1@db1":     "db1",
		"root@2001:db8::1":  "2001:db8::1",
		"":                  "-",
		"db1:22":            "-",
		"ssh://db1":         "-",
		"@db1":              "-",
		"ops:secret@db1":    "-",
		"-oProxyCommand=x":  "-",
		"db1 -p 22":         "-",
		"$(reboot)":         "-",
		"*.example.org":     "-",
		"wheel@db\u200b1":   "-",
		"root@-oProxy=x.y.": "-",
	} {
		file := fmt.Sprintf("services: [{name: a, ssh: %q}]", text)
		if want == "-" {
			wantFault(t, file, "ssh", text)
			continue
		}
		inv := mustParse(t, file)
		if hosts := inv.sshHosts; len(hosts) != 1 || hosts[0] != want || !inv.KnowsSSH(want) {
			t.Errorf("ssh %q reaches %q, want %q", text, hosts, want)
		}
	}
}

// wantFault checks that the file has one fault, which names the member and does not quote its value, because that may contain a password.
func wantFault(t *testing.T, file, member, value string) {
	t.Helper()
	faults := faultsOf(t, file)
	if len(faults) != 1 || !strings.Contains(faults[0], " "+member+": ") || strings.Contains(faults[0], "secret") {
		t.Errorf("%s %q: faults %q", member, value, faults)
	}
}
