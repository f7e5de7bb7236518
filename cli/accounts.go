package cli

import (
	"slices"
	"strings"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/query"
)

// missingAccount is a service whose database agents cannot ask, and what would let them.
type missingAccount struct {
	Service string   `json:"service"`
	Lines   []string `json:"lines"` // for the database's administrator, and the last for the services file
}

// missingAccounts returns the services with a check of a database's server, but without an account for agents.
func missingAccounts(services []inventory.Service) (missing []missingAccount) {
	for _, s := range services {
		i := slices.IndexFunc(s.Checks, func(k probe.Check) bool {
			of, is := k.Options.(*probe.Database)
			return is && !strings.HasPrefix(of.URL, "sqlite:")
		})
		if i >= 0 && s.Query == (inventory.Query{}) {
			missing = append(missing, missingAccount{s.Name, query.Lines(s.Checks[i].Options.(*probe.Database).URL)})
		}
	}
	return missing
}

// accountLines says so, for people; empty if there is none.
func accountLines(missing []missingAccount) string {
	text := ""
	for _, m := range missing {
		text += "\n" + m.Service + ": agents cannot ask its database. An account that may only read lets them, and a line of the services file:\n    " +
			strings.Join(m.Lines, "\n    ") + "\n"
	}
	return text
}
