package fakeagent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect connects to the server of --mcp-config. The connection ends with this process.
func (a *agent) connect(ctx context.Context) error {
	path, _ := Record{Args: os.Args[1:]}.Flag("--mcp-config")
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read --mcp-config: %w", err)
	}
	var config struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return fmt.Errorf("read --mcp-config: %w", err)
	}
	server := config.Servers["claudeops"]
	relay := &mcp.CommandTransport{Command: exec.Command(server.Command, server.Args...)}
	a.cycle, err = mcp.NewClient(&mcp.Implementation{Name: "fakeagent"}, nil).Connect(ctx, relay, nil)
	return err
}

// bash calls the cycle's bash tool. It writes the result to the file `answer` and creates `acted` if the call
// succeeded, otherwise removes it.
func (a *agent) bash(command string) error {
	ctx := context.Background()
	if a.cycle == nil {
		if err := a.connect(ctx); err != nil {
			return fmt.Errorf("connect to the cycle: %w", err)
		}
	}
	id := a.toolUse("mcp__claudeops__bash", object{"command": command})
	result, err := a.cycle.CallTool(ctx, &mcp.CallToolParams{Meta: mcp.Meta{"claudecode/toolUseId": id}, Name: "bash", Arguments: object{"command": command}})
	if err != nil {
		return fmt.Errorf("call bash: %w", err)
	}
	var said string
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			said += text.Text
		}
	}
	a.toolResult(id, said, result.IsError)
	err = os.WriteFile(filepath.Join(a.dir, "answer"), []byte(said), 0o600)
	acted := filepath.Join(a.dir, "acted")
	if result.IsError {
		return errors.Join(err, os.RemoveAll(acted))
	}
	return errors.Join(err, os.WriteFile(acted, nil, 0o600))
}
