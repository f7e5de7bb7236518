package crontab

import (
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/schedule"
)

// CronFields is what stands before the command in the lines of a crontab that Debian's cron reads, which Vixie's 3.0 is: the five fields
// of the expression in the form that every cron program reads alike. It is one line.
//
// cron knows neither zones nor intervals: an expression that names a zone is refused unless systemZone, the name of the zone that the
// machine's clock goes by, has the same clock; @every always is. The error does not quote the expression.
//
// When the clock is put forward by less than three hours, cron runs at once what it skipped, several skipped times of one line one after the
// other, and when it is put back, not again what has run: as schedule.Expression.Next does. But only lines none of whose minute and hour
// fields begins with `*`; the others follow the clock as it is shown.
func CronFields(e schedule.Expression, systemZone string) (fields []string, err error) {
	if every := e.Every(); every != 0 {
		return nil, noInterval(every, "cron knows no @every")
	}
	if err := checkSystemZone(e, systemZone); err != nil {
		return nil, err
	}
	return []string{strings.Join(e.Plain(), " ")}, nil
}

func checkSystemZone(e schedule.Expression, systemZone string) error {
	if e.Zone() == "" || e.Zone() == systemZone {
		return nil
	}
	const instead = "write the times as this machine's clock shows them, without a zone, or use --target systemd or `claudeops cron`, which know zones"
	system, err := time.LoadLocation(systemZone)
	if systemZone == "" || err != nil {
		return fmt.Errorf("cron goes by the machine's time zone, and whether that is %s is not known; %s", e.Zone(), instead)
	}
	if !sameClock(e.Location(), system) {
		return fmt.Errorf("cron goes by the machine's time zone, %s, and knows no CRON_TZ; %s", systemZone, instead)
	}
	return nil
}

// sameClock says whether two zones are two names for one clock: always as far ahead, at every moment at which one of them changes, as far
// back as is known and some years on. Zones that only share today's rules may part any day.
func sameClock(a, b *time.Location) bool {
	at, until := time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
	for at.Before(until) {
		_, offsetA := at.In(a).Zone()
		_, offsetB := at.In(b).Zone()
		if offsetA != offsetB {
			return false
		}
		// Where a database has only the rule of a zone, the end of a year counts as a change.
		next := until
		for _, zone := range []*time.Location{a, b} {
			if _, end := at.In(zone).ZoneBounds(); end.After(at) && end.Before(next) {
				next = end
			}
		}
		at = next
	}
	return true
}

// noInterval refuses @every for the reason given, with the fields to write instead.
func noInterval(every time.Duration, reason string) error {
	if fields := byTheClock(every); fields != "" {
		return fmt.Errorf("%s; by the clock it is %s", reason, fields)
	}
	return fmt.Errorf("%s, and five fields cannot say it: by the clock that takes minutes that divide an hour, or hours that divide a day; "+
		"choose such an interval, or use `claudeops cron`", reason)
}

// byTheClock are the fields that come after each interval, empty where there are none.
func byTheClock(every time.Duration) string {
	const day = 24 * time.Hour
	whole := func(unit time.Duration) int { return int(every / unit) }
	switch {
	case every < time.Minute:
		return ""
	case every == time.Minute:
		return "* * * * *"
	case every%time.Minute == 0 && time.Hour%every == 0 && every < time.Hour:
		return fmt.Sprintf("*/%d * * * *", whole(time.Minute))
	case every == time.Hour:
		return "0 * * * *"
	case every%time.Hour == 0 && every < day && day%every == 0:
		return fmt.Sprintf("0 */%d * * *", whole(time.Hour))
	case every == day:
		return "0 0 * * *"
	case every == 7*day:
		return "0 0 * * 0"
	}
	return ""
}
