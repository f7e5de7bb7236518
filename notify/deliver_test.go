package notify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/store"
)

// noon is the time at which the tests begin.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// courier answers as the test sets it, and remembers what each target accepted.
type courier struct {
	targets []Target
	answer  func(ctx context.Context, target string, m Message) error // nil: every message is accepted

	mu    sync.Mutex
	tried map[string]int
	took  map[string][]string // accepted titles by target
	texts map[string]map[string]bool
}

func (c *courier) Targets() []Target { return c.targets }

func (c *courier) Send(ctx context.Context, to Target, m Message) error {
	c.mu.Lock()
	c.tried[to.Name]++
	answer := c.answer
	c.mu.Unlock()
	if answer != nil {
		if err := answer(ctx, to.Name, m); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.took[to.Name] = append(c.took[to.Name], m.Title)
	if c.texts[m.Title] == nil {
		c.texts[m.Title] = map[string]bool{}
	}
	c.texts[m.Title][m.Body] = true
	return nil
}

func targetsNamed(names ...string) (all []Target) {
	for _, name := range names {
		all = append(all, Target{Hash: "hash of " + name, Name: name})
	}
	return all
}

var errDown = errors.New("connection refused")

// desk is an outbox with a courier, and a clock that the test sets.
type desk struct {
	*courier
	Delivery
	t   *testing.T
	now time.Time
}

func newDesk(t *testing.T, names ...string) *desk {
	dir := t.TempDir()
	d := &desk{t: t, now: noon, courier: &courier{
		targets: targetsNamed(names...), tried: map[string]int{}, took: map[string][]string{}, texts: map[string]map[string]bool{},
	}}
	clock := func() time.Time { return d.now }
	s := must(store.Open(t.Context(), filepath.Join(dir, store.FileName), store.ReadWrite))
	t.Cleanup(func() { ok(t, s.Close()) })
	s.Now = clock
	d.Delivery = Delivery{
		Store: s, Courier: d.courier, Now: clock, Dir: dir, Host: "box",
		Redact: func(text string) string { return strings.ReplaceAll(text, "hunter22", "[redacted]") },
	}
	return d
}

// queue adds a separate message for each title.
func (d *desk) queue(titles ...string) {
	d.t.Helper()
	for _, title := range titles {
		d.put(store.Notification{Kind: store.Message, Title: title})
	}
}

func (d *desk) put(n store.Notification) {
	d.t.Helper()
	if id, err := Queue(d.t.Context(), d.Store, n); err != nil || id == 0 {
		d.t.Fatalf("queue %+v: %v", n, err)
	}
}

func (d *desk) run() Report {
	d.t.Helper()
	report, err := d.Run(d.t.Context())
	ok(d.t, err)
	return report
}

// later advances the clock and runs a delivery.
func (d *desk) later(after time.Duration) Report {
	d.t.Helper()
	d.now = d.now.Add(after)
	return d.run()
}

func (d *desk) failing() (names []string) {
	d.t.Helper()
	for _, t := range must(d.Store.FailingTargets(d.t.Context())) {
		names = append(names, t.Name)
	}
	return names
}

// down returns an answer by which some targets cannot be reached.
func down(names ...string) func(context.Context, string, Message) error {
	return func(_ context.Context, target string, _ Message) error {
		for _, name := range names {
			if name == target {
				return errDown
			}
		}
		return nil
	}
}

func TestEachTargetGetsEachMessageOnceInOrder(t *testing.T) {
	d := newDesk(t, "a", "b")
	d.queue("1", "2", "3")
	same(t, d.run(), Report{Sent: 3})
	same(t, d.took, map[string][]string{"a": {"1", "2", "3"}, "b": {"1", "2", "3"}})
	d.queue("4")
	same(t, d.later(time.Hour), Report{Sent: 1})
	same(t, d.later(time.Hour), Report{})
	same(t, d.took["a"], []string{"1", "2", "3", "4"})
	for _, n := range must(d.Store.Notifications(t.Context(), store.NotificationFilter{})) {
		if n.DeliveredAt == nil {
			t.Errorf("%q is not delivered", n.Title)
		}
	}
}

func TestWhereNothingWaitsNothingIsTouched(t *testing.T) {
	d := newDesk(t, "a")
	same(t, d.run(), Report{})
	if _, err := os.Lstat(filepath.Join(d.Dir, LockName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a lock was taken: %v", err)
	}
	d.queue("1")
	d.run()
	if _, err := os.Lstat(filepath.Join(d.Dir, LockName)); err != nil {
		t.Errorf("no lock was taken for what waits: %v", err)
	}
}

func TestWithoutTargetsEverythingWaits(t *testing.T) {
	d := newDesk(t, "a")
	d.queue("1")
	d.answer = down("a")
	d.run()
	d.targets = nil
	d.queue("2")
	same(t, d.run(), Report{})
	same(t, len(d.failing()), 0)
	if n := must(d.Store.Notification(t.Context(), 2)); n.MessageID != nil || n.Attempts != 0 || n.DeliveredAt != nil {
		t.Errorf("it is %+v", n)
	}
	d.targets, d.answer = targetsNamed("b"), nil
	same(t, d.run(), Report{Sent: 2})
	same(t, d.took, map[string][]string{"b": {"1", "2"}})
}

func TestAServerThatWasDownGetsEverythingInOrderOnce(t *testing.T) {
	d := newDesk(t, "a")
	d.answer = down("a")
	for i := range 3 {
		d.put(store.Notification{Kind: store.HumanAttention, Service: fmt.Sprint("s", i), Title: fmt.Sprintf("s%d needs human attention", i)})
		d.queue(fmt.Sprint("message of cycle ", i))
		same(t, d.later(time.Hour), Report{Waiting: 2 * (i + 1), Failures: []Undelivered{{"a", "connection refused", d.now.Add(time.Minute << i)}}})
	}
	same(t, d.tried["a"], 2+3+3) // three messages at most in each delivery
	d.answer = nil
	same(t, d.later(time.Hour), Report{Sent: 6})
	same(t, d.took["a"], []string{
		"s0 needs human attention", "message of cycle 0", "s1 needs human attention", "message of cycle 1", "s2 needs human attention", "message of cycle 2",
	})
	same(t, len(d.failing()), 0)
	same(t, d.later(time.Hour), Report{})
}

func TestATargetThatFailsIsLeftAloneForAWhile(t *testing.T) {
	d := newDesk(t, "a")
	d.answer = down("a")
	d.queue("1")
	for i, minutes := range []int{1, 2, 4, 8, 15, 15} {
		wait := time.Duration(minutes) * time.Minute
		same(t, d.run().Failures, []Undelivered{{"a", "connection refused", d.now.Add(wait)}})
		same(t, d.later(wait-time.Millisecond), Report{Waiting: 1}) // not tried yet
		same(t, d.tried["a"], i+1)
		d.now = d.now.Add(time.Millisecond)
	}
	same(t, must(d.Store.FailingTargets(t.Context())), []store.FailingTarget{{
		Hash: "hash of a", Name: "a", FailingSince: noon, Attempts: 6, RetryAt: d.now, LastError: "connection refused",
	}})
	n := must(d.Store.Notification(t.Context(), 1))
	same(t, []any{n.Attempts, n.LastError}, []any{6, "connection refused"})

	d.now = noon.Add(-48 * time.Hour) // the clock is set back
	d.answer = nil
	same(t, d.run(), Report{Sent: 1})
}

func TestATargetThatFailsIsNotTheOthersConcern(t *testing.T) {
	d := newDesk(t, "a", "b")
	d.answer = down("b")
	d.queue("1", "2")
	same(t, d.run(), Report{Waiting: 2, Failures: []Undelivered{{"b", "connection refused", noon.Add(time.Minute)}}})
	same(t, d.later(time.Hour).Waiting, 2)
	same(t, d.took, map[string][]string{"a": {"1", "2"}})
	same(t, d.failing(), []string{"b"})
	d.answer = nil
	same(t, d.later(time.Hour), Report{Sent: 2})
	same(t, d.took, map[string][]string{"a": {"1", "2"}, "b": {"1", "2"}})
}

func TestARefusedMessageHoldsNothingUp(t *testing.T) {
	d := newDesk(t, "a", "b")
	d.answer = func(_ context.Context, target string, m Message) error {
		if target == "a" && m.Title == "2" {
			return errors.New("answered 413: too long")
		}
		return nil
	}
	d.queue("1", "2", "3")
	same(t, d.run(), Report{Sent: 2, Waiting: 1, Failures: []Undelivered{{"a", "answered 413: too long", noon.Add(time.Minute)}}})
	same(t, d.took, map[string][]string{"a": {"1", "3"}, "b": {"1", "2", "3"}})
	same(t, len(d.failing()), 0)
	n := must(d.Store.Notification(t.Context(), 2))
	same(t, []any{n.Attempts, n.LastError, n.NextAttemptAt}, []any{1, "a: answered 413: too long", noon.Add(time.Minute)})

	d.queue("4")
	same(t, d.later(time.Second), Report{Sent: 1, Waiting: 1}) // not due yet
	same(t, d.tried["a"], 4)
	same(t, d.later(time.Hour).Waiting, 1) // alone, it says nothing of the target
	same(t, d.tried["a"], 5)
	same(t, len(d.failing()), 0)
	d.answer = nil
	same(t, d.later(time.Hour), Report{Sent: 1})
	same(t, d.took, map[string][]string{"a": {"1", "3", "4", "2"}, "b": {"1", "2", "3", "4"}})
}

// Nor do several: the newest shows that the target takes others.
func TestSeveralRefusedMessagesHoldNothingUp(t *testing.T) {
	d := newDesk(t, "a")
	d.answer = func(_ context.Context, _ string, m Message) error {
		if m.Title < "5" {
			return errors.New("answered 413: too long")
		}
		return nil
	}
	d.queue("1", "2", "3", "4", "5", "6")
	same(t, d.run().Sent, 2)
	same(t, d.took["a"], []string{"6", "5"})
	same(t, len(d.failing()), 0)
}

// A target that gives no answer is asked once.
func TestATargetThatHangsIsTriedOnce(t *testing.T) {
	d := newDesk(t, "a")
	d.answer = func(context.Context, string, Message) error { return errUnanswered }
	d.queue("1", "2", "3")
	d.run()
	same(t, d.tried["a"], 1)
	same(t, d.failing(), []string{"a"})
}

// What comes last and is not taken may be the target's fault: the messages after the next success show that it was not.
func TestAFailureIsTheTargetsUntilItTakesAnother(t *testing.T) {
	d := newDesk(t, "a")
	d.answer = func(_ context.Context, _ string, m Message) error {
		if m.Title == "2" {
			return errDown
		}
		return nil
	}
	d.queue("1", "2")
	same(t, d.run(), Report{Sent: 1, Waiting: 1, Failures: []Undelivered{{"a", "connection refused", noon.Add(time.Minute)}}})
	same(t, d.failing(), []string{"a"})
	d.queue("3")
	same(t, d.later(time.Hour).Sent, 1)
	same(t, d.took["a"], []string{"1", "3"})
	same(t, len(d.failing()), 0)
}

func TestTargetsThatChange(t *testing.T) {
	d := newDesk(t, "a", "b")
	d.answer = down("b")
	d.queue("1", "2")
	d.run()
	d.targets = targetsNamed("a", "c") // replaces b
	d.queue("3")
	same(t, d.later(time.Hour), Report{Sent: 3})
	same(t, d.took, map[string][]string{"a": {"1", "2", "3"}, "c": {"1", "2", "3"}})
	same(t, len(d.failing()), 0)

	d.queue("4")
	d.answer = down("c")
	d.later(time.Hour)
	d.targets = targetsNamed("a") // all messages have now reached every target
	same(t, d.later(time.Hour), Report{})
	same(t, len(d.failing()), 0)
	d.targets = targetsNamed("a", "c", "d") // new targets do not get what was delivered before
	d.answer = nil
	same(t, d.later(time.Hour), Report{})
	same(t, d.took, map[string][]string{"a": {"1", "2", "3", "4"}, "c": {"1", "2", "3"}})
}

func TestTroublesOfOneCycleAreOneMessageThatDoesNotChange(t *testing.T) {
	d := newDesk(t, "a", "b")
	d.answer = down("b")
	for i := range 30 {
		d.put(store.Notification{Kind: store.HumanAttention, Service: fmt.Sprint("s", i), Title: fmt.Sprintf("s%d needs human attention", i), Body: "It is down."})
	}
	same(t, d.run().Waiting, 1)
	d.put(store.Notification{Kind: store.HumanAttention, Service: "later", Title: "later needs human attention"})
	d.later(time.Hour)
	d.answer = nil
	same(t, d.later(time.Hour).Sent, 2)
	want := []string{"30 services need human attention: s0, s1, s2 …", "later needs human attention"}
	same(t, d.took, map[string][]string{"a": want, "b": want})
	for title, bodies := range d.texts {
		if len(bodies) != 1 {
			t.Errorf("%q had %d texts: %v", title, len(bodies), bodies)
		}
	}
}

func TestASecretThatIsKnownByNowIsNotSent(t *testing.T) {
	d := newDesk(t, "a", "b")
	d.answer = func(_ context.Context, target string, m Message) error {
		if strings.Contains(m.Title+m.Body, "hunter") {
			t.Errorf("sent: %q, %q", m.Title, m.Body)
		}
		if target == "b" {
			return errors.New("no route for hunter22\n\x1b[31mat all")
		}
		return nil
	}
	d.put(store.Notification{Kind: store.Message, Title: "password hunter22", Body: strings.Repeat("x", 900) + strings.Repeat(" hunter22", 300)})
	same(t, d.run().Failures, []Undelivered{{"b", "no route for [redacted] at all", noon.Add(time.Minute)}})
	same(t, must(d.Store.Notification(t.Context(), 1)).LastError, "no route for [redacted] at all")
	same(t, d.took["a"], []string{"password [redacted]"})
}

// hang does not answer before ctx ends.
func hang(ctx context.Context, _ string, _ Message) error {
	<-ctx.Done()
	return errors.New("no answer: " + ctx.Err().Error())
}

// limited is a context that the test can end as if its deadline were exceeded.
type limited struct {
	context.Context
	over chan struct{}
}

func (c limited) Done() <-chan struct{} { return c.over }

func (c limited) Err() error {
	select {
	case <-c.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestADeadServerKeepsNothingFromTheOthers(t *testing.T) {
	d := newDesk(t, "dead", "alive")
	ctx := limited{t.Context(), make(chan struct{})}
	asked := make(chan struct{})
	d.answer = func(ctx context.Context, target string, m Message) error {
		if target == "dead" {
			close(asked)
			return hang(ctx, target, m)
		}
		if m.Title == "2" {
			<-asked
			close(ctx.(limited).over)
		}
		return nil
	}
	d.queue("1", "2")
	report := must(d.Run(ctx))
	same(t, report, Report{Waiting: 2, Failures: []Undelivered{{"dead", "no answer: context deadline exceeded", noon.Add(time.Minute)}}})
	same(t, d.took, map[string][]string{"alive": {"1", "2"}})
	same(t, d.tried["dead"], 1)
}

func TestTheEndOfTheTimeIsNoFailureOfATargetThatWorks(t *testing.T) {
	d := newDesk(t, "a")
	ctx := limited{t.Context(), make(chan struct{})}
	d.answer = func(ctx context.Context, target string, m Message) error {
		if m.Title == "2" {
			close(ctx.(limited).over)
			return hang(ctx, target, m)
		}
		return nil
	}
	d.queue("1", "2", "3")
	same(t, must(d.Run(ctx)), Report{Sent: 1, Waiting: 2})
	same(t, len(d.failing()), 0)
	d.answer = nil
	same(t, d.run(), Report{Sent: 2})
	same(t, d.took["a"], []string{"1", "2", "3"})
}

func TestASignalIsNoFailureOfATarget(t *testing.T) {
	d := newDesk(t, "a", "b")
	ctx, cancel := context.WithCancel(t.Context())
	sending := make(chan struct{})
	d.answer = func(_ context.Context, target string, m Message) error {
		if target == "b" {
			<-sending
			cancel()
			return hang(ctx, target, m)
		}
		close(sending)
		<-ctx.Done() // it is accepted nevertheless, which is recorded
		return nil
	}
	d.queue("1", "2")
	same(t, must(d.Run(ctx)), Report{Waiting: 2})
	same(t, must(d.Run(ctx)), Report{Waiting: 2}) // nothing more is sent
	same(t, d.took, map[string][]string{"a": {"1"}})
	same(t, len(d.failing()), 0)
	d.answer = nil
	same(t, d.run(), Report{Sent: 2})
	same(t, d.took, map[string][]string{"a": {"1", "2"}, "b": {"1", "2"}})
}

func TestOneDeliversAtATime(t *testing.T) {
	d := newDesk(t, "a")
	d.queue("1")
	lock := must(statedir.TryAcquire(filepath.Join(d.Dir, LockName)))
	over := limited{t.Context(), make(chan struct{})}
	close(over.over)
	same(t, must(d.Run(over)), Report{Waiting: 1, Busy: true})
	same(t, d.tried["a"], 0)
	done := make(chan Report)
	go func() { done <- must(d.Run(t.Context())) }()
	ok(t, lock.Release())
	same(t, <-done, Report{Sent: 1}) // it waited for the lock
}

func TestADatabaseThatFailsStopsTheTargetItIsAbout(t *testing.T) {
	d := newDesk(t, "a")
	d.queue("1", "2")
	broken := must(store.Open(t.Context(), filepath.Join(d.Dir, store.FileName), store.ReadWrite))
	d.Store = broken
	d.answer = func(context.Context, string, Message) error { return broken.Close() }
	if report, err := d.Run(t.Context()); err == nil {
		t.Errorf("no error, but %+v", report)
	}
	same(t, d.took["a"], []string{"1"}) // delivery stops, because it cannot be recorded
}

func TestAMessageCanBeSentWithoutTheDatabase(t *testing.T) {
	d := newDesk(t, "a", "b")
	d.Store, d.answer = nil, down("b")
	same(t, fmt.Sprint(d.SendDirectly(t.Context(), Message{Title: "claudeops failed", Body: "on box"})), "[{a <nil>} {b connection refused}]")
	same(t, d.took, map[string][]string{"a": {"claudeops failed"}})
}

func TestAMessageHasANumber(t *testing.T) {
	d := newDesk(t, "a")
	d.queue("1", "2")
	d.run()
	for title, bodies := range d.texts {
		for body := range bodies {
			if !regexp.MustCompile(`(^|\n\n)claudeops on box, message ` + title + `$`).MatchString(body) {
				t.Errorf("message %s ends %q", title, body)
			}
		}
	}
	same(t, len(d.texts), 2)
}
