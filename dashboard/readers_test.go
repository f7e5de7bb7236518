package dashboard

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// A service is as its checks and its alerts are, the worse of both, for everybody who asks: the status, the pages and the API, the metrics.
func TestAllReadersSayTheSameOfAService(t *testing.T) {
	for name, c := range map[string]struct {
		check, alert check.Status // empty: none
		want         check.Status
	}{
		"neither":                                 {"", "", check.Unknown},
		"a check alone":                           {check.Degraded, "", check.Degraded},
		"an alert alone":                          {"", check.Down, check.Down},
		"an alert beside a healthy check":         {check.Healthy, check.Degraded, check.Degraded},
		"an alert beside a worse check":           {check.Down, check.Degraded, check.Down},
		"a worse alert beside a failing check":    {check.Degraded, check.Down, check.Down},
		"an alert beside a check that has a hole": {check.Unknown, check.Down, check.Down},
		"a check that has a hole":                 {check.Unknown, "", check.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.inv = got(inventory.Parse([]byte("services: [{name: shop, aliases: [shop-1]}]")))(t)
			h.cycle(morning.Add(-time.Hour), store.CycleCompleted)
			if c.check != "" {
				h.found(morning.Add(-time.Minute), "shop", c.check)
			}
			if c.alert != "" {
				fine(t, h.store.AddAlert(t.Context(), store.AlertRow{
					Source: "s", Service: "shop-1", Fingerprint: "f", Means: c.alert, Title: "slow", StartsAt: morning, ReceivedAt: morning,
				}))
			}
			status, o := h.status(), h.overview()
			page := got(h.Services(t.Context(), ServiceQuery{}))(t)
			filtered := got(h.Services(t.Context(), ServiceQuery{Status: c.want}))(t)
			detail := got(h.Service(t.Context(), "shop-1", Day1))(t)
			figures := got(h.Figures(t.Context()))(t)
			if len(page.Services) != 1 || len(o.Services) != 1 || len(filtered.Services) != 1 || len(figures.Services) != 1 {
				t.Fatalf("it is no one service to all: %+v, %+v, %+v, %+v", page, o.Services, filtered, figures.Services)
			}
			for reader, is := range map[string]check.Status{
				"services": page.Services[0].Status, "overview": o.Services[0].Status, "service": detail.Status, "metrics": figures.Services["shop"],
			} {
				if cmp.Or(is, check.Unknown) != c.want {
					t.Errorf("%s: %q, want %q", reader, is, c.want)
				}
			}
			if status.Counts[string(c.want)] != 1 || o.Counts[string(c.want)] != 1 {
				t.Errorf("status counts %v, overview %v", status.Counts, o.Counts)
			}
			shown := slices.ContainsFunc(status.Unwell, func(u Unwell) bool { return u.Service == "shop" && u.Status == c.want })
			if shown != c.want.Unwell() {
				t.Errorf("status lists %+v", status.Unwell)
			}
		})
	}
}
