package inventory

import (
	"math"
	"net/url"
	"slices"

	"github.com/claudeops/claudeops/check"
)

func databaseForm() form {
	return form{
		of: check.Database, what: "a database check",
		begin: func(c *Check) { c.Database = &Database{} },
		fields: []field[Check]{
			{"url", func(b *builder, c *Check, value *node) { c.Database.URL = b.url(value, "url", databaseURL) }},
			{"password_env", func(b *builder, c *Check, value *node) { c.Database.PasswordEnv = b.variable(value, "password_env") }},
			{"query", func(b *builder, c *Check, value *node) { c.Database.Query, _ = b.filled(value, "query", "a statement") }},
			{"max_lag", func(b *builder, c *Check, value *node) {
				c.Database.MaxLag = b.duration(value, "max_lag", 1, math.MaxInt64)
			}},
		},
		finish: func(b *builder, c *Check, n *node) {
			b.require(n, "url", "the URL of the database, like postgres://probe@db1:5432/shop")
			u, err := url.Parse(c.Database.URL)
			if err != nil {
				return // it is a fault already
			}
			for _, name := range without(u.Scheme) {
				if value := n.member(name); value != nil {
					b.fault(value, name, "means nothing to "+u.Scheme+"; leave it out")
				}
			}
		},
	}
}

// without are the keys of a database check that a kind of database has no use for.
func without(scheme string) []string {
	if scheme == sqliteScheme {
		return []string{"password_env", "max_lag"}
	}
	return nil
}

const sqliteScheme = "sqlite"

// databaseSchemes are those of URLs that a database check takes.
func databaseSchemes() []string {
	return []string{"postgres", "postgresql", "mysql", "mariadb", "redis", "rediss", sqliteScheme}
}

func isDatabase(scheme string) bool { return slices.Contains(databaseSchemes(), scheme) }
