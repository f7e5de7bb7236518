package cycle

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
)

// lookTime limits a look at this machine.
const lookTime = 20 * time.Second

// looker runs short programs outside of the sandbox, as the broker runs them.
type looker struct{ environ []string }

// looker returns what looks at this machine as an act would.
func (c *Cycle) looker() looker { return looker{c.actEnviron("")} }

// run returns what a program prints.
func (l looker) run(ctx context.Context, argv []string) (string, error) {
	result, err := l.start(ctx, argv, child.Limits{Within: lookTime, Keep: 4 << 20})
	return string(result.Stdout), err
}

const (
	// readLines is how many of the last lines of a log are read. A secret of several lines is recognised by its first.
	readLines = 300
	// partBytes is how much of a line docker keeps in one piece, and counts as a line.
	partBytes = 16 << 10
)

// log returns the end of what a program prints, on both outputs in their order.
func (l looker) log(ctx context.Context, argv []string) (string, error) {
	result, err := l.start(ctx, argv, child.Limits{Within: lookTime, Keep: 64 << 10, Last: true, OneOutput: true})
	return afterCut(string(result.Stdout)), err
}

// afterCut returns a log without its first line if that may be the rest of one, in which half a secret would not be recognised.
func afterCut(log string) string {
	if len(log) < partBytes && strings.Count(log, "\n") < readLines {
		return log
	}
	_, whole, _ := strings.Cut(log, "\n")
	return whole
}

func (l looker) start(ctx context.Context, argv []string, limits child.Limits) (child.Result, error) {
	file, err := l.find(argv[0])
	if err != nil {
		return child.Result{}, err
	}
	return child.Run(ctx, &exec.Cmd{Path: file, Args: argv, Env: l.environ}, limits)
}

// find returns the path of a program, which is named by its path from the root or by its name in PATH.
func (l looker) find(program string) (file string, err error) {
	folders := config.Lookup(l.environ, "PATH")
	switch {
	case path.IsAbs(program):
		folders = path.Dir(program)
	case strings.Contains(program, "/"):
		return "", fmt.Errorf("%s is no name in PATH and no path from the root", program)
	}
	file, found := child.Find(path.Base(program), folders)
	if !found {
		return "", fmt.Errorf("%s is not installed on this machine", program)
	}
	return file, nil
}

// unread returns that something could not be read, and why, without the command: the last line of what it said, if it failed.
func unread(what, of string, err error) string {
	why := err.Error()
	var exit *child.ExitError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		why = "no answer in time"
	case errors.As(err, &exit) && exit.Said != "":
		why = exit.Said[strings.LastIndexByte(exit.Said, '\n')+1:]
	case errors.As(err, &exit):
		why = fmt.Sprintf("exit status %d", exit.Code)
	}
	return fmt.Sprintf("the %s of %s could not be read: %s", what, of, why)
}
