// Package modeltest stands in for the model. It is a Messages API on loopback
// that answers from a script, so that a test can run the real claude program,
// with its hooks, permissions and processes, and decide only what the model
// says. It is a test double for the model alone.
//
//	srv := modeltest.Start(t, modeltest.Script{
//		"haiku":  {modeltest.Bash("docker ps"), modeltest.Say("shop is down")},
//		"sonnet": {modeltest.Fail(529)},
//	})
package modeltest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// Key is the API key that Environ hands to the program.
const Key = "sk-ant-modeltest-0123456789"

// Script says what the model answers, by model family: a key is part of the
// model's name, as in "haiku", "sonnet" and "opus". Every session of claude
// plays its list from the start, one turn a request. After the list, a last
// Fail or Hang repeats; any other list ends in the text "done".
//
// Subagents belong to the session that started them: give them a model of
// their own where the order of their turns matters. A model that the script
// does not name fails the test.
type Script map[string][]Turn

// Turn is one answer of the model: a text, tool calls, or both; or one of the
// answers that are none. The zero Turn is an empty text.
type Turn struct {
	Text  string
	Tools []ToolUse
	// StopReason is "tool_use" with tools and "end_turn" without, unless set.
	StopReason string
	// Usage is DefaultUsage unless set.
	Usage *Usage
	// Status, other than 0, makes the answer an API error of this HTTP status.
	Status int
	// Hang keeps the request open until the client or the server goes.
	Hang bool
	// Ask, where set, makes the turn from the request; nothing else of this
	// Turn counts then.
	Ask func(Request) Turn
}

// ToolUse is a call of one of the program's tools, with its input as JSON.
type ToolUse struct {
	Name  string
	Input any
}

// Usage is what the API says a request has used, in tokens.
type Usage struct {
	Input      int `json:"input_tokens"`
	Output     int `json:"output_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
}

// DefaultUsage costs 0.0002 USD with haiku.
var DefaultUsage = Usage{Input: 100, Output: 20}

// Say answers with a text and no tool call, which ends the agent's run.
func Say(text string) Turn { return Turn{Text: text} }

// shell is the tool that runs shell commands, whichever the program offers: that of a tier, or its own.
const shell = ""

// Bash runs shell commands, each in a call of its own, all in one turn.
func Bash(commands ...string) Turn {
	var t Turn
	for _, c := range commands {
		t.Tools = append(t.Tools, ToolUse{shell, map[string]any{"command": c}})
	}
	return t
}

// Use calls any one tool. It panics on an input that is no JSON.
func Use(name string, input any) Turn {
	return Turn{Tools: []ToolUse{{name, jsontext.Value(marshal(input))}}}
}

// Fail answers with an API error. The program retries 401, 429 and 5xx by
// itself, each try taking the next turn of the script.
func Fail(status int) Turn { return Turn{Status: status} }

// Hang never answers.
func Hang() Turn { return Turn{Hang: true} }

// Ask decides when the request comes, from what the agent has seen so far. The
// function runs in a goroutine of the server: it may call Error, not Fatal.
func Ask(f func(Request) Turn) Turn { return Turn{Ask: f} }

// With sets what the turn says it has used.
func (t Turn) With(u Usage) Turn { t.Usage = &u; return t }

// Server is a running stand-in.
type Server struct {
	URL string

	tb   testing.TB
	http *httptest.Server
	stop chan struct{} // closed when the test ends: frees hanging requests

	mu       sync.Mutex
	script   Script
	sessions map[string]*session // by session id and model
	requests []Request
	side     []Request
	answers  int // numbers messages and tool calls, so that ids never repeat
}

// session is one run of the program with one model.
type session struct {
	turns []Turn
	next  int
}

// Start serves the script until the test ends.
func Start(tb testing.TB, script Script) *Server {
	tb.Helper()
	s := &Server{tb: tb, script: script, sessions: map[string]*session{}, stop: make(chan struct{})}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL
	tb.Cleanup(func() {
		close(s.stop)
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

// Play gives another script to the sessions that start from now on.
func (s *Server) Play(script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

// Environ is what the program needs in its environment to talk to the
// stand-in and to nobody else. The caller adds PATH and a HOME of its own, and
// may leave ANTHROPIC_API_KEY out where an apiKeyHelper gives the key.
func (s *Server) Environ() []string {
	return []string{
		"ANTHROPIC_BASE_URL=" + s.URL,
		"ANTHROPIC_API_KEY=" + Key,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_TELEMETRY=1",
		"DISABLE_AUTOUPDATER=1",
	}
}

// Requests are those of the agents' own loops, in the order they came.
// Retries count.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// RequestsTo are those of Requests that one model family got.
func (s *Server) RequestsTo(family string) []Request {
	return slices.DeleteFunc(s.Requests(), func(r Request) bool {
		return !strings.Contains(r.Model, family)
	})
}

// Side are all other requests: HEAD and GET, token counts, and messages
// without tools, by which the program makes titles and summaries.
func (s *Server) Side() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.side)
}

// take records a request of an agent's loop and finds the turn to answer it.
// An unscripted model gets no turn.
func (s *Server) take(r Request) (Turn, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	key := r.Session + " " + r.Model
	at := s.sessions[key]
	if at == nil {
		turns, ok := s.script.turns(r.Model)
		if !ok {
			return Turn{}, false
		}
		at = &session{turns: turns}
		s.sessions[key] = at
	}
	at.next++
	return turnAt(at.turns, at.next-1), true
}

func turnAt(turns []Turn, i int) Turn {
	if i < len(turns) {
		return turns[i]
	}
	if n := len(turns); n > 0 && (turns[n-1].Status != 0 || turns[n-1].Hang) {
		return turns[n-1]
	}
	return Say("done")
}

// turns finds the list for a model. The longest of several keys that fit wins.
func (s Script) turns(model string) ([]Turn, bool) {
	best, found := "", false
	for family := range s {
		if strings.Contains(model, family) && (!found || len(family) > len(best)) {
			best, found = family, true
		}
	}
	return s[best], found
}
