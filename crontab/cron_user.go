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

// userCrontab is the crontab of a user. Only the crontab program reads and writes it.
type userCrontab struct {
	program string
	user    string // for its option -u, which only root may use; empty for the current user
	name    string
}

func (c userCrontab) Name() string  { return c.name }
func (c userCrontab) marks() Marks  { return Hash }
func (c userCrontab) settled() bool { return true }

func (c userCrontab) read(ctx context.Context) (text []byte, exists bool, err error) {
	out, err := c.run(ctx, nil, "-l")
	var failed *child.ExitError
	if errors.As(err, &failed) && failed.Code == 1 && strings.Contains(failed.Said, "no crontab for") {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read the %s: %w", c.name, err)
	}
	return out, true, c.shownAsItIs(ctx, out)
}

// shownAsItIs rejects a crontab with carriage returns. Debian's `crontab -l` shows each as a backslash and an r, which would be written
// back; an editor, here one that only prints, gets the original text.
func (c userCrontab) shownAsItIs(ctx context.Context, shown []byte) error {
	if !bytes.Contains(shown, []byte(`\r`)) {
		return nil
	}
	text, err := c.run(ctx, nil, "-e")
	if err != nil {
		return fmt.Errorf("read the %s, whether its \\r are carriage returns: %w", c.name, err)
	}
	if bytes.ContainsRune(text, '\r') {
		return fmt.Errorf("the %s has carriage returns, as files of Windows do, which cron takes for a part of its commands and `crontab -l` does not show; "+
			"take them out (`crontab -e`), and try again: nothing was changed", c.name)
	}
	return nil
}

func (c userCrontab) write(ctx context.Context, text []byte) error {
	if _, err := c.run(ctx, text, "-"); err != nil {
		return fmt.Errorf("write the %s: %w", c.name, err)
	}
	// crontab does not report a full disk.
	is, _, err := c.read(ctx)
	if err != nil {
		return err
	}
	if !bytes.Equal(is, text) {
		return fmt.Errorf("the crontab program took the %s and then shows another: look at it with `crontab -l`", c.name)
	}
	return nil
}

func (c userCrontab) remove(ctx context.Context) error {
	if _, err := c.run(ctx, nil, "-r"); err != nil {
		return fmt.Errorf("remove the %s: %w", c.name, err)
	}
	return nil
}

func (c userCrontab) run(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	if c.user != "" {
		args = append([]string{"-u", c.user}, args...)
	}
	return runProgram(ctx, stdin, append([]string{c.program}, args...)...)
}

// runProgram runs crontab, systemctl and the like, by path, and returns their output. They run with an English locale.
func runProgram(ctx context.Context, stdin []byte, command ...string) ([]byte, error) {
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
