package shim

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/sys/unix"
)

// runInPlace executes the program that sudo or doas was called for, if it can run in the sandbox. No process gains privileges there, so
// it runs as its caller. It returns if the broker must judge the call: the program is a brokered one, or unknown.
func runInPlace(argv []string) {
	if name := filepath.Base(argv[0]); name != "sudo" && name != "doas" {
		return
	}
	inner, set := sudoCommand(argv[1:])
	if len(inner) == 0 {
		return
	}
	if link, err := exec.LookPath(filepath.Base(inner[0])); err == nil {
		if real, err := filepath.EvalSymlinks(link); err != nil || filepath.Base(real) == Name {
			return
		}
	}
	program, err := exec.LookPath(inner[0])
	if err != nil {
		return
	}
	_ = unix.Exec(program, inner, append(os.Environ(), set...)) // on failure, the broker reports what is wrong
}

// sudoVariable matches an assignment before sudo's command.
var sudoVariable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// sudoCommand returns the command after sudo's options, and the assignments before it; none if an option is not a common one.
func sudoCommand(args []string) (inner, set []string) {
	for len(args) > 0 {
		switch word := args[0]; {
		case word == "-n", word == "-H", word == "-E", word == "--non-interactive", word == "--set-home", word == "--preserve-env",
			strings.HasPrefix(word, "-u") && len(word) > 2, strings.HasPrefix(word, "--user="):
			args = args[1:]
		case (word == "-u" || word == "--user") && len(args) > 1:
			args = args[2:]
		case sudoVariable.MatchString(word):
			set, args = append(set, word), args[1:]
		case word == "--":
			return args[1:], set
		case strings.HasPrefix(word, "-"):
			return nil, nil
		default:
			return args, set
		}
	}
	return nil, nil
}
