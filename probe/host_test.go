package probe

import (
	"strings"
	"testing"
)

func FuzzHost(f *testing.F) {
	for _, seed := range []string{"db1", "[::1]:80", "a:80", "a.", "A..", "[a:1]", "::ffff:1.2.3.4", "fe80::1%eth0", "-x", "1.2.3.4:5", "::% ", "::1%a.."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bare := BareHost(text)
		if !isHost(bare) {
			return
		}
		if again := BareHost(bare); again != bare {
			t.Errorf("%q is the host %q, and that is %q", text, bare, again)
		}
		if strings.HasPrefix(bare, "-") || strings.ContainsAny(bare, " /@[]$`'\";&|\x00\n") {
			t.Errorf("%q is the host %q", text, bare)
		}
	})
}
