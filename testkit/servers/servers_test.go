package servers

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/testkit/need"
)

// ready fails the test if the server does not answer.
func ready(t *testing.T, p *Process) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := p.prog.ready(ctx); err != nil {
		t.Errorf("%s: %v", p.prog.path, err)
	}
}

func TestServersKeepTheirDataAndPort(t *testing.T) {
	pg, maria, red := Postgres(t), MariaDB(t), Redis(t, Password)
	pg.Exec("CREATE TABLE kept AS SELECT 1")
	maria.Exec("CREATE TABLE " + Database + ".kept AS SELECT 1")
	for _, p := range []*Process{pg.Process, maria.Process, red.Process} {
		p.Stop()
		p.Stop() // has no effect
		p.Start()
		ready(t, p)
	}
	pg.Exec("SELECT * FROM kept")
	maria.Exec("SELECT * FROM " + Database + ".kept")
}

// Each of PostgreSQL's processes has its own process group, and one that is busy does not notice that the first has ended.
func TestAServerThatWasKilledStartsAgain(t *testing.T) {
	pg := Postgres(t)
	conn, err := pgx.Connect(t.Context(), postgresAddress(pg))
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan error, 1)
	go func() {
		_, err := conn.Exec(t.Context(), "SELECT count(*) FROM generate_series(1, 1000000000000) -- endless")
		asked <- err
	}()
	const computes = "DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '%-- endless' AND state = 'active') LOOP" +
		" PERFORM pg_stat_clear_snapshot(); END LOOP; END $$"
	pg.Exec(computes)
	pg.Kill()
	pg.Start()
	ready(t, pg.Process)
	if err := <-asked; err == nil {
		t.Error("an endless query has come to its end")
	}
}

func TestServersThatArePausedEnd(t *testing.T) {
	red := Redis(t, "")
	red.Pause()
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if err := red.prog.ready(ctx); err == nil {
		t.Error("a server that is paused has answered")
	}
	red.Resume()
	ready(t, red.Process)
	red.Pause()
	red.Stop()
	if red.running() {
		t.Error("still running")
	}
}

// failures is a T that records the first failure, and panics instead of ending the test.
type failures struct {
	*testing.T
	text string
}

func (f *failures) Fatalf(format string, args ...any) {
	f.text = fmt.Sprintf(format, args...)
	panic(f)
}

func failing(t *testing.T, do func(T)) (text string) {
	t.Helper()
	f := &failures{T: t}
	defer func() {
		if got := recover(); got != any(f) {
			t.Errorf("ended by %v", got)
		}
		text = f.text
	}()
	do(f)
	return ""
}

func TestServerThatDoesNotStartShowsWhatItWrote(t *testing.T) {
	need.Full(t, "real servers")
	text := failing(t, func(t T) { Redis(t, "", "no-such-setting 1") })
	if !strings.Contains(text, "it has ended") || !strings.Contains(text, "no-such-setting") {
		t.Errorf("%q", text)
	}
}

const holds = "CLAUDEOPS_TEST_HOLD_SERVER"

// When a test process is killed, its servers end.
func TestServersEndWithTheirTest(t *testing.T) {
	need.Full(t, "real servers")
	if os.Getenv(holds) != "" {
		fmt.Println(Redis(t, "").pid)
		select {} // until it is killed
	}
	self := exec.Command(os.Args[0], "-test.run=^TestServersEndWithTheirTest$")
	self.Env = append(os.Environ(), holds+"=1", "TMPDIR="+folder(t, false))
	out, err := self.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_ = self.Process.Kill()
	_ = self.Wait()
	pid, failed := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || failed != nil {
		t.Fatalf("%q: %v", line, err)
	}
	for deadline := time.Now().Add(time.Minute); lives(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
	}
}

// lives reports whether a process exists and is not a zombie.
func lives(pid int) bool {
	p, err := procfs.Read(pid)
	return err == nil && !p.Dead()
}
