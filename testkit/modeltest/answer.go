package modeltest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// object makes JSON in code short.
type object map[string]any

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	q, err := read(r)
	if err != nil {
		s.tb.Errorf("modeltest: %v", err)
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	if q.Path != "/v1/messages" || len(q.Tools) == 0 {
		s.serveSide(w, q)
		return
	}
	turn, ok := s.take(q)
	if !ok {
		s.tb.Errorf("modeltest: model %s was asked, and the script has no turns for it", q.Model)
		fail(w, http.StatusNotFound, "not scripted")
		return
	}
	if turn.Ask != nil {
		turn = turn.Ask(q)
	}
	switch {
	case turn.Hang:
		select {
		case <-r.Context().Done():
		case <-s.stop:
		}
	case turn.Status != 0:
		fail(w, turn.Status, "modeltest: as scripted")
	default:
		s.answer(w, q, turn)
	}
}

func (s *Server) serveSide(w http.ResponseWriter, q Request) {
	s.mu.Lock()
	s.side = append(s.side, q)
	s.mu.Unlock()
	switch q.Path {
	case "/v1/messages":
		s.answer(w, q, Say("ok"))
	case "/v1/messages/count_tokens":
		write(w, http.StatusOK, object{"input_tokens": q.Size / 4})
	default:
		write(w, http.StatusOK, object{})
	}
}

// answer sends a turn like the API, either as server-sent events or as a single response.
func (s *Server) answer(w http.ResponseWriter, q Request, t Turn) {
	s.mu.Lock()
	s.answers++
	n := s.answers
	s.mu.Unlock()
	usage := DefaultUsage
	if t.Usage != nil {
		usage = *t.Usage
	}
	content := t.content(n, q)
	message := object{
		"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": q.Model,
		"content": content, "stop_reason": t.stopReason(), "stop_sequence": nil, "usage": usage,
	}
	if !q.stream {
		write(w, http.StatusOK, message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	// The start event only has the input tokens; the end event has the output tokens.
	output := usage.Output
	usage.Output = 1
	message["content"], message["stop_reason"], message["usage"] = []object{}, nil, usage
	event(w, "message_start", object{"message": message})
	for i, block := range content {
		start, delta := split(block)
		event(w, "content_block_start", object{"index": i, "content_block": start})
		event(w, "content_block_delta", object{"index": i, "delta": delta})
		event(w, "content_block_stop", object{"index": i})
	}
	event(w, "message_delta", object{
		"delta": object{"stop_reason": t.stopReason(), "stop_sequence": nil},
		"usage": object{"output_tokens": output},
	})
	event(w, "message_stop", object{})
}

// ofTier is the name of a tier's shell tool.
const ofTier = "mcp__claudeops__bash"

// content returns the blocks of a turn; n is the number of the message.
func (t Turn) content(n int, q Request) []object {
	var blocks []object
	if t.Text != "" || len(t.Tools) == 0 {
		blocks = append(blocks, object{"type": "text", "text": t.Text})
	}
	for i, u := range t.Tools {
		id := fmt.Sprintf("toolu_%d_%d", n, i)
		name := u.Name
		if name == shell {
			if name = "Bash"; slices.Contains(q.Tools, ofTier) {
				name = ofTier
			}
		}
		blocks = append(blocks, object{"type": "tool_use", "id": id, "name": name, "input": u.Input})
	}
	return blocks
}

func (t Turn) stopReason() string {
	switch {
	case t.StopReason != "":
		return t.StopReason
	case len(t.Tools) > 0:
		return "tool_use"
	}
	return "end_turn"
}

// split splits a complete block into the empty block of the start event and the delta that is added to it.
func split(block object) (start, delta object) {
	if block["type"] == "text" {
		return object{"type": "text", "text": ""}, object{"type": "text_delta", "text": block["text"]}
	}
	start = object{"type": "tool_use", "id": block["id"], "name": block["name"], "input": object{}}
	return start, object{"type": "input_json_delta", "partial_json": marshal(block["input"])}
}

// event writes one server-sent event. Write errors are ignored: if the client has gone, its next request shows that.
func event(w http.ResponseWriter, name string, v object) {
	v["type"] = name
	_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, marshal(v))
}

// fail writes an API error.
func fail(w http.ResponseWriter, status int, message string) {
	kinds := map[int]string{
		400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
		404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error",
	}
	kind := kinds[status]
	if kind == "" {
		kind = "api_error"
	}
	write(w, status, object{"type": "error", "error": object{"type": kind, "message": message}})
}

func write(w http.ResponseWriter, status int, v object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = strings.NewReader(marshal(v)).WriteTo(w)
}

// marshal panics if the input is not JSON, because then the test's script is wrong.
func marshal(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("modeltest: the script holds what JSON cannot: %v", err))
	}
	return string(b)
}
