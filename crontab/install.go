package crontab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/internal/text"
)

// Options are the options of Install and Remove.
type Options struct {
	DryRun bool
	Flags  []string     // describe the job, as typed: the next install must have them too
	Reset  bool         // unless it drops them on purpose
	Force  bool         // even if it is too often
	Warn   func(string) // called before any change
}

// Change is what Install or Remove did or would do to one place.
type Change struct {
	Path    string `json:"path"`
	Changed bool   `json:"changed"`
	Removed bool   `json:"removed,omitzero"`
	Backup  string `json:"backup,omitzero"`
	Diff    string `json:"diff,omitzero"` // of a dry run

	Existed bool `json:"-"`
}

// Result is the result of Install or Remove.
type Result struct {
	Changes []Change
	Said    string    // remaining steps, for people
	Next    time.Time // the next run of the installed job
}

// Files returns the rendered job, with the flags recorded in the first file.
func Files(t Target, j Job, flags []string) ([]File, error) {
	files, err := t.Render(j)
	if err != nil {
		return nil, err
	}
	var recorded strings.Builder
	for _, flag := range flags {
		recorded.WriteString(recordPrefix + flag + "\n")
	}
	if files[0].Marks == Hash {
		files[0].Text = recorded.String() + files[0].Text
	}
	return files, nil
}

// recordPrefix begins a comment in the block with one flag, by which the next install knows the earlier flags.
const recordPrefix = "# installed with "

// Install renders the job and installs it on this machine. It rejects a job that could never run, and one that lacks a flag of the one
// before. On an error every file is unchanged, unless the error says otherwise.
func Install(ctx context.Context, t Local, j Job, o Options) (r Result, err error) {
	files, err := Files(t, j, o.Flags)
	if err != nil {
		return r, err
	}
	if r.Next, err = j.next(SystemZone()); err != nil {
		return r, err
	}
	who, err := j.account()
	if err != nil {
		return r, err
	}
	warnings, err := t.Check(ctx, j, who)
	if err != nil {
		return r, err
	}
	edits, err := installEdits(ctx, t, j, files)
	if err != nil {
		return r, explained(j, err)
	}
	if lost := lostFlags(edits[0].block, o.Flags); len(lost) > 0 && !o.Reset {
		return r, &LostFlagsError{lost, CommandLine(t, j, "install") + " " + strings.Join(slices.Concat(lost, o.Flags), " ")}
	}
	if j.TooOften != "" && !o.Force {
		return r, fmt.Errorf("%s: %s; --force installs it all the same", j.TooOften, WatchEachMinute)
	}
	if j.NoObserver != "" {
		warnings = append(warnings, "the job has nothing to run with: "+j.NoObserver+"; `claudeops doctor` says more")
	}
	warnings = append(append(warnings, Doubts(t, j)...), otherJobs(t, j, edits)...)
	for _, warning := range warnings {
		o.Warn(warning)
	}
	if r.Changes, err = change(ctx, j, edits, o.DryRun); err != nil {
		return r, err
	}
	changed := false
	for _, c := range r.Changes {
		changed = changed || c.Changed
	}
	r.Said, err = t.Start(ctx, j, changed, o.DryRun)
	return r, err
}

// LostFlagsError means that an install lacks flags of the one before. Nothing was changed.
type LostFlagsError struct {
	Flags []string // as typed
	keeps string   // the command line of an install with them
}

func (e *LostFlagsError) Error() string {
	return fmt.Sprintf("the install before had %s, which this one would take away; nothing was changed. To keep it: `%s`. To do without: the same as now, with --reset",
		strings.Join(e.Flags, " "), e.keeps)
}

// installEdits write the files, and remove those of an earlier install that this one does not have.
func installEdits(ctx context.Context, t Local, j Job, files []File) (edits []edit, err error) {
	rendered := map[string]bool{}
	for _, f := range files {
		rendered[f.Path] = true
		place, err := t.Place(j, f)
		if err != nil {
			return nil, err
		}
		e, err := putBlock(ctx, place, f.Text)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	all, err := removeEdits(ctx, t, j, func(path string) bool { return !rendered[path] })
	return append(edits, all...), err
}

// removeEdits remove our blocks from a target's places.
func removeEdits(ctx context.Context, t Local, j Job, wanted func(path string) bool) (edits []edit, err error) {
	paths, err := t.Paths(j)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if !wanted(path) {
			continue
		}
		f := File{Path: path, Mode: 0o644, Marks: Hash}
		if filepath.Ext(path) == ".rules" {
			f.Marks = Slashes
		}
		place, err := t.Place(j, f)
		if err != nil {
			return nil, err
		}
		e, err := takeBlock(ctx, place)
		if err != nil {
			return nil, err
		}
		if e.block != "" {
			edits = append(edits, e)
		}
	}
	return edits, nil
}

// Remove removes what Install has installed; without anything installed, there are no changes.
func Remove(ctx context.Context, t Local, j Job, o Options) (r Result, err error) {
	edits, err := removeEdits(ctx, t, j, func(string) bool { return true })
	if err != nil {
		return r, explained(j, err)
	}
	if len(edits) == 0 {
		return r, nil
	}
	if o.DryRun {
		r.Changes, err = change(ctx, j, edits, true)
		return r, err
	}
	stopped, err := t.Stop(ctx, j)
	if err != nil {
		return r, err
	}
	if r.Changes, err = change(ctx, j, edits, false); err != nil {
		return r, err
	}
	forgotten, err := t.Forget(ctx, j)
	r.Said = stopped + forgotten
	return r, err
}

// CommandLine returns a crontab command for the same place.
func CommandLine(t Local, j Job, command string) string {
	line := "claudeops crontab " + command + " --target " + t.Name()
	if scopes := map[bool]string{true: "system", false: "user"}; j.System != t.System() {
		line += " --scope " + scopes[j.System]
	}
	if j.User != "" && !j.System {
		line += " --user " + text.ShellWord(j.User)
	}
	return line
}

// lostFlags returns the flags recorded in a block that flags do not replace. A flag with the same name replaces one; for a repeatable
// flag, also the credential's variable or the unit must be the same.
func lostFlags(block string, flags []string) (lost []string) {
	place := func(flag string) string {
		name, value, _ := strings.Cut(flag, " ")
		switch name {
		case "--allow-unit":
			return flag
		case "--credential":
			variable, _, _ := strings.Cut(value, "=")
			return name + " " + strings.TrimPrefix(variable, "'")
		}
		return name
	}
	has := map[string]bool{}
	for _, flag := range flags {
		has[place(flag)] = true
	}
	for line := range strings.Lines(block) {
		if flag, found := strings.CutPrefix(strings.TrimSpace(line), recordPrefix); found && !has[place(flag)] {
			lost = append(lost, flag)
		}
	}
	return lost
}

// otherJobs warns of other jobs that run cycles on this machine: another target's system job, or a line written by hand.
func otherJobs(t Local, j Job, edits []edit) (warnings []string) {
	for _, other := range Targets() {
		local, is := other.(Local)
		if !is || j.System && other.Name() == t.Name() {
			continue
		}
		if _, err := os.Stat(local.Sign()); err == nil {
			warnings = append(warnings, fmt.Sprintf("%s is there, and runs cycles too: `%s` takes it away, if it is the same job",
				local.Sign(), CommandLine(local, Job{System: true}, "remove")))
		}
	}
	for _, e := range edits {
		for line := range strings.Lines(e.outside) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && strings.Contains(line, "claudeops") && strings.Contains(line, "run-once") {
				warnings = append(warnings, fmt.Sprintf("%s has another line that runs claudeops, %q: take it out, if it is the same job", e.place.Name(), line))
			}
		}
	}
	return warnings
}

// change makes the edits, or only describes them.
func change(ctx context.Context, j Job, edits []edit, dryRun bool) (changes []Change, err error) {
	for _, e := range edits {
		c := Change{Path: e.place.Name(), Changed: e.changes(), Removed: e.exists && !e.remains, Existed: e.exists}
		if dryRun {
			c.Diff = e.diff()
		}
		changes = append(changes, c)
	}
	if dryRun {
		return changes, nil
	}
	backups, err := backupDir(j.System || j.User != "" && j.User != CurrentUser())
	if err != nil {
		return nil, err
	}
	kept, err := []string(nil), makeFolders(edits)
	if err == nil {
		kept, err = apply(ctx, edits, backups, j.Now)
	}
	if err != nil {
		return nil, explained(j, err)
	}
	for i := range changes {
		changes[i].Backup = kept[i]
	}
	return changes, nil
}

// backupDir returns the directory for earlier texts: the machine's for the system's or another user's, otherwise the user's.
func backupDir(system bool) (string, error) {
	if system {
		return "/var/backups/claudeops", nil
	}
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("where to keep a copy of what was there: %w; set XDG_STATE_HOME", err)
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "claudeops", "backups"), nil
}

// makeFolders creates the directories of written files, except those that come with another program.
func makeFolders(edits []edit) error {
	for _, e := range edits {
		f, is := e.place.(filePlace)
		if !is || !e.changes() {
			continue
		}
		dir := filepath.Dir(f.Path)
		if f.program == "" {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		} else if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no folder %s: is %s installed?", dir, f.program)
		}
	}
	return nil
}

// explained adds a remedy to an error.
func explained(j Job, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission) && j.System && os.Geteuid() != 0:
		return fmt.Errorf("%w; nothing was changed. The system's scope is root's: use sudo, or --scope user", err)
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w; nothing was changed", err)
	}
	return err
}
