package cli

import (
	"bytes"
	"io"
	"time"

	"github.com/spf13/cobra"
)

// Commands returns the complete commands of claudeops and claude-hooks for generating manual pages and completions. They must not be run.
func Commands() []*cobra.Command {
	var trees []*cobra.Command
	for _, name := range []string{ownName, hooksName} {
		a := &app{Streams: Streams{In: &bytes.Reader{}, Out: io.Discard, Err: io.Discard, Now: time.Now}, program: name}
		trees = append(trees, a.rootCommand())
	}
	return trees
}
