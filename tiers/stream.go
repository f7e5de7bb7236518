package tiers

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/mask"
)

// maxLine is the longest line of the agent's output that is decoded, in bytes; a longer one is only logged.
const maxLine = 16 << 20

// maxMarkers limits the cooldown markers of one session that are kept.
const maxMarkers = 20

// maxCost limits the reported cost of one session, in dollars, so that every sum of costs is a number.
const maxCost = 1_000_000

// maxResponse limits how much of the agent's response is kept, in bytes.
const maxResponse = 256 << 10

// stream decodes the agent's standard output and keeps what the outcome needs.
type stream struct {
	log      sessionLog
	redactor *mask.Redactor
	progress func(Progress)
	denied   func()               // called once, when the credential is refused for the second time
	offered  func(tools []string) // called at each init event; may be nil

	tools    []string
	result   *result
	cost     float64 // the highest of all results, because a command of the agent may write results too
	markers  []Marker
	lastText string
	spent    spending
	refusals int
	retry    event // the last retry of an API request that has not been answered
	notJSON  int

	line []byte       // an incomplete line
	long *mask.Writer // set if the line is too long to decode
}

// sessionLog keeps its first write error and ignores further writes, because an agent whose pipe is not drained hangs.
type sessionLog struct {
	to  io.Writer // nil for none
	err error
}

func (l *sessionLog) Write(p []byte) (int, error) {
	if l.to != nil && l.err == nil {
		if _, err := l.to.Write(p); err != nil {
			l.err = fmt.Errorf("write the session's log: %w", err)
		}
	}
	return len(p), nil
}

// The parts of the agent's events that are used; the rest is skipped.
type (
	event struct {
		Type    string   `json:"type"`
		Subtype string   `json:"subtype"`
		Tools   []string `json:"tools"`
		Model   string   `json:"model"`
		Error   any      `json:"error"`
		Attempt int      `json:"attempt"`
		Message struct {
			ID      string `json:"id"`
			Model   string `json:"model"`
			Usage   *usage `json:"usage"`
			Content []struct {
				Type     string         `json:"type"`
				Text     string         `json:"text"`
				Thinking string         `json:"thinking"`
				Name     string         `json:"name"`
				Input    jsontext.Value `json:"input"`
			} `json:"content"`
		} `json:"message"`
	}
	usage struct {
		Input      int64 `json:"input_tokens"`
		Output     int64 `json:"output_tokens"`
		CacheWrite int64 `json:"cache_creation_input_tokens"`
		CacheRead  int64 `json:"cache_read_input_tokens"`
	}
	result struct {
		Subtype      string                `json:"subtype"`
		IsError      bool                  `json:"is_error"`
		Result       string                `json:"result"`
		Errors       []string              `json:"errors"`
		TotalCostUSD float64               `json:"total_cost_usd"`
		NumTurns     int                   `json:"num_turns"`
		DurationMS   int64                 `json:"duration_ms"`
		Usage        usage                 `json:"usage"`
		ModelUsage   map[string]modelUsage `json:"modelUsage"`
	}
	// modelUsage is complete even if the run was cut short; usage then lacks the last request.
	modelUsage struct {
		Input      int64 `json:"inputTokens"`
		Output     int64 `json:"outputTokens"`
		CacheWrite int64 `json:"cacheCreationInputTokens"`
		CacheRead  int64 `json:"cacheReadInputTokens"`
	}
)

// tokens returns the tokens of the run, including cached input.
func (r *result) tokens() (input, output int64) {
	if len(r.ModelUsage) == 0 {
		return r.Usage.all(), r.Usage.Output
	}
	for _, m := range r.ModelUsage {
		input += m.Input + m.CacheWrite + m.CacheRead
		output += m.Output
	}
	return input, output
}

// lenient accepts invalid UTF-8 and duplicate names, so that they do not cost the rest of the line.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// Write accepts the agent's output in pieces of any size. It never fails.
func (s *stream) Write(p []byte) (int, error) {
	for piece := range bytes.Lines(p) {
		ended := piece[len(piece)-1] == '\n'
		if s.long == nil && ended && len(s.line) == 0 {
			s.whole(piece)
			continue
		}
		if s.line = append(s.line, piece...); s.long != nil || len(s.line) > maxLine {
			if s.long == nil {
				s.long = mask.NewWriter(&s.log, s.redactor)
			}
			_, _ = s.long.Write(s.line) // writing to sessionLog never fails
			s.line = s.line[:0]
		}
		if ended {
			s.Close()
		}
	}
	return len(p), nil
}

// Close ends the last line.
func (s *stream) Close() {
	if s.long != nil {
		_ = s.long.Close()
		s.long = nil
	} else if len(s.line) > 0 {
		s.whole(s.line)
	}
	s.line = s.line[:0]
}

// whole logs and decodes one line.
func (s *stream) whole(line []byte) {
	line = s.redactor.Bytes(line)
	_, _ = s.log.Write(line)
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	switch eventType(line) {
	case "assistant", "system":
		var e event
		if err := json.Unmarshal(line, &e, lenient); err != nil {
			s.notJSON++
			return
		}
		s.event(&e)
	case "result":
		var r result
		if err := json.Unmarshal(line, &r, lenient); err != nil {
			s.notJSON++
			return
		}
		s.result = &r
		s.cost = min(max(s.cost, r.TotalCostUSD), maxCost)
	case "":
		s.notJSON++
	}
}

// eventType returns the type of an event without decoding the rest, most of which is tool output that is not needed here. It is empty if
// the line is not an event.
func eventType(line []byte) string {
	const usual = `{"type":"`
	if rest, ok := bytes.CutPrefix(line, []byte(usual)); ok {
		if end := bytes.IndexByte(rest, '"'); end >= 0 {
			return string(rest[:end])
		}
		return ""
	}
	var e struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(line, &e, lenient) != nil {
		return ""
	}
	return e.Type
}

func (s *stream) event(e *event) {
	if e.Type == "system" {
		s.system(e)
		return
	}
	s.retry = event{}
	tool, written := "", 0
	for _, c := range e.Message.Content {
		written += len(c.Text) + len(c.Thinking) + len(c.Input)
		switch c.Type {
		case "text":
			s.markers = append(s.markers, Markers(c.Text, maxMarkers-len(s.markers))...)
			if c.Text != "" {
				s.lastText = c.Text
			}
		case "tool_use":
			tool = strings.TrimPrefix(c.Name, serverPrefix)
		}
	}
	s.spent.add(e.Message.ID, e.Message.Model, e.Message.Usage, written)
	if s.progress != nil {
		s.progress(Progress{Tool: tool, CostUSD: s.spent.usd})
	}
}

// system handles the init event, and the retries after a refused credential: the agent would retry with a wrong key for minutes.
func (s *stream) system(e *event) {
	switch e.Subtype {
	case "init":
		s.tools = e.Tools
		if s.offered != nil {
			s.offered(e.Tools)
		}
	case "api_retry":
		s.retry = *e
		if e.Error != "authentication_failed" {
			return
		}
		s.refusals++
		if s.refusals == 2 && s.denied != nil {
			s.denied()
		}
	}
}

// retries says that the agent was waiting for the API; empty if it was not.
func (s *stream) retries() string {
	if s.retry.Attempt == 0 {
		return ""
	}
	return fmt.Sprintf(": the API had not answered (%v, attempt %d)", s.retry.Error, s.retry.Attempt)
}

// response returns the agent's last message: its result or, if none came, its last text.
func (s *stream) response() string {
	text := s.lastText
	if s.result != nil && s.result.Result != "" {
		text = s.result.Result
	}
	if len(text) > maxResponse {
		text = text[:maxResponse]
	}
	return string(bytes.ToValidUTF8([]byte(text), nil))
}
