package cycle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestSPEC0007_REQ9_FirstRunNoDigestEverSent(t *testing.T) {
	r := newRoom(t)
	r.finds(map[string]string{"shop": "", "db": ""})
	must(t, r.queueDigest(t.Context()))
	r.wantTold(store.DailyDigest, "Daily digest: both services are healthy", `Both services are healthy.

Watching since 2026-11-21 03:00 UTC.

No incidents in 24 h.

Nothing was remediated in 24 h.

Cost in 24 h: $0.00, 7 days $0.00.`)
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

// A cycle that is killed after the digest was queued and before last_daily_digest was written: the next one writes it.
func TestAQueuedDigestIsNotQueuedAgain(t *testing.T) {
	for name, last := range map[string]*time.Time{"the first": nil, "a later one": new(earlier(48 * time.Hour))} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			must(t, r.UpdateState(t.Context(), func(st *statefile.State) error { st.LastDailyDigest = last; return nil }))
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
	wantSame(t, *r.digestAt(), night)
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
	r.held = map[string]state.Hold{"web": {Kind: state.Silenced, Reason: "silenced until 2026-11-21 05:00 UTC (a new disk)"}}
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
	r.wantTold(store.DailyDigest, "Daily digest: 2 of 4 services are unwell, $0.42", `2 of 4 services are unwell.
- shop: down since 2026-11-21 01:00 UTC (2 h), incident 1; http: HTTP 502, key [redacted]
- web: down; silenced until 2026-11-21 05:00 UTC (a new disk); http: slow

Uptime, watching since 2026-11-20 04:00 UTC:
- db: 87.0 % (down 3 h)
- shop: 91.3 % (down 2 h)
- web: 99.99 %
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

Cost in 24 h: $0.42 (Tier 1 $0.10 in 2 sessions of which 1 failed, Tier 2 $0.32 in 1), 7 days $2.10. Of the day's budget of $2.00, $1.58 is left.`)
}

// Looking again and again at what is down, as operators and tiers do, leaves the digest as it is.
func TestDigestTellsUptimeByTime(t *testing.T) {
	for _, looks := range []int{1, 12} {
		t.Run(fmt.Sprint(looks, " looks"), func(t *testing.T) {
			r := newRoom(t)
			for h := 7 * 24; h > 0; h-- {
				r.now = earlier(time.Duration(h) * time.Hour)
				r.finds(map[string]string{"shop": "", "mail": ""})
			}
			for n := looks; n > 0; n-- {
				r.now = earlier(time.Duration(n) * 2 * time.Minute / time.Duration(looks))
				r.finds(map[string]string{"shop": "HTTP 502"})
			}
			r.again(night)
			must(t, r.queueDigest(t.Context()))
			told := r.told(store.DailyDigest)
			const want = "\n- shop: 99.86 % in 24 h (down 2 min), 99.98 % in 7 days\n- 1 other: 100 %\n"
			if len(told) != 1 || !strings.Contains(told[0].Body, want) {
				t.Errorf("no %q in %+v", want, told)
			}
		})
	}
}

// What was last found a day ago or earlier says nothing of the last 24 h, whatever its week was like.
func TestDigestLeavesOutUptimeOfWhatWasNotLookedAtForADay(t *testing.T) {
	r := newRoom(t)
	for name, before := range map[string]time.Duration{"old": 25 * time.Hour, "shop": 24 * time.Hour} {
		r.now = earlier(before)
		r.finds(map[string]string{name: "refused"})
	}
	r.again(night)
	must(t, r.queueDigest(t.Context()))
	told := r.told(store.DailyDigest)
	if len(told) != 1 || !strings.Contains(told[0].Body, "- shop: 0 % in 24 h (down 1 day), 0 % in 7 days\n\n") || strings.Contains(told[0].Body, "- old: 0 %") {
		t.Errorf("told %+v", told)
	}
}

// Nothing is told in no digest: with hourly cycles the next one is due 25 h after the last.
func TestDigestTellsWhatHappenedSinceTheLastOne(t *testing.T) {
	for name, tt := range map[string]struct {
		last time.Duration
		file bool // where the database has none any more
		span string
		told bool
	}{
		"25 hours ago":            {24*time.Hour + 50*time.Minute, false, "25 h", true},
		"25 hours ago, by file":   {24*time.Hour + 50*time.Minute, true, "25 h", true},
		"three days ago":          {74 * time.Hour, false, "3 days 2 h", true},
		"a month ago":             {30 * 24 * time.Hour, false, "7 days", true},
		"just now, and asked for": {time.Minute, false, "24 h", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			ctx, closed := t.Context(), earlier(24*time.Hour+12*time.Minute)
			over := r.opens("shop", earlier(24*time.Hour+36*time.Minute))
			over.ClosedAt = &closed
			must(t, r.Store.SaveIncident(ctx, over))
			must(t, r.Store.PutAct(ctx, store.Act{ID: "a", Service: "shop", Action: statefile.Restart, Tier: 2, CreatedAt: earlier(24*time.Hour + 24*time.Minute)}))
			last := statefile.At(earlier(tt.last))
			if tt.file {
				must(t, r.UpdateState(ctx, func(st *statefile.State) error { st.LastDailyDigest = &last; return nil }))
			} else {
				_, err := r.Store.QueueNotification(ctx, store.Notification{Kind: store.DailyDigest, Title: "the last", CreatedAt: last})
				must(t, err)
				must(t, r.UpdateState(ctx, func(st *statefile.State) error { st.LastRun = new(last.Add(time.Second)); return nil }))
			}
			r.again(night)
			must(t, r.queueDigest(ctx))
			told := r.told(store.DailyDigest)
			n := told[len(told)-1]
			for _, part := range []string{"\nIncidents in " + tt.span + ": 1 opened, 1 closed; 0 open now.\n- closed: shop after 24 min\n", "\n1 remediation in " + tt.span + ", 1 failed.\n- shop: 1 restart by Tier 2, failed\n"} {
				if strings.Contains(n.Body, part) != tt.told {
					t.Errorf("%q: want %t in\n%s", part, tt.told, n.Body)
				}
			}
			if !strings.Contains(n.Body, "\nCost in "+tt.span+": $0.00, 7 days $0.00.") {
				t.Errorf("no %q in\n%s", tt.span, n.Body)
			}
		})
	}
}

// Whether a digest that is queued already is the one that is due: by what the cycle that queued it could write.
func TestADigestWhoseTimeIsNotInTheFile(t *testing.T) {
	at := night.Add(900 * time.Millisecond)
	for name, tt := range map[string]struct {
		lastRun time.Time
		want    int
		kept    time.Time
	}{
		"an operator wants another":              {at.Add(50 * time.Millisecond), 2, night.Add(time.Hour)}, // cooldown.json has the same second
		"the cycle was killed":                   {earlier(time.Hour), 1, night},
		"no cycle has come to its end":           {time.Time{}, 1, night},
		"the file could not be written for days": {earlier(50 * time.Hour), 1, night},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			r.now = at
			must(t, r.Notify(t.Context(), store.Notification{Kind: store.DailyDigest, Title: "queued"}))
			if !tt.lastRun.IsZero() {
				must(t, r.UpdateState(t.Context(), func(st *statefile.State) error { st.LastRun = new(tt.lastRun); return nil }))
			}
			r.again(night.Add(time.Hour))
			must(t, r.queueDigest(t.Context()))
			wantSame(t, len(r.told(store.DailyDigest)), tt.want)
			wantSame(t, *r.digestAt(), tt.kept)
		})
	}
}

// An incident of a service that was renamed or taken out is told apart, with how to end it; the service is none of those watched.
func TestDigestTellsOfWhatIsNoLongerInTheInventory(t *testing.T) {
	r := newRoom(t)
	var err error
	r.Inventory, err = inventory.Parse([]byte("services: [{name: mailer, checks: [{type: service, address: \"127.0.0.1:1\"}]}]\n"))
	must(t, err)
	r.now = earlier(2 * time.Hour)
	r.finds(map[string]string{"mail": "refused"})
	r.opens("mail", r.now)
	r.again(night)
	r.finds(map[string]string{"mailer": ""})
	must(t, r.queueDigest(t.Context()))
	const want = "The only service is healthy.\n" +
		"- mail: not in the inventory any more; `claudeops incidents close 1` ends its incident\n\nUptime: 100 %"
	if told := r.told(store.DailyDigest); len(told) != 1 || !strings.HasPrefix(told[0].Body, want) {
		t.Errorf("no %q in %+v", want, told)
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
	r.finds(map[string]string{"evil.example/pay": "slow", "shop.example.com": own, "mail": "see https://evil.example/log"})
	markOwn(r.found, []check.Result{{Service: "shop.example.com", Type: check.HTTP, Error: own}})
	must(t, r.queueDigest(t.Context()))
	body := r.told(store.DailyDigest)[0].Body
	if strings.Contains(body, "evil.example") {
		t.Errorf("a name or an error can be a link:\n%s", body)
	}
	for _, want := range []string{
		"- https[:]//evil[.]example/pay: not in", "- evil[.]example/pay: down", "https[:]//evil[.]example/log", "- shop.example.com: down", own,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
}

// What a tier of the same cycle has mended is not told as unwell.
func TestDigestTellsHowItIsAfterTheChain(t *testing.T) {
	r := newRoom(t)
	r.finds(map[string]string{"shop": "HTTP 502", "db": "refused"})
	r.view = []check.Result{{Service: "shop", Status: check.Healthy}, {Service: "db", Status: check.Down}}
	d, err := r.digest(t.Context(), night, nil)
	must(t, err)
	wantSame(t, len(d.Unwell), 1)
	wantSame(t, d.Unwell[0].Name, "db")
	wantSame(t, d.Title(), "Daily digest: 1 of 2 services is unwell")
}

func TestDigestSaysWhatWasNotSeen(t *testing.T) {
	r := newRoom(t)
	r.opens("shop", earlier(50*time.Hour))
	must(t, r.queueDigest(t.Context()))
	const want = "Nothing was checked in this cycle.\n" +
		"- shop: down since 2026-11-19 01:00 UTC (2 days 2 h), incident 1; not looked at in this cycle\n"
	if told := r.told(store.DailyDigest); len(told) != 1 || !strings.HasPrefix(told[0].Body, want) {
		t.Errorf("no %q in %+v", want, told)
	}
}
