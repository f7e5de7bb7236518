package main

import (
	"context"
)

func init() {
	register(Case{
		Name: "proxy-upstream", Kind: Fault, Summary: "nginx sends its requests to a port on which nobody listens",
		Services: []string{"proxy"}, Terms: [][]string{{"upstream", "proxy_pass", "route", "forward", "sends", "proxies", "passes"}, {"port", "refused", "nobody", "nothing listens", "not listen", "no listener"}}, Needs: []string{nginx},
		Inject: func(ctx context.Context, lab *Lab) error {
			return lab.route(ctx, lab.Address("nobody"))
		},
		Cure: "redeploy",
	})
}
