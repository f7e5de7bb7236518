package tiers

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/mask"
)

// maxLine is the longest line of the agent's output that is decoded; a longer one is only logged.
const maxLine = 16 << 20

// maxMarkers bounds the cooldown markers of one session: no agent remediates more often.
const maxMarkers = 200

// maxResponse bounds what is kept of the agent's last words.
const maxResponse = 256 << 10

// stream decodes the agent's stdout and keeps what the outcome needs.
type stream struct {
	log      io.Writer
	redactor *mask.Redactor
	progress func(Progress)
	denied   func()               // called once, at the second refusal of the credential
	offered  func(tools []string) // called at each init event; nil is allowed

	tools    []string
	result   *result
	cost     float64 // the highest that any result told: a command of the agent may write results too
	markers  []Marker
	lastText string
	spent    spending
	refusals int
	retry    event // the last retry of an API request, while no answer has followed
	notJSON  int
	logErr   error
}

// The agent's events, as far as they are read. Everything else in them is skipped.
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
	// modelUsage is complete also where the run was cut short; usage then misses the last request.
	modelUsage struct {
		Input      int64 `json:"inputTokens"`
		Output     int64 `json:"outputTokens"`
		CacheWrite int64 `json:"cacheCreationInputTokens"`
		CacheRead  int64 `json:"cacheReadInputTokens"`
	}
)

// tokens are the run's, cached input included.
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

// lenient accepts what a foreign program may write without losing the rest of the line.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// read consumes r to its end. It returns an error only where r or the log failed; reading goes on after a failed log, because
// an agent whose pipe is not drained hangs.
func (s *stream) read(r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for {
		piece, err := in.ReadSlice('\n')
		if len(line) == 0 && err == nil {
			s.whole(piece)
			continue
		}
		line = append(line, piece...)
		switch {
		case err == nil:
			s.whole(line)
			line = shrink(line)
		case errors.Is(err, bufio.ErrBufferFull):
			if len(line) <= maxLine {
				continue
			}
			if err := s.passOver(in, line); err != nil {
				return errors.Join(ending(err), s.logErr)
			}
			line = nil
		default:
			if len(line) > 0 {
				s.whole(line)
			}
			return errors.Join(ending(err), s.logErr)
		}
	}
}

// shrink empties a line buffer and lets an unusually large one go.
func shrink(line []byte) []byte {
	if cap(line) > 1<<20 {
		return nil
	}
	return line[:0]
}

func ending(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("read the agent's output: %w", err)
}

// passOver logs a line that is too long to decode, of which the start was read.
func (s *stream) passOver(in *bufio.Reader, start []byte) error {
	log := mask.NewWriter(s, s.redactor)
	piece, err := start, bufio.ErrBufferFull
	for {
		if _, err := log.Write(piece); err != nil {
			return err
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return errors.Join(err, log.Close())
		}
		piece, err = in.ReadSlice('\n')
	}
}

// whole logs and decodes one line.
func (s *stream) whole(line []byte) {
	line = s.redactor.Bytes(line)
	_, _ = s.Write(line)
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
		s.cost = max(s.cost, r.TotalCostUSD)
	case "":
		s.notJSON++
	}
}

// eventType returns the type of an event without decoding the rest of it: most of the bytes are tool output, which nothing
// here reads. It is empty for what is no event.
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
			tool = strings.TrimPrefix(c.Name, doorPrefix)
		}
	}
	s.spent.add(e.Message.ID, e.Message.Model, e.Message.Usage, written)
	if s.progress != nil {
		s.progress(Progress{Tool: tool, CostUSD: s.spent.usd})
	}
}

// system reads the init event and the retries of a refused credential: the agent would go on retrying a wrong key for
// minutes.
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

// retries says that the agent was waiting for the API, where it was.
func (s *stream) retries() string {
	if s.retry.Attempt == 0 {
		return ""
	}
	return fmt.Sprintf(": the API had not answered (%v, attempt %d)", s.retry.Error, s.retry.Attempt)
}

// Write logs masked text. It does not fail: what the log could not take is for read to tell.
func (s *stream) Write(b []byte) (int, error) {
	if s.logErr == nil && s.log != nil {
		if _, err := s.log.Write(b); err != nil {
			s.logErr = fmt.Errorf("write the session's log: %w", err)
		}
	}
	return len(b), nil
}

// response is the agent's last words: its result, or where none came its last text.
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
