package store

import (
	"errors"
	"strings"
	"testing"
)

// chain adds the sessions of a cycle with this number of tiers; the first has the given id.
func chain(t *testing.T, s *Store, first int64, tiers int) (ids []int64) {
	t.Helper()
	if _, err := s.db.ExecContext(t.Context(), `DELETE FROM sqlite_sequence WHERE name = 'sessions'; INSERT INTO sqlite_sequence (name, seq) VALUES ('sessions', ?)`, first-1); err != nil {
		t.Fatal(err)
	}
	var parent *int64
	for tier := 1; tier <= tiers; tier++ {
		id := must(s.AddSession(t.Context(), Session{ParentID: parent, Tier: tier, Trigger: "cron", Status: Running, StartedAt: noon}))
		ids = append(ids, id)
		parent = &id
	}
	return ids
}

func TestSPEC0016_DatabaseSchema_ParentSessionID(t *testing.T) {
	s := fresh(t)
	for what, query := range map[string]string{
		"a column that may be NULL": `SELECT count(*) FROM pragma_table_info('sessions')
			WHERE name = 'parent_session_id' AND type = 'INTEGER' AND "notnull" = 0`,
		"an index": `SELECT count(*) FROM pragma_index_list('sessions') l, pragma_index_info(l.name) i
			WHERE i.name = 'parent_session_id' AND i.seqno = 0`,
	} {
		if got := s.ask(t, query); got != "1" {
			t.Errorf("%s: %s, want 1", what, got)
		}
	}
	ids := chain(t, s, 18, 3)
	for n, want := range []*int64{nil, &ids[0], &ids[1]} {
		same(t, must(s.Session(t.Context(), ids[n])).ParentID, want)
	}
	parent := int64(99)
	_, err := s.AddSession(t.Context(), Session{ParentID: &parent, Tier: 2, Trigger: "escalation", Status: Running})
	wantError(t, err, nil, "does not have")
}

func TestSPEC0016_DatabaseSchema_FullEscalationChainQueryable(t *testing.T) {
	s := fresh(t)
	same(t, chain(t, s, 18, 3), []int64{18, 19, 20})
	stranger := must(s.AddSession(t.Context(), Session{Tier: 1, Trigger: "cron", Status: Running}))
	for _, id := range []int64{18, 19, 20} {
		var ids []int64
		for _, member := range must(s.Chain(t.Context(), id)) {
			ids = append(ids, member.ID)
		}
		same(t, ids, []int64{18, 19, 20})
	}
	same(t, len(must(s.Chain(t.Context(), stranger))), 1)
	_, err := s.Chain(t.Context(), 99)
	wantError(t, err, ErrNotFound, "99")
}

func TestSPEC0016_PerTierCost_EachTiersCostRecordedIndependently(t *testing.T) {
	s := fresh(t)
	ids := chain(t, s, 18, 2)
	ok(t, s.EndSession(t.Context(), ids[0], Session{Status: Completed, CostUSD: 0.01, NumTurns: 3, DurationMS: 900}))
	ok(t, s.EndSession(t.Context(), ids[1], Session{Status: Completed, CostUSD: 0.2, NumTurns: 9, DurationMS: 4000}))
	one, two := must(s.Session(t.Context(), ids[0])), must(s.Session(t.Context(), ids[1]))
	same(t, []any{one.CostUSD, one.NumTurns, one.DurationMS}, []any{0.01, 3, int64(900)})
	same(t, []any{two.CostUSD, two.NumTurns, two.DurationMS}, []any{0.2, 9, int64(4000)})
}

func TestASessionEndsOnce(t *testing.T) {
	s := fresh(t)
	id := chain(t, s, 1, 1)[0]
	code := 0
	ok(t, s.EndSession(t.Context(), id, Session{Status: Completed, ExitCode: &code, EndedAt: new(noon)}))
	wantError(t, s.EndSession(t.Context(), id, Session{Status: Failed}), ErrNotFound, "running session 1")
	ok(t, s.SetSessionStatus(t.Context(), id, Escalated))
	same(t, must(s.Session(t.Context(), id)).Status, Escalated)
	same(t, len(must(s.RunningSessions(t.Context()))), 0)
	for name, err := range map[string]error{
		"status":  s.SetSessionStatus(t.Context(), 99, Failed),
		"handoff": s.SetSessionHandoff(t.Context(), 99, "{}"),
		"log":     s.SetSessionLog(t.Context(), 99, "/x"),
		"process": s.SetSessionProcess(t.Context(), 99, 1, 1, "b"),
		"read":    second(s.Session(t.Context(), 99)),
	} {
		if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "99") {
			t.Errorf("%s of an unknown session: %v", name, err)
		}
	}
}
