package probe

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/servers"
)

// replicationQuery is the statement of docs/inventory.md for the replicas of a kind of server.
func replicationQuery(t *testing.T, scheme string) string {
	t.Helper()
	doc, err := os.ReadFile("../docs/inventory.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)url: "` + scheme + `://[^"]*replica[^"]*",.* query: "(.+)"\}$`).FindSubmatch(doc)
	if found == nil {
		t.Fatalf("docs/inventory.md has no query for a replica of %s", scheme)
	}
	return string(found[1])
}

func TestReplicationOfPostgresByItsQuery(t *testing.T) {
	primary := servers.Postgres(t)
	replica := servers.PostgresReplica(t, primary)
	query := strings.Replace(replicationQuery(t, "postgres"), "30s", "1ms", 1)
	ask := func() check.Result { return attemptDatabase(t, Database{URL: replica.URL(), Query: query}, long) }
	eventuallyFinds(t, ask, check.Healthy, "")
	replica.Exec("SELECT pg_wal_replay_pause()")
	primary.Exec("CREATE TABLE orders AS SELECT 1 AS id")
	eventuallyFinds(t, ask, check.Down, "gave no row")
	replica.Exec("SELECT pg_wal_replay_resume()")
	eventuallyFinds(t, ask, check.Healthy, "")
	primary.Stop()
	eventuallyFinds(t, ask, check.Down, "gave no row")
}

func TestReplicationOfMariaDBByItsQuery(t *testing.T) {
	primary := sharedMariaDB(t)
	replica := servers.MariaDBReplica(t, primary)
	beat := func(age string) {
		primary.Exec("CREATE OR REPLACE TABLE " + servers.Database + ".heartbeat AS SELECT now() - INTERVAL " + age + " AS written")
	}
	ask := func() check.Result {
		return attemptDatabase(t, Database{URL: replica.URL(), Query: replicationQuery(t, "mysql")}, long)
	}
	beat("0 SECOND")
	eventuallyFinds(t, ask, check.Healthy, "")
	beat("1 HOUR")
	eventuallyFinds(t, ask, check.Down, "gave no row")
}

func TestReplicationOfRedisByItsQuery(t *testing.T) {
	primary := servers.Redis(t, servers.Password)
	replica := servers.RedisReplica(t, primary)
	ask := func() check.Result {
		return attemptDatabase(t, Database{URL: replica.URL(), Query: replicationQuery(t, "redis")}, long)
	}
	eventuallyFinds(t, ask, check.Healthy, "")
	primary.Stop()
	eventuallyFinds(t, ask, check.Down, "gave no row")
}
