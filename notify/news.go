package notify

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// News is a notification before it is queued.
type News struct {
	Kind     store.Kind
	Cause    Cause             // without an incident, it and the service identify the news: people are told once in 24 h
	Type     store.MessageType // empty: the kind's default
	Service  string
	Incident int64 // 0 means none
	Proposal int64 // that it asks about; 0 means none
	Title    string
	Body     Body
}

// Notification returns the news as a redacted row for the outbox.
func (n News) Notification(redact func(string) string, now time.Time) store.Notification {
	row := store.Notification{
		Kind: n.Kind, Type: n.Type, Service: n.Service, Cause: string(n.Cause), CreatedAt: now,
		Title: redact(n.Title), Body: n.Body.Text(redact),
	}
	if n.Incident != 0 {
		row.IncidentID = &n.Incident
	}
	if n.Proposal != 0 {
		row.ProposalID = &n.Proposal
	}
	return row
}

// WithoutLink returns the news so that no service makes a link of a name in it. Commands with a name that could be one are left out: changed,
// they would be about another service.
func (n News) WithoutLink(name string) News {
	shown := text.Unlinked(name)
	if shown == name {
		return n
	}
	replace := func(s string) string { return strings.ReplaceAll(s, name, shown) }
	n.Title, n.Body.Head, n.Body.Why = replace(n.Title), replace(n.Body.Head), replace(n.Body.Why)
	n.Body.Facts = slices.Clone(n.Body.Facts)
	for i, fact := range n.Body.Facts {
		n.Body.Facts[i] = replace(fact)
	}
	names := func(command string) bool { return strings.Contains(command, name) }
	n.Body.Look = slices.DeleteFunc(slices.Clone(n.Body.Look), names)
	if names(n.Body.Quiet) {
		n.Body.Quiet = ""
	}
	return n
}

// Limits of a body, in characters, so that with its footer it is sent without cuts.
const (
	MaxBody = 1600
	maxWhy  = 400 // also the limit of the head
	maxFact = 300
)

// Body is the body of a message about one subject, for people who are woken by it.
type Body struct {
	Head  string   // what is broken, on its own line; empty if Why says it
	Why   string   // one or two sentences, without the last full stop
	Facts []string // the important ones first
	Look  []string // commands that show more
	Page  string   // the dashboard page that shows more; empty if none does
	Quiet string   // the command for a person who works on it; may be empty
	// Dashboard is its public URL; if empty, messages contain commands instead of links.
	Dashboard string
}

// Text returns the redacted body. Secrets are masked before anything is cut, since half of one is not recognized. If the body would be
// too long, the last facts are left out and counted.
func (b Body) Text(redact func(string) string) string {
	head := sentence(Masked(b.Why, redact, maxWhy))
	if b.Head != "" {
		head = strings.TrimSuffix(sentence(Masked(b.Head, redact, maxWhy))+"\n"+head, "\n")
	}
	tail := b.tail()
	const more = "\n- … and 100 more" // upper bound
	room := MaxBody - runes(head) - runes(tail) - len("\n") - len(more)
	var facts strings.Builder
	for i, fact := range b.Facts {
		line := "\n- " + Masked(fact, redact, maxFact)
		if room -= runes(line); room < 0 {
			return fmt.Sprintf("%s\n%s\n- … and %d more%s", head, facts.String(), len(b.Facts)-i, tail)
		}
		facts.WriteString(line)
	}
	if facts.Len() > 0 {
		head += "\n"
	}
	return head + facts.String() + tail
}

// tail says where to see more, and what a person who works on it should type. A link ends its line, since services would include any text
// that follows.
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

// Link returns the URL of a dashboard page.
func Link(dashboard, page string) string { return strings.TrimRight(dashboard, "/") + page }

// Pages of the dashboard.
func incidentPage(id int64) string { return fmt.Sprintf("/incidents/%d", id) }
func sessionPage(id int64) string  { return fmt.Sprintf("/sessions/%d", id) }

// servicePage returns a path without characters that a service would take for markup.
func servicePage(service string) string {
	return "/services/" + plainPath.Replace(url.PathEscape(service))
}

var plainPath = strings.NewReplacer("_", "%5F", "~", "%7E", "*", "%2A", "@", "%40", "&", "%26")

// sentence returns a text on one line that ends like a sentence.
func sentence(s string) string {
	s = Clip(s, maxWhy)
	if s == "" || strings.HasSuffix(s, "…") || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// Masked is Clip for a text that may contain secrets. They are searched both before and after lines are joined and control sequences
// removed, because either may hide one.
func Masked(s string, redact func(string) string, most int) string {
	return text.Shorten(redact(oneLine(redact(s))), most)
}

// Code puts the beginning of a command between backticks, unless it contains one.
func Code(command string) string { return ticked(Clip(command, 120)) }

func ticked(command string) string {
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
