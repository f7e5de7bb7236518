package probe

import (
	"testing"
	"time"
)

func TestAgoIsInTheUnitThatAPersonWouldTake(t *testing.T) {
	for _, test := range []struct {
		past time.Duration
		want string
	}{
		{-time.Hour, "just now"}, {999 * time.Millisecond, "just now"}, {time.Second, "1 s ago"}, {59 * time.Second, "59 s ago"},
		{time.Minute, "1 min ago"}, {119 * time.Minute, "119 min ago"}, {2 * time.Hour, "2 h ago"}, {47 * time.Hour, "47 h ago"},
		{48 * time.Hour, "2 days ago"}, {400 * 24 * time.Hour, "400 days ago"},
	} {
		if got := Ago(test.past); got != test.want {
			t.Errorf("%s: %q; want %q", test.past, got, test.want)
		}
	}
}
