package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/setup"
)

// unmake is init --remove: it takes away the schedule, and the files that init made.
func (a *app) unmake(ctx context.Context, f initFlags) error {
	m, err := setup.Look(f.where, os.Environ())
	if err != nil {
		return &exitError{exitUsage, err}
	}
	r := m.Removal()
	places, err := a.unschedule(ctx, m, true)
	if err != nil {
		return err
	}
	var steps []step
	add := func(what, detail string) { steps = append(steps, step{What: what, Detail: detail}) }
	for _, place := range places {
		add("remove", place)
	}
	for _, path := range r.Files {
		add("remove", path)
	}
	if len(steps) == 0 {
		return a.answer([]step{}, "nothing to remove: nothing of init's is there\n")
	}
	for _, path := range r.Changed {
		add("keep", path+", which was changed after init made it: `rm "+text.ShellWord(path)+"` deletes it")
	}
	for _, path := range r.Kept {
		add("keep", path+", which was there before init; take out of it what you do not want")
	}
	for _, dir := range []string{m.StateDir, m.ResultsDir} {
		if _, err := os.Stat(dir); err == nil && !strings.HasPrefix(dir, m.StateDir+"/") {
			add("keep", dir+", the records: `rm -r "+text.ShellWord(dir)+"` deletes them")
		}
	}
	if r.User != "" {
		add("keep", "the user "+r.User+", whose the records are: `userdel "+text.ShellWord(r.User)+"` deletes it")
	}
	if err := a.answer(steps, a.stepLines(steps)); err != nil {
		return err
	}
	if err := a.agreed(ctx, f.yes); err != nil {
		return err
	}
	if _, err := a.unschedule(ctx, m, false); err != nil {
		return err
	}
	if err := m.Remove(r.Files); err != nil {
		return fmt.Errorf("the schedule is removed, and a file is not: %w", err)
	}
	if a.json {
		return nil
	}
	return a.print("done\n")
}

// unschedule takes away what runs the cycles, where init put it there, and returns where that is, or would be on a dry run.
func (a *app) unschedule(ctx context.Context, m *setup.Machine, dryRun bool) (places []string, err error) {
	for _, t := range crontab.Targets() {
		local, is := t.(crontab.Local)
		if !is || t.Name() != m.Made.Target {
			continue
		}
		removed, err := crontab.Remove(ctx, local, crontab.Job{System: m.System, Now: a.Now()}, crontab.Options{DryRun: dryRun})
		if err != nil {
			return nil, err
		}
		for _, change := range removed.Changes {
			places = append(places, change.Path)
		}
		if said := strings.TrimSpace(removed.Said); said != "" && !dryRun {
			a.note(said)
		}
	}
	return places, nil
}
