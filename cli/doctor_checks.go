package cli

import (
	"context"
	"os"
	"os/user"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// doctorChecks is how long the checks of doctor may take together.
const doctorChecks = 30 * time.Second

// checksCanBeMade makes one check of each type that the inventory uses, as the user that doctor runs as, which it names: another one may
// be permitted more or less. How the service is found does not matter, only that the check could be made.
func (a *app) checksCanBeMade(ctx context.Context, l *loaded) (found []finding) {
	inv, err := readInventory(l.config)
	if err != nil || inv == nil {
		return nil // which "tier 1" tells
	}
	who := "the user of this process"
	if is, err := user.Current(); err == nil {
		who = is.Username
	}
	ctx, cancel := context.WithTimeout(ctx, doctorChecks)
	defer cancel()
	for _, r := range probe.Run(ctx, oneOfEach(inv.Services), a.Probes, a.probeSettings(l, inv), probe.Bounds{}, nil).Results {
		name, as := string(r.Type)+" checks", "as "+who+", by that of "+r.Service
		if r.Status == check.Unknown {
			remedy := ""
			if os.Geteuid() != 0 {
				remedy = "where the job runs as another user, call doctor as that one"
			}
			found = append(found, fail(name, "cannot be made "+as+": "+r.Error, remedy))
			continue
		}
		found = append(found, ok(name, "can be made "+as))
	}
	return found
}

// oneOfEach are the services cut down to the first check of each type.
func oneOfEach(services []inventory.Service) (few []inventory.Service) {
	seen := map[check.Type]bool{}
	for _, s := range services {
		var first []inventory.Check
		for _, k := range s.Checks {
			if !seen[k.Type] {
				seen[k.Type] = true
				first = append(first, k)
			}
		}
		if s.Checks = first; first != nil {
			few = append(few, s)
		}
	}
	return few
}
