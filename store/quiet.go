package store

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// storedCheck is a check result with how many looks were left out before it, nil where it stays.
type storedCheck struct {
	Check
	LeftOut *int64
}

const storedColumns = checkColumns + `, left_out`

// QuietSession closes the record of a cycle that did nothing but look, by one session, where it found what the looks before it had found: of
// each service the same checks with the same status and, numbers apart, the same errors; and where its events say nothing but information and
// what was said within a day before. Then the session is quiet: the looks before it go that are of quiet sessions too, so that of a run of looks
// that are alike the first and the last stay, and the figures of their hours. With them go what is needed of a session only while it runs, its
// links to incidents, and the events that say what was said before. It reports whether the session is quiet; where it is not, nothing is changed.
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
		if quiet, err = s.nothingBegan(ctx, found, before); err != nil || !quiet {
			return err
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

// repeats reports whether the results of a session say of each service what those of the look before say, which is older. left says of each
// result, by its id, how many looks are left out before it if those go that may.
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

// alike reports whether a look says what an older one says, also to an incident's timeline, which has those of one type together.
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

// nothingBegan reports whether no silence has begun or ended since the looks before: what was found while it lasted is counted from then on,
// and till then.
func (s *Store) nothingBegan(ctx context.Context, found, before []storedCheck) (bool, error) {
	var from, to time.Time
	for _, c := range before {
		if from.IsZero() || c.CheckedAt.Before(from) {
			from = c.CheckedAt
		}
	}
	for _, c := range found {
		if c.CheckedAt.After(to) {
			to = c.CheckedAt
		}
	}
	began, err := one[bool](ctx, s, "read the silences", `SELECT EXISTS (
		SELECT 1 FROM silences WHERE created_at BETWEEN ?1 AND ?2 OR coalesce(ended_at, until) BETWEEN ?1 AND ?2)`, timeText(from), timeText(to))
	return !began, err
}

// quietEventsLast is within how many events one that says the same is looked for.
const quietEventsLast = 10_000

// saidBefore is of an event that an earlier one, not more than ?2 before it and later than ?3, says the same.
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
