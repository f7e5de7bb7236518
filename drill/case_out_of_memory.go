package main

import (
	"context"
	"net/http"
	"time"
)

func init() {
	register(Case{
		Name: "out-of-memory", Kind: Fault, Summary: "sessions filled the memory of a process, which was killed",
		Services: []string{"sessions"}, Terms: [][]string{{"memory", "oom"}},
		Inject: func(ctx context.Context, lab *Lab) error {
			client := http.Client{Timeout: 5 * time.Second}
			for range 2 * memoryOfSessions / sessionSize {
				q, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+lab.Address("sessions")+"/sessions", nil)
				if err != nil {
					return err
				}
				r, err := client.Do(q)
				if err != nil {
					break // it has been killed
				}
				_ = r.Body.Close() // nothing is in it
			}
			return lab.Ended(ctx, "sessions")
		},
		Cure: "restart",
	})
}
