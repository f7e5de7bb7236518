package probe

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/check"
)

// fakeHTTP is an http check whose attempt is a function of its service's name.
type fakeHTTP struct {
	HTTP
	attempt func(ctx context.Context, service string) check.Result
}

func (f *fakeHTTP) Prepare(_ *Client, _ *Check, service string) Try {
	return func(ctx context.Context) check.Result { return f.attempt(ctx, service) }
}

// faked returns services whose checks make these attempts.
func faked(services []Service, attempt func(ctx context.Context, service string) check.Result) []Service {
	for _, s := range services {
		for i := range s.Checks {
			s.Checks[i].Options = &fakeHTTP{HTTP{URL: s.Checks[i].About().Asked}, attempt}
		}
	}
	return services
}

// web returns a service with n http checks of a host.
func web(name, host string, n int) Service {
	s := Service{Name: name}
	for range n {
		s.Checks = append(s.Checks, Check{
			Type: check.HTTP, Timeout: 10 * time.Second, Attempts: 1, Options: &HTTP{URL: "http://" + host + "/"},
		})
	}
	return s
}

func hang(ctx context.Context) check.Result {
	<-ctx.Done()
	return check.Result{Status: check.Down, Error: "no answer"}
}

func TestRunReportsInTheInventorysOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		services := []Service{web("slow", "a", 1), web("fast", "b", 2), {Name: "unchecked"}, web("middle", "c", 1)}
		takes := map[string]time.Duration{"slow": 3 * time.Second, "fast": time.Second, "middle": 2 * time.Second}
		var came []string
		report := Run(t.Context(), faked(services, func(_ context.Context, name string) check.Result {
			time.Sleep(takes[name])
			return check.Result{Status: check.Healthy, ResponseTimeMS: milliseconds(takes[name])}
		}), Settings{}, Bounds{}, func(r check.Result) { came = append(came, r.Service) })
		if got := strings.Join(came, " "); got != "fast fast middle slow" {
			t.Errorf("results came as %s", got)
		}
		if got := serviceNames(report); got != "slow fast fast middle" {
			t.Errorf("results are %s", got)
		}
	})
}

func serviceNames(results []check.Result) string {
	var names []string
	for _, r := range results {
		names = append(names, r.Service)
	}
	return strings.Join(names, " ")
}

func TestRunOfNothing(t *testing.T) {
	report := Run(t.Context(), nil, Settings{}, Bounds{}, nil)
	if len(report) > 0 {
		t.Errorf("results %+v", report)
	}
}

// A host that hangs holds no more places than one host may, and every other check is made meanwhile.
func TestRunHoldsNoHostUpForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		services := []Service{web("hanging", "bad", 500)}
		for i := range 30 {
			services = append(services, web("good", fmt.Sprintf("host%d", i), 4))
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		good := 0
		report := Run(ctx, faked(services, func(ctx context.Context, name string) check.Result {
			if name == "hanging" {
				return hang(ctx)
			}
			return check.Result{Status: check.Healthy}
		}), Settings{}, Bounds{AtOnce: 3, PerHost: 2}, func(r check.Result) {
			if r.Service != "good" {
				t.Errorf("%s came before all good ones", r.Service)
			}
			if good++; good == 120 {
				cancel()
			}
		})
		if good != 120 || check.Worst(report)["hanging"] != check.Unknown {
			t.Errorf("%d good results, and hanging is %s; want 120, unknown", good, check.Worst(report)["hanging"])
		}
	})
}

func TestRunKeepsItsBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most, ofHost, mostOfHost := 0, 0, map[string]int{}, 0
		var services []Service
		for i := range 50 {
			name := fmt.Sprintf("host%d", i%7)
			services = append(services, web(name, name, 5))
		}
		calls := 0
		report := Run(t.Context(), faked(services, func(_ context.Context, name string) check.Result {
			mu.Lock()
			now++
			ofHost[name]++
			calls++
			most, mostOfHost = max(most, now), max(mostOfHost, ofHost[name])
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			now--
			ofHost[name]--
			mu.Unlock()
			return check.Result{Status: check.Healthy}
		}), Settings{}, Bounds{AtOnce: 10, PerHost: 3}, nil)
		if most != 10 || mostOfHost > 3 || calls != 250 || len(report) != 250 {
			t.Errorf("%d at once, %d of one host, %d attempts, %d results; want 10, at most 3, 250, 250", most, mostOfHost, calls, len(report))
		}
	})
}

// There was no time for the checks that the end of ctx prevents, whether they were running or waiting.
func TestRunEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		services := []Service{web("quick", "a", 1), web("hanging", "b", 3), web("deaf", "c", 1), web("waiting", "b", 1)}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		release := make(chan struct{})
		began := time.Now()
		report := Run(ctx, faked(services, func(ctx context.Context, name string) check.Result {
			switch name {
			case "hanging", "waiting": // one of them does not start
				return hang(ctx)
			case "deaf":
				<-release
			}
			return check.Result{Status: check.Healthy}
		}), Settings{}, Bounds{AtOnce: 10, PerHost: 3}, nil)
		took := time.Since(began)
		close(release)
		if want := 7 * time.Second; took != want {
			t.Errorf("it took %s; the deaf attempt is to be left after %s", took, want)
		}
		for _, r := range report {
			if made := r.Service == "quick"; made != (r.Status == check.Healthy) || made == (r.Error == check.NoTime) {
				t.Errorf("%+v", r)
			}
		}
	})
}

func TestReportHoldsFaultlessResults(t *testing.T) {
	statuses := []check.Status{check.Healthy, check.Degraded, check.Down, "", check.Unknown}
	var services []Service
	for i := range statuses {
		services = append(services, web(fmt.Sprint(i), "a", 1))
	}
	report := Run(t.Context(), faked(services, func(_ context.Context, name string) check.Result {
		return check.Result{Status: statuses[slices.Index([]string{"0", "1", "2", "3", "4"}, name)], Error: "a\x00\xff\x1b[31mb\n", ResponseTimeMS: milliseconds(1)}
	}), Settings{}, Bounds{}, nil)
	for _, r := range report {
		text, err := json.Marshal([]check.Result{r})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := check.ParseReport(text); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
		if (r.Status == check.Healthy) != (r.Error == "") {
			t.Errorf("%s with the error %q", r.Status, r.Error)
		}
	}
}

// If there is time for some of the checks only, not always the same ones are omitted.
func TestRunsDoNotAlwaysLeaveTheSameChecks(t *testing.T) {
	var services []Service
	for i := range 5 {
		services = append(services, web(fmt.Sprint(i), "a", 1))
	}
	first := map[string]bool{}
	for range 10_000 {
		var came []string
		Run(t.Context(), faked(services, func(context.Context, string) check.Result { return check.Result{Status: check.Healthy} }), Settings{},
			Bounds{AtOnce: 1}, func(r check.Result) { came = append(came, r.Service) })
		first[came[0]] = true
		slices.Sort(came)
		if !slices.Equal(came, []string{"0", "1", "2", "3", "4"}) {
			t.Fatalf("%v are the checks", came)
		}
		if len(first) == 5 {
			return
		}
	}
	t.Errorf("only %v come first", first)
}
