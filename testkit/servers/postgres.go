package servers

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// What the database servers know.
const (
	User     = "probe"
	Password = "s3cr3t-word"
	Database = "shop"
)

const postgresAdmin = "admin" // trusted, as is everybody who replicates

// PostgresServer is a PostgreSQL server: User has Password, may see how replication is, and owns Database.
type PostgresServer struct {
	*Process
	Addr string
	Port int
	Dir  string // where its data is
}

// Postgres starts a PostgreSQL server. Settings are lines of its configuration.
func Postgres(t T, settings ...string) *PostgresServer {
	t.Helper()
	dir := filepath.Join(folder(t, true), "data")
	run(t, program{nobody: true, path: postgresProgram(t, "initdb"), args: []string{"--pgdata=" + dir, "--username=" + postgresAdmin,
		"--auth-local=reject", "--auth-host=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "--no-instructions"}})
	write(t, filepath.Join(dir, "pg_hba.conf"), ""+
		"host all "+postgresAdmin+" 127.0.0.1/32 trust\n"+
		"host replication all 127.0.0.1/32 trust\n"+
		"host all all 127.0.0.1/32 scram-sha-256\n")
	s := startPostgres(t, dir, settings)
	s.Exec("CREATE ROLE " + User + " LOGIN PASSWORD '" + Password + "' IN ROLE pg_monitor")
	s.Exec("CREATE DATABASE " + Database + " OWNER " + User)
	return s
}

// PostgresTLS are the settings of a server that speaks TLS.
func PostgresTLS(a *Authority) []string {
	cert, key := a.Files()
	return []string{"ssl = on", "ssl_cert_file = '" + cert + "'", "ssl_key_file = '" + key + "'"}
}

// PostgresReplica starts a standby that streams from a primary.
func PostgresReplica(t T, primary *PostgresServer, settings ...string) *PostgresServer {
	t.Helper()
	dir := filepath.Join(folder(t, true), "data")
	run(t, program{nobody: true, path: postgresProgram(t, "pg_basebackup"), args: []string{"--pgdata=" + dir, "--dbname=" + primary.admin("postgres"),
		"--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--no-sync"}})
	return startPostgres(t, dir, settings)
}

func startPostgres(t T, dir string, settings []string) *PostgresServer {
	t.Helper()
	s := &PostgresServer{Port: freePort(t), Dir: dir}
	s.Addr = Address(s.Port)
	lines := append([]string{"listen_addresses = '127.0.0.1'", "port = " + strconv.Itoa(s.Port), "unix_socket_directories = ''", "fsync = off",
		"shared_buffers = 16MB", "dynamic_shared_memory_type = mmap", "wal_receiver_status_interval = 1", "autovacuum = off"}, settings...)
	write(t, filepath.Join(dir, "postgresql.conf"), strings.Join(lines, "\n")+"\n")
	s.Process = start(t, program{nobody: true, path: postgresProgram(t, "postgres"), args: []string{"-D", dir}, stop: syscall.SIGINT,
		ready: func(ctx context.Context) error { return s.exec(ctx, "SELECT 1") }})
	return s
}

func postgresProgram(t T, name string) string {
	t.Helper()
	return find(t, name, "postgresql", "/usr/lib/postgresql/*/bin")
}

// URL is how User reaches Database.
func (s *PostgresServer) URL() string { return s.URLFor(User, Password, Database) }

// URLFor is how somebody reaches a database.
func (s *PostgresServer) URLFor(user, password, database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(user, password), Host: s.Addr, Path: "/" + database}
	return u.String()
}

func (s *PostgresServer) admin(database string) string {
	return fmt.Sprintf("host=127.0.0.1 port=%d user=%s dbname=%s sslmode=disable", s.Port, postgresAdmin, database)
}

// Exec runs a statement as the server's master.
func (s *PostgresServer) Exec(statement string) {
	s.t.Helper()
	if err := s.exec(context.Background(), statement); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

func (s *PostgresServer) exec(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.admin("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

// write writes a file that a server reads as nobody.
func write(t T, path, text string) {
	t.Helper()
	err := os.WriteFile(path, []byte(text), 0o600)
	if err == nil {
		err = give(path)
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
}
