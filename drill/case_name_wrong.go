package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "name-wrong", Kind: Fault, Summary: "a DNS server has a wrong address for a name",
		Services: []string{"names"}, Terms: [][]string{{"zone", "record", "address", "10.77.0.99"}, {"wrong", "incorrect", "mistake", "bad", "instead of", "should be"}}, Needs: []string{dnsPart},
		Inject: func(ctx context.Context, lab *Lab) error {
			return errors.Join(writeZone(lab.zone(), "10.77.0.99"), lab.Restart(ctx, "names"))
		},
		Cure: "redeploy",
	})
}
