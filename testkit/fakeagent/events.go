package fakeagent

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

type object map[string]any

// usage is in tokens.
type usage struct {
	Input      int `json:"input_tokens"`
	Output     int `json:"output_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
}

// flag returns the value of a command-line argument, or otherwise if it is not given.
func flag(name, otherwise string) string {
	if v, ok := (Record{Args: os.Args[1:]}).Flag(name); ok {
		return v
	}
	return otherwise
}

func sessionID() string { return flag("--session-id", "00000000-0000-4000-8000-000000000000") }

// model returns the full model name for the alias of --model.
func model() string {
	name := flag("--model", "sonnet")
	switch name {
	case "haiku":
		return "claude-haiku-4-5-20251001"
	case "sonnet":
		return "claude-sonnet-5"
	case "opus":
		return "claude-opus-4-8"
	}
	return name
}

func (a *agent) init(tools []string) {
	dir, err := os.Getwd()
	if err != nil {
		dir = "/"
	}
	if len(tools) == 0 {
		tools = strings.FieldsFunc(flag("--tools", "Bash")+","+flag("--allowedTools", ""), func(r rune) bool { return r == ',' })
	}
	slices.Sort(tools)
	a.emit(object{
		"type": "system", "subtype": "init", "cwd": dir, "tools": tools, "model": model(),
		"permissionMode": flag("--permission-mode", "default"), "apiKeySource": "apiKeyHelper", "claude_code_version": "2.1.197",
	})
}

// assistantEvent returns an assistant event with one block, and counts a new message.
func (a *agent) assistantEvent(block object) object {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.same || a.message == 0 {
		a.message++
		a.total.Input += a.usage.Input
		a.total.Output += a.usage.Output
		a.total.CacheWrite += a.usage.CacheWrite
		a.total.CacheRead += a.usage.CacheRead
	}
	a.same = false
	// As in the real program, the usage is that at the start of the message, when there is hardly any output.
	started := a.usage
	started.Output = min(1, started.Output)
	return object{"type": "assistant", "parent_tool_use_id": nil, "message": object{
		"id": fmt.Sprintf("msg_%d", a.message), "type": "message", "role": "assistant", "model": model(),
		"content": []object{block}, "stop_reason": nil, "usage": started,
	}}
}

func (a *agent) assistant(block object) { a.emit(a.assistantEvent(block)) }

// toolUse prints a tool call and returns its id.
func (a *agent) toolUse(name string, input object) string {
	id := fmt.Sprintf("toolu_%d_%d", os.Getpid(), a.message+1)
	a.assistant(object{"type": "tool_use", "id": id, "name": name, "input": input})
	return id
}

func (a *agent) toolResult(id, text string, failed bool) {
	a.emit(object{"type": "user", "parent_tool_use_id": nil, "message": object{
		"role":    "user",
		"content": []object{{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}},
	}})
}

func (a *agent) result(r object, cost float64) { a.emit(a.resultEvent(r, cost)) }

// resultEvent adds the fields that all results have.
func (a *agent) resultEvent(r object, cost float64) object {
	r["type"], r["total_cost_usd"], r["duration_ms"] = "result", cost, 1234
	r["usage"], r["permission_denials"] = a.total, []object{}
	r["modelUsage"] = object{model(): object{
		"inputTokens": a.total.Input, "outputTokens": a.total.Output,
		"cacheCreationInputTokens": a.total.CacheWrite, "cacheReadInputTokens": a.total.CacheRead, "costUSD": cost,
	}}
	return r
}

func (a *agent) retry(attempt, status int, reason string) {
	a.emit(object{
		"type": "system", "subtype": "api_retry", "attempt": attempt, "max_retries": 10,
		"retry_delay_ms": 589.1837 * float64(attempt), "error_status": status, "error": reason,
	})
}

func (a *agent) emit(event object) { a.raw(a.encode(event)) }

// encode returns an event as a line of JSON. Invalid UTF-8 becomes U+FFFD.
func (a *agent) encode(event object) string {
	event["session_id"] = sessionID()
	b, err := json.Marshal(event, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

// raw writes to standard output. Write errors, as after close-stdout, are ignored, and the run continues.
func (a *agent) raw(s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, _ = a.out.WriteString(s)
}
