package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/crontab"
)

func (a *app) crontabRemoveCommand() *cobra.Command {
	var f crontabFlags
	c := &cobra.Command{
		Use:   "remove --target NAME",
		Short: "Take away what install has put in place",
		Long: `remove takes the lines between the marks of "install" out, and a file away in which nothing else is. Your own lines stay byte for
byte. A copy of what was there is kept as for install. What cycles have recorded stays.

With --target systemd the timer is stopped first; a cycle that runs goes on to its end.`,
		Args: takes(),
	}
	f.placeFlags(c)
	f.changeFlags(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return a.removeJob(c.Context(), &f) }
	return c
}

func (a *app) removeJob(ctx context.Context, f *crontabFlags) error {
	if err := f.notAgents(); err != nil {
		return err
	}
	edits, err := f.removeEdits(ctx)
	if err != nil {
		return f.explained(err)
	}
	if len(edits) == 0 {
		if a.json {
			return a.printJSON([]placeChange{})
		}
		return a.print("nothing to remove: no line of claudeops is there\n")
	}
	stopped, err := f.stopTimer(ctx)
	if err != nil {
		return err
	}
	changes, err := a.change(ctx, f, edits)
	if err != nil {
		return err
	}
	forgotten, err := f.forgetUnits(ctx)
	if err != nil {
		return err
	}
	if err := a.printChanges(changes, f); err != nil || a.json {
		return err
	}
	return a.print(stopped + forgotten)
}

// removeEdits are those of the places that have a block of ours.
func (f *crontabFlags) removeEdits(ctx context.Context) ([]crontab.Edit, error) {
	var edits []crontab.Edit
	for _, path := range f.paths() {
		r := rendered{File: crontab.File{Path: path, Mode: 0o644}}
		if f.target.word == systemdTarget {
			var err error
			if r.Path, err = f.inPlace(path); err != nil {
				return nil, err
			}
		}
		place, err := r.place(f)
		if err != nil {
			return nil, err
		}
		e, err := crontab.Take(ctx, place, crontab.MarksOf(r.Path))
		if err != nil {
			return nil, err
		}
		if e.Ours {
			edits = append(edits, e)
		}
	}
	return edits, nil
}

// paths are where install writes.
func (f *crontabFlags) paths() []string {
	switch {
	case f.target.word == cronTarget:
		return []string{cronFile}
	case f.system():
		return []string{crontab.TimerUnit, crontab.ServiceUnit, crontab.PolkitPath}
	}
	return []string{crontab.TimerUnit, crontab.ServiceUnit}
}
