package probe

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// redisSecrecy reads the scheme: rediss means TLS.
func redisSecrecy(d *database) (secrecy, string) {
	if d.database != "" {
		if n, err := strconv.Atoi(d.database); err != nil || n < 0 {
			return secrecy{}, fmt.Sprintf("the URL's path is %q, and must be the number of a database, like /0", d.database)
		}
	}
	s := secrecy{ca: d.options["ca"], serverName: d.host}
	if d.scheme != "rediss" {
		if len(d.options) > 0 && d.network != "unix" {
			return s, "the URL's options ca and insecure are for rediss:"
		}
		return s, ""
	}
	s.level = verified
	if d.options["insecure"] == "true" {
		s.level = unverified
	}
	return s, ""
}

// redisTalk is a connection to Redis.
type redisTalk struct {
	conn  redis.Conn
	place string
}

// connectRedis connects and logs in. The attempt ends by the wire, so the driver needs no deadlines.
func connectRedis(ctx context.Context, d *database, w *wire) (dialogue, error) {
	secured, err := d.secrecy.config(d.now)
	if err != nil {
		return nil, err
	}
	conn, err := w.dial(ctx, d.network, d.address)
	if err != nil {
		return nil, err
	}
	if secured != nil {
		shaken := tls.Client(conn, secured)
		if err := shaken.HandshakeContext(ctx); err != nil {
			return nil, err
		}
		conn = shaken
	}
	r := &redisTalk{redis.NewConn(&respConn{Conn: conn, wire: w}, 0, 0), d.place}
	if d.password != "" {
		login := []any{d.password}
		if d.login != "" {
			login = []any{d.login, d.password}
		}
		if _, err := r.conn.Do("AUTH", login...); err != nil {
			return nil, err
		}
	}
	if number, _ := strconv.Atoi(d.database); number > 0 {
		if _, err := r.conn.Do("SELECT", number); err != nil {
			return nil, err
		}
	}
	if d.password != "" || d.database != "" {
		w.login()
	}
	return r, nil
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

// lag asks a replica when it last heard from its primary, which pings every repl-ping-replica-period (10 s), and a primary when its
// replicas last reported, which they do every second.
func (r *redisTalk) lag(_ context.Context, most time.Duration) (string, error) {
	text, err := redis.String(r.conn.Do("INFO", "replication"))
	if err != nil {
		return "", err
	}
	return redisLag(text, r.place, most), nil
}

// redisLag parses the section "Replication" of INFO.
func redisLag(info, place string, most time.Duration) string {
	of := make(map[string]string)
	for line := range strings.Lines(info) {
		if name, value, found := strings.Cut(strings.TrimSpace(line), ":"); found {
			of[name] = value
		}
	}
	if of["role"] != "slave" {
		return redisReplicas(of, place, most)
	}
	primary := net.JoinHostPort(of["master_host"], of["master_port"])
	switch {
	case of["master_sync_in_progress"] == "1":
		return "replica " + place + " is still copying from its primary " + primary
	case of["master_link_status"] != "up":
		text := "replication is not running: replica " + place + " has no connection to its primary " + primary
		if n := seconds(of["master_link_down_since_seconds"]); n > 0 {
			text += " since " + n.String()
		}
		return text
	}
	return behind("replica "+place, seconds(of["master_last_io_seconds_ago"]), most)
}

// redisReplicas parses what a primary says about its replicas, in lines like slave0:ip=10.0.0.2,port=6379,state=online,offset=42,lag=0.
func redisReplicas(of map[string]string, place string, most time.Duration) string {
	worst := ""
	var longest time.Duration
	for i := 0; ; i++ {
		line, found := of["slave"+strconv.Itoa(i)]
		if !found {
			break
		}
		replica := make(map[string]string)
		for pair := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(pair, "=")
			replica[name] = value
		}
		name := "replica " + net.JoinHostPort(replica["ip"], replica["port"]) + " of " + place
		if replica["state"] != "online" {
			return name + " is still copying (" + firstWords(replica["state"], 40) + ")"
		}
		if lag := seconds(replica["lag"]); lag >= longest {
			worst, longest = name, lag
		}
	}
	if worst == "" {
		return "no replica is connected to primary " + place
	}
	return behind(worst, longest, most)
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
		return staysDown(d.is("does not permit it: " + firstWords(rest, 200)))
	case word == "DENIED":
		return staysDown(d.is("is in protected mode, and answers its own machine only"))
	case word == "LOADING":
		return down(d.is("is still loading its data"))
	case strings.Contains(text, "max number of clients"):
		return down(d.is("has too many connections"))
	case strings.Contains(text, "DB index is out of range"):
		return staysDown(d.is("has no database " + d.database))
	case word == "MASTERDOWN":
		return down(d.is("has no connection to its primary and serves nothing"))
	}
	return down(d.is("says: " + firstWords(text, 200)))
}

const (
	maxElements = 64 << 10 // of all lists in an attempt's answers
	maxDigits   = 32       // of a length
	maxLine     = 64 << 10 // bytes that are kept of a line
)

// respConn parses the Redis protocol along with the driver. The driver allocates memory for any announced length before the data arrives,
// so an answer that is too large must be refused at its length.
type respConn struct {
	net.Conn
	wire     *wire
	skip     int    // remaining bytes of a string with its line end
	line     []byte // the line being read, so far
	elements int    // announced so far
}

func (c *respConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if !c.follow(b[:n]) {
		return 0, c.wire.flood()
	}
	return n, err
}

// follow returns false if the data announces more than is allowed.
func (c *respConn) follow(b []byte) bool {
	for len(b) > 0 {
		if c.skip > 0 {
			n := min(c.skip, len(b))
			c.skip, b = c.skip-n, b[n:]
			continue
		}
		if b[0] != '\n' {
			if len(c.line) < maxLine {
				c.line = append(c.line, b[0])
			}
			b = b[1:]
			continue
		}
		b = b[1:]
		line := strings.TrimSuffix(string(c.line), "\r")
		c.line = c.line[:0]
		if !c.announced(line) {
			return false
		}
	}
	return true
}

// announced handles a line that may announce a length.
func (c *respConn) announced(line string) bool {
	if line == "" || !strings.ContainsRune("$=!*~>%|", rune(line[0])) {
		return true
	}
	if len(line) > maxDigits {
		return false
	}
	n, err := strconv.ParseInt(line[1:], 10, 64)
	if err != nil || n < 0 {
		return !errors.Is(err, strconv.ErrRange)
	}
	if strings.ContainsRune("$=!", rune(line[0])) {
		c.skip = int(min(n, maxAnswered+1)) + len("\r\n")
		return n <= maxAnswered
	}
	if n > maxElements {
		return false
	}
	if line[0] == '%' || line[0] == '|' {
		n *= 2
	}
	c.elements += int(n)
	return c.elements <= maxElements
}
