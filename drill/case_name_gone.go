package drill

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "name-gone", Kind: Fault, Summary: "a DNS server knows a name no more",
		Services: []string{"names"}, Terms: [][]string{{"NXDOMAIN", "does not exist", "no A record", "record"}}, Needs: []string{dnsPart},
		Inject: func(ctx context.Context, lab *Lab) error {
			return errors.Join(writeZone(lab.zone(), ""), lab.Restart(ctx, "names"))
		},
		Cure: func(*Lab) [][]string { return [][]string{{"labctl", "redeploy", "names"}} },
	})
}
