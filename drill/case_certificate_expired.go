package main

import (
	"context"
	"time"
)

func init() {
	register(Case{
		Name: "certificate-expired", Kind: Fault, Summary: "a certificate has ended",
		Services: []string{"portal"}, Terms: [][]string{{"certificate"}, {"expired", "ended", "not after", "valid"}}, Needs: []string{tlsPart},
		Inject: func(ctx context.Context, lab *Lab) error {
			return lab.certify(ctx, "127.0.0.1", -24*time.Hour)
		},
		Cure: "redeploy",
	})
}
