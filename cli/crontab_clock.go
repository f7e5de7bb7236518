package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/schedule"
)

// shownTime is how a time is written that a clock shows.
const shownTime = "2006-01-02 15:04 MST"

// clockChanges warns of what a target makes of the days on which clocks change, and of zones.
func (f *crontabFlags) clockChanges(j crontab.Job, now time.Time) (warnings []string) {
	for _, e := range j.Schedule {
		switch f.target.word {
		case kubernetesTarget:
			warnings = append(append(warnings, kubernetesChanges(e, now)...), inUTC(e, now, crontab.SystemZone())...)
		case systemdTarget:
			warnings = append(warnings, systemdChanges(e, now)...)
			if next := e.Next(now); f.jitter != 0 && time.Duration(f.jitter) >= e.Next(next).Sub(next) {
				warnings = append(warnings, fmt.Sprintf("%q: --jitter %s is as long as two runs are apart: some will not come", e, f.jitter.String()))
			}
		}
	}
	return warnings
}

func kubernetesChanges(e schedule.Expression, now time.Time) (warnings []string) {
	skipped, doubled, err := crontab.KubernetesChanges(e, now)
	if err == nil && !skipped.IsZero() {
		warnings = append(warnings, fmt.Sprintf("%q: Kubernetes leaves out the run of %s, when the clock is put forward: choose a time that every day has, or a zone such as Etc/UTC",
			e, skipped.Format(shownTime)))
	}
	if err == nil && !doubled.IsZero() {
		warnings = append(warnings, fmt.Sprintf("%q: Kubernetes runs twice around %s, when the clock is put back: choose a time that comes once, or a zone such as Etc/UTC",
			e, doubled.Format(shownTime)))
	}
	return warnings
}

func systemdChanges(e schedule.Expression, now time.Time) (warnings []string) {
	skipped, paused := crontab.SystemdChanges(inZone(e, crontab.SystemZone()), now)
	if !skipped.IsZero() {
		warnings = append(warnings, fmt.Sprintf("%q: systemd does not make this run on %s, when the clock is put forward: choose a time that every day has, or a zone such as CRON_TZ=Etc/UTC",
			e, skipped.Format("2006-01-02")))
	}
	if !paused.IsZero() {
		warnings = append(warnings, fmt.Sprintf("%q: systemd leaves out the run of %s, in the hour that the clock shows twice: where that matters, use a zone such as CRON_TZ=Etc/UTC",
			e, paused.Format(shownTime)))
	}
	return warnings
}

// inUTC warns of an expression that comes at other times here than in a cluster, which takes it for UTC.
func inUTC(e schedule.Expression, now time.Time, zone string) []string {
	const looked = 100
	if e.Zone() != "" || e.Every() != 0 || zone == "" {
		return nil
	}
	here, there := inZone(e, zone), inZone(e, "Etc/UTC")
	a, b := now, now
	for range looked {
		if a, b = here.Next(a), there.Next(b); !a.Equal(b) {
			return []string{fmt.Sprintf("%q: Kubernetes takes this for UTC, the next run is at %s; for the clock of this machine write %q",
				e, there.Next(now.UTC()).Format(shownTime), "CRON_TZ="+zone+" "+e.String())}
		}
	}
	return nil
}

// together refuses expressions that come at one time where each of them starts a cycle of its own: cron's lines, and CronJobs.
func (f *crontabFlags) together(j crontab.Job, now time.Time) error {
	zone, starts := crontab.SystemZone(), "cron"
	if f.target.word == kubernetesTarget {
		zone, starts = "Etc/UTC", "Kubernetes"
	}
	for i, a := range j.Schedule {
		for _, b := range j.Schedule[:i] {
			at := crontab.Together(inZone(a, zone), inZone(b, zone), now)
			if at.IsZero() {
				continue
			}
			return fmt.Errorf("the schedules %q and %q both come at %s, and %s would start two cycles then: %s; systemd and `claudeops cron` make one run of such times",
				b, a, at.Format(shownTime), starts, apart(b, a))
		}
	}
	return nil
}

// apart says how two expressions are written that have times in common.
func apart(a, b schedule.Expression) string {
	if a.Zone() == b.Zone() && slices.Equal(a.Plain()[1:], b.Plain()[1:]) {
		minutes := a.Plain()[0] + "," + b.Plain()[0]
		if !strings.Contains(minutes, "*") {
			return fmt.Sprintf("write both as %q", strings.Join(append([]string{minutes}, a.Plain()[1:]...), " "))
		}
	}
	return "leave out the one whose times the other has, or give one of them another minute"
}
