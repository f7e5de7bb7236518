package cycle

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/books"
	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func asIs(s string) string { return s }

func TestSPEC0007_REQ9_FirstRunNoDigestEverSent(t *testing.T) {
	r := newRoom(t)
	r.finds(map[string]string{"shop": "", "db": ""})
	must(t, r.queueDigest(t.Context()))
	r.wantTold(store.DailyDigest, "Daily digest: both services are healthy", `Both services are healthy.

Uptime: 100 %, today and in 7 days.

No incidents in 24 h.

Nothing was remediated in 24 h.

Cost: $0.00, 7 days $0.00.`)
	wantSame(t, r.digestAt().Time, night)
}

func TestSPEC0007_REQ9_DigestSentWithin24Hours(t *testing.T) {
	r := newRoom(t)
	for _, after := range []time.Duration{0, time.Minute, 6 * time.Hour, 24 * time.Hour} {
		r.again(night.Add(after))
		must(t, r.queueDigest(t.Context()))
		if told := r.told(store.DailyDigest); len(told) != 1 || !r.digestAt().Equal(night) {
			t.Errorf("%v after a digest there are %d, and the last is of %v", after, len(told), r.digestAt())
		}
	}
}

func TestSPEC0007_REQ9_DigestOverdue(t *testing.T) {
	r := newRoom(t)
	must(t, r.queueDigest(t.Context()))
	for day := 1; day <= 3; day++ {
		r.again(night.Add(time.Duration(day) * 26 * time.Hour))
		must(t, r.queueDigest(t.Context()))
		if told := r.told(store.DailyDigest); len(told) != day+1 || !r.digestAt().Equal(r.now) {
			t.Errorf("on day %d there are %d, and the last is of %v", day, len(told), r.digestAt())
		}
	}
}

// A cron job starts a little earlier or later within its second; no day may be without a digest for that.
func TestADigestADayWhateverTheFractionOfTheSecond(t *testing.T) {
	r := newRoom(t)
	r.now = night.Add(900 * time.Millisecond)
	must(t, r.queueDigest(t.Context()))
	r.again(night.Add(24*time.Hour + 100*time.Millisecond))
	must(t, r.queueDigest(t.Context()))
	wantSame(t, len(r.told(store.DailyDigest)), 2)
}

// A cycle that is killed after the digest was queued and before last_daily_digest was written: the next one writes it.
func TestAQueuedDigestIsNotQueuedAgain(t *testing.T) {
	for name, last := range map[string]*statefile.Time{"the first": nil, "a later one": {Time: earlier(48 * time.Hour)}} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			must(t, r.Ledger.Update(t.Context(), func(st *statefile.State) error { st.LastDailyDigest = last; return nil }))
			must(t, r.Notify(t.Context(), store.Notification{Kind: store.DailyDigest, Title: "queued"}))
			r.again(night.Add(time.Hour))
			must(t, r.queueDigest(t.Context()))
			if told := r.told(store.DailyDigest); len(told) != 1 || r.digestAt() == nil || !r.digestAt().Equal(night) {
				t.Errorf("%d digests, the last of %v, want the one of %v", len(told), r.digestAt(), night)
			}
			r.again(night.Add(24*time.Hour + time.Second)) // a day after the one that people have
			must(t, r.queueDigest(t.Context()))
			wantSame(t, len(r.told(store.DailyDigest)), 2)
		})
	}
}

// A digest of a clock that ran a year ahead is none of today.
func TestADigestOfTheFutureHoldsNoneBack(t *testing.T) {
	r := newRoom(t)
	_, err := r.Store.QueueNotification(t.Context(), store.Notification{Kind: store.DailyDigest, CreatedAt: night.Add(365 * 24 * time.Hour)})
	must(t, err)
	must(t, r.queueDigest(t.Context()))
	wantSame(t, len(r.told(store.DailyDigest)), 2)
	wantSame(t, r.digestAt().Time, night)
}

func TestNoDigestWhereNobodyWouldGetIt(t *testing.T) {
	for name, change := range map[string]func(*room){
		"no target": func(r *room) { r.Config.AppriseURLs = nil },
		"paused": func(r *room) {
			_, _, err := r.Silence(r.t.Context(), "", time.Hour, "moving house")
			must(r.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			change(r)
			must(t, r.queueDigest(t.Context()))
			if told := r.told(store.DailyDigest); len(told) != 0 || r.digestAt() != nil {
				t.Errorf("%d digests, the last of %v", len(told), r.digestAt())
			}
		})
	}
}

// Everything that a digest tells, as the database has it.
func TestDigestOfABadDay(t *testing.T) {
	r := newRoom(t)
	ctx := t.Context()
	r.Config.DailyBudgetUSD = 2
	for h := 23; h > 0; h-- {
		r.now = earlier(time.Duration(h) * time.Hour)
		is := map[string]string{"shop": "", "db": "", "mail": "", "web": ""}
		if h < 3 {
			is["shop"] = "HTTP 502"
		}
		if h > 20 {
			is["db"] = "refused"
		}
		r.finds(is)
	}
	r.opens("shop", earlier(2*time.Hour))
	over, closed := r.opens("db", earlier(23*time.Hour)), earlier(20*time.Hour)
	over.ClosedAt = &closed
	must(t, r.Store.SaveIncident(ctx, over))
	r.again(night)
	r.finds(map[string]string{"shop": "HTTP 502, key hunter22", "db": "", "mail": "", "web": "slow"})
	r.held = map[string]books.Hold{"web": {Reason: "silenced until 2026-11-21T05:00:00Z (a new disk)"}}
	_, _, err := r.Silence(ctx, "web", 2*time.Hour, "a new disk")
	must(t, err)
	for i, success := range []bool{true, false} {
		must(t, r.Store.PutAct(ctx, store.Act{ID: fmt.Sprint("shop", i), Service: "shop", Action: statefile.Restart, Success: success, Tier: 2, CreatedAt: earlier(time.Hour)}))
	}
	must(t, r.Store.PutAct(ctx, store.Act{ID: "db", Service: "db", Action: statefile.Redeployment, Success: true, CreatedAt: earlier(20 * time.Hour)}))
	must(t, r.Ledger.Update(ctx, func(st *statefile.State) error {
		for i := range 2 {
			st.Add("shop", statefile.Restart, statefile.Record{ID: fmt.Sprint("shop", i), Timestamp: statefile.At(earlier(time.Hour)), Tier: 2})
		}
		return nil
	}))
	r.ran(1, earlier(5*time.Hour), store.Completed, 0.1, "")
	r.ran(1, earlier(4*time.Hour), store.Failed, 0, "")
	r.ran(2, earlier(time.Hour), store.Completed, 0.32, "")
	r.ran(2, earlier(50*time.Hour), store.Completed, 1.68, "")
	must(t, r.queueDigest(ctx))
	r.wantTold(store.DailyDigest, "Daily digest: 2 of 4 services are unwell, $0.42", `2 of 4 services are unwell.
- shop: down since 2026-11-21 01:00 UTC (2 h), incident 1; http: HTTP 502, key [redacted]
- web: down; silenced until 2026-11-21T05:00:00Z (a new disk); http: slow

Uptime:
- db: 87.5 % today, 87.5 % in 7 days (down 3 h)
- shop: 87.5 % today, 87.5 % in 7 days (down 2 h)
- web: 95.8 % today, 95.8 % in 7 days
- 1 other: 100 %

Incidents in 24 h: 2 opened, 1 closed; 1 open now.
- closed: db after 3 h

3 remediations in 24 h, 1 failed.
- shop: 2 restarts by Tier 2, 1 failed
- db: 1 redeployment by an operator, succeeded

In cooldown:
- shop: no restart before 2026-11-21 06:00 UTC

Silenced:
- web until 2026-11-21 05:00 UTC (a new disk)

Cost: $0.42 (Tier 1 $0.10 in 2 sessions of which 1 failed, Tier 2 $0.32 in 1), 7 days $2.10. Of the day's budget of $2.00, $1.58 is left.`)
}

func TestDigestSaysWhatWasNotSeen(t *testing.T) {
	r := newRoom(t)
	r.opens("shop", earlier(50*time.Hour))
	must(t, r.queueDigest(t.Context()))
	r.wantTold(store.DailyDigest, "Daily digest: nothing was checked in this cycle", `Nothing was checked in this cycle.
- shop: down since 2026-11-19 01:00 UTC (2 days 2 h), incident 1; not looked at in this cycle

Incidents in 24 h: 0 opened, 0 closed; 1 open now.

Nothing was remediated in 24 h.

Cost: $0.00, 7 days $0.00.`)
}

func TestDigestSaysHowTheServicesAre(t *testing.T) {
	one := make([]unwellService, 1)
	for want, d := range map[string]digest{
		"Daily digest: the only service is healthy":        {services: 1},
		"Daily digest: both services are healthy":          {services: 2},
		"Daily digest: all 12 services are healthy":        {services: 12},
		"Daily digest: 1 of 1 service is unwell":           {services: 1, unwell: one},
		"Daily digest: 2 of 12 services are unwell, $0.42": {services: 12, unwell: make([]unwellService, 2), day: store.Day{Tiers: []store.TierTotal{{CostUSD: 0.42}}}},
		"Daily digest: nothing was checked in this cycle":  {unchecked: true, services: 3, unwell: one},
	} {
		wantSame(t, d.title(), want)
	}
}

// However many services there are: it fits, the first sentence counts them all, and the last line is the cost.
func TestDigestOfAnyNumberOfServicesFits(t *testing.T) {
	for _, number := range []int{1, 3, 300, 10_000} {
		for _, length := range []int{4, check.MaxServiceName} {
			t.Run(fmt.Sprintf("%d services of %d bytes", number, length), func(t *testing.T) {
				d := crowded(number, length)
				body := d.body(asIs)
				if n := utf8.RuneCountInString(body); n > books.MaxBody {
					t.Errorf("%d characters:\n%s", n, body)
				}
				first, _, _ := strings.Cut(body, "\n")
				wantSame(t, first, strings.ToUpper(d.state()[:1])+d.state()[1:]+".")
				for _, want := range []string{"\n\nUptime:\n", "\n\nIncidents in 24 h: ", "\n\nIn cooldown:\n", "\n\nSilenced:\n", "\n\nCost: $0.50 (Tier 1 $0.50 in 24 sessions), 7 days $2.00."} {
					if !strings.Contains(body, want) {
						t.Errorf("no %q in\n%s", want, body)
					}
				}
				if told := strings.Count(body, " today, ") + strings.Count(body, "more below 100 %"); told < min(number, 2) {
					t.Errorf("uptimes are missing in\n%s", body)
				}
				if strings.Count(body, "and "+fmt.Sprint(number-mostNamed)+" more") < 2 && number > mostNamed {
					t.Errorf("what is not named is not counted in\n%s", body)
				}
			})
		}
	}
}

// crowded is a day on which everything happened to every service.
func crowded(number, length int) digest {
	d := digest{now: night, services: number, weekUSD: 2, open: number}
	d.day = store.Day{IncidentsOpened: number, IncidentsClosed: number, Remediations: number, RemediationsFailed: number}
	d.day.Tiers = []store.TierTotal{}
	closed := night
	for i := range number {
		name := fmt.Sprintf("%04d", i)
		name += strings.Repeat("x", max(0, length-len(name)))
		d.unwell = append(d.unwell, unwellService{name: name, status: check.Down, found: strings.Repeat("error ", 50)})
		d.uptimes = append(d.uptimes, store.Uptime{Service: name, Day: store.Looks{Count: 24, Down: 1}, Week: store.Looks{Count: 168, Down: 1}})
		d.missed = append(d.missed, name)
		d.worked = append(d.worked, store.Work{Service: name, Action: statefile.Restart, Tier: 2, Times: 1})
		p := books.Permission{Position: statefile.Position{Action: statefile.Restart, Used: 2, Limit: 2, FreesAt: night}}
		d.cooling = append(d.cooling, coolingService{name, p, p})
		d.silences = append(d.silences, store.Silence{Service: name, Until: night, Reason: strings.Repeat("why ", 100)})
		if i < mostLines {
			d.closed = append(d.closed, store.Incident{Service: name, OpenedAt: earlier(time.Hour), ClosedAt: &closed})
		}
	}
	d.day.Tiers = append(d.day.Tiers, store.TierTotal{Tier: 1, Sessions: 24, CostUSD: 0.5})
	return d
}
