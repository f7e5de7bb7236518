package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/store"
)

func filtersOf(t *testing.T, query string) *filters {
	t.Helper()
	values := must(url.ParseQuery(query))(t)
	return &filters{values: values, zone: time.FixedZone("CEST", 2*3600)}
}

func TestFiltersOfSessions(t *testing.T) {
	for query, want := range map[string]store.SessionFilter{
		"": {},
		"status=&tier=&trigger=&service=&from=&until=&before=&quiet=": {},
		"quiet=false": {},
		"status=timed_out&tier=2&trigger=escalation&service=a%2Fb&before=17&limit=3": {
			Status: store.TimedOut, Tier: 2, Trigger: "escalation", Service: "a/b", Before: 17, Limit: 3,
		},
		"from=2026-07-01":                     {From: time.Date(2026, 6, 30, 22, 0, 0, 0, time.UTC)},
		"until=2026-07-01":                    {Until: time.Date(2026, 7, 1, 22, 0, 0, 0, time.UTC)},
		"from=2026-07-01&until=2026-07-01":    {From: time.Date(2026, 6, 30, 22, 0, 0, 0, time.UTC), Until: time.Date(2026, 7, 1, 22, 0, 0, 0, time.UTC)},
		"from=2026-07-01T10:30":               {From: time.Date(2026, 7, 1, 8, 30, 0, 0, time.UTC)},
		"from=2026-07-01T10:30:00Z":           {From: time.Date(2026, 7, 1, 10, 30, 0, 0, time.UTC)},
		"until=2026-07-01T10:30:00.5%2B01:00": {Until: time.Date(2026, 7, 1, 9, 30, 0, 5e8, time.UTC)},
		"tier=1&tier=9":                       {Tier: 1},
		"utm_source=x":                        {},
	} {
		got, err := filtersOf(t, query).sessions()
		want.Loud = true
		got.From, got.Until = got.From.UTC(), got.Until.UTC()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v (%v), want %+v", query, got, err, want)
		}
	}
}

func TestQuietSessionsAreFilteredUnlessWanted(t *testing.T) {
	got, err := filtersOf(t, "quiet=true").sessions()
	if err != nil || got.Loud {
		t.Errorf("%+v (%v)", got, err)
	}
}

func TestFiltersThatAreWrong(t *testing.T) {
	for _, query := range []string{
		"status=done", "status=Running", "tier=0", "tier=4", "tier=1.5", "tier=+1x", "trigger=me", "quiet=maybe", "before=0", "before=-1", "before=9223372036854775808", "limit=0", "limit=201",
		"from=2026", "from=2026-13-01", "from=2026-02-30", "from=tomorrow", "from=0000-01-01", "until=9999-12-31", "from=0001-01-01", "from=-2026-01-01",
		"from=2026-07-02&until=2026-07-01", "from=2026-07-01T10:00&until=2026-07-01T10:00", "service=%ff",
	} {
		if got, err := filtersOf(t, query).sessions(); err == nil {
			t.Errorf("%s is %+v", query, got)
		} else if faultOf(err).Status != http.StatusBadRequest {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestOtherFilters(t *testing.T) {
	yes, no, session := true, false, int64(5)
	for query, want := range map[string]store.IncidentFilter{
		"": {}, "open=true&service=x&before=3": {Open: &yes, Service: "x", Before: 3}, "open=0": {Open: &no},
	} {
		if got, err := filtersOf(t, query).incidents(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("incidents %s: %+v (%v)", query, got, err)
		}
	}
	for query, want := range map[string]dashboard.ServiceQuery{
		"": {}, "q=a&status=down&after=%ff&limit=500": {Text: "a", Status: check.Down, After: "\xff", Limit: 500},
	} {
		if got, err := filtersOf(t, query).services(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("services %s: %+v (%v)", query, got, err)
		}
	}
	for query, want := range map[string]store.EventFilter{
		"": {}, "level=critical&session=5&service=x&before=9": {Level: store.Critical, SessionID: &session, Service: "x", Before: 9},
	} {
		if got, err := filtersOf(t, query).events(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("events %s: %+v (%v)", query, got, err)
		}
	}
}

func TestNextPagesKeepTheFilters(t *testing.T) {
	r := httptest.NewRequest(http.MethodGet, "/sessions?tier=2&before=90&service=a%26b", nil)
	f := &filters{request: r}
	if got := further(f, "before", int64(7)); got != "/sessions?before=7&service=a%26b&tier=2" {
		t.Error(got)
	}
	if got := further(f, "before", int64(0)); got != "" {
		t.Error(got)
	}
	if got := further(f, "after", "0"); !strings.Contains(got, "after=0") { // a possible name of a service
		t.Error(got)
	}
}

func FuzzFilters(f *testing.F) {
	for _, seed := range []string{
		"", "status=running&tier=1", "from=2026-07-01&until=2026-07-02T10:00", "before=1&limit=5", "open=yes", "level=info&session=1", "span=7d", "q=%ff&after=%00",
		"from=2026-07-01T00:00:00-23:59", "service=" + "x", "a=%zz;b", "tier=%31",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, _ := url.ParseQuery(query) // as requests are parsed: invalid values are ignored
		read := func() *filters { return &filters{values: values, zone: time.UTC} }
		if q, err := read().sessions(); err == nil {
			if q.Tier < 0 || q.Tier > maxSessionTier || q.Limit < 0 || q.Limit > 200 || q.Before < 0 || len(q.Service) > maxFilter {
				t.Errorf("%q: %+v", query, q)
			}
			if !q.From.IsZero() && !q.Until.IsZero() && !q.From.Before(q.Until) {
				t.Errorf("%q: from %s until %s", query, q.From, q.Until)
			}
			for _, at := range []time.Time{q.From, q.Until} {
				if _, err := at.UTC().MarshalText(); err != nil {
					t.Errorf("%q: %v", query, err)
				}
			}
		} else if faultOf(err).Status != http.StatusBadRequest {
			t.Errorf("%q: %v", query, err)
		}
		for name, err := range map[string]error{
			"incidents": second(read().incidents()), "services": second(read().services()), "events": second(read().events()), "span": second(read().span()),
			"offset": second(read().offset()),
		} {
			if err != nil && faultOf(err).Status != http.StatusBadRequest {
				t.Errorf("%s %q: %v", name, query, err)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }
