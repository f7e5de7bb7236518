package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// tlsPart is the part with a web server (portal) whose certificate is the homelab's own.
const tlsPart = "tls"

// certified is how long a certificate of the homelab is valid.
const certified = 90 * 24 * time.Hour

func init() {
	registerPart(Part{Name: tlsPart, Start: startPortal, Services: watchedPortal,
		Reset: func(ctx context.Context, lab *Lab) error { return lab.Redeploy(ctx, "portal") }})
}

func startPortal(ctx context.Context, lab *Lab) error {
	a, err := newAuthority(lab.Folder("portal"))
	if err != nil {
		return err
	}
	lab.authority = a
	p := lab.own("portal", lab.Address("portal"), lab.Folder("portal"))
	p.Ready, p.Deploy = listens(lab.Address("portal")), func() error { return a.issue("127.0.0.1", certified) }
	if err := p.Deploy(); err != nil {
		return err
	}
	return lab.Add(ctx, p)
}

func watchedPortal(lab *Lab) []Service {
	return []Service{{Name: "portal", Checks: []string{fmt.Sprintf(`{type: http, url: "https://%s/", ca: %q, timeout: 2s, attempts: 1}`,
		lab.Address("portal"), filepath.Join(lab.Folder("portal"), "ca.pem"))}}}
}

// certify gives the portal another certificate, which it uses from now on.
func (lab *Lab) certify(ctx context.Context, name string, left time.Duration) error {
	if err := lab.authority.issue(name, left); err != nil {
		return err
	}
	return lab.Restart(ctx, "portal")
}

// dnsPart is the part with a DNS server (names).
const dnsPart = "dns"

const (
	zoneName    = "shop.home.arpa"
	zoneAddress = "10.77.0.20"
)

func init() {
	registerPart(Part{Name: dnsPart, Start: startNames, Services: watchedNames,
		Reset: func(ctx context.Context, lab *Lab) error { return lab.Redeploy(ctx, "names") }})
}

func (lab *Lab) zone() string { return filepath.Join(lab.Folder("names"), "zone") }

func startNames(ctx context.Context, lab *Lab) error {
	p := lab.own("names", lab.Address("names"), lab.zone())
	p.Deploy = func() error { return writeZone(lab.zone(), zoneAddress) }
	if err := errors.Join(os.MkdirAll(lab.Folder("names"), 0o700), p.Deploy()); err != nil {
		return err
	}
	return lab.Add(ctx, p)
}

func watchedNames(lab *Lab) []Service {
	return []Service{{Name: "names", Checks: []string{fmt.Sprintf(`{type: dns, name: %s, server: "%s", answer: %s, timeout: 2s, attempts: 1}`,
		zoneName, lab.Address("names"), zoneAddress)}}}
}
