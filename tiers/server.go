package tiers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
