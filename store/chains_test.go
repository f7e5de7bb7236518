package store

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// chained adds sessions; parents[n] is the number of the n-th one's parent, 0 for none.
type chained struct {
	*Store
	parents []int64
	rows    []Session
}

// root follows parents to lower numbers.
func (c chained) root(id int64) int64 {
	for {
		parent := c.parents[id-1]
		if parent == 0 || parent >= id || parent > int64(len(c.parents)) {
			return id
		}
		id = parent
	}
}

// roots returns the first sessions of the chains with a matching session, newest first.
func (c chained) roots(f SessionFilter) (roots []int64) {
	for _, s := range c.rows {
		if c.matches(f, s) {
			roots = append(roots, c.root(s.ID))
		}
	}
	slices.Sort(roots)
	slices.Reverse(roots)
	return slices.Compact(roots)
}

func (c chained) matches(f SessionFilter, s Session) bool {
	trigger := s.Trigger == f.Trigger
	if f.Trigger != "" && f.Trigger != "escalation" && s.Trigger == "escalation" {
		trigger = c.rows[c.root(s.ID)-1].Trigger == f.Trigger
	}
	return (f.Status == "" || s.Status == f.Status) && (f.Tier == 0 || s.Tier == f.Tier) && (f.Trigger == "" || trigger) &&
		(f.From.IsZero() || !s.StartedAt.Before(f.From)) && (f.Until.IsZero() || s.StartedAt.Before(f.Until))
}

// pages are the roots of all pages, one after the other.
func (c chained) pages(t *rapid.T, f SessionFilter) (roots []int64) {
	for {
		page, more, err := c.ChainRoots(t.Context(), f)
		if err != nil || len(page) > f.Limit || more && len(page) == 0 {
			t.Fatalf("%v: %d roots, and more: %t", err, len(page), more)
		}
		roots = append(roots, page...)
		if !more {
			return roots
		}
		f.Before = page[len(page)-1]
	}
}

func makeChained(t *testing.T, r *rapid.T, s *Store, parent func(id int64) int64) chained {
	if _, err := s.db.Exec(`PRAGMA foreign_keys = OFF`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec(`DELETE FROM sessions; DELETE FROM sqlite_sequence`); err != nil {
		t.Fatal(err)
	}
	c := chained{Store: s}
	for id := range int64(rapid.IntRange(1, 40).Draw(r, "sessions")) {
		row := Session{
			ID: id + 1, Tier: rapid.IntRange(1, 3).Draw(r, "tier"), StartedAt: noon.Add(time.Duration(id) * time.Minute),
			Status: rapid.SampledFrom([]Status{Completed, Failed, Escalated}).Draw(r, "status"), Trigger: rapid.SampledFrom([]string{"cron", "manual"}).Draw(r, "trigger"),
		}
		p := parent(id + 1)
		if p != 0 {
			row.Trigger = "escalation"
		}
		c.parents, c.rows = append(c.parents, p), append(c.rows, row)
		if _, err := s.db.Exec(`INSERT INTO sessions (id, root_id, parent_session_id, tier, trigger, status, started_at) VALUES (?, ?, nullif(?, 0), ?, ?, ?, ?)`,
			row.ID, c.root(row.ID), p, row.Tier, row.Trigger, row.Status, timeText(row.StartedAt)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func drawFilter(r *rapid.T) SessionFilter {
	minute := func(name string) time.Time {
		if n := rapid.IntRange(-40, 40).Draw(r, name); n > 0 {
			return noon.Add(time.Duration(n) * time.Minute)
		}
		return time.Time{}
	}
	return SessionFilter{
		Status: rapid.SampledFrom([]Status{"", "", Failed, Running}).Draw(r, "wanted status"), Tier: rapid.IntRange(0, 3).Draw(r, "wanted tier"),
		Trigger: rapid.SampledFrom([]string{"", "", "cron", "manual", "escalation", "systemd"}).Draw(r, "wanted trigger"),
		From:    minute("from"), Until: minute("until"), Limit: rapid.IntRange(1, 7).Draw(r, "limit"),
	}
}

// Pages contain each chain with a matching session once, newest first, and Links marks the sessions that match.
func TestPagesOfChainsAreComplete(t *testing.T) {
	s := fresh(t)
	rapid.Check(t, func(r *rapid.T) {
		depth := int64(0)
		c := makeChained(t, r, s, func(id int64) int64 {
			if id > 1 && depth < 2 && rapid.Bool().Draw(r, "escalated") {
				depth++
				return id - 1
			}
			depth = 0
			return 0
		})
		f := drawFilter(r)
		roots := c.pages(r, f)
		if want := c.roots(f); !slices.Equal(roots, want) {
			r.Fatalf("the pages hold %v, want %v", roots, want)
		}
		links, err := s.Links(t.Context(), roots, f)
		if err != nil {
			r.Fatal(err)
		}
		for _, l := range links {
			if l.Matches != c.matches(f, c.rows[l.ID-1]) || l.RootID != c.root(l.ID) {
				r.Fatalf("a link is %+v", l)
			}
		}
	})
}

func TestChainsAreListedByWhatTheirSessionsWorkedOn(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	add := func(parent *int64) int64 {
		tier, trigger := 1, "cron"
		if parent != nil {
			tier, trigger = 2, "escalation"
		}
		return must(s.AddSession(ctx, Session{ParentID: parent, Tier: tier, Trigger: trigger, Status: Completed}))
	}
	byIncident, byAct, byEvent, byNothing := add(nil), add(nil), add(nil), add(nil)
	child := add(&byNothing)
	last := add(nil)
	incident := must(s.OpenIncident(ctx, Incident{Service: "shop", Status: "down"}))
	ok(t, s.LinkSession(ctx, incident, byIncident, "", ""))
	ok(t, s.PutAct(ctx, Act{ID: "a", SessionID: &byAct, Service: "shop", Action: "restart", Source: "guard"}))
	ok(t, s.PutAct(ctx, Act{ID: "b", Service: "shop", Action: "restart", Source: "record"}))
	ok(t, s.AddEvent(ctx, Event{SessionID: &byEvent, Level: Info, Service: "shop", Message: "m"}))
	ok(t, s.AddEvent(ctx, Event{Level: Info, Service: "shop", Message: "m"}))
	ok(t, s.AddEvent(ctx, Event{SessionID: &child, Level: Info, Service: "shop", Message: "m"}))
	ok(t, s.AddEvent(ctx, Event{SessionID: &last, Level: Info, Service: "mail", Message: "m"}))
	shop := SessionFilter{Service: "shop", Limit: 10}
	roots, more, err := s.ChainRoots(ctx, shop)
	ok(t, err)
	same(t, roots, []int64{byNothing, byEvent, byAct, byIncident})
	same(t, more, false)
	links := must(s.Links(ctx, roots[:1], shop))
	same(t, []bool{links[0].Matches, links[1].Matches}, []bool{false, true})
	same(t, links[1].ParentID, &byNothing)
	for _, service := range []string{"shop'; DROP TABLE sessions; --", "%", "SHOP", ""} {
		roots, _, err := s.ChainRoots(ctx, SessionFilter{Service: service, Limit: 10})
		if ok(t, err); service != "" && len(roots) > 0 {
			t.Errorf("%q is worked on by %v", service, roots)
		}
	}
}
