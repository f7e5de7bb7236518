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
	}
	same(t, shop.End(), end)
}

// A second silence changes the end of the first.
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

func TestASilenceIsEndedOnce(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	shop, _, err := s.AddSilence(ctx, Silence{Service: "shop", Until: noon.Add(time.Hour)})
	ok(t, err)
	soon := noon.Add(time.Minute)
	wantError(t, s.EndSilence(ctx, 7, soon), ErrNotFound, "silence 7")
	ok(t, s.EndSilence(ctx, shop.ID, soon))
	wantError(t, s.EndSilence(ctx, shop.ID, soon), ErrNotFound, "silence 1")
	same(t, len(must(s.ActiveSilences(ctx, soon))), 0)

	mail, _, err := s.AddSilence(ctx, Silence{Service: "mail", Until: noon.Add(time.Hour)})
	ok(t, err)
	wantError(t, s.EndSilence(ctx, mail.ID, noon.Add(time.Hour)), ErrNotFound, "silence 2") // it is over by itself
}

// One that was set under a clock that ran a year ahead must not last a year.
func TestASilenceEndsAfterTheLongestTimeFromNow(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	for _, until := range []time.Time{noon.Add(time.Hour), noon.AddDate(1, 0, 0)} {
		_, _, err := s.AddSilence(ctx, Silence{Service: until.Format(time.DateOnly), Until: until})
		ok(t, err)
	}
	ok(t, s.LimitSilences(ctx))
	same(t, must(s.Silence(ctx, 1)).Until, noon.Add(time.Hour))
	same(t, must(s.Silence(ctx, 2)).Until, noon.Add(MaxSilence))
}

func TestWhichServicesAreKnown(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	ok(t, s.AddChecks(ctx, Reported, 0, noon, []check.Result{{Service: "shop", Type: check.HTTP, Status: check.Healthy}}))
	must(s.OpenIncident(ctx, Incident{Service: "mail", Status: check.Down}))
	ok(t, s.PutAct(ctx, Act{ID: "1", Service: "db", Action: statefile.Restart, Source: "operator"}))
	_, _, err := s.AddSilence(ctx, Silence{Service: "web", Until: noon.Add(time.Hour)})
	ok(t, err)
	_, _, err = s.AddSilence(ctx, Silence{Until: noon.Add(time.Hour)})
	ok(t, err)
	same(t, must(s.ServiceNames(ctx)), []string{"db", "mail", "shop", "web"})
}
