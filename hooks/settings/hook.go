package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tailscale/hujson"

	"github.com/claudeops/claudeops/hooks"
)

// hook is one entry of the settings' hooks.
type hook struct {
	event, matcher string
	kind           string // its type
	shell          string
	condition      string // its "if", as written
	fault          string // why its command cannot be wrapped

	command *hujson.Value
	args    *hujson.Value // nil if the command is a line of shell

	wrapped  bool
	original hujson.Literal // the original command
	words    []string       // the original command and its arguments

	timeout    float64 // seconds; 0 if it sets none
	background bool    // asynchronous: the agent program does not wait for it, and its output goes to the model
}

// hooks returns the document's effective hooks, in order. Values that do not have the shape of hooks are ignored.
func (d *document) hooks() []hook {
	var all []hook
	events := object(get(d.root, "hooks"))
	if events == nil {
		return nil
	}
	for i := range events.Members {
		event := text(&events.Members[i].Name)
		if index(events, event) != i {
			continue
		}
		for _, e := range elements(&events.Members[i].Value) {
			group := object(&e)
			matcher := text(get(group, "matcher"))
			for _, entry := range elements(get(group, "hooks")) {
				if o := object(&entry); o != nil {
					all = append(all, readHook(event, matcher, o))
				}
			}
		}
	}
	return all
}

func readHook(event, matcher string, o *hujson.Object) hook {
	h := hook{
		event: event, matcher: matcher, kind: text(get(o, "type")), shell: text(get(o, "shell")),
		command: get(o, "command"), args: get(o, "args"),
	}
	if async := get(o, "async"); async != nil {
		h.background = async.Value.Kind() == 't'
	}
	if condition := get(o, "if"); condition != nil {
		h.condition = string(hujson.Value{Value: condition.Value}.Pack())
	}
	if timeout := get(o, "timeout"); timeout != nil && timeout.Value.Kind() == '0' {
		h.timeout, _ = strconv.ParseFloat(string(timeout.Value.(hujson.Literal)), 64)
	}
	if h.original = literal(h.command); h.original == nil {
		h.fault = "it has no command"
		return h
	}
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
	elements := elements(h.args)
	for _, e := range elements {
		if e.Value.Kind() == '"' {
			h.words = append(h.words, text(&e))
		}
	}
	if h.args.Value.Kind() != '[' || len(h.words) != 1+len(elements) {
		h.fault = "its args are no list of strings"
		return
	}
	w := h.words
	if len(w) > 4 && w[0] == argsShell && w[1] == "-c" && isCall(w[2], argsArgument, argsFallback) && w[3] == argsName {
		h.wrapped, h.original, h.words = true, literal(&elements[3]), w[4:]
	}
}

// name returns the hook's command as the breaker identifies it: its line, or its command and arguments joined.
func (h *hook) name() string {
	if h.args != nil {
		return hooks.CommandOf(h.words)
	}
	if len(h.words) == 0 {
		return ""
	}
	return h.words[0]
}

// key is equal for hooks that the agent program treats as one; it runs only the last of them.
func (h *hook) key() string {
	return strings.Join(append([]string{h.event, h.shell, h.condition, strconv.FormatBool(h.args == nil)}, h.words...), "\x00")
}

// wrap puts the breaker in front of the hook, or updates an existing wrapper. It fails if the result would be too long.
func (h *hook) wrap(o Options, f flags) (Action, string) {
	is := h.command // the line, or the shell's script
	var wanted hujson.Literal
	if h.args == nil {
		wanted = wrapLine(h.original, o.call(f, lineArgument, lineFallback))
	} else {
		wanted = hujson.String(o.call(f, argsArgument, argsFallback))
		if h.wrapped {
			is = &elements(h.args)[1]
		}
	}
	words, _ := decode(wanted)
	switch {
	case len(words) > maxArgument && h.wrapped, h.wrapped && words == text(is):
		return Already, ""
	case len(words) > maxArgument:
		return Left, "it is too long"
	case h.wrapped:
		is.Value = wanted
		return Updated, ""
	case h.args == nil:
		is.Value = wanted
		return Wrapped, ""
	}
	h.command.Value = hujson.String(argsShell)
	first := []hujson.Value{{Value: hujson.String("-c")}}
	for _, word := range []hujson.Literal{wanted, hujson.String(argsName), h.original} {
		first = append(first, hujson.Value{BeforeExtra: hujson.Extra(" "), Value: word})
	}
	args := h.args.Value.(*hujson.Array)
	args.Elements = append(first, args.Elements...)
	return Wrapped, ""
}

// unwrap removes the breaker.
func (h *hook) unwrap() {
	h.command.Value = h.original
	if h.args != nil {
		args := h.args.Value.(*hujson.Array)
		args.Elements = args.Elements[4:]
	}
}

// flags are the flags of run that the hook's own settings require.
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

// runFlags returns the flags for each key. Hooks that the agent program treats as one must stay identical. They get the longest of their
// timeouts, which never ends a hook earlier than the agent program would.
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

// within returns hooks.Inside of a number of seconds; 0 if there is none.
func within(seconds float64) time.Duration {
	const longest = 1e8 // three years; a time.Duration overflows a little later
	if !(seconds > 0 && seconds < longest) {
		return 0
	}
	return hooks.Inside(time.Duration(seconds * float64(time.Second))).Truncate(time.Millisecond)
}
