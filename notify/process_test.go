package notify

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
)

// The test binary is also used for the delivering processes: OUTBOX_TEST_DO selects what it does, for the state directory in
// OUTBOX_TEST_AT.
func TestMain(m *testing.M) {
	do := os.Getenv("OUTBOX_TEST_DO")
	if do == "" {
		os.Exit(m.Run())
	}
	if err := deliverAll(os.Getenv("OUTBOX_TEST_AT"), do == "slowly"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// scribe is a courier whose targets are files, with one line for each accepted message, synced to disk.
type scribe struct {
	dir    string
	slowly bool // prints each accepted message, and continues when it reads a line
	said   *sync.Mutex
	in     *bufio.Reader
}

func (scribe) Targets() []Target { return targetsNamed("a", "b") }

func (s scribe) Send(_ context.Context, to Target, m Message) error {
	f, err := os.OpenFile(filepath.Join(s.dir, to.Name), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(f, m.Title); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if s.slowly {
		fmt.Println(to.Name, m.Title)
		s.said.Lock()
		defer s.said.Unlock()
		_, err = s.in.ReadString('\n')
	}
	return err
}

// deliverAll delivers until nothing is pending.
func deliverAll(dir string, slowly bool) error {
	ctx := context.Background()
	s, err := store.Open(ctx, filepath.Join(dir, store.FileName), store.ReadWrite)
	if err != nil {
		return err
	}
	d := Delivery{
		Store: s, Courier: scribe{dir, slowly, &sync.Mutex{}, bufio.NewReader(os.Stdin)}, Now: time.Now, Dir: dir,
		Redact: func(text string) string { return text },
	}
	for {
		report, err := d.Run(ctx)
		if err != nil || !report.Busy && report.Waiting == 0 {
			return errors.Join(err, s.Close())
		}
	}
}

func another(t *testing.T, do, dir string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, must(os.Executable()))
	c.Env = append(os.Environ(), "OUTBOX_TEST_DO="+do, "OUTBOX_TEST_AT="+dir)
	c.Stderr = os.Stderr
	return c
}

// fill creates a state directory whose outbox has count messages with their numbers as titles.
func fill(t *testing.T, messages int) (dir string, want []string) {
	t.Helper()
	d := newDesk(t)
	for i := range messages {
		want = append(want, fmt.Sprint("message ", i+1))
	}
	d.now = time.Now() // like the clock of the other processes
	d.queue(want...)
	return d.Dir, want
}

// lines returns the messages that a target accepted.
func lines(t *testing.T, dir, target string) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, target))
	ok(t, err)
	return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
}

// If a process is killed after both targets accepted a message but before that is recorded, the next process repeats these two sends and
// nothing else.
func TestAKilledDeliveryRepeatsTheMessageInFlight(t *testing.T) {
	dir, want := fill(t, 4)
	c := another(t, "slowly", dir)
	in, out := must(c.StdinPipe()), must(c.StdoutPipe())
	ok(t, c.Start())
	told := bufio.NewScanner(out)
	next := func() string {
		t.Helper()
		if !told.Scan() {
			t.Fatal("it ended by itself")
		}
		return told.Text()
	}
	both := []string{next(), next()}
	slices.Sort(both)
	same(t, both, []string{"a message 1", "b message 1"})
	if _, err := in.Write([]byte("\n")); err != nil { // one of them continues with its second message
		t.Fatal(err)
	}
	ahead, _, _ := strings.Cut(next(), " ")
	ok(t, c.Process.Kill())
	if c.Wait() == nil {
		t.Fatal("it ended by itself")
	}
	ok(t, another(t, "at once", dir).Run())
	for _, target := range []string{"a", "b"} {
		inFlight := 0
		if target == ahead {
			inFlight = 1
		}
		same(t, lines(t, dir, target), slices.Insert(slices.Clone(want), inFlight, want[inFlight]))
	}
}

// However often and wherever a process is killed, all messages arrive in order, and each kill repeats at most one of them.
func TestKilledDeliveriesLoseNothing(t *testing.T) {
	dir, want := fill(t, 30)
	kills := 0
	for ; kills < 5; kills++ {
		c := another(t, "slowly", dir)
		in, out := must(c.StdinPipe()), must(c.StdoutPipe())
		ok(t, c.Start())
		told := bufio.NewScanner(out)
		for range 3 * (kills + 1) {
			if !told.Scan() {
				t.Fatal("it ended by itself")
			}
			if _, err := in.Write([]byte("\n")); err != nil {
				t.Fatal(err)
			}
		}
		ok(t, c.Process.Kill()) // before, during or after the last one is recorded
		if c.Wait() == nil {
			t.Fatal("it ended by itself")
		}
	}
	ok(t, another(t, "at once", dir).Run())
	for _, target := range []string{"a", "b"} {
		took := lines(t, dir, target)
		if repeated := len(took) - len(want); repeated > kills {
			t.Errorf("%s: %d messages were repeated by %d kills", target, repeated, kills)
		}
		same(t, slices.Compact(took), want)
	}
}

func TestProcessesThatDeliverAtOnceSendNothingTwice(t *testing.T) {
	dir, want := fill(t, 40)
	var all []*exec.Cmd
	for range 3 {
		c := another(t, "at once", dir)
		ok(t, c.Start())
		all = append(all, c)
	}
	for _, c := range all {
		ok(t, c.Wait())
	}
	for _, target := range []string{"a", "b"} {
		same(t, lines(t, dir, target), want)
	}
}
