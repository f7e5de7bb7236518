// Command claude is the fake agent as a program: see package fakeagent.
package main

import (
	"os"

	"github.com/claudeops/claudeops/testkit/fakeagent"
)

func main() { os.Exit(fakeagent.Main()) }
