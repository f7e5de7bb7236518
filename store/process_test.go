package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/claudeops/claudeops/testkit/denied"
)

// The test binary is also the other processes: what it does then is in STORE_TEST_DO, where in STORE_TEST_AT.
func TestMain(m *testing.M) {
	do, known := map[string]func(dir string) error{
		"write": writeEvents, "create for ever": createForEver, "write for ever": writeForEver,
		"write until full": writeUntilFull, "create on a full disk": createOnFullDisk,
	}[os.Getenv("STORE_TEST_DO")]
	if !known {
		os.Exit(m.Run())
	}
	if err := do(os.Getenv("STORE_TEST_AT")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func another(t *testing.T, do, dir string) *exec.Cmd {
	t.Helper()
	c := exec.Command(must(os.Executable()))
	c.Env = append(os.Environ(), "STORE_TEST_DO="+do, "STORE_TEST_AT="+dir)
	c.Stderr = os.Stderr
	return c
}

const eventsOfEach = 10

func writeEvents(dir string) error {
	s, err := Open(context.Background(), filepath.Join(dir, FileName), ReadWrite)
	if err != nil {
		return err
	}
	for range eventsOfEach {
		err = errors.Join(err, s.AddEvent(context.Background(), Event{Level: Info, Message: strconv.Itoa(os.Getpid())}))
	}
	return errors.Join(err, s.Close())
}

func TestTwentyProcessesMakeOneDatabase(t *testing.T) {
	dir := t.TempDir()
	var all []*exec.Cmd
	for range 20 {
		c := another(t, "write", dir)
		ok(t, c.Start())
		all = append(all, c)
	}
	for _, c := range all {
		ok(t, c.Wait())
	}
	s := at(t, filepath.Join(dir, FileName))
	same(t, len(must(s.Events(t.Context(), EventFilter{}))), 20*eventsOfEach)
	same(t, s.ask(t, "PRAGMA integrity_check"), "ok")
	same(t, names(t, dir), []string{FileName, FileName + "-shm", FileName + "-wal", FileName + ".lock"})
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	for _, e := range must(os.ReadDir(dir)) {
		all = append(all, e.Name())
	}
	return all
}

// killAfter kills a process that writes lines for ever after it has written some.
func killAfter(t *testing.T, lines int, do, dir string) {
	t.Helper()
	c := another(t, do, dir)
	out := must(c.StdoutPipe())
	ok(t, c.Start())
	in := bufio.NewScanner(out)
	for range lines {
		if !in.Scan() {
			t.Fatal("it ended by itself")
		}
	}
	ok(t, c.Process.Kill())
	if err := c.Wait(); err == nil {
		t.Fatal("it ended by itself")
	}
}

func createForEver(dir string) error {
	for i := 0; ; i++ {
		at := filepath.Join(dir, strconv.Itoa(i))
		if err := os.Mkdir(at, 0o755); err != nil {
			return err
		}
		fmt.Println(at)
		s, err := Open(context.Background(), filepath.Join(at, FileName), ReadWrite)
		if err != nil {
			return err
		}
		if err := s.Close(); err != nil {
			return err
		}
	}
}

func TestAKilledCreatorLeavesNoHalfDatabase(t *testing.T) {
	for lines := range 15 {
		dir := t.TempDir()
		killAfter(t, 1+lines%3, "create for ever", dir)
		for _, made := range names(t, dir) {
			path := filepath.Join(dir, made, FileName)
			if _, err := os.Stat(path); err == nil {
				s, err := Open(t.Context(), path, ReadOnly)
				ok(t, err)
				same(t, s.ask(t, "PRAGMA integrity_check"), "ok")
				ok(t, s.Close())
			}
			ok(t, at(t, path).AddEvent(t.Context(), Event{Level: Info}))
		}
	}
}

// writeForEver writes pairs.
func writeForEver(dir string) error {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(dir, FileName), ReadWrite)
	if err != nil {
		return err
	}
	for {
		err := s.Update(ctx, func(tx *Store) error {
			return errors.Join(tx.AddEvent(ctx, Event{Level: Info}), tx.AddEvent(ctx, Event{Level: Info}))
		})
		if err != nil {
			return err
		}
		fmt.Println("pair")
	}
}

func TestAKilledWriterLeavesWholeTransactions(t *testing.T) {
	dir := t.TempDir()
	told := 0
	for i := range 10 {
		killAfter(t, 1+7*i, "write for ever", dir)
		told += 1 + 7*i
	}
	s := at(t, filepath.Join(dir, FileName))
	same(t, s.ask(t, "PRAGMA integrity_check"), "ok")
	if n := len(must(s.Events(t.Context(), EventFilter{}))); n%2 != 0 || n < 2*told {
		t.Errorf("%d events of pairs, %d pairs were told as written", n, told)
	}
}

func writeUntilFull(dir string) error {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(dir, FileName), ReadWrite)
	if err != nil {
		return err
	}
	if err := denied.Space(400_000); err != nil {
		return err
	}
	for {
		err := s.AddEvent(ctx, Event{Level: Info, Message: strings.Repeat("x", 5000)})
		if err != nil {
			fmt.Println(err)
			return nil // not closed: the end of a process that has more trouble than this
		}
		fmt.Println("written")
	}
}

func TestAFullDiskKeepsWhatWasWritten(t *testing.T) {
	dir := t.TempDir()
	out, err := another(t, "write until full", dir).Output()
	ok(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	written := len(lines) - 1
	if fault := lines[written]; !strings.Contains(fault, "add an event") || written == 0 {
		t.Fatalf("after %d events: %s", written, fault)
	}
	s := at(t, filepath.Join(dir, FileName))
	same(t, s.ask(t, "PRAGMA integrity_check"), "ok")
	same(t, len(must(s.Events(t.Context(), EventFilter{}))), written)
}

func TestAFullDatabaseIsExplained(t *testing.T) {
	s := fresh(t)
	_, err := s.db.ExecContext(t.Context(), `PRAGMA max_page_count = 1`) // SQLite takes it as: no page more than now
	ok(t, err)
	wantError(t, s.AddEvent(t.Context(), Event{Level: Info, Message: strings.Repeat("x", 1<<20)}), nil, s.path, "make room")
}

func createOnFullDisk(dir string) error {
	if err := denied.Space(20_000); err != nil {
		return err
	}
	_, err := Open(context.Background(), filepath.Join(dir, FileName), ReadWrite)
	fmt.Println(err)
	return nil
}

func TestAFullDiskMakesNoHalfDatabase(t *testing.T) {
	dir := t.TempDir()
	out, err := another(t, "create on a full disk", dir).Output()
	ok(t, err)
	if !strings.Contains(string(out), "file too large") {
		t.Errorf("the error is %s", out)
	}
	same(t, names(t, dir), []string{FileName + ".lock"})
	at(t, filepath.Join(dir, FileName))
}

func TestTheLogOfADeletedDatabaseIsNotTakenOver(t *testing.T) {
	dir := t.TempDir()
	killAfter(t, 20, "write for ever", dir) // killed: its log still holds them
	path := filepath.Join(dir, FileName)
	ok(t, os.Remove(path))
	s := at(t, path)
	same(t, len(must(s.Events(t.Context(), EventFilter{}))), 0)
	same(t, s.ask(t, "PRAGMA integrity_check"), "ok")
}

func TestAReaderNeedsNoPermissionToWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	s, err := Open(t.Context(), path, ReadWrite)
	ok(t, err)
	ok(t, s.AddEvent(t.Context(), Event{Level: Info, Message: "seen"}))
	ok(t, s.Close())
	denied.Writing(t, dir, func() {
		ctx := context.Background() // one that can end would have the driver work on another thread
		s, err := Open(ctx, path, ReadOnly)
		if err != nil {
			t.Error(err)
			return
		}
		events, err := s.Events(ctx, EventFilter{})
		if err != nil || len(events) != 1 {
			t.Errorf("read %v, %v", events, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		s, err = Open(ctx, path, ReadWrite)
		if err == nil {
			err = errors.Join(s.AddEvent(ctx, Event{Level: Info}), s.Close())
		}
		if err == nil || !strings.Contains(err.Error(), "as the owner") {
			t.Errorf("writing: %v", err)
		}
	})
}

func TestARootCommandLeavesFilesToTheOwnerOfTheDirectory(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("not root: every file is our own anyway")
	}
	dir := t.TempDir()
	if os.Geteuid() == 0 {
		ok(t, os.Chown(dir, 65534, 65534))
	}
	path := filepath.Join(dir, FileName)
	s := at(t, path)
	ok(t, s.AddEvent(t.Context(), Event{Level: Info}))
	ok(t, s.migrate(t.Context(), current)) // changes nothing
	want := ownerOf(t, dir)
	files := names(t, dir)
	if !slices.Contains(files, FileName+"-wal") || !slices.Contains(files, FileName+".v1-20260301T120000Z.bak") {
		t.Fatalf("made only %v", files)
	}
	for _, name := range files {
		if owner := ownerOf(t, filepath.Join(dir, name)); owner != want {
			t.Errorf("%s belongs to user %d, not %d", name, owner, want)
		}
	}
}

func ownerOf(t *testing.T, path string) uint32 {
	t.Helper()
	return must(os.Stat(path)).Sys().(*syscall.Stat_t).Uid
}
