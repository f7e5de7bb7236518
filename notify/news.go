package notify

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// News is a notification before it is queued: what has happened, in words.
type News struct {
	Kind     store.Kind
	Type     Type // empty: what is usual for the kind
	Service  string
	Incident int64 // 0 is none
	Title    string
	Body     Body
}

// Notification is the news as the outbox holds it, without secrets. Where there is no incident, it is not repeated within 24 h for a cause.
func (n News) Notification(cause string, redact func(string) string, now time.Time) store.Notification {
	row := store.Notification{
		Kind: n.Kind, Type: n.Type, Service: n.Service, Cause: cause, Title: redact(n.Title), Body: n.Body.Text(redact), CreatedAt: now,
	}
	if n.Incident != 0 {
		row.IncidentID = &n.Incident
	}
	return row
}

// Bounds of a body, in characters: what the outbox sends as it is, with room for its footer.
const (
	MaxBody = 1600
	maxWhy  = 400 // and as much of a head
	maxFact = 300
)

// Body is the body of a message about one thing, for people who are woken by it.
type Body struct {
	Head  string   // what is broken, on a line of its own; empty where Why says it
	Why   string   // a sentence or two, without the last full stop
	Facts []string // the important ones first
	Look  []string // commands that show more
	Page  string   // the page of the dashboard that shows more; empty where none does
	Quiet string   // the command for whoever works on it; may be empty
	// Dashboard is where people reach it; empty: messages have commands in the place of links.
	Dashboard string
}

// Text is the body without secrets. They are masked before anything is cut, since half of one is not recognised. A body that would be too
// long leaves out its last facts, and says how many.
func (b Body) Text(redact func(string) string) string {
	text, _ := b.fit(redact)
	return text
}

// fits reports whether Text has all facts.
func (b Body) fits() bool {
	_, all := b.fit(func(s string) string { return s })
	return all
}

func (b Body) fit(redact func(string) string) (body string, all bool) {
	head := sentence(Masked(b.Why, redact, maxWhy))
	if b.Head != "" {
		head = strings.TrimSuffix(sentence(Masked(b.Head, redact, maxWhy))+"\n"+head, "\n")
	}
	tail := b.tail()
	const more = "\n- … and 100 more" // at most
	room := MaxBody - runes(head) - runes(tail) - len("\n") - len(more)
	var facts strings.Builder
	for i, fact := range b.Facts {
		line := "\n- " + Masked(fact, redact, maxFact)
		if room -= runes(line); room < 0 {
			return fmt.Sprintf("%s\n%s\n- … and %d more%s", head, facts.String(), len(b.Facts)-i, tail), false
		}
		facts.WriteString(line)
	}
	if facts.Len() > 0 {
		head += "\n"
	}
	return head + facts.String() + tail, true
}

// tail says where everything is, and what to type for whoever works on it. A link ends its line, or services would take more for it.
func (b Body) tail() string {
	var look, quiet string
	separator := ". "
	switch {
	case b.Dashboard != "" && b.Page != "":
		look, separator = "Everything: "+Link(b.Dashboard, b.Page), "\n"
	case len(b.Look) > 0:
		look = "Everything: `" + strings.Join(b.Look, "`, `") + "`"
	}
	if b.Quiet != "" {
		quiet = "Working on it: `" + b.Quiet + "`"
	}
	switch {
	case look == "" && quiet == "":
		return ""
	case look == "" || quiet == "":
		separator = ""
	}
	return "\n\n" + look + separator + quiet
}

// Link is the address of a page of the dashboard.
func Link(dashboard, page string) string { return strings.TrimRight(dashboard, "/") + page }

// Pages of the dashboard.
func incidentPage(id int64) string { return fmt.Sprintf("/incidents/%d", id) }
func sessionPage(id int64) string  { return fmt.Sprintf("/sessions/%d", id) }

// servicePage has nothing in it that a service would take for markup.
func servicePage(service string) string {
	return "/services/" + plainPath.Replace(url.PathEscape(service))
}

var plainPath = strings.NewReplacer("_", "%5F", "~", "%7E", "*", "%2A", "@", "%40", "&", "%26")

// sentence is a text in one line that ends as a sentence does.
func sentence(s string) string {
	s = Clip(s, maxWhy)
	if s == "" || strings.HasSuffix(s, "…") || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// Masked is Clip of a text without secrets. They are looked for before and after its lines are joined and its control sequences removed:
// either may be what keeps one from being recognised.
func Masked(s string, redact func(string) string, most int) string {
	return text.Shorten(redact(oneLine(redact(s))), most)
}

// Code is a command between backticks, unless it has one itself.
func Code(command string) string {
	command = Clip(command, 120)
	if strings.Contains(command, "`") {
		return command
	}
	return "`" + command + "`"
}

func capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
