// Package notify is what is sent to people, and to whom: messages, the outbox, targets, Apprise by its program or a server, heartbeats.
//
// It promises that a target's URL, which is a password, appears nowhere: not on a command line, in a file that stays, or in an error.
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

// Message is what is sent. Title is one line; Body is its plain form: lines, lists of "- ", and `code` between backticks, which reads
// well as it is. Markdown makes the form that is sent.
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
	m.Title, m.Body = Title(m.Title), strings.Trim(text.Clean(m.Body), "\n")
	return m
}

// Title makes one line of a text, as long as a title may be.
func Title(s string) string { return text.Shorten(oneLine(s), MaxTitle) }

// Line makes one line of a text, for errors.
func Line(s string) string { return text.Shorten(oneLine(s), maxLine) }

// oneLine is a text without line ends, runs of space and control characters.
func oneLine(s string) string { return strings.Join(strings.Fields(text.Clean(s)), " ") }

// Target is one receiver.
type Target struct {
	Hash string // tells it from others in the outbox, and nothing about it
	Name string // for people, without passwords: "ntfy://ntfy.sh", "http://127.0.0.1:8000, its stored configuration"
}

// Courier brings messages to targets. Its methods may be called by several at once.
type Courier interface {
	Targets() []Target
	// Send sends a message to one of Targets. It ends soon after ctx does. Its error is a *SendError.
	Send(ctx context.Context, to Target, m Message) error
}

// SendError says why a message did not reach a target, on one line, without passwords.
type SendError struct {
	Reason string
	// Refused is that the target answered, and will not have this message: others may pass.
	Refused bool
	// Answered is that the target itself failed at this message, and is there: another message may pass.
	Answered bool
	// RetryAfter is how long the target asked to be left alone; 0 where it did not.
	RetryAfter time.Duration
}

func (e *SendError) Error() string { return e.Reason }

// Settings are what is configured. Of URLs and APIURL with Key one is set, or neither: then there is no target.
type Settings struct {
	URLs    []string // Apprise's
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
