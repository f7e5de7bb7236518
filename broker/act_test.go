package broker_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/sandbox/shim"
)

// order returns a restart of web by a program.
func order(argv ...string) guard.Order {
	return guard.Order{Action: guard.Restart, Service: "web", Argv: argv, Dir: "/", Timeout: time.Minute}
}

// act runs an order, and returns what was said.
func (s *session) act(ctx context.Context, o guard.Order) (said string, exit int, err error) {
	s.t.Helper()
	s.once.Do(func() { s.broker = broker.New(s.Settings) })
	var out strings.Builder
	exit, err = s.broker.Act(ctx, "toolu_1", o, nil, &out, &out)
	return out.String(), exit, err
}

func TestAnActIsReservedAndCompleted(t *testing.T) {
	s := newSession(t)
	s.records.limit = 3
	broken := filepath.Join(t.TempDir(), "broken")
	must(t, os.WriteFile(broken, []byte("#!/nowhere\n"), 0o700))
	if said, exit, err := s.act(t.Context(), order("echo", "sesame")); said != "[hidden]\n" || exit != 0 || err != nil {
		t.Errorf("%q, %d, %v", said, exit, err)
	}
	if _, exit, err := s.act(t.Context(), order("sh", "-c", "echo no such container >&2; exit 4")); exit != 4 || err != nil {
		t.Errorf("%d, %v", exit, err)
	}
	if said, exit, err := s.act(t.Context(), order(broken)); exit != 126 || err != nil || !strings.Contains(said, "claudeops: fork/exec") {
		t.Errorf("%q, %d, %v", said, exit, err)
	}
	if said, exit, err := s.act(t.Context(), order("true")); exit != shim.ExitRefused || said != "claudeops: a restart of web is refused\n" || err != nil {
		t.Errorf("%q, %d, %v", said, exit, err)
	}
	var got []string
	for _, id := range s.records.reserved {
		got = append(got, s.records.outcomes[id])
	}
	if want := []string{"", "exit status 4: no such container", "fork/exec " + broken + ": no such file or directory"}; !slices.Equal(got, want) {
		t.Errorf("outcomes %q, want %q", got, want)
	}
	var decisions []string
	for _, e := range s.audit() {
		decisions = append(decisions, string(e.Decision)+" "+string(e.Actions[0])+" of "+e.Services[0])
	}
	ran := []string{"allow restart of web"}
	if want := slices.Concat(ran, ran, ran, []string{"deny restart of web"}); !slices.Equal(decisions, want) {
		t.Errorf("the audit says %q, want %q", decisions, want)
	}
}

func TestAnActThatWaitsForAPersonIsAsked(t *testing.T) {
	s := newSession(t)
	s.records.refusal = guard.Refuse(guard.RuleApproval, "it waits")
	if said, exit, err := s.act(t.Context(), order("true")); said != "claudeops: it waits\n" || exit != shim.ExitRefused || err != nil {
		t.Errorf("%q, %d, %v", said, exit, err)
	}
	if e := s.audit(); len(e) != 1 || e[0].Decision != guard.Asked {
		t.Errorf("the audit says %v", e)
	}
}

func TestFiftyActsAtOnceNeverTakeOnePlaceTwice(t *testing.T) {
	s := newSession(t)
	s.records.limit = 1
	s.once.Do(func() { s.broker = broker.New(s.Settings) })
	marks := t.TempDir()
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() { s.act(t.Context(), order("mktemp", "-p", marks)) })
	}
	calls.Wait()
	if ran, _ := os.ReadDir(marks); len(ran) != 1 {
		t.Errorf("%d ran, want 1", len(ran))
	}
	if len(s.records.outcomes) != 1 {
		t.Errorf("outcomes %q, want 1", s.records.outcomes)
	}
}

func TestAnActEndsAtItsTimeLimitAndWithTheSession(t *testing.T) {
	for name, want := range map[string]string{"session": "ended early: the session is over", "limit": "ended at its time limit of 1ms"} {
		s := newSession(t)
		s.records.limit = 1
		ctx, cancel := context.WithCancelCause(t.Context())
		o := order("sleep", "1000")
		if name == "limit" {
			o.Timeout = time.Millisecond
		} else {
			s.OnCall = func(guard.Entry) { cancel(errors.New("the session is over")) }
		}
		if _, exit, _ := s.act(ctx, o); exit == 0 {
			t.Errorf("%s: the exit status is 0", name)
		}
		if got := s.records.outcomes["toolu_1.1"]; got != want {
			t.Errorf("%s: the outcome is %q, want %q", name, got, want)
		}
		cancel(nil)
	}
}

// A caller that goes away, or does not read, leaves no half of an act.
func TestAnActOutlivesItsCaller(t *testing.T) {
	s := newSession(t)
	s.records.limit = 1
	call, cancel := context.WithCancel(broker.Living(t.Context()))
	s.OnCall = func(guard.Entry) { cancel() }
	s.once.Do(func() { s.broker = broker.New(s.Settings) })
	exit, err := s.broker.Act(call, "toolu_1", order("sh", "-c", "seq 100000; exit 3"), nil, unread{}, io.Discard)
	if exit != 3 || err != nil || !strings.HasSuffix(s.records.outcomes["toolu_1.1"], "\n100000") {
		t.Errorf("%d, %v, %q", exit, err, s.records.outcomes)
	}
}

// unread is output that nobody reads.
type unread struct{}

func (unread) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// Typed words that mean a verb are dropped: what runs is an order.
func TestServeDoesAVerb(t *testing.T) {
	s := newSession(t)
	s.records.limit = 1
	out, _, exit := s.call("docker", "restart", "web")
	if out != "restart web [hidden]\n" || exit != 0 || len(s.records.reserved) != 1 {
		t.Errorf("%q, %d, reserved %q", out, exit, s.records.reserved)
	}
	out, faults, exit := s.call("docker", "restart", "web")
	if out != "" || faults != "claudeops: a restart of web is refused\n" || exit != shim.ExitRefused {
		t.Errorf("%q, %q, %d", out, faults, exit)
	}
}
