package crontab

import (
	"fmt"
	"strings"

	"github.com/claudeops/claudeops/schedule"
)

// Calendars returns the OnCalendar= values for an expression: one, or two if it names both days of the month and days of the week, either
// of which matches. For @every there are none: its interval is the value of OnActiveSec= and OnUnitActiveSec=. The first run follows the
// timer's start by the interval, each further one the start of the one before, not counting the machine's sleep.
//
// systemd differs from schedule.Expression.Next when the clock changes. A time skipped when the clock is put forward does not occur that
// day. When it is put back, nothing runs in the repeated hour: an hourly schedule then has two hours between two runs. In zones without
// changes, such as UTC, there is no difference.
func Calendars(e schedule.Expression) []string {
	if e.Every() != 0 {
		return nil
	}
	minute, hour, day, month, weekday := e.Fields()
	zone := ""
	if e.Zone() != "" {
		zone = " " + e.Zone()
	}
	line := func(days, weekdays uint64) string {
		prefix := ""
		if weekdays != everyWeekday {
			prefix = weekdayNames(weekdays) + " "
		}
		return fmt.Sprintf("%s*-%s-%s %s:%s:00%s", prefix, listed(month.Bits, 1, 12), listed(days, 1, 31), listed(hour.Bits, 0, 23),
			minutes(minute.Bits), zone)
	}
	switch {
	case day.Any || weekday.Any:
		return []string{line(day.Bits, weekday.Bits)}
	case day.Bits == everyDay || weekday.Bits == everyWeekday:
		return []string{line(everyDay, everyWeekday)}
	}
	return []string{line(day.Bits, everyWeekday), line(everyDay, weekday.Bits)}
}

const (
	everyDay     = 1<<32 - 2 // bits 1 to 31
	everyWeekday = 1<<7 - 1
)

// minutes returns the minutes of a calendar expression: 00/step for those that cron writes as */step and that divide an hour, otherwise a
// list.
func minutes(bits uint64) string {
	for step := 2; step <= 30; step++ {
		var even uint64
		for minute := 0; minute < 60; minute += step {
			even |= 1 << minute
		}
		if 60%step == 0 && bits == even {
			return fmt.Sprintf("00/%d", step)
		}
	}
	return listed(bits, 0, 59)
}

// listed returns a part of a calendar expression: * for all values, otherwise values and ranges. It never uses a progression, because
// systemd 252 to 257 skip values of it: 01/13 minutes begin with 00:14 instead of 00:01, and 00/9 hours make the timer fail if the next
// time would be in a skipped hour.
func listed(bits uint64, lowest, highest int) string {
	values := valuesOf(bits, lowest, highest)
	if len(values) == highest-lowest+1 {
		return "*"
	}
	return ranges(values, func(value int) string { return fmt.Sprintf("%02d", value) })
}

// weekdayNames begins with Monday, as systemd does.
func weekdayNames(bits uint64) string {
	names := [...]string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
	return ranges(valuesOf(bits>>1|bits<<6&everyWeekday, 0, 6), func(value int) string { return names[value] })
}

func valuesOf(bits uint64, lowest, highest int) (values []int) {
	for value := lowest; value <= highest; value++ {
		if bits>>value&1 == 1 {
			values = append(values, value)
		}
	}
	return values
}

// ranges joins ascending values, with three or more consecutive ones as a range.
func ranges(values []int, name func(int) string) string {
	var parts []string
	for len(values) > 0 {
		length := 1
		for length < len(values) && values[length] == values[0]+length {
			length++
		}
		if length < 3 {
			length = 1
			parts = append(parts, name(values[0]))
		} else {
			parts = append(parts, name(values[0])+".."+name(values[length-1]))
		}
		values = values[length:]
	}
	return strings.Join(parts, ",")
}
