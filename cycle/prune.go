package cycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/guard"
)

// pruneFor is how long a cycle deletes old rows; the next one continues.
const pruneFor = time.Second

// prune deletes records older than CLAUDEOPS_RETENTION.
func (c *Cycle) prune(ctx context.Context, now time.Time) error {
	began := c.Now()
	enough := func() bool { return c.Now().Sub(began) > pruneFor }
	logs, failed := c.Store.Prune(ctx, now.Add(-c.Config.Retention), !c.Config.Notifies(), enough)
	for _, path := range logs {
		log := filepath.Join(c.Config.ResultsDir, filepath.Base(path))
		for _, path := range []string{guard.AuditBeside(log), log} {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("remove the log of a pruned session: %w", err)
			}
		}
	}
	return failed
}

// limitLogs removes the oldest raw logs beyond CLAUDEOPS_LOG_MAX.
func (c *Cycle) limitLogs() error {
	entries, err := os.ReadDir(c.Config.ResultsDir)
	if err != nil {
		return fmt.Errorf("list the results directory: %w", err)
	}
	var logs []fs.FileInfo
	var total int64
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "session-") || !e.Type().IsRegular() {
			continue
		}
		st, err := e.Info()
		if err != nil {
			return fmt.Errorf("list the results directory: %w", err)
		}
		logs = append(logs, st)
		total += st.Size()
	}
	slices.SortFunc(logs, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, st := range logs {
		if total <= int64(c.Config.LogMax) {
			break
		}
		if err := os.Remove(filepath.Join(c.Config.ResultsDir, st.Name())); err != nil {
			return fmt.Errorf("remove an old log: %w", err)
		}
		total -= st.Size()
	}
	return nil
}
