package script

import (
	"path"
	"slices"
	"strings"
)

// Redis judges one command of Redis or Valkey (or of its Sentinel), as words. Commands that read are granted by name, what
// changes or removes data, accounts, code or the topology is forbidden, and the rest is not known.
func Redis(words []string) error {
	if len(words) == 0 {
		return refuse("redis: no command; write one, such as INFO replication")
	}
	for _, w := range words {
		if err := checkText("redis", w); err != nil {
			return err
		}
	}
	name, arguments := strings.ToLower(words[0]), words[1:]
	if !redisGranted(name, arguments) {
		return redisRefusal(name, arguments)
	}
	return nil
}

// RedisScript judges the commands that redis-cli reads from standard input, one a line.
func RedisScript(text string) error {
	if err := checkText("redis", text); err != nil {
		return err
	}
	for line := range strings.Lines(text) {
		words, err := redisWords(line)
		if err != nil {
			return err
		}
		if len(words) == 0 {
			continue
		}
		if err := Redis(words); err != nil {
			return err
		}
	}
	return nil
}

// redisReads are commands that only read, whatever their arguments.
const redisReads = `
	ping echo info dbsize lastsave role time select readonly quit exit help lolwut
	ttl pttl expiretime pexpiretime type exists strlen llen hlen scard zcard xlen hstrlen
	scan sscan hscan zscan randomkey srandmember hrandfield zrandmember
	get mget getrange substr getbit bitcount bitpos bitfield_ro
	hget hmget hgetall hexists hkeys hvals httl hpttl hexpiretime hpexpiretime
	lrange lindex lpos smembers sismember smismember sinter sunion sdiff sintercard
	zrange zrangebyscore zrangebylex zrevrange zrevrangebyscore zrevrangebylex zrank zrevrank zscore zmscore zcount zlexcount zinter
	zunion zdiff zintercard xrange xrevrange xpending geopos geodist geohash geosearch georadius_ro georadiusbymember_ro sort_ro lcs`

// redisWrites are the ones that no tier may run.
const redisWrites = `
	flushall flushdb del unlink set setex psetex setnx mset msetnx msetex append setrange setbit bitop bitfield incr incrby incrbyfloat decr
	decrby getset getdel getex rename renamenx move copy expire expireat pexpire pexpireat persist restore restore-asking migrate swapdb
	sort hset hsetnx hmset hdel hincrby hincrbyfloat hexpire hpexpire hexpireat hpexpireat hpersist hgetdel hgetex hsetex lpush lpushx
	rpush rpushx lpop rpop blpop brpop lset linsert lrem ltrim lmove blmove rpoplpush brpoplpush lmpop blmpop sadd srem spop smove
	sinterstore sunionstore sdiffstore zadd zrem zincrby zpopmin zpopmax bzpopmin bzpopmax zmpop bzmpop zremrangebyrank zremrangebyscore
	zremrangebylex zrangestore zinterstore zunionstore zdiffstore xadd xdel xdelex xackdel xtrim xgroup xreadgroup xack xclaim xautoclaim
	xsetid geoadd georadius georadiusbymember geosearchstore pfadd pfmerge publish spublish shutdown config acl eval evalsha eval_ro
	evalsha_ro script function fcall fcall_ro module debug slaveof replicaof failover cluster sentinel psync sync auth hello pfdebug`

// redisSubcommands are the forms that read of commands that have others too.
var redisSubcommands = map[string]string{
	"acl":      "whoami cat help",
	"client":   "list info id getname trackinginfo getredir help",
	"cluster":  "info nodes slots shards myid myshardid keyslot countkeysinslot getkeysinslot links replicas slaves slot-stats count-failure-reports help",
	"command":  "count docs info list getkeys getkeysandflags help",
	"latency":  "latest history doctor graph histogram help",
	"memory":   "usage stats doctor malloc-stats help",
	"object":   "encoding freq idletime refcount help",
	"pubsub":   "channels numsub numpat shardchannels shardnumsub help",
	"sentinel": "masters master replicas slaves sentinels get-master-addr-by-name ckquorum myid info-cache is-master-down-by-addr pending-scripts help",
	"slowlog":  "get len help",
	"xinfo":    "stream groups consumers help",
}

// redisGranted tells whether a command only reads.
func redisGranted(name string, arguments []string) bool {
	reads, several := redisSubcommands[name]
	switch {
	case name == "config":
		return redisConfig(arguments)
	case name == "xread": // with BLOCK it waits for what is written next
		return !slices.ContainsFunc(arguments, func(a string) bool { return strings.EqualFold(a, "block") })
	case several && len(arguments) == 0:
		return name == "command"
	case several:
		return listed(reads, strings.ToLower(arguments[0]))
	}
	return listed(redisReads, name)
}

// redisConfig tells whether arguments are GET and the names of settings that are no secrets; with * and ? they may stand for several.
func redisConfig(arguments []string) bool {
	if len(arguments) == 1 {
		return strings.EqualFold(arguments[0], "help")
	}
	if len(arguments) == 0 || !strings.EqualFold(arguments[0], "get") {
		return false
	}
	for _, name := range arguments[1:] {
		name = strings.ToLower(name)
		if strings.ContainsAny(name, `[\`) {
			return false
		}
		for _, secret := range []string{"requirepass", "masterauth", "primaryauth", "masteruser", "primaryuser", "sentinel-pass", "sentinel-user",
			"tls-key-file-pass", "tls-client-key-file-pass", "user", "rename-command"} {
			if shown, err := path.Match(name, secret); shown || err != nil {
				return false
			}
		}
	}
	return true
}

// redisRefusal says why a command is not granted.
func redisRefusal(name string, arguments []string) error {
	first := ""
	if len(arguments) > 0 {
		first = strings.ToLower(arguments[0])
	}
	command := strings.ToUpper(strings.TrimSpace(name + " " + first))
	switch {
	case name == "config" && first == "get":
		return forbid("redis: CONFIG GET of a pattern that passwords match; name the settings, such as CONFIG GET maxmemory maxmemory-policy")
	case name == "keys":
		return refuse("redis: KEYS stops the server while it looks at every key; use SCAN 0 MATCH pattern COUNT 100")
	case name == "monitor", name == "subscribe", name == "psubscribe", name == "ssubscribe", name == "xread":
		return refuse("redis: " + command + " does not end; use SLOWLOG GET, INFO commandstats or CLIENT LIST")
	case name == "client", name == "slowlog", name == "latency", name == "memory", name == "object", name == "xinfo", name == "pubsub",
		name == "command":
		return refuse("redis: " + command + " is not granted; use the forms that only read, such as CLIENT LIST, SLOWLOG GET or MEMORY STATS")
	case listed(redisWrites, name):
		return forbid("redis: " + command + " changes or removes data, accounts, code or the topology, or shows secrets; only read (INFO, SCAN, GET, TTL) and leave this to a person")
	}
	return refuse("redis: " + command + " is not among the commands known to only read; use INFO, CLIENT LIST, SLOWLOG GET, SCAN, TYPE, TTL, GET and the like")
}

// redisWords cuts a line as redis-cli does: at blanks, except within quotes, which begin and end whole words. Escapes in
// double quotes are refused.
func redisWords(line string) (words []string, err error) {
	const blanks = " \t\n"
	for line = strings.TrimLeft(line, blanks); line != ""; line = strings.TrimLeft(line, blanks) {
		end := strings.IndexAny(line, blanks+`'"`)
		switch {
		case end < 0:
			end = len(line)
		case line[end] == '\'' || line[end] == '"':
			closing := strings.IndexByte(line[1:], line[0]) + 2
			if end > 0 || closing < 2 || strings.Contains(line[:closing], `\`) || closing < len(line) && !strings.ContainsRune(blanks, rune(line[closing])) {
				return nil, unread("redis", line, 0, "words apart by blanks, with quotes only around whole words and no escapes")
			}
			words = append(words, line[1:closing-1])
			line = line[closing:]
			continue
		}
		words = append(words, line[:end])
		line = line[end:]
	}
	return words, nil
}
