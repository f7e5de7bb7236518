package notify

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/store"
)

// BenchmarkQueue queues what a cycle queues of 1,000 services that went down, in the transaction of its round, and the same
// again, which are repetitions.
func BenchmarkQueue(b *testing.B) {
	const services = 1000
	s := must(store.Open(b.Context(), filepath.Join(b.TempDir(), store.FileName), store.ReadWrite))
	defer func() { _ = s.Close() }()
	ids := make([]int64, services)
	for n := range ids {
		ids[n] = must(s.OpenIncident(b.Context(), store.Incident{Service: fmt.Sprint("service-", n), Status: check.Down}))
	}
	for b.Loop() {
		err := s.Update(b.Context(), func(tx *store.Store) error {
			for _, id := range ids {
				if _, err := Queue(b.Context(), tx, store.Notification{IncidentID: &id, Kind: store.Down, Service: "x", Title: "x is down"}); err != nil {
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
