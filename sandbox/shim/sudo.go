package shim

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// runInPlace executes the program that sudo or doas was called for, if it can run in the sandbox. No process gains privileges there, so
// it runs as its caller. It returns if the broker must judge the call: another user is named, or the program is a brokered one.
func runInPlace(argv []string) {
	if name := filepath.Base(argv[0]); name != "sudo" && name != "doas" {
		return
	}
	inner := sudoCommand(argv[1:])
	if len(inner) == 0 {
		return
	}
	program, err := exec.LookPath(inner[0])
	if err != nil {
		return
	}
	if real, err := filepath.EvalSymlinks(program); err == nil && filepath.Base(real) != Name {
		_ = unix.Exec(program, inner, os.Environ()) // on failure, the broker reports what is wrong
	}
}

// sudoCommand returns the command after sudo's options; none if one of them says more than sudo does without.
func sudoCommand(args []string) []string {
	for i, word := range args {
		switch {
		case slices.Contains([]string{"-n", "-H", "-E", "--non-interactive", "--set-home", "--preserve-env"}, word):
		case word == "--":
			return args[i+1:]
		case strings.HasPrefix(word, "-"):
			return nil
		default:
			return args[i:]
		}
	}
	return nil
}
