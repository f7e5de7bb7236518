// Package sudo reads calls of sudo and doas.
package sudo

import (
	"path"
	"slices"
	"strings"
)

// Drop returns argv without sudo or doas in front, if no option there names a user or changes more.
func Drop(argv []string) []string {
	for len(argv) > 1 && slices.Contains([]string{"sudo", "doas"}, path.Base(argv[0])) {
		words := argv[1:]
		for len(words) > 0 && slices.Contains([]string{"-n", "--non-interactive", "-E", "-H", "--"}, words[0]) {
			words = words[1:]
		}
		if len(words) == 0 || words[0] == "" || strings.HasPrefix(words[0], "-") {
			break
		}
		argv = words
	}
	return argv
}
