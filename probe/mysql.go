package probe

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/claudeops/claudeops/internal/strict"
)

// mysqlSecrecy reads the option `tls`, with the values of the Go driver.
func mysqlSecrecy(d *database) (secrecy, string) {
	s := secrecy{ca: d.options["ca"], serverName: d.host}
	level, fault := d.tls("tls", s.ca, "false", "preferred", "skip-verify", "", "true")
	s.level = level
	return s, fault
}

// mysqlTalk is a connection to MySQL or MariaDB.
type mysqlTalk struct {
	conn  driver.Conn
	wired *mysqlConn
	place string
}

func connectMySQL(ctx context.Context, d *database, w *wire) (dialogue, error) {
	wired, err := dialMySQL(ctx, d, w)
	if err != nil {
		return nil, err
	}
	c := mysql.NewConfig()
	c.User, c.Passwd, c.DBName, c.Net, c.Addr = d.login, d.password, d.database, "tcp", d.address
	if wired.secured != nil || d.network == "unix" {
		c.Net = "unix" // on a socket, the driver sends the password when asked, instead of requesting a key
	}
	c.AllowCleartextPasswords = d.givesPassword(wired.secured != nil) // as PAM requires
	c.Logger = &mysql.NopLogger{}
	c.DialFunc = func(context.Context, string, string) (net.Conn, error) { return wired, nil }
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, err
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return nil, wired.why(err)
	}
	w.login()
	return &mysqlTalk{conn: conn, wired: wired, place: d.place}, nil
}

func (m *mysqlTalk) close() { _ = m.conn.Close() }

// ask runs a query. The server must stop an operator's query one second after the attempt ends, or it would still run in the next cycle.
// MySQL and MariaDB have different variables for this; each executes only one of the comments.
func (m *mysqlTalk) ask(ctx context.Context, query string) (bool, error) {
	if deadline, set := ctx.Deadline(); set && query != "" {
		left := max(0, time.Until(deadline)) + time.Second
		limit := fmt.Sprintf("SET @claudeops = 1 /*M!100100 , max_statement_time = %.3f */ /*!50708 , max_execution_time = %d */",
			left.Seconds(), left.Milliseconds())
		var refused *mysql.MySQLError
		if _, err := m.rows(ctx, limit); err != nil && !errors.As(err, &refused) {
			return false, err
		}
	}
	rows, err := m.rows(ctx, cmp.Or(query, "SELECT 1"))
	return len(rows) > 0, err
}

// rows runs a query, reads the whole answer and returns its first rows, by column name.
func (m *mysqlTalk) rows(ctx context.Context, query string) (kept []map[string]string, err error) {
	const most = 100
	defer func() { err = m.wired.why(err) }()
	asker, able := m.conn.(driver.QueryerContext)
	if !able {
		return nil, errors.New("the driver cannot ask")
	}
	rows, err := asker.QueryContext(ctx, query, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	names := rows.Columns()
	values := make([]driver.Value, len(names))
	for {
		if err := rows.Next(values); errors.Is(err, io.EOF) {
			return kept, nil
		} else if err != nil {
			return nil, err
		}
		if len(kept) < most {
			kept = append(kept, named(names, values))
		}
	}
}

// named returns a row by column name, without NULLs.
func named(names []string, values []driver.Value) map[string]string {
	row := make(map[string]string, len(names))
	for i, value := range values {
		switch value := value.(type) {
		case nil:
		case []byte:
			row[names[i]] = string(value)
		default:
			row[names[i]] = fmt.Sprint(value)
		}
	}
	return row
}

// lag asks a replica for its lag, the largest if it has several sources. A server that is not a replica is reported: it does not know the
// lag of its replicas, and max_lag should reveal that a replica no longer is one.
func (m *mysqlTalk) lag(ctx context.Context, most time.Duration) (string, error) {
	rows, err := m.replication(ctx)
	if err != nil {
		return "", err
	}
	if len(rows) == 0 {
		return m.place + " is no replica: no replication is set up there, so max_lag cannot be asked of it", nil
	}
	var worst time.Duration
	for _, row := range rows {
		lag, known := strict.Digits(cmp.Or(row["Seconds_Behind_Source"], row["Seconds_Behind_Master"]))
		if !known {
			return stopped(m.place, cmp.Or(row["Replica_IO_Running"], row["Slave_IO_Running"]),
				cmp.Or(row["Replica_SQL_Running"], row["Slave_SQL_Running"]), cmp.Or(row["Last_IO_Error"], row["Last_SQL_Error"])), nil
		}
		worst = max(worst, time.Duration(lag)*time.Second)
	}
	return behind("replica "+m.place, worst, most), nil
}

// stopped says that a replica does not know its lag. receives and applies are the states of its two threads.
func stopped(place, receives, applies, why string) string {
	text := "replication is not running at " + place
	switch {
	case receives == "Connecting":
		text += ": it cannot connect to its primary"
	case receives != "Yes":
		text += ": it receives nothing from its primary"
	case applies != "Yes":
		text += ": it does not apply what it receives"
	}
	if why = firstWords(why, 160); why != "" {
		text += ": " + why
	}
	return text
}

// firstWords returns a foreign text on one line, cut to at most most runes.
func firstWords(text string, most int) string {
	return Excerpt(strings.Join(strings.Fields(text), " "), most)
}

// replication queries the status with the statement that the server knows: MariaDB's for several sources, the current one, or the one
// until 2020.
func (m *mysqlTalk) replication(ctx context.Context) (rows []map[string]string, err error) {
	for _, words := range []string{"SHOW ALL REPLICAS STATUS", "SHOW REPLICA STATUS", "SHOW SLAVE STATUS"} {
		var said *mysql.MySQLError
		rows, err = m.rows(ctx, words)
		if !errors.As(err, &said) || said.Number != 1064 {
			break
		}
	}
	return rows, err
}

// explainMySQL maps the server's error numbers.
func explainMySQL(d *database, err error) Finding {
	var said *mysql.MySQLError
	if !errors.As(err, &said) {
		return Finding{}
	}
	switch said.Number {
	case 1045, 1698:
		return d.loginRefused()
	case 1044:
		return staysDown(d.is(fmt.Sprintf("does not let user %q use database %q", d.login, d.database)))
	case 1049:
		return staysDown(d.is(fmt.Sprintf("has no database %q", d.database)))
	case 1040, 1203:
		return down(d.is("has too many connections"))
	case 1129, 1130:
		return staysDown(d.is("does not let this machine connect: " + said.Message))
	case 1053:
		return down(d.is("is shutting down"))
	case 1227:
		return down(d.is(fmt.Sprintf("does not show replication to user %q: GRANT it REPLICA MONITOR (MariaDB) or REPLICATION CLIENT (MySQL)", d.login)))
	}
	return down(d.is(fmt.Sprintf("says: %s (%d)", firstWords(said.Message, 200), said.Number)))
}
