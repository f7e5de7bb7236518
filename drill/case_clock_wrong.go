package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func init() {
	register(Case{
		Name: "clock-wrong", Kind: Fault, Unseen: true, Summary: "one service corrects its clock by hours",
		Services: []string{"times"}, Terms: [][]string{{"clock", "drift", "the time", "its time", "wrong time", "system time"}, {"wrong", "hour", "ahead", "drift", "off"}},
		Inject: func(ctx context.Context, lab *Lab) error {
			if err := os.WriteFile(filepath.Join(lab.Folder("times"), "data", "drift"), []byte("2h41m\n"), 0o600); err != nil {
				return err
			}
			return lab.Restart(ctx, "times")
		},
		Well: func(ctx context.Context, lab *Lab) error {
			text, err := get(ctx, "http://"+lab.Address("times")+"/time")
			if err != nil {
				return err
			}
			told, err := time.Parse(time.RFC3339, strings.TrimSpace(text))
			if off := time.Since(told).Abs(); err == nil && off > 10*time.Second {
				err = fmt.Errorf("the clock is wrong by %v", off)
			}
			return err
		},
		Cure: "redeploy",
	})
}

// get returns the answer of a service.
func get(ctx context.Context, url string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(r.Body, mostConfig))
	return string(text), err
}
