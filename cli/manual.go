package cli

import (
	"bytes"
	"io"
	"time"

	"github.com/spf13/cobra"
)

// Commands are the commands of claudeops and of claude-hooks with all that belongs to them, for what describes them: manual pages and
// completions. They are not to be run.
func Commands() []*cobra.Command {
	var trees []*cobra.Command
	for _, name := range []string{ownName, hooksName} {
		a := &app{Streams: Streams{In: &bytes.Reader{}, Out: io.Discard, Err: io.Discard, Now: time.Now}, program: name}
		trees = append(trees, a.rootCommand())
	}
	return trees
}
