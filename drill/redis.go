package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// redisServer is the Redis of the homelab. It keeps nothing on disk, and refuses to write once its memory is full.
type redisServer struct {
	path     string
	dir      string
	port     int
	password string
}

func newRedis(dir string, port int, password string) (*redisServer, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, missing("Redis is not installed (Debian's package redis-server)")
	}
	return &redisServer{path: path, dir: dir, port: port, password: password}, os.MkdirAll(dir, 0o700)
}

func (r *redisServer) server(name string) Program {
	return Program{
		Name: name, Dir: r.dir, Env: []string{"PATH=/usr/bin:/bin"}, Log: filepath.Join(r.dir, name+".log"),
		Ready: func(ctx context.Context) error { return r.do(ctx, "PING") },
		Argv: []string{r.path, "--bind", "127.0.0.1", "--port", strconv.Itoa(r.port), "--dir", r.dir, "--save", "", "--appendonly", "no",
			"--requirepass", r.password, "--maxmemory", "8mb", "--maxmemory-policy", "noeviction", "--maxclients", "50"},
	}
}

func (r *redisServer) url() string {
	u := url.URL{Scheme: "redis", User: url.UserPassword("", r.password), Host: loopback(r.port)}
	return u.String()
}

// open connects and logs in.
func (r *redisServer) open(ctx context.Context) (net.Conn, *bufio.Reader, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", loopback(r.port))
	if err != nil {
		return nil, nil, err
	}
	if deadline, set := ctx.Deadline(); set {
		_ = conn.SetDeadline(deadline)
	}
	answers := bufio.NewReader(conn)
	if err := ask(conn, answers, "AUTH "+r.password); err != nil {
		_ = conn.Close()
		return nil, nil, err
	}
	return conn, answers, nil
}

// do runs one command whose answer is a single line.
func (r *redisServer) do(ctx context.Context, command string) error {
	conn, answers, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	return ask(conn, answers, command)
}

func ask(conn net.Conn, answers *bufio.Reader, command string) error {
	if _, err := fmt.Fprintf(conn, "%s\r\n", command); err != nil {
		return err
	}
	line, err := answers.ReadString('\n')
	if err == nil && strings.HasPrefix(line, "-") {
		return errors.New(strings.TrimSpace(line))
	}
	return err
}

// fill writes keys until Redis refuses the smallest one three times in a row, each over a new connection: those that end free some memory,
// and not at once.
func (r *redisServer) fill(ctx context.Context) error {
	keys, refused := 0, 0
	for _, size := range []int{60 << 10, 4 << 10, 256} {
		if err := r.fillWith(ctx, strings.Repeat("x", size), &keys); err != nil {
			return err
		}
	}
	return await(ctx, func(ctx context.Context) (bool, string, error) {
		if r.do(ctx, "SET session x") == nil {
			refused = 0
			return false, "Redis takes more", r.fillWith(ctx, "x", &keys)
		}
		refused++
		return refused == 3, "Redis is not full for long", nil
	})
}

func (r *redisServer) fillWith(ctx context.Context, value string, keys *int) error {
	conn, answers, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	for range 20_000 {
		*keys++
		if err := ask(conn, answers, fmt.Sprintf("SET session:%d %s", *keys, value)); err != nil {
			return nil // it is full
		}
	}
	return errors.New("it is not full after 20000 keys")
}
