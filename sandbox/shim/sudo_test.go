package shim

import (
	"slices"
	"testing"
)

func TestSudoIsDropped(t *testing.T) {
	for _, c := range []struct{ argv, words []string }{
		{[]string{"sudo", "cat", "-n", "/etc/passwd"}, []string{"cat", "-n", "/etc/passwd"}},
		{[]string{"/x/doas", "-n", "ls"}, []string{"ls"}},
		{[]string{"sudo", "--non-interactive", "ls"}, []string{"ls"}},
		{[]string{"sudo", "-u", "postgres", "ls"}, nil},
		{[]string{"sudo", "-i"}, nil},
		{[]string{"sudo", "-n"}, nil},
		{[]string{"sudo"}, nil},
		{[]string{"cat", "x"}, nil},
	} {
		words, dropped := withoutSudo(c.argv)
		if dropped != (c.words != nil) || dropped && !slices.Equal(words, c.words) {
			t.Errorf("%q: %q, %v; want %q", c.argv, words, dropped, c.words)
		}
	}
}
