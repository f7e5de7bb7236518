package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"
)

// minToken is the minimum length of a token, in characters: a shorter one can be guessed.
const minToken = 16

const makeToken = "`openssl rand -hex 32` makes one"

// lookupTime is the time limit for resolving a name.
const lookupTime = 5 * time.Second

// MayListen rejects an address that is reachable from other machines if no token is set, and a token that can be guessed. It returns the
// names by which the address may be requested: its host, if that is a name.
func MayListen(ctx context.Context, addr, token string) (names []string, err error) {
	return mayListen(ctx, addr, token, lookUp)
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

func mayListen(ctx context.Context, addr, token string, lookUp func(context.Context, string) ([]netip.Addr, error)) (names []string, err error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if fault := tokenFault(token); fault != "" {
		return nil, errors.New("CLAUDEOPS_DASHBOARD_TOKEN: " + fault)
	}
	is, err := netip.ParseAddr(host)
	named := err != nil && host != ""
	if named {
		names = []string{host}
	}
	if token != "" {
		return names, nil
	}
	found := []netip.Addr{is}
	if named {
		if found, err = lookUp(ctx, host); err != nil {
			return nil, fmt.Errorf("%s: whether that is this machine alone is not known (%w); set CLAUDEOPS_DASHBOARD_TOKEN, or listen on %s", addr, err, loopbackLike(addr))
		}
	}
	for _, is := range found {
		if is.Unmap().IsLoopback() {
			continue
		}
		what := addr
		if named {
			what += " (" + is.String() + ")"
		}
		return nil, fmt.Errorf("%s is reachable from other machines, and no token is set; set CLAUDEOPS_DASHBOARD_TOKEN (%s), or listen on %s",
			what, makeToken, loopbackLike(addr))
	}
	return names, nil
}

// loopbackLike returns a loopback address with the port of another address.
func loopbackLike(addr string) string {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		port = "8080"
	}
	return net.JoinHostPort("127.0.0.1", port)
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

// lookUp resolves a name; an error if it has no addresses.
func lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(found) == 0 {
		err = errors.New("it has no address")
	}
	return found, err
}
