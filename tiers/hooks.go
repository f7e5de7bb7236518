package tiers

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/statedir"
)

// Hooks are the hooks of one settings file, by event.
type Hooks map[string][]hookGroup

// hookGroup is one entry of a settings file's hooks. Matcher selects the tools; it is empty for events without one.
type hookGroup struct {
	Matcher string        `json:"matcher,omitempty"`
	Hooks   []hookCommand `json:"hooks"`
	line    int           // where it begins in an operator's file; 0 for none
}

// hookCommand is one hook: a shell command or, with Args, a program and its arguments. The fields from If on are only in an operator's
// file.
type hookCommand struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitzero"`
	Timeout float64  `json:"timeout,omitzero"` // seconds
	If      string   `json:"if,omitzero"`
	Shell   string   `json:"shell,omitzero"`
	Async   bool     `json:"async,omitzero"`
	Status  string   `json:"statusMessage,omitzero"`
}

// unattended reports whether a tier's agent calls hooks at an event. Events of worktrees, teams, forms and screens do not occur.
func unattended(event string) bool {
	never := []string{"TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "WorktreeCreate", "WorktreeRemove", "MessageDisplay"}
	return slices.Contains(hooks.Events(), event) && !slices.Contains(never, event)
}

// maxHooks limits an operator's file of hooks, in bytes.
const maxHooks = 1 << 20

// ReadHooks reads the hooks of an operator's settings file (CLAUDEOPS_HOOKS), and ignores its other members. If the agent program rejects
// one entry, it drops the whole settings with all hooks. Therefore only what is understood here is passed on. The error lists every fault
// on its own line.
func ReadHooks(path string) (Hooks, error) {
	if path == "" {
		return nil, nil
	}
	text, err := statedir.ReadFile(path, maxHooks)
	if err != nil {
		return nil, fmt.Errorf("read the hooks: %w", err)
	}
	var file struct {
		Hooks jsontext.Value `json:"hooks"`
	}
	var own Hooks
	err = json.Unmarshal(text, &file)
	if err == nil && file.Hooks != nil {
		err = json.Unmarshal(file.Hooks, &own)
	}
	if err != nil {
		return nil, fmt.Errorf("read the hooks of %s: not the hooks of a settings file: %w", path, err)
	}
	if faults := own.faults(); len(faults) > 0 {
		return nil, fmt.Errorf("the hooks of %s:\n%s", path, strings.Join(faults, "\n"))
	}
	if file.Hooks == nil {
		return nil, nil
	}
	if err := json.Unmarshal(file.Hooks, new(Hooks), json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("the hooks of %s: the meaning of this member for an unattended agent is not known: %w", path, err)
	}
	for event, groups := range own {
		for i := range groups {
			groups[i].line = lineOf(text, jsontext.Pointer("").AppendToken("hooks").AppendToken(event).AppendToken(strconv.Itoa(i)))
		}
	}
	return own, nil
}

// lineOf returns the line of JSON text on which the value at a pointer begins.
func lineOf(text []byte, at jsontext.Pointer) int {
	in := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := in.ReadToken(); err != nil {
			return 0
		}
		if in.StackPointer() == at {
			return 1 + bytes.Count(text[:in.InputOffset()], []byte("\n"))
		}
	}
}

// Count returns the number of hooks.
func (h Hooks) Count() (n int) {
	for _, groups := range h {
		for _, g := range groups {
			n += len(g.Hooks)
		}
	}
	return n
}

func (h Hooks) faults() []string {
	var all []string
	for event, groups := range h {
		if !unattended(event) {
			all = append(all, fmt.Sprintf("hooks.%s: no event of an unattended agent", event))
		}
		for i, g := range groups {
			for j, c := range g.Hooks {
				if fault := c.fault(); fault != "" {
					all = append(all, fmt.Sprintf("hooks.%s[%d].hooks[%d]: %s", event, i, j, fault))
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

func (c hookCommand) fault() string {
	switch {
	case c.Type != "command":
		return fmt.Sprintf("type %q: only \"command\" can be put behind the circuit breaker", c.Type)
	case c.Command == "":
		return "no command"
	case c.Timeout < 0 || c.Timeout > 600:
		return fmt.Sprintf("timeout %v: seconds are expected, up to 600", c.Timeout)
	case c.Shell != "" && c.Shell != "bash":
		return fmt.Sprintf("shell %q: only \"bash\" can be put behind the circuit breaker", c.Shell)
	}
	return ""
}

// behindBreaker returns the hooks for the agent program. Each calls program, which runs the hook behind the circuit breaker and removes
// from its output anything that would grant or change a command (RULE "Secrets").
func (h Hooks) behindBreaker(program string) Hooks {
	wrapped := Hooks{}
	for event, groups := range h {
		for _, g := range groups {
			w := hookGroup{Matcher: g.Matcher}
			for _, c := range g.Hooks {
				w.Hooks = append(w.Hooks, c.behindBreaker(program))
			}
			wrapped[event] = append(wrapped[event], w)
		}
	}
	return wrapped
}

func (c hookCommand) behindBreaker(program string) hookCommand {
	words := []string{"hooks", "run", "--deny-only"}
	if c.Timeout > 0 {
		limit := time.Duration(c.Timeout * float64(time.Second))
		words = append(words, "--timeout", hooks.Inside(limit).String())
	}
	if c.Async {
		words = append(words, "--quiet")
	}
	if c.Args != nil {
		c.Command, c.Args = program, append(append(words, "--", c.Command), c.Args...)
		return c
	}
	c.Command = quote(program) + " " + strings.Join(words, " ") + " -c " + quote(c.Command)
	return c
}

// hooks returns the operator's hooks for the agent's settings, behind the circuit breaker.
func (s Spec) hooks() Hooks {
	return s.Hooks.throughServer().behindBreaker(cmp.Or(s.HookProgram, s.Workspace.self))
}
