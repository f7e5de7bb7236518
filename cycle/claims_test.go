package cycle

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/handoff"
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
		if got := s.printed(c.command, c.quote); got != c.want {
			t.Errorf("%q, %q: %t, want %t", c.command, c.quote, got, c.want)
		}
	}
	for range 1000 {
		must("yes", strings.Repeat("y", 100_000))
	}
	if len(s.calls) != maxSeen || len(s.calls[0].output) != maxSeenOutput || s.printed("df -h", "100% /") {
		t.Errorf("%d calls are kept", len(s.calls))
	}
}

func TestEvidenceInAMessage(t *testing.T) {
	const message = "The disk was full.\n[EVIDENCE] df -h / => 100% /\n- `[EVIDENCE] docker logs shop => \"no space left\"`\n[EVIDENCE] nothing\nsee [EVIDENCE] a => b\n"
	want := []handoff.Evidence{{Command: "df -h /", Quote: "100% /"}, {Command: "docker logs shop", Quote: "no space left"}, {}}
	if got := evidenceIn(message); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	many := evidenceIn(strings.Repeat("[EVIDENCE] a => b\n", 1000))
	if len(many) != 1000 || many[handoff.MaxEvidence-1].Quote != "b" || many[handoff.MaxEvidence] != (handoff.Evidence{}) {
		t.Errorf("%d are found, and the first %d are not all that have a quote", len(many), handoff.MaxEvidence)
	}
}
