package cycle

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/store"
)

// RemedyFaults returns why remedies of the inventory do not do what they seem to, one sentence each. Nothing is asked and nothing is
// started.
func (c *Cycle) RemedyFaults() (faults []string) {
	for _, s := range c.Inventory.Services {
		if why := c.remedyFault(s); why != "" {
			faults = append(faults, "the remedy of "+s.Name+" "+why)
		}
	}
	return faults
}

// remedyFault returns the fault of a service's remedy, to be said behind its name; empty if there is none.
func (c *Cycle) remedyFault(s inventory.Service) string {
	r := s.Remedy
	if !r.Given() {
		return ""
	}
	argv, _ := c.remedy(r)
	_, missing := c.looker().find(argv[0])
	elsewhere := func(k probe.Check) bool {
		is, asks := k.Options.(*probe.Container)
		return asks && cmp.Or(is.Name, s.Name) == r.Name && is.Engine != "" && is.Engine != config.Lookup(c.environ(store.FirstAid), "DOCKER_HOST")
	}
	_, absent := os.Stat(r.Project)
	switch {
	case len(s.Checks) == 0:
		return "never runs: it has no checks, which alone find it down"
	case r.Restart == inventory.RestartUnit && text.Unit(r.Name) == crontab.ServiceUnit:
		return "never helps: " + crontab.ServiceUnit + " is what runs it, and would be ended by it"
	case missing != nil:
		return "cannot run here: " + missing.Error()
	case r.Restart == inventory.RestartCompose && errors.Is(absent, fs.ErrNotExist):
		return fmt.Sprintf("cannot run here: there is no %s", r.Project)
	case r.Restart == inventory.RestartContainer && slices.ContainsFunc(s.Checks, elsewhere):
		return "asks the engine of DOCKER_HOST, or else the local one; its check names another, which `run: [docker, --host, URL, restart, NAME]` asks"
	}
	return ""
}
