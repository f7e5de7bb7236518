package query

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"

	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/internal/text"
)

// commands match what Redis is asked, in upper case. What its own flag calls read-only is not it: EVAL_RO runs a program, HRANDFIELD and LCS
// stop the server for seconds, INFO and SLOWLOG lack the flag. A pattern of many stars, or a long one, stops it too.
var commands = lazy.Regexp(`(?i)^(?:` + strings.Join([]string{
	`PING`, `INFO(?: [a-z_]{1,64})?`, `ROLE`, `TIME`, `DBSIZE`, `LASTSAVE`, `CLIENT LIST`, `SLOWLOG LEN`, `SLOWLOG GET(?: \d{1,2})?`,
	`CONFIG GET (?:maxmemory[a-z-]{0,64}\*?|maxclients|appendonly|save)`, `LATENCY (?:LATEST|DOCTOR)`, `MEMORY (?:STATS|DOCTOR)`, `CLUSTER (?:INFO|NODES)`,
	`OBJECT (?:ENCODING|FREQ|IDLETIME) \S{1,512}`, `SENTINEL (?:CKQUORUM|GET-MASTER-ADDR-BY-NAME) \S{1,512}`,
	`(?:GET|TTL|TYPE|EXISTS|STRLEN|LLEN|HLEN|SCARD|SMEMBERS|ZCARD|XLEN) \S{1,512}`, `HGET \S{1,512} \S{1,512}`,
	`(?:LRANGE|ZRANGE) \S{1,512} -?\d{1,9} -?\d{1,9}`,
	`SCAN \d{1,20}(?: MATCH [^\s*]{0,64}(?:\*[^\s*]{0,64}){0,2})?(?: COUNT (?:[1-9]\d{0,2}|1000))?(?: TYPE [a-z]{1,64})?`,
}, "|") + `)$`)

type redisSession struct{ redis.Conn }

func (redisSession) judge(context.Context) ([]string, error) { return nil, nil }
func (redisSession) exec(context.Context, string) error      { return nil }

// ask runs a command of the list.
func (r redisSession) ask(_ context.Context, statement string, to *answer, _ *string) error {
	words := strings.Fields(statement)
	if !commands().MatchString(strings.Join(words, " ")) || strings.ContainsAny(statement, `"'`) {
		return Refusal("not run: Redis is asked PING, INFO, ROLE, TIME, DBSIZE, LASTSAVE, CLIENT LIST, SLOWLOG GET|LEN, CONFIG GET maxmemory*|maxclients|appendonly|save, " +
			"LATENCY LATEST|DOCTOR, MEMORY STATS|DOCTOR, CLUSTER INFO|NODES; GET, TTL, TYPE, EXISTS, STRLEN, LLEN, HLEN, SCARD, SMEMBERS, ZCARD or XLEN of one key, " +
			"OBJECT ENCODING|FREQ|IDLETIME KEY, SENTINEL CKQUORUM|GET-MASTER-ADDR-BY-NAME NAME, HGET KEY FIELD, LRANGE or ZRANGE KEY FROM TO, SCAN CURSOR [MATCH PATTERN] [COUNT N] [TYPE T]; " +
			"words have no quotes and at most 512 characters, a pattern at most two stars and 64 characters around each, COUNT is at most 1000")
	}
	// What is read is in the server's memory until it is sent, and may make it evict keys.
	verb, arguments := strings.ToUpper(words[0]), redis.Args{}.AddFlat(words[1:])
	most, size, err := int64(64<<10), any(nil), error(nil)
	switch verb {
	case "GET":
		if size, err = r.Do("EXISTS", words[1]); size == int64(1) {
			verb, arguments = "GETRANGE", arguments.Add(0, maxValue-1)
		}
	case "HGET":
		size, err = r.Do("HSTRLEN", arguments...)
	case "LRANGE", "ZRANGE":
		from, _ := strconv.Atoi(words[2]) // digits
		last, _ := strconv.Atoi(words[3])
		if (from < 0) != (last < 0) || last-from >= maxRange {
			return Refusal(fmt.Sprintf("not run: a range has at most %d elements, such as 0 %d or -%d -1", maxRange, maxRange-1, maxRange))
		}
		fallthrough
	case "SMEMBERS":
		most = 1 << 20
		size, err = r.Do("MEMORY", "USAGE", words[1], "SAMPLES", 5)
	}
	if has, _ := size.(int64); has > most {
		return Refusal(fmt.Sprintf("not run: it would read from %s, which is more than %s", text.Size(has), text.Size(most)))
	}
	var value any
	if err == nil {
		value, err = r.Do(verb, arguments...)
	}
	if got, _ := value.([]byte); verb == "GETRANGE" && len(got) == maxValue {
		value = []byte(text.ShortenBytes(string(got), maxValue-16) + "… (cut)")
	}
	if value != nil && (verb == "GETRANGE" || verb == "HGET") {
		to.names = words[len(words)-1:]
	}
	to.lines(-1, value)
	return err
}

// lines adds a value of Redis: of a text each line, of a list each element, indented by its depth.
func (a *answer) lines(depth int, value any) (full bool) {
	indent := strings.Repeat("  ", max(0, depth))
	switch value := value.(type) {
	case nil:
		return a.row([]string{indent + "(nil)"})
	case []any:
		return slices.ContainsFunc(value, func(element any) bool { return a.lines(depth+1, element) })
	case []byte:
		lines := strings.Split(strings.TrimRight(shown(value), "\r\n"), "\n")
		return slices.ContainsFunc(lines, func(line string) bool { return a.row([]string{indent + strings.TrimRight(line, "\r")}) })
	}
	return a.row([]string{indent + fmt.Sprint(value)})
}
