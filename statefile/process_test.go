package statefile_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// TestMain lets the test binary act as other processes that use the same file.
func TestMain(m *testing.M) {
	do := os.Getenv("STATEFILE_TEST_DO")
	if do == "" {
		os.Exit(m.Run())
	}
	f := statefile.File{Path: os.Getenv("STATEFILE_TEST_PATH"), Now: func() time.Time { return noon }}
	if err := act(f, do); err != nil {
		fmt.Print(err)
		os.Exit(1)
	}
}

func act(f statefile.File, do string) error {
	switch do {
	case "add":
		return add(f, os.Getenv("STATEFILE_TEST_ID"))
	case "add-forever":
		for n := 1; ; n++ {
			if err := add(f, fmt.Sprint(os.Getpid(), "-", n)); err != nil {
				return err
			}
			fmt.Println(n)
		}
	case "update-limited":
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 64, Max: 64}); err != nil {
			return err
		}
		return add(f, "limited")
	case "update-readonly":
		return addWithoutPermission(f)
	}
	return fmt.Errorf("what is %q?", do)
}

// addWithoutPermission adds a record as a user without write access to the directory. Root becomes user nobody for that.
func addWithoutPermission(f statefile.File) error {
	if os.Geteuid() == 0 {
		if err := errors.Join(os.Chmod(filepath.Dir(filepath.Dir(f.Path)), 0o755), os.Chmod(filepath.Dir(f.Path), 0o755)); err != nil {
			return err
		}
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
			return err
		}
	} else if err := os.Chmod(filepath.Dir(f.Path), 0o555); err != nil {
		return err
	}
	return errors.Join(add(f, "denied"), func() error { _, err := f.Read(context.Background()); return err }())
}

func add(f statefile.File, id string) error {
	_, err := f.Update(context.Background(), func(s *statefile.State) error {
		s.Add("nginx", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon), ID: id})
		return nil
	})
	return err
}

func TestTwentyGoroutinesKeepTwentyRecords(t *testing.T) {
	f := newFile(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := add(f, fmt.Sprint(i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	wantRecords(t, f, 20)
}

func TestTwentyProcessesKeepTwentyRecords(t *testing.T) {
	f := newFile(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			cmd := command(t, f, "add")
			cmd.Env = append(cmd.Env, fmt.Sprint("STATEFILE_TEST_ID=", i))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	wantRecords(t, f, 20)
}

func wantRecords(t *testing.T, f statefile.File, want int) {
	t.Helper()
	ids := map[string]bool{}
	for _, r := range read(t, f).Service("nginx").Restarts {
		ids[r.ID] = true
	}
	if len(ids) != want {
		t.Errorf("%d records, want %d", len(ids), want)
	}
}

// When an Update is killed, the file has the records of all Updates that have returned.
func TestKilledUpdateLeavesTheFileWhole(t *testing.T) {
	f := newFile(t)
	must(t, update(t, f, func(*statefile.State) {}))
	acknowledged := 0
	for range 40 {
		acknowledged += killAfter(t, f, 1+rand.IntN(8))
		if got := len(read(t, f).Service("nginx").Restarts); got < acknowledged {
			t.Fatalf("%d records, want at least the %d that were acknowledged", got, acknowledged)
		}
	}
	must(t, add(f, "after")) // and no lock is left
}

// killAfter runs a process that adds records, kills it soon after it has reported n of them, and returns how many it reported.
func killAfter(t *testing.T, f statefile.File, n int) int {
	t.Helper()
	cmd := command(t, f, "add-forever")
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines, said := bufio.NewScanner(out), 0
	for said < n && lines.Scan() {
		said++
	}
	for range rand.IntN(200) {
		_, _ = os.Stat(f.Path) // let some time pass, by system calls
	}
	must(t, cmd.Process.Kill())
	for lines.Scan() {
		said++
	}
	var ended *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &ended) || ended.Exited() {
		t.Fatalf("it ended before it was killed: %v", err)
	}
	return said
}

func command(t *testing.T, f statefile.File, do string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), "STATEFILE_TEST_DO="+do, "STATEFILE_TEST_PATH="+f.Path)
	return cmd
}

// child runs a process that must fail, and returns its output.
func child(t *testing.T, f statefile.File, do string) string {
	t.Helper()
	out, err := command(t, f, do).CombinedOutput()
	var ended *exec.ExitError
	if !errors.As(err, &ended) {
		t.Fatalf("%s succeeded: %v", do, err)
	}
	return string(out)
}
