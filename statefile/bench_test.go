package statefile_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

var sizes = [...]int{10, 1_000, 10_000}

// stateOf returns a state with one or two records per service, about 300 bytes of the file each.
func stateOf(services int) *statefile.State {
	s := statefile.New()
	for i := range services {
		name := fmt.Sprintf("service-%05d", i)
		a := statefile.Actions()[i%2]
		s.Add(name, a, statefile.Record{Timestamp: statefile.At(noon.Add(-time.Duration(i) * time.Second)), Success: true, Tier: 2,
			ID: fmt.Sprintf("0190a7c2-4b5e-7d3a-9c1f-%012d", i)})
	}
	return s
}

func BenchmarkParse(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			text, err := stateOf(n).Marshal()
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := statefile.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMarshal(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := stateOf(n)
			text, err := s.Marshal()
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := s.Marshal(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
