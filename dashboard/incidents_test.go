package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// closed closes an incident.
func (h *house) closed(id int64, at time.Time) {
	h.t.Helper()
	incident := got(h.store.Incident(h.t.Context(), id))(h.t)
	incident.ClosedAt, incident.Status = &at, check.Healthy
	fine(h.t, h.store.SaveIncident(h.t.Context(), incident))
}

func TestIncidentsAreListedByPages(t *testing.T) {
	h := newHouse(t)
	began := h.time().Add(-2 * time.Hour)
	var ids []int64
	for n := range 55 {
		id := h.incident("shop", check.Down, began)
		h.closed(id, began.Add(time.Duration(n)*time.Second))
		ids = append(ids, id)
	}
	open := h.incident("shop", check.Degraded, began)
	other := h.incident("mail", check.Down, began)
	session := h.session(store.Session{Tier: 2, CostUSD: 0.5})
	first := h.session(store.Session{Tier: 1, CostUSD: 0.25})
	fine(t, h.store.LinkSession(t.Context(), open, session, "", ""))
	fine(t, h.store.LinkSession(t.Context(), open, first, "", ""))
	yes, no := true, false
	for name, c := range map[string]struct {
		query store.IncidentFilter
		want  []int64 // the first and the last
		count int
		next  int64
	}{
		"all":               {store.IncidentFilter{}, []int64{other, ids[7]}, 50, ids[7]},
		"the second page":   {store.IncidentFilter{Before: ids[7]}, []int64{ids[6], ids[0]}, 7, 0},
		"open":              {store.IncidentFilter{Open: &yes}, []int64{other, open}, 2, 0},
		"closed":            {store.IncidentFilter{Open: &no, Limit: 2}, []int64{ids[54], ids[53]}, 2, ids[53]},
		"of a service":      {store.IncidentFilter{Service: "mail"}, []int64{other, other}, 1, 0},
		"as many as may be": {store.IncidentFilter{Limit: 1 << 40}, []int64{other, ids[0]}, 57, 0},
		"exactly one page":  {store.IncidentFilter{Limit: 57}, []int64{other, ids[0]}, 57, 0},
	} {
		t.Run(name, func(t *testing.T) {
			page := got(h.Incidents(t.Context(), c.query))(t)
			if len(page.Incidents) != c.count || page.Next != c.next {
				t.Fatalf("%d incidents, next %d", len(page.Incidents), page.Next)
			}
			if c.count > 0 && (page.Incidents[0].ID != c.want[0] || page.Incidents[c.count-1].ID != c.want[1]) {
				t.Errorf("they are %d to %d, want %v", page.Incidents[0].ID, page.Incidents[c.count-1].ID, c.want)
			}
		})
	}
	h.found(h.time().Add(-time.Minute), "shop", check.Degraded)
	h.found(h.time(), "shop", check.Healthy)
	page := got(h.Incidents(t.Context(), store.IncidentFilter{}))(t)
	if faults := [2]string{page.Incidents[0].Fault, page.Incidents[1].Fault}; faults != [2]string{"", "http: degraded"} {
		t.Errorf("what is wrong: %q", faults)
	}
	if chains := got(h.Sessions(t.Context(), store.SessionFilter{}))(t).Chains; !slices.Equal(chains[0].Services, []string{"shop"}) {
		t.Errorf("the chain is about %q", chains[0].Services)
	}
	if line := page.Incidents[1]; line.DurationMS != 7_200_000 || line.CostUSD != 0.5 || line.Sessions != 1 || line.Held != "" {
		t.Errorf("the open one is %+v", line)
	}
	if line := page.Incidents[2]; line.DurationMS != 54_000 || line.Sessions != 0 {
		t.Errorf("a closed one is %+v", line)
	}
}

func TestWhatHoldsAnIncidentBackIsSaid(t *testing.T) {
	h := newHouse(t)
	h.incident("shop", check.Down, h.time())
	_, _, err := h.store.AddSilence(t.Context(), store.Silence{Service: "shop", Reason: "moving house", Until: h.time().Add(time.Hour)})
	fine(t, err)
	page := got(h.Incidents(t.Context(), store.IncidentFilter{}))(t)
	if !strings.Contains(page.Incidents[0].Held, "silenced until") {
		t.Errorf("it is held: %q", page.Incidents[0].Held)
	}
}

func TestAnIncidentIsToldFromTheFirstCheckToTheEnd(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	at := func(minute int) time.Time { return h.time().Add(time.Duration(minute-60) * time.Minute) }
	session := h.session(store.Session{Tier: 2, Model: "sonnet", StartedAt: at(1), CostUSD: 0.5})
	h.found(at(0), "shop", check.Down)
	id := h.incident("shop", check.Down, at(0))
	fine(t, h.store.LinkSession(ctx, id, session, "the disk is full", "a restart"))
	h.audited(session,
		guard.Entry{Time: at(2), ToolUseID: "1", Tool: "Bash", Command: "docker ps", Actions: []guard.Action{guard.Observe}, Decision: guard.Allowed},
		guard.Entry{Time: at(6).Add(11 * time.Millisecond), ToolUseID: "2", Tool: "Bash", Command: "docker restart shop", Actions: []guard.Action{guard.Observe, guard.Restart}, Services: []string{"shop"}, Decision: guard.Allowed},
		guard.Entry{Time: at(4), ToolUseID: "3", Tool: "Bash", Command: "rm -rf /", Decision: guard.Denied, Reason: "never"})
	fine(t, h.store.PutAct(ctx, store.Act{ID: "a", SessionID: &session, Service: "shop", Action: "restart", Success: true, Tier: 2, Source: "guard", CreatedAt: at(6)}))
	h.notify(store.Notification{IncidentID: &id, Kind: store.HumanAttention, Service: "shop", Title: "shop needs you", CreatedAt: at(7)})
	fine(t, h.store.AddDependent(ctx, id, "mail", check.Degraded, at(8)))
	h.found(at(9), "shop", check.Healthy)
	h.closed(id, at(10))

	d := got(h.Incident(ctx, id))(t)
	var story []string
	for _, e := range d.Timeline {
		story = append(story, fmt.Sprint(e.Kind, " ", e.Status, " ", e.Text, " ", e.Reason))
	}
	want := []string{
		"check down http check: down ", "opened  the incident of shop was opened ", "session  session 1: Tier 2 (sonnet), completed ",
		"finding  the disk is full ", "attempt  a restart ",
		"refused  Bash: rm -rf / never", "granted  restart of shop: docker restart shop ", "action  restart by Tier 2: succeeded ",
		"notification  human_attention: shop needs you (not delivered yet) ", "dependent  mail, which depends on it, is degraded (last seen " + at(8).Format(time.RFC3339) + ") ",
		"check healthy http check: healthy ", "recovered  shop recovered, and the incident was closed ",
	}
	if !slices.Equal(story, want) {
		t.Errorf("the story is\n%s\nwant\n%s", strings.Join(story, "\n"), strings.Join(want, "\n"))
	}
	if d.DurationMS != 600_000 || d.CostUSD != 0.5 || d.Sessions != 1 || len(d.Dependents) != 1 || d.Omitted != 0 {
		t.Errorf("it is %+v", d.IncidentLine)
	}
	for n, e := range d.Timeline {
		if n > 0 && e.At.Before(d.Timeline[n-1].At.Truncate(time.Second)) {
			t.Errorf("%s comes too late", e.Text)
		}
	}
}

func TestTheMiddleOfALongStoryIsLeftOut(t *testing.T) {
	h := newHouse(t)
	began := h.time().Add(-100 * time.Hour)
	id := h.incident("shop", check.Down, began)
	for n := range 2100 {
		status := check.Down
		if n%2 == 0 {
			status = check.Degraded
		}
		h.found(began.Add(time.Duration(n+1)*time.Minute), "shop", status)
	}
	h.closed(id, h.time())
	d := got(h.Incident(t.Context(), id))(t)
	if len(d.Timeline) != 2000 || d.Omitted != 102 || d.Timeline[0].Kind != "opened" || d.Timeline[1999].Kind != "recovered" {
		t.Errorf("%d entries, %d left out, from %s to %s", len(d.Timeline), d.Omitted, d.Timeline[0].Kind, d.Timeline[len(d.Timeline)-1].Kind)
	}
}

// The content of an audit is limited, both when it is read and when it is shown.
func TestALongAuditDoesNotFloodAStory(t *testing.T) {
	h := newHouse(t)
	id := h.incident("shop", check.Down, h.time())
	session := h.session(store.Session{Tier: 2})
	fine(t, h.store.LinkSession(t.Context(), id, session, "", ""))
	h.audited(session, slices.Repeat([]guard.Entry{{Time: h.time(), Tool: "Bash", Command: strings.Repeat("x", 9000), Decision: guard.Denied}}, 600)...)
	d := got(h.Incident(t.Context(), id))(t)
	if n := len(d.Timeline); n < 10 || n > 3+mostAudit/mostCommand {
		t.Errorf("%d entries", n)
	}
	const said = "the record of what was granted and refused in session 1 is too long"
	if !slices.ContainsFunc(d.Timeline, func(e store.TimelineEntry) bool { return strings.Contains(e.Text, said) }) {
		t.Error("nothing says that some of it is missing")
	}
	for _, e := range d.Timeline {
		if len(e.Text) > mostText+100 {
			t.Errorf("an entry of %d bytes", len(e.Text))
		}
	}
}

// The remediations of a long session that mostly observes are still shown.
func TestWhatComesLateInALongAuditIsTold(t *testing.T) {
	h := newHouse(t)
	id := h.incident("shop", check.Down, h.time())
	session := h.session(store.Session{Tier: 2})
	fine(t, h.store.LinkSession(t.Context(), id, session, "", ""))
	harmless := guard.Entry{Time: h.time(), Tool: "Bash", Command: strings.Repeat("x", 2000), Actions: []guard.Action{guard.Observe}, Decision: guard.Allowed}
	h.audited(session, slices.Repeat([]guard.Entry{harmless}, 400)...)
	h.audited(session, guard.Entry{Time: h.time(), Tool: "Bash", Command: "rm -rf /", Decision: guard.Denied})
	d := got(h.Incident(t.Context(), id))(t)
	if len(d.Timeline) != 3 || d.Timeline[1].Kind != "refused" {
		t.Errorf("%+v", d.Timeline)
	}
}

func TestAStoryHasNoDecisionsAboutOtherServices(t *testing.T) {
	h := newHouse(t)
	inv, err := inventory.Parse([]byte(`services:
  - {name: db, aliases: [postgres], checks: [{type: http, url: "http://db/"}]}
  - {name: shop, depends_on: [db], checks: [{type: http, url: "http://shop/"}]}
`))
	fine(t, err)
	h.inv = inv
	id := h.incident("shop", check.Down, h.time())
	fine(t, h.store.AddDependent(t.Context(), id, "blog", check.Down, h.time()))
	session := h.session(store.Session{Tier: 2})
	fine(t, h.store.LinkSession(t.Context(), id, session, "", ""))
	for _, services := range [][]string{{"shop"}, {"db"}, {"blog"}, {"mail"}, nil, {"mail", "shop"}} {
		for _, decision := range []guard.Decision{guard.Allowed, guard.Denied} {
			h.audited(session, guard.Entry{
				Time: h.time(), Tool: "Bash", Command: fmt.Sprint("restart ", services), Actions: []guard.Action{guard.Restart}, Services: services, Decision: decision,
			})
		}
	}
	var about []string
	for _, e := range got(h.Incident(t.Context(), id))(t).Timeline {
		if e.Kind == "granted" || e.Kind == "refused" {
			_, command, _ := strings.Cut(e.Text, ": restart ")
			about = append(about, e.Kind+command)
		}
	}
	want := []string{"granted[shop]", "refused[shop]", "granted[db]", "refused[db]", "granted[blog]", "refused[blog]", "granted[]", "refused[]", "granted[mail shop]", "refused[mail shop]"}
	if !slices.Equal(about, want) {
		t.Errorf("%q", about)
	}
}
