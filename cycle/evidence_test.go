package cycle

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/internal/mask"
)

// The end of a log begins with a line.
func TestLastLines(t *testing.T) {
	for _, c := range []struct{ log, want string }{
		{"", ""},
		{"short", "short"},
		{"1234567\n89", "89"},
		{"12345\n6789", "6789"},
		{"1234567890\n12345678", "12345678"},
		{"1234567890", "34567890"},
		{"äöüäö", "öüäö"},
		{"xäöüäö", "öüäö"},
		{"ääääx", "äääx"},
	} {
		if got := lastLines(c.log, 8); got != c.want {
			t.Errorf("of %q: %q, want %q", c.log, got, c.want)
		}
	}
}

// A secret that the bound on a program's output cuts in two is not kept.
func TestNoHalfSecretIsEvidence(t *testing.T) {
	const script = `head -c 1048560 /dev/zero | tr '\0' x; echo; echo hunter2-and-much-more`
	look := looker{environ: []string{"PATH=/usr/bin:/bin"}, dir: "/"}
	got := mask.New([]string{"hunter2-and-much-more"}).String(look.said(t.Context(), "sh", "-c", script))
	if strings.Contains(got, "hunter2") || len(got) < 1<<19 {
		t.Errorf("%d bytes end with %q", len(got), got[max(0, len(got)-40):])
	}
}

// What a program writes to its two outputs is kept in its order.
func TestOutputsInOrder(t *testing.T) {
	look := looker{environ: []string{"PATH=/usr/bin:/bin"}, dir: "/"}
	if got := look.said(t.Context(), "sh", "-c", "echo one; echo two >&2; echo three"); got != "one\ntwo\nthree\n" {
		t.Errorf("%q", got)
	}
}

// A long log does not push out those of other containers.
func TestLogsShareTheirRoom(t *testing.T) {
	long := strings.Repeat("long\n", 100)
	for _, c := range []struct {
		logs []oneLog
		want string
	}{
		{nil, ""},
		{[]oneLog{{"a", ""}}, ""},
		{[]oneLog{{"a", "one\n"}}, "end of the log:\none\n"},
		{[]oneLog{{"a", "one\n"}, {"b", long}}, "end of the log of a:\none\nend of the log of b:\nlong\nlong\nlong\n"},
		{[]oneLog{{"a", long}, {"b", ""}, {"c", long}}, "end of the log of a:\nlong\nlong\nend of the log of c:\nlong\nlong\n"},
	} {
		if got := logEnds(c.logs, 20); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
