package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
)

func TestExitCode(t *testing.T) {
	signalled := func(s syscall.Signal) context.Context {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(SignalError{Signal: s})
		return ctx
	}
	plain := context.Background()
	for _, row := range []struct {
		name    string
		ctx     context.Context
		started bool
		err     error
		code    int
		stderr  string
	}{
		{"success", plain, true, nil, 0, ""},
		{"fault", plain, true, errors.New("it broke"), 1, "claudeops: it broke\n"},
		{"usage", plain, false, errors.New("what?"), 2, "claudeops: what?\n"},
		{"configuration", plain, true, &config.InvalidError{Lines: []string{"one", "two"}}, 2, "claudeops: one\nclaudeops: two\n"},
		{"wrapped configuration", plain, true, fmt.Errorf("x: %w", &config.InvalidError{Lines: []string{"one"}}), 2, "claudeops: x: one\n"},
		{"chosen", plain, true, &exitError{75, errors.New("locked")}, 75, "claudeops: locked\n"},
		{"chosen and silent", plain, true, &exitError{code: 1}, 1, ""},
		{"chosen and wrapped", plain, true, fmt.Errorf("x: %w", &exitError{3, errors.New("y")}), 3, "claudeops: x: y\n"},
		{"SIGTERM", signalled(syscall.SIGTERM), true, context.Canceled, 143, "claudeops: context canceled\n"},
		{"SIGINT beats the command's choice", signalled(syscall.SIGINT), true, &exitError{code: 1}, 130, ""},
		{"signal after the end", signalled(syscall.SIGINT), true, nil, 0, ""},
		{"other cancellation", func() context.Context { c, f := context.WithCancel(plain); f(); return c }(), true, context.Canceled, 1, "claudeops: context canceled\n"},
		{"reader gone", plain, true, fmt.Errorf("write: %w", syscall.EPIPE), 141, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var stderr bytes.Buffer
			a := &app{Streams: Streams{Err: &stderr}, started: row.started}
			if code := a.exitCode(row.ctx, row.err); code != row.code || stderr.String() != row.stderr {
				t.Errorf("exit %d, %q; want %d, %q", code, stderr.String(), row.code, row.stderr)
			}
		})
	}
}

func TestErrorsShowNoSecret(t *testing.T) {
	var stderr bytes.Buffer
	a := &app{Streams: Streams{Err: &stderr}, redactor: mask.New([]string{"hunter22"})}
	a.printError(errors.New("POST https://u:hunter22@host: refused"))
	if got := stderr.String(); got != "claudeops: POST https://u:[redacted]@host: refused\n" {
		t.Errorf("printed %q", got)
	}
}

// Every command that only has subcommands rejects a call without one, and every command has a help text.
func TestEveryCommandIsGuarded(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: its help is %q; want a few words without a full stop", c.CommandPath(), c.Short)
		}
		for _, child := range c.Commands() {
			walk(child)
		}
		if c.Runnable() || c.Name() == "help" {
			return
		}
		for _, extra := range []string{"", "no-such-command"} {
			var stdout, stderr bytes.Buffer
			args := strings.Fields(c.CommandPath() + " " + extra)
			if code := Main(context.Background(), args, Streams{Out: &stdout, Err: &stderr}); code != exitUsage || stdout.Len() > 0 {
				t.Errorf("%q: exit %d, printed %q; want exit %d and nothing", args, code, stdout.String(), exitUsage)
			}
			if lines := strings.Count(stderr.String(), "\n"); lines != 1 {
				t.Errorf("%q: said %q; want one line", args, stderr.String())
			}
		}
	}
	walk((&app{}).rootCommand())
}
