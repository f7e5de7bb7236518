// Package modeltest replaces the model. It is a Messages API on loopback that answers from a script, so that tests can run the real
// claude program, with its hooks, permissions and processes, and only determine what the model says.
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

// Key is the API key that Environ gives to the program.
const Key = "sk-ant-modeltest-0123456789"

// Script defines the model's answers by model family: a key is part of the model's name, such as "haiku", "sonnet" or "opus". Each
// session of claude uses its list from the start, one turn per request. After the last turn, a Fail or Hang repeats; otherwise the answer
// is the text "done".
//
// Subagents share the session that started them: use another model for them if the order of their turns matters. A request for a model
// without a key fails the test.
type Script map[string][]Turn

// Turn is one answer of the model: a text, tool calls, or both; or an error or no answer. The zero Turn is an empty text.
type Turn struct {
	Text  string
	Tools []ToolUse
	// StopReason is "tool_use" with tools and "end_turn" without, unless set.
	StopReason string
	// Usage is DefaultUsage unless set.
	Usage *Usage
	// Status, if not 0, makes the answer an API error with this HTTP status.
	Status int
	// Hang keeps the request open until the client or the server ends.
	Hang bool
	// Ask, if set, returns the turn for a request; all other fields are then ignored.
	Ask func(Request) Turn
}

// ToolUse is a call of one of the program's tools, with its input as JSON.
type ToolUse struct {
	Name  string
	Input any
}

// Usage is the usage that the API reports for a request, in tokens.
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

// shell represents the shell tool that the program offers: that of a tier, or the program's own.
const shell = ""

// Bash runs shell commands, each in its own call, all in one turn.
func Bash(commands ...string) Turn {
	var t Turn
	for _, c := range commands {
		t.Tools = append(t.Tools, ToolUse{shell, map[string]any{"command": c}})
	}
	return t
}

// Use calls any tool. It panics if input cannot be encoded as JSON.
func Use(name string, input any) Turn {
	return Turn{Tools: []ToolUse{{name, jsontext.Value(marshal(input))}}}
}

// Fail answers with an API error. The program retries 401, 429 and 5xx itself, and each attempt uses the next turn of the script.
func Fail(status int) Turn { return Turn{Status: status} }

// Hang never answers.
func Hang() Turn { return Turn{Hang: true} }

// Ask determines the answer when the request arrives, from what the agent has seen so far. The function runs in a goroutine of the
// server, so it may call Error, but not Fatal.
func Ask(f func(Request) Turn) Turn { return Turn{Ask: f} }

// With sets the usage of the turn.
func (t Turn) With(u Usage) Turn { t.Usage = &u; return t }

// Server is a running server that replaces the model.
type Server struct {
	URL string

	tb   testing.TB
	http *httptest.Server
	stop chan struct{} // closed when the test ends; releases hanging requests

	mu       sync.Mutex
	script   Script
	sessions map[string]*session // by session id and model
	requests []Request
	side     []Request
	answers  int // numbers messages and tool calls, so that ids are unique
}

// session is one run of the program with one model.
type session struct {
	turns []Turn
	next  int
}

// Start starts a server that answers from the script until the test ends.
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

// Play sets the script of sessions that start from now on.
func (s *Server) Play(script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

// Environ returns the environment variables with which the program uses this server and no other. The caller adds PATH and its own HOME,
// and may remove ANTHROPIC_API_KEY if an apiKeyHelper provides the key.
func (s *Server) Environ() []string {
	return []string{
		"ANTHROPIC_BASE_URL=" + s.URL,
		"ANTHROPIC_API_KEY=" + Key,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_TELEMETRY=1",
		"DISABLE_AUTOUPDATER=1",
	}
}

// Requests returns the requests of the agents' main loops in the order of arrival, including retries.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// RequestsTo returns the Requests for one model family.
func (s *Server) RequestsTo(family string) []Request {
	return slices.DeleteFunc(s.Requests(), func(r Request) bool {
		return !strings.Contains(r.Model, family)
	})
}

// Side returns all other requests: HEAD and GET, token counts, and messages without tools, with which the program makes titles and
// summaries.
func (s *Server) Side() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.side)
}

// take records a request of an agent's main loop and returns the turn that answers it; false for a model that the script does not have.
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

// turns returns the list for a model. If several keys match, the longest is used.
func (s Script) turns(model string) ([]Turn, bool) {
	best, found := "", false
	for family := range s {
		if strings.Contains(model, family) && (!found || len(family) > len(best)) {
			best, found = family, true
		}
	}
	return s[best], found
}
