package inventory

import (
	"errors"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// parseSchedule reads a cron expression that says when windows begin.
func parseSchedule(given string) (cron.Schedule, error) {
	if strings.HasPrefix(given, "CRON_TZ=") || strings.HasPrefix(given, "TZ=") {
		if zone, rest, _ := strings.Cut(given, " "); strings.HasSuffix(zone, "=") || strings.TrimSpace(rest) == "" {
			return nil, errors.New("a time zone without a schedule") // on which the parser would panic
		}
	}
	parsed, err := cron.ParseStandard(given)
	if err != nil {
		return nil, err
	}
	spec, is := parsed.(*cron.SpecSchedule)
	if !is {
		return nil, errors.New("@every begins anew with every program")
	}
	c := calendar{*spec}
	if c.Next(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return nil, errors.New("never comes")
	}
	return c, nil
}

// calendar is a cron expression by the clock on the wall of its zone. Unlike the cron library it leaves out no time that the clock skips
// when it is put forward: such a time comes when it would have come by the clock as it was. So maintenance at half past two on Sundays
// takes place on the Sunday that has no such time, too. A time that comes twice when the clock is put back comes twice.
type calendar struct{ spec cron.SpecSchedule }

// Next is the first time after t, zero if there is none within five years.
func (c calendar) Next(t time.Time) time.Time {
	after, within := t, t.In(c.spec.Location)
	for {
		_, offset := within.Zone()
		begin, end := within.ZoneBounds() // of that offset; zero for no bound
		next := c.byOffset(offset, after)
		if !begin.IsZero() {
			_, before := begin.Add(-1).Zone()
			skipped := c.byOffset(before, after)
			if skipped.Before(begin.Add(time.Duration(offset-before)*time.Second)) && skipped.Before(next) {
				next = skipped
			}
		}
		if next.IsZero() || end.IsZero() || next.Before(end) {
			return next.In(t.Location())
		}
		within, after = end, end.Add(-time.Second) // offsets change at whole seconds
	}
}

// byOffset is the first time after t by a clock that is always so many seconds ahead of UTC.
func (c calendar) byOffset(offset int, t time.Time) time.Time {
	c.spec.Location = time.FixedZone("", offset)
	return c.spec.Next(t)
}
