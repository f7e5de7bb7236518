package store

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

// A check that could not be made says nothing about its service.
func TestAnUnknownCheckIsNeitherUpNorDown(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	found := func(at time.Time, status check.Status) {
		ok(t, s.AddChecks(ctx, Reported, 0, at, []check.Result{{Service: "web", Type: check.Container, Status: status, Error: "why"}}))
	}
	found(noon.Add(-4*time.Hour), check.Healthy)
	found(noon.Add(-2*time.Hour), check.Down)
	found(noon.Add(-time.Hour), check.Unknown)

	same(t, must(s.Uptimes(ctx, noon, "web"))[0].Day, Watched{Time: 3 * time.Hour, Down: time.Hour})
	days := must(s.LooksByDay(ctx, []time.Time{noon.Add(-24 * time.Hour), noon}, 10))
	same(t, days, []DayLooks{{Service: "web", Healthy: 1, Down: 1}})
	same(t, must(s.LastFault(ctx, "web", noon.Add(-90*time.Minute), noon)), "")
}
