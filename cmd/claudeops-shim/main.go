// Claudeops-shim connects an agent with the cycle that runs it: see package sandbox/shim.
package main

import (
	"os"

	"github.com/claudeops/claudeops/sandbox/shim"
)

func main() { os.Exit(shim.Main(os.Args)) }
