package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
)

// redis is the part with a Redis (cache).
const redis = "redis"

func init() {
	registerPart(Part{Name: redis, Start: startRedis, Services: watchedRedis,
		Reset: func(ctx context.Context, lab *Lab) error { return lab.Restart(ctx, "cache") }})
}

func startRedis(ctx context.Context, lab *Lab) error {
	if err := lab.write("vault/cache", rand.Text()); err != nil {
		return err
	}
	r, err := lab.cache()
	if err != nil {
		return err
	}
	return lab.Add(ctx, r.server("cache"))
}

// cache returns the homelab's Redis.
func (lab *Lab) cache() (*redisServer, error) {
	password, err := os.ReadFile(lab.Path("vault", "cache"))
	if err != nil {
		return nil, err
	}
	return newRedis(lab.Folder("cache"), lab.Port("cache"), string(password))
}

func watchedRedis(lab *Lab) []Service {
	r, err := lab.cache()
	if err != nil {
		return nil // Start would have failed
	}
	return []Service{{Name: "cache", Checks: []string{
		fmt.Sprintf(`{type: database, url: "%s", query: "SET probe well EX 60", timeout: 2s, attempts: 1}`, r.url())}}}
}
