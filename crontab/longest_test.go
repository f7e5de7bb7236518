package crontab

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
)

func TestLongestCycle(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	slow := write("slow.yaml", "services:\n  - name: shop\n    settle: 20m\n    checks: [{type: http, url: \"http://127.0.0.1/\"}]\n")
	broken := write("broken.yaml", "services: 7\n")
	base := config.Config{
		MaxTier: 3, NotifyTimeout: 30 * time.Second, Tier1Timeout: 10 * time.Minute, Tier2Timeout: 20 * time.Minute, Tier3Timeout: 40 * time.Minute,
	}
	with := func(change func(*config.Config)) config.Config {
		c := base
		change(&c)
		return c
	}
	for name, test := range map[string]struct {
		c    config.Config
		want time.Duration
	}{
		// 2 min and the messages; Tier 1 twice; a minute per tier; a quarter more and 30 s for Tiers 2 and 3
		"three tiers":    {base, 2*time.Minute + 30*time.Second + 20*time.Minute + 3*time.Minute + 25*time.Minute + 50*time.Minute + time.Minute},
		"Tier 1 alone":   {with(func(c *config.Config) { c.MaxTier = 1 }), 2*time.Minute + 30*time.Second + 20*time.Minute + time.Minute},
		"a slow service": {with(func(c *config.Config) { c.Inventory, c.MaxTier = slow, 2 }), 2*time.Minute + 30*time.Second + 20*time.Minute + 2*time.Minute + 25*time.Minute + 20*time.Minute},
		"a broken file":  {with(func(c *config.Config) { c.Inventory, c.MaxTier = broken, 1 }), 2*time.Minute + 30*time.Second + 20*time.Minute + time.Minute},
	} {
		if got := LongestCycle(test.c); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		all := with(func(c *config.Config) { c.Inventory = test.c.Inventory })
		if got, want := LongestWithAllTiers(test.c), LongestCycle(all); got != want {
			t.Errorf("%s, with all tiers: %v, want %v", name, got, want)
		}
	}
}
