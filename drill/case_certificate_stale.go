package main

import (
	"context"
	"errors"
	"time"
)

func init() {
	register(Case{
		Name: "certificate-stale", Kind: Fault, Summary: "a certificate was renewed, and the server still uses the old one, which has ended",
		Services: []string{"portal"}, Terms: [][]string{{"certificate"}, {"renew", "newer", "new certificate", "reload", "still use", "still serve", "old one", "old certificate", "in memory"}}, Needs: []string{tlsPart},
		Inject: func(ctx context.Context, lab *Lab) error {
			return errors.Join(lab.certify(ctx, "127.0.0.1", -24*time.Hour), lab.authority.issue("127.0.0.1", certified))
		},
		Cure: "restart",
	})
}
