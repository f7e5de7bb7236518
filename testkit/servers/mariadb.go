package servers

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/go-sql-driver/mysql"
)

const mariaAdmin = "admin" // without a password

// MariaDBServer is a MariaDB server: User has Password, may see how replication is, and owns Database.
type MariaDBServer struct {
	*Process
	Addr string
	Port int
	dir  string
}

// MariaDB starts a MariaDB server. Settings are options of its command line.
func MariaDB(t T, settings ...string) *MariaDBServer {
	t.Helper()
	return startMariaDB(t, append([]string{"--log-bin=bin", "--server-id=1"}, settings...))
}

// MariaDBTLS are the settings of a server that speaks TLS.
func MariaDBTLS(a *Authority) []string {
	cert, key := a.Files()
	return []string{"--ssl-cert=" + cert, "--ssl-key=" + key}
}

// MariaDBReplica starts a server that replicates from a primary.
func MariaDBReplica(t T, primary *MariaDBServer, settings ...string) *MariaDBServer {
	t.Helper()
	s := startMariaDB(t, append([]string{"--server-id=2"}, settings...))
	s.Exec(fmt.Sprintf("CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=%d, MASTER_USER='%s', MASTER_USE_GTID=slave_pos, "+
		"MASTER_CONNECT_RETRY=1, MASTER_HEARTBEAT_PERIOD=1", primary.Port, mariaAdmin))
	s.Exec("START SLAVE")
	return s
}

func startMariaDB(t T, settings []string) *MariaDBServer {
	t.Helper()
	home := folder(t, true)
	s := &MariaDBServer{Port: freePort(t), dir: filepath.Join(home, "data")}
	s.Addr = Address(s.Port)
	run(t, program{nobody: true, path: find(t, "mariadb-install-db", "mariadb-server"), args: []string{"--no-defaults", "--datadir=" + s.dir,
		"--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve", "--innodb-log-file-size=8M"}})
	init := filepath.Join(home, "init.sql")
	write(t, init, strings.Join([]string{
		"SET SESSION sql_log_bin = 0;",
		"CREATE DATABASE IF NOT EXISTS " + Database + ";",
		"CREATE USER IF NOT EXISTS '" + mariaAdmin + "'@'127.0.0.1';",
		"GRANT ALL ON *.* TO '" + mariaAdmin + "'@'127.0.0.1' WITH GRANT OPTION;",
		"CREATE USER IF NOT EXISTS '" + User + "'@'127.0.0.1' IDENTIFIED BY '" + Password + "';",
		"GRANT ALL ON " + Database + ".* TO '" + User + "'@'127.0.0.1';",
		"GRANT REPLICA MONITOR ON *.* TO '" + User + "'@'127.0.0.1';",
	}, "\n")+"\n")
	args := append([]string{"--no-defaults", "--datadir=" + s.dir, "--bind-address=127.0.0.1", fmt.Sprintf("--port=%d", s.Port),
		"--socket=" + filepath.Join(home, "socket"), "--pid-file=" + filepath.Join(home, "pid"), "--init-file=" + init, "--skip-name-resolve",
		"--innodb-buffer-pool-size=16M", "--innodb-log-file-size=8M", "--innodb-flush-log-at-trx-commit=0",
		"--skip-log-error"}, settings...)
	s.Process = start(t, program{nobody: true, path: find(t, "mariadbd", "mariadb-server"), args: args,
		ready: func(ctx context.Context) error { return s.exec(ctx, "SELECT 1") }})
	return s
}

// URL is how User reaches Database.
func (s *MariaDBServer) URL() string { return s.URLFor(User, Password, Database) }

// URLFor is how somebody reaches a database.
func (s *MariaDBServer) URLFor(user, password, database string) string {
	u := url.URL{Scheme: "mariadb", User: url.UserPassword(user, password), Host: s.Addr, Path: "/" + database}
	return u.String()
}

// Exec runs a statement as the server's master.
func (s *MariaDBServer) Exec(statement string) {
	s.t.Helper()
	if err := s.exec(context.Background(), statement); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

func (s *MariaDBServer) exec(ctx context.Context, statement string) error {
	config := mysql.NewConfig()
	config.Net, config.Addr, config.User, config.Logger = "tcp", s.Addr, mariaAdmin, &mysql.NopLogger{}
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

// Socket is the server's Unix socket.
func (s *MariaDBServer) Socket() string { return filepath.Join(filepath.Dir(s.dir), "socket") }
