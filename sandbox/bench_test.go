package sandbox

import (
	"os/exec"
	"slices"
	"testing"
	"time"
)

// A shell that runs true, in the sandbox and bare, in turns.
func BenchmarkSandbox(b *testing.B) {
	d := newTestDomain(b, Access{Write: []string{b.TempDir()}})
	text := []string{"/bin/bash", "-c", "/bin/true"}
	var ours, bare []time.Duration
	for b.Loop() {
		began := time.Now()
		if result, err := d.Run(b.Context(), Command{Argv: text}); err != nil || result != (Result{}) {
			b.Fatalf("%+v, %v", result, err)
		}
		ours = append(ours, time.Since(began))
		began = time.Now()
		if err := exec.Command(text[0], text[1:]...).Run(); err != nil {
			b.Fatal(err)
		}
		bare = append(bare, time.Since(began))
	}
	slices.Sort(ours)
	slices.Sort(bare)
	own, other := ours[len(ours)/2], bare[len(bare)/2]
	b.ReportMetric(float64(own.Microseconds())/1000, "ms")
	b.ReportMetric(float64(other.Microseconds())/1000, "bare-ms")
	b.ReportMetric(float64(own)/float64(other), "x-bare")
}
