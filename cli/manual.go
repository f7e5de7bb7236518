package cli

import (
	"bytes"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/tiers"
)

// Commands are the commands of claudeops, claudeops-hook and claude-hooks with all that belongs to them, for what describes them: manual
// pages and completions. They are not to be run.
func Commands() []*cobra.Command {
	tree := func(p program, name string) *cobra.Command {
		a := &app{Streams: Streams{In: &bytes.Reader{}, Out: io.Discard, Err: io.Discard, Now: time.Now}, program: name}
		return a.rootCommand(p)
	}
	return []*cobra.Command{tree(whole(), ownName), tree(small(), tiers.HookProgramName), tree(small(), hooksName)}
}
