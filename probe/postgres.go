package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/claudeops/claudeops/check"
)

// postgresDefaults stand before the URL's options, so that the driver takes no missing one from a PG* variable or the home directory. Who
// logs in where is set afterwards, so that no error shows it.
const postgresDefaults = "user=nobody&password=none&dbname=none&sslmode=prefer&sslrootcert=&sslcert=&sslkey=&sslpassword=&sslcertmode=allow&sslsni=1&" +
	"sslnegotiation=postgres&require_auth=&channel_binding=prefer&target_session_attrs=any&connect_timeout=0&min_protocol_version=3.0&" +
	"max_protocol_version=3.0&application_name=claudeops"

// parsePostgres has the driver parse the URL, without the files that it names.
func parsePostgres(d *database, _ *url.URL, query string) error {
	if d.options["sslrootcert"] != "" {
		query = "sslmode=verify-full&" + query
	}
	d.parsed = (&url.URL{Scheme: "postgres", Host: d.address, RawQuery: strings.TrimSuffix(postgresDefaults+"&"+query, "&")}).String()
	c, err := postgresConfig(d, d.parsed+"&sslrootcert=&sslcert=&sslkey=")
	if err != nil {
		return err
	}
	if (d.options["sslcert"] == "") != (d.options["sslkey"] == "") {
		return errors.New("the URL's options sslcert and sslkey are needed both")
	}
	d.host, d.connecting = c.Host, c.ConnectTimeout
	d.network, d.address = pgconn.NetworkAddress(c.Host, c.Port)
	d.place = d.address
	return nil
}

// postgresConfig parses a text, and completes what the driver makes of it.
func postgresConfig(d *database, text string) (*pgconn.Config, error) {
	_ = os.Unsetenv("PGSERVICE") // the driver would read a file for it, even if the text is complete
	c, err := pgconn.ParseConfig(text)
	if err != nil {
		_, why, _ := strings.Cut(err.Error(), "`: ") // after the text
		return nil, errors.New(why)
	}
	proven := strings.HasPrefix(c.Host, "/") || c.TLSConfig != nil && (!c.TLSConfig.InsecureSkipVerify || c.TLSConfig.VerifyPeerCertificate != nil)
	if c.RequireAuth == "" && !proven {
		c.RequireAuth = "!password" // whoever has taken the port may ask for it
	}
	c.User, c.Password, c.Database = d.login, d.password, d.database
	maps.DeleteFunc(c.RuntimeParams, func(name, _ string) bool { return name != "application_name" && d.options[name] == "" })
	c.MaxProtocolMessageBodyLen = maxAnswered
	c.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	return c, nil
}

// postgres is a connection to PostgreSQL.
type postgres struct{ conn *pgconn.PgConn }

func connectPostgres(ctx context.Context, d *database, w *wire) (dialogue, error) {
	c, err := postgresConfig(d, d.parsed)
	if err != nil {
		return nil, &foundError{impossible(d.name + ": " + err.Error())}
	}
	c.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
		if ctx.Value(cancelling{}) != nil {
			return (&net.Dialer{}).DialContext(ctx, d.network, d.address)
		}
		return w.dial(ctx, d.network, d.address)
	}
	conn, err := pgconn.ConnectConfig(ctx, c)
	var said *pgconn.PgError
	switch {
	case err == nil:
	case strings.Contains(err.Error(), "channel binding required"):
		return nil, &foundError{impossible(d.is("does not bind the login to its TLS, as channel_binding=require asks"))}
	case strings.Contains(err.Error(), "ValidateConnect failed") && ctx.Err() == nil && !errors.As(err, &said):
		return nil, &foundError{down(d.is("is not " + d.options["target_session_attrs"] + ", as target_session_attrs asks"))}
	default:
		return nil, err
	}
	w.login()
	return &postgres{conn}, nil
}

// close ends the session properly, so that the server does not log a lost connection.
func (p *postgres) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = p.conn.Close(ctx)
}

// A query is cancelled over another connection, for which a busy server may need seconds. An attempt waits cancelAwaited for it; then the
// cancelling continues in the background.
const (
	cancelAwaited = 1500 * time.Millisecond
	cancelWithin  = 15 * time.Second
)

// cancelling marks the context of a connection that only cancels a query.
type cancelling struct{}

// ask uses the simple protocol, which connection poolers understand too. An operator's query is cancelled if the attempt ends before it
// does; otherwise it would continue, and overlap with the next cycle's.
func (p *postgres) ask(ctx context.Context, query string) (bool, error) {
	own := query != ""
	if !own {
		query = "SELECT 1"
	}
	found, err := p.hasRow(ctx, query)
	if own && ctx.Err() != nil {
		p.cancel()
	}
	return found, err
}

func (p *postgres) cancel() {
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		ctx, stop := context.WithTimeout(context.WithValue(context.Background(), cancelling{}, true), cancelWithin)
		defer stop()
		_ = p.conn.CancelRequest(ctx)
	}()
	select {
	case <-asked:
	case <-time.After(cancelAwaited):
	}
}

// hasRow runs a query and reads the whole answer.
func (p *postgres) hasRow(ctx context.Context, query string) (found bool, err error) {
	results := p.conn.Exec(ctx, query)
	for results.NextResult() {
		reader := results.ResultReader()
		for reader.NextRow() {
			found = true
		}
		if _, err := reader.Close(); err != nil {
			_ = results.Close()
			return false, err
		}
	}
	return found, results.Close()
}

// explainPostgres maps SQLSTATE codes (PostgreSQL Appendix A).
func explainPostgres(d *database, err error) check.Result {
	var said *pgconn.PgError
	switch {
	case strings.Contains(err.Error(), "authentication method requirement"):
		return impossible(d.is("asks for a login that require_auth does not permit (" + cmp.Or(d.options["require_auth"], "!password") + "); the URL may name another"))
	case errors.As(err, &said):
	case strings.Contains(innermost(err).Error(), "server refused TLS connection"):
		return down(d.is("has no TLS, which the URL asks for"))
	default:
		return check.Result{}
	}
	switch class := said.Code[:min(2, len(said.Code))]; {
	case said.Code == "28P01":
		return d.loginRefused()
	case class == "28":
		return impossible(d.is(fmt.Sprintf("refuses user %q: %s", d.login, said.Message)))
	case said.Code == "3D000":
		return impossible(d.is(fmt.Sprintf("has no database %q", cmp.Or(d.database, d.login))))
	case slices.Contains(ofStatement, class):
		return impossible(d.is(fmt.Sprintf("refuses the statement: %s (%s)", said.Message, said.Code)))
	case said.Code == "53300":
		return asks(d.is("has too many connections: " + said.Message))
	case said.Code == "57P01", said.Code == "57P02", said.Code == "57P03": // it shuts down, has lost a process, starts or recovers
		return asks(d.is("takes no connections: " + said.Message))
	}
	return down(d.is(fmt.Sprintf("says: %s (%s)", said.Message, said.Code)))
}
