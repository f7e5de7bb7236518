package seeded

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/guard"
)

// call is a tool that an agent called, what the guard said to it and what came of it.
type call struct {
	say     string // what the agent says before it; may be empty
	think   string // and what it thinks; may be empty
	tool    string // Bash where it is empty
	command string // of another tool, its input as JSON
	output  string
	failed  bool

	action   guard.Action // Observe where it is empty
	services []string
	rule     string
	refused  string // why; empty where it was granted
}

func (c call) toolName() string {
	if c.tool == "" {
		return "Bash"
	}
	return c.tool
}

// rawLog writes what the agent program prints: a line of JSON for each event.
type rawLog struct {
	text    strings.Builder
	dice    dice
	at      time.Time
	session string // the agent program's own id
	model   string
}

type object = map[string]any

// fullModel is the name that the agent program makes of an alias.
func fullModel(alias string) string {
	switch alias {
	case "haiku":
		return "claude-haiku-4-5-20251001"
	case "sonnet":
		return "claude-sonnet-5"
	case "opus":
		return "claude-opus-4-8"
	}
	return alias
}

// add writes an event, its type first.
func (l *rawLog) add(kind string, event object) {
	event["session_id"], event["uuid"] = l.session, l.dice.uuid(l.at)
	fmt.Fprintf(&l.text, "{\"type\":%q,%s\n", kind, asJSON(event)[1:])
}

// asJSON writes JSON, also of texts that are no UTF-8.
func asJSON(value any) string {
	text, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(err) // texts, numbers, lists and objects: there is nothing that cannot be written
	}
	return string(text)
}

func (l *rawLog) begin() {
	l.add("system", object{
		"subtype": "init", "cwd": "/repos", "tools": []string{"Bash", "Glob", "Grep", "Read"}, "mcp_servers": []string{}, "model": fullModel(l.model),
		"permissionMode": "dontAsk", "slash_commands": []string{}, "apiKeySource": "apiKeyHelper", "claude_code_version": "2.1.197", "output_style": "default",
	})
}

// block is a message of one part, by the agent.
func (l *rawLog) block(part object) {
	l.at = l.at.Add(time.Duration(l.dice.between(900, 4200)) * time.Millisecond)
	l.add("assistant", object{"parent_tool_use_id": nil, "message": object{
		"id": l.dice.word("msg"), "type": "message", "role": "assistant", "model": fullModel(l.model), "content": []object{part},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{
			"input_tokens": 6, "output_tokens": 1, "cache_creation_input_tokens": 300 + l.dice.IntN(2500), "cache_read_input_tokens": 9000 + l.dice.IntN(9000),
		},
	}})
}

// call writes a tool call with its result, and returns its id and when it was made.
func (l *rawLog) call(c call) (id string, at time.Time) {
	if c.think != "" {
		l.block(object{"type": "thinking", "thinking": c.think, "signature": l.dice.hex(64)})
	}
	if c.say != "" {
		l.block(object{"type": "text", "text": c.say})
	}
	id = l.dice.word("toolu")
	var input any = object{"command": c.command, "description": "look"}
	if c.tool != "" {
		var given object
		if json.Unmarshal([]byte(c.command), &given) != nil {
			given = object{"input": c.command}
		}
		input = given
	} else if c.say != "" {
		input = object{"command": c.command, "description": c.say}
	}
	l.block(object{"type": "tool_use", "id": id, "name": c.toolName(), "input": input})
	at = l.at
	l.at = l.at.Add(time.Duration(l.dice.between(60, 2600)) * time.Millisecond)
	output, failed := c.output, c.failed
	if c.refused != "" {
		output, failed = c.refused, true
	}
	event := object{"parent_tool_use_id": nil, "timestamp": l.at.Format("2006-01-02T15:04:05.000Z"), "message": object{
		"role": "user", "content": []object{{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed}},
	}}
	if !failed {
		event["tool_use_result"] = object{"stdout": output, "stderr": "", "interrupted": false, "isImage": false}
	}
	l.add("user", event)
	return id, at
}

// end writes the agent's last words and the result.
func (l *rawLog) end(words string, failed bool, cost float64, turns int, took time.Duration, input, output int64) {
	l.block(object{"type": "text", "text": words})
	usage := object{"input_tokens": 9 * turns, "cache_creation_input_tokens": input / 6, "cache_read_input_tokens": input - input/6, "output_tokens": output}
	l.add("result", object{
		"subtype": "success", "is_error": failed, "duration_ms": took.Milliseconds(), "duration_api_ms": took.Milliseconds() * 4 / 5, "num_turns": turns,
		"result": words, "total_cost_usd": cost, "usage": usage, "permission_denials": []object{}, "modelUsage": object{fullModel(l.model): object{
			"inputTokens": 9 * turns, "outputTokens": output, "cacheReadInputTokens": input - input/6, "cacheCreationInputTokens": input / 6, "costUSD": cost,
		}},
	})
}

func (l *rawLog) write(path string) error {
	if err := os.WriteFile(path, []byte(l.text.String()), 0o600); err != nil {
		return fmt.Errorf("write a raw log: %w", err)
	}
	return nil
}

// Say has the running session's agent say something: a line of its raw log.
func (l *Lab) Say(text string) error {
	line := l.line()
	line.block(object{"type": "text", "text": text})
	return l.appendLog(line.text.String())
}

// Call has the running session's agent call a tool: two lines of its raw log.
func (l *Lab) Call(command, output string) error {
	line := l.line()
	line.call(call{command: command, output: output})
	return l.appendLog(line.text.String())
}

func (l *Lab) line() *rawLog {
	return &rawLog{dice: dice{newDice(uint64(l.Now.UnixNano())).Rand}, at: l.Now, session: "0190a7c2-4b5e-7d3a-9c1f-000000000000", model: "sonnet"}
}

func (l *Lab) appendLog(text string) error {
	f, err := os.OpenFile(l.LogPath(l.Running), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("open the running session's log: %w", err)
	}
	if _, err = f.WriteString(text); err != nil {
		err = fmt.Errorf("write to the running session's log: %w", err)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
