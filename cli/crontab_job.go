package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/schedule"
)

// job is what the flags and the configuration say is to be run.
func (a *app) job(f *crontabFlags, l *loaded) (crontab.Job, error) {
	j := crontab.Job{User: f.user, System: f.system(), Program: f.program, Schedule: l.config.Schedule, Longest: crontab.LongestWithAllTiers(l.config)}
	if len(f.schedules) > 0 {
		j.Schedule = nil
	}
	for _, given := range f.schedules {
		for text := range strings.SplitSeq(given, ";") { // as in CLAUDEOPS_SCHEDULE
			e, err := schedule.Parse(strings.TrimSpace(text))
			if err != nil {
				return crontab.Job{}, &exitError{exitUsage, fmt.Errorf("--schedule %q: %w", given, err)}
			}
			j.Schedule = append(j.Schedule, e)
		}
	}
	j.Schedule = distinct(j.Schedule)
	var err error
	if j.Program == "" {
		if j.Program, err = ownPath(); err != nil {
			return crontab.Job{}, fmt.Errorf("the path of this program: %w; name it with --program", err)
		}
	}
	if !filepath.IsAbs(j.Program) {
		return crontab.Job{}, &exitError{exitUsage, fmt.Errorf("--program %q: no absolute path; write it from / on", j.Program)}
	}
	dirs := map[*string]string{&j.EnvFile: a.envFile, &j.StateDir: l.config.StateDir, &j.ResultsDir: l.config.ResultsDir, &j.ReposDir: l.config.ReposDir}
	if f.target.word == systemdTarget {
		unsetDefaults(&j, dirs, l)
	}
	for to, path := range dirs {
		if path == "" {
			continue
		}
		if *to, err = filepath.Abs(path); err != nil {
			return crontab.Job{}, err
		}
	}
	return j, nil
}

// distinct leaves out expressions that say what an earlier one says.
func distinct(all []schedule.Expression) (list []schedule.Expression) {
	for _, e := range all {
		same := func(other schedule.Expression) bool {
			return e.Zone() == other.Zone() && e.Every() == other.Every() && slices.Equal(e.Plain(), other.Plain())
		}
		if !slices.ContainsFunc(list, same) {
			list = append(list, e)
		}
	}
	return list
}

// unsetDefaults leaves to systemd where a service keeps its state, where the operator has not said it.
func unsetDefaults(j *crontab.Job, dirs map[*string]string, l *loaded) {
	for _, v := range l.environment.Variables() {
		if v.Source != config.FromDefault {
			continue
		}
		switch v.Name {
		case "CLAUDEOPS_STATE_DIR":
			delete(dirs, &j.StateDir)
		case "CLAUDEOPS_RESULTS_DIR":
			delete(dirs, &j.ResultsDir)
		case "CLAUDEOPS_REPOS_DIR":
			delete(dirs, &j.ReposDir)
		}
	}
}

// nextRun is when a job runs next by the clock of this machine, rather than of a shell's TZ.
func nextRun(j crontab.Job, now time.Time, zone string) (next time.Time) {
	if location, err := time.LoadLocation(zone); err == nil && zone != "" {
		now = now.In(location)
	}
	for _, e := range j.Schedule {
		if at := inZone(e, zone).Next(now); next.IsZero() || !at.IsZero() && at.Before(next) {
			next = at
		}
	}
	return next
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

// errNever is of schedules without a next run.
var errNever = errors.New("the schedule has no run within the next five years")
