package wrapper

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Where there is no room for a hook beside the wrapper, the hook runs in its place, with the input that was read already.
func TestNoRoomForBoth(t *testing.T) {
	for name, tt := range map[string]struct {
		stdin    string
		denyOnly bool
		want     result
	}{
		"message":  {message("Stop"), false, result{0, message("Stop"), ""}},
		"no input": {"", false, result{}},
		"too much": {`{"hook_event_name":"Stop","x":"` + strings.Repeat("y", pipeAtom) + `"}` + "\n", false, noRoom()},
		"to deny":  {message("Stop"), true, noRoom()},
	} {
		for _, files := range []int{5, 7} {
			t.Run(fmt.Sprintf("%s, %d files", name, files), func(t *testing.T) {
				t.Parallel()
				w := program(t, "cat")
				w.Files = files
				w.Options.DenyOnly = tt.denyOnly
				equal(t, w.run(t, tt.stdin), tt.want)
			})
		}
	}
}

func noRoom() result { return result{126, "", "claude-hooks: cat: Too many open files\n"} }

func TestPatience(t *testing.T) {
	calls := 0
	err := patiently(t.Context(), func() error {
		if calls++; calls < 3 {
			return &unspawned{err: os.NewSyscallError("fork", syscall.EAGAIN)}
		}
		return nil
	})
	if err != nil || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
	for name, tt := range map[string]struct {
		err   error
		calls int
	}{"never room": {syscall.ENOMEM, 6}, "something else": {syscall.ENOENT, 1}} {
		calls = 0
		if err := patiently(t.Context(), func() error { calls++; return tt.err }); !errors.Is(err, tt.err) || calls != tt.calls {
			t.Errorf("%s: %v after %d calls", name, err, calls)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	calls = 0
	if err := patiently(ctx, func() error { calls++; return syscall.EMFILE }); err == nil || calls != 1 {
		t.Errorf("told to end: %v after %d calls", err, calls)
	}
}
