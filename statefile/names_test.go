package statefile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestMergeNamesMakesOneEntryOfAService(t *testing.T) {
	at := func(hour int) statefile.Record {
		return statefile.Record{Timestamp: statefile.At(time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC))}
	}
	nameOf := func(name string) string { return strings.TrimSuffix(strings.TrimSuffix(name, ".service"), "-1") }
	for name, tt := range map[string]struct {
		was, want map[string]*statefile.Service
	}{
		"nothing":  {nil, nil},
		"no alias": {map[string]*statefile.Service{"web": {ConsecutiveHealthy: 1}}, map[string]*statefile.Service{"web": {ConsecutiveHealthy: 1}}},
		"only the alias": {map[string]*statefile.Service{"web-1": {Restarts: []statefile.Record{at(1)}, ConsecutiveHealthy: 1}},
			map[string]*statefile.Service{"web": {Restarts: []statefile.Record{at(1)}, ConsecutiveHealthy: 1}}},
		"both": {map[string]*statefile.Service{
			"web":   {Restarts: []statefile.Record{at(2)}, ConsecutiveHealthy: 1, Extra: jsontext.Value(`{"note":"web"}`)},
			"web-1": {Restarts: []statefile.Record{at(1), at(3)}, Redeployments: []statefile.Record{at(4)}, Extra: jsontext.Value(`{"note":"web-1","more":1}`)},
		}, map[string]*statefile.Service{
			"web": {Restarts: []statefile.Record{at(1), at(2), at(3)}, Redeployments: []statefile.Record{at(4)}, Extra: jsontext.Value(`{"note":"web"}`)},
		}},
		"two aliases": {map[string]*statefile.Service{"web-1": {Restarts: []statefile.Record{at(2)}}, "web.service": {Restarts: []statefile.Record{at(1)}}},
			map[string]*statefile.Service{"web": {Restarts: []statefile.Record{at(1), at(2)}}}},
		"null under the name":  {map[string]*statefile.Service{"web": nil, "web-1": {Restarts: []statefile.Record{at(1)}}}, map[string]*statefile.Service{"web": {Restarts: []statefile.Record{at(1)}}}},
		"null under the alias": {map[string]*statefile.Service{"web": {Restarts: []statefile.Record{at(1)}}, "web-1": nil}, map[string]*statefile.Service{"web": {Restarts: []statefile.Record{at(1)}}}},
	} {
		st := &statefile.State{Services: tt.was}
		st.MergeNames(nameOf)
		if diff := cmp.Diff(tt.want, st.Services); diff != "" && len(tt.want)+len(st.Services) > 0 {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}
