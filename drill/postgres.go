package main

import (
	"bytes"
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
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/child"
)

// Roles and database of the homelab's PostgreSQL.
const (
	dbAdmin    = "admin"
	dbProbe    = "probe"
	dbOrders   = "orders"
	dbOperator = "operator" // sees and ends what others do
	dbName     = "shop"
)

// cluster is a PostgreSQL of the homelab: a primary or its replica.
type cluster struct {
	bin      string // folder of PostgreSQL's programs
	dir      string // its data
	port     int
	password string // of all roles, to begin with
	user     *syscall.Credential
}

// postgresFolder returns the folder of PostgreSQL's programs, the newest if there are several.
func postgresFolder() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", missing("PostgreSQL's server is not installed (Debian's package postgresql)")
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	return filepath.Dir(path), nil
}

// newPrimary makes a cluster with the role of the checks, that of the service orders, and its table.
func newPrimary(ctx context.Context, dir string, port int, password string) (*cluster, error) {
	c, err := newCluster(dir, port, password)
	if err != nil {
		return nil, err
	}
	secret := filepath.Join(dir, "password")
	if err := writeFor(c.user, secret, password); err != nil {
		return nil, err
	}
	err = c.run(ctx, "initdb", "--pgdata="+c.data(), "--username="+dbAdmin, "--pwfile="+secret, "--auth-local=reject", "--auth-host=scram-sha-256",
		"--encoding=UTF8", "--no-locale", "--no-sync", "--no-instructions")
	if err != nil {
		return nil, err
	}
	return c, c.configure()
}

// newReplica copies a primary that runs, as a standby with streaming replication from it.
func newReplica(ctx context.Context, dir string, port int, primary *cluster) (*cluster, error) {
	c, err := newCluster(dir, port, primary.password)
	if err != nil {
		return nil, err
	}
	err = c.run(ctx, "pg_basebackup", "--pgdata="+c.data(), "--dbname="+primary.url(dbAdmin, primary.password, "postgres"), "--checkpoint=fast",
		"--wal-method=stream", "--write-recovery-conf", "--no-sync")
	if err != nil {
		return nil, err
	}
	return c, c.configure()
}

func newCluster(dir string, port int, password string) (*cluster, error) {
	bin, err := postgresFolder()
	if err != nil {
		return nil, err
	}
	c := &cluster{bin: bin, dir: dir, port: port, password: password, user: nobody()}
	return c, folderFor(c.user, dir)
}

func (c *cluster) data() string { return filepath.Join(c.dir, "data") }

// run runs a program of PostgreSQL that prepares the data.
func (c *cluster) run(ctx context.Context, name string, args ...string) error {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir, cmd.Env = "/", []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.user}
	_, err := child.Run(ctx, cmd, child.Limits{Within: time.Minute})
	return err
}

func (c *cluster) configure() error {
	settings := []string{
		"listen_addresses = '127.0.0.1'", "port = " + strconv.Itoa(c.port), "unix_socket_directories = ''", "max_connections = 20",
		"shared_buffers = 16MB", "dynamic_shared_memory_type = mmap", "fsync = off", "wal_receiver_status_interval = 1",
		"wal_retrieve_retry_interval = 500ms", "autovacuum = off",
	}
	return writeFor(c.user, filepath.Join(c.data(), "postgresql.conf"), strings.Join(settings, "\n")+"\n")
}

// server returns how the cluster is served. With the drill it ends by SIGQUIT, which leaves no shared memory behind.
func (c *cluster) server(name string) Program {
	return Program{
		Name: name, Argv: []string{filepath.Join(c.bin, "postgres"), "-D", c.data()}, Dir: c.dir, Env: []string{"PATH=/usr/bin:/bin", "LC_ALL=C"},
		As: c.user, Stop: syscall.SIGINT, Orphaned: syscall.SIGQUIT, Log: filepath.Join(c.dir, name+".log"), Before: c.awaitEnd,
		Ready: func(ctx context.Context) error { return c.do(ctx, dbAdmin, "SELECT 1") },
	}
}

// awaitEnd waits until the last process of a server that was killed has ended: a new one refuses to start before.
func (c *cluster) awaitEnd() error {
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if errors.Is(err, os.ErrNotExist) {
		return nil // it ended in order
	}
	if err != nil {
		return err
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return nil // it was killed before it had memory
	}
	id, err := strconv.Atoi(fields[len(fields)-2]) // key and id of its shared memory, and its state
	if err != nil {
		return fmt.Errorf("read postmaster.pid: %w", err)
	}
	for range 100 {
		var memory unix.SysvShmDesc
		_, err := unix.SysvShmCtl(id, unix.IPC_STAT, &memory)
		if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EIDRM) || err == nil && memory.Nattch == 0 {
			return nil
		}
		time.Sleep(pace)
	}
	return errors.New("processes of the server that was killed are still there")
}

// fill makes roles, database and table in a primary that has just been started for the first time.
func (c *cluster) fill(ctx context.Context) error {
	for name, member := range map[string]string{dbProbe: "IN ROLE pg_monitor", dbOperator: "IN ROLE pg_monitor, pg_signal_backend", dbOrders: ""} {
		if err := c.do(ctx, dbAdmin, "CREATE ROLE "+name+" LOGIN PASSWORD '"+c.password+"' "+member); err != nil {
			return err
		}
	}
	if err := c.do(ctx, dbAdmin, "CREATE DATABASE "+dbName+" OWNER "+dbOrders); err != nil {
		return err
	}
	return c.do(ctx, dbOrders, "CREATE TABLE orders AS SELECT n AS number, 'paid' AS state FROM generate_series(1, 100) n")
}

// do runs a statement as a role: the administrator's in the database postgres, others' in the homelab's.
func (c *cluster) do(ctx context.Context, role, statement string) error {
	_, err := c.ask(ctx, role, statement)
	return err
}

// ask is do, and returns the rows as lines.
func (c *cluster) ask(ctx context.Context, role, statement string) (rows string, err error) {
	database := dbName
	if role == dbAdmin {
		database = "postgres"
	}
	conn, err := pgconn.Connect(ctx, c.url(role, c.password, database))
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	results, err := conn.Exec(ctx, statement).ReadAll()
	for _, r := range results {
		for _, row := range r.Rows {
			rows += string(bytes.Join(row, []byte("|"))) + "\n"
		}
	}
	return rows, err
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// url returns the address of a database for a role.
func (c *cluster) url(role, password, database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(role, password), Host: loopback(c.port), Path: "/" + database, RawQuery: "sslmode=disable"}
	return u.String()
}

// setPrimary makes a replica stream from another address, or with another password, from its next start on.
func (c *cluster) setPrimary(port int, password string) error {
	line := fmt.Sprintf("primary_conninfo = 'host=127.0.0.1 port=%d user=%s password=%s sslmode=disable'\n", port, dbAdmin, password)
	return writeFor(c.user, filepath.Join(c.data(), "postgresql.auto.conf"), line)
}

// nobody returns the user of servers that refuse to run as root; nil if the drill does not run as root.
func nobody() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.Credential{Uid: 65534, Gid: 65534}
}

// folderFor makes a folder that belongs to the user of a server.
func folderFor(user *syscall.Credential, dir string) error {
	return errors.Join(os.MkdirAll(dir, 0o700), give(user, dir))
}

// writeFor writes a file that the user of a server reads.
func writeFor(user *syscall.Credential, path, text string) error {
	return errors.Join(os.WriteFile(path, []byte(text), 0o600), give(user, path))
}

func give(user *syscall.Credential, path string) error {
	if user == nil {
		return nil
	}
	return os.Chown(path, int(user.Uid), int(user.Gid))
}

// urlWithout is the address of the homelab's database for a role, without its password.
func (c *cluster) urlWithout(role string) string {
	u := url.URL{Scheme: "postgres", User: url.User(role), Host: loopback(c.port), Path: "/" + dbName, RawQuery: "sslmode=disable"}
	return u.String()
}
