package crontab

import (
	"testing"
	"time"

	"github.com/robfig/cron/v3"
)

func TestKubernetesSchedule(t *testing.T) {
	for _, c := range []struct{ expression, fields, zone, err string }{
		{"0 * * * *", "0 * * * *", "Etc/UTC", ""},
		{"CRON_TZ=Europe/Berlin 30 2 * * 7", "30 2 * * 0", "Europe/Berlin", ""},
		{"TZ=UTC @daily", "0 0 * * *", "UTC", ""},
		{"5/15 9-17 1,15 * MON-FRI", "5-59/15 9-17 1,15 * 1-5", "Etc/UTC", ""},
		{"@every 15m", "", "", "Kubernetes would count @every from when it made the CronJob, and count differently with each new one; " +
			"by the clock it is */15 * * * *"},
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

func TestKubernetesChanges(t *testing.T) {
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct{ expression, skipped, doubled string }{
		{"30 2 * * *", "-", "-"},
		{"CRON_TZ=UTC 30 2 * * *", "-", "-"},
		{"CRON_TZ=Europe/Berlin @every 1h", "-", "-"},
		{"CRON_TZ=Europe/Berlin 0 * * * *", "-", "-"},
		{"CRON_TZ=Europe/Berlin 30 4 * * *", "-", "-"},
		{"CRON_TZ=Europe/Berlin 30 2 * * *", "2026-03-29T03:30:00+02:00", "2026-10-25T02:30:00+01:00"},
		{"CRON_TZ=Europe/Berlin 30 2 * * 1-5", "-", "-"},
		{"CRON_TZ=Europe/Berlin */15 2,3 * * *", "-", "2026-10-25T02:00:00+01:00"},
		{"CRON_TZ=America/Santiago 0 0 * * *", "2026-09-06T01:00:00-03:00", "-"},
		{"CRON_TZ=Australia/Lord_Howe 15 2 * * *", "2026-10-04T02:45:00+11:00", "-"},
	} {
		skipped, doubled, err := KubernetesChanges(expression(t, c.expression), from)
		if err != nil {
			t.Fatal(err)
		}
		told := func(at time.Time) string {
			if at.IsZero() {
				return "-"
			}
			return at.Format(time.RFC3339)
		}
		if told(skipped) != c.skipped || told(doubled) != c.doubled {
			t.Errorf("%s: skipped %s, doubled %s; want %s, %s", c.expression, told(skipped), told(doubled), c.skipped, c.doubled)
		}
	}
}
