package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "name-gone", Kind: Fault, Summary: "a DNS server knows a name no more",
		Services: []string{"names"}, Terms: [][]string{{"zone", "record"}, {"missing", "gone", "removed", "deleted", "lack", "lost", "without", "no record", "no A record", "no such", "not in", "does not have", "does not exist", "NXDOMAIN"}}, Needs: []string{dnsPart},
		Inject: func(ctx context.Context, lab *Lab) error {
			return errors.Join(writeZone(lab.zone(), ""), lab.Restart(ctx, "names"))
		},
		Cure: "redeploy",
	})
}
