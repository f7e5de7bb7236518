package broker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/sandbox/shim"
)

// limits are those of one brokered program. They only keep a faulty program from exhausting the machine.
var limits = sandbox.Limits{Processes: 1024, Memory: 4 << 30, Files: 8192, FileSize: 1 << 40, Scratch: shim.NoLimit}

// Runner runs each granted program in its own Landlock domain. It may use the network, read everything except what an agent may have
// written, and write nothing. It has the privileges of the cycle, without the capabilities.
type Runner struct {
	Shim    string   // path of claudeops-shim; empty: no program is in a domain
	Closed  []string // directories that no program reads; everything an agent may write is below one of them
	Environ []string // the whole environment of a program
}

// Run implements Settings.Run.
func (r Runner) Run(ctx context.Context, p Program) (exit int, err error) {
	if p.Own || r.Shim == "" {
		return r.unconfined(ctx, p)
	}
	closed, err := realPaths(r.Closed)
	if err != nil {
		return shim.ExitRefused, err
	}
	for _, folder := range closed {
		if within(folder, p.Dir) { // a link may lead elsewhere by now, and nothing there is readable
			p.Dir = folder
		}
	}
	read, err := except("/", closed)
	if err != nil {
		return shim.ExitRefused, err
	}
	domain, err := sandbox.New(r.Shim, sandbox.Access{Read: read, Network: true})
	if err != nil {
		return shim.ExitRefused, err
	}
	defer func() { _ = domain.Close() }()
	result, err := domain.Run(ctx, sandbox.Command{
		Path: p.File, Argv: p.Argv, Env: with(r.Environ, p.Env), Dir: p.Dir, Stdout: p.Stdout, Stderr: p.Stderr, Limits: limits,
	})
	if err = unlessUnprinted(err); err != nil {
		return cmp.Or(result.Exit, shim.ExitRefused), err
	}
	if result.Limit != "" {
		return result.Exit, fmt.Errorf("%s was ended at its limit of %s", p.Argv[0], result.Limit)
	}
	return result.Exit, nil
}

// realPaths resolves the links in paths of directories; those that do not exist are left out.
func realPaths(folders []string) ([]string, error) {
	var list []string
	for _, folder := range folders {
		path, err := filepath.EvalSymlinks(folder)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("close %s to brokered programs: %w", folder, err)
		}
		list = append(list, path)
	}
	return list, nil
}

// except lists entries below dir that together are everything except the closed directories. Landlock rules can only add. What is created
// later beside a closed directory is on the list of the next call.
func except(dir string, closed []string) (open []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list what brokered programs may read: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Type()&os.ModeSymlink != 0, slices.Contains(closed, path): // where a link leads is listed by its own name
		case slices.ContainsFunc(closed, func(c string) bool { return within(path, c) }):
			within, err := except(path, closed)
			if err != nil {
				return nil, err
			}
			open = append(open, within...)
		default:
			open = append(open, path)
		}
	}
	return open, nil
}
