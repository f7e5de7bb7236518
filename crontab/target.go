// Package crontab decides when cycles run, or lets a scheduler decide: it has the built-in cron mode (Runner), renders a job for each
// Target in its own language, and installs it on this machine (Install, Remove).
//
// An expression means the same for each target; what a target cannot express is rejected. In files that others edit too, the block of
// claudeops is between two marks, and nothing outside of them changes.
package crontab

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/schedule"
)

// Target is a scheduler that can run cycles: a Local, which install puts in place, or a PrintOnly. A new target is one file with its
// type, like cron.go, whose init registers it.
type Target interface {
	// Name is its value of --target.
	Name() string
	// Doc is what Render writes, for the help of print and install: words that follow the name and a colon.
	Doc() string
	// Flags declares the options of this target. They are parsed before any other method is called.
	Flags(*pflag.FlagSet)
	// Render returns the job in the scheduler's language; the first file records the flags of install. What cannot be expressed is an
	// error.
	Render(Job) ([]File, error)
	// Warnings returns how the scheduler treats the job differently from `claudeops cron`, on any machine.
	Warnings(Job) []string
}

// Local is a Target that Install and Remove manage on this machine.
type Local interface {
	Target
	// System reports whether the default scope is the system rather than a user.
	System() bool
	// Paths returns the paths of Render's files, including those that only some options need.
	Paths(Job) ([]string, error)
	// Sign returns a file that exists while the system's job is installed.
	Sign() string
	// Place returns how a file at one of the Paths is read and written.
	Place(Job, File) (Place, error)
	// Given returns the variables that Render's files set for the job.
	Given() []string
	// Check rejects a job that could never run here or would expose root's rights, and warns of possible failures.
	Check(ctx context.Context, j Job, who Account) (warnings []string, err error)
	// Start makes the scheduler use what was written. changed reports whether anything was; on a dry run it only returns what it would
	// do.
	Start(ctx context.Context, j Job, changed, dryRun bool) (said string, err error)
	// Stop is called before the files are removed, Forget afterwards.
	Stop(context.Context, Job) (said string, err error)
	Forget(context.Context, Job) (said string, err error)
}

// PrintOnly is a Target that the operator installs, such as one of another machine.
type PrintOnly interface {
	Target
	// Instead returns what to type in place of `claudeops crontab install` or remove, with the reason.
	Instead(command string) string
	// RunsProgram reports whether the rendered files run Job.Program and read Job.EnvFile, rather than an image.
	RunsProgram() bool
}

// RunsProgram reports whether a target runs Job.Program.
func RunsProgram(t Target) bool {
	printed, is := t.(PrintOnly)
	return !is || printed.RunsProgram()
}

// FlagError is an option that is invalid on any machine.
type FlagError struct{ err error }

func (e *FlagError) Error() string { return e.err.Error() }
func (e *FlagError) Unwrap() error { return e.err }

var makers []func() Target

// register makes a target known. It is called once in the target's file; no other code lists the targets.
func register(makeTarget func() Target) { makers = append(makers, makeTarget) }

// Targets returns all targets in the order of listings, with default options.
func Targets() (all []Target) {
	var printed []Target
	for _, makeTarget := range makers {
		t := makeTarget()
		if _, is := t.(Local); is {
			all = append(all, t)
		} else {
			printed = append(printed, t)
		}
	}
	return append(all, printed...)
}

// Job is the scheduled command, which every target renders in its own language.
type Job struct {
	Program  string                // absolute path of claudeops
	EnvFile  string                // absolute path for --env-file; empty for /etc/claudeops/env
	Schedule []schedule.Expression // at least one
	Longest  time.Duration         // the longest that a cycle may take: the tiers' limits together and time for probes, messages and settling
	User     string                // who runs it; empty for DefaultUser in the system scope, for whoever calls in the user scope
	System   bool                  // for the machine, rather than for one user
	NewUser  bool                  // the user is made before the job is installed

	StateDir, ResultsDir, ReposDir string // absolute

	Config      config.Config       // what is in force for the command that makes the job
	Environment *config.Environment // where that comes from
	NoObserver  string              // why a cycle has nothing to observe with; empty if it has
	NoModel     bool                // each cycle will warn that no model observes
	TooOften    string              // why it would start a model too often; empty if it would not
	Now         time.Time           // from when on runs are looked at
}

// DefaultUser runs the system scope's job if no other user is named.
const DefaultUser = "claudeops"

// File is a file as print shows and install writes it.
type File struct {
	Path  string // absolute, or a name that people know it by
	Mode  fs.FileMode
	Text  string
	Marks Marks // around Text in the file; empty where it is not a file that people edit
}

// Whole returns the text of a new file.
func (f File) Whole() string {
	if f.Marks == "" {
		return f.Text
	}
	return f.Marks.begin() + "\n" + f.Text + f.Marks.end() + "\n"
}

// Complete makes the paths of a job absolute, and removes duplicate expressions.
func (j *Job) Complete() (err error) {
	var distinct []schedule.Expression
	for _, e := range j.Schedule {
		same := func(other schedule.Expression) bool {
			return e.Zone() == other.Zone() && e.Every() == other.Every() && slices.Equal(e.Plain(), other.Plain())
		}
		if !slices.ContainsFunc(distinct, same) {
			distinct = append(distinct, e)
		}
	}
	j.Schedule = distinct
	for _, path := range []*string{&j.EnvFile, &j.StateDir, &j.ResultsDir, &j.ReposDir} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	return nil
}

// user returns the user of a system job.
func (j Job) user() string { return cmp.Or(j.User, DefaultUser) }

// envFile returns the environment file of the job.
func (j Job) envFile() string { return cmp.Or(j.EnvFile, config.EnvFile) }

// next returns when the job runs next by the machine's clock, regardless of TZ.
func (j Job) next(zone string) (next time.Time, err error) {
	now := j.Now
	if location, err := time.LoadLocation(zone); err == nil && zone != "" {
		now = now.In(location)
	}
	there := make([]schedule.Expression, len(j.Schedule))
	for i, e := range j.Schedule {
		there[i] = inZone(e, zone)
	}
	if next = firstOf(there, now); next.IsZero() {
		return next, errors.New("the schedule has no run within the next five years")
	}
	return next, nil
}

// inZone returns an expression in a zone unless it names one itself. An empty zone changes nothing.
func inZone(e schedule.Expression, zone string) schedule.Expression {
	if e.Zone() != "" || e.Every() != 0 || zone == "" {
		return e
	}
	if there, err := schedule.Parse("CRON_TZ=" + zone + " " + e.String()); err == nil {
		return there
	}
	return e
}

// shownTime is the layout of displayed times.
const shownTime = "2006-01-02 15:04 MST"
