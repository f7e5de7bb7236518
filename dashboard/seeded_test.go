package dashboard

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/seeded"
)

// seededAt returns the instance of a lab.
func seededAt(t *testing.T, lab *seeded.Lab) *house {
	t.Helper()
	h := &house{t: t, dir: lab.StateDir}
	c := config.Config{StateDir: lab.StateDir, ResultsDir: lab.ResultsDir, MaxTier: 3}
	h.Instance = New(Options{Config: c, Inventory: func() *inventory.Inventory { return nil }, Now: func() time.Time { return lab.Now }})
	return h
}

// everySession shows each session with its log, and returns the number of lines.
func (h *house) everySession() (sessions, lines int) {
	h.t.Helper()
	for q := (store.SessionFilter{Limit: 200}); ; {
		page := got(h.Sessions(h.t.Context(), q))(h.t)
		for _, chain := range page.Chains {
			for _, l := range chain.Sessions {
				sessions++
				if d := got(h.Session(h.t.Context(), l.ID))(h.t); d.Session.ID != l.ID || len(d.Chain.Sessions) != len(chain.Sessions) {
					h.t.Errorf("session %d has a chain of %d, in the list of %d", l.ID, len(d.Chain.Sessions), len(chain.Sessions))
				}
				lines += len(got(h.LogPage(h.t.Context(), l.ID))(h.t).Lines)
			}
		}
		if q.Before = page.Next; q.Before == 0 {
			return sessions, lines
		}
	}
}

// everyIncident shows each incident, and counts the entries of their timelines by kind.
func (h *house) everyIncident() map[string]int {
	h.t.Helper()
	kinds := map[string]int{}
	for q := (store.IncidentFilter{}); ; {
		page := got(h.Incidents(h.t.Context(), q))(h.t)
		for _, incident := range page.Incidents {
			for _, e := range got(h.Incident(h.t.Context(), incident.ID))(h.t).Timeline {
				kinds[e.Kind]++
			}
		}
		if q.Before = page.Next; q.Before == 0 {
			return kinds
		}
	}
}

// All records of cycles can be shown.
func TestEveryRecordOfAHomelabIsShown(t *testing.T) {
	lab := got(seeded.Homelab(t.Context(), t.TempDir(), morning))(t)
	h := seededAt(t, lab)
	if sessions, lines := h.everySession(); sessions < 100 || lines < 100 {
		t.Errorf("%d sessions with %d lines", sessions, lines)
	}
	if kinds := h.everyIncident(); kinds["opened"] < 3 || kinds["granted"] == 0 || kinds["refused"] == 0 {
		t.Errorf("the incidents are told by %v", kinds)
	}
	if d := got(h.Session(t.Context(), lab.Chain[1]))(t); d.Handoff == nil || d.Handoff.Fault != "" || len(d.Calls) == 0 || d.CallsNote != "" {
		t.Errorf("Tier 2 of the chain has the handoff %+v and %d calls %s", d.Handoff, len(d.Calls), d.CallsNote)
	}
	if d := got(h.Session(t.Context(), lab.Running))(t); d.Gone {
		t.Error("what runs is gone")
	}
}

// Foreign text in every field can be shown, too.
func TestEveryRecordOfAHostileDatabaseIsShown(t *testing.T) {
	var payloads []string
	for n, payload := range got(seeded.Payloads("web/testdata/payloads.txt"))(t) {
		if n%8 == 0 { // package web tests all of them over HTTP
			payloads = append(payloads, payload)
		}
	}
	lab, infested, err := seeded.Hostile(t.Context(), t.TempDir(), morning, payloads...)
	fine(t, err)
	h := seededAt(t, lab)
	if sessions, _ := h.everySession(); sessions != 3*len(infested) {
		t.Errorf("%d sessions of %d payloads", sessions, len(infested))
	}
	if opened := h.everyIncident()["opened"]; opened < len(infested) {
		t.Errorf("%d incidents of %d payloads", opened, len(infested))
	}
}
