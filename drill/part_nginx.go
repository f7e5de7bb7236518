package main

import (
	"context"
	"fmt"
)

// nginx is the part with an nginx (proxy) in front of the small service times.
const nginx = "nginx"

func init() {
	registerPart(Part{Name: nginx, Start: startNginx, Services: watchedNginx,
		Reset: func(ctx context.Context, lab *Lab) error { return lab.Redeploy(ctx, "proxy") }})
}

func startNginx(ctx context.Context, lab *Lab) error {
	n, err := newNginx(lab.Folder("proxy"), lab.Address("proxy"), lab.Address("times"))
	if err != nil {
		return err
	}
	return lab.Add(ctx, n.server("proxy", lab.Address("times")))
}

func watchedNginx(lab *Lab) []Service {
	return []Service{{Name: "proxy", DependsOn: []string{"times"}, Checks: []string{
		fmt.Sprintf(`{type: http, url: "http://%s/time", timeout: 3s, attempts: 1}`, lab.Address("proxy"))}}}
}

// route sends the proxy's requests to another address, as a change of its configuration does.
func (lab *Lab) route(ctx context.Context, address string) error {
	n, err := newNginx(lab.Folder("proxy"), lab.Address("proxy"), address)
	if err != nil {
		return err
	}
	_ = n // newNginx has written the configuration
	return lab.Restart(ctx, "proxy")
}
