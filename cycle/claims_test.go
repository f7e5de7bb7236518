package cycle

import (
	"io"
	"strings"
	"testing"
)

func TestWhatASessionHasSeen(t *testing.T) {
	var s seen
	must := func(command, output string) {
		if _, err := io.WriteString(s.record(command, io.Discard), output); err != nil {
			t.Fatal(err)
		}
	}
	must("docker logs shop  | tail -5", "a\nno space   left on\ndevice\n")
	must("df -h", "100% /")
	must("docker inspect shop", "137\n")
	must("docker inspect db", "137 13 0\n")
	must("echo no connections left", "no connections left")
	for _, c := range []struct {
		command, quote string
		want           bool
	}{
		{"docker logs shop", "no space left on device", true},
		{"docker logs shop", "100%", false}, // another command said it
		{"docker logs db", "no space left on device", false},
		{"", "100%", false},
		{"df -h", " ", false},
		{"echo no", "no connections left", false}, // its own words
		{"docker inspect shop", "137", true},      // all that it says
		{"docker inspect db", "13", false},
		{"docker logs shop", "a", true}, // the same
		{"docker logs shop", "n", false},
		{"docker logs shop", "pace left on device", false}, // no whole words
		{"d", "no space left on device", false},
		{"df -h", "%", false},
	} {
		if got := s.printed(c.command, c.quote); got != c.want {
			t.Errorf("%q, %q: %t, want %t", c.command, c.quote, got, c.want)
		}
	}
	for range 1000 {
		must("yes", strings.Repeat("y", 100_000))
	}
	if s.bytes > maxSeen+maxSeenOutput || s.printed("df -h", "100% /") {
		t.Errorf("%d bytes of %d calls are kept", s.bytes, len(s.calls))
	}
}
