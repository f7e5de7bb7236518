package crontab

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/schedule"
)

func TestTooOftenForAModel(t *testing.T) {
	const paid = "a model is Tier 1, and would be started, and paid for, after as little as "
	for _, tt := range []struct {
		schedule []string
		want     string
	}{
		{[]string{"* * * * *"}, paid + "1 min"},
		{[]string{"*/14 * * * *"}, paid + "4 min"},
		{[]string{"*/15 * * * *"}, ""},
		{[]string{"0 * * * *"}, ""},
		{[]string{"0 * * * *", "10 6 * * 1"}, paid + "10 min"},
		{[]string{"0 * * * *", "0 6 * * *"}, ""},
		{[]string{"@every 10m"}, paid + "10 min"},
		{[]string{"@every 90m"}, ""},
		{[]string{"0 0 29 2 *"}, ""},
		{nil, ""},
	} {
		var all []schedule.Expression
		for _, text := range tt.schedule {
			all = append(all, expression(t, text))
		}
		if got := TooOften(all, time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.schedule, got, tt.want)
		}
	}
}
