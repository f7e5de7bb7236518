package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// The test binary is also used for other processes that reserve in the state directory named by RECORDS_TEST_AT.
func TestMain(m *testing.M) {
	if dir := os.Getenv("RECORDS_TEST_AT"); dir != "" {
		os.Exit(guard(dir))
	}
	if dir := os.Getenv("RECORDS_TEST_FULL"); dir != "" {
		if err := reserveOnFullDisk(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

const (
	exitGranted = 10
	exitRefused = 11
)

// guard requests a restart of shop once its standard input is closed.
func guard(dir string) (exit int) {
	_, err := io.Copy(io.Discard, os.Stdin)
	b, openErr := inSession1(dir)
	if err := errors.Join(err, openErr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	err = b.Reserve(context.Background(), fmt.Sprintf("toolu_%d", os.Getpid()), restart("shop"))
	if closed := b.Close(); closed != nil {
		fmt.Fprintln(os.Stderr, closed)
		return 1
	}
	var refused *LimitError
	switch {
	case err == nil:
		return exitGranted
	case errors.As(err, &refused):
		return exitRefused
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// However many processes request the last restart at the same time, one gets it.
func TestSPEC0007_REQ4_FiftyAtOnceForTheLastRestart(t *testing.T) {
	const guards = 50
	d := newFixture(t)
	d.done("shop", statefile.Restart, time.Hour)
	d.session(2)
	var all []*exec.Cmd
	var starts []io.Closer
	for range guards {
		exe, err := os.Executable()
		ok(t, err)
		c := exec.Command(exe)
		c.Env = append(os.Environ(), "RECORDS_TEST_AT="+d.dir)
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
	same(t, len(d.reads().Service("shop").Restarts), 2)
	same(t, len(d.asked()), 1)
	d.wantAgreement()
}
