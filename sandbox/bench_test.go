package sandbox

import (
	"os/exec"
	"slices"
	"testing"
	"time"
)

// Measures a shell that runs true, in the sandbox and without, in turns.
func BenchmarkSandbox(b *testing.B) {
	d := newTestDomain(b, Access{Write: []string{b.TempDir()}})
	text := []string{"/bin/bash", "-c", "/bin/true"}
	var confined, bare []time.Duration
	for b.Loop() {
		began := time.Now()
		if result, err := d.Run(b.Context(), Command{Argv: text}); err != nil || result != (Result{}) {
			b.Fatalf("%+v, %v", result, err)
		}
		confined = append(confined, time.Since(began))
		began = time.Now()
		must(b, exec.Command(text[0], text[1:]...).Run())
		bare = append(bare, time.Since(began))
	}
	slices.Sort(confined)
	slices.Sort(bare)
	own, other := confined[len(confined)/2], bare[len(bare)/2]
	b.ReportMetric(float64(own.Microseconds())/1000, "ms")
	b.ReportMetric(float64(other.Microseconds())/1000, "bare-ms")
	b.ReportMetric(float64(own)/float64(other), "x-bare")
}
