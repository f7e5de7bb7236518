package setup

import (
	"context"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/text"
)

// InForce is the configuration that a plan creates, and the program that runs cycles with it.
type InForce struct {
	Config      config.Config
	Environment *config.Environment
	Program     string // claudeops itself
	TooOften    string // why it would start a model too often; empty if it would not
	Now         time.Time
}

// scheduled is how the cycles of a plan are started.
type scheduled struct {
	target crontab.Local // nil if nothing is to be started
	job    crontab.Job
	flags  []string // recorded for a later install
}

// Try tries the installation of the schedule with the future variables. An existing job keeps everything except its times.
func (p *Plan) Try(ctx context.Context, f InForce) error {
	p.config = f.Config
	if p.Prefix != "" || p.Target == "" {
		return nil
	}
	if p.schedule.target = localNamed(p.Target); p.Installed != nil {
		p.schedule.target = p.Installed.Target
	}
	if err := p.complete(f); err != nil {
		return err
	}
	j := p.schedule.job
	j.NewUser = p.Makes
	_, err := crontab.Install(ctx, p.schedule.target, j, crontab.Options{DryRun: true, Flags: p.schedule.flags, Reset: true, Warn: func(string) {}})
	return err
}

// localNamed returns the target with a name; nil if there is none.
func localNamed(name string) crontab.Local {
	for _, t := range crontab.Targets() {
		if local, is := t.(crontab.Local); is && t.Name() == name {
			return local
		}
	}
	return nil
}

// complete completes the job.
func (p *Plan) complete(f InForce) error {
	c, s := f.Config, &p.schedule
	s.job = crontab.Job{
		Program: f.Program, Schedule: c.Schedule, Longest: crontab.LongestWithAllTiers(c), System: p.System, StateDir: c.StateDir, ResultsDir: c.ResultsDir, ReposDir: c.ReposDir,
		Config: c, Environment: f.Environment, TooOften: f.TooOften, Now: f.Now,
	}
	if p.Installed != nil {
		s.flags = append(s.flags, p.Installed.Flags...)
		if p.Installed.Program != "" {
			s.job.Program = p.Installed.Program
		}
	}
	if p.EnvFile != config.EnvFile {
		s.job.EnvFile = p.EnvFile
		s.flags = append(s.flags, "--env-file "+text.ShellWord(p.EnvFile))
	}
	if p.System {
		if s.job.User = p.User; p.User != crontab.DefaultUser {
			s.flags = append(s.flags, "--user "+text.ShellWord(p.User))
		}
	}
	return s.job.Complete()
}

// Install installs the schedule on the machine; it does nothing if nothing is to be started. tooOften is as in InForce, now that the
// services can be read.
func (p *Plan) Install(ctx context.Context, tooOften string) (r crontab.Result, warnings []string, err error) {
	s := p.schedule
	if s.target == nil {
		return r, nil, nil
	}
	s.job.TooOften = tooOften
	r, err = crontab.Install(ctx, s.target, s.job, crontab.Options{Flags: s.flags, Reset: true, Warn: func(warning string) { warnings = append(warnings, warning) }})
	return r, warnings, err
}
