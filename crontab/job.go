// Package crontab decides when cycles run, or has others decide it: it is the built-in cron mode (Runner), and it renders one job for cron,
// systemd and Kubernetes, each in its own language (CronLines, Units, Kubernetes), and puts it in place on this machine (Put, Take, Apply).
//
// An expression means the same on each of them; what a target cannot say is refused. In files that others edit too, what is ours
// stands between two marks, and every byte outside of them stays.
package crontab

import (
	"io/fs"
	"time"

	"github.com/claudeops/claudeops/schedule"
)

// Job is what is scheduled: one command, which every target renders in its own language.
type Job struct {
	Program  string                // absolute path of claudeops
	EnvFile  string                // absolute path for --env-file; empty for /etc/claudeops/env
	Schedule []schedule.Expression // at least one
	Longest  time.Duration         // the longest that a cycle may take: the tiers' limits together and time for probes, messages and settling
	User     string                // who runs it, where the target says so: system crontab, system unit; empty for DefaultUser
	System   bool                  // for the machine, rather than for one user

	StateDir, ResultsDir, ReposDir string // absolute
}

// DefaultUser runs the job of the system scope where nobody else is named.
const DefaultUser = "claudeops"

// File is a file as it is to be: what print shows and install writes.
type File struct {
	Path string // absolute, or relative to the folder that the target keeps such files in
	Mode fs.FileMode
	Text string
}
