// Package settings puts the circuit breaker in front of the hooks of a Claude Code settings file, and removes it again.
//
// It changes single JSON strings and preserves all escapes, so that Unwrap returns exactly the bytes that Wrap was given, and nothing
// else in the file changes. A wrapped hook does the same as the original, in the same shell, and also works where claude-hooks is not
// installed: the file can be shared.
//
// Only file.go accesses files.
package settings

import (
	"regexp"
	"slices"

	"github.com/claudeops/claudeops/hooks"
)

// Options configure how hooks are wrapped.
type Options struct {
	Program []string // the command that calls it: claude-hooks, or a path to claudeops or claudeops-hook and "hooks"

	// Include and Exclude hold patterns of commands (hooks.Matches) and names of events. Hooks of PreToolUse are wrapped only if Include
	// names them: an open circuit in front of a guard would let everything through.
	Include, Exclude []string
}

// Entry is one hook of the file, and the action on it.
type Entry struct {
	Event   string `json:"event"`
	Matcher string `json:"matcher"`
	Command string `json:"command"` // the original, even if the hook is wrapped
	Action  Action `json:"action"`
	Why     string `json:"why,omitzero"` // the reason if it was left
}

// Action is the action on a hook.
type Action string

// The actions.
const (
	Wrapped   Action = "wrapped"
	Updated   Action = "updated" // was wrapped with another timeout or program
	Already   Action = "already" // is wrapped in exactly this way
	Unwrapped Action = "unwrapped"
	Left      Action = "left"
)

// Reasons to leave a hook that callers must recognise.
const (
	NotWrapped = "it is not wrapped"
	MayRefuse  = "it can refuse tool calls, and would refuse none while it is switched off: it is wrapped only where --include names it"
)

// Wrap puts the breaker in front of the hooks in the settings doc. If a hook is wrapped already, its flags are updated to o and its
// timeout; a hook that Exclude names is unwrapped. Wrap is idempotent, and Unwrap of the result equals Unwrap of doc. An error says where
// doc is invalid.
func Wrap(doc []byte, o Options) ([]byte, []Entry, error) {
	d, err := parse(doc)
	if err != nil {
		return nil, nil, err
	}
	all := d.hooks()
	flags := runFlags(all)
	var entries []Entry
	for i := range all {
		h := &all[i]
		e := Entry{Event: h.event, Matcher: h.matcher, Command: h.name()}
		if e.Why = h.unfit(o); e.Why != "" {
			e.Action = Left
			if h.wrapped {
				e.Action = Unwrapped
				h.unwrap()
			}
		} else {
			e.Action, e.Why = h.wrap(o, flags[h.key()])
		}
		entries = append(entries, e)
	}
	return d.text(), entries, nil
}

// Unwrap removes the breaker from every hook that Wrap has wrapped.
func Unwrap(doc []byte) ([]byte, []Entry, error) {
	d, err := parse(doc)
	if err != nil {
		return nil, nil, err
	}
	var entries []Entry
	for _, h := range d.hooks() {
		e := Entry{Event: h.event, Matcher: h.matcher, Command: h.name(), Action: Left}
		switch {
		case h.wrapped:
			e.Action = Unwrapped
			h.unwrap()
		case callsBreaker.MatchString(h.name()):
			e.Why = "it calls claude-hooks, but not as install writes it: change it yourself"
		default:
			e.Why = NotWrapped
		}
		entries = append(entries, e)
	}
	return d.text(), entries, nil
}

// unfit returns why a hook must not be wrapped; empty if it may be.
func (h *hook) unfit(o Options) string {
	switch {
	case h.kind != "command":
		return "it is no command: its type is " + h.kind
	case h.fault != "":
		return h.fault
	case h.shell == "powershell":
		return "it runs in PowerShell"
	case !h.wrapped && callsBreaker.MatchString(h.name()):
		return "it calls claude-hooks already"
	case h.named(o.Exclude):
		return "it is excluded"
	case h.event == preToolUse && !h.wrapped && !h.named(o.Include):
		return MayRefuse
	}
	return ""
}

// named reports whether one of the patterns is the hook's event or matches its command.
func (h *hook) named(patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return p == h.event || hooks.Matches(p, h.name()) })
}

// callsBreaker matches a line that calls claude-hooks in any way.
var callsBreaker = regexp.MustCompile(`(?:^|[ \t\n;|&()'"/])(?:claude-hooks|claudeops(?:-hook)?[ \t\n;|&()'"]+hooks)[ \t\n;|&()'"]+run(?:[ \t\n;|&()'"]|$)`)
