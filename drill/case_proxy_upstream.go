package drill

import (
	"context"
)

func init() {
	register(Case{
		Name: "proxy-upstream", Kind: Fault, Summary: "nginx sends its requests to a port on which nobody listens",
		Services: []string{"proxy"}, Terms: [][]string{{"502", "upstream", "proxy_pass"}}, Needs: []string{nginx},
		Inject: func(ctx context.Context, lab *Lab) error {
			return lab.route(ctx, lab.Address("nobody"))
		},
		Cure: func(*Lab) [][]string { return [][]string{{"labctl", "redeploy", "proxy"}} },
	})
}
