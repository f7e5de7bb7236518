package tiers

import (
	"os"
	"testing"
)

func TestDescendsFrom(t *testing.T) {
	parent, err := relationOf(os.Getppid())
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		pid   int
		start int64
		want  bool
	}{
		"its parent":                    {parent.pid, parent.start, true},
		"one that had the parent's pid": {parent.pid, parent.start - 1, false},
		"nobody":                        {1 << 30, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := DescendsFrom(tt.pid, tt.start); got != tt.want || err != nil {
				t.Errorf("%v, %v, want %v", got, err, tt.want)
			}
		})
	}
}
