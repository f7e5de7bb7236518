package seeded

import (
	"context"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/breaker"
)

// hooks writes the state of claude-hooks: one that works, one whose circuit is open, one that is tried again, one that is off.
func (l *Lab) hooks(ctx context.Context) error {
	at := l.Now.Add(-3 * time.Hour)
	f := &breaker.File{
		Path: l.HooksState, Now: func() time.Time { return at }, Random: func() float64 { return 0.5 },
		Policy: breaker.LoadConfig("", nil, "").Policy, Parents: func(string) []string { return nil },
	}
	fail := func(hook, why string, times int) error {
		for range times {
			at = at.Add(21 * time.Second)
			if _, err := f.RecordFailure(ctx, hook, why); err != nil {
				return fmt.Errorf("write hooks' state: %w", err)
			}
		}
		return nil
	}
	work := func(hook string, times int) error {
		for range times {
			at = at.Add(7 * time.Second)
			if _, err := f.RecordSuccess(ctx, hook); err != nil {
				return fmt.Errorf("write hooks' state: %w", err)
			}
		}
		return nil
	}
	const format, notify, lint, journal = "$HOME/.claude/hooks/format.sh", "python3 ~/.claude/hooks/notify.py --channel ops", "npx --yes eslint --fix $CLAUDE_FILE_PATHS", "logger -t claude"
	for _, step := range []func() error{
		func() error { return work(format, 41) },
		func() error { return fail(format, "Exit code 1: prettier: cannot read .prettierrc", 1) },
		func() error { return work(format, 6) },
		func() error { return work(journal, 120) },
		func() error { return work(lint, 3) },
		func() error { return fail(lint, "Exit code 127: npx: command not found", 5) },
		func() error { return f.Disable(ctx, journal) },
		func() error { at = l.Now.Add(-90 * time.Second); return nil },
		func() error { return work(notify, 12) },
		func() error {
			return fail(notify, "Exit code 1: requests.exceptions.ConnectionError: ntfy.home.example.org:443: connection refused", 4)
		},
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
