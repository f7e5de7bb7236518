package broker

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
)

// lookTime limits a look at this machine.
const lookTime = 20 * time.Second

// Looker runs short programs outside of the sandbox, as the broker runs them.
type Looker struct{ Environ []string }

// Run returns what a program prints. Its error is what it said as it failed, without the command.
func (l Looker) Run(ctx context.Context, argv []string) (string, error) {
	file, found := l.find(argv[0])
	if !found {
		return "", fmt.Errorf("%s is not installed on this machine", argv[0])
	}
	cmd := &exec.Cmd{Path: file, Args: argv, Env: l.Environ}
	result, err := child.Run(ctx, cmd, child.Limits{Within: lookTime, Keep: 4 << 20})
	if exit := (*child.ExitError)(nil); errors.As(err, &exit) && exit.Said != "" {
		err = errors.New(exit.Said)
	}
	return string(result.Stdout), err
}

// find returns the path of a program, which is named by its path from the root or by its name in PATH.
func (l Looker) find(program string) (file string, found bool) {
	if path.IsAbs(program) {
		return child.Find(path.Base(program), path.Dir(program))
	}
	return child.Find(program, config.Lookup(l.Environ, "PATH"))
}
