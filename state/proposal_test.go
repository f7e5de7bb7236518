package state_test

import (
	"testing"

	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

func TestWhatOutdatesAProposal(t *testing.T) {
	id := int64(7)
	p := store.Proposal{Service: "shop", IncidentID: &id, Fingerprint: "a"}
	for want, i := range map[string]*store.Incident{
		"":                                    {ID: 7, Fingerprint: "a"},
		"shop has recovered":                  nil,
		"what is wrong with shop has changed": {ID: 7, Fingerprint: "b"},
	} {
		is := state.Service{Name: "shop", Incident: i}
		if got := is.Outdated(p); got != want {
			t.Errorf("incident %+v: %q, want %q", i, got, want)
		}
	}
	is := state.Service{Name: "shop", Incident: &store.Incident{ID: 8}}
	if got := is.Outdated(store.Proposal{Service: "shop"}); got != "" {
		t.Errorf("a proposal without an incident: %q", got)
	}
}
