package modeltest

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Request is a request of the program. Requests without a message only have Method, Path, Key, Body and Size.
type Request struct {
	Method, Path string
	// Key is the API key of the request.
	Key string
	// Body is the whole body, and Size its length in bytes.
	Body []byte
	Size int

	// Session is the program's --session-id.
	Session string
	Model   string
	// System is the whole system prompt, its blocks separated by a newline.
	System string
	// Tools are the names of the available tools, in order.
	Tools []string
	// Prompt is the prompt of the run: the last text of the first message.
	Prompt string
	// Results are the results of the tool calls of the previous turn.
	Results []Result

	stream bool
}

// Result is the result of a tool call, as the model gets it. For a denied call it is an error whose text is the reason.
type Result struct {
	Text    string
	IsError bool
}

// block is a part of a message's content.
type block struct {
	Type    string         `json:"type"`
	Text    string         `json:"text"`
	Content jsontext.Value `json:"content"`
	IsError bool           `json:"is_error"`
}

// read parses a request.
func read(r *http.Request) (Request, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return Request{}, fmt.Errorf("read the request: %w", err)
	}
	q := Request{
		Method: r.Method, Path: r.URL.Path, Key: r.Header.Get("X-Api-Key"),
		Body: body, Size: len(body), Session: r.Header.Get("X-Claude-Code-Session-Id"),
	}
	if r.Method != http.MethodPost {
		return q, nil
	}
	var m struct {
		Model    string         `json:"model"`
		Stream   bool           `json:"stream"`
		System   jsontext.Value `json:"system"`
		Tools    []struct{ Name string }
		Messages []struct{ Content jsontext.Value }
	}
	if err := json.Unmarshal(body, &m, json.MatchCaseInsensitiveNames(true)); err != nil {
		return q, fmt.Errorf("%s: %w", r.URL.Path, err)
	}
	q.Model, q.stream = m.Model, m.Stream
	for _, t := range m.Tools {
		q.Tools = append(q.Tools, t.Name)
	}
	if q.System, err = text(m.System); err != nil {
		return q, fmt.Errorf("system: %w", err)
	}
	if len(m.Messages) == 0 {
		return q, nil
	}
	if err := q.readMessages(m.Messages[0].Content, m.Messages[len(m.Messages)-1].Content); err != nil {
		return q, fmt.Errorf("messages: %w", err)
	}
	return q, nil
}

func (q *Request) readMessages(first, last jsontext.Value) error {
	prompt, err := blocks(first)
	if err != nil {
		return err
	}
	for _, b := range prompt {
		if b.Type == "text" {
			q.Prompt = b.Text
		}
	}
	results, err := blocks(last)
	if err != nil {
		return err
	}
	for _, b := range results {
		if b.Type != "tool_result" {
			continue
		}
		t, err := text(b.Content)
		if err != nil {
			return err
		}
		q.Results = append(q.Results, Result{Text: t, IsError: b.IsError})
	}
	return nil
}

// blocks parses content, which is a string or a list of blocks.
func blocks(v jsontext.Value) ([]block, error) {
	if v.Kind() == '"' {
		var s string
		err := json.Unmarshal(v, &s)
		return []block{{Type: "text", Text: s}}, err
	}
	var bs []block
	if len(v) == 0 {
		return nil, nil
	}
	err := json.Unmarshal(v, &bs)
	return bs, err
}

// text returns all text of some content.
func text(v jsontext.Value) (string, error) {
	bs, err := blocks(v)
	var parts []string
	for _, b := range bs {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n"), err
}
