package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"
)

// redisTalk is a connection to Redis.
type redisTalk struct{ conn redis.Conn }

// connectRedis connects and logs in. The attempt ends by the wire, so the driver needs no deadlines.
func connectRedis(ctx context.Context, d *database, w *wire) (dialogue, error) {
	number, err := strconv.Atoi(cmp.Or(d.database, "0"))
	if err != nil || number < 0 {
		return nil, &foundError{impossible(fmt.Sprintf("%s: the URL's path is %q, and must be the number of a database, like /0", d.name, d.database))}
	}
	if d.scheme != "rediss" && (d.options["ca"] != "" || d.options["insecure"] != "") {
		return nil, &foundError{impossible(d.name + ": the URL's options ca and insecure are for rediss:")}
	}
	trusted, err := d.trusted()
	if err != nil {
		return nil, err
	}
	conn, err := redis.DialContext(ctx, d.network, d.address, redis.DialContextFunc(w.dial), redis.DialUseTLS(d.scheme == "rediss"),
		redis.DialTLSConfig(trusted), redis.DialTLSSkipVerify(d.options["insecure"] == "true"), redis.DialTLSHandshakeTimeout(0),
		redis.DialUsername(d.login), redis.DialPassword(d.password), redis.DialDatabase(number))
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
func explainRedis(d *database, err error) Finding {
	var said redis.Error
	if !errors.As(err, &said) {
		return Finding{}
	}
	text := said.Error()
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case word == "NOAUTH", word == "WRONGPASS", strings.Contains(text, "invalid password"), strings.Contains(text, "without any password configured"):
		return d.loginRefused()
	case word == "NOPERM":
		return impossible(d.is("does not permit it: " + firstWords(rest)))
	case strings.HasPrefix(text, "ERR unknown command"), strings.Contains(text, "wrong number of arguments"):
		return impossible(d.is("refuses the command: " + firstWords(rest)))
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
	}
	return down(d.is("says: " + firstWords(text)))
}
