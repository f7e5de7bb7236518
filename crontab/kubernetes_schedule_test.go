package crontab

import (
	"testing"

	"github.com/robfig/cron/v3"
)

func TestKubernetesSchedule(t *testing.T) {
	for _, c := range []struct{ expression, fields, zone, err string }{
		{"0 * * * *", "0 * * * *", "Etc/UTC", ""},
		{"CRON_TZ=Europe/Berlin 30 2 * * 7", "30 2 * * 0", "Europe/Berlin", ""},
		{"TZ=UTC @daily", "0 0 * * *", "UTC", ""},
		{"5/15 9-17 1,15 * MON-FRI", "5-59/15 9-17 1,15 * 1-5", "Etc/UTC", ""},
		{"@every 15m", "", "", "Kubernetes would count @every from when it made the CronJob, and count differently with each new one; " +
			byTheClock},
	} {
		fields, zone, err := KubernetesSchedule(expression(t, c.expression))
		if fields != c.fields || zone != c.zone || c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("%s: %q in %q, %v", c.expression, fields, zone, err)
		}
		if c.err != "" {
			continue
		}
		if _, err := cron.ParseStandard("TZ=" + zone + " " + fields); err != nil { // as Kubernetes does
			t.Errorf("%s: %v", c.expression, err)
		}
	}
}
