package crontab

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/claudeops/claudeops/schedule"
)

// KubernetesSchedule is a CronJob's schedule and timeZone: five fields, and Etc/UTC where the expression names no zone, because the zone
// would else be that of wherever the cluster's controller runs. @every is refused: Kubernetes would count it from when it made the CronJob,
// which no manifest says.
//
// Kubernetes differs from schedule.Expression.Next where the clock changes; see KubernetesChanges.
func KubernetesSchedule(e schedule.Expression) (fields, timeZone string, err error) {
	if every := e.Every(); every != 0 {
		return "", "", noInterval(every, "Kubernetes would count @every from when it made the CronJob, and count differently with each new one")
	}
	timeZone = e.Zone()
	if timeZone == "" {
		timeZone = "Etc/UTC"
	}
	return strings.Join(e.Plain(), " "), timeZone, nil
}

// KubernetesChanges are the first time after from at which Kubernetes leaves out a run because the clock of the expression's zone is put
// forward, and the first at which it runs a second time because it is put back; in that zone, zero where there is none within two
// years. Kubernetes does not run on the day what lies in the skipped hour, be it a daily run, and runs twice what lies in the repeated one.
func KubernetesChanges(e schedule.Expression, from time.Time) (skipped, doubled time.Time, err error) {
	if e.Zone() == "" || e.Every() != 0 {
		return time.Time{}, time.Time{}, nil
	}
	fields, zone, err := KubernetesSchedule(e)
	if err != nil {
		return time.Time{}, time.Time{}, err
	}
	kubernetes, err := cron.ParseStandard("TZ=" + zone + " " + fields)
	if err != nil {
		return time.Time{}, time.Time{}, fmt.Errorf("read %s as Kubernetes does: %w", e, err)
	}
	for change := range clockChanges(from.In(e.Location())) {
		if skipped.IsZero() {
			skipped = firstOnly(e, kubernetes, change)
		}
		if doubled.IsZero() {
			doubled = firstOnly(kubernetes, e, change)
		}
	}
	return skipped, doubled, nil
}

// firstOnly is the first time of one schedule that is none of the other's, among those that a change of the clock touches.
func firstOnly(one, other cron.Schedule, change time.Time) time.Time {
	_, end := touched(change)
	for at := one.Next(change.Add(-1)); !at.IsZero() && at.Before(end); at = one.Next(at) {
		if !other.Next(at.Add(-1)).Equal(at) {
			return at
		}
	}
	return time.Time{}
}
