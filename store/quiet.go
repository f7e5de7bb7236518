package store

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// storedCheck is a check result with the number of batches left out before it; nil if it stays.
type storedCheck struct {
	Check
	LeftOut *int64
}

const storedColumns = checkColumns + `, left_out`

// QuietSession closes the record of a cycle with one session that only checked and found nothing new: for each service the same checks,
// statuses and errors (ignoring numbers) as the checks before, and only events at level info that repeat events of the last day. The
// session then becomes quiet. Of consecutive equal checks by quiet sessions, only the first and the last are kept, along with the figures
// of their hours. Also deleted are fields that a session needs only while it runs, its links to incidents, and repeated events. It
// reports whether the session is quiet; if not, nothing is changed.
func (s *Store) QuietSession(ctx context.Context, session int64) (quiet bool, err error) {
	err = s.Update(ctx, func(s *Store) error {
		found, err := list[storedCheck](ctx, s, "read check results", `SELECT `+storedColumns+` FROM health_checks WHERE session_id = ? ORDER BY id`, session)
		if err != nil {
			return err
		}
		before, err := list[storedCheck](ctx, s, "read the check results before", `
			SELECT `+storedColumns+` FROM (SELECT service AS name, min(checked_at) AS began FROM health_checks WHERE session_id = ?1 GROUP BY service) CROSS JOIN health_checks
			ON service = name AND checked_at = (SELECT max(checked_at) FROM health_checks WHERE service = name AND checked_at < began)`, session)
		if err != nil {
			return err
		}
		left, again := repeats(found, before)
		if !again {
			return nil
		}
		quiet, err = one[bool](ctx, s, "read a session's events", `SELECT NOT EXISTS (
			SELECT 1 FROM events WHERE session_id = ?1 AND level <> 'info' AND NOT `+saidBefore+`)`, session, quietEventsLast, s.lastDay())
		if err != nil || !quiet {
			return err
		}
		return s.leaveOut(ctx, session, before, left)
	})
	return quiet && err == nil, err
}

// repeats reports whether a session's results equal those of the earlier check of each service. left has, by result id, the number of
// checks that are left out before it if those that may be deleted are.
func repeats(found, before []storedCheck) (left [][2]int64, again bool) {
	is, was := byService(found), byService(before)
	for service, results := range is {
		last := was[service]
		if !alike(last, results) {
			return nil, false
		}
		leftOut := int64(0)
		if last[0].LeftOut != nil {
			leftOut = *last[0].LeftOut + 1
		}
		for _, c := range results {
			left = append(left, [2]int64{c.ID, leftOut})
		}
	}
	return left, true
}

func byService(checks []storedCheck) map[string][]storedCheck {
	by := map[string][]storedCheck{}
	for _, c := range checks {
		by[c.Service] = append(by[c.Service], c)
	}
	return by
}

// alike reports whether two checks of a service found the same. An incident's timeline must not differ either; it groups results by type.
func alike(older, newer []storedCheck) bool {
	if !slices.EqualFunc(looks(older), looks(newer), func(a, b *look) bool { return a.same(b) }) {
		return false
	}
	inOrder := func(a, b storedCheck) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Status, b.Status), cmp.Compare(gist(a.Error), gist(b.Error)))
	}
	older, newer = slices.SortedFunc(slices.Values(older), inOrder), slices.SortedFunc(slices.Values(newer), inOrder)
	return slices.EqualFunc(older, newer, func(a, b storedCheck) bool { return inOrder(a, b) == 0 && a.CheckedAt.Before(b.CheckedAt) })
}

// quietEventsLast limits the events in which an equal one is searched.
const quietEventsLast = 10_000

// saidBefore is true if an event repeats an earlier one, at most ?2 before it and later than ?3.
const saidBefore = `EXISTS (
	SELECT 1 FROM events e WHERE e.service = events.service AND e.id BETWEEN events.id - ?2 AND events.id - 1 AND e.level = events.level AND e.message = events.message
		AND e.created_at > ?3)`

func (s *Store) lastDay() string { return timeText(s.Now().Add(-24 * time.Hour)) }

func (s *Store) leaveOut(ctx context.Context, session int64, before []storedCheck, left [][2]int64) error {
	var gone []int64
	for _, c := range before {
		if c.LeftOut != nil {
			gone = append(gone, c.ID)
		}
	}
	for _, step := range []struct {
		query string
		args  []any
	}{
		{`DELETE FROM health_checks WHERE id IN (SELECT value FROM json_each(?))`, []any{jsonList(gone)}},
		{`UPDATE health_checks SET left_out = l.looks FROM (SELECT value ->> 0 AS id, value ->> 1 AS looks FROM json_each(?)) l WHERE health_checks.id = l.id`, []any{jsonList(left)}},
		{`UPDATE sessions SET quiet = 1, log_path = '', pid = 0, pid_start = 0, boot_id = '', run_token = '' WHERE id = ?`, []any{session}},
		{`DELETE FROM incident_sessions WHERE session_id = ? AND findings = '' AND attempted = ''`, []any{session}},
		{`DELETE FROM events WHERE session_id = ?1 AND ` + saidBefore, []any{session, quietEventsLast, s.lastDay()}},
	} {
		if err := s.exec(ctx, "close the record of a quiet cycle", step.query, step.args...); err != nil {
			return err
		}
	}
	return nil
}
