package store

import (
	"path/filepath"
	"testing"
)

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), FileName)
	for _, bm := range []struct {
		name string
		mode Mode
	}{{"writing", ReadWrite}, {"reading", ReadOnly}} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				s, err := Open(b.Context(), path, bm.mode)
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCreate(b *testing.B) {
	for b.Loop() {
		s, err := Open(b.Context(), filepath.Join(b.TempDir(), FileName), ReadWrite)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
