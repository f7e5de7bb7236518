package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/text"
)

// Exit codes of all commands. Others are defined by their command.
const (
	exitFault  = 1
	exitUsage  = 2
	exitLocked = 75  // EX_TEMPFAIL: a cycle is running
	exitSignal = 128 // plus the signal's number
)

// SignalError is the cause of a context cancelled by a signal.
type SignalError struct{ Signal syscall.Signal }

func (e SignalError) Error() string { return "ended by signal: " + e.Signal.String() }

// exitError chooses an exit code. If err is nil, nothing is printed, because the command has printed it.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// exitCode prints the error without secrets, and returns the exit code.
//
// A command ended by a signal exits with 128 and the signal's number, as in shells, whatever the error. If its reader is gone (claudeops
// events | head), it ends silently, as other programs do.
func (a *app) exitCode(ctx context.Context, err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, syscall.EPIPE) {
		return exitSignal + int(syscall.SIGPIPE)
	}
	a.printError(err)
	var signal SignalError
	var invalid *config.InvalidError
	var chosen *exitError
	switch {
	case errors.As(context.Cause(ctx), &signal):
		return exitSignal + int(signal.Signal)
	case errors.As(err, &chosen):
		return chosen.code
	case errors.As(err, &invalid), !a.started:
		return exitUsage
	}
	return exitFault
}

// printError prefixes each line of an error with the program's name.
func (a *app) printError(err error) {
	var chosen *exitError
	if errors.As(err, &chosen) && chosen.err == nil {
		return
	}
	for line := range strings.Lines(text.Printable(a.redactor.String(err.Error()))) {
		_, _ = fmt.Fprintln(a.Err, ownName+": "+strings.TrimRight(line, "\n")) // an error could not be reported anywhere
	}
}

// note prints a note on standard error that is not an error of the command.
func (a *app) note(notice string) { a.printError(errors.New(text.Line(notice))) }

// guardUsage makes every mistake in a command line, before the command begins, a usage error. By itself, cobra prints help and exits with
// 0 for a group with a missing or unknown command: a misspelled line in a crontab would look fine.
func (a *app) guardUsage(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = helpTopic
		}
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if args := c.Flags().Args(); len(args) > 0 && !c.Runnable() {
			return usageError(c, unknownCommand(c, args[0])) // the flag belongs to an unknown command
		}
		return usageError(c, flagError(err))
	})
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if asked := c.Flags().Lookup("help"); !a.started && (asked == nil || !asked.Changed) {
			a.misused = cmp.Or(c.Args(c, c.Flags().Args()), usageError(c, errors.New("no command given")))
			return
		}
		help(c, args)
	})
	a.checkUsage(root)
}

func (a *app) checkUsage(c *cobra.Command) {
	for _, child := range c.Commands() {
		a.checkUsage(child)
	}
	args := c.Args
	switch {
	case c.DisableFlagParsing, args == nil && c.Run != nil: // it parses its arguments itself
		args = cobra.ArbitraryArgs
	case args == nil:
		args = takes
	case c.RunE != nil:
		args = cobra.MatchAll(args, takes)
	}
	c.Args = func(c *cobra.Command, given []string) error {
		if err := args(c, given); err != nil {
			return usageError(c, err)
		}
		return nil
	}
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			a.started = true
			return run(c, args)
		}
	}
	if run := c.Run; run != nil { // cobra's own help and completion
		c.Run = func(c *cobra.Command, args []string) {
			a.started = true
			run(c, args)
		}
	}
}

func usageError(c *cobra.Command, err error) error {
	return fmt.Errorf("%w; see %q", err, c.CommandPath()+" --help")
}

// helpTopic checks that the arguments of help are the path of a command.
func helpTopic(c *cobra.Command, args []string) error {
	found, rest, err := c.Root().Find(args)
	if err == nil && len(rest) > 0 {
		err = unknownCommand(found, rest[0])
	}
	return err
}

func unknownCommand(group *cobra.Command, word string) error {
	meant := ""
	group.SuggestionsMinimumDistance = 2
	if near := group.SuggestionsFor(word); len(near) > 0 {
		meant = " (did you mean " + text.Or(near) + "?)"
	}
	return fmt.Errorf("unknown command %q for %q%s", word, group.CommandPath(), meant)
}
