package probe

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/claudeops/claudeops/check"
)

// mysqlTalk is a connection to MySQL or MariaDB.
type mysqlTalk struct{ conn driver.Conn }

// parseMySQL has the driver parse the URL's options, as those of a DSN, in which the last slash is before the database.
func parseMySQL(d *database, _ *url.URL, query string) (err error) {
	query = strings.ReplaceAll(query, "/", "%2F")
	d.mysql, err = mysql.ParseDSN(fmt.Sprintf("%s(%s)/?tls=preferred&%s", d.network, d.address, query))
	if err != nil {
		return fmt.Errorf("the URL's options: %w", err)
	}
	d.mysql.Params = nil // socket and ca, which the driver does not know
	if d.network == "unix" {
		d.mysql.TLS, d.mysql.TLSConfig = nil, "false"
	}
	return nil
}

func connectMySQL(ctx context.Context, d *database, w *wire) (dialogue, error) {
	c := d.mysql.Clone()
	c.User, c.Passwd, c.DBName = d.login, d.password, d.database
	trusted, err := d.trusted()
	if err != nil {
		return nil, err
	}
	if trusted != nil {
		c.TLS, c.AllowFallbackToPlaintext = trusted, false
	}
	c.Logger = &mysql.NopLogger{}
	c.DialFunc = w.dial
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, &foundError{impossible(d.name + ": " + err.Error())}
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	w.login()
	return &mysqlTalk{conn}, nil
}

func (m *mysqlTalk) close() { _ = m.conn.Close() }

// MySQLLimit returns the statement that has the server stop what runs longer. MySQL and MariaDB have different variables for this; each
// executes only one of the comments, and old servers refuse both.
func MySQLLimit(limit time.Duration) string {
	return fmt.Sprintf("SET @claudeops = 1 /*M!100100 , max_statement_time = %.3f */ /*!50708 , max_execution_time = %d */",
		limit.Seconds(), limit.Milliseconds())
}

// ask runs a query. The server must stop an operator's query one second after the attempt ends, or it would still run in the next cycle.
func (m *mysqlTalk) ask(ctx context.Context, query string) (bool, error) {
	if deadline, set := ctx.Deadline(); set && query != "" {
		limit := MySQLLimit(max(0, time.Until(deadline)) + time.Second)
		var refused *mysql.MySQLError
		if _, err := m.hasRow(ctx, limit); err != nil && !errors.As(err, &refused) {
			return false, err
		}
	}
	return m.hasRow(ctx, cmp.Or(query, "SELECT 1"))
}

// hasRow runs a query and reads the whole answer.
func (m *mysqlTalk) hasRow(ctx context.Context, query string) (found bool, err error) {
	asker, able := m.conn.(driver.QueryerContext)
	if !able {
		return false, errors.New("the driver cannot ask")
	}
	rows, err := asker.QueryContext(ctx, query, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	values := make([]driver.Value, len(rows.Columns()))
	for {
		if err := rows.Next(values); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return false, err
		}
		found = true
	}
}

// explainMySQL maps the server's error numbers, and the classes of its SQLSTATE.
func explainMySQL(d *database, err error) check.Result {
	var said *mysql.MySQLError
	switch {
	case errors.Is(err, mysql.ErrNoTLS):
		return down(d.is("has no TLS, which the URL asks for"))
	case errors.Is(err, mysql.ErrCleartextPassword):
		return impossible(d.is("asks for the password itself, which it is given where the URL says allowCleartextPasswords=true"))
	case !errors.As(err, &said):
		return check.Result{}
	}
	words := fmt.Sprintf("%s (%d)", firstWords(said.Message), said.Number)
	switch said.Number {
	case 1045, 1698:
		return d.loginRefused()
	case 1820, 1862, 3118, 4151: // the password has expired, the account is locked
		return impossible(d.is(fmt.Sprintf("refuses user %q: %s", d.login, words)))
	case 1044:
		return impossible(d.is(fmt.Sprintf("does not let user %q use database %q", d.login, d.database)))
	case 1049:
		return impossible(d.is(fmt.Sprintf("has no database %q", d.database)))
	case 1040, 1203:
		return asks(d.is("has too many connections"))
	case 1226: // a limit of the user, by the hour or of connections
		return impossible(d.is(fmt.Sprintf("answers user %q no more for now: %s", d.login, words)))
	case 1129, 1130:
		return impossible(d.is("does not let this machine connect: " + said.Message))
	case 1053:
		return asks(d.is("is shutting down"))
	case 1047: // of a node of Galera
		return asks(d.is("is not ready: " + firstWords(said.Message)))
	case 1932: // a table is lost, in a class of statements
		return down(d.is("says: " + words))
	case 1111, 1193, 1267, 1273, 1290: // a function's place, a variable, collations, what an option forbids; in no class
		return impossible(d.is("refuses the statement: " + words))
	}
	if slices.Contains(ofStatement, string(said.SQLState[:2])) {
		return impossible(d.is("refuses the statement: " + words))
	}
	return down(d.is("says: " + words))
}
