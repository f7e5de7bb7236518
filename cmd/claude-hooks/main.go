// Claude-hooks is a circuit breaker for the hooks of Claude Code. "claude-hooks help" lists what it does.
package main

import (
	"os"
	"runtime"
	"time"

	"github.com/claudeops/claudeops/hooks"
)

func main() {
	runtime.GOMAXPROCS(1) // it mostly waits, and starting more threads is a tenth of a call
	os.Exit(hooks.Main(os.Args[1:], hooks.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now}))
}
