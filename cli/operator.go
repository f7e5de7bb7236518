package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// ofSession reports whether a session started this process, whatever its configuration is worth.
func (a *app) ofSession() bool {
	c, _, err := config.Load(a.envFile)
	if invalid := (*config.InvalidError)(nil); errors.As(err, &invalid) {
		c = invalid.Rest
	}
	return ofSession(c)
}

// ofSession reports whether a session started this process: its agent, an act, or the plugin of a check. It has the session's variables or,
// if it has cleared them to pass as a person, descends from the cycle.
func ofSession(c config.Config) bool {
	return c.Agent != (config.Agent{}) || statedir.InCycle(c.StateDir)
}

// byCommand says in words who gives a command: "command, by ann", with the user who has become root by sudo.
func byCommand() string {
	name := strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if before := os.Getenv("SUDO_USER"); before != "" && os.Getuid() == 0 && before != name {
		name = text.Clip(text.Clean(before), mostName) + " as " + name
	}
	return "command, by " + name
}

// mostName limits a user's name, in bytes.
const mostName = 64

// betweenCycles is an operator's command on the records, under the cycle lock. An agent gets refusal; done completes the message if a cycle
// is running.
func (a *app) betweenCycles(refusal, done string, f func(ctx context.Context, b *records.Records, args []string) error) body {
	return a.configured(func(ctx context.Context, l *loaded, args []string) error {
		if ofSession(l.config) {
			return errors.New(refusal)
		}
		err := underCycleLock(ctx, l, a.Now, func(b *records.Records) error { return f(ctx, b, args) })
		if errors.Is(err, cycle.ErrRunning) {
			return &exitError{exitLocked, fmt.Errorf("a cycle is running on %s; nothing was %s: try again when it has ended", l.config.StateDir, done)}
		}
		return err
	})
}

// underCycleLock runs f on the records while it holds the cycle lock; if a cycle holds it, the error is cycle.ErrRunning.
func underCycleLock(ctx context.Context, l *loaded, now func() time.Time, f func(*records.Records) error) (err error) {
	if err := stateDirectory(l.config.StateDir); err != nil {
		return err
	}
	release, err := cycle.Lock(l.config.StateDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	b, err := records.Open(ctx, l.config, l.redactor, now, store.ReadWrite)
	if err != nil {
		return err
	}
	return errors.Join(f(b), b.Close())
}
