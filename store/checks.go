package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
)

// Source is whose word a check result is.
type Source string

// The sources there are.
const (
	Reported Source = "report" // an agent's, or a person's, by `claudeops report` or in a handoff
	Probed   Source = "probe"  // the program's own
)

// Check is a check result as it was stored. The result's unknown members are not kept.
type Check struct {
	ID        int64  `json:"id"`
	SessionID *int64 `json:"session_id"` // nil for a check outside any session
	check.Result
	Source    Source    `json:"source"`
	CheckedAt time.Time `json:"checked_at"`
}

// Results are the bare check results.
func Results(checks []Check) []check.Result {
	results := make([]check.Result, len(checks))
	for i, c := range checks {
		results[i] = c.Result
	}
	return results
}

const checkColumns = `id, session_id, service, check_type, status, error, response_time_ms, source, checked_at`

// AddChecks stores the results of one report, all or none. session is nil outside any.
func (s *Store) AddChecks(ctx context.Context, session *int64, at time.Time, results []check.Result) error {
	return s.addChecks(ctx, session, at, Reported, results)
}

// AddProbed stores the results of one probe run of a session, where 0 is none, and how often each container that was looked at has restarted.
func (s *Store) AddProbed(ctx context.Context, session int64, at time.Time, results []check.Result, restarts map[string]int) error {
	of := &session
	if session == 0 {
		of = nil
	}
	return s.Update(ctx, func(s *Store) error {
		if err := s.KeepContainerRestarts(ctx, at, restarts); err != nil {
			return err
		}
		return s.addChecks(ctx, of, at, Probed, results)
	})
}

// KeepContainerRestarts keeps how often containers, by their ids, had restarted at that time.
func (s *Store) KeepContainerRestarts(ctx context.Context, at time.Time, restarts map[string]int) error {
	return s.Update(ctx, func(s *Store) error {
		for container, count := range restarts {
			if err := s.exec(ctx, "keep a container's restarts", `
				INSERT OR REPLACE INTO container_restarts (container, restarts, seen_at) VALUES (?, ?, ?)`, container, count, s.orNow(at)); err != nil {
				return err
			}
		}
		return nil
	})
}

// ContainerRestarts is how often each container had restarted when it was last looked at, by its id.
func (s *Store) ContainerRestarts(ctx context.Context) (map[string]int, error) {
	return keyed[string, int](ctx, s, "read the containers' restarts", `SELECT container, restarts FROM container_restarts`)
}

func (s *Store) addChecks(ctx context.Context, session *int64, at time.Time, source Source, results []check.Result) error {
	return s.Update(ctx, func(s *Store) error {
		at, err := s.afterLast(ctx, session, at, results)
		if err != nil {
			return err
		}
		last, err := one[int64](ctx, s, "add check results", `SELECT coalesce(max(id), 0) FROM health_checks`)
		if err != nil {
			return err
		}
		for _, r := range results {
			if err := s.exec(ctx, "add check results", `
				INSERT INTO health_checks (session_id, service, check_type, status, response_time_ms, error, source, checked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
				session, r.Service, r.Type, r.Status, r.ResponseTimeMS, r.Error, source, timeText(at)); err != nil {
				return err
			}
		}
		return s.countHour(ctx, at, last)
	})
}

// afterLast is the time of a new batch of results: at or, where the clock did not move or was set back since the session's last one,
// just after that. No service has two looks at one moment.
func (s *Store) afterLast(ctx context.Context, session *int64, at time.Time, results []check.Result) (time.Time, error) {
	if at.IsZero() {
		at = s.Now()
	}
	if session != nil {
		last, err := one[*time.Time](ctx, s, "read the last check results", `SELECT max(checked_at) FROM health_checks WHERE session_id = ?`, session)
		if err != nil {
			return at, err
		}
		if last != nil && !at.After(*last) {
			at = last.Add(time.Millisecond).In(at.Location())
		}
	}
	services := make([]string, len(results))
	for n, r := range results {
		services[n] = strings.ToValidUTF8(r.Service, "\uFFFD") // as it is stored
	}
	names, err := nameList(services)
	if err != nil {
		return at, err
	}
	for {
		taken, err := one[bool](ctx, s, "read the last check results", `SELECT EXISTS (
			SELECT 1 FROM json_each(?1) n JOIN health_checks ON service = CAST(unhex(n.value) AS TEXT) AND checked_at = ?2)`, names, timeText(at))
		if err != nil || !taken {
			return at, err
		}
		at = at.Add(time.Millisecond)
	}
}

// SessionChecks returns all results of a session in the order in which they came.
func (s *Store) SessionChecks(ctx context.Context, session int64) ([]Check, error) {
	return list[Check](ctx, s, "read check results", `SELECT `+checkColumns+` FROM health_checks WHERE session_id = ? ORDER BY id`, session)
}

// LatestBySession returns the results of some sessions that are still valid, older ones first, each a service's latest report and latest probe: a
// later one replaces an earlier one, and what was probed overrules what was reported of the same type (RULE "Consecutive healthy").
// A check that could not be made does neither: what was found unwell stays beside it. They come in the order in which they were stored.
func (s *Store) LatestBySession(ctx context.Context, sessions ...int64) ([]Check, error) {
	var all []Check
	for _, id := range sessions {
		checks, err := s.SessionChecks(ctx, id)
		if err != nil {
			return nil, err
		}
		all = append(all, checks...)
	}
	return latest(all), nil
}

// latest are those of checks, in the order in which they were stored, that are still valid.
func latest(all []Check) []Check {
	type voice struct {
		service string
		source  Source
	}
	standing := map[voice][]Check{}
	for start := 0; start < len(all); {
		end := start + 1 // one call stores all its results at one time
		for end < len(all) && *all[end].SessionID == *all[start].SessionID && all[end].CheckedAt.Equal(all[start].CheckedAt) {
			end++
		}
		said := map[voice][]Check{}
		for _, c := range all[start:end] {
			by := voice{c.Service, c.Source}
			said[by] = append(said[by], c)
		}
		for by, later := range said {
			standing[by] = append(unreplaced(standing[by], later), later...)
		}
		start = end
	}
	type subject struct {
		service string
		typ     check.Type
	}
	probed := map[subject]bool{}
	for by, checks := range standing {
		for _, c := range checks {
			probed[subject{c.Service, c.Type}] = probed[subject{c.Service, c.Type}] || by.source == Probed && c.Status != check.Unknown
		}
	}
	var left []Check
	for _, checks := range standing {
		for _, c := range checks {
			if c.Source == Probed || !probed[subject{c.Service, c.Type}] {
				left = append(left, c)
			}
		}
	}
	slices.SortFunc(left, func(x, y Check) int { return cmp.Compare(x.ID, y.ID) })
	return left
}

// unreplaced are those results of a service that later ones of the same source leave standing: the unwell ones of which these only say
// that the check could not be made.
func unreplaced(earlier, later []Check) (left []Check) {
	unknown, known := map[check.Type]bool{}, map[check.Type]bool{}
	for _, c := range later {
		unknown[c.Type] = unknown[c.Type] || c.Status == check.Unknown
		known[c.Type] = known[c.Type] || c.Status != check.Unknown
	}
	nothingKnown := !slices.ContainsFunc(later, func(c Check) bool { return c.Status != check.Unknown })
	for _, c := range earlier {
		if c.Status.Unwell() && (nothingKnown || unknown[c.Type] && !known[c.Type]) {
			left = append(left, c)
		}
	}
	return left
}

// LastKnown returns, for each service and type, what the last check that could be made found from a moment on: of several results of one
// look the worst, without its time. Services without any are left out.
func (s *Store) LastKnown(ctx context.Context, since time.Time, services ...string) ([]check.Result, error) {
	names, err := nameList(services)
	if err != nil || len(services) == 0 {
		return nil, err
	}
	scan := func(r row, c *check.Result) error { return r.Scan(&c.Service, &c.Type, readWorst{&c.Status}, &c.Error) }
	return listBy(ctx, s, "read how services were last found", scan, `
		WITH names (service) AS (SELECT CAST(unhex(value) AS TEXT) FROM json_each(?1))
		SELECT service, check_type, worst, error FROM (
			SELECT service, check_type, max(`+worstOf+`) AS worst, coalesce(error, '') AS error, rank() OVER (PARTITION BY service, check_type ORDER BY checked_at DESC) AS age
			FROM health_checks WHERE service IN names AND checked_at >= ?2 AND status <> 'unknown' GROUP BY service, check_type, checked_at)
		WHERE age = 1`, names, timeText(since))
}

// LastChecks are the results of a service when it was last checked at or after since, by the program itself where it was, else by
// report; none where it was not checked.
func (s *Store) LastChecks(ctx context.Context, service string, since time.Time) ([]Check, error) {
	for _, source := range []string{"'probe'", "source"} {
		last, err := list[Check](ctx, s, "read how "+service+" was found", `
			SELECT `+checkColumns+` FROM health_checks WHERE service = ?1 AND source = `+source+` AND checked_at = (
				SELECT max(checked_at) FROM health_checks WHERE service = ?1 AND source = `+source+` AND checked_at >= ?2)`, service, timeText(since))
		if err != nil || len(last) > 0 {
			return last, err
		}
	}
	return nil, nil
}
