package web

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"unicode/utf8"
)

// minToken is the minimum length of a token, in characters: a shorter one can be guessed.
const minToken = 16

const makeToken = "`openssl rand -hex 32` makes one"

// MayListen rejects an address that is reachable from other machines if no token is set, and a token that can be guessed. A name other
// than those of loopback counts as reachable, whatever it resolves to.
func MayListen(addr, token string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if fault := tokenFault(token); fault != "" {
		return errors.New("CLAUDEOPS_DASHBOARD_TOKEN: " + fault)
	}
	if token == "" && !loopbackAddress(addr) {
		return fmt.Errorf("%s is reachable from other machines, and no token is set; set CLAUDEOPS_DASHBOARD_TOKEN (%s), or listen on %s",
			addr, makeToken, net.JoinHostPort("127.0.0.1", port))
	}
	return nil
}

// MayTakeAlerts rejects a token of those who send alerts that can be guessed, or that opens the dashboard too.
func MayTakeAlerts(token, dashboardToken string) error {
	if fault := tokenFault(token); fault != "" {
		return errors.New("CLAUDEOPS_ALERT_TOKEN: " + fault)
	}
	if token != "" && token == dashboardToken {
		return errors.New("CLAUDEOPS_ALERT_TOKEN: it is CLAUDEOPS_DASHBOARD_TOKEN; senders of alerts need one that opens nothing else (" + makeToken + ")")
	}
	return nil
}

// tokenFault returns what is wrong with a token; empty if it is acceptable or unset.
func tokenFault(token string) string {
	switch n := utf8.RuneCountInString(token); {
	case token == "":
		return ""
	case n < minToken:
		return fmt.Sprintf("%d characters can be guessed, it takes %d; %s", n, minToken, makeToken)
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return "it holds what no header of a request can: blanks, control characters or letters beyond ASCII; " + makeToken
	}
	return ""
}
