package shim

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/sys/unix"
)

// runInPlace becomes the program that sudo or doas was called for, where it is one that runs in the sandbox: no process gains a privilege
// there, so it runs as its caller. It returns where the broker is to judge the call: the program is one of its own, or not known.
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
	_ = unix.Exec(program, inner, append(os.Environ(), set...)) // the broker says what is wrong
}

// sudoVariable is an entry of the environment before sudo's command.
var sudoVariable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// sudoCommand is the command behind sudo's options, and the variables before it; none where an option is not among the usual ones.
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
