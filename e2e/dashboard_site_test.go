package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
)

// site is a running dashboard: the built program, on a free loopback port.
type site struct {
	*cronProcess
	url string // http://127.0.0.1:port
}

var addressOfASite = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// serve starts a dashboard, whose address is in its first line of output.
func (w *world) serve(args ...string) *site {
	w.t.Helper()
	s := &site{cronProcess: &cronProcess{w: w}}
	s.cmd = exec.Command(w.bin, append([]string{"dashboard", "--addr", "127.0.0.1:0"}, args...)...)
	s.cmd.Env, s.cmd.Dir, s.cmd.Stderr, s.cmd.WaitDelay = w.environ(), w.dir, s, deadline
	out, err := s.cmd.StdoutPipe()
	must(w.t, err)
	must(w.t, s.cmd.Start())
	w.t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	})
	first := make(chan string, 1)
	go func() {
		lines := bufio.NewReader(out)
		line, _ := lines.ReadString('\n') // incomplete if the program ended
		first <- line
		_, _ = io.Copy(io.Discard, lines)
	}()
	select {
	case line := <-first:
		s.url = addressOfASite.FindString(line)
	case <-time.After(deadline):
	}
	if s.url == "" {
		w.t.Fatalf("the dashboard names no address:\n%s", s.log())
	}
	return s
}

// records writes to the database like a cycle.
func (w *world) records(write func(context.Context, *store.Store) error) {
	w.t.Helper()
	s, err := store.Open(w.t.Context(), w.path("state", store.FileName), store.ReadWrite)
	must(w.t, err)
	must(w.t, s.Update(w.t.Context(), func(s *store.Store) error { return write(w.t.Context(), s) }))
	must(w.t, s.Close())
}

// tierRun is the cost of a session of chainTo20.
type tierRun struct {
	tier  int
	usd   float64
	turns int
	took  time.Duration
}

// chainTo20 records the single sessions 1 to 17, and a chain of three: 18, 19 and 20 (SPEC-0016 "Full escalation chain queryable").
func (w *world) chainTo20() []tierRun {
	w.t.Helper()
	runs := []tierRun{{1, 0.04, 4, 21 * time.Second}, {2, 0.25, 11, 3 * time.Minute}, {3, 1.50, 37, 12 * time.Minute}}
	w.records(func(ctx context.Context, s *store.Store) error {
		begun := time.Now().Add(-20 * time.Hour)
		for range 17 {
			begun = begun.Add(time.Hour)
			if _, err := addEnded(ctx, s, nil, begun, store.Completed, tierRun{1, 0.01, 3, 15 * time.Second}); err != nil {
				return err
			}
		}
		var parent *int64
		for i, run := range runs {
			status := store.Escalated
			if i == len(runs)-1 {
				status = store.Completed
			}
			id, err := addEnded(ctx, s, parent, begun.Add(time.Duration(i+1)*15*time.Minute), status, run)
			if err != nil {
				return err
			}
			parent = &id
		}
		if *parent != 20 {
			return fmt.Errorf("the last session is %d, want 20", *parent)
		}
		return nil
	})
	return runs
}

// addEnded records a session that has ended.
func addEnded(ctx context.Context, s *store.Store, parent *int64, begun time.Time, status store.Status, run tierRun) (int64, error) {
	model, trigger := []string{"haiku", "sonnet", "opus"}[run.tier-1], "cron"
	if parent != nil {
		trigger = "escalation"
	}
	id, err := s.AddSession(ctx, store.Session{ParentID: parent, Tier: run.tier, Model: model, Agent: "claude", PromptFile: "prompt.md",
		Trigger: trigger, Status: store.Running, StartedAt: begun, LogPath: "none"})
	if err != nil {
		return 0, err
	}
	return id, s.EndSession(ctx, id, store.Session{Status: status, EndedAt: new(begun.Add(run.took)), CostUSD: run.usd, NumTurns: run.turns,
		DurationMS: run.took.Milliseconds(), InputTokens: int64(1000 * run.turns), OutputTokens: int64(100 * run.turns), Response: "All is well."})
}

// cable is a connection from a browser to a site that can be cut.
type cable struct {
	url string

	mu    sync.Mutex
	cutUp bool
	down  bool // the site is down, and a proxy answers instead
	ends  map[net.Conn]bool
	open  sync.WaitGroup
}

// plug makes a cable to a site.
func plug(t *testing.T, s *site) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	c := &cable{url: "http://" + l.Addr().String(), ends: map[net.Conn]bool{}}
	c.open.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return // closed at the test's end
			}
			c.open.Go(func() { c.carry(near, s.url[len("http://"):]) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		c.cut()
		c.open.Wait()
	})
	return c
}

// carry forwards a connection until either end closes it or it is cut.
func (c *cable) carry(near net.Conn, to string) {
	defer near.Close()
	if c.isDown() {
		if _, err := http.ReadRequest(bufio.NewReader(near)); err == nil {
			_, _ = io.WriteString(near, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		}
		return
	}
	far, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer far.Close()
	if !c.hold(near, far) {
		return
	}
	defer c.drop(near, far)
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		both.Go(func() {
			_, _ = io.Copy(way[0], way[1]) // any error means the end of the connection
			_ = way[0].Close()
			_ = way[1].Close()
		})
	}
	both.Wait()
}

// hold registers the ends of a connection, unless the cable is cut.
func (c *cable) hold(ends ...net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, end := range ends {
		c.ends[end] = true
	}
	return !c.cutUp
}

func (c *cable) drop(ends ...net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, end := range ends {
		delete(c.ends, end)
	}
}

// cut closes every connection, and rejects others until mend.
func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cutUp = true
	for end := range c.ends {
		_ = end.Close()
	}
}

// goDown closes every connection, and answers like a proxy without a backend until mend.
func (c *cable) goDown() {
	c.cut()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cutUp, c.down = false, true
}

func (c *cable) isDown() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.down
}

func (c *cable) mend() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cutUp, c.down = false, false
}
