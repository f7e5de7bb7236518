package notify

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// night is the time at which the messages of these tests are made.
var night = time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)

func earlier(d time.Duration) time.Time { return night.Add(-d) }

// For any number of services: the digest fits, and its last part is the cost.
func TestDigestOfAnyNumberOfServicesFits(t *testing.T) {
	for _, number := range []int{1, 8, 300} {
		n, err := crowded(number).Notification(asIs)
		if err != nil {
			t.Fatal(err)
		}
		same(t, n.Title, fmt.Sprintf("Daily digest: 0 of %d service%s healthy, $0.50", number, strings.Repeat("s", min(number-1, 1))))
		m := Compose([]store.Notification{n}, "", "")
		if runes(m.Body) > maxBody {
			t.Errorf("%d characters:\n%s", runes(m.Body), m.Body)
		}
		const cost = "\n\nCost since then: $0.50; in 7 days: $2.00; $0.00 of the day's budget of $1.00 left.\n- Tier 1: $0.50 in 24 sessions, 1 failed\n\n"
		if !strings.Contains(m.Body, cost) {
			t.Errorf("no cost in\n%s", m.Body)
		}
		for paragraph := range strings.SplitSeq(n.Body, "\n\n") {
			if lines := strings.Count(paragraph, "\n"); lines > mostListed+1 {
				t.Errorf("%d lines in\n%s", lines, paragraph)
			}
		}
		if rest := fmt.Sprintf("\n- … and %d more", number-mostListed); number > mostListed {
			same(t, strings.Count(n.Body, rest), 4)
		}
	}
}

// crowded returns a day on which everything happened to every service.
func crowded(number int) Digest {
	closed := night
	d := Digest{
		Since: earlier(24 * time.Hour), Watched: number, Open: number, Opened: number, WeekUSD: 2, BudgetUSD: 1, Name: asIs,
		Tiers: []store.TierTotal{{Tier: 1, Sessions: 24, Failed: 1, CostUSD: 0.5}},
	}
	for i := range number {
		name := fmt.Sprintf("%04d", i)
		d.Services = append(d.Services, name+": "+strings.Repeat("error ", 50))
		d.Below = append(d.Below, store.Uptime{Service: name, Week: store.Watched{Time: 168 * time.Hour, Down: time.Hour}})
		d.Closed = append(d.Closed, store.Incident{Service: name, OpenedAt: earlier(time.Hour), ClosedAt: &closed})
		d.Worked = append(d.Worked, store.Work{Service: name, Action: statefile.Restart, Tier: 2, Times: 1})
	}
	return d
}
