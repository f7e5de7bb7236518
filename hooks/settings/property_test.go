package settings_test

import (
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/hooks/settings"
)

// For any settings in any spelling: wrapping is idempotent, unwrapping restores the original, and the shell gets the original command.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := document(t)
		o := usual
		o.Program = rapid.SampledFrom([][]string{{"claude-hooks"}, {"/opt/it's \"here\"/ü", "hooks"}}).Draw(t, "program")
		if rapid.Bool().Draw(t, "all") {
			o.Include = []string{"PreToolUse"}
		}
		once, entries, err := settings.Wrap([]byte(doc), o)
		if err != nil {
			t.Fatalf("%q: %v", doc, err)
		}
		twice, _, err := settings.Wrap(once, o)
		if err != nil || string(twice) != string(once) {
			t.Fatalf("wrapped twice: %v\n%q\n%q", err, once, twice)
		}
		back, _, err := settings.Unwrap(once)
		if err != nil || string(back) != doc {
			t.Fatalf("unwrapped: %v\n%q\n%q", err, doc, back)
		}
		wantShell(t, doc, string(once), entries)

		prefixed, err := settings.SetPrefix(once, "/home/ü's/.claude/claude-hooks-prefix")
		if err != nil {
			t.Fatal(err)
		}
		back, script, err := settings.UnsetPrefix(prefixed)
		if err != nil || string(back) != string(once) || script == "" {
			t.Fatalf("the prefix set and taken away: %v\n%q\n%q", err, once, back)
		}
	})
}

// wantShell compares the commands of two documents, parsed by another JSON library.
func wantShell(t *rapid.T, doc, wrapped string, entries []settings.Entry) {
	before, after := list(t, doc), list(t, wrapped)
	if len(before) != len(after) || len(before) != len(entries) {
		t.Fatalf("%d hooks, wrapped %d, reported %d", len(before), len(after), len(entries))
	}
	for i, h := range after {
		is := before[i]
		switch {
		case entries[i].Action != settings.Wrapped:
			if h.Command != is.Command || !slices.Equal(h.Args, is.Args) {
				t.Fatalf("%v became %v", is, h)
			}
		case is.Args == nil:
			quoted := "CLAUDE_HOOK='" + strings.ReplaceAll(is.Command, "'", `'\''`) + "'; "
			if !strings.HasPrefix(h.Command, quoted) || !strings.Contains(h.Command[len(quoted):], ` -c "$CLAUDE_HOOK"`) {
				t.Fatalf("%q became %q", is.Command, h.Command)
			}
		default:
			if h.Command != "/bin/sh" || h.Args[0] != "-c" || !slices.Equal(h.Args[3:], append([]string{is.Command}, is.Args...)) {
				t.Fatalf("%v became %v", is, h)
			}
		}
	}
}

type listed struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func list(t *rapid.T, doc string) []listed {
	var s struct {
		Hooks struct {
			Stop       []struct{ Hooks []listed }
			PreToolUse []struct{ Hooks []listed }
		} `json:"hooks"`
	}
	if err := stdjson.Unmarshal([]byte(strings.TrimPrefix(doc, "\ufeff")), &s); err != nil {
		t.Fatalf("%q: %v", doc, err)
	}
	var all []listed
	for _, g := range s.Hooks.Stop {
		all = append(all, g.Hooks...)
	}
	for _, g := range s.Hooks.PreToolUse {
		all = append(all, g.Hooks...)
	}
	return all
}

// document generates settings in any spelling.
func document(t *rapid.T) string {
	space := func() string { return rapid.StringMatching(`[ \t\r\n]{0,3}`).Draw(t, "space") }
	literal := func(text string) string { return spelled(t, text) }
	object := func(members ...string) string {
		text := "{"
		for i, m := range members {
			if i > 0 {
				text += ","
			}
			text += space() + m + space()
		}
		if len(members) == 0 {
			text += space()
		}
		return text + "}"
	}
	member := func(name, value string) string { return literal(name) + space() + ":" + space() + value }
	array := func(elements ...string) string {
		text := "["
		for i, e := range elements {
			if i > 0 {
				text += ","
			}
			text += space() + e + space()
		}
		return text + space() + "]"
	}
	command := rapid.OneOf(
		rapid.StringOfN(rapid.RuneFrom([]rune(`'"\ $;&|a=CLAUDE_HOOK-ü✓😀`+"\n\t\x01\x7f\u2028")), 1, 12, -1),
		rapid.SampledFrom([]string{"uv run x.py", "it's", `'`, `\`, `\'`, `'\''`, `'"'"'`, "a\n'", "CLAUDE_HOOK='x'; eval", "# x"}),
	).Filter(func(text string) bool { return strings.TrimSpace(text) != "" })
	hook := func() string {
		members := []string{member("type", literal("command")), member("command", literal(command.Draw(t, "command")))}
		if rapid.Bool().Draw(t, "exec") {
			var args []string
			for range rapid.IntRange(0, 3).Draw(t, "args") {
				args = append(args, literal(rapid.StringOf(rapid.RuneFrom([]rune(`'" a,]ü`))).Draw(t, "arg")))
			}
			members = append(members, member("args", array(args...)))
		}
		if rapid.Bool().Draw(t, "limited") {
			members = append(members, member("timeout", fmt.Sprint(rapid.Float64Range(0, 700).Draw(t, "timeout"))))
		}
		if rapid.Bool().Draw(t, "async") {
			members = append(members, member("async", "true"))
		}
		return object(rapid.Permutation(members).Draw(t, "members")...)
	}
	group := func() string {
		var hooks []string
		for range rapid.IntRange(0, 3).Draw(t, "hooks") {
			hooks = append(hooks, hook())
		}
		return object(member("matcher", literal("*")), member("hooks", array(hooks...)))
	}
	members := []string{member("hooks", object(member("Stop", array(group(), group())), member("PreToolUse", array(group()))))}
	switch rapid.IntRange(0, 2).Draw(t, "env") {
	case 1:
		members = append(members, member("env", object()))
	case 2:
		members = append(members, member("env", object(member("A", literal("'")), member("B", literal("")))))
	}
	mark := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark")
	return mark + space() + object(rapid.Permutation(members).Draw(t, "order")...) + space()
}

// spelled writes a string with the necessary escapes, and sometimes with others.
func spelled(t *rapid.T, text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r < ' ' || rapid.IntRange(0, 5).Draw(t, "escaped") == 0:
			if high, low := r-0x10000, r; high >= 0 {
				fmt.Fprintf(&b, `\u%04x\u%04X`, 0xd800+high>>10, 0xdc00+(low-0x10000)&0x3ff)
			} else {
				fmt.Fprintf(&b, `\u%04X`, r)
			}
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

func FuzzWrap(f *testing.F) {
	for _, doc := range files(f) {
		f.Add(doc)
	}
	f.Add("")
	f.Add(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"CLAUDE_HOOK='x'; exec a run -c \"$CLAUDE_HOOK\""}]}]}}`)
	f.Fuzz(func(t *testing.T, doc string) {
		before, _, err := settings.Unwrap([]byte(doc))
		once, entries, werr := settings.Wrap([]byte(doc), usual)
		if fmt.Sprint(err) != fmt.Sprint(werr) {
			t.Fatalf("wrapped %v, unwrapped %v", werr, err)
		}
		text := strings.TrimPrefix(doc, "\ufeff")
		if err != nil {
			var object map[string]stdjson.RawMessage
			if utf8.ValidString(text) && stdjson.Unmarshal([]byte(text), &object) == nil && object != nil {
				t.Fatalf("settings are refused: %v", err)
			}
			return
		}
		if strings.Trim(text, " \t\r\n") != "" && !stdjson.Valid([]byte(strings.TrimPrefix(string(once), "\ufeff"))) {
			t.Fatalf("the result is no JSON: %q", once)
		}
		twice, _, err := settings.Wrap(once, usual)
		if err != nil || string(twice) != string(once) {
			t.Fatalf("wrapped twice: %v\n%q\n%q", err, once, twice)
		}
		back, _, err := settings.Unwrap(once)
		if err != nil || string(back) != string(before) {
			t.Fatalf("unwrapped: %v\n%q\n%q\n%v", err, before, back, entries)
		}
	})
}
