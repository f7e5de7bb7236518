package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
)

// Removal is the part of init's work that still exists.
type Removal struct {
	Places  []string // what runs the cycles, if init installed it
	Files   []string // made by init and unchanged: to be removed
	Changed []string // made by init and changed since
	Kept    []string // existed before init, with its additions
	Member  Member   // a membership that init created and that still exists
	User    string   // created by init: stays
}

// Removal returns what can be removed.
func (m *Machine) Removal(ctx context.Context) (r Removal, err error) {
	if r.Places, _, err = m.unschedule(ctx, time.Time{}, true); err != nil {
		return r, err
	}
	for _, f := range []struct {
		path string
		text []byte
	}{{m.EnvFile, m.Env}, {m.Services, m.Inventory}} {
		_, made := m.Made.Files[f.path]
		switch {
		case f.text == nil:
		case m.unchanged(f.path, f.text):
			r.Files = append(r.Files, f.path)
		case made:
			r.Changed = append(r.Changed, f.path)
		default:
			r.Kept = append(r.Kept, f.path)
		}
	}
	if isMember(m.Made.Member) {
		r.Member = m.Made.Member
	}
	r.User = m.Made.User
	return r, nil
}

// Any reports whether there is anything to remove.
func (r Removal) Any() bool { return len(r.Places)+len(r.Files) > 0 || r.Member != Member{} }

// RemovalSteps describes for people what is removed and what stays.
func (m *Machine) RemovalSteps(r Removal) (steps []Step) {
	add := func(what, detail string) { steps = append(steps, Step{What: what, Detail: detail}) }
	for _, path := range append(r.Places, r.Files...) {
		add("remove", path)
	}
	if r.Member != (Member{}) {
		add("remove", r.Member.User+" from the group "+r.Member.Group)
	}
	for _, path := range r.Changed {
		add("keep", path+", which was changed after init made it: `rm "+text.ShellWord(path)+"` deletes it")
	}
	for _, path := range r.Kept {
		add("keep", path+", which was there before init; take out of it what you do not want")
	}
	if m.Installed != nil && m.Installed.Target.Name() != m.Made.Target {
		add("keep", m.Installed.Place+", which was there before init and runs the cycles: `"+
			crontab.CommandLine(m.Installed.Target, crontab.Job{System: m.System}, "remove")+"` takes it away")
	}
	for _, dir := range []string{m.StateDir, m.ResultsDir} {
		if isThere(dir) && !strings.HasPrefix(dir, m.StateDir+"/") {
			add("keep", dir+", the records: `rm -r "+text.ShellWord(dir)+"` deletes them")
		}
	}
	if r.User != "" {
		add("keep", "the user "+r.User+", whose the records are: `userdel "+text.ShellWord(r.User)+"` deletes it")
	}
	return steps
}

// Remove removes what init made, and the record if only the user remains. said describes the remaining steps.
func (m *Machine) Remove(ctx context.Context, r Removal, now time.Time) (said string, err error) {
	if _, said, err = m.unschedule(ctx, now, false); err != nil {
		return said, err
	}
	if r.Member != (Member{}) {
		if err := run(ctx, []string{"gpasswd", "--delete", r.Member.User, r.Member.Group}); err != nil {
			return said, fmt.Errorf("the schedule is removed, and %s is still in the group %s: %w", r.Member.User, r.Member.Group, err)
		}
	}
	for _, path := range r.Files {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return said, fmt.Errorf("the schedule is removed, and a file is not: %w", err)
		}
		delete(m.Made.Files, path)
	}
	switch {
	case m.Made.Files == nil: // there is no record
		return said, nil
	case len(m.Made.Files) > 0:
		left := m.Made
		left.Target, left.Member = "", Member{}
		record, err := left.text()
		if err == nil {
			err = statedir.Replace(m.Record, record)
		}
		return said, err
	}
	if err := os.Remove(m.Record); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return said, err
	}
	_ = os.Remove(filepath.Dir(m.Record)) // only if it is empty
	return said, nil
}

// unschedule removes what runs the cycles, if init installed it, and returns its places; with dryRun it only returns them.
func (m *Machine) unschedule(ctx context.Context, now time.Time, dryRun bool) (places []string, said string, err error) {
	target := localNamed(m.Made.Target)
	if target == nil {
		return nil, "", nil
	}
	removed, err := crontab.Remove(ctx, target, crontab.Job{System: m.System, Now: now}, crontab.Options{DryRun: dryRun})
	for _, change := range removed.Changes {
		places = append(places, change.Path)
	}
	return places, removed.Said, err
}

// isMember reports whether a user is still in the group.
func isMember(m Member) bool {
	who, err := crontab.AccountOf(m.User)
	if err != nil || m.User == "" {
		return false
	}
	group, err := user.LookupGroup(m.Group)
	if err != nil {
		return false
	}
	gid, err := strconv.Atoi(group.Gid)
	return err == nil && slices.Contains(who.Groups, gid)
}
