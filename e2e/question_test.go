package e2e

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/testkit/modeltest"
	"github.com/claudeops/claudeops/testkit/servers"
)

// An agent asks a database by its tool and in its shell; the answer is masked and recorded.
func TestClaude_AsksADatabase(t *testing.T) {
	redis := servers.Redis(t, servers.Password)
	w, srv := withClaude(t, modeltest.Script{"haiku": {
		modeltest.Use("mcp__claudeops__query", map[string]string{"service": "cache", "statement": "PING"}),
		modeltest.Bash("claudeops query cache 'CONFIG GET maxmemory*'; claudeops query cache FLUSHALL"),
		modeltest.Say("it answers"),
	}})
	w.services(`services: [{name: cache, query: {database: "redis://` + redis.Addr + `", password_env: CACHE_WORD}}]`)
	w.env["CACHE_WORD"], w.env["CLAUDEOPS_TIER1_AGENT"] = servers.Password, "claude"
	w.cycle(0)
	var results []string
	for _, r := range srv.Requests() {
		for _, result := range r.Results {
			results = append(results, result.Text)
		}
	}
	all := strings.Join(results, "\n")
	says(t, all, "PONG\n(1 row)")
	says(t, all, "maxmemory-policy\nnoeviction\n")
	says(t, all, "claudeops: not run: Redis is asked PING")
}
