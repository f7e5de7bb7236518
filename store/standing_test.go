package store

import (
	"errors"
	"fmt"
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
		{`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, TRUE)`, ErrNewer},
		{`DROP TABLE goose_db_version`, ErrForeign},
	} {
		_, err := s.db.ExecContext(t.Context(), c.statement)
		ok(t, err)
		if _, err := Open(t.Context(), s.path, ReadOnly); !errors.Is(err, c.want) {
			t.Errorf("after %s: %v, want %v", c.statement, err, c.want)
		}
	}
}

func TestUptimeOfAServiceIsThatOfUptimes(t *testing.T) {
	s := fresh(t)
	for n := range 40 {
		service := fmt.Sprintf("s%d", n%3)
		ok(t, s.AddChecks(t.Context(), nil, ago(float64(n*5)), []check.Result{{Service: service, Type: check.HTTP, Status: check.Statuses()[n*7%3]}}))
	}
	all := must(s.Uptimes(t.Context(), noon))
	if len(all) != 3 {
		t.Fatalf("%+v", all)
	}
	for _, want := range all {
		same(t, must(s.WatchedFor(t.Context(), want.Service, noon, 24*time.Hour, 7*24*time.Hour)), []Watched{want.Day, want.Week})
	}
	same(t, must(s.WatchedFor(t.Context(), "nobody", noon, time.Hour)), []Watched{{}})
}

// TestMonthsOfChecksAreNotReadRowByRow has the queries of a page that is asked for all the time keep to the index.
func TestMonthsOfChecksAreNotReadRowByRow(t *testing.T) {
	s := fresh(t)
	plan := func(r row, detail *string) error { var a, b, c int; return r.Scan(&a, &b, &c, detail) }
	for name, query := range map[string]string{"looksByDay": looksByDay} {
		for n := range 4 {
			query = strings.ReplaceAll(query, fmt.Sprintf("?%d", n+1), "NULL")
		}
		steps := must(listBy(t.Context(), s, "explain", plan, `EXPLAIN QUERY PLAN `+strings.ReplaceAll(query, "LIMIT ?", "LIMIT 9")))
		for _, step := range steps {
			if strings.Contains(step, "health_checks") && (!strings.Contains(step, "SEARCH") || !strings.Contains(step, "COVERING INDEX health_checks_service")) {
				t.Errorf("%s reads more than it must: %s", name, step)
			}
			if name == "looksByDay" && strings.Contains(step, "TEMP B-TREE") {
				t.Errorf("%s sorts: %s", name, step)
			}
		}
	}
}

func TestServiceNamesOfEveryTable(t *testing.T) {
	s := fresh(t)
	if names := must(s.ServiceNames(t.Context(), 10)); len(names) != 0 {
		t.Errorf("%q", names)
	}
	for _, name := range []string{"b", "a", "b", ""} {
		ok(t, s.AddChecks(t.Context(), nil, noon, []check.Result{{Service: name, Type: check.HTTP, Status: check.Healthy}}))
	}
	must(s.OpenIncident(t.Context(), Incident{Service: "c", Status: check.Down}))
	ok(t, s.PutAct(t.Context(), Act{ID: "1", Service: "d", Action: "restart", Source: SourceReserved, CreatedAt: noon.Add(-time.Hour)}))
	same(t, must(s.ServiceNames(t.Context(), 10)), []string{"", "a", "b", "c", "d"})
	same(t, must(s.ServiceNames(t.Context(), 2)), []string{"", "a"})
}
