package web

import (
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// funcs are what templates may call. They are pure: whatever depends on the request comes in with the view.
func funcs() template.FuncMap {
	return template.FuncMap{
		"asset":     asset,
		"url":       address,
		"service":   service,
		"short":     func(name any) string { return clip(maxName, fmt.Sprint(name)) },
		"here":      here,
		"on":        on,
		"ago":       ago,
		"exactly":   exactly,
		"took":      took,
		"usd":       usd,
		"dollars":   dollars,
		"count":     count,
		"plural":    plural,
		"percent":   percent,
		"status":    status,
		"icon":      icon,
		"strip":     strip,
		"cost":      costChart,
		"latency":   func(v view, l dashboard.Latency) template.HTML { return latencyChart(l, v.Now.Location()) },
		"markdown":  markdown,
		"lines":     clipLines,
		"few":       func(list []string) []string { return list[:min(len(list), maxNames)] },
		"others":    func(list []string) int { return max(0, len(list)-maxNames) },
		"clip":      clip,
		"multi":     func(s string) bool { return strings.Contains(s, "\n") || utf8.RuneCountInString(s) > 160 },
		"verdict":   verdict,
		"atWork":    atWork,
		"next":      next,
		"needy":     needy,
		"dark":      dark,
		"standing":  standing,
		"state":     incidentState,
		"deed":      func(e dashboard.TimelineEntry) string { deed, _ := parted(e); return deed },
		"command":   func(e dashboard.TimelineEntry) string { _, command := parted(e); return command },
		"started":   started,
		"coded":     coded,
		"zone":      zone,
		"window":    window,
		"handedOff": handedOff,
		"refusals":  refusals,
		"size":      size,
		"failing":   failing,
		"timesTold": timesTold,
		"sum":       func(a, b int64) int64 { return a + b },
		"dots":      dots,
		"words":     words,
		"places":    func(n int) []struct{} { return make([]struct{}, max(0, min(n, 12))) },
		"circuit":   circuit,
		"statuses":  statuses,
		"triggers":  func() []string { return []string{"cron", "systemd", "kubernetes", "manual", "escalation"} },
		"filtered":  filtered,
		"healths":   check.Statuses,
		"healthy":   check.Status.Valid,
		"spans":     func() []dashboard.Span { return []dashboard.Span{dashboard.Day1, dashboard.Day7, dashboard.Day30} },
		"pin":       pin,
		"kind":      kind,
		"told":      told,
		"tally":     tally,
		"lasted":    lasted,
		"clock":     clock,
		"field":     field,
		"join":      func(list []string) string { return strings.Join(list, ", ") },
	}
}

// parsePages reads each page's template, by its name: with the layout and the parts that pages share. They are executed by the name layout.
func parsePages() (map[string]*template.Template, error) {
	shared, err := template.New("").Funcs(funcs()).ParseFS(templateFiles, "templates/layout.html", "templates/parts.html")
	if err != nil {
		return nil, fmt.Errorf("parse the layout: %w", err)
	}
	names, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		return nil, err
	}
	pages := map[string]*template.Template{}
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if name == "layout" || name == "parts" {
			continue
		}
		page, err := shared.Clone()
		if err == nil {
			page, err = page.ParseFS(templateFiles, file)
		}
		if err != nil {
			return nil, fmt.Errorf("parse the template %s: %w", name, err)
		}
		pages[name] = page
	}
	return pages, nil
}

// A scope is what a part gets: the page's view and what the part is about.
type scope struct {
	V view
	D any
}

func on(v view, d any) scope { return scope{v, d} }

// address makes the address of a page of the view's instance. Each part is escaped for its place in a path.
func address(v view, format string, parts ...any) string {
	for i, part := range parts {
		switch p := part.(type) {
		case string:
			parts[i] = url.PathEscape(p)
		case *int64:
			parts[i] = int64(0)
			if p != nil {
				parts[i] = *p
			}
		}
	}
	return v.Base + fmt.Sprintf(format, parts...)
}

const (
	// maxName is how much of a name is shown, in characters. Our own are far shorter; those of a foreign database are what somebody wrote.
	maxName = 200
	// maxNames is how many names are listed where a list is not what the page is about.
	maxNames = 20
	// maxNameLinked is how long, in bytes, the name of a service may be of which a link is made.
	maxNameLinked = 1 << 10
)

// service is the address of a service's page; of one whose name fits no address, that of the list.
func service(v view, name string) string {
	if len(name) > maxNameLinked {
		return v.Base + "/services"
	}
	return v.Base + servicePath(name)
}

// here marks the entry of the navigation that a page belongs to.
func here(v view, nav string) template.HTMLAttr {
	if v.Nav == nav {
		return `aria-current="page"`
	}
	return ""
}

// usd is what a session cost, as the command line says it; dollars is a sum, as people say it.
func usd(v float64) string { return fmt.Sprintf("$%.4f", v) }

func dollars(v float64) string {
	switch {
	case v == 0:
		return "$0"
	case v < 0.01:
		return usd(v)
	}
	return fmt.Sprintf("$%.2f", v)
}

// count writes a whole number with its thousands apart.
func count(n any) string {
	digits := fmt.Sprint(n)
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "\u202f" + digits[i:]
	}
	return sign + digits
}

// plural is a number with its noun.
func plural(n any, one, many string) string {
	words := count(n)
	if words == "1" {
		return "1 " + one
	}
	return words + " " + many
}

// percent is a share; 100 % is said of nothing less.
func percent(share *float64) string {
	switch {
	case share == nil:
		return "–"
	case *share >= 1:
		return "100 %"
	case *share > 0.9999:
		return "99.99 %"
	case *share >= 0.99:
		return strconv.FormatFloat(float64(int(*share*10000))/100, 'f', 2, 64) + " %"
	}
	return strconv.FormatFloat(float64(int(*share*1000))/10, 'f', 1, 64) + " %"
}

// clip cuts a text after so many characters, at the end of its first line that is not blank where lines is "line".
func clip(n int, s string) string {
	s = strings.TrimSpace(s)
	if len(s) <= n {
		return s
	}
	runes := 0
	for i := range s {
		if runes == n {
			return s[:i] + "…"
		}
		runes++
	}
	return s
}

// dots are what a place limit looks like: true is used.
func dots(used, limit int) []bool {
	all := make([]bool, max(0, min(max(used, limit), 24)))
	for i := range all {
		all[i] = i < used
	}
	return all
}

// words turns a name of the tables into words.
func words(name any) string { return strings.ReplaceAll(fmt.Sprint(name), "_", " ") }

// A look is how a state is shown: by shape, colour and word.
type look struct{ icon, class, word string }

// looks are the states that there are, of everything: services, sessions, events, decisions, cycles, circuits, verdicts.
var looks = map[string]look{
	"healthy":  {"ok", "ok", "healthy"},
	"degraded": {"warn", "warn", "degraded"},
	"down":     {"bad", "bad", "down"},
	"unknown":  {"unknown", "none", "unknown"},
	"":         {"unknown", "none", "not checked"},

	"running":     {"run", "run", "running"},
	"completed":   {"ok", "ok", "completed"},
	"escalated":   {"up", "up", "escalated"},
	"failed":      {"bad", "bad", "failed"},
	"timed_out":   {"clock", "bad", "timed out"},
	"interrupted": {"stop", "warn", "interrupted"},
	"gone":        {"unknown", "none", "process is gone"},

	"info":     {"info", "none", "info"},
	"warning":  {"warn", "warn", "warning"},
	"critical": {"bad", "bad", "critical"},

	"allow":   {"ok", "ok", "granted"},
	"deny":    {"deny", "bad", "refused"},
	"block":   {"warn", "warn", "sent back"},
	"reserve": {"unknown", "none", "reserved"},

	"closed":    {"ok", "ok", "on"},
	"half_open": {"warn", "warn", "on trial"},
	"open":      {"bad", "bad", "switched off"},
	"off":       {"stop", "warn", "switched off by hand"},

	"success":    {"ok", "ok", "succeeded"},
	"unresolved": {"up", "warn", "handed off, not resolved"},
	"open case":  {"bad", "bad", "open"},
	"recovered":  {"ok", "ok", "recovered"},
	"recovering": {"clock", "warn", "recovering"},

	"ok":        {"ok", "ok", "all well"},
	"unwatched": {"unknown", "none", "not watched"},
	"trouble":   {"warn", "warn", "trouble"},
	"attention": {"bad", "bad", "needs a human"},
}

// status shows a state. One that we do not know is shown as it is called, as unknown.
func status(state any) template.HTML {
	name := fmt.Sprint(state)
	l, known := looks[name]
	if !known {
		l = look{"unknown", "none odd", clip(40, words(name))}
	}
	return template.HTML(`<span class="st ` + l.class + `">` + string(icon(l.icon)) + html.EscapeString(l.word) + `</span>`) //nolint:gosec // escaped
}

// incidentState shows where an incident stands, and of an open one how its service is.
func incidentState(i dashboard.IncidentLine) template.HTML {
	switch i.State {
	case store.IncidentClosed:
		return status("recovered")
	case store.IncidentRecovering:
		return status(i.State)
	case store.IncidentOpen:
	}
	return status(i.Status)
}

// tally is how many there are in a state.
func tally(state string, n int) template.HTML {
	l := looks[state]
	return template.HTML(`<span class="st ` + l.class + `">` + string(icon(l.icon)) + count(n) + " " + html.EscapeString(l.word) + `</span>`) //nolint:gosec // our own words
}

// icon is one of the drawings of the layout, which says nothing to a screen reader: a word stands beside it.
func icon(name string) template.HTML {
	return template.HTML(`<svg class="i" aria-hidden="true" width="16" height="16"><use href="#i-` + html.EscapeString(name) + `"/></svg>`) //nolint:gosec // escaped
}

// circuit is the state in which a hook is shown.
func circuit(h hooks.HookHealth) string {
	switch {
	case h.Reason == hooks.DisabledByHand:
		return "off"
	case h.State == "":
		return string(hooks.Closed)
	}
	return string(h.State)
}

func statuses() []store.Status {
	return []store.Status{store.Running, store.Completed, store.Escalated, store.Failed, store.TimedOut, store.Interrupted}
}

// filtered reports whether a list is one of everything no more: a place in it is no filter.
func filtered(form url.Values) bool {
	for name, values := range form {
		if name != "before" && name != "after" && strings.Join(values, "") != "" {
			return true
		}
	}
	return false
}

// started is who or what started a session, in words.
func started(trigger string, parent *int64) string {
	switch {
	case trigger == "escalation" && parent != nil:
		return fmt.Sprintf("escalation of #%d", *parent)
	case trigger == "manual":
		return "hand"
	}
	return clip(maxName, trigger)
}

// coded is a sentence of ours in which commands and names stand between backticks.
func coded(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			b.WriteString("<code>" + html.EscapeString(part) + "</code>")
		} else {
			b.WriteString(html.EscapeString(part))
		}
	}
	return template.HTML(b.String()) //nolint:gosec // escaped
}

// window is how far back remediations of a kind count.
func window(action string) string {
	if action == "restart" {
		return span(statefile.RestartWindow)
	}
	return span(statefile.RedeploymentWindow)
}

// handedOff is what became of a session's handoff.
func handedOff(d *dashboard.SessionDetail) string {
	switch {
	case len(d.Children) > 0:
		return fmt.Sprintf("Handoff to Tier %d", d.Children[0].Tier)
	case d.Session.Tier >= 3:
		return "Handoff to people: no tier is above"
	}
	return fmt.Sprintf("Handoff: Tier %d was asked for and did not begin", d.Handoff.RecommendedTier)
}

// refusals are how many calls the guard refused.
func refusals(calls []guard.Entry) (n int) {
	for _, call := range calls {
		if call.Decision == guard.Denied {
			n++
		}
	}
	return n
}

// size is a number of bytes as people say it.
func size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d bytes", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// failing is an exit code that says something: 0 is none.
func failing(code *int) int {
	if code == nil {
		return 0
	}
	return *code
}
