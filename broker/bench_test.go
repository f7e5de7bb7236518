package broker_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/mask"
)

// newBenchedAgent returns an agent set up as in a cycle: with the built-in policy and masking. docker is replaced by another program.
func newBenchedAgent(b *testing.B, docker string) *agent {
	a := newAgent(b, "docker")
	a.Judge = (&guard.Guard{Table: guard.BuiltIn()}).Judge
	redactor := mask.New([]string{"a-secret-of-the-operator", "another-one-of-his"})
	a.Mask = func(w io.Writer) io.WriteCloser { return mask.NewWriter(w, redactor) }
	a.Find = func(string) (string, bool) { return docker, true }
	return a
}

// byTurns measures two commands of an agent in turns, and reports for both the median time per call.
func (a *agent) byTurns(b *testing.B, calls int, brokered, bare string) {
	a.broker = broker.New(a.Settings)
	times := map[string][]time.Duration{}
	for b.Loop() {
		for _, command := range []string{brokered, bare} {
			began := time.Now()
			if out, exit := a.bash(b.Context(), command); exit != 0 {
				b.Fatalf("%s: %q, exit status %d", command, out, exit)
			}
			times[command] = append(times[command], time.Since(began))
		}
	}
	for command, unit := range map[string]string{brokered: "ms-brokered", bare: "ms-bare"} {
		slices.Sort(times[command])
		b.ReportMetric(float64(times[command][len(times[command])/2].Microseconds())/1000/float64(calls), unit)
	}
}

// BenchmarkBrokerOutput measures 1 GiB of log output.
func BenchmarkBrokerOutput(b *testing.B) {
	line := "web | " + strings.Repeat("2026-11-22T21:37:38Z GET /health 200 ", 3)
	a := newBenchedAgent(b, "/usr/bin/yes")
	a.Judge = granted
	for name, masked := range map[string]func(io.Writer) io.WriteCloser{"masked": a.Mask, "plain": func(w io.Writer) io.WriteCloser { return mask.NewWriter(w, nil) }} {
		b.Run(name, func(b *testing.B) {
			a.Mask = masked
			end := fmt.Sprintf(" | head -c %d > /dev/null", 1<<30)
			a.byTurns(b, 1, "docker '"+line+"'"+end, "/usr/bin/yes '"+line+"'"+end)
		})
	}
}
