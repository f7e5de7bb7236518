package seeded

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/guard"
)

// logsKept is the age up to which there are raw logs and audits; older ones count as deleted because of CLAUDEOPS_LOG_MAX.
const logsKept = 9 * 24 * time.Hour

// logs writes the raw logs and audits of the homelab's sessions, from the tables that homelab.sql has filled.
func (l *Lab) logs(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, `
		SELECT s.id, s.tier, s.model, s.started_at, s.status, s.response, s.exit_code = 1, s.cost_usd, s.num_turns, s.duration_ms, s.input_tokens, s.output_tokens,
			coalesce(t.service, ''), coalesce(does ->> 'cause', ''),
			CASE WHEN s.tier = 1 THEN story -> 'observe' WHEN s.status = 'running' THEN story -> 'running' ELSE coalesce(does -> 'calls', '[]') END,
			story -> 'closer', (SELECT json_group_array(service) FROM finding f WHERE f.k = w.k AND s.tier = 1)
		FROM given, sessions s JOIN work w USING (id) LEFT JOIN trouble t ON t.id = w.trouble WHERE s.started_at >= ?`,
		l.Now.Add(-logsKept).Format("2006-01-02T15:04:05.000Z"))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var log rawLog
		var tier int
		var end result
		var began, status, service, cause string
		var failed sql.NullBool
		var made, closer, unwell []byte
		err := rows.Scan(&log.id, &tier, &log.model, &began, &status, &end.words, &failed, &end.cost, &end.turns, &end.ms, &end.input, &end.output,
			&service, &cause, &made, &closer, &unwell)
		if err != nil {
			return err
		}
		log.session, end.failed = fmt.Sprintf("01a20000-0000-7000-9000-%012d", log.id), failed.Bool
		if log.at, err = time.Parse(time.RFC3339, began); err != nil {
			return err
		}
		calls, err := readCalls(made, service, cause)
		if err != nil {
			return err
		}
		var names []string
		if err := json.Unmarshal(unwell, &names); err != nil {
			return err
		}
		for _, name := range names {
			more, err := readCalls(closer, name, "")
			if err != nil {
				return err
			}
			calls = append(calls, more...)
		}
		if err := l.session(&log, tier, service, calls); err != nil {
			return err
		}
		if status != "running" && status != "timed_out" {
			log.end(end)
		}
		if err := os.WriteFile(l.LogPath(log.id), []byte(log.text.String()), 0o600); err != nil {
			return err
		}
	}
	return rows.Err()
}

// call is a tool call of an agent, the guard's decision, and the result.
type call struct {
	Say     string // text of the agent before the call; may be empty
	Think   string // thinking before the call; may be empty
	Tool    string // Bash if empty
	Run     string // the command; for other tools, the input as JSON
	Out     string
	Failed  bool
	Action  guard.Action // Observe if empty
	Rule    string       // the first two words of Run if empty
	Refused string       // the reason for a denial; empty if the call was allowed
}

// readCalls reads calls and replaces $service and $cause in them.
func readCalls(text []byte, service, cause string) (calls []call, err error) {
	quoted := func(s string) string { return strings.Trim(asJSON(s), `"`) }
	filled := strings.NewReplacer("$service", quoted(service), "$cause", quoted(cause)).Replace(string(text))
	return calls, json.Unmarshal([]byte(filled), &calls, json.MatchCaseInsensitiveNames(true))
}

func (c call) tool() string {
	if c.Tool == "" {
		return "Bash"
	}
	return c.Tool
}

// session writes calls into a session's raw log and its audit.
func (l *Lab) session(log *rawLog, tier int, service string, calls []call) error {
	audit := guard.Audit{Path: l.AuditPath(log.id)}
	log.begin()
	began := log.at
	for i, c := range calls {
		if at := began.Add(time.Duration(30*(i+1)) * time.Second); at.After(log.at) {
			log.at = at // the time in homelab.sql
		}
		if c.Action == "" {
			c.Action = guard.Observe
		}
		if words := strings.Fields(c.Run); c.Rule == "" {
			c.Rule = strings.Join(words[:2], " ")
		}
		id, at := log.call(c)
		e := guard.Entry{
			Time: at, Began: at, ToolUseID: id, Tier: tier, Tool: c.tool(), Command: c.Run, Actions: []guard.Action{c.Action}, Rule: c.Rule,
			Decision: guard.Allowed, Reason: c.Refused, Exit: new(int),
		}
		if c.Action == guard.Restart || c.Action == guard.Redeploy {
			e.Services = []string{service}
		}
		switch {
		case c.Refused != "":
			e.Decision, *e.Exit = guard.Denied, 126
		case c.Failed:
			*e.Exit = 1
		}
		if err := audit.Append(e); err != nil {
			return err
		}
	}
	return nil
}

// rawLog writes a log like the agent program's output: one line of JSON for each event.
type rawLog struct {
	text    strings.Builder
	at      time.Time
	id      int64  // the session's
	session string // the agent program's own session id
	model   string
	events  int
	calls   int
}

type object = map[string]any

// fullModel returns the full model name for an alias.
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

// add adds an event with its type as the first field.
func (l *rawLog) add(kind string, event object) {
	l.events++
	event["session_id"], event["uuid"] = l.session, fmt.Sprintf("01a20000-0000-7%03d-9000-%012d", l.events%1000, l.id)
	fmt.Fprintf(&l.text, "{\"type\":%q,%s\n", kind, asJSON(event)[1:])
}

// asJSON encodes a value as JSON. Texts may be invalid UTF-8.
func asJSON(value any) string {
	text, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(err) // strings, numbers, lists and objects can always be encoded
	}
	return string(text)
}

func (l *rawLog) begin() {
	l.add("system", object{
		"subtype": "init", "cwd": "/repos", "tools": []string{"Bash", "Glob", "Grep", "Read"}, "mcp_servers": []string{}, "model": fullModel(l.model),
		"permissionMode": "dontAsk", "slash_commands": []string{}, "apiKeySource": "apiKeyHelper", "claude_code_version": "2.1.197", "output_style": "default",
	})
}

// block adds an agent message with one part.
func (l *rawLog) block(part object) {
	l.at = l.at.Add(2 * time.Second)
	l.add("assistant", object{"parent_tool_use_id": nil, "message": object{
		"id": fmt.Sprintf("msg_01%06dx%03d", l.id, l.events), "type": "message", "role": "assistant", "model": fullModel(l.model), "content": []object{part},
		"stop_reason": nil, "stop_sequence": nil,
		"usage": object{"input_tokens": 6, "output_tokens": 1, "cache_creation_input_tokens": 1400, "cache_read_input_tokens": 12_000},
	}})
}

// call adds a tool call with its result, and returns the id and the time of the call.
func (l *rawLog) call(c call) (id string, at time.Time) {
	if c.Think != "" {
		l.block(object{"type": "thinking", "thinking": c.Think, "signature": strings.Repeat("9f3c", 16)})
	}
	if c.Say != "" {
		l.block(object{"type": "text", "text": c.Say})
	}
	id = fmt.Sprintf("toolu_01%06dx%02d", l.id, l.calls)
	l.calls++
	input := object{"command": c.Run, "description": "look"}
	if c.Say != "" {
		input["description"] = c.Say
	}
	if c.Tool != "" {
		input = nil
		if json.Unmarshal([]byte(c.Run), &input) != nil {
			input = object{"input": c.Run}
		}
	}
	l.block(object{"type": "tool_use", "id": id, "name": c.tool(), "input": input})
	at = l.at
	l.at = l.at.Add(time.Second)
	output, failed := c.Out, c.Failed
	if c.Refused != "" {
		output, failed = c.Refused, true
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

// result is the result of the agent program.
type result struct {
	words             string
	failed            bool
	cost              float64
	turns             int
	ms, input, output int64
}

// end adds the agent's last text and the result.
func (l *rawLog) end(r result) {
	l.block(object{"type": "text", "text": r.words})
	l.add("result", object{
		"subtype": "success", "is_error": r.failed, "duration_ms": r.ms, "duration_api_ms": r.ms * 4 / 5, "num_turns": r.turns,
		"result": r.words, "total_cost_usd": r.cost, "permission_denials": []object{}, "usage": object{
			"input_tokens": 9 * r.turns, "cache_creation_input_tokens": r.input / 6, "cache_read_input_tokens": r.input - r.input/6, "output_tokens": r.output,
		}, "modelUsage": object{fullModel(l.model): object{
			"inputTokens": 9 * r.turns, "outputTokens": r.output, "cacheReadInputTokens": r.input - r.input/6, "cacheCreationInputTokens": r.input / 6, "costUSD": r.cost,
		}},
	})
}

// Say adds a text of the running session's agent to its raw log, as one line.
func (l *Lab) Say(text string) error {
	log := l.running()
	log.block(object{"type": "text", "text": text})
	return l.appendLog(log)
}

// Call adds a tool call of the running session's agent to its raw log, as two lines.
func (l *Lab) Call(command, output string) error {
	log := l.running()
	log.call(call{Run: command, Out: output})
	return l.appendLog(log)
}

// running returns a log that continues that of the running session. All calls added by later calls of running have the same ids.
func (l *Lab) running() *rawLog {
	return &rawLog{at: l.Now, id: l.Running, session: fmt.Sprintf("01a20000-0000-7000-9000-%012d", l.Running), model: "sonnet", events: 900, calls: 90}
}

func (l *Lab) appendLog(log *rawLog) error {
	f, err := os.OpenFile(l.LogPath(l.Running), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(log.text.String()); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
