package records

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// A recovery empties the windows, but not the day's count.
func TestTheDaysCeiling(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxRemediationsPerDay = 3
	for range 2 {
		d.session(2)
		d.wantGranted(restart("shop"))
		d.settle()
		ok(t, d.Reset(t.Context(), "shop"))
		d.now = d.now.Add(time.Hour)
	}
	d.session(3)
	d.wantGranted(Wanted{Service: "shop", Action: statefile.Other, Detail: "reload"})
	d.wantRefused(Wanted{Service: "shop", Action: statefile.Other}, "no limit but the day's, and 3 of 3 remediations in 24 h")
	same(t, len(d.reads().Service("shop").Restarts), 0)
	d.now = d.now.Add(24*time.Hour - 2*time.Hour - time.Minute) // all three still count
	if refused := d.reserves(restart("shop")); refused == nil || !strings.Contains(refused.Error(), "3 of 3 remediations in 24 h, free again at 2026-03-02T12:00:01Z") {
		t.Errorf("refused: %v", refused)
	}
	d.now = d.now.Add(time.Minute)
	d.wantGranted(restart("shop"))
	d.Config.MaxRemediationsPerDay = 0
	d.wantGranted(restart("shop"))
}

func TestAHumanIsAskedOnce(t *testing.T) {
	d := newFixture(t)
	id, err := d.Store.OpenIncident(t.Context(), store.Incident{Service: "shop", Status: check.Down, OpenedAt: d.now, LastSeenAt: d.now})
	ok(t, err)
	d.done("shop", statefile.Restart, time.Hour, time.Hour)
	d.session(2)
	for range 3 {
		if refused := d.reserves(restart("shop")); refused == nil || !refused.HumanAsked {
			t.Errorf("refused: %v", refused)
		}
	}
	p, err := limitOf(d, "shop")
	ok(t, err)
	ok(t, d.LimitReached(t.Context(), &LimitError{Service: "shop", Permission: p}))
	asked := d.asked()
	if len(asked) != 1 || asked[0].IncidentID == nil || *asked[0].IncidentID != id || asked[0].Cause != string(LimitsUsedUp) {
		t.Errorf("asked %+v", asked)
	}
	events, err := d.Store.Events(t.Context(), store.EventFilter{Service: "shop"})
	ok(t, err)
	same(t, len(events), 4)
}

// Everything that counts is listed, whatever its time.
func TestARefusalListsWhatHasNoTime(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	d.writes(`{"services":{"shop":{"restarts":[{"timestamp":"2026-03-01T07:00:00Z","success":true},
		{"timestamp":"2026-03-01T11:00:00Z","success":true},{"success":true}]}}}`)
	refused := d.reserves(restart("shop"))
	if refused == nil {
		t.Fatal("granted")
	}
	same(t, refused.Tried, []string{"restart at 2026-03-01T11:00:00Z succeeded", "restart at 2026-03-01T12:00:01Z succeeded"})
}

func limitOf(d *fixture, service string) (Permission, error) {
	limits, err := d.Limits(d.t.Context())
	if err != nil {
		return Permission{}, err
	}
	return limits.Of(d.t.Context(), service, statefile.Restart)
}

// If no human can be asked, it is still refused, and the refusal does not claim that one was asked.
func TestARefusalThatCannotBeTold(t *testing.T) {
	d := newFixture(t)
	d.done("shop", statefile.Restart, time.Hour, time.Hour)
	d.session(2)
	other, err := store.Open(t.Context(), d.dir+"/"+store.FileName, store.ReadOnly)
	ok(t, err)
	was := d.Store
	d.Store = other
	err = d.Reserve(t.Context(), "toolu_1", restart("shop"))
	d.Store = was
	ok(t, other.Close())
	var refused *LimitError
	if !errors.As(err, &refused) || refused.HumanAsked || strings.Contains(err.Error(), "has been asked") || !strings.Contains(err.Error(), "add an event") {
		t.Errorf("error %v", err)
	}
}

func TestReserveWhatCannotBe(t *testing.T) {
	d := newFixture(t)
	if err := d.Reserve(t.Context(), "toolu_1", restart("shop")); err == nil || !strings.Contains(err.Error(), "CLAUDEOPS_SESSION_ID") {
		t.Errorf("outside a session: %v", err)
	}
	ok(t, d.Complete(t.Context(), "toolu_1", true, "", 0))
	d.session(2)
	for name, tt := range map[string]struct {
		toolUse string
		wanted  Wanted
		says    string
	}{
		"no tool use": {"", restart("shop"), "tool use's id"},
		"no name":     {"toolu_1", restart(""), "empty"},
		"control":     {"toolu_1", restart("a\x1b[2J"), "control character"},
		"no UTF-8":    {"toolu_1", restart("a\xff"), "UTF-8"},
	} {
		if err := d.Reserve(t.Context(), tt.toolUse, tt.wanted); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	same(t, len(d.reads().Services), 0)
}

func TestRecordsHoldOneLineWithoutSecrets(t *testing.T) {
	d := newFixture(t)
	d.session(2)
	long := strings.Repeat("é", 1000)
	ok(t, d.Reserve(t.Context(), "toolu_1", Wanted{Service: "shop", Action: statefile.Restart, Detail: "docker\trestart\n --token hunter22\u202e \xff" + long}))
	ok(t, d.Complete(t.Context(), "toolu_1", false, "Exit code 1\r\nhunter22 \x1b[31mrefused", 0))
	r := d.reads().Service("shop").Restarts[0]
	same(t, r.Error, "Exit code 1 [redacted] refused")
	same(t, r.ActionDetail, "docker restart --token [redacted] �"+strings.Repeat("é", 400-36)+"…")
}
