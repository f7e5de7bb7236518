package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// quietTime is a row of `silence list`: a silence, a pause, or a maintenance window of the inventory, which has no ID.
type quietTime struct {
	store.Silence
	State string `json:"state"` // active, ended (before its time), over, maintenance
}

func (a *app) silenceListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List what is silenced, paused or in maintenance now, the newest first",
		Args:  takes(),
	}
	db, limit := databaseFlag(c), rowsFlag(c)
	all := c.Flags().Bool("all", false, "list those that are over too")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return list(a, c, listing[quietTime]{
			db: db, none: "nothing is silenced",
			first: a.maintained,
			query: func(c *cobra.Command, s *store.Store) (rows []quietTime, err error) {
				find := a.activeSilences
				if *all {
					find = func(ctx context.Context, s *store.Store, limit int) ([]store.Silence, error) {
						return s.Silences(ctx, limit)
					}
				}
				silences, err := find(c.Context(), s, int(*limit))
				for _, s := range silences {
					rows = append(rows, quietTime{s, a.silenceState(s)})
				}
				return rows, err
			},
			heading: []string{"ID", "SERVICE", "STATE", "SINCE", "UNTIL", "REASON"},
			row:     a.quietRow,
		})
	}
	return c
}

// maintained are the services of the inventory that are in maintenance now.
func (a *app) maintained() (rows []quietTime, err error) {
	inv, err := readInventory(a.loaded.config)
	if err != nil || inv == nil {
		return nil, err
	}
	for _, s := range inv.Services {
		if window, until, open := s.Maintained(a.Now()); open {
			since := window.From
			if window.Schedule != nil {
				since = until.Add(-window.For)
			}
			rows = append(rows, quietTime{
				store.Silence{Service: s.Name, Reason: window.Note, CreatedAt: inMillis(since), Until: inMillis(until)}, "maintenance",
			})
		}
	}
	return rows, nil
}

// activeSilences are at most limit, the newest first.
func (a *app) activeSilences(ctx context.Context, s *store.Store, limit int) ([]store.Silence, error) {
	oldest, err := s.ActiveSilences(ctx, a.Now())
	if err != nil {
		return nil, err
	}
	var newest []store.Silence
	for i := len(oldest) - 1; i >= 0 && len(newest) < limit; i-- {
		newest = append(newest, oldest[i])
	}
	return newest, nil
}

func (a *app) silenceState(s store.Silence) string {
	switch {
	case s.Active(a.Now()):
		return "active"
	case s.EndedAt != nil:
		return "ended"
	}
	return "over"
}

func (a *app) quietRow(q quietTime) []string {
	id := "-"
	if q.ID > 0 {
		id = strconv.FormatInt(q.ID, 10)
	}
	return []string{id, cmp.Or(q.Service, everything), q.State, a.local(q.CreatedAt), a.local(q.End()), cmp.Or(q.Reason, "-")}
}

// quiet are findings of what nobody is told about now; none where nothing is silenced, or nobody knows.
func (a *app) quiet(ctx context.Context, c config.Config) (found []finding) {
	if windows, err := a.maintained(); err == nil && len(windows) > 0 { // the inventory's fault has a line of its own
		names := make([]string, len(windows))
		for i, w := range windows {
			names[i] = w.Service + " until " + a.local(w.Until)
		}
		found = append(found, ok("quiet", "in maintenance: "+text.Few(names, 10)))
	}
	s, err := store.Open(ctx, filepath.Join(c.StateDir, store.FileName), store.ReadOnly)
	if err != nil {
		return found // the database has a line of its own
	}
	active, err := s.ActiveSilences(ctx, a.Now())
	if err := errors.Join(err, s.Close()); err != nil {
		return append(found, fail("quiet", err.Error(), "run claudeops as the owner of the state directory"))
	}
	var silenced []string
	which := argService
	for _, s := range active {
		if s.Service == "" {
			found = append(found, warn("quiet", records.Silenced(s)+" until "+a.local(s.Until), "`claudeops pause end` ends that"))
			continue
		}
		which = s.Service
		silenced = append(silenced, s.Service+" until "+a.local(s.Until))
	}
	if len(silenced) > 1 {
		which = argService
	}
	if len(silenced) > 0 {
		found = append(found, warn("quiet", "silenced: "+text.Few(silenced, 10), "`claudeops silence end "+which+"` ends that"))
	}
	return found
}
