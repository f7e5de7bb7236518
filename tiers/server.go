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

// Server is what a run needs to know of the MCP server whose tools are all that an agent can use; the server itself is a broker.Door. The
// agent program starts the shim, which connects it to Workspace.Socket.
type Server struct {
	Shim  string   // path of claudeops-shim
	Tools []string // the names of the server's tools
	// Serve serves the tools on that socket until its context ends, and returns once everything that their calls started has ended. The
	// socket must exist before. If it ends earlier, so does the agent, as failed; with an *EndError, for that reason.
	Serve func(context.Context) error
}

// EndError stops an agent, for a reason that people read.
type EndError struct{ Reason string }

func (e *EndError) Error() string { return e.Reason }

// serve serves the tools. end stops that and waits until it has ended, with everything that calls have started, so that the sweep does
// not meet it. A server that ends by itself stops the agent.
func (s *Server) serve(ctx context.Context, stop context.CancelCauseFunc) (end func() error) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		err := s.Serve(ctx)
		var ends *EndError
		switch {
		case errors.As(err, &ends):
			stop(ends)
			err = nil
		case ctx.Err() == nil:
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

// serverName is the server's name, and serverPrefix the prefix that the agent program gives to the names of its tools.
const (
	serverName   = "claudeops"
	serverPrefix = "mcp__" + serverName + "__"
)

// connectTimeout limits how long the agent program waits for its server, in milliseconds, unless Spec.Environ overrides it. By default
// the program starts without any tool after 5 s.
const connectTimeout = "MCP_CONNECT_TIMEOUT_MS=30000"

// names returns the tools' names in the agent program.
func (s *Server) names() []string {
	names := make([]string, len(s.Tools))
	for i, tool := range s.Tools {
		names[i] = serverPrefix + tool
	}
	return names
}

// arguments returns the arguments that give the agent program the server's tools and nothing else. Without alwaysLoad it would offer a
// search for tools instead.
func (s *Server) arguments(w *Workspace) ([]string, error) {
	type server struct {
		Command    string   `json:"command"`
		Args       []string `json:"args"`
		AlwaysLoad bool     `json:"alwaysLoad"`
	}
	text, err := json.Marshal(map[string]map[string]server{
		"mcpServers": {serverName: {s.Shim, []string{"relay", w.Socket()}, true}},
	})
	if err != nil {
		return nil, fmt.Errorf("encode the agent's server: %w", err)
	}
	path, err := w.file("mcp.json", string(text))
	return []string{"--tools", "", "--mcp-config", path, "--allowedTools", strings.Join(s.names(), ",")}, err
}

// fault returns why an agent that is offered these tools must be stopped; nil if they are the server's.
func (s *Server) fault(offered []string) error {
	if slices.Equal(slices.Sorted(slices.Values(offered)), slices.Sorted(slices.Values(s.names()))) {
		return nil
	}
	return fmt.Errorf("%w: it offers its model %q; expected %q, from the server that %s connects it to", errTools, offered, s.names(), s.Shim)
}

// acting are the server's tools that replace the agent program's Bash.
var acting = []string{serverPrefix + "bash", serverPrefix + "run", serverPrefix + "restart", serverPrefix + "redeploy"}

// throughServer adapts an operator's hooks to an agent with the server's tools: a hook for Bash is called for the acting tools. A condition
// on Bash is dropped, because the agent program would never call a hook with such a condition for these tools.
func (h Hooks) throughServer() Hooks {
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

// ServerWarnings returns a line for each part of an operator's hooks that has a different meaning with the server's tools.
func (h Hooks) ServerWarnings() (all []string) {
	for event, groups := range h {
		if !toolEvent(event) {
			continue
		}
		for _, g := range groups {
			at := fmt.Sprintf("line %d: hooks.%s: ", g.line, event)
			if gone := goneTools(g.Matcher); len(gone) > 0 {
				all = append(all, fmt.Sprintf("%smatcher %q: no agent has %s any more, all that it reads it reads by %sbash", at, g.Matcher, strings.Join(gone, ", "), serverPrefix))
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

// toolEvent reports whether an event's matchers match names of tools.
func toolEvent(event string) bool {
	return slices.Contains([]string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"}, event)
}

// goneTools returns the tools that a matcher names but no agent has. A matcher for all tools covers the server's, too.
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

// matching returns a matcher that covers the acting tools if the given one covers Bash.
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

// isNames reports whether the agent program reads a matcher as a list of names rather than a regular expression.
func isNames(matcher string) bool {
	return strings.Trim(matcher, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_|, -") == ""
}

// matches reports whether the agent program calls a hook with this matcher for a tool. An expression that Go cannot compile counts as a
// match for Bash: an unnecessary call is better than a refusal that is never asked for.
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
