package crontab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/claudeops/claudeops/internal/child"
)

const (
	// programWithin is how long crontab, systemctl and the like may take.
	programWithin = 30 * time.Second
	// outputGrace is how long to wait for the rest of what a program wrote that has ended.
	outputGrace = time.Second
)

// ProgramError is a program that ended otherwise than well.
type ProgramError struct {
	Command string // as it was typed, without the folder
	Code    int    // its exit code; -1 where it was ended
	Said    string // its own words
}

func (e *ProgramError) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("`%s` ended with %d", e.Command, e.Code)
	}
	return fmt.Sprintf("`%s` ended with %d: %s", e.Command, e.Code, e.Said)
}

// RunProgram runs a program, by its path, to its end and returns what it wrote. It has half a minute. Its words are English.
func RunProgram(ctx context.Context, stdin []byte, command ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, programWithin)
	defer cancel()
	typed := strings.Join(append([]string{filepath.Base(command[0])}, command[1:]...), " ")
	out, said := &bounded{max: maxText}, &bounded{max: 64 << 10}
	cmd := &exec.Cmd{
		Path: command[0], Args: command, Stdin: bytes.NewReader(stdin), Stdout: out, Stderr: said, WaitDelay: outputGrace,
		Env: append(slices.DeleteFunc(os.Environ(), ofLocale), "LC_ALL=C", "CRONTAB_NOHEADER=Y", "VISUAL=cat"), // crontab -l shows what crontab - was given, crontab -e prints it
	}
	// The kernel ends the program when the thread that started it ends, so that thread is kept until the program has ended.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	group, err := child.Start(cmd)
	if err != nil {
		return nil, fmt.Errorf("start `%s`: %w", typed, err)
	}
	out.flood(group.Kill)
	said.flood(group.Kill)
	defer context.AfterFunc(ctx, group.Kill)()
	err = group.Wait(cmd, nil)
	var exit *exec.ExitError
	switch {
	case out.flooded() || said.flooded():
		return nil, fmt.Errorf("`%s` wrote more than %d bytes, and was ended", typed, maxText)
	case ctx.Err() != nil && err != nil:
		return nil, fmt.Errorf("`%s` had not ended after %v, and was ended: %w", typed, programWithin, context.Cause(ctx))
	case errors.As(err, &exit):
		return nil, &ProgramError{typed, exit.ExitCode(), strings.TrimSpace(said.String())}
	case err != nil:
		return nil, fmt.Errorf("run `%s`: %w", typed, err)
	}
	return out.Bytes(), nil
}

func ofLocale(entry string) bool {
	return strings.HasPrefix(entry, "LANG") || strings.HasPrefix(entry, "LC_")
}

// bounded keeps what a program writes, up to a bound beyond which the program is ended.
type bounded struct {
	max int

	mu     sync.Mutex
	buffer bytes.Buffer
	over   bool
	end    func()
}

func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over = b.over || b.buffer.Len()+len(p) > b.max; b.over {
		if b.end != nil {
			b.end()
		}
		return len(p), nil
	}
	return b.buffer.Write(p)
}

// flood says how the program is ended.
func (b *bounded) flood(end func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.end = end; b.over {
		end()
	}
}

func (b *bounded) flooded() bool  { b.mu.Lock(); defer b.mu.Unlock(); return b.over }
func (b *bounded) Bytes() []byte  { b.mu.Lock(); defer b.mu.Unlock(); return b.buffer.Bytes() }
func (b *bounded) String() string { return string(b.Bytes()) }
