package store

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/claudeops/claudeops/check"
)

// BenchmarkQueueNotification queues what a cycle queues of 1,000 services that went down, in the transaction of its round, and the same
// again, which are repetitions.
func BenchmarkQueueNotification(b *testing.B) {
	const services = 1000
	s := must(Open(b.Context(), filepath.Join(b.TempDir(), FileName), ReadWrite))
	defer func() { _ = s.Close() }()
	ids := make([]int64, services)
	for n := range ids {
		ids[n] = must(s.OpenIncident(b.Context(), Incident{Service: fmt.Sprint("service-", n), Status: check.Down}))
	}
	for b.Loop() {
		err := s.Update(b.Context(), func(tx *Store) error {
			for _, id := range ids {
				if _, err := tx.AddNotification(b.Context(), Notification{IncidentID: &id, Kind: Down, Service: "x", Title: "x is down"}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*services), "µs/notification")
}
