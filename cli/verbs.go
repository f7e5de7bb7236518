package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func init() {
	for use, short := range map[string]string{
		"restart SERVICE --why TEXT": "Restart a service (in a session)", "redeploy SERVICE --why TEXT": "Redeploy a service (in a session)",
		"action SERVICE NAME --why TEXT":      "Do an action of the services file (in a session)",
		"propose SERVICE --why TEXT -- ARGV…": "Propose a command to a person (in a session)",
		"query SERVICE STATEMENT":             "Ask a service's database (in a session)", "logs SERVICE [--lines N] [--since 1h] [--contains TEXT]": "Print the last lines of a service's logs (in a session)",
		"get URL": "GET a URL (in a session)",
	} {
		addCommand(func(*app) *cobra.Command { return verbCommand(use, short) })
	}
}

// verbCommand returns a verb of agents, for its help: in a session the broker does it.
func verbCommand(use, short string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Hidden: true, Args: cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(c *cobra.Command, _ []string) error {
			return fmt.Errorf("agents do that, within a session; as a person: claudeops sandbox --tier 2 --act 'claudeops %s'", c.Use)
		},
	}
}
