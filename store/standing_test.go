package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

func TestOpenSeesWhatBecameOfTheSchema(t *testing.T) {
	s := fresh(t)
	for _, c := range []struct {
		statement string
		want      error
	}{
		{`PRAGMA user_version = 99`, ErrNewer},
		{`PRAGMA application_id = 0`, ErrForeign},
	} {
		_, err := s.db.ExecContext(t.Context(), c.statement)
		ok(t, err)
		if _, err := Open(t.Context(), s.path, ReadOnly); !errors.Is(err, c.want) {
			t.Errorf("after %s: %v, want %v", c.statement, err, c.want)
		}
	}
}

// A page that is asked for all the time must keep to the order of a table.
func TestMonthsOfChecksAreNotSorted(t *testing.T) {
	for _, step := range fresh(t).plan(t, looksByDay) {
		if strings.Contains(step, "health_checks") || strings.Contains(step, "TEMP B-TREE") {
			t.Errorf("it reads more than it must, or sorts: %s", step)
		}
	}
}

func TestServiceNamesOfEveryTable(t *testing.T) {
	s := fresh(t)
	if names := must(s.ServiceNames(t.Context())); len(names) != 0 {
		t.Errorf("%q", names)
	}
	for _, name := range []string{"b", "a", "b", ""} {
		ok(t, s.AddChecks(t.Context(), Reported, 0, noon, []check.Result{{Service: name, Type: check.HTTP, Status: check.Healthy}}))
	}
	must(s.OpenIncident(t.Context(), Incident{Service: "c", Status: check.Down}))
	ok(t, s.PutAct(t.Context(), Act{ID: "1", Service: "d", Action: "restart", Source: SourceReserved, CreatedAt: noon.Add(-time.Hour)}))
	same(t, must(s.ServiceNames(t.Context())), []string{"", "a", "b", "c", "d"})
}
