package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkSession measures the time of each of 1,000 commands of one session, as seen by its agent, and the cycle's peak memory compared
// with a session without commands. A restart includes its reservation and the record of its outcome.
func BenchmarkSession(b *testing.B) {
	const commands = 1000
	program := release(b, "claudeops")
	for name, line := range map[string]string{"sandboxed": "bash true", "brokered": "bash docker ps", "restart": "bash docker restart s%d"} {
		b.Run(name, func(b *testing.B) {
			var took [2]time.Duration
			var most [2]int64
			for b.Loop() {
				for i, n := range []int{0, commands} {
					cycle := session(b, program, line, n)
					began := time.Now()
					most[i] = rss(b, cycle)
					took[i] = time.Since(began)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64((took[1]-took[0]).Microseconds())/1000/commands, "ms/command")
			b.ReportMetric(float64(most[1])/1024, "MB")
			b.ReportMetric(float64(most[0])/1024, "MB/none")
		})
	}
}

// session runs a cycle whose Tier 2 executes a line n times. A %d in it is another service each time.
func session(b *testing.B, program, line string, n int) *exec.Cmd {
	b.Helper()
	dir, environ := stage(b)
	docker := filepath.Join(dir, "home", "docker")
	if err := os.Symlink("/bin/true", docker); err != nil {
		b.Fatal(err)
	}
	put(b, filepath.Join(dir, "agent/tier1"), reportDown+"\n"+finish+"\n")
	var script strings.Builder
	services := "services:\n  - {name: shop}\n"
	for i := range n {
		fmt.Fprintln(&script, strings.ReplaceAll(line, "%d", fmt.Sprint(i)))
		services += fmt.Sprintf("  - {name: s%d, %s}\n", i, byDocker(fmt.Sprintf("s%d", i)))
	}
	fmt.Fprintln(&script, finish)
	put(b, filepath.Join(dir, "services.yaml"), services)
	put(b, filepath.Join(dir, "agent/tier2"), script.String())
	cmd := exec.Command(program, "run-once")
	cmd.Env = append(environ, "CLAUDEOPS_CLAUDE_BIN="+fakeBin, "CLAUDEOPS_INVENTORY="+filepath.Join(dir, "services.yaml"), "CLAUDEOPS_MAX_SERVICES_PER_HOUR=0",
		"PATH="+filepath.Dir(docker)+":"+os.Getenv("PATH"))
	return cmd
}
