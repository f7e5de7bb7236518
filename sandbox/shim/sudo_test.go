package shim

import (
	"slices"
	"testing"
)

func TestSudoCommand(t *testing.T) {
	for _, c := range []struct{ args, inner []string }{
		{[]string{"cat", "-n", "/etc/passwd"}, []string{"cat", "-n", "/etc/passwd"}},
		{[]string{"-n", "-E", "--", "-ls"}, []string{"-ls"}},
		{[]string{"-u", "postgres", "ls"}, nil},
		{[]string{"--user=root", "ls"}, nil},
		{[]string{"-i"}, nil},
		{nil, nil},
	} {
		if inner := sudoCommand(c.args); !slices.Equal(inner, c.inner) {
			t.Errorf("sudo %q: %q; want %q", c.args, inner, c.inner)
		}
	}
}
