package dashboard

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// mostLineText limits the text of a line, in bytes.
	mostLineText = 16 << 10
	// mostRaw limits a line that is not a readable event, in bytes.
	mostRaw = 1 << 10
	// mostTools limits the calls that are remembered to name the tool of their results.
	mostTools = 10_000
)

// The parts of the agent program's events that are read.
type (
	logEvent struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
		Message struct {
			Content jsontext.Value `json:"content"` // a text, or blocks
		} `json:"message"`

		Model   string   `json:"model"`
		Tools   []string `json:"tools"`
		Error   any      `json:"error"`
		Status  any      `json:"error_status"`
		Attempt int      `json:"attempt"`
		Most    int      `json:"max_retries"`
		DelayMS float64  `json:"retry_delay_ms"`

		IsError bool             `json:"is_error"`
		Result  string           `json:"result"`
		Errors  []string         `json:"errors"`
		CostUSD float64          `json:"total_cost_usd"`
		Turns   int              `json:"num_turns"`
		TookMS  int64            `json:"duration_ms"`
		Denials []jsontext.Value `json:"permission_denials"`
	}
	logBlock struct {
		Type      string         `json:"type"`
		Text      string         `json:"text"`
		Thinking  string         `json:"thinking"`
		ID        string         `json:"id"`
		Name      string         `json:"name"`
		Input     jsontext.Value `json:"input"`
		ToolUseID string         `json:"tool_use_id"`
		Content   jsontext.Value `json:"content"` // a text, or blocks
		IsError   bool           `json:"is_error"`
	}
)

// lenient accepts invalid parts of a foreign program's output without losing the rest of the line.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// line converts one line for people.
func (r *logReader) line(written []byte) (l LogLine) {
	var e logEvent
	if json.Unmarshal(written, &e, lenient) != nil || !r.event(&l, e) {
		l = LogLine{Kind: "raw", Text: text.Clip(strings.ToValidUTF8(string(bytes.TrimSpace(written)), "\uFFFD"), mostRaw)}
	}
	l.Tool = text.Clip(l.Tool, mostRaw)
	l.Text = text.Clip(strings.ToValidUTF8(l.Text, "\uFFFD"), mostLineText-len("… (18446744073709551615 bytes more)"))
	return l
}

// event describes an event; false means that it is not for people.
func (r *logReader) event(l *LogLine, e logEvent) bool {
	switch {
	case e.Type == "assistant" || e.Type == "user":
		return r.message(l, e)
	case e.Type == "system" && e.Subtype == "init":
		model := cmp.Or(e.Model, "no model named")
		l.Kind, l.Text = "system", fmt.Sprintf("started: %s, %s", model, text.Count(len(e.Tools), "tool"))
		if len(e.Tools) > 0 {
			l.Text += " (" + strings.Join(e.Tools, ", ") + ")"
		}
	case e.Type == "system" && e.Subtype == "api_retry":
		l.Kind, l.Text = "error", e.retry()
	case e.Type == "result":
		l.Kind, l.Text = "end", e.result()
	case e.Type == "claudeops" && e.Subtype == "log_full":
		l.Kind, l.Text = "system", "the log is full: nothing more of this session is in it"
	default:
		return false
	}
	return true
}

// message converts a message of the model or to it. One message is one line.
func (r *logReader) message(l *LogLine, e logEvent) bool {
	var texts []string
	for _, b := range blocksOf(e.Message.Content) {
		one := r.block(b, e.Type)
		if one.Kind == "" {
			return false
		}
		l.Kind, l.Tool = one.Kind, one.Tool // a call comes last
		texts = append(texts, one.Text)
	}
	l.Text = strings.Join(texts, "\n\n")
	return len(texts) > 0
}

// block converts one block of a message; its Kind is empty if it is not for people.
func (r *logReader) block(b logBlock, of string) LogLine {
	switch {
	case b.Type == "text" && of == "user":
		return LogLine{Kind: "system", Text: "to the agent: " + b.Text}
	case b.Type == "text":
		return LogLine{Kind: "text", Text: b.Text}
	case b.Type == "thinking":
		return LogLine{Kind: "thinking", Text: b.Thinking}
	case b.Type == "tool_use":
		if len(r.tools) < mostTools {
			r.tools[b.ID] = text.Clip(b.Name, mostRaw)
		}
		return LogLine{Kind: "tool", Tool: b.Name, Text: b.call()}
	case b.Type == "tool_result":
		l := LogLine{Kind: "result", Tool: r.tools[b.ToolUseID], Text: contentText(b.Content)}
		if b.IsError {
			l.Kind = "error"
		}
		return l
	}
	return LogLine{}
}

// call returns the relevant part of a tool's input.
func (b logBlock) call() string {
	var bash struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(b.Input, &bash, lenient) == nil && bash.Command != "" {
		return bash.Command
	}
	compact := b.Input.Clone()
	if compact.Compact(lenient) != nil {
		return string(b.Input)
	}
	return string(compact)
}

// contentText returns the text of a tool's answer, of whose blocks some have text.
func contentText(content jsontext.Value) string {
	var texts []string
	for _, b := range blocksOf(content) {
		if b.Type != "text" {
			b.Text = "(" + cmp.Or(b.Type, "something") + ")"
		}
		texts = append(texts, b.Text)
	}
	return strings.Join(texts, "\n")
}

// blocksOf returns the blocks of a content; a text is one.
func blocksOf(content jsontext.Value) (blocks []logBlock) {
	text := logBlock{Type: "text"}
	if json.Unmarshal(content, &text.Text, lenient) == nil {
		return []logBlock{text}
	}
	if json.Unmarshal(content, &blocks, lenient) != nil {
		return nil
	}
	return blocks
}

// retry describes an API that has not answered.
func (e logEvent) retry() string {
	var reasons []string
	for _, reason := range []any{e.Error, e.Status} {
		switch reason := reason.(type) {
		case string:
			reasons = append(reasons, reason)
		case float64:
			reasons = append(reasons, fmt.Sprintf("status %.0f", reason))
		}
	}
	return fmt.Sprintf("the API has not answered: %s, attempt %d of %d, the next in %.1f s",
		cmp.Or(strings.Join(reasons, ", "), "no reason given"), e.Attempt, e.Most, e.DelayMS/1000)
}

// result describes how a session ended.
func (e logEvent) result() string {
	text := "ended"
	if e.IsError {
		text = "ended with an error"
	}
	if e.Subtype != "" && e.Subtype != "success" {
		text += " (" + e.Subtype + ")"
	}
	took := time.Duration(min(max(e.TookMS, 0), 1<<40)) * time.Millisecond
	text += fmt.Sprintf(": $%.4f, %d turns, %s", e.CostUSD, e.Turns, took)
	if len(e.Denials) > 0 {
		text += fmt.Sprintf(", %d calls refused", len(e.Denials))
	}
	for _, more := range append([]string{e.Result}, e.Errors...) {
		if more != "" {
			text += "\n\n" + more
		}
	}
	return text
}
