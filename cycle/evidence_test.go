package cycle

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/records"
)

// The end of a log begins with a line.
func TestLastLines(t *testing.T) {
	for _, c := range []struct{ log, want string }{
		{"", ""},
		{"1\n2\n3\n4", "2\n3\n4"},
		{"short", "short"},
		{"1234567\n89", "89"},
		{"12345\n6789", "6789"},
		{"1234567890\n12345678", "12345678"},
		{"1234567890", "34567890"},
		{"äöüäö", "öüäö"},
		{"xäöüäö", "öüäö"},
		{"ääääx", "äääx"},
	} {
		if got := lastLines(c.log, 3, 8); got != c.want {
			t.Errorf("of %q: %q, want %q", c.log, got, c.want)
		}
	}
}

// A secret that the bound on a program's output cuts in two is not kept.
func TestNoHalfSecretIsEvidence(t *testing.T) {
	const script = `echo hunter2-and-much-more; head -c 65525 /dev/zero | tr '\0' x; echo; echo last`
	look := looker{environ: []string{"PATH=/usr/bin:/bin"}}
	got, err := look.log(t.Context(), []string{"sh", "-c", script})
	got = mask.New([]string{"hunter2-and-much-more"}).String(got)
	if err != nil || strings.Contains(got, "much-more") || len(got) < 1<<15 || !strings.HasSuffix(got, "x\nlast\n") {
		t.Errorf("%d bytes begin with %.40q and end with %q, %v", len(got), got, got[max(0, len(got)-40):], err)
	}
}

// What a program writes to its two outputs is kept in its order.
func TestOutputsInOrder(t *testing.T) {
	look := looker{environ: []string{"PATH=/usr/bin:/bin"}}
	if got, err := look.log(t.Context(), []string{"sh", "-c", "echo one; echo two >&2; echo three"}); err != nil || got != "one\ntwo\nthree\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// What a terminal would not show hides no secret from the mask.
func TestNoSecretInControlCharactersIsEvidence(t *testing.T) {
	c := &Cycle{Records: records.Records{Redactor: mask.New([]string{"hunter2-and-much-more"})}}
	for name, log := range map[string]string{
		"colours in it":    "hunter2-\x1b[1mand-much-more",
		"UTF-16":           "p\x00a\x00s\x00s\x00w\x00o\x00r\x00d\x00=\x00o\x00p\x00e\x00n\x00",
		"a returned line":  "password=\ropen",
		"a coloured name":  "\x1b[32mpassword\x1b[0m=open",
		"a name with NULs": "pass\x00word=open",
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.shownLog(log); strings.Contains(got, "open") || strings.Contains(got, "much") {
				t.Errorf("kept as %q", got)
			}
		})
	}
}

// Neither the end of a private key whose start is not shown is kept, nor what follows a place at which the engine cut a line.
func TestNoRestOfASecretIsEvidence(t *testing.T) {
	c := &Cycle{Records: records.Records{Redactor: mask.New(nil)}}
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQC7\n", 49) + "-----END PRIVATE KEY-----\nstopped"
	for name, log := range map[string]string{"a key": key, "a line in parts": "hunter22-and-more done\n" + strings.Repeat(strings.Repeat("x", 600)+"\n", 29)} {
		t.Run(name, func(t *testing.T) {
			if got := lastLines(c.shownLog(afterCut(log)), shownLines, logBytes); strings.Contains(got, "MII") || strings.Contains(got, "hunter22") || got == "" {
				t.Errorf("kept as %q", got)
			}
		})
	}
}
