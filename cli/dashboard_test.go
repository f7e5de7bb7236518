package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestNamesOfHosts(t *testing.T) {
	var hosts []string
	for _, good := range []string{"ops.example.org", "Desk", "192.0.2.1", "::1", "a_b-c"} {
		host, err := hostName(good)
		if err != nil {
			t.Errorf("%q: %v", good, err)
		}
		hosts = append(hosts, host)
	}
	if got := strings.Join(hosts, " "); got != "ops.example.org desk 192.0.2.1 ::1 a_b-c" {
		t.Errorf("%q", got)
	}
	for _, bad := range []string{"", "http://ops.example.org", "ops.example.org:8080", "ops.example.org/", "a b", "*.example.org", "ä.example.org"} {
		if _, err := hostName(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestWhereABrowserFindsIt(t *testing.T) {
	host, err := os.Hostname()
	must(err)
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080/", "[::1]:80": "http://[::1]:80/", "[::]:8080": "http://" + host + ":8080/", "0.0.0.0:1": "http://" + host + ":1/",
	} {
		if got := dashboardURL(addr); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}

// instance is a state directory of its own, whose dashboard is opened.
type instance struct {
	t   *testing.T
	dir string
	log lockedBuffer
	app *app
}

// lockedBuffer is a buffer that goroutines share.
type lockedBuffer struct {
	mu      sync.Mutex
	text    bytes.Buffer
	wanted  string // what somebody waits for
	arrived chan struct{}
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, err := b.text.Write(p)
	if b.arrived != nil && strings.Contains(b.text.String(), b.wanted) {
		close(b.arrived)
		b.arrived = nil
	}
	return n, err
}

// awaited is closed once a text is written that is not there yet.
func (b *lockedBuffer) awaited(text string) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wanted, b.arrived = text, make(chan struct{})
	return b.arrived
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func newInstance(t *testing.T, variables ...string) *instance {
	t.Helper()
	i := &instance{t: t, dir: filepath.Join(t.TempDir(), "state")}
	must(os.Mkdir(i.dir, 0o700))
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "CLAUDEOPS_") {
			t.Setenv(name, "")
		}
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("CLAUDEOPS_STATE_DIR", i.dir)
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	i.app = &app{Streams: Streams{Out: &bytes.Buffer{}, Err: &i.log, Now: func() time.Time { return now }}}
	i.app.envFile = filepath.Join(t.TempDir(), "env")
	must(os.WriteFile(i.app.envFile, nil, 0o600))
	t.Cleanup(func() { must(unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0)) })
	return i
}

// options opens the dashboard.
func (i *instance) options(flags dashboardFlags) (dashboard.Options, error) {
	return i.app.dashboardOptions(i.load(), &flags)
}

func (i *instance) load() *loaded {
	l, err := i.app.load()
	must(err)
	return l
}

func (i *instance) own() dashboard.Options {
	i.t.Helper()
	o, err := i.options(dashboardFlags{})
	if err != nil {
		i.t.Fatal(err)
	}
	return o
}

func (i *instance) events() (messages []string) {
	i.t.Helper()
	s, err := store.Open(i.t.Context(), filepath.Join(i.dir, store.FileName), store.ReadOnly)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	must(err)
	all, err := s.Events(i.t.Context(), store.EventFilter{})
	must(errors.Join(err, s.Close()))
	for _, e := range all {
		messages = append(messages, strings.TrimSpace(e.Service+" "+e.Message))
	}
	return messages
}

func TestTheDashboardOfThisInstance(t *testing.T) {
	i := newInstance(t, "CLAUDEOPS_DASHBOARD_TOKEN=0123456789abcdef", "CLAUDEOPS_DASHBOARD_ADDR=:9090")
	o, err := i.options(dashboardFlags{hosts: []string{"ops.example.org"}})
	must(err)
	if o.Addr != ":9090" || o.Token != "0123456789abcdef" || !slices.Equal(o.Hosts, []string{"ops.example.org"}) || o.Config.StateDir != i.dir {
		t.Errorf("%+v", o)
	}
	if got := o.Redactor.String("the token 0123456789abcdef"); strings.Contains(got, "abcdef") {
		t.Errorf("the token is shown: %s", got)
	}
	for _, v := range o.Variables {
		if strings.Contains(v.Value, "abcdef") {
			t.Errorf("%s is shown as %s", v.Name, v.Value)
		}
	}
	if dumpable, _, _ := unix.Syscall6(unix.SYS_PRCTL, unix.PR_GET_DUMPABLE, 0, 0, 0, 0, 0); dumpable != 0 {
		t.Error("other processes of this user can read the token in the memory of this one")
	}
}

func TestAgentsServeNoDashboard(t *testing.T) {
	for _, variable := range []string{"CLAUDEOPS_TIER=2", "CLAUDEOPS_SESSION_ID=7", "CLAUDEOPS_RUN_TOKEN=0123456789abcdef"} {
		i := newInstance(t, variable)
		if _, err := i.options(dashboardFlags{}); err == nil || !strings.Contains(err.Error(), "for operators") {
			t.Errorf("%s: %v", variable, err)
		}
	}
}

func TestCountersAreResetOnTheDashboard(t *testing.T) {
	i := newInstance(t)
	if err := i.own().ResetCounters(t.Context(), "shop", "page, from 192.0.2.7"); !errors.Is(err, store.ErrNotFound) || !strings.HasPrefix(err.Error(), "shop: no service of that name") {
		t.Errorf("an unknown service: %v", err)
	}
	at := statefile.At(i.app.Now().Add(-time.Hour))
	st := statefile.New()
	st.Add("shop", statefile.Restart, statefile.Record{Timestamp: at, Success: true})
	i.cooldowns(st)
	must(i.own().ResetCounters(t.Context(), "shop", "page, from 192.0.2.7"))
	l, err := i.app.load()
	must(err)
	b, err := ledger.Open(t.Context(), l.config, l.redactor, i.app.Now, store.ReadOnly)
	must(err)
	defer b.Close()
	now, err := state.Of(t.Context(), b)
	must(err)
	if p := now.Service("shop").Permission(statefile.Restart); p.Used != 0 {
		t.Errorf("%+v", p)
	}
	if diff := cmp.Diff([]string{"shop counters emptied (page, from 192.0.2.7)"}, i.events()); diff != "" {
		t.Error(diff)
	}
}

// cooldowns writes cooldown.json.
func (i *instance) cooldowns(st *statefile.State) {
	i.t.Helper()
	f := statefile.File{Path: statefile.Path(i.dir), Now: i.app.Now}
	_, err := f.Update(i.t.Context(), func(was *statefile.State) error {
		*was = *st
		return nil
	})
	must(err)
}

// A cycle waits for nobody, and nobody waits for one.
func TestCountersAreResetAtOnceWhileACycleRuns(t *testing.T) {
	i := newInstance(t)
	st := statefile.New()
	st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(i.app.Now()), Success: true})
	i.cooldowns(st)
	own := i.own()
	release, err := cycle.Lock(i.dir)
	must(err)
	defer func() { must(release()) }()
	var group sync.WaitGroup
	faults := make([]error, 8)
	for n := range faults {
		group.Go(func() { faults[n] = own.ResetCounters(t.Context(), "shop", "page, from 192.0.2.7") })
	}
	group.Wait()
	if err := errors.Join(faults...); err != nil {
		t.Error(err)
	}
}

func TestAnInventoryIsReadAgainWhenItHasChanged(t *testing.T) {
	i := newInstance(t)
	path := filepath.Join(i.dir, "services.yaml")
	write := func(text string) {
		must(os.WriteFile(path+".new", []byte(text), 0o600))
		must(os.Rename(path+".new", path))
	}
	const services = "services: [{name: %s, checks: [{type: service, address: \"127.0.0.1:1\"}]}]\n"
	write(fmt.Sprintf(services, "shop"))
	t.Setenv("CLAUDEOPS_INVENTORY", path)
	own := i.own()
	knows := func(name string) bool {
		_, known := own.Inventory().Get(name)
		return known
	}
	if !knows("shop") {
		t.Error("shop is not known")
	}
	write(fmt.Sprintf(services, "blog"))
	if knows("shop") || !knows("blog") {
		t.Error("the new inventory is not read")
	}
	write("services: what")
	known := knows("blog")
	if !known || !knows("blog") || strings.Count(i.log.String(), "level=WARN") != 1 {
		t.Errorf("while it is faulty: the last one is to count, and one warning is to be there:\n%s", i.log.String())
	}
	must(os.Remove(path))
	if !knows("blog") {
		t.Error("while it is gone, the last one is to count")
	}
	write(fmt.Sprintf(services, "mail"))
	if !knows("mail") {
		t.Error("the inventory is not read when it is back")
	}
}

// serves has the app's dashboard served by a function.
func (i *instance) serves(f func(context.Context, dashboard.Options) error) { i.app.Dashboard = f }

func TestTheDashboardSaysWhereItListens(t *testing.T) {
	for name, want := range map[string]string{"text": "dashboard: http://127.0.0.1:4711/\n", "json": "{\n  \"addr\": \"127.0.0.1:4711\",\n  \"url\": \"http://127.0.0.1:4711/\"\n}\n"} {
		i := newInstance(t)
		i.app.json = name == "json"
		ctx, cancel := context.WithCancelCause(t.Context())
		i.serves(func(ctx context.Context, o dashboard.Options) error {
			o.Listening("127.0.0.1:4711")
			cancel(SignalError{syscall.SIGTERM})
			<-ctx.Done()
			return nil
		})
		err := i.app.serveDashboard(ctx, i.load(), &dashboardFlags{})
		if got := i.app.Out.(*bytes.Buffer).String(); got != want {
			t.Errorf("%s: %q", name, got)
		}
		if code := i.app.exitCode(ctx, err); code != 128+int(syscall.SIGTERM) || strings.Contains(i.log.String(), "claudeops:") {
			t.Errorf("%s: exit %d\n%s", name, code, i.log.String())
		}
	}
}

func TestAnAddressThatIsTakenIsAClearError(t *testing.T) {
	i := newInstance(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	defer taken.Close()
	i.serves(func(_ context.Context, o dashboard.Options) error {
		_, err := net.Listen("tcp", o.Addr)
		return err
	})
	err = i.app.serveDashboard(t.Context(), i.load(), &dashboardFlags{addr: taken.Addr().String()})
	want := "the dashboard cannot listen on " + taken.Addr().String() + ": another program does already, perhaps a dashboard that runs; end it, or name another with --addr or CLAUDEOPS_DASHBOARD_ADDR"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if _, err = i.app.besideCron(t.Context(), i.app.loaded, &dashboardFlags{addr: taken.Addr().String()}); err == nil || err.Error() != want {
		t.Errorf("beside cron: %v", err)
	}
}

func TestBesideCronADashboardGoesOnUntilCronEnds(t *testing.T) {
	i := newInstance(t)
	i.configure("CLAUDEOPS_DASHBOARD_ADDR=127.0.0.1:0\n")
	ended := make(chan struct{})
	i.serves(func(ctx context.Context, o dashboard.Options) error {
		defer close(ended)
		o.Listening("127.0.0.1:4711")
		<-ctx.Done()
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	end, err := i.app.besideCron(ctx, i.load(), &dashboardFlags{})
	must(err)
	cancel() // the signal: cron waits for its cycle
	select {
	case <-ended:
		t.Error("it ended with the signal")
	default:
	}
	end()
	<-ended
	if log := i.log.String(); !strings.Contains(log, "msg=dashboard url=http://127.0.0.1:4711/") || strings.Contains(log, "ERROR") {
		t.Error(log)
	}
}

func TestBesideCronTheLogTellsOfADashboardThatEnds(t *testing.T) {
	i := newInstance(t)
	i.configure("CLAUDEOPS_DASHBOARD_ADDR=127.0.0.1:0\n")
	fail := make(chan error)
	i.serves(func(_ context.Context, o dashboard.Options) error {
		o.Listening("127.0.0.1:4711")
		return <-fail
	})
	end, err := i.app.besideCron(t.Context(), i.load(), &dashboardFlags{})
	must(err)
	told := i.log.awaited(`the dashboard has ended; cycles go on without it" reason="too many open files"`)
	fail <- errors.New("too many open files")
	<-told
	end()
}

// configure writes the environment file.
func (i *instance) configure(env string) { must(os.WriteFile(i.app.envFile, []byte(env), 0o600)) }
