package cycle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// AidFaults returns why first aid of the inventory does not do what it seems to, one sentence each. Nothing is asked and nothing is
// started.
func (c *Cycle) AidFaults() (faults []string) {
	for _, s := range c.Inventory.Services {
		if why := c.aidFault(s); why != "" {
			faults = append(faults, "the first aid of "+s.Name+" "+why)
		}
	}
	return faults
}

// aidFault returns the fault of a service's first aid, to be said behind its name; empty if there is none.
func (c *Cycle) aidFault(s inventory.Service) string {
	w := s.Aid()
	if !w.Given() {
		return ""
	}
	_, missing := c.looker().find(w.RestartArgv(probe.EngineProgram(c.Environ))[0])
	_, absent := os.Stat(w.File)
	switch {
	case len(s.Checks) == 0:
		return "never runs: it has no checks, which alone find it down"
	case s.MaxTier == 1:
		return "never runs: it is work of Tier 2, and its max_tier is 1"
	case w.Kind == inventory.Unit && w.SSH == "" && text.Unit(w.Name) == crontab.ServiceUnit:
		return "never helps: " + crontab.ServiceUnit + " is what runs it, and would be ended by it"
	case missing != nil:
		return "cannot run here: " + missing.Error()
	case w.Kind == inventory.Compose && w.SSH == "" && errors.Is(absent, fs.ErrNotExist):
		return fmt.Sprintf("cannot run here: there is no %s", w.File)
	}
	return ""
}
