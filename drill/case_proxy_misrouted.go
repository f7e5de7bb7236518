package main

import (
	"context"
)

func init() {
	register(Case{
		Name: "proxy-misrouted", Kind: Fault, Summary: "nginx sends its requests to a path that the service behind it has no more",
		Services: []string{"proxy"}, Terms: [][]string{{"upstream", "proxy_pass", "route", "forward", "sends", "proxies", "passes"}, {"path", "old", "location", "prefix", "URI"}}, Needs: []string{nginx},
		Inject: func(ctx context.Context, lab *Lab) error {
			return lab.route(ctx, lab.Address("times")+"/old/")
		},
		Cure: "redeploy",
	})
}
