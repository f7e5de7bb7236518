package hooks

import (
	"errors"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/claudeops/claudeops/internal/lazy"
)

// A wrapped command holds the original in a variable that is not exported:
//
//	CLAUDE_HOOK='ORIGINAL'; command -v PROGRAM >/dev/null 2>&1 && exec PROGRAM run -c "$CLAUDE_HOOK"; eval "$CLAUDE_HOOK"
//
// Where PROGRAM is missing the shell runs the original, so that settings can be shared. A hook with arguments is run without a shell, and
// gets one:
//
//	/bin/sh -c 'command -v PROGRAM >/dev/null 2>&1 && exec PROGRAM run -- "$@"; exec "$@"' claude-hooks ORIGINAL ARGUMENTS…
const (
	lineStart = "CLAUDE_HOOK='"
	lineEnd   = `-c "$CLAUDE_HOOK"; eval "$CLAUDE_HOOK"`
	argsEnd   = `-- "$@"; exec "$@"`
	argsShell = "/bin/sh"
	argsName  = "claude-hooks" // $0 of that shell
)

// Entry is one hook of a settings file, and what was done with it.
type Entry struct {
	Event   string `json:"event"`
	Command string `json:"command"` // the original
	Action  string `json:"action"`
	Why     string `json:"why,omitzero"` // it was left alone
}

// The actions.
const (
	Wrapped   = "wrapped"
	Replaced  = "replaced" // what an earlier version had written
	Already   = "already wrapped"
	Unwrapped = "unwrapped"
	Left      = "left alone"
)

// hookEntry is a hook in a settings file.
type hookEntry struct {
	event, kind, shell string

	command *hujson.Value
	args    *hujson.Array // nil if the command is a line of shell
	async   bool          // nobody waits for it, and the model reads its output

	wrapped  bool
	original hujson.Literal // the original command
}

// Wrap puts the circuit breaker in front of the hooks of a settings file, and replaces what earlier versions have put there. Hooks of
// PreToolUse are left alone unless include means them: they may be guards, and a guard that is switched off lets everything through.
func Wrap(doc []byte, program string, include []string) ([]byte, []Entry, error) {
	return change(doc, func(h *hookEntry) (action, why string) {
		switch {
		case h.kind != "command":
			return Left, "it is no command"
		case h.original == nil:
			return Left, "it has no command"
		case h.shell == "powershell":
			return Left, "it runs in PowerShell"
		case !h.wrapped && callsBreaker().MatchString(h.line()):
			return Left, "it calls the circuit breaker by itself; `claudeops hooks` and `claudeops-hook` are `claude-hooks` now"
		case !h.wrapped && h.event == "PreToolUse" && !slices.Contains(include, h.event) && !matchesAny(include, h.line()):
			return Left, "it may be a guard, which would refuse nothing while it is switched off; --include NAME wraps it"
		}
		was := h.call()
		action = Wrapped
		if h.wrapped {
			action = Replaced
		}
		h.wrap(program)
		if was == h.call() {
			action = Already
		}
		return action, ""
	})
}

// Unwrap takes away what Wrap has put there.
func Unwrap(doc []byte) ([]byte, []Entry, error) {
	return change(doc, func(h *hookEntry) (action, why string) {
		if !h.wrapped {
			return Left, "it is not wrapped"
		}
		h.unwrap()
		return Unwrapped, ""
	})
}

// callsBreaker matches a command that calls claude-hooks by itself.
var callsBreaker = lazy.Regexp(`\bCLAUDE_HOOK\b|\bclaude-hooks\s+run\b|\bclaudeops(?:-hook)?\s+(?:hooks\s+)?run\b`)

// change applies decide to each hook of a settings file. All that it does not change stays as it is, to the byte.
func change(doc []byte, decide func(*hookEntry) (action, why string)) ([]byte, []Entry, error) {
	if strings.TrimSpace(string(doc)) == "" {
		return doc, nil, nil
	}
	tree, err := hujson.Parse(slices.Clone(doc))
	if err != nil {
		return nil, nil, err
	}
	root, ok := tree.Value.(*hujson.Object)
	if !ok {
		return nil, nil, errors.New("expected a JSON object")
	}
	var entries []Entry
	for _, h := range hooksOf(root) {
		e := Entry{Event: h.event, Command: h.line()}
		e.Action, e.Why = decide(h)
		entries = append(entries, e)
	}
	return tree.Pack(), entries, nil
}

// hooksOf returns the hooks of settings, in order. What does not have the shape of hooks is ignored.
func hooksOf(root *hujson.Object) (all []*hookEntry) {
	events, _ := member(root, "hooks").(*hujson.Object)
	if events == nil {
		return nil
	}
	for i := range events.Members {
		for _, group := range elements(events.Members[i].Value.Value) {
			for _, entry := range elements(member(group, "hooks")) {
				if o, ok := entry.(*hujson.Object); ok {
					all = append(all, newEntry(text(events.Members[i].Name.Value), o))
				}
			}
		}
	}
	return all
}

func newEntry(event string, o *hujson.Object) *hookEntry {
	h := &hookEntry{
		event:   event,
		kind:    text(member(o, "type")),
		shell:   text(member(o, "shell")),
		command: lookup(o, "command"),
	}
	h.args, _ = member(o, "args").(*hujson.Array)
	if async := member(o, "async"); async != nil {
		h.async = async.Kind() == 't'
	}
	if h.command == nil || h.command.Value.Kind() != '"' {
		return h
	}
	h.original, _ = h.command.Value.(hujson.Literal)
	if h.args == nil {
		if original := unwrapLine(h.original); original != nil {
			h.original, h.wrapped = original, true
		}
		return h
	}
	e := h.args.Elements
	if len(e) > 3 && text(h.original) == argsShell && text(e[2].Value) == argsName && strings.HasSuffix(text(e[1].Value), argsEnd) {
		h.original, _ = e[3].Value.(hujson.Literal)
		h.wrapped = h.original != nil
	}
	return h
}

// line returns the command by which the breaker knows the hook.
func (h *hookEntry) line() string {
	if h.args == nil || h.original == nil {
		return text(h.original)
	}
	list := h.args.Elements
	if h.wrapped {
		list = list[4:]
	}
	words := []string{text(h.original)}
	for _, e := range list {
		words = append(words, text(e.Value))
	}
	return commandLine(words)
}

// call returns what is written as the command.
func (h *hookEntry) call() string {
	call := text(h.command.Value)
	if h.args != nil && h.wrapped {
		call += text(h.args.Elements[1].Value)
	}
	return call
}

func (h *hookEntry) wrap(program string) {
	run := " run "
	if h.async {
		run = " run --quiet "
	}
	call := "command -v " + quote(program) + " >/dev/null 2>&1 && exec " + quote(program) + run
	if h.args == nil {
		h.command.Value = wrapLine(h.original, call+lineEnd)
		h.wrapped = true
		return
	}
	if h.wrapped {
		h.args.Elements[1].Value = hujson.String(call + argsEnd)
		return
	}
	h.command.Value = hujson.String(argsShell)
	before := []hujson.Value{
		{Value: hujson.String("-c")},
		{BeforeExtra: hujson.Extra(" "), Value: hujson.String(call + argsEnd)},
		{BeforeExtra: hujson.Extra(" "), Value: hujson.String(argsName)},
		{BeforeExtra: hujson.Extra(" "), Value: h.original},
	}
	h.args.Elements = append(before, h.args.Elements...)
	h.wrapped = true
}

func (h *hookEntry) unwrap() {
	h.command.Value = h.original
	if h.args != nil {
		h.args.Elements = h.args.Elements[4:]
	}
}

// The characters of a JSON string. A quote, which may be spelled \u0027, ends the shell's quotation around it, is escaped, and begins it anew.
var (
	character = lazy.Regexp(`\\u[0-9a-fA-F]{4}|\\.|[^\\]`)
	doubled   = lazy.Regexp(`'\\\\('|\\u0027)'|\\u[0-9a-fA-F]{4}|\\.|[^\\]`)
)

// wrapLine returns the literal of a wrapped line. All of the original's characters stay as they are written.
func wrapLine(original hujson.Literal, call string) hujson.Literal {
	inner := character().ReplaceAllStringFunc(string(original[1:len(original)-1]), func(c string) string {
		if c == "'" || c == `\u0027` {
			return `'\\` + c + `'`
		}
		return c
	})
	end := string(hujson.String("'; " + call))
	return hujson.Literal(`"` + lineStart + inner + end[1:])
}

// unwrapLine returns the original of a line that Wrap or an earlier version of it has written; nil for any other.
func unwrapLine(literal hujson.Literal) hujson.Literal {
	rest, ok := strings.CutPrefix(string(literal[1:len(literal)-1]), lineStart)
	if !ok {
		return nil
	}
	original := `"`
	for rest != "" {
		at := doubled().FindStringSubmatchIndex(rest)
		if at == nil || at[0] != 0 {
			return nil
		}
		c := rest[:at[1]]
		switch {
		case at[2] >= 0: // a quote
			c = rest[at[2]:at[3]]
		case c == "'": // the end of the quotation
			call := text(hujson.Literal(`"` + rest[1:] + `"`))
			if strings.HasPrefix(call, "; command -v ") && strings.HasSuffix(call, lineEnd) {
				return hujson.Literal(original + `"`)
			}
			return nil
		}
		original += c
		rest = rest[at[1]:]
	}
	return nil
}

// quote quotes a word for a shell.
func quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@+,%-") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// lookup returns the last member of that name, which is the one that counts; nil if there is none.
func lookup(o *hujson.Object, name string) *hujson.Value {
	for i := range slices.Backward(o.Members) {
		if text(o.Members[i].Name.Value) == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

// member returns the value of a member; nil if there is none, or o is no object.
func member(o hujson.ValueTrimmed, name string) hujson.ValueTrimmed {
	object, ok := o.(*hujson.Object)
	if !ok {
		return nil
	}
	if v := lookup(object, name); v != nil {
		return v.Value
	}
	return nil
}

// elements returns the elements of an array; nil if it is none.
func elements(v hujson.ValueTrimmed) (all []hujson.ValueTrimmed) {
	if array, ok := v.(*hujson.Array); ok {
		for i := range array.Elements {
			all = append(all, array.Elements[i].Value)
		}
	}
	return all
}

// text returns the value of a string; empty for anything else.
func text(v hujson.ValueTrimmed) string {
	if literal, ok := v.(hujson.Literal); ok && len(literal) > 0 && literal.Kind() == '"' {
		return literal.String()
	}
	return ""
}
