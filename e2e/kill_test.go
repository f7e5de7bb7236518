package e2e

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // to ask SQLite itself whether a database is intact

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// The program is killed at random moments of a cycle that escalates through all tiers, records remediations and lets processes escape. Each
// time both files are intact, each restart that began is recorded once, and the next cycle runs, closes what the killed one left open, and
// ends what it left running.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	const side = 2 // worlds, killed concurrently
	kills := 300   // at moments spread over the whole cycle
	if testing.Short() {
		kills = 40
	}
	for i := range side {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			killOften(t, kills/side)
		})
	}
}

func killOften(t *testing.T, times int) {
	w := makeWorld(t)
	w.agent(1, "init", "escape-quiet", reportDown, "say x", finish)
	var names []string
	for i := range 6 * times { // a service for each session that restarts one
		names = append(names, "db"+strconv.Itoa(i))
	}
	w.restartable(`echo "$2" >>'`+w.path("ran")+`'`, names...)
	w.agent(2, "init", `bash docker restart db$CLAUDEOPS_SESSION_ID`, "escape", askForTier3, finish)
	w.agent(3, "init", `bash docker restart db$CLAUDEOPS_SESSION_ID`, "escape-quiet", claim("shop", "restarts", "success: true"), finish)
	w.env["CLAUDEOPS_MAX_REMEDIATIONS_PER_DAY"], w.env["CLAUDEOPS_MAX_SERVICES_PER_HOUR"] = "0", "0"
	whole := w.cycleTime()
	// The incident must stay new, so that each cycle runs all three tiers.
	recorded := 0
	for i := range times {
		if i%10 == 9 {
			w.recovered()
		}
		w.reopen()
		cmd := w.start("run-once")
		time.Sleep(rand.N(whole)) // a random moment is the purpose; nothing waits for it
		must(t, cmd.Process.Kill())
		_ = cmd.Wait() // killed, or ended just before
		recorded = w.wantWhole(recorded)
	}
	w.recovered()
}

// recovered runs a complete cycle, after which nothing of the killed ones is left.
func (w *world) recovered() {
	w.t.Helper()
	script, err := os.ReadFile(w.path("agent", "tier1"))
	must(w.t, err)
	w.agent(1, "init", finish)
	w.cycle(0)
	w.agent(1, string(script))
	for _, s := range w.sessions() {
		if s.Status == store.Running {
			w.t.Fatalf("session %d is still running", s.ID)
		}
	}
	for _, pid := range w.escaped() {
		if alive(pid) {
			w.t.Fatalf("process %d of a dead cycle is alive", pid)
		}
	}
	must(w.t, os.RemoveAll(w.path("agent", "escaped"))) // pids are reused
	w.wantNothingWithTokens()
	if left, err := filepath.Glob(w.path("state", "run", "session-*")); err != nil || len(left) > 0 {
		w.t.Fatalf("workspaces are left: %v, %v", left, err)
	}
	// Each session of Tier 3 counts at most one restart of shop, which it added to its copy, however often that was taken over.
	w.database(func(ctx context.Context, s *store.Store) {
		for _, session := range w.sessionsOf(ctx, s, 3) {
			acts, err := s.SessionActs(ctx, session.ID)
			must(w.t, err)
			restarts := 0
			for _, a := range acts {
				if a.Service == "shop" {
					restarts++
				}
			}
			if restarts > 1 {
				w.t.Fatalf("session %d has %d restarts of shop, of one record", session.ID, restarts)
			}
		}
	})
}

func (w *world) sessionsOf(ctx context.Context, s *store.Store, tier int) []store.Session {
	w.t.Helper()
	list, err := s.Sessions(ctx, store.SessionFilter{Tier: tier, Limit: 10_000})
	must(w.t, err)
	return list
}

// cycleTime returns how long an undisturbed cycle takes here.
func (w *world) cycleTime() time.Duration {
	began := time.Now()
	w.cycle(0)
	return time.Since(began)
}

// reopen clears the history of incidents, so that nothing waits.
func (w *world) reopen() {
	w.t.Helper()
	db, err := sql.Open("sqlite3", w.path("state", store.FileName)+"?_busy_timeout=60000")
	must(w.t, err)
	_, err = db.Exec(`UPDATE incidents SET retry_at = NULL, dead_ends = 0, last_chain = ''`)
	must(w.t, err)
	must(w.t, db.Close())
}

// wantWhole checks both files and returns the number of records, which never decreases except by age.
func (w *world) wantWhole(before int) int {
	w.t.Helper()
	text, err := os.ReadFile(w.path("state", statefile.FileName))
	must(w.t, err)
	st, err := statefile.Parse(text)
	if err != nil {
		w.t.Fatalf("cooldown.json after a kill: %v\n%s", err, text)
	}
	if copies, err := filepath.Glob(w.path("state", "cooldown.json.corrupt-*")); err != nil || len(copies) > 0 {
		w.t.Fatalf("cooldown.json had been corrupt: %v, %v", copies, err)
	}
	db, err := sql.Open("sqlite3", w.path("state", store.FileName)+"?_busy_timeout=60000")
	must(w.t, err)
	var verdict string
	must(w.t, db.QueryRowContext(context.Background(), `PRAGMA integrity_check`).Scan(&verdict))
	must(w.t, db.Close())
	if !strings.EqualFold(verdict, "ok") {
		w.t.Fatalf("the database after a kill: %s", verdict)
	}
	for _, name := range strings.Fields(w.read("ran")) {
		if len(st.Service(name).Restarts) != 1 {
			w.t.Fatalf("a restart of %s ran; its records after a kill: %+v", name, st.Service(name).Restarts)
		}
	}
	records := 0
	for _, s := range st.Services {
		records += len(s.Restarts) + len(s.Redeployments)
	}
	if records < before {
		w.t.Fatalf("%d cooldown records after a kill, %d before it", records, before)
	}
	return records
}
