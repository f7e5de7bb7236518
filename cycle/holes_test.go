package cycle

import (
	"slices"
	"testing"

	"github.com/claudeops/claudeops/check"
)

func TestHolesAreGatheredByTheirCause(t *testing.T) {
	unknown := func(service, why string) check.Result {
		return check.Result{Service: service, Type: check.Container, Status: check.Unknown, Error: why}
	}
	found := holes([]check.Result{
		unknown("web", "no answer from the engine within 10s"), unknown("db", "the variable DB_PW is not set"), result("shop", check.Down),
		unknown("mail", "no answer from the engine within 20s"), unknown("told", "I could not reach docker"), unknown("said", "docker: permission denied"),
	}, map[string]check.Status{"web": check.Unknown, "db": check.Unknown, "mail": check.Unknown, "shop": check.Down})
	var got [][]string
	causes := map[string]bool{}
	for _, h := range found {
		var names []string
		for _, r := range h.checks {
			names = append(names, r.Service)
		}
		got = append(got, names)
		causes[string(h.cause)] = true
	}
	want := [][]string{{"web", "mail"}, {"db"}, {"told", "said"}}
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) || len(causes) != len(want) {
		t.Errorf("%v by %d causes, want %v", got, len(causes), want)
	}
}
