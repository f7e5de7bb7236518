// Package shim is the program claudeops-shim: small, static and quick to start, because the agent program and every confined command
// go through it. It decides nothing. The cycle that runs the agent does, and the shim connects the two.
package shim

import (
	"fmt"
	"os"
	"path/filepath"
)

// Name is the program's name.
const Name = "claudeops-shim"

const usage = "usage: " + Name + " relay SOCKET; or, by a link of another name, the arguments of that program"

// Exit statuses of Main.
const (
	exitFault = 1 // it could not do what it was called for
	exitUsage = 2
)

// Main does what argv asks for and returns the exit status. Called by the name of another program it is that program, which the broker
// runs in its place.
func Main(argv []string) int {
	switch {
	case len(argv) > 0 && filepath.Base(argv[0]) != Name:
		runInPlace(argv)
		return call(argv, broker)
	case len(argv) == 2 && argv[1] == "confine":
		return report("confine", confine())
	case len(argv) == 2 && argv[1] == "check":
		return report("check", check())
	case len(argv) == 3 && argv[1] == "relay":
		return report("relay", relay(argv[2], os.Stdin, os.Stdout))
	}
	fmt.Fprintln(os.Stderr, usage)
	return exitUsage
}

// check reaches the broker and asks nothing: where that works in a sandbox, all of it does.
func check() error {
	_, err := broker()
	return err
}

// report turns the error of a role into its one line and the exit status.
func report(role string, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "%s %s: %v\n", Name, role, err)
	return exitFault
}
