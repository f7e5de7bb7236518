package store

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

func TestASilenceHoldsUntilItsEnd(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	end := noon.Add(2 * time.Hour)
	shop, replaced, err := s.AddSilence(ctx, Silence{Service: "shop", Reason: "a new disk", Until: end})
	ok(t, err)
	same(t, replaced, (*Silence)(nil))
	same(t, shop, Silence{ID: 1, Service: "shop", Reason: "a new disk", CreatedAt: noon, Until: end})
	same(t, must(s.Silence(ctx, 1)), shop)
	for _, tt := range []struct {
		at     time.Time
		active int
	}{{noon, 1}, {end.Add(-time.Millisecond), 1}, {end, 0}, {end.Add(time.Hour), 0}} {
		same(t, len(must(s.ActiveSilences(ctx, tt.at))), tt.active)
		same(t, shop.Active(tt.at), tt.active == 1)
		same(t, len(must(s.SilencesToTell(ctx, tt.at))), 1-tt.active)
	}
	same(t, shop.End(), end)
}

// A second silence changes the end of the first; what happened under the first is part of its report.
func TestASilenceGetsAnotherEnd(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	silence := func(service, reason string, at, until time.Time) (Silence, *Silence) {
		t.Helper()
		added, replaced, err := s.AddSilence(ctx, Silence{Service: service, Reason: reason, CreatedAt: at, Until: until})
		ok(t, err)
		return added, replaced
	}
	first, _ := silence("shop", "a new disk", noon, noon.Add(time.Hour))
	silence("", "", noon, noon.Add(time.Hour))
	silence("mail", "", noon, noon.Add(time.Hour))
	longer, was := silence("shop", "", noon.Add(30*time.Minute), noon.Add(5*time.Hour))
	same(t, *was, first)
	same(t, longer, Silence{ID: first.ID, Service: "shop", Reason: "a new disk", CreatedAt: noon, Until: noon.Add(5 * time.Hour)})
	shorter, was := silence("shop", "two", noon.Add(time.Hour), noon.Add(2*time.Hour))
	same(t, *was, longer)
	same(t, must(s.Silence(ctx, first.ID)), shorter)
	same(t, shorter.Reason, "two")
	same(t, len(must(s.Silences(ctx, 0))), 3)
	same(t, len(must(s.Silences(ctx, 2))), 2)

	next, was := silence("shop", "", noon.Add(2*time.Hour), noon.Add(3*time.Hour)) // the first is over
	same(t, was, (*Silence)(nil))
	same(t, next.ID, int64(4))
	same(t, next.Reason, "")
}

func TestASilenceIsEndedAndToldOnce(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	shop, _, err := s.AddSilence(ctx, Silence{Service: "shop", Until: noon.Add(time.Hour)})
	ok(t, err)
	soon := noon.Add(time.Minute)
	wantError(t, s.EndSilence(ctx, 7, soon), ErrNotFound, "silence 7")
	ok(t, s.EndSilence(ctx, shop.ID, soon))
	wantError(t, s.EndSilence(ctx, shop.ID, soon), ErrNotFound, "silence 1")
	same(t, len(must(s.ActiveSilences(ctx, soon))), 0)
	over := must(s.SilencesToTell(ctx, soon))
	same(t, len(over), 1)
	same(t, over[0].End(), soon)
	ok(t, s.SilenceTold(ctx, shop.ID, soon))
	same(t, len(must(s.SilencesToTell(ctx, noon.Add(48*time.Hour)))), 0)
	same(t, *must(s.Silence(ctx, shop.ID)).ToldAt, soon)

	mail, _, err := s.AddSilence(ctx, Silence{Service: "mail", Until: noon.Add(time.Hour)})
	ok(t, err)
	wantError(t, s.EndSilence(ctx, mail.ID, noon.Add(time.Hour)), ErrNotFound, "silence 2") // it is over by itself
}

// One that was set under a clock that ran a year ahead must not last a year; the longest that may be set is none of these.
func TestASilenceOfAClockThatRanAheadIsToTell(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	for _, until := range []time.Time{noon.Add(MaxSilence), noon.AddDate(1, 0, 0)} {
		_, _, err := s.AddSilence(ctx, Silence{Service: until.Format(time.DateOnly), Until: until})
		ok(t, err)
	}
	for _, now := range []time.Time{noon, noon.Add(-23 * time.Hour)} {
		over := must(s.SilencesToTell(ctx, now))
		same(t, len(over), 1)
		same(t, over[0].ID, int64(2))
	}
}

// With the index, a check for silences costs nothing if none is active, however many there were.
func TestActiveSilencesAreFoundByAnIndex(t *testing.T) {
	s := fresh(t)
	plan := must(listBy(t.Context(), s, "explain", func(r row, text *string) error {
		var a, b, c int
		return r.Scan(&a, &b, &c, text)
	}, `EXPLAIN QUERY PLAN SELECT * FROM silences WHERE told_at IS NULL AND ended_at IS NULL AND until > '' ORDER BY id`))
	same(t, plan[0], "SEARCH silences USING INDEX silences_told_at (told_at=?)")
}

func TestWhatHappenedInATimeIsSummedUp(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	look := func(at time.Time, results ...check.Result) {
		t.Helper()
		id := must(s.AddSession(ctx, Session{Tier: 1, Trigger: "cron", Status: Running, StartedAt: at}))
		ok(t, s.AddProbed(ctx, id, at, results, nil))
	}
	is := func(service string, status check.Status) check.Result {
		return check.Result{Service: service, Type: check.HTTP, Status: status}
	}
	from, to := ago(3), ago(1)
	look(ago(4), is("shop", check.Down))
	look(ago(3), is("shop", check.Degraded), is("shop", check.Healthy), is("mail", check.Healthy))
	look(ago(2.5), is("shop", check.Down), is("shop", check.Degraded), is("mail", check.Healthy))
	look(ago(2), is("shop", check.Down), is("mail", check.Healthy))
	ok(t, s.AddChecks(ctx, nil, ago(1.5), []check.Result{is("shop", check.Healthy)})) // a person's, in no session
	look(ago(1), is("shop", check.Down))

	first, last := ago(3), ago(2)
	shop := Found{Service: "shop", Checked: 4, Degraded: 1, Down: 2, FirstUnwell: &first, LastUnwell: &last}
	same(t, must(s.FoundBetween(ctx, "shop", from, to)), []Found{shop})
	same(t, must(s.FoundBetween(ctx, "", from, to)), []Found{{Service: "mail", Checked: 3}, shop})
	same(t, len(must(s.FoundBetween(ctx, "web", from, to))), 0)

	for i, at := range []time.Time{ago(4), ago(3), ago(2), ago(1)} {
		for _, service := range []string{"shop", "mail"} {
			ok(t, s.PutAct(ctx, Act{ID: service + string(rune('0'+i)), Service: service, Action: statefile.Restart, Source: "operator", CreatedAt: at}))
			ok(t, s.AddEvent(ctx, Event{Level: Warning, Service: service, Message: "a restart was refused: no", CreatedAt: at}))
			ok(t, s.AddEvent(ctx, Event{Level: Warning, Service: service, Message: "something else", CreatedAt: at}))
		}
	}
	same(t, len(must(s.ActsBetween(ctx, "shop", from, to))), 2)
	same(t, len(must(s.ActsBetween(ctx, "", from, to))), 4)
	same(t, must(s.CountEvents(ctx, Warning, "shop", " was refused: ", from, to)), 2)
	same(t, must(s.CountEvents(ctx, Warning, "", " was refused: ", from, to)), 4)
	same(t, must(s.CountEvents(ctx, Info, "", " was refused: ", from, to)), 0)
}

func TestWhichServicesAreKnown(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	ok(t, s.AddChecks(ctx, nil, noon, []check.Result{{Service: "shop", Type: check.HTTP, Status: check.Healthy}}))
	must(s.OpenIncident(ctx, Incident{Service: "mail", Status: check.Down}))
	ok(t, s.PutAct(ctx, Act{ID: "1", Service: "db", Action: statefile.Restart, Source: "operator"}))
	for name, want := range map[string]bool{"shop": true, "mail": true, "db": true, "web": false, "": false} {
		same(t, must(s.KnowsService(ctx, name)), want)
	}
	same(t, must(s.ServiceNames(ctx, 10)), []string{"db", "mail", "shop"})
	same(t, must(s.ServiceNames(ctx, 2)), []string{"db", "mail"})
}
