// Package notify holds what people read, and brings it to them: the wording of messages, the outbox, targets, heartbeats.
//
// The way of a message, from a failed check to a phone:
//
//	cycle evaluates a check, opens an incident, and finds that only a human can go on (cycle/attention.go)
//	records.RequestAttention   gathers the facts about the service
//	Attention.News             words them (service.go; faults of the watch itself: watch.go)
//	News.Notification          masks secrets and bounds the body (news.go): the row that the outbox holds
//	store.QueueNotification    keeps one a kind and incident in 24 h, in the transaction of the event that caused it
//	Routing.Recipients         says which targets get it, and when, by the rules of the services file (routing.go)
//	Delivery.Run               takes what is due, at the end of the cycle, in order for each target (outbox.go)
//	Compose                    makes one message of the notifications that go out together (compose.go)
//	Courier.Send               gives it the form of the target (markdown.go, route.go), and sends it by the apprise
//	                           program (apprise.go) or an Apprise API server (api.go)
//
// A target's URL is a password: it appears on no command line, in no file that stays, and in no error (mask.go).
package notify

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// Type is what kind of news a message is.
type Type = store.MessageType

// The types there are.
const (
	Info    = store.InfoMessage
	Success = store.SuccessMessage
	Warning = store.WarningMessage
	Failure = store.FailureMessage
)

// Message is what is sent. Title is one line. Body is lines, lists of "- " and `code` between backticks, which reads well as it is;
// Markdown makes the form that is sent of it.
type Message struct {
	Type  Type
	Title string
	Body  string
}

// Bounds of what is one line, in characters. Phones show less of a title.
const (
	MaxTitle = 150
	maxLine  = 500
)

// Plain returns the message without what is not text: control characters, a terminal's colours, and what turns the direction of writing.
func (m Message) Plain() Message {
	m.Title, m.Body = Clip(m.Title, MaxTitle), strings.Trim(text.Clean(m.Body), "\n")
	return m
}

// Clip is a text as one line of at most so many characters.
func Clip(s string, most int) string { return text.Shorten(oneLine(s), most) }

// oneLine is a text without line ends, runs of space and control characters.
func oneLine(s string) string { return strings.Join(strings.Fields(text.Clean(s)), " ") }

// Target is one receiver.
type Target struct {
	Hash string // its id in the outbox, from which its URL cannot be learnt
	Name string // for people and rules, without passwords: "phone", "ntfy://ntfy.sh", "http://127.0.0.1:8000, its stored configuration"
}

// Courier brings messages to targets. Its methods are safe for concurrent use.
type Courier interface {
	Targets() []Target
	// Send sends a message to one of Targets. It ends soon after ctx does. Its error is a *SendError.
	Send(ctx context.Context, to Target, m Message) error
}

// SendError says why a message did not reach a target, on one line, without passwords.
type SendError struct {
	Reason string
	// Refused is that the target answered and refused this message: others may pass.
	Refused bool
	// Answered is that the target was reached and failed at this message: another message may pass.
	Answered bool
	// RetryAfter is how long the target asked to wait; 0 where it did not.
	RetryAfter time.Duration
}

func (e *SendError) Error() string { return e.Reason }

// Settings are what is configured: URLs, or APIURL with Key, or neither, which is no target.
type Settings struct {
	URLs    []string // Apprise's, each perhaps behind a name for it: phone=ntfy://…
	APIURL  string   // an Apprise API server, which sends to URLs or to what it has stored under Key; empty: the apprise program sends
	Key     string
	Tags    string // of what is stored under Key; empty is all of it
	Environ []string
	Version string // of claudeops, for servers' logs
}

// New makes the Courier of the settings: by an Apprise API server where one is configured, else by the apprise program. It connects to
// nothing yet.
func New(s Settings) Courier {
	if s.APIURL != "" {
		return &sender{s.Routes(), newServer(s).send}
	}
	return &sender{s.Routes(), newProgram(s.Environ).send}
}

// sender is a Courier that sends by the route of each target.
type sender struct {
	routes []Route
	send   func(context.Context, Route, Message) *SendError // nil: it was sent
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
		return &SendError{Reason: "is not configured any more"}
	}
	if failed := s.send(ctx, s.routes[i], m); failed != nil {
		return failed
	}
	return nil
}
