package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "name-stale", Kind: Fault, Summary: "a zone was corrected, and the DNS server still answers from the old one",
		Services: []string{"names"}, Terms: [][]string{{"zone", "record", "address", "10.77.0.99"}, {"stale", "old", "outdated", "reload", "corrected", "in memory", "still answer", "still serve"}}, Needs: []string{dnsPart},
		Inject: func(ctx context.Context, lab *Lab) error {
			return errors.Join(writeZone(lab.zone(), "10.77.0.99"), lab.Restart(ctx, "names"), writeZone(lab.zone(), zoneAddress))
		},
		Cure: "restart",
	})
}
