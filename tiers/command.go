package tiers

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// longestArgument is the longest text passed as an argument, in bytes: Linux accepts at most 128 KiB.
const longestArgument = 120 << 10

// command builds the command that starts the agent.
func command(s Spec) (*exec.Cmd, error) {
	settings, err := s.Workspace.Settings(s.Credential)
	if err != nil {
		return nil, err
	}
	usable, environ := []string{"--tools", ""}, s.Environ // no tools of its own (SPEC-0016 "Task tool removed from allowed tools")
	if s.Server != nil {
		if usable, err = s.Server.arguments(s.Workspace); err != nil {
			return nil, err
		}
		environ = append([]string{connectTimeout}, environ...)
	}
	args := []string{"-p"}
	byStdin := len(s.Prompt) > longestArgument || strings.HasPrefix(s.Prompt, "-")
	if !byStdin {
		args = append(args, s.Prompt)
	}
	args = append(args,
		"--output-format", "stream-json", "--verbose",
		"--model", s.Model,
		"--permission-mode", "dontAsk",
		"--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands",
		"--settings", settings,
		"--session-id", s.CLISessionID, "--no-session-persistence",
	)
	args = append(args, usable...)
	for _, text := range []struct{ flag, file, value string }{
		{"--system-prompt", "system.md", s.System},
		{"--append-system-prompt", "context.md", s.Context},
	} {
		if len(text.value) > longestArgument {
			if text.value, err = s.Workspace.file(text.file, text.value); err != nil {
				return nil, err
			}
			text.flag += "-file"
		}
		if text.value != "" {
			args = append(args, text.flag, text.value)
		}
	}
	if s.BudgetUSD > 0 {
		args = append(args, "--max-budget-usd", strconv.FormatFloat(s.BudgetUSD, 'f', -1, 64))
	}
	if s.MaxTurns > 0 {
		args = append(args, "--max-turns", strconv.Itoa(s.MaxTurns))
	}
	cmd := exec.Command(s.Bin, args...)
	cmd.Dir = s.Dir
	cmd.Env = environ
	if byStdin {
		path, err := s.Workspace.file("prompt.md", s.Prompt)
		if err != nil {
			return nil, err
		}
		if cmd.Stdin, err = os.Open(path); err != nil {
			return nil, fmt.Errorf("open the prompt for the agent: %w", err)
		}
	}
	return cmd, nil
}
