// Package ledger keeps cooldown.json and the database of a state directory consistent: commands and cycles change both in one operation.
// No act is granted beyond what the caller's question permits, however many processes ask at the same time.
//
// The one record of an act is written by Reserve before the act runs, and gets its outcome from Complete or, when its
// session has ended, from EndActs. Round empties the counters of a service that has recovered, Reset those that an
// operator names.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// Records gives one command or cycle access to the records of a state directory.
type Records struct {
	Config   config.Config
	Redactor *mask.Redactor
	Now      func() time.Time
	// Inventory has the names of services and what holds them back; nil if the operator has none.
	Inventory *inventory.Inventory
	Store     *store.Store // nil after Open with store.ReadOnly if there is no database yet
}

// Open opens the records for a command. With store.ReadOnly, a missing database is not an error. store.Migrate is for a
// cycle, which sets an unusable one (a *store.UnusableError) aside.
func Open(ctx context.Context, c config.Config, r *mask.Redactor, now func() time.Time, mode store.Mode) (*Records, error) {
	b := &Records{Config: c, Redactor: r, Now: now}
	var err error
	b.Store, err = store.Open(ctx, b.database(), mode)
	if mode == store.ReadOnly && errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	b.Store.Now = now
	if mode == store.Migrate {
		if err := b.keepLogs(ctx); err != nil {
			return nil, errors.Join(err, b.Store.Close())
		}
	}
	return b, nil
}

// Close closes the database.
func (b *Records) Close() error {
	if b.Store == nil {
		return nil
	}
	return b.Store.Close()
}

// Together runs f in one transaction of these records, so that a fact and the message about it are written both or not at all. f must not
// change cooldown.json, which a transaction cannot undo.
func (b *Records) Together(ctx context.Context, f func() error) error {
	outside := b.Store
	defer func() { b.Store = outside }()
	return outside.Update(ctx, func(tx *store.Store) error {
		b.Store = tx
		return f()
	})
}

// InSession reports whether an agent called the command.
func (b *Records) InSession() bool { return b.Config.Agent.SessionID != 0 }

// SetAside puts a new database in the place of an unusable one, with an event and a message to people (RULE "Corrupt
// files"). It requires the cycle lock, and returns what happened as a sentence.
func SetAside(ctx context.Context, c config.Config, r *mask.Redactor, now func() time.Time, unusable *store.UnusableError) (said string, err error) {
	b := &Records{Config: c, Redactor: r, Now: now}
	err = store.SetAside(ctx, b.database(), now, func(s *store.Store, aside string) error {
		b.Store = s
		why := "the database could not be used (" + strings.Join(strings.Fields(unusable.Why), " ") + ")"
		lost := fmt.Sprintf("what was done in the last 24 h is not known: nothing is remediated, and Tiers 2 and 3 do not start, "+
			"until %s or until somebody accepts that by `%s`", text.Moment(now().Add(24*time.Hour)), acceptCommand)
		said = why + " and was set aside as " + aside + "; a new one is in its place; " + lost
		return errors.Join(s.LoseCount(ctx, now()), b.note(ctx, store.Critical, nil, "", said),
			b.Queue(ctx, notify.DatabaseSetAside(why, []string{
				lost,
				"silences, pauses, proposals, alerts and messages that had not been delivered are gone",
				"what counts against the limits of 4 h and 24 h comes from cooldown.json",
				"the history is in " + aside,
			})))
	})
	return said, err
}

func (b *Records) database() string { return filepath.Join(b.Config.StateDir, store.FileName) }

// keepLogs has the first session of a new database get an id above those of the raw logs that are there, which it would
// overwrite.
func (b *Records) keepLogs(ctx context.Context) error {
	entries, err := os.ReadDir(b.Config.ResultsDir)
	if err != nil && b.Config.ResultsDir != "" {
		return fmt.Errorf("list the results directory: %w", err)
	}
	var last int64
	for _, e := range entries {
		id, _, _ := strings.Cut(strings.TrimPrefix(e.Name(), "session-"), ".")
		if n, err := strconv.ParseInt(id, 10, 64); err == nil {
			last = max(last, n)
		}
	}
	return b.Store.SkipSessions(ctx, last)
}
