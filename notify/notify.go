// Package notify words messages and delivers them: the outbox, targets and heartbeats.
//
// The path of a message, from a failed check to a phone:
//
//	probe.Run                  makes the checks; ledger.Probed stores the results
//	cycle.Plan                 opens an incident, and says whether a human is needed (decide, askChain)
//	state.Service.About        gathers the facts about the service, ledger.RequestAttention what was tried
//	Attention.News             words them (service.go; faults of the monitoring itself: watch.go)
//	News.Notification          masks secrets and limits the body (news.go): a row of the outbox
//	Queue                      keeps it unless people were told the same (told.go), in the transaction of the event that
//	                           caused it
//	Delivery.Run               sends what is due, at the end of the cycle and while a tier runs (deliver.go)
//	Outbox                     decides what is one message, who gets it and when, by the rules of the services file
//	                           (outbox.go, routing.go)
//	Compose                    makes one message of the notifications that are sent together (compose.go)
//	Courier.Send               formats it for the target (markdown.go, route.go), and sends it with the apprise
//	                           program (apprise.go) or an Apprise API server (api.go)
//
// A target's URL is a password: it never appears on a command line, in a permanent file or in an error (mask.go).
package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// Message is a message to send. Title is one line. Body consists of lines, lists of "- " and `code` between backticks, and is readable as
// it is; Markdown converts it to the form that is sent.
type Message struct {
	Type  store.MessageType `json:"type"` // as an Apprise API names them
	Title string            `json:"title"`
	Body  string            `json:"body"`
}

// Limits of single lines, in characters. Phones show less of a title.
const (
	MaxTitle = 150
	maxLine  = 500
)

// MaxMessage limits the body of a message of a person, in bytes; targets may receive less.
const MaxMessage = 8 << 10

// Fault returns what is wrong with a message of a person; nil if it can be queued.
func (m Message) Fault() error {
	title, body := strings.TrimSpace(m.Title), strings.TrimSpace(m.Body)
	switch lines, length := strings.Count(title, "\n")+1, utf8.RuneCountInString(title); {
	case lines > 1:
		return fmt.Errorf("the title has %d lines, and is one: put the rest into the body", lines)
	case length > MaxTitle:
		return fmt.Errorf("the title has %d characters, and may have %d: put the rest into the body", length, MaxTitle)
	case len(body) > MaxMessage:
		return fmt.Errorf("the body has %d bytes, and may have %d", len(body), MaxMessage)
	}
	return nil
}

// Plain returns the message without control characters, terminal colours and characters that change the direction of writing.
func (m Message) Plain() Message {
	m.Title, m.Body = Clip(m.Title, MaxTitle), strings.Trim(text.Clean(m.Body), "\n")
	return m
}

// Clip returns a text as one line of at most most characters.
func Clip(s string, most int) string { return text.Shorten(oneLine(s), most) }

// oneLine returns a text without line ends, runs of spaces and control characters.
func oneLine(s string) string { return strings.Join(strings.Fields(text.Clean(s)), " ") }

// Target is one receiver.
type Target struct {
	Hash string // its id in the outbox, which does not reveal its URL
	Name string // for people and rules, without passwords: "phone", "ntfy://ntfy.sh", "http://127.0.0.1:8000, its stored configuration"
}

// Courier sends messages to targets. Its methods are safe for concurrent use.
type Courier interface {
	Targets() []Target
	// Send sends a message to one of Targets. It ends soon after ctx does. Its error is on one line and without passwords.
	Send(ctx context.Context, to Target, m Message) error
}

// Settings is the configuration: URLs, or APIURL with Key, or neither for no target.
type Settings struct {
	URLs    []string // Apprise URLs, optionally named: phone=ntfy://…
	APIURL  string   // an Apprise API server, which sends to URLs or to what it has stored under Key; if empty, the apprise program sends
	Key     string
	Tags    string // of the configuration stored under Key; empty means all of it
	Environ []string
	Version string // of claudeops, sent as user agent
}

// New returns a Courier that uses an Apprise API server if one is configured, else the apprise program. It does not connect yet.
func New(s Settings) Courier {
	if s.APIURL != "" {
		return &sender{s.Routes(), newServer(s).send}
	}
	return &sender{s.Routes(), newProgram(s.Environ).send}
}

// sender is a Courier that sends by each target's route.
type sender struct {
	routes []Route
	send   func(context.Context, Route, Message) error
}

func (s *sender) Targets() (all []Target) {
	for _, r := range s.routes {
		all = append(all, r.Target)
	}
	return all
}

func (s *sender) Send(ctx context.Context, to Target, m Message) error {
	i := slices.IndexFunc(s.routes, func(r Route) bool { return r.Hash == to.Hash })
	if i < 0 {
		return errors.New("is not configured any more")
	}
	return s.send(ctx, s.routes[i], m)
}
