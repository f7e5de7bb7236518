package shim

import (
	"slices"
	"testing"
)

func TestSudoCommand(t *testing.T) {
	for _, c := range []struct{ args, inner, set []string }{
		{[]string{"cat", "-n", "/etc/passwd"}, []string{"cat", "-n", "/etc/passwd"}, nil},
		{[]string{"-n", "-u", "postgres", "--", "ls"}, []string{"ls"}, nil},
		{[]string{"-upostgres", "--user=root", "-E", "LC_ALL=C", "sort", "a=b"}, []string{"sort", "a=b"}, []string{"LC_ALL=C"}},
		{[]string{"-i"}, nil, nil},
		{[]string{"-u"}, nil, nil},
		{[]string{"-l", "cat"}, nil, nil},
		{nil, nil, nil},
	} {
		if inner, set := sudoCommand(c.args); !slices.Equal(inner, c.inner) || !slices.Equal(set, c.set) {
			t.Errorf("sudo %q: %q, %q; want %q, %q", c.args, inner, set, c.inner, c.set)
		}
	}
}
