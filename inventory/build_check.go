package inventory

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
)

const (
	maxTimeout  = 10 * time.Minute
	maxAttempts = 10
)

// form is what a check of one type has beside checkFields.
type form struct {
	of     check.Type
	what   string // for a person
	fields []field[Check]
	begin  func(*Check)                        // gives it what the file need not say
	finish func(b *builder, c *Check, n *node) // sees to what takes several members
}

// checkFields are what every check may have.
func checkFields() []field[Check] {
	return []field[Check]{
		{"type", func(*builder, *Check, *node) {}}, // read before all others
		{"timeout", func(b *builder, c *Check, value *node) { c.Timeout = b.duration(value, "timeout", 1, maxTimeout) }},
		{"attempts", func(b *builder, c *Check, value *node) { c.Attempts = b.whole(value, "attempts", 1, maxAttempts) }},
		{"degraded_after", func(b *builder, c *Check, value *node) {
			c.DegradedAfter = b.duration(value, "degraded_after", 1, maxTimeout)
		}},
	}
}

func (b *builder) oneCheck(n *node) Check {
	c := Check{Timeout: DefaultTimeout, Attempts: DefaultAttempts}
	if !b.isMapping(n, "checks", "a check: `type:`, and what it asks") {
		return c
	}
	if value := n.member("type"); value != nil {
		c.Type = b.checkType(value)
	} else {
		b.fault(n, "type", "missing; must be one of "+types())
	}
	f := b.form(c.Type)
	if f == nil {
		b.untyped(n)
		return c
	}
	f.begin(&c)
	fill(b, n, &c, func(key string) string { return b.stranger(key, f.what, names(b.check, f.fields)) }, b.check, f.fields)
	if value := n.member("degraded_after"); value != nil && c.Timeout > 0 && c.DegradedAfter >= c.Timeout {
		b.fault(value, "degraded_after", fmt.Sprintf("%s; must be less than the timeout, %s", brief(c.DegradedAfter), brief(c.Timeout)))
	}
	f.finish(b, &c, n)
	return c
}

// untyped sees to the keys of a check whose type is not known: each must be one of some type.
func (b *builder) untyped(n *node) {
	tables := [][]field[Check]{b.check}
	for _, f := range b.forms {
		tables = append(tables, f.fields)
	}
	for i := 0; i+1 < len(n.content); i += 2 {
		if k := &n.content[i]; find(tables, k.value) == nil {
			keys := names(tables...)
			slices.Sort(keys)
			b.fault(k, "", b.stranger(k.value, "a check", slices.Compact(keys)))
		}
	}
}

func (b *builder) checkType(value *node) check.Type {
	given, ok := b.text(value, "type")
	if ok && !check.Type(given).Valid() {
		b.fault(value, "type", shown(given)+" is none of "+types()+meant(given))
		return ""
	}
	return check.Type(given)
}

// meant is how what people call a check is written here, or which type is misspelled; empty where it is neither.
func meant(name string) string {
	switch strings.ToLower(name) {
	case "http", "https", "url", "web":
		return "; a URL is written type: http, url: https://…"
	case "tcp", "port", "socket":
		return "; a port is written type: service, address: HOST:PORT"
	case "docker", "podman", "container":
		return "; a container is written type: container, container: NAME"
	case "postgres", "postgresql", "mysql", "mariadb", "redis", "sqlite", "sql", "db", "database":
		return "; a database is written type: database, url: postgres://…"
	case "systemd", "unit", "service":
		return "; a unit is written type: service, unit: NAME"
	case "nagios", "plugin", "exec", "command", "script", "ping", "icmp":
		return "; what a program checks is written type: service, plugin: [PROGRAM, …]"
	case "dns", "name":
		return "; a name is written type: dns, name: NAME"
	}
	if near := text.Nearest(name, typeNames(), nil); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// types lists the check types for a person.
func types() string { return strings.Join(typeNames(), ", ") }

func typeNames() (names []string) {
	for _, t := range check.Types() {
		names = append(names, string(t))
	}
	return names
}
