package cycle

import (
	"slices"
	"testing"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

func TestUncheckableChecksAreGatheredByTheirCause(t *testing.T) {
	unknown := func(source store.Source, service, why string) store.Check {
		return store.Check{Source: source, Result: check.Result{Service: service, Type: check.Container, Status: check.Unknown, Error: why}}
	}
	found := uncheckables([]store.Check{
		unknown(store.Probed, "web", "no answer from the engine within 10s"), unknown(store.Probed, "db", "the variable DB_PW is not set"),
		{Source: store.Probed, Result: result("shop", check.Down)}, unknown(store.Probed, "mail", "no answer from the engine within 20s"),
		unknown(store.Reported, "told", "I could not reach docker"), unknown(store.Reported, "web", "docker: permission denied"),
	})
	var got [][]string
	causes := map[string]bool{}
	for _, u := range found {
		var names []string
		for _, r := range u.checks {
			names = append(names, r.Service)
		}
		got = append(got, names)
		causes[string(u.cause)] = true
	}
	want := [][]string{{"web", "mail"}, {"db"}, {"told", "web"}}
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) || len(causes) != len(want) {
		t.Errorf("%v by %d causes, want %v", got, len(causes), want)
	}
}
