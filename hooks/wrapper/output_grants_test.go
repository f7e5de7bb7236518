package wrapper

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

func TestWithoutGrants(t *testing.T) {
	for _, tt := range []struct{ output, want string }{
		// Output without a grant is unchanged, byte for byte.
		{"", ""},
		{"text\n", "text\n"},
		{" {\"systemMessage\" : \"x\",\n\"continue\":false} \n", " {\"systemMessage\" : \"x\",\n\"continue\":false} \n"},
		{`{"decision":"block","reason":"x"}`, `{"decision":"block","reason":"x"}`},
		{
			`{"hookSpecificOutput": {"hookEventName":"PreToolUse", "permissionDecision":"deny","permissionDecisionReason":"x"}}`,
			`{"hookSpecificOutput": {"hookEventName":"PreToolUse", "permissionDecision":"deny","permissionDecisionReason":"x"}}`,
		},
		{`{"hookSpecificOutput":{"permissionDecision":"ask"}}`, `{"hookSpecificOutput":{"permissionDecision":"ask"}}`},
		{`{"hookSpecificOutput":{"additionalContext":"x"}}`, `{"hookSpecificOutput":{"additionalContext":"x"}}`},
		{
			`{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"x","interrupt":true}}}`,
			`{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"x","interrupt":true}}}`,
		},
		{`{"hookSpecificOutput":{"action":"decline"}}`, `{"hookSpecificOutput":{"action":"decline"}}`},
		{`[{"decision":"approve"}]`, `[{"decision":"approve"}]`}, // not an object, so text to the agent program
		{"noise\n{\"decision\":\"approve\"}", "noise\n{\"decision\":\"approve\"}"},

		{`{"decision":"approve"}`, "{}\n"},
		{`{"decision":"approve","reason":"x","systemMessage":"m"}`, `{"reason":"x","systemMessage":"m"}` + "\n"},
		{"\ufeff\u00a0{\"decision\":\"approve\"}", "{}\n"},
		{`{"d\u0065cision":"approv\u0065"}`, "{}\n"},
		{`{"decision":"block","decision":"approve"}`, `{"decision":"block"}` + "\n"},
		{`{"decision":"approve","decision":"block"}`, `{"decision":"block"}` + "\n"},
		{`{"decision":"Approve"}`, "{}\n"},
		{`{"decision":null}`, "{}\n"},
		{
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"x"}}`,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecisionReason":"x"}}` + "\n",
		},
		{
			`{"hookSpecificOutput":{"permissionDecision":"deny","updatedInput":{"command":"x"}}}`,
			`{"hookSpecificOutput":{"permissionDecision":"deny"}}` + "\n",
		},
		{
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedPermissions":[]}}}`,
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{}}}` + "\n",
		},
		{`{"hookSpecificOutput":{"permissionDecision":"defer"}}`, `{"hookSpecificOutput":{}}` + "\n"},
		{`{"hookSpecificOutput":{"decision":"allow"}}`, `{"hookSpecificOutput":{}}` + "\n"},
		{`{"hookSpecificOutput":{"retry":true,"action":"accept"}}`, `{"hookSpecificOutput":{}}` + "\n"},
		{
			`{"hookSpecificOutput":{"permissionDecision":"allow"},"hookSpecificOutput":{}}`,
			`{"hookSpecificOutput":{},"hookSpecificOutput":{}}` + "\n",
		},
		{`{"__proto__":{"decision":"approve"},"a":1}`, `{"a":1}` + "\n"},
		{`{"hookSpecificOutput":[],"updatedInput":{}}`, "{}\n"},
		{"{\"decision\":\"approve\",\"reason\":\"\xff\"}", "{\"reason\":\"\xff\"}\n"},

		// What others might parse is not passed on.
		{`{"decision":"approve"`, ""},
		{`{"decision":"approve"} {}`, ""},
		{`{"async":true}` + "\n" + `{"a":1}`, ""},
		{`{not json`, ""},
		{`{"hookSpecificOutput":{"a":}}`, ""},
		{`{"decision":"approve",}`, ""},
	} {
		if got := withoutGrants([]byte(tt.output)); string(got) != tt.want {
			t.Errorf("%q\ngot  %q\nwant %q", tt.output, got, tt.want)
		}
	}
}

// FuzzOutput checks that no filtered output grants anything to a plain JSON parser, and that everything else in it is preserved.
func FuzzOutput(f *testing.F) {
	for _, seed := range []string{
		`{"decision":"approve"}`, `{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"a":1}},"x":[1,{}]}`,
		`{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}`, "\ufeff{\"d\\u0065cision\":\"approve\"}", "text", `{"a":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		got := withoutGrants(output)
		text := trimJS(got)
		if len(text) == 0 || text[0] != '{' {
			return
		}
		after := plainly(text)
		if grants(after) {
			t.Fatalf("%q grants still, made of %q", got, output)
		}
		before := plainly(trimJS(output))
		if before == nil || bytes.Equal(got, output) {
			return
		}
		if !grants(before) && !bytes.Contains(output, []byte(`\u`)) && !reflect.DeepEqual(strip(before), strip(after)) {
			t.Fatalf("%q becomes %q", output, got)
		}
		if again := withoutGrants(got); !bytes.Equal(again, got) {
			t.Fatalf("%q becomes %q, that %q", output, got, again)
		}
	})
}

// plainly parses an object with the standard library. As in the agent program, the last of duplicate members counts.
func plainly(text []byte) map[string]any {
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		return nil
	}
	return object
}

func grants(output map[string]any) bool {
	specific, _ := output["hookSpecificOutput"].(map[string]any)
	request, _ := specific["decision"].(map[string]any)
	for _, object := range []map[string]any{output, specific, request} {
		for _, name := range []string{"updatedInput", "updatedPermissions", "retry", "__proto__"} {
			if _, there := object[name]; there {
				return true
			}
		}
	}
	permission := specific["permissionDecision"]
	return output["decision"] == "approve" || permission == "allow" || permission == "defer" || specific["decision"] == "approve" ||
		request["behavior"] == "allow" || specific["action"] == "accept"
}

// strip returns what cannot be a decision.
func strip(output map[string]any) map[string]any {
	kept := map[string]any{}
	for name, value := range output {
		if !slices.Contains([]string{"decision", "hookSpecificOutput", "updatedInput", "updatedPermissions", "retry", "__proto__"}, name) {
			kept[name] = value
		}
	}
	return kept
}
