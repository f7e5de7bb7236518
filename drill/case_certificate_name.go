package drill

import (
	"context"
)

func init() {
	register(Case{
		Name: "certificate-name", Kind: Fault, Summary: "a certificate is for another name",
		Services: []string{"portal"}, Terms: [][]string{{"certificate"}, {"name", "127.0.0.1", "valid for"}}, Needs: []string{tlsPart},
		Inject: func(ctx context.Context, lab *Lab) error {
			return lab.certify(ctx, "portal.home.arpa", certified)
		},
		Cure: func(*Lab) [][]string { return [][]string{{"labctl", "redeploy", "portal"}} },
	})
}
