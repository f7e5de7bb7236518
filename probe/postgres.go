package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// postgresSecrecy reads libpq's sslmode.
func postgresSecrecy(d *database) (secrecy, string) {
	s := secrecy{ca: d.options["sslrootcert"], cert: d.options["sslcert"], key: d.options["sslkey"], serverName: d.host}
	if (s.cert == "") != (s.key == "") {
		return s, "the URL's options sslcert and sslkey go together"
	}
	level, fault := d.tls("sslmode", s.ca, "disable", "prefer", "require", "verify-ca", "verify-full")
	s.level = level
	if s.level == unverified && s.ca != "" {
		s.level = authority // as in libpq
	}
	if s.ca == "system" {
		s.ca = ""
		if d.network != "unix" {
			s.level = verified
		}
	}
	return s, fault
}

// postgresDefaults is the driver's configuration without anything from the user's account. The driver accepts only configurations that it
// has parsed from a text, and fills in missing values from PG* variables and files in the home directory. The text therefore sets every
// value, and postgresConfig overwrites the rest.
var postgresDefaults = sync.OnceValues(makePostgresDefaults)

func makePostgresDefaults() (*pgconn.Config, error) {
	text := "host=localhost port=5432 user=nobody password=none database=none sslmode=disable sslcertmode=disable sslnegotiation=postgres " +
		"sslrootcert='' sslcert='' sslkey='' sslpassword='' sslsni=1 passfile=/dev/null target_session_attrs=any " +
		"min_protocol_version=3.0 max_protocol_version=3.0 channel_binding=prefer " +
		"require_auth='' connect_timeout=0"
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

func postgresConfig(d *database, w *wire) (*pgconn.Config, error) {
	defaults, err := postgresDefaults()
	if err != nil {
		return nil, fmt.Errorf("make a configuration: %w", err)
	}
	secured, err := d.secrecy.config(d.now)
	if err != nil {
		return nil, err
	}
	c := defaults.Copy()
	c.User, c.Password, c.Database = d.login, d.password, d.database
	c.Host, c.Port, c.TLSConfig, c.Fallbacks = "database", 1, secured, nil // the wire knows the address
	if d.secrecy.level == preferred {
		c.Fallbacks = []*pgconn.FallbackConfig{{Host: c.Host, Port: c.Port}}
	}
	if !d.givesPassword(secured != nil) { // TLS that is only preferred proves nothing
		c.RequireAuth = "!password"
	}
	c.RuntimeParams = map[string]string{"application_name": "claudeops"}
	if name, given := d.options["application_name"]; given {
		c.RuntimeParams["application_name"] = name
	}
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

// postgres is a connection to PostgreSQL.
type postgres struct {
	conn  *pgconn.PgConn
	place string
}

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
	return &postgres{conn: conn, place: d.place}, nil
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
	rows, err := p.rows(ctx, query, 0)
	if own && ctx.Err() != nil {
		p.cancel()
	}
	return rows.count > 0, err
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

// answer is the result of a query.
type answer struct {
	count int
	kept  [][]string // the first rows; NULL is empty
}

// rows runs a query, reads the whole answer and returns its first rows.
func (p *postgres) rows(ctx context.Context, query string, keep int) (a answer, err error) {
	results := p.conn.Exec(ctx, query)
	for results.NextResult() {
		reader := results.ResultReader()
		for reader.NextRow() {
			if a.count++; len(a.kept) < keep {
				var row []string
				for _, value := range reader.Values() {
					row = append(row, string(value))
				}
				a.kept = append(a.kept, row)
			}
		}
		if _, err := reader.Close(); err != nil {
			_ = results.Close()
			return a, err
		}
	}
	return a, results.Close()
}

// lag asks a standby for its lag, and a primary for the lag of its replicas.
//
// A standby knows the time of the transaction that it replayed last. That may be long ago if nothing was written since, so it is not
// behind if it has replayed everything it received. It gets one second to replay what it has just received. The result depends on the
// clocks of two machines. If the network to its primary broke silently, the standby does not notice before wal_receiver_timeout.
func (p *postgres) lag(ctx context.Context, most time.Duration) (string, error) {
	const state = `SELECT pg_is_in_recovery(), pg_last_wal_receive_lsn(), coalesce(pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn(), false),
		coalesce(extract(epoch FROM now() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time())), 0),
		(SELECT count(*) FROM pg_stat_wal_receiver WHERE status IS NULL OR status = 'streaming')`
	a, err := p.rows(ctx, state, 1)
	if err != nil {
		return "", err
	}
	if a.count != 1 || len(a.kept[0]) != 5 {
		return "", errors.New("an answer of another shape")
	}
	row := a.kept[0]
	switch {
	case row[0] != "t":
		return p.replicas(ctx, most)
	case row[4] == "0":
		return "replication is not running: replica " + p.place + " receives nothing from its primary", nil
	case row[2] == "t":
		return "", nil
	}
	text := behind("replica "+p.place, seconds(row[3]), most)
	if text == "" {
		return "", nil
	}
	replayed, err := p.replays(ctx, row[1])
	if replayed || err != nil {
		return "", err
	}
	return text, nil
}

// replays reports whether a standby replays what it has received within a second.
func (p *postgres) replays(ctx context.Context, received string) (bool, error) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for range 5 {
		select {
		case <-ctx.Done():
			return false, nil
		case <-tick.C:
		}
		a, err := p.rows(ctx, "SELECT pg_last_wal_replay_lsn() >= '"+strings.ReplaceAll(received, "'", "")+"'::pg_lsn", 1)
		if err != nil {
			return false, err
		}
		if a.count == 1 && a.kept[0][0] == "t" {
			return true, nil
		}
	}
	return false, nil
}

// replicas asks a primary about its replicas. A streaming backup is not one.
func (p *postgres) replicas(ctx context.Context, most time.Duration) (string, error) {
	const ask = `SELECT coalesce(state, '?'), coalesce(nullif(application_name, 'walreceiver') || ' ', '') || coalesce(host(client_addr), ''),
		coalesce(extract(epoch FROM replay_lag), 0) FROM pg_stat_replication WHERE state IS NULL OR state <> 'backup' ORDER BY 3 DESC`
	a, err := p.rows(ctx, ask, 1)
	switch {
	case err != nil:
		return "", err
	case a.count == 0:
		return "no replica is connected to primary " + p.place, nil
	case a.kept[0][0] == "?":
		return "how far the replicas are cannot be seen: GRANT pg_monitor to the check's user at " + p.place, nil
	}
	return behind(strings.TrimSpace("replica "+a.kept[0][1])+" of "+p.place, seconds(a.kept[0][2]), most), nil
}

// seconds parses a number of seconds; 0 if it is not one.
func seconds(text string) time.Duration {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 0 {
		return 0
	}
	const century = 100 * 365 * 24 * 3600
	return time.Duration(min(n, century) * float64(time.Second))
}

// explainPostgres maps SQLSTATE codes (PostgreSQL Appendix A).
func explainPostgres(d *database, err error) Finding {
	var said *pgconn.PgError
	switch {
	case strings.Contains(err.Error(), "server requested password authentication"):
		return staysDown(d.keepsPassword("sslmode=verify-full").Error())
	case errors.As(err, &said):
	case d.secrecy.level > preferred && strings.Contains(err.Error(), "server refused TLS connection"):
		return staysDown(d.is("has no TLS, which the URL asks for"))
	default:
		return Finding{}
	}
	switch said.Code {
	case "28P01":
		return d.loginRefused()
	case "28000":
		return staysDown(d.is(fmt.Sprintf("refuses user %q: %s", d.login, said.Message)))
	case "3D000":
		return staysDown(d.is(fmt.Sprintf("has no database %q", cmp.Or(d.database, d.login))))
	case "53300":
		return down(d.is("has too many connections: " + said.Message))
	case "57P03":
		return down(d.is("takes no connections: " + said.Message))
	}
	return down(d.is(fmt.Sprintf("says: %s (%s)", said.Message, said.Code)))
}
