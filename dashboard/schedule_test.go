package dashboard

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/store"
)

// A watch is stale from the moment at which a run counts as missed, and names that run. Until then it announces the next run.
func TestAWatchThatMissedARunIsStale(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	at := func(text string) time.Time {
		return got(time.ParseInLocation("2006-01-02 15:04", text, berlin))(t)
	}
	for _, c := range []struct {
		name, schedule    string
		ended, due, stale time.Time
	}{
		{"every few minutes", "*/5 * * * *", at("2026-03-10 09:01"), at("2026-03-10 09:05"), at("2026-03-10 11:05")},
		{"by an interval", "@every 15m", at("2026-03-10 09:01"), at("2026-03-10 09:16"), at("2026-03-10 11:16")},
		{"hourly", "0 * * * *", at("2026-03-10 09:01"), at("2026-03-10 10:00"), at("2026-03-10 12:00")},
		{"hourly, and the cycle ran over the next run, which was skipped", "0 * * * *", at("2026-03-10 10:10"), at("2026-03-10 11:00"), at("2026-03-10 13:00")},
		{"every six hours", "0 */6 * * *", at("2026-03-10 06:10"), at("2026-03-10 12:00"), at("2026-03-10 14:00")},
		{"twice a day, at the end of a late cycle", "0 6,18 * * *", at("2026-03-10 17:30"), at("2026-03-10 18:00"), at("2026-03-10 20:00")},
		{"at two times that are far apart", "0 6,22 * * *", at("2026-03-10 06:01"), at("2026-03-10 22:00"), at("2026-03-11 00:00")},
		{"daily", "0 9 * * *", at("2026-03-09 09:01"), at("2026-03-10 09:00"), at("2026-03-10 11:00")},
		{"on working days, over a weekend", "0 9 * * 1-5", at("2026-03-06 09:01"), at("2026-03-09 09:00"), at("2026-03-09 11:00")},
		{"in working hours, over a weekend", "*/10 8-17 * * 1-5", at("2026-03-06 17:51"), at("2026-03-09 08:00"), at("2026-03-09 10:00")},
		{"weekly", "0 9 * * 1", at("2026-03-02 09:01"), at("2026-03-09 09:00"), at("2026-03-09 11:00")},
		{"two schedules", "0 9 * * 1; 30 21 * * *", at("2026-03-09 09:01"), at("2026-03-09 21:30"), at("2026-03-09 23:30")},
		{"daily, at a time that the clock skips", "30 2 * * *", at("2026-03-28 02:31"), at("2026-03-29 03:30"), at("2026-03-29 05:30")},
		{"daily, at a time that comes twice: the first", "30 2 * * *", at("2026-10-24 02:31"), at("2026-10-25 01:30").Add(time.Hour), at("2026-10-25 01:30").Add(3 * time.Hour)},
		{"hourly, while the clock is put back", "0 * * * *", at("2026-10-25 01:01"), at("2026-10-25 01:00").Add(time.Hour), at("2026-10-25 01:00").Add(3 * time.Hour)},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			const inZone = "CRON_TZ=Europe/Berlin "
			fine(t, h.options.Config.Schedule.Decode(inZone+strings.ReplaceAll(c.schedule, "; ", "; "+inZone)))
			h.cycle(c.ended.Add(-time.Minute), "completed")
			h.found(c.ended, "shop", check.Healthy)
			h.at(c.stale.Add(-time.Second))
			if o := h.overview(); o.StaleSince != nil || o.DueSince != nil || o.NextRun == nil || o.Verdict != AllWell {
				t.Errorf("before: stale since %v, next %v, due since %v", o.StaleSince, o.NextRun, o.DueSince)
			}
			h.at(c.stale)
			o := h.overview()
			if o.StaleSince == nil || !o.StaleSince.Equal(c.ended) || o.DueSince == nil || !o.DueSince.Equal(c.due) || o.NextRun != nil || o.Verdict != Unwatched {
				t.Errorf("%s, stale since %v, next %v, due since %v; want since %v, due %v", o.Verdict, o.StaleSince, o.NextRun, o.DueSince, c.ended, c.due)
			}
		})
	}
}

func TestAWatchIsNotStale(t *testing.T) {
	hour := func(n int) time.Time { return morning.Add(-time.Duration(n) * time.Hour) }
	for name, set := range map[string]func(h *house){
		"while a cycle runs, however long": func(h *house) { h.cycle(hour(9), "completed"); h.runs(); h.alive() },
		"where the last cycle was begun by hand": func(h *house) {
			fine(h.t, h.store.AddCycle(h.t.Context(), store.CycleRow{Trigger: "manual", Outcome: "completed", StartedAt: hour(25)}))
		},
		"where the clock was ahead": func(h *house) { h.cycle(hour(-1), "completed") },
	} {
		h := newHouse(t)
		fine(t, h.options.Config.Schedule.Decode("0 * * * *"))
		set(h)
		if o := h.overview(); o.StaleSince != nil || o.NextRun == nil {
			t.Errorf("%s: since %v, next %v", name, o.StaleSince, o.NextRun)
		}
	}
}

// A cycle that an alert or an approval started neither hides that scheduled ones have stopped, nor prevents the next one from being
// announced.
func TestAWokenCycleHidesNoMissedRun(t *testing.T) {
	for _, trigger := range []string{store.ByAlert, store.ByApproval} {
		h := newHouse(t)
		fine(t, h.options.Config.Schedule.Decode("CRON_TZ=UTC 0 * * * *"))
		scheduled := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
		h.cycle(scheduled, "completed")
		h.woken(trigger, scheduled.Add(100*time.Minute))
		h.at(scheduled.Add(105 * time.Minute))
		if o := h.overview(); o.StaleSince != nil || o.NextCycle() == nil {
			t.Errorf("%s: stale since %v, next %v", trigger, o.StaleSince, o.NextCycle())
		}
		h.at(scheduled.Add(3*time.Hour + time.Minute))
		h.woken(trigger, scheduled.Add(3*time.Hour))
		if o := h.overview(); o.StaleSince == nil || o.NextCycle() != nil {
			t.Errorf("%s: stale since %v, next %v", trigger, o.StaleSince, o.NextCycle())
		}
	}
}

func (h *house) woken(trigger string, began time.Time) {
	fine(h.t, h.store.AddCycle(h.t.Context(), store.CycleRow{Trigger: trigger, Outcome: "completed", StartedAt: began}))
}

// Without a schedule, and after a cycle by hand, a cycle may be a day and two hours old.
func TestAWatchWithoutAScheduleIsStaleAfterADay(t *testing.T) {
	for name, h := range map[string]*house{"without a schedule": newHouse(t), "by hand": newHouse(t)} {
		trigger := "cron"
		if name == "by hand" {
			trigger = "manual"
			fine(t, h.options.Config.Schedule.Decode("*/5 * * * *"))
		}
		fine(t, h.store.AddCycle(t.Context(), store.CycleRow{Trigger: trigger, Outcome: "completed", StartedAt: morning}))
		h.found(morning, "shop", check.Healthy)
		h.at(morning.Add(26*time.Hour - time.Second))
		if o := h.overview(); o.StaleSince != nil {
			t.Errorf("%s: stale since %v", name, o.StaleSince)
		}
		h.at(morning.Add(26 * time.Hour))
		if o := h.overview(); o.StaleSince == nil || o.DueSince != nil || o.NextRun != nil {
			t.Errorf("%s: stale since %v, due since %v, next %v", name, o.StaleSince, o.DueSince, o.NextRun)
		}
	}
}

// A crontab or a timer may have other times: the default schedule is only used if the last runs followed it.
func TestTheDefaultScheduleCountsWhereRunsComeByIt(t *testing.T) {
	for _, c := range []struct {
		name, triggers string // the triggers of the runs, a letter each, oldest first
		apart          time.Duration
		want           bool
	}{
		{"hourly runs", "ccccc", time.Hour, true},
		{"hourly runs, and some by hand", "cmcmccmc", time.Hour, true},
		{"too few to tell", "cccc", time.Hour, false},
		{"by hand alone", "mmmmmm", time.Hour, false},
		{"a timer of its own", "cccccc", 5 * time.Hour, false},
		{"a timer of its own, and models that fail, with probes in their place", "cpcpcpcp", 12 * time.Hour, false},
	} {
		h := newHouse(t)
		fine(t, h.options.Config.Schedule.Decode("0 * * * *"))
		h.options.Variables = []config.Variable{{Name: "CLAUDEOPS_SCHEDULE", Source: config.FromDefault}}
		began := morning
		for n, letter := range strings.Split(c.triggers, "") {
			s := store.Session{Tier: 1, Trigger: "cron", Status: store.Escalated, StartedAt: began}
			switch letter {
			case "m":
				s.Trigger = "manual"
			case "p": // right behind the model
				s.StartedAt = began.Add(time.Minute - c.apart)
			}
			root := got(h.store.AddSession(t.Context(), s))(t)
			child := store.Session{ParentID: &root, Tier: 1, Trigger: "escalation", Status: store.Completed, StartedAt: began.Add(50 * time.Hour)}
			got(h.store.AddSession(t.Context(), child))(t)
			if n+1 < len(c.triggers) {
				began = began.Add(c.apart)
			}
		}
		h.cycle(began, "completed")
		h.at(began.Add(4 * time.Hour))
		o := h.overview()
		if stale := o.StaleSince != nil; stale != c.want || stale != (o.DueSince != nil) {
			t.Errorf("%s: stale since %v, due since %v", c.name, o.StaleSince, o.DueSince)
		}
		if o.NextRun != nil {
			t.Errorf("%s: a run that did not come is followed by one that is promised", c.name)
		}
	}
}
