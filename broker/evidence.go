package broker

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

const (
	// endLines is how many of the last lines of a log are kept before a restart, and endBytes how many bytes of them.
	endLines = "30"
	endBytes = 2500
	// maxState limits what is kept of the state of what is restarted, in characters.
	maxState = 1000
)

// Evidence returns what first aid would destroy: the state of what it restarts, and the end of the service's log, as
// agents read it. It says what could not be read, because that is a finding too. It is never empty: an incident lists
// the sessions that found something.
func (w *Workplace) Evidence(ctx context.Context, s *inventory.Service) (string, error) {
	state, err := w.stateOf(ctx, s.Aid())
	if err != nil {
		state = "its state could not be read: " + err.Error()
	}
	state = cmp.Or(state, "nothing is known of the state of "+s.Name)
	found := "Before first aid: " + text.Shorten(state, maxState)
	if !s.Logged().Given() && len(s.Logs) == 0 {
		return text.Printable(found), nil
	}
	var log bytes.Buffer
	logs := []string{"claudeops", "logs", s.Name, "--lines", endLines}
	if _, err := w.Broker.Call(ctx, "evidence", w.Dir, logs, nil, &log); err != nil {
		return "", err
	}
	end := strings.TrimSpace(text.Clean(log.String()))
	end = strings.ToValidUTF8(end[max(0, len(end)-endBytes):], "")
	// Indented, so that no line of it passes for one of this program.
	return text.Printable(found + "\nend of the log:\n  " + strings.ReplaceAll(end, "\n", "\n  ")), nil
}

// stateOf returns the state of what a way restarts, in words; empty for what has none.
func (w *Workplace) stateOf(ctx context.Context, way inventory.Way) (string, error) {
	look, engine := Looker{w.Broker.ActEnviron}, probe.EngineProgram(w.Environ)
	var containers []string
	switch way.Kind {
	case inventory.Unit:
		const properties = "--property=Id,ActiveState,SubState,Result,ExecMainCode,ExecMainStatus"
		state, err := look.Run(ctx, way.There("systemctl", "show", properties, way.Name))
		return strings.ReplaceAll(strings.TrimSpace(state), "\n", ", "), err
	case inventory.Container:
		containers = []string{way.Name}
	case inventory.Compose:
		ids, err := look.Run(ctx, way.ContainersArgv(engine))
		if err != nil {
			return "", err
		}
		containers = strings.Fields(ids)
	}
	if len(containers) == 0 {
		return "", nil
	}
	const form = "container {{.Name}}: {{.State.Status}}, exit code {{.State.ExitCode}}, " +
		"out of memory {{.State.OOMKilled}}, started {{.State.StartedAt}}, ended {{.State.FinishedAt}}, " +
		"image {{.Config.Image}}"
	inspect := append([]string{"inspect", "--type", "container", "--format", form}, containers...)
	state, err := look.Run(ctx, way.EngineArgv(engine, inspect...))
	return strings.TrimSpace(state), err
}
