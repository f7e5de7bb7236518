package cycle

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// desk is a room with two services that are really checked, in a cycle whose Tier 2 works on shop, and a clock that moves with each round.
type desk struct {
	*room
	broken      map[string]*atomic.Bool
	told, looks chan time.Time
	sent        chan notify.Message
	rounds      chan struct{} // each that has ended
	clock       atomic.Int64  // what has passed since night
	first       *tierRun      // Tier 1
	second      *tierRun      // the tier that runs
}

func (d *desk) Targets() []notify.Target { return []notify.Target{{Hash: "phone", Name: "phone"}} }

func (d *desk) Send(_ context.Context, _ notify.Target, m notify.Message) error {
	d.sent <- m
	return nil
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{room: newRoom(t), broken: map[string]*atomic.Bool{}, told: make(chan time.Time), looks: make(chan time.Time), sent: make(chan notify.Message, 10), rounds: make(chan struct{})}
	text := "services:\n"
	for _, name := range []string{"shop", "mail"} {
		broken := &atomic.Bool{}
		d.broken[name] = broken
		site := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
			if broken.Load() {
				answer.WriteHeader(http.StatusBadGateway)
			}
		}))
		t.Cleanup(site.Close)
		text += fmt.Sprintf("  - {name: %s, checks: [{type: http, url: %q, attempts: 1}]}\n", name, site.URL)
	}
	var err error
	d.Inventory, err = inventory.Parse([]byte(text))
	must(t, err)
	d.Now = func() time.Time { return night.Add(time.Duration(d.clock.Load())) }
	d.Store.Now = d.Now
	d.Courier, d.Config.NotifyTimeout = d, time.Minute
	d.Config.Tier1Timeout = time.Minute
	d.After = func(wait time.Duration) <-chan time.Time {
		if wait == toldAfter {
			return d.told
		}
		return d.looks
	}
	d.Alive = func(context.Context) { d.rounds <- struct{}{} }
	d.begin()
	return d
}

// works begins a tier: the first one, or Tier 2 for what the first found.
func (d *desk) works(tier int) {
	d.t.Helper()
	ctx := d.t.Context()
	d.first = d.begins(1)
	d.second = d.first
	if tier == 1 {
		return
	}
	_, err := d.probe(ctx, d.first.session, d.Inventory.Services, time.Minute)
	must(d.t, err)
	must(d.t, d.recordEvaluations(ctx, d.first))
	d.first.handoff, d.first.services = &handoff.Handoff{ServicesAffected: []string{"shop"}}, []string{"shop"}
	d.second = d.begins(tier)
	d.second.parent, d.second.services = d.first, []string{"shop"}
}

// beside runs f while watching goes on beside the tier.
func (d *desk) beside(f func()) {
	d.t.Helper()
	d.watchWhile(d.t.Context(), d.second, d.told, f)
}

// minute passes a minute, and returns when its round has looked.
func (d *desk) minute() {
	d.clock.Add(int64(watchEvery))
	d.looks <- d.Now()
	<-d.rounds
}

// kinds are those of the notifications about services, the oldest first.
func (d *desk) kinds() (kinds []string) {
	d.t.Helper()
	all, err := d.Store.Notifications(d.t.Context(), store.NotificationFilter{})
	must(d.t, err)
	for _, n := range slices.Backward(all) {
		kinds = append(kinds, string(n.Kind)+" "+n.Service)
	}
	return kinds
}

// First aid may run for long.
func TestWatchingGoesOnWhileFirstAidRuns(t *testing.T) {
	d := newDesk(t)
	d.broken["shop"].Store(true)
	d.works(2)
	d.second.session.Agent = store.FirstAid
	d.beside(func() {
		d.told <- d.Now()
		if m := <-d.sent; !strings.Contains(m.Body, "First aid works on it") {
			t.Errorf("the first message is %+v", m)
		}
		d.broken["mail"].Store(true)
		d.minute()
		if m := <-d.sent; m.Title != "mail is down: HTTP 502" || !strings.Contains(m.Body, "First aid works on shop") {
			t.Errorf("the second message is %+v", m)
		}
	})
}

// A second service goes down while Tier 2 works on the first: people have both messages before Tier 2 has ended, and no tier is started.
func TestWatchingGoesOnWhileATierRuns(t *testing.T) {
	d := newDesk(t)
	d.broken["shop"].Store(true)
	d.works(2)
	d.beside(func() {
		d.told <- d.Now()
		if m := <-d.sent; m.Title != "shop is down: HTTP 502" || m.Type != store.WarningMessage {
			t.Errorf("the first message is %+v", m)
		}
		d.broken["mail"].Store(true)
		d.minute()
		if m := <-d.sent; m.Title != "mail is down: HTTP 502" || m.Type != store.FailureMessage {
			t.Errorf("the second message is %+v", m)
		}
		d.minute() // nothing new
		d.minute()
	})
	wantSame(t, d.kinds(), []string{"down shop", "down mail"})
	open, err := d.Store.OpenIncidents(t.Context())
	must(t, err)
	wantSame(t, []int{open["shop"].UnwellCycles, open["mail"].UnwellCycles}, []int{1, 3})
	sessions, err := d.Store.Sessions(t.Context(), store.SessionFilter{})
	must(t, err)
	wantSame(t, len(sessions), 2)
	last, err := d.Store.LastChecks(t.Context(), "shop")
	must(t, err)
	if len(last) != 1 || last[0].SessionID != nil || !last[0].CheckedAt.Equal(d.Now()) {
		t.Errorf("the last result of shop is %+v", last)
	}
	must(t, d.summarize(t.Context()))
	wantSame(t, []check.Status{d.summary.Services[0].Status, d.summary.Services[1].Status}, []check.Status{check.Down, check.Down})
}

// A service recovers while a tier works on another; a silence that somebody begins meanwhile holds.
func TestRecoveriesAndSilencesBesideATier(t *testing.T) {
	d := newDesk(t)
	d.opens("mail", earlier(time.Hour))
	d.broken["shop"].Store(true)
	d.works(2)
	d.beside(func() {
		d.minute()
		if m := <-d.sent; m.Title != "mail recovered after 1 h 1 min" {
			t.Errorf("the message is %+v", m)
		}
		other := d.Records // another process
		_, _, err := other.Silence(t.Context(), "mail", time.Hour, "", "command, by ann")
		must(t, err)
		d.broken["mail"].Store(true)
		d.minute()
		d.minute()
	})
	wantSame(t, d.kinds(), []string{"recovered mail"})
	wantSame(t, len(d.summary.Recovered), 1)
	wantSame(t, d.service("mail").Held(state.Messages).Kind, state.Silenced)
}

// Where no tier would be started for it, a human is asked at once, once.
func TestAHumanIsAskedBesideATier(t *testing.T) {
	for _, tier := range []int{1, 2} {
		d := newDesk(t)
		d.works(tier)
		d.Config.MaxTier = 1
		d.broken["mail"].Store(true)
		d.beside(func() {
			d.minute()
			if m := <-d.sent; m.Title != "mail is down and needs human attention: HTTP 502" {
				t.Errorf("Tier %d: the message is %+v", tier, m)
			}
			d.minute()
			d.minute()
		})
		wantSame(t, d.kinds(), []string{"human_attention mail"})
	}
}

// Beside Tier 1 a round opens incidents, and leaves what is healthy to the evaluation that follows.
func TestWatchingBesideTier1(t *testing.T) {
	d := newDesk(t)
	d.opens("shop", earlier(time.Hour))
	d.works(1)
	d.broken["mail"].Store(true)
	d.beside(func() {
		d.minute()
		if m := <-d.sent; m.Title != "mail is down: HTTP 502" {
			t.Errorf("the message is %+v", m)
		}
		d.minute()
		d.minute()
	})
	ctx := t.Context()
	d.first.outcome.Ending = "completed"
	must(t, d.recordEvaluations(ctx, d.first))
	open, err := d.Store.OpenIncidents(ctx)
	must(t, err)
	wantSame(t, []int{open["shop"].HealthyCycles, open["mail"].UnwellCycles}, []int{1, 3})
	wantSame(t, d.kinds(), []string{"down mail"})
}

// For fail_after each look beside a tier counts once, and what Tier 1 finds with them does not count again.
func TestALookBesideTier1CountsOnce(t *testing.T) {
	for _, before := range []bool{true, false} {
		d := newDesk(t)
		d.works(1)
		ctx := t.Context()
		d.broken["shop"].Store(before)
		_, err := d.prepare(ctx, d.first.session)
		must(t, err)
		d.broken["shop"].Store(true)
		d.beside(func() {
			d.minute()
			<-d.sent
			d.minute()
		})
		d.first.outcome.Ending = "completed"
		must(t, d.recordEvaluations(ctx, d.first))
		open, err := d.Store.OpenIncidents(ctx)
		must(t, err)
		wantSame(t, open["shop"].UnwellCycles, 2)
		d.second = d.begins(2) // its rounds are looks of their own
		d.second.parent = d.first
		d.beside(d.minute)
		open, err = d.Store.OpenIncidents(ctx)
		must(t, err)
		wantSame(t, open["shop"].UnwellCycles, 3)
	}
}

// What a round cannot record is no fault of the tier.
func TestARoundThatCannotBeWrittenLeavesTheTierAlone(t *testing.T) {
	d := newDesk(t)
	d.works(1)
	d.broken["mail"].Store(true)
	var log strings.Builder
	d.Log = slog.New(slog.NewTextHandler(&log, nil))
	d.refusesRows("events")
	d.Alive = func(context.Context) { t.Error("a round that failed counts as alive") }
	d.beside(func() {
		d.looks <- d.Now()
		d.looks <- d.Now() // when the first round has failed
	})
	for _, line := range []string{"watching beside the tier failed: ", "that is not recorded: "} {
		if !strings.Contains(log.String(), line) {
			t.Errorf("the log does not say %q: %s", line, &log)
		}
	}
}

// While a tier works for a person on one service, all others are watched, beside Tier 1 too: results are of no session, and nothing is said of
// the service itself.
func TestAllAreWatchedWhileATierWorksForAPerson(t *testing.T) {
	for _, tier := range []int{1, 2} {
		d := newDesk(t)
		d.works(tier)
		d.Asked = Asked{Whole: d.Inventory, Services: []string{"shop"}}
		d.Inventory = d.Inventory.Part(func(service string) string { return strings.TrimPrefix(service, "shop") })
		d.broken["shop"].Store(true)
		d.broken["mail"].Store(true)
		d.beside(func() {
			d.minute()
			want := fmt.Sprintf("Tier %d works on shop. The next cycle looks at it.", tier)
			if m := <-d.sent; m.Title != "mail is down: HTTP 502" || !strings.Contains(m.Body, want) {
				t.Errorf("the message is %+v, want %q in it", m, want)
			}
			d.minute()
		})
		wantSame(t, d.kinds(), []string{"down mail"})
		last, err := d.Store.LastChecks(t.Context(), "mail")
		must(t, err)
		if len(last) != 1 || last[0].SessionID != nil {
			t.Errorf("Tier %d: the last result of mail is %+v", tier, last)
		}
	}
}
