// Claudeops-shim stands between an agent and the cycle that runs it: package sandbox/shim.
package main

import (
	"os"

	"github.com/claudeops/claudeops/sandbox/shim"
)

func main() { os.Exit(shim.Main(os.Args)) }
