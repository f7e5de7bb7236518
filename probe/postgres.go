package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// postgresConfig is the driver's configuration without anything from the user's account. The driver accepts only configurations that it has
// parsed from a text, and fills in missing values from PG* variables and files in the home directory. The text therefore sets every value;
// those that are secret are set afterwards, so that no error shows them.
func postgresConfig(d *database, w *wire) (*pgconn.Config, error) {
	mode := d.options["sslmode"]
	switch {
	case d.network == "unix":
		mode = "disable"
	case mode == "" && d.options["sslrootcert"] != "":
		mode = "verify-full"
	case mode == "":
		mode = "prefer"
	}
	auth, proven := d.options["require_auth"], d.network == "unix" || strings.HasPrefix(mode, "verify-")
	if auth == "" && !proven {
		auth = "!password" // whoever has taken the port may ask for it
	}
	text := "host=" + quotedSetting(cmp.Or(d.host, "localhost")) + " sslmode=" + quotedSetting(mode) + " require_auth=" + quotedSetting(auth)
	for _, name := range []string{"sslrootcert", "sslcert", "sslkey"} {
		text += " " + name + "=" + quotedSetting(d.options[name])
	}
	c, err := parsePostgres(text)
	if err != nil {
		return nil, &foundError{impossible(d.name + ": " + cmp.Or(errors.Unwrap(err), err).Error())}
	}
	c.User, c.Password, c.Database = d.login, d.password, d.database
	c.RuntimeParams = map[string]string{"application_name": cmp.Or(d.options["application_name"], "claudeops")}
	c.ConnectTimeout = 0
	c.MaxProtocolMessageBodyLen = maxAnswered
	c.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	c.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
		if ctx.Value(cancelling{}) != nil {
			return (&net.Dialer{}).DialContext(ctx, d.network, d.address)
		}
		return w.dial(ctx, d.network, d.address)
	}
	return c, nil
}

func parsePostgres(text string) (*pgconn.Config, error) {
	text += " port=5432 user=nobody password=none database=none sslcertmode=allow sslnegotiation=postgres sslpassword='' sslsni=1 " +
		"passfile=/dev/null target_session_attrs=any min_protocol_version=3.0 max_protocol_version=3.0 channel_binding=prefer connect_timeout=0"
	if os.Getenv("PGSERVICE") == "" {
		return pgconn.ParseConfig(text)
	}
	// A service is looked up even if the text is complete, so give it a file with an empty one.
	f, err := os.CreateTemp("", "claudeops-pgservice-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.WriteString("[none]\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return pgconn.ParseConfig(text + " service=none servicefile='" + f.Name() + "'")
}

// quotedSetting writes a value as libpq reads it.
func quotedSetting(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(value) + "'"
}

// postgres is a connection to PostgreSQL.
type postgres struct{ conn *pgconn.PgConn }

func connectPostgres(ctx context.Context, d *database, w *wire) (dialogue, error) {
	c, err := postgresConfig(d, w)
	if err != nil {
		return nil, err
	}
	conn, err := pgconn.ConnectConfig(ctx, c)
	if err != nil {
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
func explainPostgres(d *database, err error) Finding {
	var said *pgconn.PgError
	switch {
	case strings.Contains(err.Error(), "authentication method requirement"):
		return impossible(d.is("asks for a login that require_auth does not permit (" + cmp.Or(d.options["require_auth"], "!password") + "); the URL may name another"))
	case errors.As(err, &said):
	case strings.Contains(innermost(err).Error(), "server refused TLS connection"):
		return staysDown(d.is("has no TLS, which the URL asks for"))
	default:
		return Finding{}
	}
	switch class := said.Code[:min(2, len(said.Code))]; {
	case said.Code == "28P01":
		return d.loginRefused()
	case class == "28":
		return impossible(d.is(fmt.Sprintf("refuses user %q: %s", d.login, said.Message)))
	case said.Code == "3D000":
		return impossible(d.is(fmt.Sprintf("has no database %q", cmp.Or(d.database, d.login))))
	case class == "42": // syntax error or access rule violation
		return impossible(d.is(fmt.Sprintf("refuses the statement: %s (%s)", said.Message, said.Code)))
	case said.Code == "53300":
		return asks(d.is("has too many connections: " + said.Message))
	case said.Code == "57P01", said.Code == "57P02", said.Code == "57P03": // it shuts down, has lost a process, starts or recovers
		return asks(d.is("takes no connections: " + said.Message))
	}
	return down(d.is(fmt.Sprintf("says: %s (%s)", said.Message, said.Code)))
}
