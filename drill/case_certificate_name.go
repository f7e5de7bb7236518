package main

import (
	"context"
)

func init() {
	register(Case{
		Name: "certificate-name", Kind: Fault, Summary: "a certificate is for another name",
		Services: []string{"portal"}, Terms: [][]string{{"certificate"}, {"another name", "other name", "wrong name", "portal.home.arpa", "hostname", "host name", "mismatch", "issued for", "valid for", "not for"}}, Needs: []string{tlsPart},
		Inject: func(ctx context.Context, lab *Lab) error {
			return lab.certify(ctx, "portal.home.arpa", certified)
		},
		Cure: "redeploy",
	})
}
