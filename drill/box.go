package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// boxConfig is the configuration of the program in the homelab's container. Its one line says how long an answer takes.
const boxConfig = "/box.conf"

const boxAddress = "127.0.0.1:8080" // within the container

// serveBox is the program in the container. SIGUSR1 stands for the request that makes it use all memory there is.
func serveBox(ctx context.Context) error {
	delay, err := boxDelay()
	if err != nil {
		return err
	}
	greedy := make(chan os.Signal, 1)
	signal.Notify(greedy, syscall.SIGUSR1)
	go func() {
		<-greedy
		for kept := [][]byte{}; ; {
			block := make([]byte, 1<<20)
			for i := range block {
				block[i] = byte(i)
			}
			kept = append(kept, block)
		}
	}()
	return serveHTTP(ctx, boxAddress, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(delay)
		_, _ = fmt.Fprintln(w, "ok")
	}))
}

func boxDelay() (time.Duration, error) {
	text, err := os.ReadFile(boxConfig)
	if os.IsNotExist(err) {
		return 20 * time.Millisecond, nil
	}
	if err != nil {
		return 0, err
	}
	value, found := strings.CutPrefix(strings.TrimSpace(string(text)), "delay=")
	if !found {
		return 0, fmt.Errorf("%s: invalid configuration: %q", boxConfig, strings.TrimSpace(string(text)))
	}
	return time.ParseDuration(value)
}

// askBox is the health check of the container: an answer within some time.
func askBox(ctx context.Context, within string) error {
	limit, err := time.ParseDuration(within)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+boxAddress, nil)
	if err != nil {
		return err
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return err
	}
	return r.Body.Close()
}
