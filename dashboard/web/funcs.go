package web

import (
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// funcs are the functions of templates. They are pure: everything that depends on the request is in the view.
var funcs = template.FuncMap{
	"on": func(v view, d any) scope { return scope{v, d} },

	// URLs and form fields.
	"asset": asset, "service": servicePath, "here": here, "filtered": filtered, "field": field,
	"statuses": func() []store.Status { return sessionStatuses }, "triggers": func() []string { return triggers },
	"spans": func() []dashboard.Span { return spans }, "healths": check.Statuses,

	// Times, numbers and texts.
	"ago": ago, "zone": zone,
	"took":    func(ms int64) string { return text.Took(milliseconds(ms)) },
	"lasted":  func(ms int64) string { return text.Duration(milliseconds(ms)) },
	"exactly": func(v view, t any) template.HTML { return onTheClock(v, t, "15:04:05") },
	"clock":   func(v view, t any) template.HTML { return onTheClock(v, t, "15:04") },
	"usd":     text.Cost, "dollars": text.Dollars, "size": text.Size, "percent": percent, "count": count, "plural": plural,
	"sum":  func(a, b int64) int64 { return a + b },
	"clip": clip, "lines": clipLines, "multi": multi, "words": words, "coded": coded,
	"short":  func(name any) string { return clip(maxName, fmt.Sprint(name)) },
	"join":   func(list []string) string { return strings.Join(list, ", ") },
	"few":    func(list []string) []string { return list[:min(len(list), maxNames)] },
	"others": func(list []string) int { return max(0, len(list)-maxNames) },

	// Drawings and states.
	"icon": icon, "status": status, "tally": tally, "strip": strip, "dots": dots, "cost": costChart,
	"latency": func(v view, l dashboard.Latency) chart { return latencyChart(l, v.Now.Location()) },

	// Texts for particular pages.
	"asks": notify.ProposalTitle, "verdict": verdict, "window": window, "healthyToReset": func() int { return statefile.HealthyToReset }, "circuit": circuit,
	"started": started, "failing": failing,
	"refusals": refusals, "handedOff": handedOff, "state": incidentState, "findings": findings, "messages": messages,
	"pin": pin, "kind": kind, "said": said, "healthy": check.Status.Valid,
}

func milliseconds(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// here marks the current entry of the navigation.
func here(v view, nav string) template.HTMLAttr {
	if v.Nav == nav {
		return `aria-current="page"`
	}
	return ""
}

// multi reports whether a text needs more than a line or two.
func multi(s string) bool { return strings.Contains(s, "\n") || utf8.RuneCountInString(s) > 160 }

// window describes how long remediations of a kind count.
func window(action statefile.Action) string {
	if action == statefile.Restart {
		return text.Duration(statefile.RestartWindow)
	}
	return text.Duration(statefile.RedeploymentWindow)
}

// refusals counts the calls that the guard refused.
func refusals(calls []guard.Entry) (n int) {
	for _, call := range calls {
		if call.Decision == guard.Denied {
			n++
		}
	}
	return n
}

// failing returns a nonzero exit code, or 0.
func failing(exit *int) int {
	if exit == nil {
		return 0
	}
	return *exit
}

// parsePages parses each page's template, by name, with the layout and the shared parts. They are executed by the name layout.
func parsePages() (map[string]*template.Template, error) {
	shared, err := template.New("").Funcs(funcs).ParseFS(templateFiles, "templates/layout.html", "templates/parts.html", "templates/charts.html")
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
		if shared.Lookup(path.Base(file)) != nil {
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

// scope is the input of a part: the page's view and the part's subject.
type scope struct {
	V view
	D any
}

const (
	// maxName limits a displayed name, in characters.
	maxName = 200
	// maxNames limits the names listed where the list is not the page's subject.
	maxNames = 20
)

// count formats an integer with separated thousands.
func count(n any) string { return humanize.Comma(reflect.ValueOf(n).Int()) }

// plural returns a number with its noun or verb.
func plural(n any, one, many string) string {
	if words := count(n); words != "1" {
		return words + " " + many
	}
	return "1 " + one
}

// percent formats a share; only an exact 1 is 100 %.
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

// maxLine limits a displayed line, in bytes: browsers take minutes to wrap a word of a megabyte.
const maxLine = 4 << 10

// clipLines cuts long lines, and adds the length of the rest.
func clipLines(long string) string {
	if len(long) <= maxLine {
		return long
	}
	var b strings.Builder
	for line := range strings.Lines(long) {
		if len(line) <= maxLine {
			b.WriteString(line)
			continue
		}
		line = strings.TrimSuffix(line, "\n")
		shown := text.ShortenBytes(line, maxLine)
		b.WriteString(shown + "… (" + count(len(line)-len(shown)) + " more bytes in this line)\n")
	}
	return b.String()
}

// clip shortens a text to most characters.
func clip(most int, s string) string { return text.Shorten(strings.TrimSpace(s), most) }

// dots returns the dots of a limit: true means used.
func dots(used, limit int) []bool {
	all := make([]bool, max(0, min(max(used, limit), 24)))
	for i := range all {
		all[i] = i < used
	}
	return all
}

// words converts an identifier of the tables to words.
func words(name any) string { return strings.ReplaceAll(fmt.Sprint(name), "_", " ") }

// look is how a state is shown: by shape, colour and word.
type look struct{ icon, class, word string }

// looks has the states of everything: services, sessions, events, decisions, cycles, circuits and verdicts.
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
	"gone":        {"unknown", "none", "cut off"},

	"info":     {"info", "none", "info"},
	"warning":  {"warn", "warn", "warning"},
	"critical": {"bad", "bad", "critical"},

	"allow":   {"ok", "ok", "granted"},
	"deny":    {"deny", "bad", "refused"},
	"reserve": {"unknown", "none", "reserved"},

	"waiting":  {"clock", "warn", "waits for an answer"},
	"approved": {"ok", "run", "approved"},
	"rejected": {"deny", "none", "rejected"},
	"expired":  {"clock", "none", "expired"},
	"void":     {"stop", "none", "void"},
	"done":     {"ok", "ok", "done"},

	"closed":           {"ok", "ok", "on"},
	"half_open":        {"warn", "warn", "on trial"},
	"open":             {"bad", "bad", "switched off"},
	"disabled by hand": {"stop", "warn", "switched off by hand"},
	"waits":            {"clock", "warn", "waits for another"},
	"loop":             {"warn", "warn", "off in a session"},
	"excluded":         {"info", "none", "excluded"},

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

// status shows a state. An unknown one is shown by its name, with the look of unknown.
func status(state any) template.HTML {
	name := fmt.Sprint(state)
	l, known := looks[name]
	if !known {
		l = look{"unknown", "none odd", clip(40, words(name))}
	}
	return template.HTML(`<span class="st ` + l.class + `">` + string(icon(l.icon)) + html.EscapeString(l.word) + `</span>`) //nolint:gosec // escaped
}

// incidentState shows the state of an incident and, if it is open, its service's status.
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

// tally shows the number of things in a state.
func tally(state string, n int) template.HTML {
	l := looks[state]
	return template.HTML(`<span class="st ` + l.class + `">` + string(icon(l.icon)) + count(n) + " " + html.EscapeString(l.word) + `</span>`) //nolint:gosec // our own words
}

// icon returns a drawing of the layout. It is hidden from screen readers, because a word is beside it.
func icon(name string) template.HTML {
	return template.HTML(`<svg class="i" aria-hidden="true" width="16" height="16"><use href="#i-` + html.EscapeString(name) + `"/></svg>`) //nolint:gosec // escaped
}

// filtered reports whether a list is filtered; a position in it is not a filter.
func filtered(form url.Values) bool {
	for name, values := range form {
		if name != "before" && name != "after" && strings.Join(values, "") != "" {
			return true
		}
	}
	return false
}

// started describes who or what started a session.
func started(trigger string, parent *int64) string {
	switch {
	case trigger == "escalation" && parent != nil:
		return fmt.Sprintf("escalation of #%d", *parent)
	case trigger == "manual":
		return "hand"
	case trigger == store.ByAlert:
		return "an alert"
	case trigger == store.ByApproval:
		return "an approval"
	}
	return clip(maxName, trigger)
}

// coded renders a sentence with its commands and names in backticks as code.
func coded(sentence string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(sentence, "`") {
		if i%2 == 1 {
			b.WriteString("<code>" + html.EscapeString(part) + "</code>")
		} else {
			b.WriteString(html.EscapeString(part))
		}
	}
	return template.HTML(b.String()) //nolint:gosec // escaped
}

// handedOff describes what happened to a session's handoff.
func handedOff(d *dashboard.SessionDetail) string {
	switch {
	case len(d.Children) > 0:
		return fmt.Sprintf("Handoff to Tier %d", d.Children[0].Tier)
	case d.Session.Tier >= 3:
		return "Handoff to people: no tier is above"
	}
	return fmt.Sprintf("Handoff: Tier %d was asked for and did not begin", d.Handoff.RecommendedTier)
}

// moment accepts both types of times; nil or zero means none.
func moment(t any) (time.Time, bool) {
	switch t := t.(type) {
	case time.Time:
		return t, !t.IsZero()
	case *time.Time:
		if t != nil {
			return *t, !t.IsZero()
		}
	}
	return time.Time{}, false
}

const exactLayout = "2006-01-02 15:04:05 MST"

// ago shows a time relative to now, with the exact time under the pointer.
func ago(v view, t any) template.HTML {
	at, ok := moment(t)
	if !ok {
		return "–"
	}
	return timeElement(v, at, relative(v.Now, at), ` data-ago=""`)
}

// onTheClock formats a time in a layout, with the date unless it is today.
func onTheClock(v view, t any, layout string) template.HTML {
	at, ok := moment(t)
	if !ok {
		return "–"
	}
	local := at.In(v.Now.Location())
	if local.Format(time.DateOnly) != v.Now.Format(time.DateOnly) {
		layout = "2 Jan " + layout
	}
	return timeElement(v, at, local.Format(layout), "")
}

func timeElement(v view, at time.Time, words, mark string) template.HTML {
	return template.HTML(`<time datetime="` + at.UTC().Format(time.RFC3339) + `" title="` + //nolint:gosec // times alone
		html.EscapeString(at.In(v.Now.Location()).Format(exactLayout)) + `"` + mark + `>` + html.EscapeString(words) + `</time>`)
}

// relative describes how long ago at was, or how long it is until then. app.js uses the same words.
func relative(now, at time.Time) string {
	switch d := now.Sub(at); {
	case d > 60*24*time.Hour:
		return at.In(now.Location()).Format("2 Jan 2006")
	case d.Abs() >= time.Minute:
		return text.Ago(d)
	case d < -10*time.Second: // the database's clock and ours may differ by less
		return "in a moment"
	}
	return "just now"
}

// field formats a time for a browser's date and time field; none is empty.
func field(v view, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.In(v.Now.Location()).Format("2006-01-02T15:04")
}

// zone names the time zone of the page.
func zone(v view) string {
	name, offset := v.Now.Zone()
	if offset == 0 {
		return name
	}
	utc := "UTC" + v.Now.Format("-07:00")
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		return utc
	}
	return name + " (" + utc + ")"
}

// inUTC matches a time in this program's texts.
var inUTC = regexp.MustCompile(`\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z`)

// inZone converts a text's times to the page's zone.
func inZone(v view, s string) string {
	return inUTC.ReplaceAllStringFunc(s, func(moment string) string {
		at, err := time.Parse(time.RFC3339, moment)
		if err != nil {
			return moment
		}
		return at.In(v.Now.Location()).Format("2 Jan 15:04:05")
	})
}
