package state_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

// The test binary is also used for other processes that reserve in the state directory named by STATE_TEST_AT.
func TestMain(m *testing.M) {
	if dir := os.Getenv("STATE_TEST_AT"); dir != "" {
		os.Exit(guard(dir))
	}
	os.Exit(m.Run())
}

const (
	exitGranted = 10
	exitRefused = 11
)

// guard requests a restart of shop once its standard input is closed.
func guard(dir string) (exit int) {
	ctx := context.Background()
	_, err := io.Copy(io.Discard, os.Stdin)
	c := config.Config{StateDir: dir, Agent: config.Agent{SessionID: 1, Tier: 2}}
	b, openErr := ledger.Open(ctx, c, mask.New(nil), func() time.Time { return noon }, store.ReadWrite)
	if err := errors.Join(err, openErr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var now *state.State
	err = b.Reserve(ctx, fmt.Sprintf("toolu_%d", os.Getpid()), recording.Restart("shop"), func(file *statefile.State) error {
		now, err = state.Load(ctx, b.Store, file, nil, c, noon)
		if err != nil {
			return err
		}
		if refusal := now.MayTouch("shop", statefile.Restart, state.By{Tier: 2}); refusal != nil {
			return refusal
		}
		return nil
	})
	exit = exitGranted
	if refusal := (*state.Refusal)(nil); errors.As(err, &refusal) && refusal.Kind == state.UsedUp {
		err, exit = b.Refused(ctx, now.Service("shop").About(b.Redactor.String), refusal.Event(), refusal.Ask()), exitRefused
	}
	if err = errors.Join(err, b.Close()); err == nil {
		return exit
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// However many processes request the last restart at the same time, one gets it.
func TestSPEC0007_REQ4_FiftyAtOnceForTheLastRestart(t *testing.T) {
	const guards = 50
	d := newFixture(t)
	d.done("shop", statefile.Restart, time.Hour)
	d.Session(2)
	var all []*exec.Cmd
	var starts []io.Closer
	for range guards {
		exe, err := os.Executable()
		ok(t, err)
		c := exec.Command(exe)
		c.Env = append(os.Environ(), "STATE_TEST_AT="+d.Dir)
		c.Stderr = os.Stderr
		start, err := c.StdinPipe()
		ok(t, err)
		ok(t, c.Start())
		all, starts = append(all, c), append(starts, start)
	}
	for _, start := range starts {
		ok(t, start.Close())
	}
	exits := map[int]int{}
	for _, c := range all {
		var failed *exec.ExitError
		if err := c.Wait(); err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		exits[c.ProcessState.ExitCode()]++
	}
	same(t, exits, map[int]int{exitGranted: 1, exitRefused: guards - 1})
	same(t, len(d.Reads().Service("shop").Restarts), 2)
	same(t, len(d.asked()), 1)
	d.WantAgreement()
}
