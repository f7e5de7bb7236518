package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "wrong-password", Kind: Fault, Summary: "a password was rotated, and one that uses it has the old one",
		Services: []string{"billing"}, Terms: [][]string{{"password", "credential", "401", "unauthorized"}},
		Inject: func(_ context.Context, lab *Lab) error { return rotateLedger(lab) },
		Cure:   "redeploy",
	})
}

// rotateLedger gives ledger another password, which billing does not get.
func rotateLedger(lab *Lab) error {
	const rotated = "green-harbour-42"
	return errors.Join(lab.write("vault/ledger", rotated), lab.write("srv/ledger/accepted", rotated))
}
