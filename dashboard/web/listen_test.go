package web

import (
	"strings"
	"testing"
)

func TestWhatMayBeListenedOn(t *testing.T) {
	const token = "0123456789abcdef"
	for _, c := range []struct{ addr, token, fault string }{
		{"127.0.0.1:8080", "", ""},
		{"127.1.2.3:0", "", ""},
		{"[::1]:8080", "", ""},
		{"[::ffff:127.0.0.1]:8080", "", ""},
		{"localhost:8080", "", ""},
		{":8080", "", ":8080 is reachable from other machines"},
		{"0.0.0.0:8080", "", "0.0.0.0:8080 is reachable"},
		{"[::]:8080", "", "[::]:8080 is reachable"},
		{"10.0.0.1:8080", "", "is reachable"},
		{"desk:9000", "", "desk:9000 is reachable from other machines, and no token is set; set CLAUDEOPS_DASHBOARD_TOKEN (`openssl rand -hex 32` makes one), or listen on 127.0.0.1:9000"},
		{":8080", token, ""},
		{"nowhere:8080", token, ""}, // whether it is an address is decided by net.Listen
		{"127.0.0.1:8080", token, ""},
		{"127.0.0.1:8080", token[1:], "CLAUDEOPS_DASHBOARD_TOKEN: 15 characters can be guessed, it takes 16; `openssl rand -hex 32` makes one"},
		{"127.0.0.1:8080", "äöüäöüäöüäöüäöüä", "beyond ASCII"},
		{"127.0.0.1:8080", "two words of a token", "blanks"},
	} {
		err := MayListen(c.addr, c.token)
		if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s with token %q: error %v, want %q", c.addr, c.token, err, c.fault)
		}
	}
}
