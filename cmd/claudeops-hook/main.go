// Claudeops-hook is the part of claudeops that Claude Code calls for each hook: their circuit breaker. It does what claudeops does by
// the same commands, and starts sooner, because it links no client of anything that claudeops watches.
package main

import (
	"os"
	"time"

	"github.com/claudeops/claudeops/cli"
)

func main() {
	os.Exit(cli.HookMain(cli.Start(), os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now}))
}
