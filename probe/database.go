package probe

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
)

const sqliteScheme = "sqlite"

func init() {
	register(Type{Name: "database", What: "a database check", Doc: "Asks a database.", Recorded: check.Database,
		Called: "postgres postgresql mysql mariadb redis sqlite sql db database", Written: "a database is written type: database, url: postgres://…",
		Options: func() Options { return &Database{} }})
}

// Database queries a database.
type Database struct {
	URL         string // postgres, mysql, redis, rediss or sqlite; postgresql and mariadb are synonyms of the first two
	PasswordEnv string // the variable with the password; empty if the URL is sufficient
	Query       string // empty for the cheapest query
}

// Fields returns the keys of the services file.
func (o *Database) Fields() []strict.Field {
	return []strict.Field{
		{Name: "url", Required: "the URL of the database, like postgres://probe@db1:5432/shop",
			Doc:   "`postgres://`, `postgresql://`, `mysql://`, `mariadb://`, `redis://` or `rediss://` with a host; `sqlite:///PATH` of a file",
			Takes: reachedURL(&o.URL, databasePattern, databaseURL)},
		{Name: "password_env", Default: "the URL's password, if any",
			Doc: "name of the [environment variable](#secrets) that has the password; not for sqlite", Takes: strict.Variable(&o.PasswordEnv)},
		{Name: "query", Default: "the least there is", Doc: "a statement that must give a row at least. A condition is written as `SELECT 1 FROM … WHERE …`",
			Takes: strict.Filled(&o.Query, "a statement")},
	}
}

const (
	serverPattern   = `(postgres(ql)?|mysql|mariadb|rediss?)://[^\\s]+`
	databasePattern = `"pattern":"^(` + serverPattern + `|sqlite:///[^\\x00-\\x1f\\x7f]*[^/\\x00-\\x1f\\x7f])$"`
)

// QueryURL accepts the URL of a database that agents ask: of a server, and without a password, because agents may read the services file.
func QueryURL(to *string) strict.Takes {
	return reachedURL(to, `"pattern":"^`+serverPattern+`$"`, func(text string) (host, fault string) {
		if host, fault = databaseURL(text); fault != "" {
			return host, fault
		}
		u, err := url.Parse(text)
		if err != nil {
			return host, fault
		}
		if _, given := u.User.Password(); given {
			fault = "has a password, and agents may read this file; password_env names the variable that has it"
		}
		if u.Scheme == sqliteScheme {
			fault = "a file, which agents read with sqlite3; must be the URL of PostgreSQL, MySQL, MariaDB or Redis"
		}
		return host, fault
	})
}

// Finish reports a key that does not apply to the kind of database.
func (o *Database) Finish(r *strict.Reader, n *strict.Node, _ string) {
	if u, err := url.Parse(o.URL); err != nil || u.Scheme != sqliteScheme {
		return
	}
	if value := n.Member("password_env"); value != nil {
		r.Fault(value, "password_env", "means nothing to "+sqliteScheme+"; leave it out")
	}
}

// About describes the check.
func (o *Database) About() About {
	scheme, rest, _ := strings.Cut(o.URL, "://")
	address, _, _ := strings.Cut(rest, "?")
	about := About{Target: withoutUser(o.URL), Asked: scheme + "://" + address[strings.LastIndexByte(address, '@')+1:], Host: hostOfURL(o.URL), Needs: scheme}
	if o.PasswordEnv != "" {
		about.Variables = []string{o.PasswordEnv}
	}
	about.Secrets = func(environ []string) []string {
		values := inURL(o.URL)
		for _, value := range valuesOf(environ, o.PasswordEnv) {
			values = append(values, forms(value)...)
		}
		return values
	}
	return about
}

// dialect holds what differs between kinds of databases.
type dialect struct {
	name    string            // of the product, for people
	port    string            // default port; empty for a file
	user    bool              // a login needs a user
	options []string          // allowed options in the URL's query
	means   map[string]string // options as other clients write them, with their values, and as they are written here
	// parse lets the driver parse the URL. It reads no file. query has the URL's options.
	parse func(d *database, u *url.URL, query string) error
	// connect logs in, or lets the first command do so, and then calls w.login.
	connect func(ctx context.Context, d *database, w *wire) (dialogue, error)
	// explain returns the result for an error of the server or its driver; its Error is empty for an error without a specific meaning.
	explain func(d *database, err error) check.Result
}

// ofStatement are the classes of SQLSTATE in which a healthy server refuses a statement: it is not supported, counts or values do not fit, a
// constraint or a read-only transaction is against it, a database or schema is unknown, syntax or rights are wrong. What a server raises
// because the statement says so (RAISE, SIGNAL) is in none of them.
var ofStatement = []string{"0A", "21", "22", "23", "25", "3D", "3F", "42"}

// dialogue is a connection that is logged in.
type dialogue interface {
	// ask runs a query, or the cheapest one if query is empty, and reports whether the answer has a row.
	ask(ctx context.Context, query string) (row bool, err error)
	close()
}

// dialects are all dialects, by URL scheme.
var dialects = func() map[string]*dialect {
	postgres := &dialect{name: "PostgreSQL", port: "5432", user: true, parse: parsePostgres, connect: connectPostgres, explain: explainPostgres,
		options: []string{"host", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslcertmode", "sslnegotiation", "sslsni",
			"channel_binding", "require_auth", "target_session_attrs", "connect_timeout", "min_protocol_version", "max_protocol_version",
			"application_name", "options", "search_path"},
		means: map[string]string{"ssl=true": "sslmode=require", "pgbouncer=true": ""}}
	mysql := &dialect{name: "MySQL", port: "3306", user: true, parse: parseMySQL, connect: connectMySQL, explain: explainMySQL,
		options: []string{"socket", "tls", "ca", "allowCleartextPasswords", "allowNativePasswords", "allowOldPasswords", "charset", "clientFoundRows",
			"collation", "columnsWithAlias", "compress", "interpolateParams", "loc", "multiStatements", "parseTime"},
		means: map[string]string{"ssl-mode=DISABLED": "tls=false", "ssl-mode=PREFERRED": "tls=preferred", "ssl-mode=REQUIRED": "tls=skip-verify",
			"ssl-mode=VERIFY_IDENTITY": "tls=true", "sslaccept=strict": "tls=true", "sslaccept=accept_invalid_certs": "tls=skip-verify",
			`ssl={"rejectUnauthorized":true}`: "tls=true", `ssl={"rejectUnauthorized":false}`: "tls=skip-verify"}}
	redis := &dialect{name: "Redis", port: "6379", parse: parseRedis, connect: connectRedis, explain: explainRedis,
		options: []string{"socket", "ca", "insecure"},
		means:   map[string]string{"ssl_cert_reqs=required": "insecure=false", "ssl_cert_reqs=none": "insecure=true"}}
	sqlite := &dialect{name: "SQLite", connect: openSQLite, explain: explainSQLite, options: []string{"immutable"}}
	return map[string]*dialect{"postgres": postgres, "postgresql": postgres, "mysql": mysql, "mariadb": mysql, "redis": redis, "rediss": redis,
		sqliteScheme: sqlite}
}()

// database is a database check, prepared for its attempts.
type database struct {
	*dialect
	scheme           string
	network, address string // to connect to
	host             string // to verify the certificate against
	place            string // for people, without credentials
	login, password  string
	database         string // the URL's path without the leading slash
	options          map[string]string
	parsed           string        // what the driver has parsed, without the login
	mysql            *mysql.Config // the same for MySQL, whose driver does not parse it again
	query            string
	timeout          time.Duration // for messages
	connecting       time.Duration // the part of timeout for connecting and logging in; 0 for all of it
	now              func() time.Time
}

// Prepare returns the attempt. An attempt opens one connection, runs the query, measures the time until the answer, and closes the
// connection.
//
// A query must return at least one row, whatever is in it; without a row the database is down, with an error of the query's own it is
// unknown. A condition is therefore written as `SELECT 1 FROM … WHERE …`. Only the URL and the variable with the password are used, not
// PG* variables or files in the home directory. Options by which a driver reads files of its own choice, or sends them, are not allowed in
// the URL.
func (o *Database) Prepare(c *Client, k *Check, _ string) Try {
	d, fault := o.read(c, k.Timeout)
	if fault != "" {
		return always(fault)
	}
	return d.try
}

// read interprets the options of a check.
func (o *Database) read(c *Client, timeout time.Duration) (d *database, fault string) {
	if d, fault = parseDatabase(o.URL); fault != "" {
		return nil, fault
	}
	d.query, d.timeout, d.now = strings.TrimSpace(o.Query), timeout, c.settings.Now
	d.connecting = min(cmp.Or(d.connecting, timeout), timeout)
	if name := o.PasswordEnv; name != "" {
		if d.password, _ = c.settings.Lookup(name); d.password == "" {
			return nil, "the password is missing: the variable " + name + " is not set; set it, in /etc/claudeops/env for example"
		}
	}
	if d.login == "" && d.user { // as psql and mysql do
		if own, err := user.Current(); err == nil {
			d.login = own.Username
		}
	}
	return d, ""
}

// parseDatabase parses a check's URL, for `probe validate` as for the check. Files that the URL names need not exist yet: only an attempt
// reads them. The fault quotes no password.
func parseDatabase(text string) (d *database, fault string) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, "the database's URL cannot be read" // the error would quote the URL with its password
	}
	d = &database{dialect: dialects[u.Scheme], scheme: u.Scheme, host: u.Hostname(), login: u.User.Username(), database: strings.TrimPrefix(u.Path, "/")}
	if d.dialect == nil {
		return nil, fmt.Sprintf("no database is known by a URL that begins with %s:", u.Scheme)
	}
	d.password, _ = u.User.Password()
	query, fault := d.readOptions(u.RawQuery)
	if fault != "" {
		return nil, d.name + ": " + fault
	}
	d.locate(u)
	if d.parse == nil {
		return d, ""
	}
	if err := d.parse(d, u, query); err != nil {
		return nil, d.name + ": " + err.Error()
	}
	return d, ""
}

// readOptions reads the options in a URL's query, and returns them as they are written here, or what is wrong with them. The driver judges
// the values of its own.
func (d *database) readOptions(query string) (meant, fault string) {
	known := d.dialect.options
	var pairs []string
	d.options = map[string]string{}
	for pair := range strings.SplitSeq(query, "&") {
		if text, err := url.QueryUnescape(pair); err == nil {
			if other, found := d.means[text]; found {
				pair = other
			}
		}
		if pair == "" {
			continue
		}
		name, text, _ := strings.Cut(pair, "=")
		value, err := url.QueryUnescape(text)
		isFile := slices.Contains([]string{"socket", "host", "ca", "sslcert", "sslkey", "sslrootcert"}, name)
		switch {
		case !slices.Contains(known, name) && strings.Contains(strings.ToLower(name), "timeout"):
			return "", fmt.Sprintf("the URL's option %q is not used: the check's timeout is", name)
		case !slices.Contains(known, name):
			return "", fmt.Sprintf("the URL's option %q is not known; there are %s", name, strings.Join(known, ", "))
		case d.options[name] != "":
			return "", fmt.Sprintf("the URL has the option %q twice", name)
		case err != nil || value == "":
			return "", fmt.Sprintf("the URL's option %s has no value that can be read", name)
		case isFile && !strings.HasPrefix(value, "/") && pair != "sslrootcert=system":
			return "", fmt.Sprintf("the URL's option %s is %q, and must be a path that begins with /", name, value)
		case name == "insecure" && value != "true" && value != "false":
			return "", fmt.Sprintf("the URL's option insecure is %q, and must be true or false", value)
		case name == "immutable" && value != "1" && value != "0":
			return "", fmt.Sprintf("the URL's option immutable is %q, and must be 1 or 0", value)
		}
		d.options[name] = value
		pairs = append(pairs, pair)
	}
	return strings.Join(pairs, "&"), ""
}

// locate sets the address of the database.
func (d *database) locate(u *url.URL) {
	switch socket := d.options["socket"]; {
	case d.port == "":
		d.place = u.Path
	case socket != "":
		d.network, d.address, d.place = "unix", socket, socket
	default:
		d.host = ascii(cmp.Or(d.host, "localhost"))
		d.network, d.address = "tcp", net.JoinHostPort(d.host, cmp.Or(u.Port(), d.port))
		d.place = d.address
	}
}

// trusted returns a TLS configuration that believes the authority of the option `ca` alone; nil without one.
func (d *database) trusted() (*tls.Config, error) {
	file := d.options["ca"]
	if file == "" {
		return nil, nil
	}
	roots, err := readCA(file)
	if err != nil {
		return nil, &foundError{impossible("the check's ca file " + err.Error())}
	}
	return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, nil
}

// is starts a sentence about the server.
func (d *database) is(what string) string { return d.name + " at " + d.place + " " + what }

// try makes one attempt.
func (d *database) try(ctx context.Context) check.Result {
	w := &wire{left: maxAnswered}
	defer w.close()
	defer context.AfterFunc(ctx, w.close)()

	began := time.Now()
	talk, err := d.connect(ctx, d, w)
	if err != nil {
		return d.failed(ctx, w, err)
	}
	defer talk.close()
	row, err := talk.ask(ctx, d.query)
	switch {
	case err != nil:
		return d.failed(ctx, w, err)
	case !row:
		return down(d.is("gave no row to the query, which must give one"))
	}
	return check.Result{Status: check.Healthy, ResponseTimeMS: milliseconds(time.Since(began))}
}

// failed returns the result of an attempt that ended with an error.
func (d *database) failed(ctx context.Context, w *wire, err error) check.Result {
	var known *foundError
	if errors.As(err, &known) {
		return known.found
	}
	if found := d.explain(d, err); found.Error != "" {
		return found
	}
	if found := w.fault(ctx, err, d); found.Error != "" {
		return found
	}
	return down(d.strange(strings.TrimPrefix(plain(innermost(err)), "redigo: ")))
}

// strange says that the server is not such a database.
func (d *database) strange(why string) string {
	return fmt.Sprintf("what is at %s does not answer as %s does: %s", d.place, d.name, why)
}

// foundError is an error that already is a result.
type foundError struct{ found check.Result }

func (e *foundError) Error() string { return e.found.Error }

// loginRefused returns the result for a refused login.
func (d *database) loginRefused() check.Result {
	of := ""
	if d.login != "" {
		of = fmt.Sprintf(" of user %q", d.login)
	}
	if d.password == "" {
		return impossible(d.is("wants a password" + of + ", and none is given: name the variable that has it in `password_env`"))
	}
	return impossible(d.is("refuses the password" + of + ": give the check the right one"))
}
