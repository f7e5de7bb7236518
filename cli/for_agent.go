package cli

import (
	"context"
	"io"

	"github.com/claudeops/claudeops/config"
)

// forAgent runs a command of this program for an agent, in this process, with the configuration of the cycle and in the agent's session.
func (a *app) forAgent(ctx context.Context, c config.Config, args []string, in io.Reader, out, faults io.Writer) int {
	s := a.Streams
	s.In, s.Out, s.Err = in, out, faults
	own := &app{Streams: s, redactor: a.redactor}
	own.loaded = &loaded{c, a.loaded.environment, a.redactor, newLogger(faults, c.LogFormat, c.LogLevel, a.redactor)}
	return own.execute(ctx, args)
}
