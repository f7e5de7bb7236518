package records

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/google/go-cmp/cmp"
)

func TestUnion(t *testing.T) {
	r := func(id string, age time.Duration) statefile.Record {
		r := statefile.Record{Timestamp: statefile.At(noon.Add(-age)), Success: true}
		r.ID = id
		return r
	}
	for _, tc := range []struct {
		name             string
		file, kept, want []statefile.Record
	}{
		{"nothing", nil, nil, nil},
		{"cleared", nil, []statefile.Record{r("a", time.Hour)}, []statefile.Record{r("a", time.Hour)}},
		{"in both", []statefile.Record{r("a", 2*time.Hour)}, []statefile.Record{r("a", time.Hour)}, []statefile.Record{r("a", 2*time.Hour)}},
		{"others' records", []statefile.Record{r("", time.Hour), r("b", time.Minute)}, []statefile.Record{r("a", 2*time.Hour)},
			[]statefile.Record{r("a", 2*time.Hour), r("", time.Hour), r("b", time.Minute)}},
		{"kept without an id", []statefile.Record{r("", time.Hour)}, []statefile.Record{r("", time.Hour)}, []statefile.Record{r("", time.Hour), r("", time.Hour)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, union(tc.file, tc.kept)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
