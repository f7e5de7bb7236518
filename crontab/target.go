// Package crontab decides when cycles run, or has others decide it: it is the built-in cron mode (Runner), and it renders one job for each
// Target in its own language, and puts it in place on this machine (Install, Remove).
//
// An expression means the same on each of them; what a target cannot say is refused. In files that others edit too, the block of claudeops
// is between two marks, and every byte outside of them stays.
package crontab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/schedule"
)

// Target is a scheduler that can run cycles: a Local, which install puts in place, or a PrintOnly. A new one is a file with its type, as
// cron.go is, whose init registers it.
type Target interface {
	// Name is what --target calls it.
	Name() string
	// Doc is what Render writes, for the help of print and install: words that follow the name and a colon.
	Doc() string
	// Flags declares the options that this target alone has. They are parsed before any other method is called.
	Flags(*pflag.FlagSet)
	// Render is the job in the scheduler's language, the file first that records the flags of install. What it cannot say is an error.
	Render(Job) ([]File, error)
	// Warnings say what the scheduler makes of the job otherwise than `claudeops cron` would, on whatever machine.
	Warnings(Job) []string
}

// Local is a Target that Install and Remove put in place on this machine.
type Local interface {
	Target
	// System reports whether the job is the machine's where no scope is given, rather than a user's own.
	System() bool
	// Paths are where Render's files are put, those included that only some options ask for.
	Paths(Job) ([]string, error)
	// Sign is a file that exists while the system's job is in place.
	Sign() string
	// Place is how a file at one of the Paths is read and written.
	Place(Job, File) (Place, error)
	// Given are variables that the job is given by what Render writes, wherever they were set.
	Given() []string
	// Check refuses what could never run here, or would give root's rights away, and warns of what may fail.
	Check(ctx context.Context, j Job, who Account) (warnings []string, err error)
	// Start has the scheduler follow what was written. changed is that something was; on a dry run it only says what it would do.
	Start(ctx context.Context, j Job, changed, dryRun bool) (said string, err error)
	// Stop is called before the files are removed, and Forget after that.
	Stop(context.Context, Job) (said string, err error)
	Forget(context.Context, Job) (said string, err error)
}

// PrintOnly is a Target that the operator puts in place, such as one of another machine.
type PrintOnly interface {
	Target
	// Instead is what to type in place of `claudeops crontab install` or remove, with the reason.
	Instead(command string) string
	// RunsProgram reports whether what Render writes runs Job.Program, and reads Job.EnvFile, rather than an image.
	RunsProgram() bool
}

// RunsProgram reports whether a target runs Job.Program.
func RunsProgram(t Target) bool {
	printed, is := t.(PrintOnly)
	return !is || printed.RunsProgram()
}

// FlagError is of an option that is wrong on whatever machine.
type FlagError struct{ err error }

func (e *FlagError) Error() string { return e.err.Error() }
func (e *FlagError) Unwrap() error { return e.err }

var makers []func() Target

// register makes a target known. It is called once in the target's file; no other code lists the targets.
func register(makeTarget func() Target) { makers = append(makers, makeTarget) }

// Targets are all of them in the order in which they are listed to people, each with its options as they are by default.
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

// Job is what is scheduled: one command, which every target renders in its own language.
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
	NoObserver  string              // why a cycle has nothing to observe with; empty where it has
	NoModel     bool                // each cycle will warn that no model observes
	TooOften    string              // why it would start a model too often; empty where it would not
	Now         time.Time           // from when on runs are looked at
}

// DefaultUser runs the job of the system scope where no other user is named.
const DefaultUser = "claudeops"

// File is a file as it is to be: what print shows and install writes.
type File struct {
	Path  string // absolute, or a name that people know it by
	Mode  fs.FileMode
	Text  string
	Marks Marks // around Text in the file; empty where it is not a file that people edit
}

// Whole is the text of a new file.
func (f File) Whole() string {
	if f.Marks == "" {
		return f.Text
	}
	return f.Marks.begin() + "\n" + f.Text + f.Marks.end() + "\n"
}

// Complete makes the paths of a job absolute, and leaves out expressions that say what an earlier one says.
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

// user is who runs a job of the system's.
func (j Job) user() string { return cmp.Or(j.User, DefaultUser) }

// envFile is the environment file that the job reads.
func (j Job) envFile() string { return cmp.Or(j.EnvFile, config.EnvFile) }

// next is when the job runs next by the clock of this machine, rather than of a shell's TZ.
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

// inZone is an expression by the clock of a zone, where it names none itself. Without a name it is as it was.
func inZone(e schedule.Expression, zone string) schedule.Expression {
	if e.Zone() != "" || e.Every() != 0 || zone == "" {
		return e
	}
	if there, err := schedule.Parse("CRON_TZ=" + zone + " " + e.String()); err == nil {
		return there
	}
	return e
}

// separate refuses expressions that come at one time, for schedulers that start a cycle for each of them. zone is what they go by.
func (j Job) separate(scheduler, zone string) error {
	for i, b := range j.Schedule {
		for _, a := range j.Schedule[:i] {
			at := together(inZone(a, zone), inZone(b, zone), j.Now)
			if at.IsZero() {
				continue
			}
			remedy := "leave out the one whose times the other has, or give one of them another minute"
			if minutes := a.Plain()[0] + "," + b.Plain()[0]; a.Zone() == b.Zone() && slices.Equal(a.Plain()[1:], b.Plain()[1:]) && !slices.Contains([]byte(minutes), '*') {
				remedy = fmt.Sprintf("write both as %q", minutes+" "+a.Plain()[1]+" "+a.Plain()[2]+" "+a.Plain()[3]+" "+a.Plain()[4])
			}
			return fmt.Errorf("the schedules %q and %q both come at %s, and %s would start two cycles then: %s; systemd and `claudeops cron` make one run of such times",
				a, b, at.Format(shownTime), scheduler, remedy)
		}
	}
	return nil
}

// together is the first time within a year after from, in its zone, at which both expressions come; zero where there is none, and for @every.
func together(a, b schedule.Expression, from time.Time) time.Time {
	until := from.AddDate(1, 0, 1)
	for at, other := a.Next(from), b.Next(from); !at.IsZero() && !other.IsZero() && at.Before(until) && other.Before(until); {
		switch at.Compare(other) {
		case -1:
			at = a.Next(other.Add(-time.Nanosecond))
		case 1:
			other = b.Next(at.Add(-time.Nanosecond))
		default:
			return at
		}
	}
	return time.Time{}
}

// shownTime is how a time is written that a clock shows.
const shownTime = "2006-01-02 15:04 MST"
