package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/seeded"
)

const (
	askedPerSecond = 50
	askedFor       = 20 * time.Second
)

// BenchmarkDashboard requests pages of the built program's dashboard, over 100,000 sessions, 1,000,000 check results and 500 services, 50
// times a second for 20 s each. Requests start by the clock, whether or not earlier ones have ended, and their time counts from when they
// were due, so that waiting behind a slow one counts. Goals: a p95 of at most 50 ms for / and /sessions, and of 30 ms for /sessions/{id};
// no growth of memory; and a healthy cycle of 500 services that is at most 5 % slower while 50 requests a second are answered.
func BenchmarkDashboard(b *testing.B) {
	program := release(b, "claudeops")
	lab, err := seeded.Load(b.Context(), b.TempDir(), time.Now())
	if err != nil {
		b.Fatal(err)
	}
	d := serveDashboard(b, program, lab.EnvFile)
	asset := d.asset(b)
	for _, path := range []string{"/", "/sessions", "/sessions/1", asset} { // fills the caches
		d.ask(b, path)
	}
	random := newRandomIDs()
	addresses := []struct {
		name string
		path func() string
	}{
		{"asset", func() string { return asset }},
		{"home", func() string { return "/" }},
		{"sessions", func() string { return "/sessions" }},
		{"session", func() string { return "/sessions/" + strconv.Itoa(random()) }},
		{"service", func() string { return "/services/" + seeded.LoadService(random()%seeded.LoadServices) }},
	}
	before := d.rss(b)
	static := time.Duration(0)
	for _, a := range addresses {
		b.Run(a.name, func(b *testing.B) {
			for b.Loop() {
				worked := d.cpu(b)
				took := d.load(b, askedPerSecond, askedFor, a.path)
				b.ReportMetric(milliseconds(d.cpu(b)-worked)/float64(len(took)), "cpu-ms/request")
				p95 := share(took, 0.95)
				if a.name == "asset" {
					static = p95
				}
				b.ReportMetric(milliseconds(share(took, 0.5)), "ms/p50")
				b.ReportMetric(milliseconds(p95), "ms/p95")
				b.ReportMetric(milliseconds(share(took, 0.99)), "ms/p99")
				if static > 0 { // as part of the load
					b.ReportMetric(float64(p95)/float64(static), "x-static")
				}
				b.ReportMetric(0, "ns/op")
			}
		})
	}
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
			b.ReportMetric(float64(before)/1024, "MB/before")
			b.ReportMetric(float64(d.rss(b))/1024, "MB/behind")
			b.ReportMetric(0, "ns/op")
		}
	})
	b.Run("cycle", func(b *testing.B) { besideCycles(b, program, lab, d, random) })
}

// besideCycles runs cycles that write to the dashboard's database, alternately without and with requests to it.
func besideCycles(b *testing.B, program string, lab *seeded.Lab, d *servedDashboard, random func() int) {
	path, _ := fleet(b, seeded.LoadServices)
	cycle := func() time.Duration {
		cmd := exec.Command(program, "run-once", "--env-file", lab.EnvFile)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "CLAUDEOPS_TIER1_AGENT=probe", "CLAUDEOPS_INVENTORY=" + path, "CLAUDEOPS_RETENTION=1440h"}
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("run-once: %v\n%s", err, out)
		}
		return time.Since(start)
	}
	cycle() // none of the services is known to the first
	pages := []func() string{
		func() string { return "/" }, func() string { return "/sessions" }, func() string { return "/sessions/" + strconv.Itoa(random()) },
	}
	var took [2][]time.Duration
	for b.Loop() {
		for len(took[0]) < leastPairs {
			took[0] = append(took[0], cycle())
			loaded, done := context.WithCancel(b.Context())
			var asking sync.WaitGroup
			asking.Go(func() {
				n := 0
				d.loadUntil(loaded, b, askedPerSecond, func() string { n++; return pages[n%len(pages)]() })
			})
			took[1] = append(took[1], cycle())
			done()
			asking.Wait()
		}
	}
	alone, beside := median(took[0]), median(took[1])
	b.ReportMetric(milliseconds(alone), "ms/alone")
	b.ReportMetric(milliseconds(beside), "ms/beside")
	b.ReportMetric(float64(beside)/float64(alone), "x-alone")
	b.ReportMetric(0, "ns/op")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// share returns the longest time of this share of the requests.
func share(took []time.Duration, of float64) time.Duration {
	slices.Sort(took)
	return took[min(len(took)-1, int(of*float64(len(took))))]
}

// newRandomIDs returns a generator of session ids from the whole load, the same in every run.
func newRandomIDs() func() int {
	var mu sync.Mutex
	state := uint64(1)
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		state = state*6364136223846793005 + 1442695040888963407
		return 1 + int(state>>33)%seeded.LoadSessions
	}
}

// servedDashboard is a dashboard in its own process.
type servedDashboard struct {
	base   string
	pid    int
	client *http.Client
}

func serveDashboard(b *testing.B, program, envFile string) *servedDashboard {
	b.Helper()
	cmd := exec.Command(program, "dashboard", "--env-file", envFile, "--addr", "127.0.0.1:0")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.TempDir()}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			b.Error(err)
		}
		_ = cmd.Wait() // ended by the signal
	})
	said, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatalf("the dashboard said %q: %v", said, err)
	}
	base := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(said), "dashboard: "), "/")
	return &servedDashboard{base, cmd.Process.Pid, &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
}

// ask requests a page and returns the time until all of it has arrived.
func (d *servedDashboard) ask(b *testing.B, path string) []byte {
	answer, err := d.client.Get(d.base + path)
	if err != nil {
		b.Errorf("%s: %v", path, err)
		return nil
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK {
		b.Errorf("%s: %s: %v\n%.500s", path, answer.Status, err, body)
	}
	return body
}

// asset returns the URL of the style sheet: a file from the same server.
func (d *servedDashboard) asset(b *testing.B) string {
	b.Helper()
	found := regexp.MustCompile(`href="(/assets/[^"]*\.css[^"]*)"`).FindSubmatch(d.ask(b, "/settings"))
	if found == nil {
		b.Fatal("the pages have no style sheet")
	}
	return string(found[1])
}

// load sends requests at a rate for some time, and returns how long each took from when it was due.
func (d *servedDashboard) load(b *testing.B, perSecond int, lasts time.Duration, path func() string) []time.Duration {
	ctx, cancel := context.WithTimeout(b.Context(), lasts)
	defer cancel()
	return d.loadUntil(ctx, b, perSecond, path)
}

func (d *servedDashboard) loadUntil(ctx context.Context, b *testing.B, perSecond int, path func() string) []time.Duration {
	var asking sync.WaitGroup
	var mu sync.Mutex
	var took []time.Duration
	began := time.Now()
	for n := 0; ; n++ {
		due := began.Add(time.Duration(n) * time.Second / time.Duration(perSecond))
		select {
		case <-ctx.Done():
			asking.Wait()
			return took
		case <-time.After(time.Until(due)):
		}
		asking.Go(func() {
			d.ask(b, path())
			mu.Lock()
			defer mu.Unlock()
			took = append(took, time.Since(due))
		})
	}
}

// cpu returns the processor time of the process, which depends less on other load than elapsed time.
func (d *servedDashboard) cpu(b *testing.B) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(d.pid), "stat"))
	if err != nil {
		b.Fatal(err)
	}
	_, behind, _ := strings.Cut(string(stat), ") ") // the program's name before it may contain anything
	fields := strings.Fields(behind)
	var ticks int64
	for _, field := range fields[11:13] { // utime and stime; see proc_pid_stat(5)
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100 // USER_HZ, on every architecture that Go runs on
}

// rss returns the memory of the process, in KiB.
func (d *servedDashboard) rss(b *testing.B) int64 {
	b.Helper()
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(d.pid), "status"))
	if err != nil {
		b.Fatal(err)
	}
	found := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		b.Fatalf("no VmRSS in %s", fmt.Sprintf("%.200s", status))
	}
	size, err := strconv.ParseInt(string(found[1]), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return size
}
