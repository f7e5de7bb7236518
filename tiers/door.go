package tiers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// Door is the MCP server that is all an agent can do. The agent program starts the shim, which connects it to Workspace.Socket.
type Door struct {
	Shim  string   // the path of claudeops-shim
	Tools []string // the names of the server's tools
	// Serve serves them on that socket until its context ends, and returns once all that their calls have started is gone. The socket must
	// be there before.
	Serve func(context.Context) error
}

// serve serves the tools. shut ends that and waits for it: what calls have started ends before the tier looks for what the agent has left.
// A server that ends by itself stops the agent.
func (d *Door) serve(ctx context.Context, stop context.CancelCauseFunc) (shut func() error) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		err := d.Serve(ctx)
		if ctx.Err() == nil {
			stop(fmt.Errorf("%w: their server has ended: %w", errTools, cmp.Or(err, errors.New("it gave no reason"))))
		}
		ended <- err
	}()
	return func() error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(drain):
			return fmt.Errorf("a call of the agent goes on %v after its end", drain)
		}
	}
}

// doorName is the server's name, doorPrefix what the agent program puts before the names of its tools.
const (
	doorName   = "claudeops"
	doorPrefix = "mcp__" + doorName + "__"
)

// connectTimeout is how long the agent program waits for its server, in milliseconds, unless Spec.Environ says so. By its own default it
// begins after 5 s without any tool.
const connectTimeout = "MCP_CONNECT_TIMEOUT_MS=30000"

// names are the tools as the agent program calls them.
func (d *Door) names() []string {
	names := make([]string, len(d.Tools))
	for i, tool := range d.Tools {
		names[i] = doorPrefix + tool
	}
	return names
}

// arguments give the agent program the tools of the server and nothing else. alwaysLoad keeps it from offering a search for tools in
// their place.
func (d *Door) arguments(w *Workspace) ([]string, error) {
	type server struct {
		Command    string   `json:"command"`
		Args       []string `json:"args"`
		AlwaysLoad bool     `json:"alwaysLoad"`
	}
	text, err := json.Marshal(map[string]map[string]server{
		"mcpServers": {doorName: {d.Shim, []string{"relay", w.Socket()}, true}},
	})
	if err != nil {
		return nil, fmt.Errorf("encode the agent's server: %w", err)
	}
	path, err := w.file("mcp.json", string(text))
	return []string{"--tools", "", "--mcp-config", path, "--allowedTools", strings.Join(d.names(), ",")}, err
}

// fault says why an agent that is offered these tools must not go on, nil where they are the server's.
func (d *Door) fault(offered []string) error {
	if slices.Equal(slices.Sorted(slices.Values(offered)), slices.Sorted(slices.Values(d.names()))) {
		return nil
	}
	return fmt.Errorf("%w: it offers its model %q; expected %q, from the server that %s connects it to", errTools, offered, d.names(), d.Shim)
}

// acting are the tools of the server that do what the agent program's own Bash did.
var acting = []string{doorPrefix + "bash", doorPrefix + "run", doorPrefix + "restart", doorPrefix + "redeploy"}

// throughDoor are an operator's hooks for an agent whose tools are the server's: what is called for Bash is called for those that act. A
// condition on Bash is left out, because the agent program knows none for such tools, and would not call the hook at all.
func (h Hooks) throughDoor() Hooks {
	through := Hooks{}
	for event, groups := range h {
		if !toolEvent(event) {
			through[event] = groups
			continue
		}
		for _, g := range groups {
			unconditional := hookGroup{Matcher: matching(g.Matcher)}
			conditional := hookGroup{Matcher: strings.Join(acting, "|")}
			for _, c := range g.Hooks {
				if tool, _, _ := strings.Cut(c.If, "("); tool == "Bash" {
					c.If = ""
					conditional.Hooks = append(conditional.Hooks, c)
				} else {
					unconditional.Hooks = append(unconditional.Hooks, c)
				}
			}
			for _, g := range []hookGroup{unconditional, conditional} {
				if len(g.Hooks) > 0 {
					through[event] = append(through[event], g)
				}
			}
		}
	}
	return through
}

// DoorWarnings name what of an operator's hooks means something else for an agent whose tools are the server's, a line each.
func (h Hooks) DoorWarnings() (all []string) {
	for event, groups := range h {
		if !toolEvent(event) {
			continue
		}
		for _, g := range groups {
			at := fmt.Sprintf("line %d: hooks.%s: ", g.line, event)
			if gone := goneTools(g.Matcher); len(gone) > 0 {
				all = append(all, fmt.Sprintf("%smatcher %q: no agent has %s any more, all that it reads it reads by %sbash", at, g.Matcher, strings.Join(gone, ", "), doorPrefix))
			}
			for _, c := range g.Hooks {
				switch tool, content, _ := strings.Cut(c.If, "("); {
				case tool == "Bash" && content != "":
					all = append(all, fmt.Sprintf("%sif %q: the hook is called for every command, let it look at tool_input itself", at, c.If))
				case len(goneTools(tool)) > 0 && tool != "":
					all = append(all, fmt.Sprintf("%sif %q: the hook is never called, no agent has %s any more", at, c.If, tool))
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// toolEvent reports whether an event's matchers are for names of tools.
func toolEvent(event string) bool {
	return slices.Contains([]string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"}, event)
}

// goneTools are the tools that a matcher is for and no agent has. A matcher that is for all tools is for those of the server too.
func goneTools(matcher string) (gone []string) {
	if matches(matcher, acting[0]) {
		return nil
	}
	for _, tool := range []string{"Read", "Grep", "Glob"} {
		if matches(matcher, tool) {
			gone = append(gone, tool)
		}
	}
	return gone
}

// matching is a matcher that is for the acting tools where it is for Bash.
func matching(matcher string) string {
	all := !slices.ContainsFunc(acting, func(tool string) bool { return !matches(matcher, tool) })
	switch {
	case all || !matches(matcher, "Bash"):
		return matcher
	case isNames(matcher):
		return matcher + "|" + strings.Join(acting, "|")
	default:
		return "(?:" + matcher + ")|^(?:" + strings.Join(acting, "|") + ")$"
	}
}

// isNames reports whether the agent program takes a matcher as a list of names, not as a regular expression.
func isNames(matcher string) bool {
	return strings.Trim(matcher, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_|, -") == ""
}

// matches reports whether the agent program calls a hook with this matcher for a tool. An expression that only its own language knows
// counts as one for Bash: rather a call too many than a refusal that is not heard.
func matches(matcher, tool string) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	if isNames(matcher) {
		names := strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' })
		return slices.ContainsFunc(names, func(name string) bool { return strings.TrimSpace(name) == tool })
	}
	expression, err := regexp.Compile(matcher)
	if err != nil {
		return tool == "Bash"
	}
	return expression.MatchString(tool)
}
