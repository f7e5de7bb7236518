package records

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// acceptCommand is the command with which a person permits remediation again after a count was lost.
const acceptCommand = "claudeops cooldown reset --lost-count"

// Heal replaces a damaged database with a new one that has everything that can still be read, an event and a message to people (RULE
// "Corrupt files"). It requires the cycle lock, and returns the text of the message.
func Heal(ctx context.Context, c config.Config, r *mask.Redactor, now func() time.Time, damage *store.DamageError) (what string, err error) {
	b := &Records{Config: c, Redactor: r, Now: now}
	err = store.Heal(ctx, b.database(), now, func(ctx context.Context, s *store.Store, h store.Healing) error {
		b.Store = s
		what = "the database was damaged (" + strings.Join(strings.Fields(damage.What), " ") + ")"
		return b.recordHealing(ctx, DamagedDatabase, what, h)
	})
	return what, err
}

// PutBack restores a database whose file was removed or replaced while it was open, with an event and a message to people. It requires
// the cycle lock, and returns the text of the message. The caller must then close and reopen the records.
func (b *Records) PutBack(ctx context.Context) (what string, err error) {
	err = b.Store.PutBack(ctx, func(ctx context.Context, s *store.Store, h store.Healing) error {
		into := *b
		into.Store = s
		what = "the database was removed while a cycle ran"
		if h.Aside != "" {
			what = "the database was replaced by another while a cycle ran"
		}
		return into.recordHealing(ctx, MovedDatabase, what, h)
	})
	return what, err
}

// AcceptLoss permits remediation again although it is not known what was done in the last 24 h, and records an event. accepted reports
// whether a count was lost.
func (b *Records) AcceptLoss(ctx context.Context) (accepted bool, err error) {
	lost, err := b.Store.CountLost(ctx, b.Now().Add(-24*time.Hour))
	if err != nil || lost.IsZero() {
		return false, err
	}
	return true, b.Together(ctx, func() error {
		if err := b.Store.AcceptLostCounts(ctx, b.Now()); err != nil {
			return err
		}
		return b.Store.AddEvent(ctx, store.Event{
			Level: store.Info, CreatedAt: b.Now(), Message: "remediation goes on although the count of the last 24 h is lost: accepted by `" + acceptCommand + "`",
		})
	})
}

func (b *Records) database() string { return filepath.Join(b.Config.StateDir, store.FileName) }

// recordHealing records in a new database why it was made, what it holds, and what is lost.
func (b *Records) recordHealing(ctx context.Context, cause Cause, why string, h store.Healing) error {
	last, err := lastLog(b.Config.ResultsDir)
	if err != nil {
		return err
	}
	if err := b.Store.SkipSessions(ctx, last); err != nil {
		return err
	}
	var facts []string
	message := why + ": made anew"
	if h.Aside != "" {
		facts = append(facts, "what stood there is kept as "+h.Aside)
		message += ", and what stood there is kept as " + h.Aside
	}
	if h.CountLost {
		lost := fmt.Sprintf("it is not all known what was done in the last 24 h: nothing is remediated, and Tiers 2 and 3 do not start, until %s or until somebody accepts that by `%s`",
			text.Moment(b.Now().Add(24*time.Hour)), acceptCommand)
		facts = append(facts, lost)
		message += "; " + lost
	}
	var rows []string
	for _, table := range slices.Sorted(maps.Keys(h.Rows)) {
		if n := h.Rows[table]; n > 0 {
			rows = append(rows, fmt.Sprintf("%s %d", strings.ReplaceAll(table, "_", " "), n))
		}
	}
	if len(rows) > 0 {
		facts = append(facts, "carried over: "+strings.Join(rows, ", "))
	}
	facts = append(facts, "what counts against the limits of 4 h and 24 h comes from cooldown.json")
	if err := b.Store.AddEvent(ctx, store.Event{Level: store.Critical, Message: b.Redactor.String(message), CreatedAt: b.Now()}); err != nil {
		return err
	}
	return b.Queue(ctx, cause, notify.DatabaseReplaced(why, facts))
}

// lastLog returns the highest id of a session with a raw log.
func lastLog(dir string) (last int64, err error) {
	if dir == "" {
		return 0, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, fmt.Errorf("list the results directory: %w", err)
	}
	for _, e := range entries {
		id, _, _ := strings.Cut(strings.TrimPrefix(e.Name(), "session-"), ".")
		if n, err := strconv.ParseInt(id, 10, 64); err == nil {
			last = max(last, n)
		}
	}
	return last, nil
}
