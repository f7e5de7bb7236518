package web

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/store"
)

// theNight is the time at which the pages of these tests are shown.
var theNight = time.Date(2026, 11, 22, 3, 14, 0, 0, time.FixedZone("CET", 3600))

func pagesForTest(t testing.TB) map[string]*template.Template {
	t.Helper()
	pages := must(parsePages())(t)
	return pages
}

func pageForTest(t testing.TB, name string, v view) string {
	t.Helper()
	v.Now = theNight
	var out bytes.Buffer
	fine(t, pagesForTest(t)[name].ExecuteTemplate(&out, "layout", v))
	return out.String()
}

// barePages are the paths of pages without content, and part of what they say then.
func barePages() map[string]struct {
	data any
	says string
} {
	type bare = struct {
		data any
		says string
	}
	return map[string]bare{
		"home":      {&dashboard.Overview{Verdict: dashboard.Unwatched}, "claudeops run-once"},
		"sessions":  {&dashboard.SessionsPage{}, "claudeops run-once"},
		"session":   {&dashboard.SessionDetail{Session: store.Session{ID: 1, Tier: 1, Status: store.Running}, Gone: true}, "claudeops run-once"},
		"log":       {&dashboard.LogPage{Session: 1, Note: "It was pruned."}, "It was pruned."},
		"incidents": {&dashboard.IncidentsPage{}, "claudeops probe"},
		"incident":  {&dashboard.IncidentDetail{}, "Nothing is on record"},
		"proposals": {&dashboard.ProposalsPage{}, "CLAUDEOPS_APPROVAL"},
		"proposal":  {proposalView{ProposalDetail: &dashboard.ProposalDetail{}, Title: "Run a command?"}, "It gave no reason."},
		"services":  {&dashboard.ServicesPage{}, "CLAUDEOPS_INVENTORY"},
		"service":   {&dashboard.ServiceDetail{ServiceLine: dashboard.ServiceLine{Name: "shop"}}, "claudeops probe --service shop"},
		"events":    {&dashboard.EventsPage{}, "claudeops run-once"},
		"cooldowns": {cooldownList{}, "claudeops run-once"},
		"hooks":     {hooks.Health{Enabled: true}, "claude-hooks install"},
		"settings":  {settingList{}, "claudeops env"},
		"login":     {loginView{Next: "/", Fault: "That is not the token."}, "That is not the token."},
		"fault":     {&fault{Title: "Gone", Detail: "There is no session 9.", Status: 404, Link: "/sessions", LinkText: "All sessions"}, `href="/sessions"`},
	}
}

func TestPagesWithNothingToShowSayWhatToDo(t *testing.T) {
	bare := barePages()
	for name := range pagesForTest(t) {
		t.Run(name, func(t *testing.T) {
			about, known := bare[name]
			if !known {
				t.Fatal("no test shows this page with nothing on it")
			}
			page := pageForTest(t, name, view{Title: "A page", Nav: name, Data: about.data, LoggedIn: true, Live: "10", Path: "/"})
			if !strings.Contains(page, about.says) {
				t.Errorf("the page does not say %q", about.says)
			}
			for what, n := range map[string]int{"<h1": 1, "<main ": 1, `id="page"`: 1, `class="skip"`: 1} {
				if got := strings.Count(page, what); got != n {
					t.Errorf("%s is there %d times, want %d", what, got, n)
				}
			}
			for _, never := range []string{" style=", "<style", " onclick", "hx-on", "ZgotmplZ", "%!", "<nil>", "<no value>"} {
				if strings.Contains(page, never) {
					t.Errorf("the page contains %q", never)
				}
			}
			for _, element := range []string{"div", "section", "table", "tbody", "tr", "ol", "ul", "li", "dl", "details", "form", "p", "span", "a", "svg", "nav", "header"} {
				begun := strings.Count(page, "<"+element+" ") + strings.Count(page, "<"+element+">")
				if ended := strings.Count(page, "</"+element+">"); begun != ended {
					t.Errorf("<%s> begins %d times and ends %d times", element, begun, ended)
				}
			}
		})
	}
}

func TestSPEC0016_DashboardEscalationChainDisplay_LinksAreWordedAsDemanded(t *testing.T) {
	links := []dashboard.ChainLink{{ID: 18, Tier: 1, CostUSD: 0.04}, {ID: 19, Tier: 2, CostUSD: 0.25, Depth: 1}, {ID: 20, Tier: 3, CostUSD: 1.5, Depth: 2}}
	page := pageForTest(t, "session", view{Data: &dashboard.SessionDetail{
		Session: store.Session{ID: 19, Tier: 2}, Parent: &links[0], Children: links[2:], Chain: dashboard.Chain{Sessions: links, CostUSD: 1.79},
	}})
	for _, words := range []string{
		`<a href="/sessions/18">Escalated from Session #18 (Tier 1)</a>`, `<a href="/sessions/20">Escalated to Session #20 (Tier 3)</a>`,
		"$0.0400", "$0.2500", "$1.5000", "$1.7900", "Chain cost",
	} {
		if !strings.Contains(page, words) {
			t.Errorf("the page does not contain %s", words)
		}
	}
}

func TestASessionOfTheChecksThemselvesHasNoRawLog(t *testing.T) {
	for log, want := range map[string]bool{"": false, "/results/session-1.ndjson": true} {
		for _, status := range []store.Status{store.Running, store.Completed} {
			page := pageForTest(t, "session", view{Data: &dashboard.SessionDetail{Session: store.Session{ID: 1, Tier: 1, Agent: "probe", Status: status, LogPath: log}}})
			if shown := strings.Contains(strings.ToLower(page), "raw log"); shown != want {
				t.Errorf("%s, log %q: the page mentions a raw log: %t", status, log, shown)
			}
		}
	}
}

func TestACallIsShownWithItsExitStatus(t *testing.T) {
	exit := 137
	page := pageForTest(t, "session", view{Data: &dashboard.SessionDetail{
		Session: store.Session{ID: 1, Tier: 1}, Calls: []guard.Entry{{Tool: "broker", Command: "docker ps", Decision: guard.Allowed, Exit: &exit}, {Tool: "Bash", Command: "old", Decision: guard.Allowed}},
	}})
	if strings.Count(page, ">exit ") != 1 || !strings.Contains(page, ">exit 137<") {
		t.Errorf("want the status of the one call that has one:\n%s", page)
	}
}

func TestAnActSaysWhoDidIt(t *testing.T) {
	session := int64(1)
	for says, act := range map[string]store.Act{
		"First aid":            {Tier: 2, FirstAid: true, Source: store.SourceReserved, Success: true},
		"Tier 2":               {Tier: 2, Source: store.SourceReserved, Success: true},
		"a person":             {Source: store.SourceRecord, Success: true},
		"claimed by the agent": {Tier: 2, SessionID: &session, Source: store.SourceFile, Success: true},
	} {
		page := pageForTest(t, "service", view{Data: &dashboard.ServiceDetail{Remediations: []store.Act{act}}})
		if !strings.Contains(page, ">"+says) {
			t.Errorf("the page does not say %q", says)
		}
	}
}

func TestThePageOfAServiceOffersActions(t *testing.T) {
	page := pageForTest(t, "service", view{Data: &dashboard.ServiceDetail{ServiceLine: dashboard.ServiceLine{Name: "a/b"}}})
	if want := `<form method="post" action="/services/a%2Fb/reset">`; !strings.Contains(page, want) {
		t.Errorf("the page does not contain %s", want)
	}
}

func TestVerdictSaysInOneLineWhatIsTheMatter(t *testing.T) {
	running := []dashboard.Running{{Session: store.Session{Tier: 3}, Gone: true}, {Session: store.Session{Tier: 2}}}
	open := func(names ...string) (lines []dashboard.IncidentLine) {
		for _, name := range names {
			lines = append(lines, dashboard.IncidentLine{Incident: store.Incident{Service: name, Status: check.Down}})
		}
		return lines
	}
	held := open("shop")
	held[0].Held = "it is in maintenance"
	again := open("db")
	again[0].State = store.IncidentRecovering
	for _, c := range []struct {
		o    dashboard.Overview
		want string
	}{
		{dashboard.Overview{Verdict: dashboard.AllWell, Counts: map[string]int{"healthy": 14}}, "All 14 services are healthy"},
		{dashboard.Overview{Verdict: dashboard.AllWell, Counts: map[string]int{"healthy": 13, "unknown": 1}}, "13 of 14 services are healthy, the rest was not checked"},
		{dashboard.Overview{Verdict: dashboard.AllWell, Counts: map[string]int{"healthy": 1}}, "The one service is healthy"},
		{dashboard.Overview{Verdict: dashboard.Trouble, Incidents: open("shop"), OpenIncidents: 1, Running: running}, "shop is down; Tier 2 is at it"},
		{dashboard.Overview{Verdict: dashboard.Trouble, Incidents: held, OpenIncidents: 1}, "shop is down; it is in maintenance"},
		{dashboard.Overview{Verdict: dashboard.Trouble, Incidents: open("shop", "db"), OpenIncidents: 2}, "shop and db are not healthy"},
		{dashboard.Overview{Verdict: dashboard.Trouble, Incidents: again, OpenIncidents: 1}, "What was not healthy is healthy again"},
		{dashboard.Overview{Verdict: dashboard.Trouble, Incidents: append(open("shop"), again...), OpenIncidents: 2}, "shop is down"},
		{dashboard.Overview{Verdict: dashboard.Trouble, Incidents: open("shop", "db"), OpenIncidents: 7}, "shop and 6 more are not healthy"},
		{dashboard.Overview{Verdict: dashboard.Trouble, Services: []dashboard.ServiceLine{{Name: "db", Status: check.Degraded}}}, "db is degraded"},
		{dashboard.Overview{Verdict: dashboard.NeedsHuman, Attention: make([]dashboard.Attention, 2)}, "2 things need you"},
		{dashboard.Overview{Verdict: dashboard.NeedsHuman, Attention: []dashboard.Attention{{Service: "db"}}}, "db needs you"},
		{dashboard.Overview{Verdict: dashboard.NeedsHuman, Attention: []dashboard.Attention{{}}}, "The watch itself needs you"},
		{dashboard.Overview{Verdict: dashboard.AllWell, Counts: map[string]int{"healthy": 1, "unknown": 13}}, "1 of 14 services is healthy, the rest was not checked"},
		{dashboard.Overview{Verdict: dashboard.Unwatched, Counts: map[string]int{"healthy": 1, "unknown": 13}, LastCycle: &store.CycleRow{}}, "13 of 14 services have no result of the last day"},
		{dashboard.Overview{Verdict: dashboard.Unwatched, Counts: map[string]int{"healthy": 1, "unknown": 1}, LastCycle: &store.CycleRow{}}, "1 of 2 services has no result of the last day"},
		{dashboard.Overview{Verdict: dashboard.Unwatched}, "No cycle has run yet"},
		{dashboard.Overview{Verdict: dashboard.Unwatched, Running: running}, "The first cycle is running"},
		{dashboard.Overview{Verdict: dashboard.Unwatched, Counts: map[string]int{"unknown": 14}, LastCycle: &store.CycleRow{StartedAt: theNight}}, "None of the 14 services has a result of the last day"},
		{dashboard.Overview{At: theNight, Verdict: dashboard.Unwatched, StaleSince: new(theNight.Add(-50 * time.Hour)), LastCycle: &store.CycleRow{}}, "The watch has stopped: the last cycle ended 2 days ago"},
	} {
		if got := verdict(&c.o).Text; got != c.want {
			t.Errorf("the verdict is %q, want %q", got, c.want)
		}
	}
}

func TestWordsOfTimesAndNumbers(t *testing.T) {
	for ago, want := range map[time.Duration]string{
		0: "just now", 59 * time.Second: "just now", time.Minute: "1 min ago", 119 * time.Minute: "119 min ago", 7*time.Hour + 5*time.Minute: "7 h ago",
		49 * time.Hour: "2 days ago", 90 * 24 * time.Hour: "24 Aug 2026", -30 * time.Second: "in a moment", -134 * time.Minute: "in 2 h",
	} {
		if got := relative(theNight, theNight.Add(-ago)); got != want {
			t.Errorf("%v ago is %q, want %q", ago, got, want)
		}
	}
	half, nearly, high := 0.5, 0.99999, 0.9986
	for _, c := range [][2]string{
		{count(1234567), "1,234,567"}, {count(-999), "-999"}, {plural(1, "check", "checks"), "1 check"}, {plural(0, "check", "checks"), "0 checks"},
		{percent(nil), "–"}, {percent(&nearly), "99.99 %"}, {percent(&high), "99.86 %"}, {percent(&half), "50.0 %"},
		{clip(3, "abcd"), "ab…"}, {clip(3, "äöü"), "äöü"}, {clip(3, " "), ""},
		{field(view{Now: theNight}, time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC)), "2026-11-21T00:30"}, {field(view{Now: theNight}, time.Time{}), ""},
	} {
		if c[0] != c[1] {
			t.Errorf("it is %q, want %q", c[0], c[1])
		}
	}
	exact := fmt.Sprint(ago(view{Now: theNight}, theNight.Add(-time.Hour)))
	if want := `<time datetime="2026-11-22T01:14:00Z" title="2026-11-22 02:14:00 CET" data-ago="">60 min ago</time>`; exact != want {
		t.Errorf("a moment is %s, want %s", exact, want)
	}
	for _, none := range []any{nil, time.Time{}, (*time.Time)(nil)} {
		if got := ago(view{Now: theNight}, none); got != "–" {
			t.Errorf("no moment is %q", got)
		}
	}
}

// Old data is marked as old, and a cycle that was started by hand announces no next one.
func TestOldRecordsAreSaidToBeOld(t *testing.T) {
	soon, old, due := theNight.Add(time.Minute), theNight.Add(-72*time.Hour), theNight.Add(-7*time.Hour)
	for _, verdict := range []dashboard.Verdict{dashboard.NeedsHuman, dashboard.Trouble, dashboard.Unwatched} {
		for name, o := range map[string]dashboard.Overview{
			"stale":   {StaleSince: &old, DueSince: &due, LastCycle: &store.CycleRow{Trigger: "cron", StartedAt: old}},
			"by hand": {NextRun: &soon, LastCycle: &store.CycleRow{Trigger: "manual", StartedAt: theNight}},
			"by cron": {NextRun: &soon, LastCycle: &store.CycleRow{Trigger: "cron", StartedAt: theNight}},
		} {
			o.Verdict = verdict
			page := pageForTest(t, "home", view{Data: &o})
			if got := strings.Contains(page, ">21 Nov 20:14</time>"); got != (name == "stale") {
				t.Errorf("%s, %s: which run was due is said: %t", verdict, name, got)
			}
			if got := strings.Contains(page, "The watch has stopped"); got != (name == "stale") {
				t.Errorf("%s, %s: that nobody watches is said: %t", verdict, name, got)
			}
			if got := strings.Contains(page, "<span>next <time"); got != (name == "by cron") {
				t.Errorf("%s, %s: the next is promised: %t", verdict, name, got)
			}
		}
	}
}

func TestIncidentCountsWhatItSays(t *testing.T) {
	session := int64(7)
	detail := dashboard.IncidentDetail{IncidentLine: dashboard.IncidentLine{Incident: store.Incident{Service: "shop", DeadEnds: 2}}, Timeline: []store.TimelineEntry{
		{Kind: "check", Status: check.Down, Text: "http check: down: HTTP 502", At: theNight},
		{Kind: "notification", Text: "human_attention: shop needs you (delivered 2026-11-22T01:00:00Z)", At: theNight},
		{Kind: "refused", SessionID: &session, Deed: "forbidden", Command: "docker system prune", At: theNight},
		{Kind: "finding", SessionID: &session, Text: "| a |\n|---|\n| **b** |", At: theNight},
	}}
	page := pageForTest(t, "incident", view{Data: &detail})
	for _, words := range []string{
		"<dt>Messages to people</dt><dd>once</dd>", "<dt>Sessions of Tier 2, 3</dt>", ">Their cost</dt>", "delivered 22 Nov 02:00:00",
		`<span class="text">forbidden</span> <code>docker system prune</code>`, "http check: down: HTTP 502", "| **b** |",
	} {
		if !strings.Contains(page, words) {
			t.Errorf("the page does not contain %s", words)
		}
	}
	if strings.Contains(page, "<table>") {
		t.Error("an entry of the timeline is rendered as Markdown")
	}
}

func TestWhatIsNotKnownYetIsNoFact(t *testing.T) {
	link := dashboard.ChainLink{ID: 740, Tier: 2, Status: store.Running}
	for name, data := range map[string]any{
		"session":  &dashboard.SessionDetail{Session: store.Session{ID: 740, Status: store.Running}, Chain: dashboard.Chain{Sessions: []dashboard.ChainLink{link, link}, CostUSD: 0.0296}},
		"sessions": &dashboard.SessionsPage{Chains: []dashboard.Chain{{Sessions: []dashboard.ChainLink{link}}}},
	} {
		if page := pageForTest(t, name, view{Data: data}); strings.Contains(page, "$0.0000") || !strings.Contains(page, "at its end") {
			t.Errorf("the page %s tells what a running session cost", name)
		}
	}
}

// A filter's field contains the time that was requested, also for whole days: submitting it again requests the same.
func TestFiltersAreKept(t *testing.T) {
	v := view{Data: &dashboard.SessionsPage{}, Form: map[string][]string{"from": {"2026-11-21"}, "until": {"2026-11-21"}}}
	v.Query.From = time.Date(2026, 11, 21, 0, 0, 0, 0, theNight.Location())
	v.Query.Until = v.Query.From.AddDate(0, 0, 1)
	page := pageForTest(t, "sessions", v)
	for _, words := range []string{`name="from" value="2026-11-21T00:00"`, `name="until" value="2026-11-22T00:00"`} {
		if !strings.Contains(page, words) {
			t.Errorf("the page does not contain %s", words)
		}
	}
}

func TestListsSayWhatIsTheMatter(t *testing.T) {
	incident := dashboard.IncidentLine{Incident: store.Incident{Service: "shop", Status: check.Down}, Fault: "http: HTTP 502"}
	overview := pageForTest(t, "home", view{Data: &dashboard.Overview{Incidents: []dashboard.IncidentLine{incident}, NobodyTold: true, Holes: []dashboard.Hole{
		{Why: "no permission", Checks: []string{"api (container)", "web (container)"}}, {Checks: []string{"db (database)"}},
	}}})
	for _, words := range []string{
		"http: HTTP 502", "no message is sent", "api (container) and web (container) cannot be checked: no permission", "db (database) cannot be checked: no reason is known",
	} {
		if !strings.Contains(overview, words) {
			t.Errorf("the first page does not say %q", words)
		}
	}
	chain := dashboard.Chain{Sessions: []dashboard.ChainLink{{ID: 1}}, Services: []string{"db", "shop"}}
	if page := pageForTest(t, "sessions", view{Data: &dashboard.SessionsPage{Chains: []dashboard.Chain{chain}}}); !strings.Contains(page, "db, shop") {
		t.Error("the list of sessions does not say what a chain was about")
	}
}

func TestStatesAreToldByShapeAndWord(t *testing.T) {
	shapes := map[check.Status]string{check.Healthy: "#i-ok", check.Degraded: "#i-warn", check.Down: "#i-bad", "": "#i-unknown", "<b>": "#i-unknown"}
	for state, shape := range shapes {
		if got := string(status(state)); !strings.Contains(got, `href="`+shape+`"`) || strings.Contains(got, "<b>") {
			t.Errorf("%q is shown as %s, want the shape %s", state, got, shape)
		}
	}
	sprite := pageForTest(t, "fault", view{Data: &fault{}})
	for name, l := range looks {
		if !strings.Contains(sprite, `id="i-`+l.icon+`"`) {
			t.Errorf("the state %q wants the drawing %s, which is not there", name, l.icon)
		}
	}
	for name, drawing := range pins {
		if !strings.Contains(sprite, `id="i-`+drawing+`"`) {
			t.Errorf("the entry %q wants the drawing %s, which is not there", name, drawing)
		}
	}
}
