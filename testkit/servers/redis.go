package servers

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// RedisServer is a Redis server.
type RedisServer struct {
	*Process
	Addr     string
	Port     int
	TLSAddr  string // empty unless started by RedisTLS
	password string
}

// Redis starts a Redis server without persistence. An empty password means none. Settings are pairs of its configuration, such as
// "maxclients 20".
func Redis(t T, password string, settings ...string) *RedisServer {
	t.Helper()
	s := &RedisServer{Port: freePort(t), password: password}
	s.Addr = Address(s.Port)
	args := []string{"--bind", "127.0.0.1", "--port", strconv.Itoa(s.Port), "--dir", folder(t, true), "--save", "", "--appendonly", "no",
		"--repl-diskless-sync-delay", "0"}
	if password != "" {
		args = append(args, "--requirepass", password, "--masterauth", password)
	}
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, " ")
		args = append(args, "--"+name)
		args = append(args, strings.Fields(value)...)
	}
	s.Process = start(t, program{nobody: true, path: find(t, "redis-server", "redis-server"), args: args, ready: s.ready})
	return s
}

// RedisReplica starts a replica of a primary, with the same password.
func RedisReplica(t T, primary *RedisServer) *RedisServer {
	t.Helper()
	return Redis(t, primary.password, fmt.Sprintf("replicaof 127.0.0.1 %d", primary.Port))
}

// RedisTLS starts a server that also accepts TLS, on a separate port.
func RedisTLS(t T, password string, a *Authority) *RedisServer {
	t.Helper()
	cert, key := a.Files()
	port := freePort(t)
	s := Redis(t, password, fmt.Sprintf("tls-port %d", port), "tls-cert-file "+cert, "tls-key-file "+key, "tls-ca-cert-file "+a.File,
		"tls-auth-clients no")
	s.TLSAddr = Address(port)
	return s
}

// URL is the server's URL, with its password.
func (s *RedisServer) URL() string { return s.URLFor(s.password) }

// URLFor is the server's URL with another password.
func (s *RedisServer) URLFor(password string) string {
	u := url.URL{Scheme: "redis", Host: s.Addr}
	if password != "" {
		u.User = url.UserPassword("", password)
	}
	return u.String()
}

// ready accepts any line as an answer, because a server with a password is ready, too.
func (s *RedisServer) ready(ctx context.Context) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.Addr)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if deadline, set := ctx.Deadline(); set {
		_ = conn.SetDeadline(deadline)
	}
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && strings.HasPrefix(line, "-LOADING") {
		return fmt.Errorf("%s", strings.TrimSpace(line))
	}
	return err
}
