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
		Type      string `json:"type"`
		Subtype   string `json:"subtype"`
		Timestamp string `json:"timestamp"`
		Message   struct {
			Content jsontext.Value `json:"content"` // a text, or blocks
		} `json:"message"`
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
	logSystem struct {
		Model    string   `json:"model"`
		Tools    []string `json:"tools"`
		Error    any      `json:"error"`
		Status   any      `json:"error_status"`
		Attempt  int      `json:"attempt"`
		Most     int      `json:"max_retries"`
		DelayMS  float64  `json:"retry_delay_ms"`
		Hook     string   `json:"hook_name"`
		Event    string   `json:"hook_event"`
		Outcome  string   `json:"outcome"`
		ExitCode *int     `json:"exit_code"`
		Stdout   string   `json:"stdout"`
		Stderr   string   `json:"stderr"`
	}
	logResult struct {
		Subtype string           `json:"subtype"`
		IsError bool             `json:"is_error"`
		Result  string           `json:"result"`
		Errors  []string         `json:"errors"`
		CostUSD float64          `json:"total_cost_usd"`
		Turns   int              `json:"num_turns"`
		TookMS  int64            `json:"duration_ms"`
		Denials []jsontext.Value `json:"permission_denials"`
	}
)

// lenient accepts invalid parts of a foreign program's output without losing the rest of the line.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// line converts one line for people.
func (r *logReader) line(written []byte, at, next int64) LogLine {
	l := LogLine{Kind: "raw"}
	var e logEvent
	if json.Unmarshal(written, &e, lenient) != nil || !r.event(&l, e, written) {
		l = LogLine{Kind: "raw", Text: text.Clip(strings.ToValidUTF8(string(bytes.TrimSpace(written)), "\uFFFD"), mostRaw)}
	}
	if t, err := time.Parse(time.RFC3339, e.Timestamp); err == nil {
		l.Time = new(t.UTC())
	}
	l.At, l.Next = at, next
	l.Tool, l.ID = text.Clip(l.Tool, mostRaw), text.Clip(l.ID, mostRaw)
	l.Text = text.Clip(strings.ToValidUTF8(l.Text, "\uFFFD"), mostLineText-len("… (18446744073709551615 bytes more)"))
	return l
}

// event describes an event; false means that it is not for people.
func (r *logReader) event(l *LogLine, e logEvent, text []byte) bool {
	switch e.Type {
	case "assistant", "user":
		return r.message(l, e)
	case "system":
		var s logSystem
		return json.Unmarshal(text, &s, lenient) == nil && s.describe(l, e.Subtype)
	case "result":
		var s logResult
		if json.Unmarshal(text, &s, lenient) != nil {
			return false
		}
		l.Kind, l.Text = "end", s.text()
		return true
	case "claudeops":
		l.Kind, l.Text = "system", "the log is full: nothing more of this session is in it"
		return e.Subtype == "log_full"
	}
	return false
}

// message converts a message of the model or to it. One message is one line.
func (r *logReader) message(l *LogLine, e logEvent) bool {
	if e.Message.Content.Kind() == '"' {
		l.Kind, l.Text = "text", unquoted(e.Message.Content)
		if e.Type == "user" {
			l.Kind, l.Text = "system", "to the agent: "+l.Text
		}
		return true
	}
	var blocks []logBlock
	if json.Unmarshal(e.Message.Content, &blocks, lenient) != nil || len(blocks) == 0 {
		return false
	}
	var texts []string
	for _, b := range blocks {
		one := r.block(b, e.Type)
		if one.Kind == "" {
			return false
		}
		if l.Kind == "raw" || l.Kind == "thinking" || one.Kind == "tool" && l.Kind == "text" { // the most important kind names the line
			l.Kind, l.Tool, l.ID = one.Kind, one.Tool, one.ID
		}
		texts = append(texts, one.Text)
	}
	l.Text = strings.Join(texts, "\n\n")
	return true
}

// block converts one block of a message; its Kind is empty if it is not for people.
func (r *logReader) block(b logBlock, of string) LogLine {
	switch b.Type {
	case "text":
		if of == "user" {
			return LogLine{Kind: "system", Text: "to the agent: " + b.Text}
		}
		return LogLine{Kind: "text", Text: b.Text}
	case "thinking":
		return LogLine{Kind: "thinking", Text: b.Thinking}
	case "tool_use":
		if len(r.tools) < mostTools {
			r.tools[b.ID] = text.Clip(b.Name, mostRaw)
		}
		return LogLine{Kind: "tool", Tool: b.Name, ID: b.ID, Text: b.call()}
	case "tool_result":
		l := LogLine{Kind: "result", Tool: r.tools[b.ToolUseID], ID: b.ToolUseID, Text: contentText(b.Content)}
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
	if b.Name == "Bash" && json.Unmarshal(b.Input, &bash, lenient) == nil && bash.Command != "" {
		return bash.Command
	}
	compact := b.Input.Clone()
	if compact.Compact(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) != nil {
		return string(b.Input)
	}
	return string(compact)
}

// contentText returns the text of a tool's answer: a text, or blocks of which some have text.
func contentText(content jsontext.Value) string {
	if content.Kind() == '"' {
		return unquoted(content)
	}
	var blocks []logBlock
	if json.Unmarshal(content, &blocks, lenient) != nil {
		return string(content)
	}
	texts := make([]string, len(blocks))
	for i, b := range blocks {
		if texts[i] = b.Text; b.Type != "text" {
			texts[i] = "(" + cmp.Or(b.Type, "something") + ")"
		}
	}
	return strings.Join(texts, "\n")
}

func unquoted(value jsontext.Value) string {
	var text string
	if json.Unmarshal(value, &text, lenient) != nil {
		return string(value)
	}
	return text
}

func (s logSystem) describe(l *LogLine, subtype string) bool {
	l.Kind = "system"
	switch subtype {
	case "init":
		l.Text = fmt.Sprintf("started: %s, %d tools", cmp.Or(s.Model, "no model named"), len(s.Tools))
		if len(s.Tools) > 0 {
			l.Text += " (" + strings.Join(s.Tools, ", ") + ")"
		}
	case "api_retry":
		var reasons []string
		for _, reason := range []any{s.Error, s.Status} {
			switch reason := reason.(type) {
			case string:
				reasons = append(reasons, reason)
			case float64:
				reasons = append(reasons, fmt.Sprintf("status %.0f", reason))
			}
		}
		l.Kind = "error"
		l.Text = fmt.Sprintf("the API has not answered: %s, attempt %d of %d, the next in %.1f s",
			cmp.Or(strings.Join(reasons, ", "), "no reason given"), s.Attempt, s.Most, s.DelayMS/1000)
	case "hook_started":
		l.Text = "hook " + cmp.Or(s.Hook, s.Event, "without a name") + " started"
	case "hook_response":
		l.Text = "hook " + cmp.Or(s.Hook, s.Event, "without a name") + " ended"
		if s.Outcome != "" {
			l.Text += ": " + s.Outcome
		}
		if s.ExitCode != nil {
			l.Text += fmt.Sprintf(", exit %d", *s.ExitCode)
		}
		for _, output := range []string{s.Stdout, s.Stderr} {
			if output = strings.TrimSpace(output); output != "" {
				l.Text += "\n" + output
			}
		}
	default:
		return false
	}
	return true
}

func (s logResult) text() string {
	text := "ended"
	if s.IsError {
		text = "ended with an error"
	}
	if s.Subtype != "" && s.Subtype != "success" {
		text += " (" + s.Subtype + ")"
	}
	text += fmt.Sprintf(": $%.4f, %d turns, %s", s.CostUSD, s.Turns, time.Duration(min(max(s.TookMS, 0), 1<<40))*time.Millisecond)
	if len(s.Denials) > 0 {
		text += fmt.Sprintf(", %d calls refused", len(s.Denials))
	}
	for _, more := range append([]string{s.Result}, s.Errors...) {
		if more != "" {
			text += "\n\n" + more
		}
	}
	return text
}

// eventType returns the type of an event that is only partly read; empty if it is not the first member.
func eventType(start []byte) string {
	rest, found := bytes.CutPrefix(start, []byte(`{"type":"`))
	end := bytes.IndexByte(rest[:min(len(rest), 64)], '"')
	if !found || end < 0 {
		return ""
	}
	return strings.ToValidUTF8(string(rest[:end]), "\uFFFD")
}
