package cli

import (
	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/breaker/settings"
)

func (a *app) hooksUninstallCommand() *cobra.Command {
	var at settingsFiles
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the circuit breaker away from the hooks of Claude Code's settings",
		Long: `uninstall takes the circuit breaker away from the hooks of a Claude Code settings file, by default the user's, with what
"install --plugins" has put there. What install has changed becomes what it was, byte for byte; what was changed since stays. A
backup is written beside the file.`,
		Args: takes(),
	}
	at.flags(c)
	c.RunE = func(*cobra.Command, []string) error {
		return a.changeSettings(at, func(s *settingsChange) error {
			var err error
			if s.content, s.Hooks, err = settings.Unwrap(s.content); err != nil {
				return err
			}
			s.content, s.Script, err = settings.UnsetPrefix(s.content)
			return err
		})
	}
	return c
}
