package probe

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/servers"
)

func lagOf(t *testing.T, url string, most time.Duration) func() Finding {
	return func() Finding {
		return attemptDatabase(t, Database{URL: url, MaxLag: most}, long)
	}
}

func TestReplicationOfPostgres(t *testing.T) {
	primary := servers.Postgres(t)
	wantOfDatabase(t, lagOf(t, primary.URL(), time.Hour)(), check.Degraded, "no replica is connected to primary "+primary.Addr)

	replica := servers.PostgresReplica(t, primary)
	eventuallyFinds(t, lagOf(t, replica.URL(), time.Minute), check.Healthy, "")
	eventuallyFinds(t, lagOf(t, primary.URL(), time.Minute), check.Healthy, "")

	replica.Exec("SELECT pg_wal_replay_pause()")
	primary.Exec("CREATE TABLE orders AS SELECT 1 AS id")
	eventuallyFinds(t, lagOf(t, replica.URL(), time.Millisecond), check.Degraded, "behind, more than 1ms")
	eventuallyFinds(t, lagOf(t, primary.URL(), time.Millisecond), check.Degraded, "behind, more than 1ms")
	replica.Exec("SELECT pg_wal_replay_resume()")
	eventuallyFinds(t, lagOf(t, replica.URL(), time.Millisecond), check.Healthy, "") // it has replayed everything, whenever that was written
	eventuallyFinds(t, lagOf(t, primary.URL(), time.Minute), check.Healthy, "")

	primary.Exec("CREATE ROLE guest LOGIN PASSWORD '" + servers.Password + "'")
	guest := primary.URLFor("guest", servers.Password, servers.Database)
	wantOfDatabase(t, lagOf(t, guest, time.Minute)(), check.Degraded, "GRANT pg_monitor")

	primary.Stop()
	eventuallyFinds(t, lagOf(t, replica.URL(), time.Minute), check.Degraded, "replication is not running: replica "+replica.Addr+" receives nothing")
}

func TestReplicationOfMariaDB(t *testing.T) {
	primary := sharedMariaDB(t)
	wantOfDatabase(t, lagOf(t, primary.URL(), time.Hour)(), check.Degraded, primary.Addr+" is no replica")

	replica := servers.MariaDBReplica(t, primary)
	eventuallyFinds(t, lagOf(t, replica.URL(), time.Minute), check.Healthy, "")

	replica.Exec("STOP SLAVE SQL_THREAD")
	eventuallyFinds(t, lagOf(t, replica.URL(), time.Minute), check.Degraded, "it does not apply what it receives")

	replica.Exec("STOP SLAVE")
	replica.Exec("CHANGE MASTER TO MASTER_DELAY = 3600")
	replica.Exec("START SLAVE")
	primary.Exec("CREATE OR REPLACE TABLE " + servers.Database + ".orders AS SELECT 1 AS id")
	eventuallyFinds(t, lagOf(t, replica.URL(), 100*time.Millisecond), check.Degraded, "behind, more than 100ms")
	replica.Exec("STOP SLAVE")
	wantOfDatabase(t, lagOf(t, replica.URL(), time.Minute)(), check.Degraded, "it receives nothing from its primary")

	replica.Exec("CHANGE MASTER TO MASTER_PORT = 1, MASTER_DELAY = 0")
	replica.Exec("START SLAVE")
	eventuallyFinds(t, lagOf(t, replica.URL(), time.Minute), check.Degraded, "it cannot connect to its primary: error connecting")

	replica.Exec("CREATE USER guest@'127.0.0.1' IDENTIFIED BY '" + servers.Password + "'")
	guest := replica.URLFor("guest", servers.Password, "")
	wantOfDatabase(t, lagOf(t, guest, time.Minute)(), check.Degraded, "GRANT it REPLICA MONITOR")
}

func TestReplicationOfRedis(t *testing.T) {
	primary := servers.Redis(t, servers.Password)
	wantOfDatabase(t, lagOf(t, primary.URL(), time.Hour)(), check.Degraded, "no replica is connected to primary "+primary.Addr)
	replica := servers.RedisReplica(t, primary)
	eventuallyFinds(t, lagOf(t, replica.URL(), time.Minute), check.Healthy, "")
	eventuallyFinds(t, lagOf(t, primary.URL(), time.Minute), check.Healthy, "")

	primary.Pause()
	eventuallyFinds(t, lagOf(t, replica.URL(), 100*time.Millisecond), check.Degraded, "behind, more than 100ms")
	primary.Resume()
	replica.Pause()
	eventuallyFinds(t, lagOf(t, primary.URL(), 100*time.Millisecond), check.Degraded, " of "+primary.Addr+" is ")
	replica.Resume()
	primary.Stop()
	eventuallyFinds(t, lagOf(t, replica.URL(), time.Minute), check.Degraded, "replication is not running: replica "+replica.Addr+" has no connection")
}

func TestRedisLagOfWhatIsNoInformation(t *testing.T) {
	for _, c := range []struct{ info, text string }{
		{"", "no replica is connected"},
		{"role:master\r\nslave0:ip=10.0.0.2,port=6379,state=wait_bgsave,offset=0,lag=0\r\n", "is still copying (wait_bgsave)"},
		{"role:master\r\nslave0:ip=10.0.0.2,port=1,state=online,lag=3\r\nslave1:ip=10.0.0.3,port=1,state=online,lag=61\r\n",
			"replica 10.0.0.3:1 of HERE is 1m1s behind, more than 30s"},
		{"role:slave\r\nmaster_link_status:up\r\nmaster_last_io_seconds_ago:x\r\n", ""},
		{"role:slave\r\nmaster_sync_in_progress:1\r\nmaster_link_status:down\r\n", "still copying"},
		{"role:slave\r\nmaster_link_status:down\r\nmaster_link_down_since_seconds:42\r\n", "since 42s"},
	} {
		got := redisLag(c.info, "HERE", 30*time.Second)
		if !strings.Contains(got, c.text) || c.text == "" && got != "" {
			t.Errorf("%q: %q, want %q", c.info, got, c.text)
		}
	}
}
