package crontab

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/schedule"
	"github.com/claudeops/claudeops/testkit/need"
)

func TestCalendars(t *testing.T) {
	for given, want := range map[string]string{
		"*/15 * * * *":                           "*-*-* *:00/15:00",
		"0 * * * *":                              "*-*-* *:00:00",
		"* * * * *":                              "*-*-* *:*:00",
		"0 9 * * MON-FRI":                        "Mon..Fri *-*-* 09:00:00",
		"0 9 * * 0-2":                            "Mon,Tue,Sun *-*-* 09:00:00",
		"0 9 * * 0,4-6":                          "Thu..Sun *-*-* 09:00:00",
		"0,30 9-17 * * *":                        "*-*-* 09..17:00/30:00",
		"10-30/10 2/6 * * *":                     "*-*-* 02,08,14,20:10,20,30:00",
		"0 */9 * */4 *":                          "*-01,05,09-* 00,09,18:00:00",
		"0 0 1-31/2 * *":                         "*-*-01,03,05,07,09,11,13,15,17,19,21,23,25,27,29,31 00:00:00",
		"5 4 1,2,3,9 1,7 *":                      "*-01,07-01..03,09 04:05:00",
		"0 0 29 2 *":                             "*-02-29 00:00:00",
		"0 0 1,15 * MON":                         "*-*-01,15 00:00:00 | Mon *-*-* 00:00:00",
		"CRON_TZ=Europe/Berlin 0 3 13 JUN-AUG 5": "*-06..08-13 03:00:00 Europe/Berlin | Fri *-06..08-* 03:00:00 Europe/Berlin",
		"0 0 13 * 0-6":                           "*-*-* 00:00:00",
		"0 0 * * */2":                            "Tue,Thu,Sat,Sun *-*-* 00:00:00",
		"0 0-23 * * *":                           "*-*-* *:00:00",
		"CRON_TZ=UTC @every 90m":                 "",
	} {
		if got := strings.Join(Calendars(expression(t, given)), " | "); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}

// systemd runs at the times of the expression, at least five hundred of them, with the exceptions for zones that the comment of Calendars
// names.
func TestSystemdRunsWhenTheExpressionComes(t *testing.T) {
	need.Full(t, "systemd-analyze")
	const seed, runs = 8, 500
	t.Logf("seed %d", seed)
	texts := []string{
		"* * * * *", "*/15 * * * *", "0 * * * *", "@daily", "@weekly", "@monthly", "@yearly", "0 9 * * MON-FRI", "0 0 1,15 * MON", "0 0 29 2 *",
		"30 2 * * *", "0 2,3 * * *", "*/20 1-3 * * *", "0 */2 * * *", "8 */9 * * *", "1/13 * * * *", "0 0 2/3 * *", "0 3 13 * 5", "59 23 31 12 *", "0 0 31 * *", "5/15 0-23/3 * 2-11/3 0,4-6",
		"0 0 1-7 * 1-5", "0 0 31 1 0-6", "0 0 1-31/2 * 0",
	}
	r := rand.New(rand.NewPCG(seed, seed))
	for len(texts) < 320 {
		texts = append(texts, anyExpression(r))
	}
	from := time.Date(2026, 3, 28, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		machine, zone string
		texts         []string
	}{
		{"UTC", "", texts},
		{"Europe/Berlin", "", texts},
		{"UTC", "CRON_TZ=Europe/Berlin ", texts[:6]}, // systemd forks a process for each time in another zone
		{"Europe/Berlin", "CRON_TZ=Australia/Lord_Howe ", texts[10:14]},
	} {
		t.Run(c.machine+" "+c.zone, func(t *testing.T) { compareWithSystemd(t, c.machine, c.zone, c.texts, from, runs) })
	}
}

func compareWithSystemd(t *testing.T, machine, zone string, texts []string, from time.Time, runs int) {
	type scheduled struct {
		as        []string
		here, own schedule.Expression
	}
	var all []scheduled
	var lines []string
	for _, text := range texts {
		here, err := schedule.Parse(zone + text)
		if err != nil {
			continue // programs interpret it differently
		}
		own := here
		if zone == "" {
			own = expression(t, "CRON_TZ="+machine+" "+text)
		}
		as := Calendars(here)
		all, lines = append(all, scheduled{as, here, own}), append(lines, as...)
	}
	systemd := systemdRuns(t, machine, lines, from, runs)
	for _, s := range all {
		var got [][]time.Time
		for _, calendar := range s.as {
			got = append(got, systemd[calendar])
		}
		if diff := cmp.Diff(systemdsOwn(s.own, from, runs), either(got, runs)); diff != "" {
			t.Errorf("%s as %q (-expected +systemd):\n%s", s.here, s.as, diff)
		}
	}
	t.Logf("%d expressions", len(all))
}

// comparedUntil is the end of the comparison: no expression's next time is more than five years away.
func comparedUntil() time.Time { return time.Date(2050, 1, 1, 0, 0, 0, 0, time.UTC) }

// either returns the union of lists of ascending times.
func either(lists [][]time.Time, most int) (all []time.Time) {
	for len(all) < most {
		var next time.Time
		for _, list := range lists {
			if len(list) > 0 && (next.IsZero() || list[0].Before(next)) {
				next = list[0]
			}
		}
		if next.IsZero() {
			break
		}
		for i, list := range lists {
			if len(list) > 0 && list[0].Equal(next) {
				lists[i] = list[1:]
			}
		}
		all = append(all, next)
	}
	return all
}

// systemdsOwn returns the times of an expression without those that systemd leaves out.
func systemdsOwn(e schedule.Expression, at time.Time, most int) (all []time.Time) {
	for at = e.Next(at); len(all) < most && !at.IsZero() && at.Before(comparedUntil()); at = e.Next(at) {
		local := at.In(e.Location())
		begin, _ := local.ZoneBounds()
		_, offset := local.Zone()
		_, before := begin.Add(-1).Zone()
		changed := !begin.IsZero() && at.Before(begin.Add(time.Duration(max(offset-before, before-offset))*time.Second))
		if changed && (before > offset || !shown(e, local)) {
			continue
		}
		all = append(all, at.UTC())
	}
	return all
}

// shown reports whether the local time is one of the expression's times of day.
func shown(e schedule.Expression, local time.Time) bool {
	minute, hour, _, _, _ := e.Fields()
	return minute.Bits>>local.Minute()&1 == 1 && hour.Bits>>local.Hour()&1 == 1
}

// systemdRuns asks systemd for the times of calendar expressions after a moment, on a machine in the zone.
func systemdRuns(t *testing.T, zone string, calendars []string, from time.Time, runs int) map[string][]time.Time {
	t.Helper()
	args := append([]string{"calendar", fmt.Sprintf("--iterations=%d", runs), "--base-time=" + from.Format("2006-01-02 15:04:05 UTC")}, calendars...)
	c := exec.CommandContext(t.Context(), "systemd-analyze", args...)
	c.Env = []string{"TZ=" + zone, "LC_ALL=C.UTF-8", "SYSTEMD_COLORS=0", "SYSTEMD_PAGER=cat", "PATH=/usr/bin:/bin"}
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("systemd-analyze calendar (Debian's package systemd): %v\n%s", err, said.String())
	}
	all := map[string][]time.Time{}
	n := -1
	for line := range strings.Lines(string(out)) {
		what, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if what == "Normalized form" {
			n++
			all[calendars[n]] = nil
			if value != calendars[n] {
				t.Errorf("systemd writes %s as %s", calendars[n], value)
			}
		}
		told := what == "(in UTC)" || zone == "UTC" && (what == "Next elapse" || strings.HasPrefix(what, "Iter"))
		if !told || value == "never" {
			continue
		}
		at, err := time.Parse("Mon 2006-01-02 15:04:05 MST", value)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if at.Before(comparedUntil()) {
			all[calendars[n]] = append(all[calendars[n]], at.UTC())
		}
	}
	if n+1 != len(calendars) {
		t.Fatalf("systemd tells the times of %d of %d expressions", n+1, len(calendars))
	}
	return all
}
