package tiers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func serverOf(tools ...string) *Server {
	serve := func(ctx context.Context) error { <-ctx.Done(); return nil }
	return &Server{Shim: "/opt/it's here/claudeops-shim", Tools: tools, Serve: serve}
}

func TestThroughTheDoor_CommandLine(t *testing.T) {
	b := newBench(t, "result 0 1")
	b.spec.Server = serverOf("bash", "report")
	record := b.record(t)
	for flag, want := range map[string]string{
		"--tools": "", "--allowedTools": "mcp__claudeops__bash,mcp__claudeops__report", "--permission-mode": "dontAsk", "--setting-sources": "",
	} {
		if got, given := record.Flag(flag); !given || got != want {
			t.Errorf("%s %q (given: %t), want %q", flag, got, given, want)
		}
	}
	if !slices.Contains(record.Args, "--strict-mcp-config") {
		t.Error("--strict-mcp-config is missing")
	}
	config, _ := record.Flag("--mcp-config")
	text := got(os.ReadFile(config))(t)
	want := `{"mcpServers":{"claudeops":{"command":"/opt/it's here/claudeops-shim","args":["relay","` + b.spec.Workspace.Socket() + `"],"alwaysLoad":true}}}`
	if string(text) != want {
		t.Errorf("the servers are %s, want %s", text, want)
	}
	is := got(os.Stat(config))(t)
	if filepath.Dir(config) != b.spec.Workspace.dir || is.Mode() != 0o600 {
		t.Errorf("%s has mode %v; want 0600 in the session's folder", config, is.Mode())
	}
}

// An agent with other tools than the server's is stopped before its model has called one.
func TestThroughTheDoor_OtherToolsStopTheAgent(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		failed bool
	}{
		"the server's":         {"init", false},
		"one is missing":       {"init mcp__claudeops__bash", true},
		"none of the server's": {"init Bash Read", true},
		"one of the program's": {"init mcp__claudeops__bash mcp__claudeops__report Bash", true},
	} {
		b := newBench(t, c.script, "result 0.1 1")
		if c.failed {
			b = newBench(t, c.script, "hang")
		}
		b.spec.Server = serverOf("bash", "report")
		out := b.run(t)
		if c.failed != (out.Ending == Failed) || c.failed && !strings.Contains(out.Reason, "has not the tools of this cycle") {
			t.Errorf("%s: %s, %q", name, out.Ending, out.Reason)
		}
	}
}

// The server runs exactly as long as the agent.
func TestThroughTheDoor_TheServerEndsWithTheAgent(t *testing.T) {
	b := newBench(t, "init", "tool mcp__claudeops__bash true", "result 0.1 1")
	b.spec.Server = serverOf("bash")
	ended, used := false, ""
	b.spec.Server.Serve = func(ctx context.Context) error {
		<-ctx.Done()
		ended = true
		return errors.New("a socket was lost")
	}
	b.spec.Progress = func(p Progress) { used += p.Tool }
	out, err := Run(t.Context(), b.spec)
	if out.Ending != Completed || !ended || err == nil || !strings.Contains(err.Error(), "a socket was lost") {
		t.Errorf("%s, %s; the server ended: %v; %v", out.Ending, out.Reason, ended, err)
	}
	if used != "bash" {
		t.Errorf("people are shown the tool %q, want bash", used)
	}
}

func TestThroughTheDoor_AServerThatEndsStopsTheAgent(t *testing.T) {
	b := newBench(t, "init", "hang")
	b.spec.Server = serverOf("bash")
	b.spec.Server.Serve = func(context.Context) error { return errors.New("no more descriptors") }
	out, err := Run(t.Context(), b.spec)
	if out.Ending != Failed || !strings.Contains(out.Reason, "their server has ended: no more descriptors") || err == nil {
		t.Errorf("%s, %s, %v", out.Ending, out.Reason, err)
	}
	b.nothingIsLeft(t)
}
