package servers

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"context"

	"github.com/jackc/pgx/v5"
)

// PgBouncer starts a pooler before a PostgreSQL server, which lends a connection for one transaction, and returns a value whose URLs lead
// through it. It knows the passwords of users, in pairs.
func PgBouncer(t T, of *SQLServer, users ...string) *SQLServer {
	t.Helper()
	s := newSQLServer(t, "postgres", folder(t, true))
	var list strings.Builder
	for i := 0; i+1 < len(users); i += 2 {
		fmt.Fprintf(&list, "%q %q\n", users[i], users[i+1])
	}
	write(t, filepath.Join(s.Dir, "users"), list.String())
	write(t, filepath.Join(s.Dir, "ini"), fmt.Sprintf("[databases]\n* = host=127.0.0.1 port=%d\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\n"+
		"unix_socket_dir =\npool_mode = transaction\nauth_type = scram-sha-256\nauth_file = %s\n", of.Port, s.Port, filepath.Join(s.Dir, "users")))
	s.exec = func(ctx context.Context, statement string) error {
		conn, err := pgx.Connect(ctx, "host=127.0.0.1 port="+strconv.Itoa(s.Port)+" user="+users[0]+" password="+users[1]+" dbname="+Database+
			" sslmode=disable default_query_exec_mode=simple_protocol")
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(ctx) }()
		_, err = conn.Exec(ctx, statement)
		return err
	}
	return s.serve(t, program{path: find(t, "pgbouncer", "pgbouncer"), args: []string{filepath.Join(s.Dir, "ini")}})
}
