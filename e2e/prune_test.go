package e2e

import (
	"errors"
	"os"
	"testing"

	"github.com/claudeops/claudeops/guard"
)

func TestASessionIsPrunedWithItsLogAndItsAudit(t *testing.T) {
	w := newWorld(t)
	w.agent(1, finish)
	w.cycle(0)
	log := w.path("results", "session-1.ndjson")
	audit := guard.Audit{Path: guard.AuditBeside(log)}
	must(t, audit.Append(guard.Entry{Decision: guard.Allowed}))
	w.cycle(0)
	if _, err := os.Stat(audit.Path); err != nil {
		t.Errorf("it was pruned before its time: %v", err)
	}
	w.env["CLAUDEOPS_RETENTION"] = "1ms"
	w.cycle(0)
	for _, path := range []string{log, audit.Path} {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
}

func TestTheOldestLogsAndAuditsGoFirst(t *testing.T) {
	w := newWorld(t)
	w.agent(1, finish)
	w.cycle(0)
	audit := guard.AuditPath(w.path("results"), 1)
	must(t, os.WriteFile(audit, make([]byte, 10_000), 0o600))
	w.env["CLAUDEOPS_LOG_MAX"] = "9KB"
	w.cycle(0)
	if _, err := os.Lstat(audit); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the audit is still there: %v", err)
	}
	if _, err := os.Lstat(w.path("results", "session-2.ndjson")); err != nil {
		t.Errorf("the newest log is gone: %v", err)
	}
}

// What has the name of a session's audit before that session began is of another one, or of an agent: nothing in it counts.
func TestASessionBeginsWithAnAuditOfItsOwn(t *testing.T) {
	w := newWorld(t)
	w.agent(1, finish)
	w.cycle(0) // a new database takes no number that has a log
	must(t, os.Mkdir(guard.AuditPath(w.path("results"), 2), 0o700))
	must(t, (guard.Audit{Path: guard.AuditPath(w.path("results"), 3)}).Append(guard.Entry{Decision: guard.Denied}))
	w.cycle(0)
	w.cycle(0)
	for _, id := range []int64{2, 3} {
		if entries, err := (guard.Audit{Path: guard.AuditPath(w.path("results"), id)}).Read(); len(entries) != 0 || err != nil {
			t.Errorf("session %d has %+v, %v", id, entries, err)
		}
	}
}

func TestAnAuditIsRedactedWithTheOperatorsSecrets(t *testing.T) {
	w := newWorld(t)
	w.env["PGPASSWORD"] = "correct-horse-battery"
	audit := guard.Audit{Path: guard.AuditPath(w.path("results"), 1)}
	w.agent(1, "bash echo correct-horse-battery", finish)
	w.cycle(0)
	entries, err := audit.Read()
	must(t, err)
	if len(entries) != 1 || entries[0].Command != "echo [redacted]" {
		t.Errorf("%+v", entries)
	}
}
