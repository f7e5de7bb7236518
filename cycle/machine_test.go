package cycle

import "testing"

func TestWhatIsScarce(t *testing.T) {
	for _, c := range []struct {
		left, all, percent uint64
		want               bool
	}{{0, 0, 1, false}, {0, 1000, 1, true}, {9, 1000, 1, true}, {10, 1000, 1, false}, {1000, 1000, 2, false}} {
		if got := scarce(c.left, c.all, c.percent); got != c.want {
			t.Errorf("%d of %d: %v", c.left, c.all, got)
		}
	}
}
