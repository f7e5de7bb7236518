package cycle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestSPEC0007_REQ9_FirstRunNoDigestEverSent(t *testing.T) {
	r := newRoom(t)
	r.finds(map[string]string{"shop": "", "db": ""})
	must(t, r.queueDigest(t.Context()))
	r.wantTold(store.DailyDigest, "Daily digest: 2 of 2 services healthy", `2 of 2 services healthy.

Uptime in 24 h and in 7 days, of the time watched: 100 %.

Since 2026-11-20 03:00 UTC: 0 incidents opened, 0 closed; 0 open now.

Remediated since then: nothing.

Cost since then: $0.00; in 7 days: $0.00.`)
	wantSame(t, *r.digestAt(), night)
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

// With a time of day, each passing of it is one digest, a day of 23 hours too; what was missed comes with the next cycle.
func TestADigestAtATimeOfDay(t *testing.T) {
	r := newRoom(t)
	inv, err := inventory.Parse([]byte("services: []\ndigest: '08:00 Europe/Berlin'"))
	must(t, err)
	r.Inventory = inv
	r.now = time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC)
	must(t, r.queueDigest(t.Context())) // the first, at once
	sent := 1
	for _, cycle := range []struct {
		at  time.Time
		due bool
	}{
		{time.Date(2026, 3, 28, 6, 59, 59, 0, time.UTC), false},
		{time.Date(2026, 3, 28, 7, 0, 20, 0, time.UTC), true},
		{time.Date(2026, 3, 29, 5, 59, 0, 0, time.UTC), false},
		{time.Date(2026, 3, 29, 6, 0, 0, 0, time.UTC), true}, // the clock was put forward
		{time.Date(2026, 3, 30, 5, 0, 0, 0, time.UTC), false},
		{time.Date(2026, 3, 30, 17, 0, 0, 0, time.UTC), true}, // nothing ran at 8:00
		{time.Date(2026, 3, 31, 6, 0, 0, 0, time.UTC), true},
		{time.Date(2026, 3, 31, 6, 1, 0, 0, time.UTC), false},
	} {
		r.again(cycle.at)
		must(t, r.queueDigest(t.Context()))
		if cycle.due {
			sent++
		}
		if got := len(r.told(store.DailyDigest)); got != sent {
			t.Fatalf("at %v there are %d, want %d", cycle.at, got, sent)
		}
	}
}

func TestNoDigestWhereNobodyWouldGetIt(t *testing.T) {
	for name, change := range map[string]func(*room){
		"no target": func(r *room) { r.Config.AppriseURLs = nil },
		"paused": func(r *room) {
			_, _, err := r.Silence(r.t.Context(), "", time.Hour, "moving house", "command, by ann")
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
	_, _, err := r.Silence(ctx, "web", 2*time.Hour, "a new disk", "command, by ann")
	must(t, err)
	for i, success := range []bool{true, false} {
		must(t, r.Store.PutAct(ctx, store.Act{ID: fmt.Sprint("shop", i), Service: "shop", Action: statefile.Restart, Success: success, Tier: 2, CreatedAt: earlier(time.Hour)}))
	}
	must(t, r.Store.PutAct(ctx, store.Act{ID: "db", Service: "db", Action: statefile.Redeployment, Success: true, CreatedAt: earlier(20 * time.Hour)}))
	must(t, r.UpdateState(ctx, func(st *statefile.State) error {
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
	r.wantTold(store.DailyDigest, "Daily digest: 2 of 4 services healthy, $0.42", `2 of 4 services healthy.
- shop: down for 2 h, incident 1; http: HTTP 502, key [redacted]; no restart before 2026-11-21 06:00 UTC
- web: down; silenced until 2026-11-21 05:00 UTC (a new disk); http: slow

Uptime in 24 h and in 7 days, of the time watched, where it is not 100 %:
- db: 87.0 % (down 3 h), 87.0 %
- shop: 91.3 % (down 2 h), 91.3 %
- web: 99.99 % (down 0 s), 99.99 %

Since 2026-11-20 03:00 UTC: 2 incidents opened, 1 closed; 1 open now.
- db: closed after 3 h

Remediated since then:
- shop: 2 restarts by Tier 2, 1 failed
- db: 1 redeployment by an operator

Cost since then: $0.42; in 7 days: $2.10; $1.58 of the day's budget of $2.00 left.
- Tier 1: $0.10 in 2 sessions, 1 failed
- Tier 2: $0.32 in 1 session`)
}

// What is no longer looked at has no uptime, and what should be is told.
func TestDigestOfWhatIsNotLookedAt(t *testing.T) {
	r := newRoom(t)
	var err error
	const checks = ", checks: [{type: http, url: 'http://127.0.0.1:1'}]}"
	r.Inventory, err = inventory.Parse([]byte("services: [{name: mail" + checks + ", {name: shop" + checks + ", {name: idle}]\n"))
	must(t, err)
	for name, before := range map[string]time.Duration{"old": 30 * time.Hour, "mail": 30 * time.Hour, "shop": 24 * time.Hour} {
		r.now = earlier(before)
		r.finds(map[string]string{name: "refused"})
	}
	r.opens("old", earlier(30*time.Hour))
	r.again(night)
	r.summary.StartedAt = earlier(24 * time.Hour)
	must(t, r.queueDigest(t.Context()))
	const want = `0 of 3 services healthy.
- shop: down; http: refused
- mail: not checked
- old: down for 1 day 6 h, incident 1; not checked

Uptime in 24 h and in 7 days, of the time watched, where it is not 100 %:
- shop: 0 % (down 1 day), 0 %

`
	if told := r.told(store.DailyDigest); len(told) != 1 || !strings.HasPrefix(told[0].Body, want) {
		t.Errorf("no %q in %+v", want, told)
	}
}

// Nothing is told in no digest: with hourly cycles the next one is due 25 h after the last.
func TestDigestTellsWhatHappenedSinceTheLastOne(t *testing.T) {
	for name, tt := range map[string]struct {
		last  time.Duration
		since string
		told  bool
	}{
		"25 hours ago":      {24*time.Hour + 50*time.Minute, "2026-11-20 02:10", true},
		"a month ago":       {30 * 24 * time.Hour, "2026-10-22 03:00", true},
		"never, or not now": {0, "2026-11-20 03:00", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			ctx, closed := t.Context(), earlier(24*time.Hour+12*time.Minute)
			over := r.opens("shop", earlier(24*time.Hour+36*time.Minute))
			over.ClosedAt = &closed
			must(t, r.Store.SaveIncident(ctx, over))
			must(t, r.Store.PutAct(ctx, store.Act{ID: "a", Service: "shop", Action: statefile.Restart, Tier: 2, CreatedAt: earlier(24*time.Hour + 24*time.Minute)}))
			if tt.last > 0 {
				last := statefile.At(earlier(tt.last))
				must(t, r.UpdateState(ctx, func(st *statefile.State) error { st.LastDailyDigest = &last; return nil }))
			}
			r.again(night)
			must(t, r.queueDigest(ctx))
			body := r.told(store.DailyDigest)[0].Body
			if !strings.Contains(body, "\nSince "+tt.since+" UTC: ") {
				t.Errorf("it is not since %s:\n%s", tt.since, body)
			}
			for _, part := range []string{": 1 incident opened, 1 closed; 0 open now.\n- shop: closed after 24 min\n", "\n- shop: 1 restart by Tier 2, 1 failed\n"} {
				if strings.Contains(body, part) != tt.told {
					t.Errorf("%q: want %t in\n%s", part, tt.told, body)
				}
			}
		})
	}
}

// Nothing that a sender or an agent chose is a link, and what the services file and the program's own checks say stays as it is.
func TestDigestHasNoLinkThatOthersMade(t *testing.T) {
	r := newRoom(t)
	var err error
	r.Inventory, err = inventory.Parse([]byte("services: [{name: shop.example.com, checks: [{type: http, url: \"http://127.0.0.1:1\"}]}, {name: mail}]\n"))
	must(t, err)
	r.opens("https://evil.example/pay", earlier(time.Hour))
	const own = "HTTP 502 from https://shop.example.com"
	r.finds(map[string]string{"evil.example/pay": "slow", "mail": "see https://evil.example/log"})
	must(t, r.Store.AddChecks(t.Context(), store.Probed, 0, r.now, []check.Result{{Service: "shop.example.com", Type: check.HTTP, Status: check.Down, Error: own}}))
	must(t, r.queueDigest(t.Context()))
	body := r.told(store.DailyDigest)[0].Body
	if strings.Contains(body, "evil.example") {
		t.Errorf("a name or an error can be a link:\n%s", body)
	}
	for _, want := range []string{
		"- https[:]//evil[.]example/pay: down for 1 h", "- evil[.]example/pay: down", "https[:]//evil[.]example/log", "- shop.example.com: down", own,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
}
