package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/hooks/settings"
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
		changes, err := a.changeSettings(at, func(s *settingsChange) error {
			var err error
			if s.content, s.Hooks, err = settings.Unwrap(s.content); err != nil {
				return err
			}
			s.content, s.Script, err = settings.UnsetPrefix(s.content)
			return err
		})
		if err != nil {
			return err
		}
		if err := a.printSettings(changes, at, "uninstall"); err != nil || a.json || at.dryRun {
			return err
		}
		return a.print(a.afterUninstall(changes))
	}
	return c
}

// afterUninstall says which files are left, where anything was taken away.
func (a *app) afterUninstall(changes []*settingsChange) string {
	if !slices.ContainsFunc(changes, func(s *settingsChange) bool { return s.Changed || s.Script != "" }) {
		return ""
	}
	var stay []string
	for _, s := range changes {
		entries, err := os.ReadDir(filepath.Dir(s.File))
		if err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			return strings.HasPrefix(e.Name(), filepath.Base(s.File)+".backup-")
		}) {
			stay = append(stay, s.File+".backup-*")
		}
	}
	config := a.circuits(a.hookFlags).config
	for _, path := range []string{config.StateFile, config.LogFile} {
		if _, err := os.Stat(path); err == nil {
			stay = append(stay, path)
		}
	}
	if len(stay) == 0 {
		return ""
	}
	return "\nthese files stay, and may be deleted:\n  " + strings.Join(stay, "\n  ") + "\n"
}
