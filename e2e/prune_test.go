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
