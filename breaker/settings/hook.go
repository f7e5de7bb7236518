package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/breaker"
)

// hook is one entry of the settings' hooks.
type hook struct {
	doc            *document
	event, matcher string
	kind           string // its type
	shell          string
	condition      string // its "if", as it is written
	fault          string // why nothing can be made of its command

	command *node
	args    *node // nil where the command is a line of shell

	wrapped  bool
	original []byte   // the literal of the command, of a wrapped one the original's
	words    []string // the original command and its arguments

	timeout    float64 // seconds; 0 where it gives none
	background bool    // nobody waits for it, and what it prints goes to the model
}

// hooks are those of the document that count, in its order. What has another shape than hooks have is not looked at.
func (d *document) hooks() []hook {
	var all []hook
	events := d.root.get("hooks")
	if events == nil || events.kind != '{' {
		return nil
	}
	for i, event := range events.members {
		if slices.ContainsFunc(events.members[i+1:], func(m member) bool { return m.name == event.name }) {
			continue
		}
		for _, group := range event.value.elements() {
			matcher := d.string(group.value.get("matcher"))
			for _, entry := range group.value.get("hooks").elements() {
				if entry.value.kind == '{' {
					all = append(all, d.hook(event.name, matcher, entry.value))
				}
			}
		}
	}
	return all
}

func (d *document) hook(event, matcher string, n *node) hook {
	h := hook{
		doc: d, event: event, matcher: matcher, kind: d.string(n.get("type")), shell: d.string(n.get("shell")),
		command: n.get("command"), args: n.get("args"),
		background: d.is(n.get("async")),
	}
	if condition := n.get("if"); condition != nil {
		h.condition = string(d.raw(condition))
	}
	if timeout := n.get("timeout"); timeout != nil && timeout.kind == '0' {
		h.timeout, _ = strconv.ParseFloat(string(d.raw(timeout)), 64)
	}
	if h.command == nil || h.command.kind != '"' {
		h.fault = "it has no command"
		return h
	}
	h.original = d.raw(h.command)
	if h.args == nil {
		if original, ok := unwrapLine(h.original); ok {
			h.original, h.wrapped = original, true
		}
	}
	line, _ := decode(h.original)
	h.words = []string{line}
	if h.args != nil {
		h.readArgs()
	}
	switch {
	case h.fault != "":
	case strings.TrimSpace(h.words[0]) == "":
		h.fault = "it has no command"
	case slices.ContainsFunc(h.words, func(word string) bool { return strings.Contains(word, "\x00") }):
		h.fault = "it holds a NUL, which no command can"
	case h.args == nil && !h.wrapped:
		h.fault = lineFault(line)
	}
	return h
}

func (h *hook) readArgs() {
	elements := h.args.elements()
	for _, e := range elements {
		if e.value.kind == '"' {
			h.words = append(h.words, h.doc.string(e.value))
		}
	}
	if h.args.kind != '[' || len(h.words) != 1+len(elements) {
		h.fault = "its args are no list of strings"
		return
	}
	w := h.words
	if len(w) > 4 && w[0] == argsShell && w[1] == "-c" && isCall(w[2], argsArgument, argsFallback) && w[3] == argsName {
		h.wrapped, h.original, h.words = true, h.doc.raw(elements[3].value), w[4:]
	}
}

// name is what the hook is called by in reports and patterns: its line, or its command and arguments as one.
func (h *hook) name() string {
	if h.args != nil {
		return join(h.words)
	}
	if len(h.words) == 0 {
		return ""
	}
	return h.words[0]
}

// key is the same for hooks that the agent program takes for one, and of which it runs the last alone.
func (h *hook) key() string {
	return strings.Join(append([]string{h.event, h.shell, h.condition, strconv.FormatBool(h.args == nil)}, h.words...), "\x00")
}

// wrap are the edits that put the breaker in front of the hook, or make it the one that is asked for. It may be too long for that.
func (h *hook) wrap(o Options, f flags) ([]edit, Action, string) {
	var wanted []byte // literal of the line, or of the shell's script
	is := h.command
	if h.args == nil {
		wanted = wrapLine(h.original, o.call(f, lineArgument, lineFallback))
	} else {
		wanted = literalOf(o.call(f, argsArgument, argsFallback))
		if h.wrapped {
			is = h.args.members[1].value
		}
	}
	text, _ := decode(wanted)
	switch {
	case len(text) > maxArgument:
		if h.wrapped {
			return nil, Already, ""
		}
		return nil, Left, "it is too long"
	case h.wrapped && text == h.doc.string(is):
		return nil, Already, ""
	case h.wrapped:
		value := h.command
		if h.args != nil {
			value = h.args
		}
		return []edit{{is.start, is.end, wanted, value}}, Updated, ""
	case h.args == nil:
		return []edit{{is.start, is.end, wanted, h.command}}, Wrapped, ""
	}
	first := `"-c", ` + string(wanted) + `, "` + argsName + `", ` + string(h.original)
	if len(h.args.members) > 0 {
		first += ","
	}
	after := h.args.start + 1
	return []edit{
		{h.command.start, h.command.end, literalOf(argsShell), h.command},
		{after, after, []byte(first), h.args},
	}, Wrapped, ""
}

// unwrap are the edits that take the breaker away.
func (h *hook) unwrap() []edit {
	command := edit{h.command.start, h.command.end, h.original, h.command}
	if h.args == nil {
		return []edit{command}
	}
	first := h.args.members[3].value
	end := first.end
	if len(h.args.members) > 4 {
		end += 1 + strings.IndexByte(string(h.doc.text[end:]), ',')
	}
	return []edit{command, {h.args.start + 1, end, nil, h.args}}
}

// flags are those of run that the hook's own settings ask for.
type flags struct {
	timeout time.Duration // 0 for none
	quiet   bool
}

func (f flags) words() []string {
	var words []string
	if f.timeout > 0 {
		words = append(words, "--timeout", f.timeout.String())
	}
	if f.quiet {
		words = append(words, "--quiet")
	}
	return words
}

// runFlags are the flags of each key. Hooks that the agent program takes for one must stay equal to the letter: the longest of
// their timeouts serves all of them, for it ends a hook never sooner than the agent program would.
func runFlags(hooks []hook) map[string]flags {
	all := map[string]flags{}
	for i := range hooks {
		h := &hooks[i]
		f, known := all[h.key()]
		limit := within(h.timeout)
		switch {
		case !known:
			f.timeout = limit
		case limit == 0 || f.timeout == 0:
			f.timeout = 0
		default:
			f.timeout = max(f.timeout, limit)
		}
		f.quiet = f.quiet || h.background
		all[h.key()] = f
	}
	return all
}

// within is breaker.Inside of so many seconds, 0 where there are none.
func within(seconds float64) time.Duration {
	const longest = 1e8 // three years: beyond, a time.Duration would soon overflow
	if !(seconds > 0 && seconds < longest) {
		return 0
	}
	return breaker.Inside(time.Duration(seconds * float64(time.Second))).Truncate(time.Millisecond)
}

func (d *document) raw(n *node) []byte { return d.text[n.start:n.end] }

// string is the text of a string, and empty for anything else.
func (d *document) string(n *node) string {
	if n == nil || n.kind != '"' {
		return ""
	}
	text, _ := decode(d.raw(n))
	return text
}

func (d *document) is(n *node) bool { return n != nil && n.kind == 't' }
