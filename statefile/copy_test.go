package statefile_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/statefile"
)

// named returns the record of a restart an hour ago with an id.
func named(id string) statefile.Record {
	r := done(time.Hour)
	r.ID = id
	return r
}

// web returns a state of one service.
func web(healthy int, restarts ...statefile.Record) *statefile.State {
	s := statefile.New()
	*s.Ensure("web") = statefile.Service{Restarts: restarts, ConsecutiveHealthy: healthy}
	return s
}

func TestOnlyWhatAnAgentAddsToItsCopyCounts(t *testing.T) {
	failed := named("a")
	failed.Success = false
	for _, tc := range []struct {
		name                  string
		base, copied, s, want *statefile.State
		streaks               bool
		lost                  int
	}{
		{"nothing", web(0, named("a")), web(0, named("a")), web(0, named("a")), web(0, named("a")), false, 0},
		{"a record", web(0, named("a")), web(0, named("a"), done(0)), web(0, named("a")), web(0, named("a"), done(0)), false, 0},
		{"a record like one that is there", web(0, named("a")), web(0, named("a"), done(time.Hour)), web(0, named("a")), web(0, named("a"), done(time.Hour)), false, 0},
		{"a record of a new service", statefile.New(), web(0, done(0)), statefile.New(), web(0, done(0)), false, 0},
		{"two alike", web(0), web(0, done(0), done(0)), web(0), web(0, done(0), done(0)), false, 0},
		{"a record beside one of others", web(0), web(0, done(0)), web(0, named("b")), web(0, named("b"), done(0)), false, 0},
		{"rewritten without ids", web(0, named("a")), web(0, done(time.Hour), done(0)), web(0, named("a")), web(0, named("a"), done(0)), false, 0},
		{"removed", web(0, named("a")), web(0), web(0, named("a")), web(0, named("a")), false, 1},
		{"the service removed", web(0, named("a")), statefile.New(), web(0, named("a")), web(0, named("a")), false, 1},
		{"altered", web(0, named("a")), web(0, failed), web(0, named("a")), web(0, named("a")), false, 1},
		{"removed by an operator meanwhile", web(0, named("a")), web(0, named("a"), done(0)), web(0), web(0, done(0)), false, 0},
		{"a streak, of Tier 1", web(0), web(1), web(0), web(1), true, 0},
		{"a streak, of another tier", web(0), web(1), web(0), web(0), false, 0},
		{"the second healthy cycle", web(1, named("a")), web(0), web(1, named("a")), web(2, named("a")), true, 0},
		{"and again, when the records were there again", web(2, named("a")), web(0), web(2, named("a")), web(2, named("a")), true, 0},
		{"a streak that ends, without records", web(1), web(0), web(1), web(0), true, 0},
		{"a record with an id of the agent's own", web(0), web(0, named("a")), web(0), web(0, done(time.Hour)), false, 0},
		{"the second healthy cycle, and a record of others", web(1, named("a")), web(0), web(1, named("a"), named("b")), web(2, named("a"), named("b")), true, 0},
		{"copied to another service", web(0, named("a")), &statefile.State{Services: map[string]*statefile.Service{"web": web(0, named("a")).Services["web"], "db": web(0, named("a")).Services["web"]}}, web(0, named("a")), web(0, named("a")), false, 0},
		{"a recovery of another tier", web(1, named("a")), web(0), web(1, named("a")), web(1, named("a")), false, 1},
		{"records removed in the first healthy cycle", web(0, named("a")), web(1), web(0, named("a")), web(1, named("a")), true, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			added, removed := tc.s.Take(tc.base, tc.copied, tc.streaks)
			if len(removed) != tc.lost {
				t.Errorf("lost %+v, want %d", removed, tc.lost)
			}
			for _, e := range added {
				tc.s.Add(e.Service, e.Action, e.Record)
			}
			if diff := cmp.Diff(text(t, tc.want), text(t, tc.s)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func text(t *testing.T, s *statefile.State) string {
	t.Helper()
	b, err := s.Marshal()
	must(t, err)
	return string(b)
}

// Whatever an agent changes in its copy, no other record is lost, and each record that it adds counts once.
func TestPropertyACopyNeverTakesARecordAway(t *testing.T) {
	records := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) statefile.Record {
		return statefile.Record{
			Timestamp: statefile.At(noon.Add(-time.Duration(rapid.IntRange(0, 2).Draw(r, "age")) * time.Hour)),
			Success:   rapid.Bool().Draw(r, "success"), ID: rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(r, "id"),
		}
	}), 0, 4)
	rapid.Check(t, func(r *rapid.T) {
		base, added := records.Draw(r, "base"), rapid.IntRange(0, 3).Draw(r, "added")
		kept := base[:rapid.IntRange(0, len(base)).Draw(r, "kept")]
		copied := append([]statefile.Record{}, kept...)
		for range added {
			copied = append(copied, statefile.Record{Timestamp: statefile.At(noon.Add(time.Hour)), Success: true})
		}
		s := web(0, base...)
		more, _ := s.Take(web(0, base...), web(0, copied...), false)
		for _, e := range more {
			s.Add(e.Service, e.Action, e.Record)
		}
		if got := len(s.Service("web").Restarts); got != len(base)+added {
			r.Errorf("%d records, want the %d there were and the %d added", got, len(base), added)
		}
	})
}
