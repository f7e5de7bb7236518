package crontab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/child"
)

// userCrontab is the crontab of a user, which belongs to the crontab program: it alone reads and writes it.
type userCrontab struct {
	program string
	user    string // for its option -u; empty for whoever runs us
	owner   string // the user's name, as people say it
}

// UserCrontab is the crontab of a user, of whoever runs us where the name is empty; only root may name another. owner is what people call
// whoever it is.
func UserCrontab(user, owner string) (Place, error) {
	program, found := child.Find("crontab", os.Getenv("PATH"))
	if !found {
		return nil, errors.New("there is no crontab program in PATH: install cron (Debian: apt install cron), or see what else runs a job: `claudeops crontab --help`")
	}
	return userCrontab{program, user, owner}, nil
}

func (c userCrontab) Name() string  { return "crontab of " + c.owner }
func (c userCrontab) settled() bool { return true }

func (c userCrontab) Read(ctx context.Context) (text []byte, there bool, err error) {
	out, err := c.run(ctx, nil, "-l")
	var failed *child.ExitError
	if errors.As(err, &failed) && failed.Code == 1 && strings.Contains(failed.Said, "no crontab for") {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read the %s: %w", c.Name(), err)
	}
	return out, true, c.shownAsItIs(ctx, out)
}

// shownAsItIs refuses a crontab with carriage returns. Debian's `crontab -l` shows each as a backslash and an r, which would be written back;
// an editor, here one that only prints, gets the very text.
func (c userCrontab) shownAsItIs(ctx context.Context, shown []byte) error {
	if !bytes.Contains(shown, []byte(`\r`)) {
		return nil
	}
	text, err := c.run(ctx, nil, "-e")
	if err != nil {
		return fmt.Errorf("read the %s, whether its \\r are carriage returns: %w", c.Name(), err)
	}
	if bytes.ContainsRune(text, '\r') {
		return fmt.Errorf("the %s has carriage returns, as files of Windows do, which cron takes for a part of its commands and `crontab -l` does not show; "+
			"take them out (`crontab -e`), and try again: nothing was changed", c.Name())
	}
	return nil
}

func (c userCrontab) Write(ctx context.Context, text []byte) error {
	if _, err := c.run(ctx, text, "-"); err != nil {
		return fmt.Errorf("write the %s: %w", c.Name(), err)
	}
	// It says nothing where its disk was full.
	is, _, err := c.Read(ctx)
	if err != nil {
		return err
	}
	if !bytes.Equal(is, text) {
		return fmt.Errorf("the crontab program took the %s and then shows another: look at it with `crontab -l`", c.Name())
	}
	return nil
}

func (c userCrontab) Remove(ctx context.Context) error {
	if _, err := c.run(ctx, nil, "-r"); err != nil {
		return fmt.Errorf("remove the %s: %w", c.Name(), err)
	}
	return nil
}

func (c userCrontab) run(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	if c.user != "" {
		args = append([]string{"-u", c.user}, args...)
	}
	return RunProgram(ctx, stdin, append([]string{c.program}, args...)...)
}

// RunProgram runs crontab, systemctl and the like, by their path, and returns what they print. They speak English, and crontab -l shows what
// crontab - was given, crontab -e prints it.
func RunProgram(ctx context.Context, stdin []byte, command ...string) ([]byte, error) {
	ofLocale := func(entry string) bool { return strings.HasPrefix(entry, "LANG") || strings.HasPrefix(entry, "LC_") }
	cmd := &exec.Cmd{
		Path: command[0], Args: command, Stdin: bytes.NewReader(stdin),
		Env: append(slices.DeleteFunc(os.Environ(), ofLocale), "LC_ALL=C", "CRONTAB_NOHEADER=Y", "VISUAL=cat"),
	}
	r, err := child.Run(ctx, cmd, child.Limits{Keep: maxText, Max: maxText})
	if err != nil {
		return nil, err
	}
	return r.Stdout, nil
}
