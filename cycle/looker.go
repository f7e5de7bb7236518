package cycle

import (
	"context"
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

// looker returns what looks at this machine as an act would.
func (c *Cycle) looker() looker { return looker{environ: c.actEnviron("")} }

// looker runs short programs outside of the sandbox, as the broker runs them.
type looker struct {
	environ []string
	dir     string
}

// run returns what a program prints.
func (l looker) run(ctx context.Context, argv []string) (string, error) {
	result, err := l.start(ctx, argv, child.Limits{Within: lookTime, Keep: 4 << 20})
	return string(result.Stdout), err
}

// said returns what a program prints last on both outputs, in the order of both, if it does not fail.
func (l looker) said(ctx context.Context, argv ...string) (string, error) {
	const keep = 64 << 10
	result, err := l.start(ctx, argv, child.Limits{Within: lookTime, Keep: keep, Last: true, OneOutput: true})
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(wholeLines(result.Stdout, keep))), nil
}

func (l looker) start(ctx context.Context, argv []string, limits child.Limits) (child.Result, error) {
	file, err := l.find(argv[0])
	if err != nil {
		return child.Result{}, err
	}
	return child.Run(ctx, &exec.Cmd{Path: file, Args: argv, Env: l.environ, Dir: l.dir}, limits)
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
