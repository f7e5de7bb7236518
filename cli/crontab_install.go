package cli

import (
	"cmp"
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

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/crontab"
)

func (a *app) crontabInstallCommand() *cobra.Command {
	var f crontabFlags
	c := &cobra.Command{
		Use:   "install --target NAME",
		Short: "Have this machine's cron or systemd run cycles by CLAUDEOPS_SCHEDULE",
		Long: `install puts in place what "print" shows. Its lines stand between two marks; what is outside of them is yours and stays byte for
byte, and installing again replaces what is between. The flags stand in comments there: an install without a flag that the one before
had is refused, with the whole line to type, or does without it by --reset. A copy of what was there is kept, in
/var/backups/claudeops for the system's scope and in ~/.local/state/claudeops/backups otherwise. Where a file cannot be written, all
are as they were; where systemctl fails, the units are written, and what is left to type is said.

--target cron adds to your crontab, through the crontab program; with --user, as root, to another user's. With --scope system it
writes /etc/cron.d/claudeops.
--target systemd writes claudeops.service and claudeops.timer and starts the timer; with --scope user, those of your own systemd.

A job sees nothing of this shell: its variables come from /etc/claudeops/env, or the file that --env-file names.`,
		Example: `  claudeops crontab install --target cron --dry-run
  sudo claudeops crontab install --target systemd --allow-unit nginx.service`,
		Args: takes(),
	}
	f.placeFlags(c)
	f.jobFlags(c)
	f.changeFlags(c)
	c.Flags().BoolVar(&f.reset, "reset", false, "drop flags that the last install had and this one does not")
	c.RunE = func(c *cobra.Command, _ []string) error { return a.installJob(c.Context(), &f) }
	return c
}

func (a *app) installJob(ctx context.Context, f *crontabFlags) error {
	l, err := a.load()
	if err == nil {
		err = f.notAgents()
	}
	if err != nil {
		return err
	}
	j, err := a.job(f, l)
	if err != nil {
		return err
	}
	files, err := f.render(j, l.config, a.Now())
	if err != nil {
		return err
	}
	flags := a.given(f)
	record(files, flags)
	next := nextRun(j, a.Now(), crontab.SystemZone())
	if next.IsZero() {
		return errNever
	}
	warnings, err := f.examineJob(ctx, j, l, a.Now())
	if err != nil {
		return err
	}
	edits, err := f.installEdits(ctx, files)
	if err != nil {
		return f.explained(err)
	}
	if err := f.kept(edits, flags); err != nil {
		return err
	}
	for _, warning := range append(warnings, f.twice(edits)...) {
		a.note(warning)
	}
	changes, err := a.change(ctx, f, edits)
	if err != nil {
		return err
	}
	said, err := f.startTimer(ctx, changed(changes))
	if err != nil {
		return err
	}
	if err := a.printChanges(changes, f); err != nil || a.json {
		return err
	}
	return a.print(said + a.whatNext(f, next))
}

// whatNext is what a person wants to know then.
func (a *app) whatNext(f *crontabFlags, next time.Time) string {
	at := next.Format("2006-01-02 15:04:05 MST")
	if f.dryRun {
		return "the next run would be at " + at + "\n"
	}
	return fmt.Sprintf("next run: %s\n\n`claudeops sessions list` shows what ran; `%s` takes it back\n",
		at, f.line("remove"))
}

// examineJob refuses what could never run, and warns of what may not.
func (f *crontabFlags) examineJob(ctx context.Context, j crontab.Job, l *loaded, now time.Time) (warnings []string, err error) {
	who, err := accountOf(j, f.user)
	if err == nil {
		err = cmp.Or(f.unrunnable(j, who), f.hidden(j, l), f.givenTwice(j, l))
	}
	if err == nil {
		warnings, err = f.untrusted(j, who)
	}
	if err != nil {
		return nil, err
	}
	warnings = slices.Concat(warnings, f.unknownUnits(ctx), f.others(), f.doubtful(ctx, j, who, l), f.unsaid(j, l), f.clockChanges(j, now))
	if f.target.word == cronTarget {
		warnings = append(append(warnings, unkept(j, who)...), elsewhere(l.config)...)
		warnings = append(warnings, cronSleeps()...)
	}
	return warnings, nil
}

// cronSleeps warns where no cron program seems to run.
func cronSleeps() []string {
	const pidFile = "/run/crond.pid"
	if text, err := os.ReadFile(pidFile); err == nil {
		var pid int
		if _, err := fmt.Sscan(string(text), &pid); err != nil || pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return nil
		}
	}
	return []string{"no cron seems to run here (" + pidFile + " names no process): start it, or nothing happens"}
}

// installEdits are what becomes of each file, those of the target that are not wanted any more among them.
func (f *crontabFlags) installEdits(ctx context.Context, files []rendered) ([]crontab.Edit, error) {
	var edits []crontab.Edit
	for _, r := range files {
		place, err := r.place(f)
		if err != nil {
			return nil, err
		}
		e, err := crontab.Put(ctx, place, r.marks, r.Text)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	if f.target.word != systemdTarget || !f.system() || len(f.allowUnits) > 0 {
		return edits, nil
	}
	// A permission that is not asked for again is taken back.
	rule, err := crontab.Take(ctx, crontab.OwnFile(crontab.File{Path: crontab.PolkitPath, Mode: 0o644}), crontab.Slashes)
	if err != nil {
		return nil, err
	}
	if rule.Ours {
		edits = append(edits, rule)
	}
	return edits, nil
}

// others warns of what else has this machine run cycles.
func (f *crontabFlags) others() (warnings []string) {
	warn := func(path, flags string) {
		if _, err := os.Stat(path); err == nil {
			warnings = append(warnings, fmt.Sprintf("%s is there, and runs cycles too: `claudeops crontab remove %s` takes it away, if it is the same job", path, flags))
		}
	}
	if f.target.word == cronTarget {
		warn("/etc/systemd/system/timers.target.wants/"+crontab.TimerUnit, "--target systemd")
	}
	if f.target.word == systemdTarget || !f.system() {
		warn(cronFile, "--target cron --scope system")
	}
	return warnings
}

// twice warns of another line that runs cycles, as one wrote by hand before there was this command.
func (f *crontabFlags) twice(edits []crontab.Edit) (warnings []string) {
	if f.target.word != cronTarget {
		return nil
	}
	for _, e := range edits {
		number := 0
		for line := range strings.Lines(e.Outside(crontab.Hash)) {
			number++
			if text := strings.TrimSpace(line); !strings.HasPrefix(text, "#") && strings.Contains(text, "claudeops") && strings.Contains(text, "run-once") {
				warnings = append(warnings, fmt.Sprintf("%s has another line that runs claudeops, %q: take it out, if it is the same job", e.Place.Name(), text))
			}
		}
	}
	return warnings
}

// placeChange is what install or remove did to one place.
type placeChange struct {
	Path    string `json:"path"`
	Changed bool   `json:"changed"`
	Removed bool   `json:"removed,omitzero"`
	Backup  string `json:"backup,omitzero"`
	Diff    string `json:"diff,omitzero"` // of a dry run

	was bool // there before
}

func changed(changes []placeChange) bool {
	for _, c := range changes {
		if c.Changed {
			return true
		}
	}
	return false
}

// change makes the edits, or says what they would be.
func (a *app) change(ctx context.Context, f *crontabFlags, edits []crontab.Edit) ([]placeChange, error) {
	changes := []placeChange{}
	for _, e := range edits {
		changes = append(changes, placeChange{Path: e.Place.Name(), Changed: e.Changes(), Removed: e.There && !e.Stays, was: e.There})
	}
	if f.dryRun {
		for i, e := range edits {
			changes[i].Diff = e.Diff()
		}
		return changes, nil
	}
	backups, err := crontab.BackupDir(f.system() || f.user != "" && f.user != userName())
	if err != nil {
		return nil, err
	}
	if err := f.folders(edits); err != nil {
		return nil, f.explained(err)
	}
	kept, err := crontab.Apply(ctx, edits, backups, a.Now())
	if err != nil {
		return nil, f.explained(err)
	}
	for i := range changes {
		changes[i].Backup = kept[i]
	}
	return changes, nil
}

// folders makes the folders of units. Those of cron and polkit come with their programs.
func (f *crontabFlags) folders(edits []crontab.Edit) error {
	for _, e := range edits {
		dir := filepath.Dir(e.Place.Name())
		if !e.Changes() || !filepath.IsAbs(dir) {
			continue
		}
		if f.target.word == systemdTarget && e.Place.Name() != crontab.PolkitPath {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no folder %s: is %s installed?", dir, map[bool]string{true: "cron", false: "polkit"}[f.target.word == cronTarget])
		}
	}
	return nil
}

// explained adds what to do about an error.
func (f *crontabFlags) explained(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission) && f.system() && os.Geteuid() != 0:
		return fmt.Errorf("%w; nothing was changed. The system's scope is root's: use sudo, or --scope user", err)
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w; nothing was changed", err)
	}
	return err
}

func (a *app) printChanges(changes []placeChange, f *crontabFlags) error {
	if a.json {
		return a.printJSON(changes)
	}
	var text strings.Builder
	if f.dryRun {
		text.WriteString("nothing is changed (--dry-run); this is what would be:\n")
	}
	for _, c := range changes {
		text.WriteString(c.Path + ": " + c.word(f.dryRun) + "\n")
		if c.Backup != "" {
			text.WriteString("backup: " + c.Backup + "\n")
		}
		text.WriteString(block(c.Diff))
	}
	return a.print(text.String())
}

// word is what happens to a place.
func (c placeChange) word(dryRun bool) string {
	word := "nothing to change"
	switch {
	case !c.Changed:
		return word
	case c.Removed:
		word = "removed"
	case c.was:
		word = "changed"
	default:
		word = "written"
	}
	if dryRun {
		return "would be " + word
	}
	return word
}
