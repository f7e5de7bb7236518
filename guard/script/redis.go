package script

import (
	"path"
	"slices"
	"strings"
)

// Redis judges one command of Redis or Valkey (or of Sentinel), given as words. Commands that read are granted by name. Commands that
// change or remove data, accounts, code or the topology are forbidden. Everything else is unknown.
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

// RedisScript judges the commands that redis-cli reads from standard input, one per line.
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

// redisGranted reports whether a command only reads.
func redisGranted(name string, arguments []string) bool {
	reads, several := words()["redis_subcommands "+name]
	switch {
	case name == "config":
		return redisConfig(arguments)
	case name == "xread": // with BLOCK it waits for the next entry
		return !slices.ContainsFunc(arguments, func(a string) bool { return strings.EqualFold(a, "block") })
	case several && len(arguments) == 0:
		return name == "command"
	case several:
		return reads[strings.ToLower(arguments[0])]
	}
	return listed("redis reads", name)
}

// redisConfig reports whether arguments are GET and the names of settings that are not secrets; with * and ? one may match several.
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
		for secret := range words()["redis secrets"] {
			if shown, err := path.Match(name, secret); shown || err != nil {
				return false
			}
		}
	}
	return true
}

// redisRefusal returns why a command is not granted.
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
	case listed("redis forbidden", name):
		return forbid("redis: " + command + " changes or removes data, accounts, code or the topology, or shows secrets; only read (INFO, SCAN, GET, TTL) and leave this to a person")
	}
	return refuse("redis: " + command + " is not among the commands known to only read; use INFO, CLIENT LIST, SLOWLOG GET, SCAN, TYPE, TTL, GET and the like")
}

// redisWords splits a line as redis-cli does: at blanks, except within quotes around whole words. Escapes in double quotes are refused.
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
