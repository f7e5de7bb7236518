package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// fleet returns an inventory of n services, each with one http check of a loopback server, and the URLs.
func fleet(b *testing.B, services int) (path string, urls []string) {
	b.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
	b.Cleanup(server.Close)
	var text bytes.Buffer
	text.WriteString("services:\n")
	for i := range services {
		url := fmt.Sprintf("%s/%05d", server.URL, i)
		urls = append(urls, url)
		fmt.Fprintf(&text, "  - name: service-%05d\n    checks:\n      - {type: http, url: %q, timeout: 5s}\n", i, url)
	}
	path = filepath.Join(b.TempDir(), "inventory.yaml")
	put(b, path, text.String())
	return path, urls
}

const perHost = 16 // the concurrency for one host

// BenchmarkProbeHTTP measures 1,000 http checks of a loopback server. Goals: in one process, at most 1.3 times a bare loop of net/http with
// the same concurrency; as a whole process, a tenth of curl's time.
func BenchmarkProbeHTTP(b *testing.B) {
	path, urls := fleet(b, 1000)
	b.Run("loop", func(b *testing.B) { versusLoop(b, path, urls) })
	b.Run("curl", func(b *testing.B) {
		program := release(b, "claudeops")
		list := filepath.Join(b.TempDir(), "urls")
		var lines bytes.Buffer
		for _, url := range urls {
			lines.WriteString(url + "\n")
		}
		put(b, list, lines.String())
		ours := rival{run: func() *exec.Cmd { return probing1000(program, path, "probe", "--json") }}
		curl := rival{run: func() *exec.Cmd {
			return exec.Command("sh", "-c", fmt.Sprintf("xargs -P %d -n 1 curl -s -o /dev/null < %s", perHost, list))
		}}
		versus(b, ours, curl)
	})
}

func probing1000(program, path string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, append(args, "--env-file", os.DevNull)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "CLAUDEOPS_INVENTORY=" + path}
	return cmd
}

// versusLoop runs both alternately in this process.
func versusLoop(b *testing.B, path string, urls []string) {
	inv, err := inventory.Read(path)
	if err != nil {
		b.Fatal(err)
	}
	settings := probe.Settings{Now: time.Now}
	var took [2][]time.Duration
	pair := func() {
		start := time.Now()
		report := probe.Run(context.Background(), inventory.Checked(inv.Services), settings, probe.Bounds{PerHost: perHost}, nil)
		took[0] = append(took[0], time.Since(start))
		if len(report) != len(urls) || report[0].Status != check.Healthy {
			b.Fatalf("%d results, the first %+v", len(report), report[0])
		}
		start = time.Now()
		bareLoop(b, urls)
		took[1] = append(took[1], time.Since(start))
	}
	for b.Loop() {
		pair()
	}
	for len(took[0]) < leastPairs {
		pair()
	}
	our, their := median(took[0]), median(took[1])
	b.ReportMetric(float64(our.Microseconds())/1000, "ms/run")
	b.ReportMetric(float64(their.Microseconds())/1000, "ms/bare")
	b.ReportMetric(float64(our)/float64(their), "x-bare")
	b.ReportMetric(0, "ns/op")
}

// bareLoop only requests each URL once, over a connection of its own, with limited concurrency.
func bareLoop(b *testing.B, urls []string) {
	web := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	next := make(chan string)
	var workers sync.WaitGroup
	for range perHost {
		workers.Go(func() {
			for url := range next {
				answer, err := web.Get(url)
				if err != nil {
					b.Error(err)
					continue
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
			}
		})
	}
	for _, url := range urls {
		next <- url
	}
	close(next)
	workers.Wait()
}

// BenchmarkProbeCycle measures the whole process of a healthy cycle of 50 services with the probes as Tier 1. Goals: at most 100 ms, and 40
// MB for the largest of its processes.
func BenchmarkProbeCycle(b *testing.B) {
	program := release(b, "claudeops")
	path, _ := fleet(b, 50)
	dir := b.TempDir()
	largest := int64(0)
	run := func() *exec.Cmd {
		cmd := probing1000(program, path, "run-once")
		cmd.Env = append(cmd.Env, "CLAUDEOPS_TIER1_AGENT=probe", "CLAUDEOPS_STATE_DIR="+filepath.Join(dir, "state"), "CLAUDEOPS_RESULTS_DIR="+filepath.Join(dir, "results"))
		return cmd
	}
	ours := rival{run: run}
	for range 3 {
		largest = max(largest, rss(b, run()))
	}
	versus(b, ours, hello(b))
	b.ReportMetric(float64(largest)/1024, "MB")
}

// BenchmarkProbeMemory measures how much more memory 10,000 services need than 100: for the file and the results, but not for the running
// checks.
func BenchmarkProbeMemory(b *testing.B) {
	program := release(b, "claudeops")
	for _, services := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(services), func(b *testing.B) {
			path, _ := fleet(b, services)
			for b.Loop() {
				b.ReportMetric(float64(rss(b, probing1000(program, path, "probe", "--json")))/1024, "MB")
				b.ReportMetric(float64(rss(b, probing1000(program, path, "probe", "validate")))/1024, "MB/file")
			}
		})
	}
}

// measured runs its arguments and prints the peak memory of their largest process, in KiB. It starts them itself, because a process's peak
// in Linux begins with that of its parent, and this test uses much memory.
const measured = `import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)`

// rss returns the peak memory of a command or any process of it, in KiB.
func rss(b *testing.B, cmd *exec.Cmd) int64 {
	b.Helper()
	outer := exec.Command("python3", append([]string{"-c", measured}, cmd.Args...)...)
	outer.Env = cmd.Env
	out, err := outer.Output()
	if err != nil {
		b.Fatalf("%q: %v\n%s", cmd.Args, err, out)
	}
	size, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return size
}
