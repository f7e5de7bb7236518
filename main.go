// Claudeops watches infrastructure with an AI agent, one monitoring cycle at a time. "claudeops --help" lists what it does.
package main

import (
	"io"
	"log"
	"os"
	"time"
	_ "time/tzdata" // the zones of schedules and windows, where the machine has none, as in the slim image

	"github.com/claudeops/claudeops/cli"
)

func main() {
	log.SetOutput(io.Discard) // where net/http complains of foreign servers; what of that matters is in a check's result
	os.Exit(cli.Main(cli.Start(), os.Args, cli.Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now,
	}))
}
