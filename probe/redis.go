package probe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"

	"github.com/claudeops/claudeops/check"
)

// redisTalk is a connection to Redis.
type redisTalk struct{ conn redis.Conn }

// parseRedis judges the URL, which the driver parses only to dial.
func parseRedis(d *database, u *url.URL, _ string) error {
	if d.scheme != "rediss" && (d.options["ca"] != "" || d.options["insecure"] != "") {
		return errors.New("the URL's options ca and insecure are those of rediss")
	}
	host := d.address
	if d.network == "unix" {
		host = ""
	}
	d.parsed = (&url.URL{Scheme: u.Scheme, Host: host, Path: u.Path}).String()
	if _, err := strconv.ParseUint(d.database, 10, 31); err != nil && d.database != "" {
		return errors.New("the URL's path must be the number of a database, like /0")
	}
	return nil
}

// connectRedis connects and logs in. The attempt ends by the wire, so the driver needs no deadlines.
func connectRedis(ctx context.Context, d *database, w *wire) (dialogue, error) {
	trusted, err := d.trusted()
	if err != nil {
		return nil, err
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return w.dial(ctx, d.network, d.address) }
	conn, err := redis.DialURLContext(ctx, d.parsed, redis.DialContextFunc(dial), redis.DialTLSConfig(trusted),
		redis.DialTLSSkipVerify(d.options["insecure"] == "true"), redis.DialTLSHandshakeTimeout(0),
		redis.DialUsername(d.login), redis.DialPassword(d.password))
	if err != nil {
		return nil, err
	}
	if d.password != "" || d.database != "" {
		w.login()
	}
	return &redisTalk{conn}, nil
}

func (r *redisTalk) close() { _ = r.conn.Close() }

// ask sends a command, or PING. A nil answer or an empty list is not a row.
func (r *redisTalk) ask(_ context.Context, query string) (bool, error) {
	words := strings.Fields(query)
	if len(words) == 0 {
		said, err := redis.String(r.conn.Do("PING"))
		if err == nil && said != "PONG" {
			err = fmt.Errorf("the answer to PING is %.40q", said)
		}
		return true, err
	}
	arguments := make([]any, len(words)-1)
	for i, word := range words[1:] {
		arguments[i] = word
	}
	value, err := r.conn.Do(words[0], arguments...)
	list, is := value.([]any)
	return err == nil && value != nil && (!is || len(list) > 0), err
}

// explainRedis maps the first word of a Redis error.
func explainRedis(d *database, err error) check.Result {
	var said redis.Error
	if !errors.As(err, &said) {
		return check.Result{}
	}
	text := said.Error()
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case word == "NOAUTH", word == "WRONGPASS", strings.Contains(text, "invalid password"), strings.Contains(text, "without any password configured"):
		return d.loginRefused()
	case word == "NOPERM":
		return impossible(d.is("does not permit it: " + firstWords(rest)))
	case word == "DENIED":
		return impossible(d.is("is in protected mode, and answers its own machine only"))
	case word == "LOADING":
		return asks(d.is("is still loading its data"))
	case word == "BUSY":
		return asks(d.is("runs a script: " + firstWords(rest)))
	case strings.Contains(text, "max number of clients"):
		return asks(d.is("has too many connections"))
	case strings.Contains(text, "DB index is out of range"):
		return impossible(d.is("has no database " + d.database))
	case word == "MASTERDOWN":
		return asks(d.is("has no connection to its primary and serves nothing"))
	case word == "ERR" && d.query != "":
		return impossible(d.is("refuses the command: " + firstWords(rest)))
	case slices.Contains([]string{"WRONGTYPE", "NOSCRIPT", "MOVED", "CROSSSLOT"}, word):
		return impossible(d.is("refuses the command: " + firstWords(text)))
	}
	return down(d.is("says: " + firstWords(text)))
}
