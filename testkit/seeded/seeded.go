// Package seeded writes state and results directories like those of many cycles, for tests of their readers, for screenshots and for
// demonstrations.
//
// The content is in testdata: homelab.yaml has the events of a month, homelab.sql converts them to rows, and load.sql makes the rows of a
// large installation. The same time always gives the same records, except for the process id of the running session.
package seeded

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/mattn/go-sqlite3"
	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

//go:embed testdata
var testdata embed.FS

// Lab is the result of writing.
type Lab struct {
	Now        time.Time
	StateDir   string
	ResultsDir string
	Home       string // HOME of the user whose hooks are shown
	Database   string
	Inventory  string // the services file; empty if there is none
	EnvFile    string // for --env-file: has all of these settings

	Chain   []int64 // the sessions of an escalation through all tiers, root first
	Running int64   // the running session, with the id of this process; 0 for none
	Fixed   int64   // an incident that Tier 3 has resolved
	Open    int64   // an open incident that needs a human
	Asks    int64   // a proposal that waits for a person
	Held    int64   // an incident that is held back by a silence
}

// Numbers of records that Load writes.
const (
	LoadSessions  = 100_000
	LoadServices  = 500
	LoadEvents    = 50_000
	LoadIncidents = 5_000
)

// LoadService is the name of the n-th service of Load.
func LoadService(n int) string { return fmt.Sprintf("service-%05d", n) }

// Load writes the records of a large installation after a month: 100,000 sessions, of which one in twenty began a chain of two or three,
// 1,000,000 check results, 500 services, 50,000 events, 5,000 incidents, of which 12 are open, and 4,000 remediations. It takes some
// seconds.
func Load(ctx context.Context, dir string, now time.Time) (*Lab, error) {
	l, err := place(ctx, dir, now)
	if err != nil {
		return nil, err
	}
	db := l.open("&_cache_size=-200000")
	err = l.execute(ctx, db, "load.sql")
	if err = errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	l.Chain = []int64{LoadSessions - 59, LoadSessions - 58, LoadSessions - 57}
	return l, l.mirror(ctx, l.Now.Add(-time.Minute), l.Now.Add(-6*time.Hour))
}

// Homelab writes the records of a month of hourly cycles over the 14 services of a home network: past incidents that Tier 2 and Tier 3
// resolved, one that needs a human, one that is held back by a silence, and a running Tier 2 session with the id of this process. The
// last cycle began 4 minutes before now.
func Homelab(ctx context.Context, dir string, now time.Time) (*Lab, error) {
	l, err := place(ctx, dir, now)
	if err != nil {
		return nil, err
	}
	const settings = `CLAUDEOPS_SCHEDULE=%d * * * *
CLAUDEOPS_DAILY_BUDGET_USD=6
CLAUDEOPS_TIER3_BUDGET_USD=4
CLAUDEOPS_REPOS_DIR=/srv/stacks
CLAUDEOPS_APPRISE_URLS=ntfys://robin:correct-horse@ntfy.home.example.org/homelab,mailtos://robin:battery-staple@mail.example.org
CLAUDEOPS_HEARTBEAT_URL=https://hc-ping.example.org/3f6c9c1e-0b7d-4b6e-9f38-6a1d1f7c2a55
`
	l.Inventory = filepath.Join(dir, "services.yaml")
	err = errors.Join(l.writeEnv(fmt.Sprintf(settings, l.Now.Add(-4*time.Minute).Minute())), l.render("services.yaml", l.Inventory),
		l.render("hook_state.json", filepath.Join(l.Home, ".claude", "hook_state.json")),
		l.render("guardrails.yaml", hooks.ConfigPath(l.Home)))
	if err != nil {
		return nil, err
	}
	db := l.open("")
	if err := errors.Join(l.homelab(ctx, db), db.Close()); err != nil {
		return nil, fmt.Errorf("write the homelab: %w", err)
	}
	return l, l.mirror(ctx, l.Now.Add(-4*time.Minute), l.Now.Add(-9*time.Hour))
}

// homelab writes the database, and the logs from it.
func (l *Lab) homelab(ctx context.Context, db *sql.DB) error {
	text, err := testdata.ReadFile("testdata/homelab.yaml")
	if err != nil {
		return err
	}
	var story map[string]any
	if err := yaml.Unmarshal(text, &story); err != nil {
		return err
	}
	if text, err = json.Marshal(story); err != nil {
		return err
	}
	is, err := tiers.Identify(os.Getpid())
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `CREATE TEMP TABLE given AS SELECT ? AS story, ? AS results_dir, ? AS pid, ? AS pid_start, ? AS boot_id`,
		string(text), l.ResultsDir, is.PID, is.Start, is.BootID)
	if err != nil {
		return err
	}
	if err := l.execute(ctx, db, "homelab.sql"); err != nil {
		return err
	}
	incident := func(service string) string {
		return `(SELECT max(id) FROM incidents WHERE service = '` + service + `')`
	}
	err = db.QueryRowContext(ctx, `SELECT (SELECT max(id) FROM sessions), `+incident("immich")+`, `+incident("paperless")+`, `+incident("home-assistant")+`, (SELECT max(id) FROM proposals)`).
		Scan(&l.Running, &l.Fixed, &l.Open, &l.Held, &l.Asks)
	if err != nil {
		return err
	}
	l.Chain = []int64{0, 0, 0}
	err = db.QueryRowContext(ctx, `SELECT min(session_id), min(session_id) + 1, max(session_id) FROM incident_sessions WHERE incident_id = ?`, l.Fixed).
		Scan(&l.Chain[0], &l.Chain[1], &l.Chain[2])
	if err != nil {
		return err
	}
	return l.logs(ctx, db)
}

// place creates the directories and the database, and sets the paths.
func place(ctx context.Context, dir string, now time.Time) (*Lab, error) {
	l := &Lab{
		Now: now.UTC().Truncate(time.Millisecond), StateDir: filepath.Join(dir, "state"), ResultsDir: filepath.Join(dir, "results"),
		Home: filepath.Join(dir, "home"), EnvFile: filepath.Join(dir, "env"),
	}
	l.Database = filepath.Join(l.StateDir, store.FileName)
	for _, path := range []string{l.StateDir, l.ResultsDir, filepath.Join(l.Home, ".claude")} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
	}
	s, err := store.Open(ctx, l.Database, store.ReadWrite)
	if err != nil {
		return nil, err
	}
	return l, errors.Join(s.Close(), l.writeEnv(""))
}

// writeEnv writes the environment file; settings are additional lines.
func (l *Lab) writeEnv(settings string) error {
	text := "CLAUDEOPS_STATE_DIR=" + l.StateDir + "\nCLAUDEOPS_RESULTS_DIR=" + l.ResultsDir + "\n" + settings
	if l.Inventory != "" {
		text += "CLAUDEOPS_INVENTORY=" + l.Inventory + "\n"
	}
	return os.WriteFile(l.EnvFile, []byte(text), 0o600)
}

// render writes a file of testdata, in which {{ago S}} is replaced with the time S seconds before now.
func (l *Lab) render(name, path string) error {
	ago := func(seconds int) string { return l.Now.Add(-time.Duration(seconds) * time.Second).Format(time.RFC3339) }
	t, err := template.New(name).Funcs(template.FuncMap{"ago": ago}).ParseFS(testdata, "testdata/"+name)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := t.Execute(&text, nil); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o600)
}

// LogPath returns the path of a session's raw log.
func (l *Lab) LogPath(session int64) string {
	return filepath.Join(l.ResultsDir, "session-"+strconv.FormatInt(session, 10)+".ndjson")
}

// AuditPath returns the path of a session's audit of the guard's decisions.
func (l *Lab) AuditPath(session int64) string { return guard.AuditPath(l.ResultsDir, session) }

// connector opens the database for SQL that may call ago and day.
type connector struct {
	sqlite3.SQLiteDriver
	source string
}

func (c *connector) Connect(context.Context) (driver.Conn, error) { return c.Open(c.source) }
func (c *connector) Driver() driver.Driver                        { return &c.SQLiteDriver }

// open opens the database with a single connection, because temporary tables belong to a connection. options are additional ones of the
// driver.
func (l *Lab) open(options string) *sql.DB {
	moment := func(layout string) func(any) any {
		return func(seconds any) any {
			switch s := seconds.(type) {
			case int64:
				return l.Now.Add(-time.Duration(s) * time.Second).Format(layout)
			case float64:
				return l.Now.Add(-time.Duration(s * float64(time.Second))).Format(layout)
			}
			return nil
		}
	}
	c := &connector{source: "file:" + filepath.ToSlash(l.Database) + "?_txlock=immediate&_synchronous=OFF&_foreign_keys=OFF" + options}
	c.ConnectHook = func(conn *sqlite3.SQLiteConn) error {
		return errors.Join(conn.RegisterFunc("ago", moment("2006-01-02T15:04:05.000Z"), true), conn.RegisterFunc("day", moment("2006-01-02 15:04 UTC"), true))
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(1)
	return db
}

// execute runs a script of testdata and computes the hourly sums of what it wrote, in one transaction.
func (l *Lab) execute(ctx context.Context, db *sql.DB, name string) error {
	script, err := testdata.ReadFile("testdata/" + name)
	if err != nil {
		return err
	}
	hours, err := testdata.ReadFile("testdata/hours.sql")
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "BEGIN IMMEDIATE;\n"+string(script)+string(hours)+"\nCOMMIT; PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// mirror writes cooldown.json like the last cycle: the remediations that still count, and the times of the last cycle and digest.
func (l *Lab) mirror(ctx context.Context, lastRun, digest time.Time) (err error) {
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
	_, err = statefile.File{Path: filepath.Join(l.StateDir, statefile.FileName), Now: s.Now}.Update(ctx, func(st *statefile.State) error {
		for _, a := range acts {
			st.Add(a.Service, a.Action, statefile.Record{
				Timestamp: statefile.At(a.CreatedAt), Success: a.Success, Error: a.Error, Tier: a.Tier, ID: a.ID,
			})
		}
		run, sent := statefile.At(lastRun), statefile.At(digest)
		st.LastRun, st.LastDailyDigest = &run, &sent
		return nil
	})
	return err
}

// Finish ends the running session as successful.
func (l *Lab) Finish(ctx context.Context) (err error) {
	s, err := store.Open(ctx, l.Database, store.ReadWrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	s.Now = func() time.Time { return l.Now }
	code := 0
	return s.EndSession(ctx, l.Running, store.Session{
		Status: store.Completed, ExitCode: &code, CostUSD: 0.2841, NumTurns: 11, DurationMS: 212_000, InputTokens: 148_000, OutputTokens: 3900,
		Response: strings.TrimSpace(`
Prometheus has read its log and is ready. One job was scraped every second and made 1.4 million series; it is for a person to change
` + "`prometheus.yml`" + ` line 41. Nothing was restarted.`),
	})
}
