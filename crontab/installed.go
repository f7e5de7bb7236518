package crontab

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/shell"
)

// Installed is a job that Install has installed, according to its flags.
type Installed struct {
	Target   Local // with its options at that time
	Place    string
	Flags    []string // of the target and --program, as typed
	Schedule string   // as CLAUDEOPS_SCHEDULE; empty if no flag set it
	User     string   // of the system scope; empty for DefaultUser
	EnvFile  string   // empty for /etc/claudeops/env
	Program  string   // empty for the one that installed it
}

// FindInstalled returns the system's or the user's job; nil if there is none.
func FindInstalled(ctx context.Context, system bool) (*Installed, error) {
	for _, t := range Targets() {
		local, is := t.(Local)
		if !is {
			continue
		}
		main := "" // the first path: only root may read some others, such as polkit's
		edits, err := removeEdits(ctx, local, Job{System: system}, func(path string) bool { main = cmp.Or(main, path); return path == main })
		switch {
		case err != nil && system:
			return nil, err
		case err != nil || len(edits) == 0: // a user who may have no crontab has no job in one
			continue
		}
		i := &Installed{Target: local, Place: edits[0].place.Name()}
		if err := i.read(edits[0].block); err != nil {
			return nil, fmt.Errorf("%s: the flags of the install in its comments: %w", i.Place, err)
		}
		return i, nil
	}
	return nil, nil
}

// read parses the flags in the comments of the block that Install wrote.
func (i *Installed) read(block string) error {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	i.Target.Flags(set)
	var schedules []string
	set.StringArrayVar(&schedules, "schedule", nil, "")
	set.StringVar(&i.User, "user", "", "")
	set.StringVar(&i.EnvFile, "env-file", "", "")
	set.StringVar(&i.Program, "program", "", "")
	for line := range strings.Lines(block) {
		flag, found := strings.CutPrefix(strings.TrimSpace(line), recordPrefix)
		if !found {
			continue
		}
		words, err := shell.Fields(flag, func(string) string { return "" })
		if err == nil {
			err = set.Parse(words)
		}
		if err != nil {
			return err
		}
		if name, _, _ := strings.Cut(flag, " "); name != "--schedule" && name != "--user" && name != "--env-file" {
			i.Flags = append(i.Flags, flag)
		}
	}
	i.Schedule = strings.Join(schedules, "; ")
	return nil
}

// InstalledUser returns the user of the installed job, the system's or our own, and its place; empty if there is none.
func InstalledUser(ctx context.Context) (name, place string, err error) {
	for _, system := range []bool{true, false} {
		switch i, err := FindInstalled(ctx, system); {
		case err != nil:
			return "", "", err
		case i != nil && system:
			return cmp.Or(i.User, DefaultUser), i.Place, nil
		case i != nil:
			return CurrentUser(), i.Place, nil
		}
	}
	return "", "", nil
}
