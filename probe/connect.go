package probe

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/gomodule/redigo/redis"
	"github.com/jackc/pgx/v5/pgconn"
)

// Connection is a connection to a database, logged in as a check logs in. One of Postgres, MySQL and Redis is set. It ends with the
// context of Connect, and the server sends at most maxAnswered bytes through it.
type Connection struct {
	Postgres *pgconn.PgConn
	MySQL    driver.Conn
	Redis    redis.Conn

	d       *database
	wire    *wire
	talk    dialogue
	secrets secrets
}

// Connect logs in to the database of a check, which is no file. within is how long ctx lasts, for messages. The error is for people, and
// holds no password.
func Connect(ctx context.Context, check Database, environ []string, within time.Duration) (*Connection, error) {
	d, fault := check.read(newClient(Settings{Environ: environ}), within)
	switch {
	case fault != "":
		return nil, errors.New(fault)
	case d.network == "":
		return nil, errors.New(d.name + " is a file, to which nothing connects")
	}
	c := &Connection{d: d, wire: &wire{left: maxAnswered}, secrets: secretsOf(check.About(), environ)}
	context.AfterFunc(ctx, c.wire.close)
	var err error
	if c.talk, err = d.connect(ctx, d, c.wire); err != nil {
		err = c.Fault(ctx, err)
		c.wire.close()
		return nil, err
	}
	switch of := c.talk.(type) {
	case *postgres:
		c.Postgres = of.conn
	case *mysqlTalk:
		c.MySQL = of.conn
	case *redisTalk:
		c.Redis = of.conn
	}
	return c, nil
}

// Close ends the session. Where an answer is still unread, cancel the context of Connect before.
func (c *Connection) Close() {
	c.talk.close()
	c.wire.close()
}

// Fault says for people why something failed on the connection.
func (c *Connection) Fault(ctx context.Context, err error) error {
	return errors.New(clean(c.d.failed(ctx, c.wire, err).Error, c.secrets))
}
