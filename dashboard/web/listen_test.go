package web

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
)

func TestWhatMayBeListenedOn(t *testing.T) {
	names := func(_ context.Context, host string) ([]netip.Addr, error) {
		switch host {
		case "localhost", "desk":
			return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1")}, nil
		case "half":
			return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("192.0.2.7")}, nil
		}
		return nil, errors.New("no such host")
	}
	const token = "0123456789abcdef"
	for _, c := range []struct{ addr, token, name, fault string }{
		{"127.0.0.1:8080", "", "", ""},
		{"127.1.2.3:0", "", "", ""},
		{"[::1]:8080", "", "", ""},
		{"[::ffff:127.0.0.1]:8080", "", "", ""},
		{"localhost:8080", "", "localhost", ""},
		{"desk:8080", "", "desk", ""},
		{"half:8080", "", "", "half:8080 (192.0.2.7) is reachable from other machines, and no token is set; set CLAUDEOPS_DASHBOARD_TOKEN (`openssl rand -hex 32` makes one), or listen on 127.0.0.1:8080"},
		{":8080", "", "", ":8080 is reachable from other machines"},
		{"0.0.0.0:8080", "", "", "0.0.0.0:8080 is reachable"},
		{"[::]:8080", "", "", "[::]:8080 is reachable"},
		{"10.0.0.1:8080", "", "", "is reachable"},
		{"nowhere:9000", "", "", "nowhere:9000: whether that is this machine alone is not known (no such host); set CLAUDEOPS_DASHBOARD_TOKEN, or listen on 127.0.0.1:9000"},
		{":8080", token, "", ""},
		{"nowhere:8080", token, "nowhere", ""}, // whether it is an address is decided by net.Listen
		{"127.0.0.1:8080", token, "", ""},
		{"127.0.0.1:8080", token[1:], "", "CLAUDEOPS_DASHBOARD_TOKEN: 15 characters can be guessed, it takes 16; `openssl rand -hex 32` makes one"},
		{"127.0.0.1:8080", "äöüäöüäöüäöüäöüä", "", "beyond ASCII"},
		{"127.0.0.1:8080", "two words of a token", "", "blanks"},
	} {
		got, err := mayListen(t.Context(), c.addr, c.token, names)
		switch {
		case c.fault == "" && (err != nil || strings.Join(got, " ") != c.name):
			t.Errorf("%s with token %q: %q, %v; want %q", c.addr, c.token, got, err, c.name)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%s with token %q: error %v, want %q", c.addr, c.token, err, c.fault)
		}
	}
}
