package query

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// What makes an account NAME that may only read the database OF.
const (
	forPostgres = `CREATE ROLE NAME LOGIN PASSWORD '…' CONNECTION LIMIT 10;
GRANT CONNECT ON DATABASE OF TO NAME;
GRANT USAGE ON SCHEMA public TO NAME; GRANT SELECT ON ALL TABLES IN SCHEMA public TO NAME;
GRANT pg_monitor TO NAME;  -- optional: statistics, and what others run
ALTER ROLE NAME SET default_transaction_read_only = on; ALTER ROLE NAME SET temp_file_limit = '1GB';`
	forMySQL = `CREATE USER NAME@'%' IDENTIFIED BY '…' WITH MAX_USER_CONNECTIONS 10;
GRANT SELECT, SHOW VIEW ON OF.* TO NAME@'%';
GRANT PROCESS, REPLICATION CLIENT ON *.* TO NAME@'%';  -- optional: what others run, replication`
)

var plainName = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// Lines returns what a database's administrator runs, and the operator writes, so that agents may ask the database of a URL: a new account,
// whoever the URL names. Redis needs none.
func Lines(database string) (lines []string) {
	u, err := url.Parse(database)
	if err != nil {
		return nil
	}
	name, of := "reader", strings.TrimPrefix(u.Path, "/")
	if u.User.Username() == name {
		name = "claudeops_reader"
	}
	made, quote := "", "`"
	switch u.Scheme {
	case "postgres", "postgresql":
		made, quote = forPostgres, `"`
		of = cmp.Or(of, u.User.Username())
	case "mysql", "mariadb":
		made = forMySQL
	default:
		name = u.User.Username()
	}
	if !plainName.MatchString(of) {
		of = quote + strings.ReplaceAll(of, quote, quote+quote) + quote
	}
	if made != "" {
		lines = strings.Split(strings.NewReplacer("NAME", name, " OF", " "+of).Replace(made), "\n")
	}
	if u.User = nil; name != "" {
		u.User = url.User(name)
	}
	if strings.Contains(u.RawQuery, "password") {
		u.RawQuery = ""
	}
	return append(lines, fmt.Sprintf("query: {database: %q, password_env: READER_PASSWORD}", u.String()))
}
