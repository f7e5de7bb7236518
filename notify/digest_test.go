package notify

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// night is the time at which the digests of these tests are made.
var night = time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)

func earlier(d time.Duration) time.Time { return night.Add(-d) }

func TestDigestSaysHowTheServicesAre(t *testing.T) {
	one := make([]UnwellService, 1)
	for want, d := range map[string]Digest{
		"Daily digest: the only service is healthy":        {Services: 1},
		"Daily digest: both services are healthy":          {Services: 2},
		"Daily digest: all 12 services are healthy":        {Services: 12},
		"Daily digest: 1 of 1 service is unwell":           {Services: 1, Unwell: one},
		"Daily digest: 2 of 12 services are unwell, $0.42": {Services: 12, Unwell: make([]UnwellService, 2), Day: store.Day{Tiers: []store.TierTotal{{CostUSD: 0.42}}}},
		"Daily digest: nothing was checked in this cycle":  {Unchecked: true, Services: 3, Unwell: one},
	} {
		same(t, d.Title(), want)
	}
}

// For any number of services: the digest fits, its first sentence counts them all, and its last line is the cost.
func TestDigestOfAnyNumberOfServicesFits(t *testing.T) {
	for _, number := range []int{1, 3, 300, 10_000} {
		for _, length := range []int{4, check.MaxServiceName} {
			t.Run(fmt.Sprintf("%d services of %d bytes", number, length), func(t *testing.T) {
				d := crowded(number, length)
				body := d.Body(asIs)
				if n := utf8.RuneCountInString(body); n > MaxBody {
					t.Errorf("%d characters:\n%s", n, body)
				}
				first, _, _ := strings.Cut(body, "\n")
				same(t, first, strings.ToUpper(d.state()[:1])+d.state()[1:]+".")
				for _, want := range []string{"\n\nUptime, as a share of the time watched:\n", "\n\nIncidents in 24 h: ", "\n\nIn cooldown:\n", "\n\nSilenced:\n", "\n\nCost in 24 h: $0.50 (Tier 1 $0.50 in 24 sessions), 7 days $2.00."} {
					if !strings.Contains(body, want) {
						t.Errorf("no %q in\n%s", want, body)
					}
				}
				if told := strings.Count(body, " in 7 days") + strings.Count(body, "more below 100 %"); told < min(number, 2) {
					t.Errorf("uptimes are missing in\n%s", body)
				}
				if strings.Count(body, "and "+fmt.Sprint(number-namedInLine)+" more") < 2 && number > namedInLine {
					t.Errorf("what is not named is not counted in\n%s", body)
				}
			})
		}
	}
}

// crowded returns a day on which everything happened to every service.
func crowded(number, length int) Digest {
	d := Digest{Now: night, Since: earlier(24 * time.Hour), Services: number, WeekUSD: 2, Open: number}
	d.Day = store.Day{IncidentsOpened: number, IncidentsClosed: number, Remediations: number, RemediationsFailed: number}
	d.Day.Tiers = []store.TierTotal{}
	closed := night
	for i := range number {
		name := fmt.Sprintf("%04d", i)
		name += strings.Repeat("x", max(0, length-len(name)))
		d.Unwell = append(d.Unwell, UnwellService{Name: name, Status: check.Down, Found: strings.Repeat("error ", 50)})
		d.Uptimes = append(d.Uptimes, store.Uptime{Service: name, Day: store.Watched{Time: 24 * time.Hour, Down: time.Hour}, Week: store.Watched{Time: 168 * time.Hour, Down: time.Hour}})
		d.Missed = append(d.Missed, store.Uptime{Service: name})
		d.Worked = append(d.Worked, store.Work{Service: name, Action: statefile.Restart, Tier: 2, Times: 1})
		d.Cooling = append(d.Cooling, CoolingService{name, []Forbidden{{statefile.Restart, night}, {statefile.Restart, night}}})
		d.Silences = append(d.Silences, store.Silence{Service: name, Until: night, Reason: strings.Repeat("why ", 100)})
		if i < MostListed {
			d.Closed = append(d.Closed, store.Incident{Service: name, OpenedAt: earlier(time.Hour), ClosedAt: &closed})
		}
	}
	d.Day.Tiers = append(d.Day.Tiers, store.TierTotal{Tier: 1, Sessions: 24, CostUSD: 0.5})
	return d
}
