// Claudeops watches infrastructure with an AI agent, one monitoring cycle at a time. "claudeops --help" lists what it does.
package main

import (
	"os"
	"time"

	"github.com/claudeops/claudeops/cli"
	"github.com/claudeops/claudeops/probe/client"
)

func main() {
	os.Exit(cli.Main(cli.Start(), os.Args, cli.Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now, Probes: client.New,
	}))
}
