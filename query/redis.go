package query

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"
)

// commands match what Redis is asked, in upper case. What its own flag calls read-only is not it: EVAL_RO runs a program, HRANDFIELD and LCS
// stop the server for seconds, INFO and SLOWLOG lack the flag.
var commands = regexp.MustCompile(`(?i)^(?:` + strings.Join([]string{
	`PING`, `INFO(?: [a-z_]+)?`, `ROLE`, `TIME`, `DBSIZE`, `LASTSAVE`, `CLIENT LIST`, `SLOWLOG LEN`, `SLOWLOG GET(?: \d{1,2})?`,
	`CONFIG GET (?:maxmemory[a-z-]*\*?|maxclients|appendonly|save)`, `LATENCY (?:LATEST|DOCTOR)`, `MEMORY (?:STATS|DOCTOR)`, `CLUSTER (?:INFO|NODES)`,
	`(?:GET|TTL|TYPE|EXISTS|STRLEN|LLEN|HLEN|SCARD|ZCARD|XLEN) \S+`, `HGET \S+ \S+`,
	`(?:LRANGE|ZRANGE) \S+ (?P<from>-?\d{1,9}) (?P<to>-?\d{1,9})`,
	// A pattern of many stars takes an old server as long as it likes.
	`SCAN \d{1,20}(?: MATCH [^\s*]*(?:\*[^\s*]*){0,2})?(?: COUNT (?:[1-9]\d{0,2}|1000))?(?: TYPE [a-z]+)?`,
}, "|") + `)$`)

// maxRange is how many elements LRANGE and ZRANGE may name.
const maxRange = 100

type redisSession struct{ redis.Conn }

func (redisSession) judge(context.Context) ([]string, error) { return nil, nil }
func (redisSession) exec(context.Context, string) error      { return nil }

// ask runs a command of the list.
func (r redisSession) ask(_ context.Context, statement string, to *answer, _ *string) error {
	words := strings.Fields(statement)
	match := commands.FindStringSubmatch(strings.Join(words, " "))
	if match == nil || strings.ContainsAny(statement, `"'`) {
		return Refusal("not run: Redis is asked PING, INFO, ROLE, TIME, DBSIZE, LASTSAVE, CLIENT LIST, SLOWLOG GET|LEN, CONFIG GET maxmemory*|maxclients|appendonly|save, " +
			"LATENCY LATEST|DOCTOR, MEMORY STATS|DOCTOR, CLUSTER INFO|NODES; GET, TTL, TYPE, EXISTS, STRLEN, LLEN, HLEN, SCARD, ZCARD or XLEN of one key, HGET KEY FIELD, " +
			"LRANGE or ZRANGE KEY FROM TO, SCAN CURSOR [MATCH PATTERN] [COUNT N] [TYPE T]; words have no quotes, a pattern at most two stars, COUNT is at most 1000")
	}
	if text := match[commands.SubexpIndex("from")]; text != "" {
		from, _ := strconv.Atoi(text) // digits
		last, _ := strconv.Atoi(match[commands.SubexpIndex("to")])
		if (from < 0) != (last < 0) || last-from >= maxRange {
			return Refusal(fmt.Sprintf("not run: a range has at most %d elements, such as 0 %d or -%d -1", maxRange, maxRange-1, maxRange))
		}
	}
	arguments := make([]any, len(words)-1)
	for i, word := range words[1:] {
		arguments[i] = word
	}
	value, err := r.Do(words[0], arguments...)
	if err == nil {
		to.lines(-1, value)
	}
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
