package sudo

import (
	"slices"
	"strings"
	"testing"
)

func TestDrop(t *testing.T) {
	for call, want := range map[string]string{
		"sudo cat -n /etc/passwd":   "cat -n /etc/passwd",
		"/x/doas -n ls":             "ls",
		"sudo --non-interactive ls": "ls",
		"sudo -E -- sudo ls":        "ls",
		"sudo -u postgres ls":       "sudo -u postgres ls",
		"sudo sudo -i":              "sudo -i",
		"sudo -n":                   "sudo -n",
		"sudo":                      "sudo",
		"sudo  ls":                  "sudo  ls", // the program's name is empty
		"cat x":                     "cat x",
		"":                          "",
	} {
		if got := Drop(strings.Split(call, " ")); !slices.Equal(got, strings.Split(want, " ")) {
			t.Errorf("%s: %q; want %s", call, got, want)
		}
	}
	if got := Drop(nil); got != nil {
		t.Errorf("nothing: %q", got)
	}
}
