// Package shim is the program claudeops-shim. It is small, static and quick to start, because the agent program and every confined
// command go through it. It makes no decisions: it connects them with the cycle, which does.
package shim

import (
	"fmt"
	"os"
	"path/filepath"
)

// Name is the program's name.
const Name = "claudeops-shim"

const usage = "usage: " + Name + " relay SOCKET; or, by a link of another name, the arguments of that program"

// Main runs the role that argv selects, and returns the exit status. Under the name of another program, it has the broker run that
// program.
func Main(argv []string) int {
	switch {
	case len(argv) > 0 && filepath.Base(argv[0]) != Name:
		return call(argv)
	case len(argv) == 2 && argv[1] == "confine":
		return report("confine", confine())
	case len(argv) == 2 && argv[1] == "check":
		_, err := broker() // if this works in a sandbox, the confinement works; nothing is asked
		return report("check", err)
	case len(argv) == 3 && argv[1] == "relay":
		return report("relay", relay(argv[2], os.Stdin, os.Stdout))
	}
	fmt.Fprintln(os.Stderr, usage)
	return 2
}

// report prints the error of a role in one line, and returns the exit status.
func report(role string, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "%s %s: %v\n", Name, role, err)
	return 1
}
