package records

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// acceptCommand is the command with which a person permits remediation again after the count was lost.
const acceptCommand = "claudeops cooldown reset --lost-count"

// CountLostWhy is the reason in a request for a human because it is not known what was done in the last 24 h.
const CountLostWhy = "What was done in the last 24 h is not known, because the database was set aside. `" + acceptCommand + "` accepts that"

// SetAside puts a new database in the place of an unusable one, with an event and a message to people (RULE "Corrupt files"). It
// requires the cycle lock, and returns what happened as a sentence.
func SetAside(ctx context.Context, c config.Config, r *mask.Redactor, now func() time.Time, unusable *store.UnusableError) (said string, err error) {
	b := &Records{Config: c, Redactor: r, Now: now}
	err = store.SetAside(ctx, b.database(), now, func(s *store.Store, aside string) error {
		b.Store = s
		why := "the database could not be used (" + strings.Join(strings.Fields(unusable.Why), " ") + ")"
		lost := fmt.Sprintf("what was done in the last 24 h is not known: nothing is remediated, and Tiers 2 and 3 do not start, "+
			"until %s or until somebody accepts that by `%s`", text.Moment(now().Add(24*time.Hour)), acceptCommand)
		said = why + " and was set aside as " + aside + "; a new one is in its place; " + lost
		if err := s.LoseCount(ctx, now()); err != nil {
			return err
		}
		if err := b.note(ctx, store.Critical, nil, "", said); err != nil {
			return err
		}
		return b.Queue(ctx, UnusableDatabase, notify.DatabaseSetAside(why, []string{
			lost,
			"silences, pauses, proposals, alerts and messages that had not been delivered are gone",
			"what counts against the limits of 4 h and 24 h comes from cooldown.json",
			"the history is in " + aside,
		}))
	})
	return said, err
}

// AcceptLoss permits remediation again although it is not known what was done in the last 24 h, and records an event. accepted reports
// whether a count was lost.
func (b *Records) AcceptLoss(ctx context.Context) (accepted bool, err error) {
	err = b.Together(ctx, func() error {
		if accepted, err = b.Store.AcceptLostCounts(ctx, b.Now()); err != nil || !accepted {
			return err
		}
		return b.note(ctx, store.Info, nil, "", "remediation goes on although the count of the last 24 h is lost: accepted by `"+acceptCommand+"`")
	})
	return accepted, err
}

func (b *Records) database() string { return filepath.Join(b.Config.StateDir, store.FileName) }

// keepLogs has the first session of a new database get an id above those of the raw logs that are there, which it would overwrite.
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
