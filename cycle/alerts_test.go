package cycle

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// chainByAlert opens an incident of a service by an alert, and starts a chain for it.
func (r *room) chainByAlert(service string, at time.Time) {
	r.t.Helper()
	must(r.t, r.Store.AddAlert(r.t.Context(), store.AlertRow{Source: "s", Service: service, Means: check.Down, ReceivedAt: at}))
	tier := r.ran(2, at, store.Completed, 0, "")
	must(r.t, r.Store.LinkSession(r.t.Context(), r.opens(service, at).ID, tier.ID, "", ""))
}

// Names that the inventory does not know are the sender's to choose: together they have the limit that each service has.
func TestAlertsOfUnknownNamesShareOneChain(t *testing.T) {
	inv, err := inventory.Parse([]byte("services: [{name: shop}, {name: mail}]"))
	must(t, err)
	for name, tt := range map[string]struct {
		chain   string
		ago     time.Duration
		service string
		want    bool // held back
	}{
		"another unknown name":        {"new1", time.Minute, "new2", true},
		"the same unknown name":       {"new1", time.Minute, "new1", true},
		"an unknown name, later":      {"new1", state.AlertsApart, "new2", false},
		"a known one after a new one": {"new1", time.Minute, "shop", false},
		"a new one after a known one": {"shop", time.Minute, "new1", false},
		"another known one":           {"shop", time.Minute, "mail", false},
		"the same known one":          {"shop", time.Minute, "shop", true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			r.Inventory = inv
			r.chainByAlert(tt.chain, earlier(tt.ago))
			must(t, r.Store.AddAlert(t.Context(), store.AlertRow{Source: "other", Service: tt.service, Means: check.Down, ReceivedAt: night}))
			wantSame(t, r.service(tt.service).Held(state.Incidents).Kind == state.AlertApart, tt.want)
		})
	}
}

// RULE "Alerts": they start at most one model's cycle in 10 min, and what has been started holds nothing back in its own cycle.
func TestAnAlertsTierHoldsBackTheCyclesAfterItsOwn(t *testing.T) {
	r := newRoom(t)
	r.chainByAlert("new", earlier(time.Minute))
	now, err := r.picture(t.Context())
	must(t, err)
	for began, held := range map[time.Time]bool{earlier(2 * time.Minute): false, earlier(time.Minute): false, night: true} {
		wantSame(t, Round{Now: now, Began: began}.hold(now.Service("new")).Given(), held)
	}
}
