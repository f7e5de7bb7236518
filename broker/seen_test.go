package broker

import (
	"io"
	"strings"
	"testing"
)

func TestWhatASessionHasSeen(t *testing.T) {
	var s Seen
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
	must("echo 42", "42")
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
		{"docker inspect shop", "137", true},
		{"docker inspect db", "13", false}, // so short, it must be a whole line
		{"docker logs shop", "n", false},
		{"docker logs shop", "pace left on device", false}, // no whole words
		{"d", "no space left on device", false},
		{"df", "100% /", true},   // a command may be short
		{"echo 42", "42", false}, // and so may its own words
		{"df -h", "%", false},
	} {
		if got := s.Printed(c.command, c.quote); got != c.want {
			t.Errorf("%q, %q: %t, want %t", c.command, c.quote, got, c.want)
		}
	}
	for range 1000 {
		must("yes", strings.Repeat("y", 100_000))
	}
	if len(s.calls) != maxSeen || len(s.calls[0].output) != maxSeenOutput || s.Printed("df -h", "100% /") {
		t.Errorf("%d calls are kept", len(s.calls))
	}
}
