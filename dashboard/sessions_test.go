package dashboard

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/store"
)

// session adds a session; zero fields get the values of a completed Tier 1 that cron started an hour ago.
func (h *house) session(s store.Session) int64 {
	h.t.Helper()
	s.Tier = max(s.Tier, 1)
	if s.Trigger == "" {
		s.Trigger = "cron"
		if s.ParentID != nil {
			s.Trigger = "escalation"
		}
	}
	if s.StartedAt.IsZero() {
		s.StartedAt = h.time().Add(-time.Hour)
	}
	end := store.Session{
		Status: s.Status, EndedAt: new(s.StartedAt.Add(time.Minute)), CostUSD: s.CostUSD, NumTurns: s.NumTurns, DurationMS: s.DurationMS,
		InputTokens: s.InputTokens, OutputTokens: s.OutputTokens, Response: s.Response, Error: s.Error,
	}
	if end.Status == "" {
		end.Status = store.Completed
	}
	s.Status = store.Running
	id := got(h.store.AddSession(h.t.Context(), s))(h.t)
	if end.Status != store.Running {
		fine(h.t, h.store.EndSession(h.t.Context(), id, end))
	}
	return id
}

// results returns the directory of raw logs.
func (h *house) results() string {
	h.t.Helper()
	dir := filepath.Join(h.dir, "results")
	fine(h.t, os.MkdirAll(dir, 0o700))
	return dir
}

// alive makes this process the agent of each running session.
func (h *house) alive() {
	h.t.Helper()
	start := got(procfs.Read(os.Getpid()))(h.t).Start
	for _, s := range got(h.store.RunningSessions(h.t.Context()))(h.t) {
		fine(h.t, h.store.SetSessionProcess(h.t.Context(), s.ID, os.Getpid(), start, procfs.BootID()))
	}
}

// chain adds the three sessions of a complete escalation, and returns their ids.
func (h *house) chain() (ids [3]int64) {
	h.t.Helper()
	var parent *int64
	for n, model := range []string{"haiku", "sonnet", "opus"} {
		status := store.Escalated
		if n == 2 {
			status = store.Completed
		}
		ids[n] = h.session(store.Session{
			ParentID: parent, Tier: n + 1, Model: model, Agent: "claude", Status: status, StartedAt: h.time().Add(time.Duration(n-60) * time.Minute),
			CostUSD: 0.25 * float64(n+1), NumTurns: 10 * (n + 1), DurationMS: 60_000 * int64(n+1), InputTokens: 1000 * int64(n+1), OutputTokens: 10 * int64(n+1),
		})
		parent = &ids[n]
	}
	return ids
}

func sessionIDs(c Chain) (ids []int64) {
	for _, l := range c.Sessions {
		ids = append(ids, l.ID)
	}
	return ids
}

func TestSPEC0016_DashboardEscalationChainDisplay_SessionsListShowsEscalationIndicator(t *testing.T) {
	h := newHouse(t)
	alone := h.session(store.Session{Agent: "probe"})
	ids := h.chain()
	page := got(h.Sessions(t.Context(), store.SessionFilter{}))(t)
	if len(page.Chains) != 2 || page.Next != 0 {
		t.Fatalf("%d chains, next %d", len(page.Chains), page.Next)
	}
	chain := page.Chains[0]
	if !slices.Equal(sessionIDs(chain), ids[:]) || !slices.Equal(sessionIDs(page.Chains[1]), []int64{alone}) {
		t.Fatalf("the chains are %v and %v", sessionIDs(chain), sessionIDs(page.Chains[1]))
	}
	for n, l := range chain.Sessions {
		if l.Depth != n || l.Tier != n+1 || !l.Matches || (n > 0) != (l.ParentID != nil) {
			t.Errorf("session %d of the chain is %+v", n, l)
		}
	}
	if page.Chains[1].Sessions[0].Model != "probe" {
		t.Errorf("where there is no model, %q ran", page.Chains[1].Sessions[0].Model)
	}
}

func TestSPEC0016_PerTierCostAttribution_ChainCostBreakdownVisible(t *testing.T) {
	h := newHouse(t)
	ids := h.chain()
	for _, id := range ids {
		chain := got(h.Session(t.Context(), id))(t).Chain
		if chain.CostUSD != 1.5 || chain.NumTurns != 60 || chain.DurationMS != 360_000 || chain.Tokens != (Tokens{6000, 60}) {
			t.Errorf("the chain of session %d is %+v", id, chain)
		}
		for n, l := range chain.Sessions {
			if l.CostUSD != 0.25*float64(n+1) || l.NumTurns != 10*(n+1) || l.DurationMS != 60_000*int64(n+1) {
				t.Errorf("session %d is %+v", l.ID, l)
			}
		}
	}
}

func TestSPEC0016_DashboardEscalationChainDisplay_SessionDetailShowsParentAndChild(t *testing.T) {
	h := newHouse(t)
	ids := h.chain()
	for n, id := range ids {
		d := got(h.Session(t.Context(), id))(t)
		if (d.Parent != nil) != (n > 0) || n > 0 && (d.Parent.ID != ids[n-1] || d.Parent.Tier != n) {
			t.Errorf("the parent of Tier %d is %+v", n+1, d.Parent)
		}
		if (len(d.Children) == 1) != (n < 2) || n < 2 && (d.Children[0].ID != ids[n+1] || d.Children[0].Tier != n+2) {
			t.Errorf("the children of Tier %d are %+v", n+1, d.Children)
		}
	}
}

func TestSessionsAreFiltered(t *testing.T) {
	h := newHouse(t)
	ids := h.chain()
	by := h.session(store.Session{Trigger: "manual", Status: store.Failed, StartedAt: h.time().Add(-10 * time.Minute)})
	fine(t, h.store.AddEvent(t.Context(), store.Event{SessionID: &ids[1], Level: store.Info, Service: "shop", Message: "m"}))
	hour := func(ago time.Duration) time.Time { return h.time().Add(-ago) }
	for name, c := range map[string]struct {
		query store.SessionFilter
		want  []int64 // that match
	}{
		"nothing asked":     {store.SessionFilter{}, []int64{by, ids[0], ids[1], ids[2]}},
		"status":            {store.SessionFilter{Status: store.Escalated}, ids[:2]},
		"tier":              {store.SessionFilter{Tier: 3}, ids[2:]},
		"trigger":           {store.SessionFilter{Trigger: "cron"}, ids[:]},
		"escalation":        {store.SessionFilter{Trigger: "escalation"}, ids[1:]},
		"trigger and tier":  {store.SessionFilter{Trigger: "cron", Tier: 3}, ids[2:]},
		"service":           {store.SessionFilter{Service: "shop"}, ids[1:2]},
		"from":              {store.SessionFilter{From: hour(10 * time.Minute)}, []int64{by}},
		"until":             {store.SessionFilter{Until: hour(59 * time.Minute)}, ids[:1]},
		"before":            {store.SessionFilter{Before: by}, ids[:]},
		"an unknown status": {store.SessionFilter{Status: "x' OR 1"}, nil},
		"a time at no end":  {store.SessionFilter{From: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			page := got(h.Sessions(t.Context(), c.query))(t)
			var matching []int64
			for _, chain := range page.Chains {
				for _, l := range chain.Sessions {
					if l.Matches {
						matching = append(matching, l.ID)
					}
				}
			}
			if !slices.Equal(matching, c.want) || page.Next != 0 {
				t.Errorf("the sessions are %v, next %d, want %v", matching, page.Next, c.want)
			}
		})
	}
}

func TestPagesOfSessionsFollowEachOther(t *testing.T) {
	h := newHouse(t)
	for range 30 {
		h.session(store.Session{})
	}
	first := got(h.Sessions(t.Context(), store.SessionFilter{}))(t)
	second := got(h.Sessions(t.Context(), store.SessionFilter{Before: first.Next}))(t)
	if len(first.Chains) != 25 || first.Next != 6 || len(second.Chains) != 5 || second.Chains[0].Sessions[0].ID != 5 || second.Next != 0 {
		t.Errorf("pages of %d and %d chains, next %d and %d", len(first.Chains), len(second.Chains), first.Next, second.Next)
	}
	if most := got(h.Sessions(t.Context(), store.SessionFilter{Limit: 1 << 40}))(t); len(most.Chains) != 30 {
		t.Errorf("%d chains where a great many were asked for", len(most.Chains))
	}
}

func TestASessionThatRunsTakesUntilNow(t *testing.T) {
	h := newHouse(t)
	h.session(store.Session{Status: store.Running, StartedAt: h.time().Add(-90 * time.Second)})
	h.session(store.Session{Status: store.Running, StartedAt: h.time().Add(time.Hour)})
	page := got(h.Sessions(t.Context(), store.SessionFilter{}))(t)
	if ahead, runs := page.Chains[0].DurationMS, page.Chains[1].DurationMS; ahead != 0 || runs != 90_000 {
		t.Errorf("they take %d and %d ms", ahead, runs)
	}
}
