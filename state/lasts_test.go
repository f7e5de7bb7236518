package state_test

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// Results count until the next ones are overdue: for a day and two hours at least, longer where the schedule is rarer.
func TestResultsLastUntilARunWasMissed(t *testing.T) {
	const day = 24 * time.Hour
	for schedule, lasts := range map[string]time.Duration{
		"":                         state.DayLasts,
		"CRON_TZ=UTC */5 * * * *":  state.DayLasts,
		"CRON_TZ=UTC 0 12 * * *":   state.DayLasts,
		"CRON_TZ=UTC 0 12 * * 0":   7*day + state.Lateness, // noon is on a Sunday
		"@every 72h":               3*day + state.Lateness,
		"CRON_TZ=UTC 0 12 * * 0,2": 2*day + state.Lateness,
	} {
		t.Run(schedule, func(t *testing.T) {
			d := newFixture(t)
			if schedule != "" {
				ok(t, d.Config.Schedule.Decode(schedule))
			}
			ok(t, d.Store.AddChecks(t.Context(), store.Reported, 0, noon, []check.Result{{Service: "shop", Type: check.HTTP, Status: check.Down}}))
			for at, want := range map[time.Duration]check.Status{0: check.Down, lasts - time.Minute: check.Down, lasts + time.Minute: ""} {
				d.Time = noon.Add(at)
				if is := d.picture().Service("shop"); is.Status() != want || !is.Checked.Equal(noon) {
					t.Errorf("after %v: %q, checked %v", at, is.Status(), is.Checked)
				}
			}
		})
	}
}
