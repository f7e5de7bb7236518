// Package seeded writes state and results directories as cycles leave them, without the weeks that takes: for tests of what reads them,
// for screenshots and for demonstrations.
//
// What it writes goes through the same packages as a cycle's records do, so that a change of those shows here; only the great load is
// written by SQL, for speed. The same moment always gives the same records, but for the process that a running session names.
package seeded

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/claudeops/claudeops/breaker"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Lab is what was written.
type Lab struct {
	Now        time.Time
	StateDir   string
	ResultsDir string
	Database   string
	HooksState string // the state file of claude-hooks: GUARDRAILS_STATE_FILE
	Inventory  string // the services file; empty where there is none
	EnvFile    string // for --env-file: names all of these

	Chain   []int64 // the sessions of the chain that is worth a look, root first
	Running int64   // the session that runs, in the name of this process; 0 is none
	Fixed   int64   // an incident that Tier 3 ended
	Open    int64   // an incident that needs a human
	Held    int64   // an incident that is held back by a silence
}

// place makes the directories and names the files.
func place(dir string, now time.Time) (*Lab, error) {
	l := &Lab{
		Now: now.UTC().Truncate(time.Millisecond), StateDir: filepath.Join(dir, "state"), ResultsDir: filepath.Join(dir, "results"),
		EnvFile: filepath.Join(dir, "env"),
	}
	l.Database, l.HooksState = filepath.Join(l.StateDir, store.FileName), filepath.Join(l.StateDir, breaker.StateName)
	for _, path := range []string{l.StateDir, l.ResultsDir} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, fmt.Errorf("make a place for records: %w", err)
		}
	}
	return l, l.writeEnv("")
}

// writeEnv writes the environment file; settings are further lines.
func (l *Lab) writeEnv(settings string) error {
	text := "CLAUDEOPS_STATE_DIR=" + l.StateDir + "\nCLAUDEOPS_RESULTS_DIR=" + l.ResultsDir + "\n" + settings
	if l.Inventory != "" {
		text += "CLAUDEOPS_INVENTORY=" + l.Inventory + "\n"
	}
	if err := os.WriteFile(l.EnvFile, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write the environment file: %w", err)
	}
	return nil
}

// LogPath is where the raw log of a session stands.
func (l *Lab) LogPath(session int64) string {
	return filepath.Join(l.ResultsDir, "session-"+strconv.FormatInt(session, 10)+".ndjson")
}

// AuditPath is where the guard's decisions of a session stand.
func (l *Lab) AuditPath(session int64) string { return guard.AuditPath(l.ResultsDir, session) }

// writing opens the database for f, in one transaction: a month of cycles is thousands of them.
func (l *Lab) writing(ctx context.Context, f func(*store.Store) error) (err error) {
	s, err := store.Open(ctx, l.Database, store.ReadWrite)
	if err != nil {
		return err
	}
	s.Now = func() time.Time { return l.Now }
	defer func() { err = errors.Join(err, s.Close()) }()
	return s.Together(ctx, f)
}

// mirror writes cooldown.json as the last cycle left it: the acts that still count, and when the last cycle and the last digest were.
func (l *Lab) mirror(ctx context.Context, healthy map[string]int, lastRun, digest time.Time) (err error) {
	s, err := store.Open(ctx, l.Database, store.ReadWrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	s.Now = func() time.Time { return l.Now }
	acts, err := s.ActsSince(ctx, l.Now.Add(-statefile.PruneAfter))
	if err != nil {
		return err
	}
	ledger := store.NewLedger(l.StateDir, s, s.Now)
	if err := ledger.Init(ctx); err != nil {
		return err
	}
	return ledger.Update(ctx, func(st *statefile.State) error {
		for name, count := range healthy {
			st.Ensure(name).ConsecutiveHealthy = count
		}
		for _, a := range acts {
			st.Add(a.Service, a.Action, statefile.Record{
				Timestamp: statefile.At(a.CreatedAt), Success: a.Success, Error: a.Error, Tier: a.Tier, ID: a.ID,
			})
		}
		run, told := statefile.At(lastRun), statefile.At(digest)
		st.LastRun, st.LastDailyDigest = &run, &told
		return nil
	})
}

// dice are random and the same every time.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 9))} } //nolint:gosec // G404: nothing is kept secret by it

// between is a number from low to high.
func (d dice) between(low, high float64) float64 { return low + d.Float64()*(high-low) }

// hex is a number of so many hexadecimal digits.
func (d dice) hex(digits int) string {
	const all = "0123456789abcdef"
	text := make([]byte, digits)
	for i := range text {
		text[i] = all[d.IntN(len(all))]
	}
	return string(text)
}

// uuid looks like one of version 7, of a moment.
func (d dice) uuid(at time.Time) string {
	ms := fmt.Sprintf("%012x", at.UnixMilli())
	return ms[:8] + "-" + ms[8:] + "-7" + d.hex(3) + "-9" + d.hex(3) + "-" + d.hex(12)
}

// word is a name as the model's service gives them: toolu_01…, msg_01…
func (d dice) word(prefix string) string {
	const all = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz123456789"
	text := make([]byte, 22)
	for i := range text {
		text[i] = all[d.IntN(len(all))]
	}
	return prefix + "_01" + string(text)
}
