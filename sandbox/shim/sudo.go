package shim

import (
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// exitNotFound is the exit status for a program that is not installed, as in a shell.
const exitNotFound = 127

// withoutSudo returns the words that sudo or doas was called for, if with no option that names a user or changes more: no process gains
// privileges in a sandbox. With another option it is a call for the broker, which refuses it.
func withoutSudo(argv []string) (words []string, dropped bool) {
	if len(argv) < 2 || !slices.Contains([]string{"sudo", "doas"}, filepath.Base(argv[0])) {
		return argv, false
	}
	words = argv[1:]
	for len(words) > 0 && slices.Contains([]string{"-n", "--non-interactive", "-E", "-H", "--"}, words[0]) {
		words = words[1:]
	}
	if len(words) == 0 || words[0] == "" || words[0][0] == '-' {
		return argv, false
	}
	return words, true
}

// execute becomes a program: the file at its path, or the first of its name in PATH, that is one of those wanted once its links are
// resolved. It returns if it cannot.
func execute(argv []string, wanted func(file string) bool) int {
	files := []string{argv[0]}
	if filepath.Base(argv[0]) == argv[0] {
		files = nil
		for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
			files = append(files, filepath.Join(dir, argv[0]))
		}
	}
	for _, file := range files {
		real, err := filepath.EvalSymlinks(file)
		if err == nil && wanted(real) && unix.Access(file, unix.X_OK) == nil {
			err = unix.Exec(file, argv, os.Environ())
			return fails(ExitRefused, "%s: %v", file, err)
		}
	}
	return fails(exitNotFound, "%s: command not found", argv[0])
}
