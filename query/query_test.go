package query

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomodule/redigo/redis"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/testkit/servers"
)

var (
	suite          servers.Suite
	sharedPostgres = shared(func(t servers.T) *servers.SQLServer { return servers.Postgres(t) }, postgresSchema)
	newerPostgres  = shared(servers.Postgres18, postgresSchema)
	sharedMariaDB  = shared(func(t servers.T) *servers.SQLServer { return servers.MariaDB(t) }, mariaSchema)
	sharedRedis    = servers.Share(&suite, func(t servers.T) *servers.RedisServer { return servers.Redis(t, servers.Password) })
)

// shared is a server that all tests share, with the tables that they ask.
func shared(start func(servers.T) *servers.SQLServer, schema []string) func(servers.T) *servers.SQLServer {
	return servers.Share(&suite, func(t servers.T) *servers.SQLServer {
		s := start(t)
		for _, statement := range schema {
			adminRuns(t, s, statement)
		}
		return s
	})
}

func TestMain(m *testing.M) {
	code := m.Run()
	suite.End()
	os.Exit(code)
}

const word = "s3cr3t-of-tests"

// account is an account of a server, as a services file has it.
func account(s *servers.SQLServer, user, password string) (*Asker, inventory.Query) {
	of := strings.Replace(s.URLFor(user, "", servers.Database), ":@", "@", 1)
	return &Asker{Environ: []string{"WORD=" + password}}, inventory.Query{Database: of, PasswordEnv: "WORD"}
}

// made are the printed lines that an administrator runs, with a password, for a new account of this name.
func made(s *servers.SQLServer, user string) (statements []string) {
	for _, line := range Lines(s.URL()) {
		line, _, _ = strings.Cut(line, "  --")
		line = strings.ReplaceAll(strings.ReplaceAll(line, "'…'", "'"+word+"'"), "reader", user)
		if !strings.HasPrefix(line, "query:") {
			statements = append(statements, strings.Split(strings.TrimSuffix(line, ";"), "; ")...)
		}
	}
	return statements
}

// admin runs a statement as the server's administrator in Database, and returns the answer.
func admin(s *servers.SQLServer, statement string) (string, error) {
	var got answer
	of := strings.Replace(s.URLFor("admin", "", servers.Database), ":@", "@", 1)
	err := source{probe.Database{URL: of}, nil}.use(context.Background(), func(ctx context.Context, on session) (bool, error) {
		if maria, is := on.(mysqlSession); is {
			return true, maria.rows(ctx, statement, &got)
		}
		results, err := on.(postgresSession).Exec(ctx, statement).ReadAll()
		for _, result := range results {
			for _, row := range result.Rows {
				for _, value := range row {
					got.text.WriteString(string(value) + "|")
				}
			}
		}
		return true, err
	})
	return got.text.String(), err
}

func adminRuns(t servers.T, s *servers.SQLServer, statement string) string {
	t.Helper()
	got, err := admin(s, statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return got
}

// says fails the test if a text lacks a part.
func says(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%q lacks %q", text, part)
	}
}

// wantRefusal asks, and wants that the statement is not run, for this reason.
func wantRefusal(t *testing.T, a *Asker, of inventory.Query, statement, why string) {
	t.Helper()
	got, err := a.Ask(t.Context(), of, statement)
	var refusal Refusal
	if !errors.As(err, &refusal) {
		t.Errorf("%s: %q, %v; want a refusal", statement, got, err)
		return
	}
	says(t, err.Error(), why)
}

var postgresSchema = []string{
	"CREATE TABLE orders (id int PRIMARY KEY, item text); INSERT INTO orders SELECT i, 'item ' || i FROM generate_series(1, 2000) i",
	"CREATE SEQUENCE numbers; SELECT nextval('numbers')",
	"CREATE EXTENSION dblink",
	"REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC",
	"CREATE EXTENSION pg_trgm; CREATE EXTENSION hstore; CREATE EXTENSION pg_stat_statements",
	"CREATE TABLE people (api_token text, name text); INSERT INTO people VALUES ('geheim', 'Ann'), (NULL, 'Bob'); CREATE ROLE plain",
	"CREATE FUNCTION stubborn() RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN END; END LOOP; END $$",
	"CREATE FUNCTION sneaky() RETURNS int LANGUAGE sql AS 'DELETE FROM orders RETURNING 1'",
	"SELECT lo_create(4711)",
	"ANALYZE orders",
}

// postgresState is what no attempt may change.
const postgresState = "SELECT count(*), max(item) FROM orders; SELECT last_value FROM numbers; SELECT count(*) FROM pg_class; SELECT count(*) FROM pg_proc; " +
	"SELECT string_agg(rolname || coalesce(rolpassword, ''), ' ') FROM pg_authid; SELECT setconfig FROM pg_db_role_setting; SELECT count(*) FROM pg_largeobject_metadata; SELECT count(*) FROM pg_largeobject; " +
	"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'; SELECT count(*) FROM pg_replication_slots; SELECT count(*) FROM pg_prepared_xacts; " +
	"SELECT pg_walfile_name(pg_current_wal_lsn()); SELECT string_agg(setting, ' ') FROM pg_file_settings; " +
	"SELECT relpages, reltuples FROM pg_class WHERE relname = 'orders'"

// attempts on PostgreSQL, by name. DIR is a folder in which the server may write.
var postgresAttempts = map[string]string{
	"insert":                "INSERT INTO orders VALUES (0, 'x') RETURNING id",
	"update":                "UPDATE orders SET item = 'z' RETURNING id",
	"delete":                "DELETE FROM orders RETURNING id",
	"truncate":              "TRUNCATE orders",
	"modifying with":        "WITH gone AS (DELETE FROM orders RETURNING id) SELECT count(*) FROM gone",
	"explain analyze":       "EXPLAIN ANALYZE DELETE FROM orders",
	"a function that does":  "SELECT sneaky()",
	"create table":          "CREATE TABLE mine (a int)",
	"create table as":       "CREATE TABLE mine AS SELECT 1 AS a",
	"select into":           "SELECT 1 AS a INTO mine",
	"temporary table":       "CREATE TEMP TABLE mine (a int)",
	"copy to program":       "COPY (SELECT 1) TO PROGRAM 'touch DIR/made'",
	"copy to file":          "COPY orders TO 'DIR/made'",
	"copy from":             "COPY orders FROM STDIN",
	"lo_export":             "SELECT lo_export(4711, 'DIR/made')",
	"lo_create":             "SELECT lo_create(4712)",
	"lowrite":               "SELECT lowrite(lo_open(4711, 131072), 'x')",
	"lo_put":                "SELECT lo_put(4711, 0, 'x')",
	"nextval":               "SELECT nextval('numbers')",
	"setval":                "SELECT setval('numbers', 9)",
	"pg_switch_wal":         "SELECT pg_switch_wal()",
	"pg_reload_conf":        "SELECT pg_reload_conf()",
	"replication slot":      "SELECT pg_create_physical_replication_slot('mine')",
	"read a server's file":  "SELECT pg_read_file('postgresql.conf')",
	"dblink":                "SELECT * FROM dblink('dbname=shop', 'DELETE FROM orders RETURNING id') AS gone (id int)",
	"dblink_exec":           "SELECT dblink_exec('dbname=shop', 'DELETE FROM orders')",
	"set read write":        "SET TRANSACTION READ WRITE",
	"begin read write":      "BEGIN READ WRITE",
	"set_config read write": "SELECT set_config('transaction_read_only', 'off', false), sneaky()",
	"a setting that stays":  "SELECT set_config('search_path', 'nowhere', false)",
	"several statements":    "SELECT 1; DELETE FROM orders",
	"commit first":          "COMMIT; DELETE FROM orders",
	"do":                    "DO $$ BEGIN DELETE FROM orders; END $$",
	"call":                  "CALL sneaky()",
	"own password":          "ALTER ROLE CURRENT_USER PASSWORD 'taken'",
	"own settings":          "ALTER ROLE CURRENT_USER SET work_mem = '9GB'",
	"set role":              "SET ROLE admin",
	"listen":                "LISTEN orders",
	"notify":                "SELECT pg_notify('orders', 'x')",
	"prepare transaction":   "PREPARE TRANSACTION 'mine'",
	"cursor":                "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
	"lock table":            "LOCK TABLE orders IN ACCESS EXCLUSIVE MODE",
	"select for update":     "SELECT id FROM orders FOR UPDATE",
	"advisory lock":         "SELECT pg_advisory_lock(7)",
	"vacuum":                "VACUUM orders",
	"refresh":               "REFRESH MATERIALIZED VIEW orders",
	"signal another":        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'checkpointer'",
	"write-ahead log":       "SELECT pg_logical_emit_message(true, 'a', 'b')",
	"alter system":          "ALTER SYSTEM SET work_mem = '9GB'",
	"merge":                 "MERGE INTO orders USING (VALUES (1)) AS v (a) ON id = a WHEN MATCHED THEN DELETE RETURNING id",
	"returning old":         "UPDATE orders SET item = 'z' RETURNING old.item",
	"clear statistics":      "SELECT pg_clear_relation_stats('public', 'orders')",
	"restore statistics":    "SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', 'orders', 'relpages', 9)",
	"log a standby's start": "SELECT pg_log_standby_snapshot()",
	"synchronise slots":     "SELECT pg_sync_replication_slots()",
}

// onPostgres runs a test on both versions.
func onPostgres(t *testing.T, test func(t *testing.T, s *servers.SQLServer)) {
	t.Helper()
	t.Run("Debian", func(t *testing.T) { test(t, sharedPostgres(t)) })
	t.Run("18", func(t *testing.T) {
		s := newerPostgres(t)
		says(t, adminRuns(t, s, "SHOW server_version"), "18.")
		test(t, s)
	})
}

// postgresAccounts makes three where they are missing: reader by the printed lines, monitor, which may see statistics, and owner.
func postgresAccounts(t *testing.T, s *servers.SQLServer) {
	t.Helper()
	if adminRuns(t, s, "SELECT count(*) FROM pg_roles WHERE rolname = 'reader'") == "0|" {
		for _, statement := range made(s, "reader") {
			if !strings.Contains(statement, "pg_monitor") {
				adminRuns(t, s, statement)
			}
		}
		adminRuns(t, s, "CREATE ROLE monitor LOGIN PASSWORD '"+word+"' IN ROLE pg_monitor")
		adminRuns(t, s, "CREATE ROLE owner LOGIN PASSWORD '"+word+"'; GRANT CREATE ON SCHEMA public TO owner; "+
			"ALTER TABLE orders OWNER TO owner; ALTER SEQUENCE numbers OWNER TO owner; "+
			"ALTER FUNCTION sneaky() OWNER TO owner; ALTER LARGE OBJECT 4711 OWNER TO owner")
	}
}

func TestPostgresAttemptsChangeNothing(t *testing.T) {
	onPostgres(t, func(t *testing.T, s *servers.SQLServer) {
		postgresAccounts(t, s)
		changeNothing(t, s, s, "monitor", postgresAttempts, postgresState)
	})
}

// changeNothing makes all attempts at a server, asked itself or by a pooler, as three accounts. The owner is refused; then it is let through,
// so that the other walls are tried.
func changeNothing(t *testing.T, s, asked *servers.SQLServer, monitor string, attempts map[string]string, state string) {
	t.Helper()
	for _, user := range []string{"reader", monitor, "owner"} {
		a, of := account(asked, user, word)
		if user == "owner" {
			wantRefusal(t, a, of, "SELECT 1", "may do more than read")
			a.judged.Store(of, nil)
		}
		if got, err := a.Ask(t.Context(), of, "SELECT 1 AS one"); err != nil || got != "one\n1\n(1 row)\n" {
			t.Fatalf("%s: %q, %v", user, got, err)
		}
		for name, statement := range attempts {
			t.Run(user+"/"+name, func(t *testing.T) { changesNothing(t, s, a, of, statement, state) })
		}
	}
}

// changesNothing makes an attempt, and compares what the administrator sees before and after.
func changesNothing(t *testing.T, s *servers.SQLServer, a *Asker, of inventory.Query, statement, state string) {
	t.Helper()
	dir := filepath.Join(s.Dir, "..")
	before := adminRuns(t, s, state)
	got, err := a.Ask(t.Context(), of, strings.ReplaceAll(statement, "DIR", dir))
	t.Logf("%q, %v", got, err)
	if after := adminRuns(t, s, state); after != before {
		t.Errorf("%s\nbefore: %s\nafter:  %s", statement, before, after)
	}
	if _, err := os.Lstat(filepath.Join(dir, "made")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s has made a file: %v", statement, err)
	}
}

func TestPostgresAccountsThatMayDoMoreAreRefused(t *testing.T) {
	onPostgres(t, wantPostgresRefusals)
}

func wantPostgresRefusals(t *testing.T, s *servers.SQLServer) {
	for user, c := range map[string]struct{ roles, why string }{
		"boss":      {"SUPERUSER", "superuser"},
		"creator":   {"CREATEROLE", "CREATEROLE"},
		"replica":   {"REPLICATION", "REPLICATION"},
		"writer":    {"IN ROLE pg_write_all_data", "pg_write_all_data"},
		"hidden":    {"NOINHERIT IN ROLE pg_write_server_files", "pg_write_server_files"},
		"signaller": {"IN ROLE pg_signal_backend", "pg_signal_backend"},
		"becomer":   {"NOINHERIT IN ROLE plain", "role that it can become: plain"},
		"all_data":  {"IN ROLE pg_read_all_data", "reading passwords: pg_authid.rolpassword"},
	} {
		adminRuns(t, s, "CREATE ROLE "+user+" LOGIN PASSWORD '"+word+"' "+c.roles)
		a, of := account(s, user, word)
		wantRefusal(t, a, of, "SELECT 1", c.why)
	}
	a, of := account(s, servers.User, servers.Password)
	wantRefusal(t, a, of, "SELECT 1", "warn database: CREATE")
	wantRefusal(t, a, of, "SELECT 1", "CREATE ROLE reader LOGIN PASSWORD '…' CONNECTION LIMIT 10;\nGRANT CONNECT ON DATABASE shop TO reader;\n")
	adminRuns(t, s, "CREATE ROLE clerk LOGIN PASSWORD '"+word+"'; GRANT INSERT ON orders TO clerk")
	a, of = account(s, "clerk", word)
	wantRefusal(t, a, of, "SELECT 1", "warn writes: 1")
	adminRuns(t, s, "REVOKE INSERT ON orders FROM clerk")
	wantRefusal(t, a, of, "SELECT 1", "warn writes: 1") // as long as this value lives
	adminRuns(t, s, "CREATE FUNCTION lend() RETURNS int SECURITY DEFINER LANGUAGE sql AS 'DELETE FROM orders RETURNING 1'")
	b, _ := account(s, "clerk", word)
	wantRefusal(t, b, of, "SELECT 1", "definer function: public.lend() of admin")
	adminRuns(t, s, "DROP FUNCTION lend()")
	for _, c := range []struct{ made, why, gone string }{
		{"CREATE SCHEMA hidden; CREATE FUNCTION hidden.lend() RETURNS int SECURITY DEFINER LANGUAGE sql AS 'SELECT 1'",
			"definer function: hidden.lend()", "DROP SCHEMA hidden CASCADE"},
		{"CREATE EXTENSION pg_prewarm", "native function: public.pg_prewarm(", "DROP EXTENSION pg_prewarm"},
		{"CREATE EXTENSION pgrowlocks SCHEMA pg_catalog; ALTER EXTENSION pgrowlocks DROP FUNCTION pg_catalog.pgrowlocks(text)",
			"native function: pgrowlocks(text)", "DROP FUNCTION pg_catalog.pgrowlocks(text); DROP EXTENSION pgrowlocks"},
		{"CREATE EXTENSION postgres_fdw; REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC; " +
			"CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw; CREATE FOREIGN TABLE far_orders (id int) SERVER far",
			"foreign table: public.far_orders", "DROP EXTENSION postgres_fdw CASCADE; GRANT EXECUTE ON FUNCTION sneaky(), stubborn() TO PUBLIC"},
		{"GRANT SELECT (passwd) ON pg_shadow TO clerk", "reading passwords: pg_shadow.passwd", "REVOKE SELECT (passwd) ON pg_shadow FROM clerk"},
		{"CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int)", "", "DROP AGGREGATE total(int)"},
	} {
		adminRuns(t, s, c.made)
		b, _ := account(s, "clerk", word)
		if c.why != "" {
			wantRefusal(t, b, of, "SELECT 1", c.why)
		} else if _, err := b.Ask(t.Context(), of, "SELECT 1"); err != nil {
			t.Errorf("%s: %v", c.made, err)
		}
		adminRuns(t, s, c.gone)
	}
}

func TestPostgresWhatOutlivesItsTimeIsEnded(t *testing.T) {
	onPostgres(t, wantPostgresEnds)
}

func wantPostgresEnds(t *testing.T, s *servers.SQLServer) {
	postgresAccounts(t, s)
	a, of := account(s, "reader", word)
	_, err := a.Ask(t.Context(), of, "SELECT stubborn()")
	if err == nil {
		t.Fatal("it ended")
	}
	says(t, err.Error(), "no answer within 5s")
	wantGone(t, s, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader'")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Ask(ctx, of, "SELECT stubborn()"); err == nil {
		t.Error("a cancelled call has an answer")
	}
	wantGone(t, s, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader'")
}

// wantGone waits until a count is 0: an ended session is listed for a moment.
func wantGone(t *testing.T, s *servers.SQLServer, count string) {
	t.Helper()
	for {
		if got := adminRuns(t, s, count); strings.Trim(got, "|count(*)\n") == "0" {
			return
		}
		if t.Context().Err() != nil {
			t.Fatal("sessions are left")
		}
	}
}

func TestPostgresAnswers(t *testing.T) {
	onPostgres(t, wantPostgresAnswers)
}

func wantPostgresAnswers(t *testing.T, s *servers.SQLServer) {
	postgresAccounts(t, s)
	a, of := account(s, "reader", word)
	for statement, want := range map[string]string{
		"SELECT id, item, NULL AS none FROM orders ORDER BY id LIMIT 2;": "id\titem\tnone\n1\titem 1\tNULL\n2\titem 2\tNULL\n(2 rows)\n",
		"SELECT E'a\\tb\\nc' AS text":                                    "text\na\\tb\\nc\n(1 row)\n",
		"SHOW transaction_read_only":                                     "transaction_read_only\non\n(1 row)\n",
		"SELECT 1 AS one WHERE false":                                    "one\n(0 rows)\n",
		"VALUES (1), (2)":                                                "column1\n1\n2\n(2 rows)\n",
		"SELECT * FROM people":                                           "api_token\tname\n[redacted]\tAnn\nNULL\tBob\n(2 rows)\n",
	} {
		if got, err := a.Ask(t.Context(), of, statement); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", statement, got, err, want)
		}
	}
	for statement, part := range map[string]string{
		"SELECT id FROM orders ORDER BY id":              "\n500\n(500 rows shown; there are more)\n",
		"SELECT repeat('x', 1000) FROM orders":           " rows shown; there are more)\n",
		"SELECT repeat('x', 100000)":                     "more)\n(1 row)\n",
		"EXPLAIN SELECT * FROM orders":                   "Seq Scan on orders",
		"SELECT count(*) FROM pg_stat_user_tables":       "(1 row)",
		"SELECT current_setting('search_path') AS where": "public",
	} {
		got, err := a.Ask(t.Context(), of, statement)
		if err != nil || len(got) > maxAnswer+100 {
			t.Errorf("%s: %d bytes, %v", statement, len(got), err)
		}
		says(t, got, part)
	}
	if _, err := a.Ask(t.Context(), of, "SELEC 1"); err == nil || errors.As(err, new(Refusal)) {
		t.Errorf("a mistake: %v", err)
	} else {
		says(t, err.Error(), `refuses the statement: syntax error at or near "SELEC" (42601)`)
	}
	for statement, why := range map[string]string{
		"": "no text of 1", `\dt`: "pg_stat_user_tables", `SELECT 1\G`: "pg_database", "SELECT '\x00'": "no text", "SET work_mem = '1GB'": "gives no rows",
	} {
		wantRefusal(t, a, of, statement, why)
	}
	wantGone(t, s, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader'")
}

func TestPgBouncer(t *testing.T) {
	s := sharedPostgres(t)
	postgresAccounts(t, s)
	pooled := servers.PgBouncer(t, s, "reader", word, "monitor", word, "owner", word)
	changeNothing(t, s, pooled, "monitor", postgresAttempts, postgresState)
	a, of := account(pooled, "reader", word)
	got, err := a.Ask(t.Context(), of, "SELECT current_setting('search_path') || current_setting('statement_timeout') AS kept, count(*) FROM orders")
	if err != nil || got != "kept\tcount\n\"$user\", public5s\t2000\n(1 row)\n" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := a.Ask(t.Context(), of, "SELECT stubborn()"); err == nil {
		t.Error("it ended")
	}
	wantGone(t, s, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%stubborn%' AND usename = 'reader' AND state = 'active'")
}

var mariaSchema = []string{
	"CREATE TABLE shop.orders (id int PRIMARY KEY, item text)", "INSERT INTO shop.orders SELECT seq, CONCAT('item ', seq) FROM seq_1_to_2000",
	"CREATE SEQUENCE shop.numbers",
	"CREATE FUNCTION shop.sneaky() RETURNS int DETERMINISTIC MODIFIES SQL DATA BEGIN DELETE FROM shop.orders; RETURN 1; END",
	"CREATE ROLE clerks", "GRANT INSERT ON shop.orders TO clerks",
}

const mariaState = "SELECT (SELECT count(*) FROM shop.orders) AS rows_, (SELECT max(item) FROM shop.orders) AS last_, (SELECT next_not_cached_value FROM shop.numbers) AS next_, " +
	"(SELECT count(*) FROM information_schema.tables) AS tables_, (SELECT group_concat(user, authentication_string) FROM mysql.user) AS users_, " +
	"@@global.read_only AS global_, @@global.max_connections AS global2_, (SELECT count(*) FROM mysql.proc) AS functions_, @@global.general_log AS log_"

var mariaAttempts = map[string]string{
	"insert":             "INSERT INTO orders VALUES (0, 'x') RETURNING id",
	"update":             "UPDATE orders SET item = 'z'",
	"delete":             "DELETE FROM orders RETURNING id",
	"replace":            "REPLACE INTO orders VALUES (1, 'x') RETURNING id",
	"truncate":           "TRUNCATE orders",
	"function":           "SELECT sneaky()",
	"nextval":            "SELECT NEXTVAL(numbers)",
	"setval":             "SELECT SETVAL(numbers, 99)",
	"into outfile":       "SELECT 1 INTO OUTFILE 'DIR/made'",
	"into dumpfile":      "SELECT 1 INTO DUMPFILE 'DIR/made'",
	"load data":          "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders",
	"compound":           "BEGIN NOT ATOMIC COMMIT; SET SESSION TRANSACTION READ WRITE; DELETE FROM shop.orders; END",
	"comment that runs":  "/*!50000 DELETE FROM */ orders",
	"analyze":            "ANALYZE DELETE FROM orders",
	"explain":            "EXPLAIN DELETE FROM orders",
	"set statement":      "SET STATEMENT max_statement_time=0 FOR DELETE FROM orders RETURNING id",
	"execute immediate":  "EXECUTE IMMEDIATE 'DELETE FROM shop.orders'",
	"several statements": "SELECT 1; DELETE FROM orders",
	"begin read write":   "START TRANSACTION READ WRITE",
	"set global":         "SET GLOBAL general_log = 1",
	"own password":       "SET PASSWORD = PASSWORD('taken')",
	"create table":       "CREATE TABLE mine SELECT 1 AS a",
	"temporary table":    "CREATE TEMPORARY TABLE mine (a int)",
	"lock tables":        "LOCK TABLES orders WRITE",
	"get_lock":           "SELECT GET_LOCK('mine', 1)",
	"for update":         "SELECT * FROM orders FOR UPDATE",
	"kill":               "KILL 1",
	"set role":           "SET ROLE clerks",
	"flush":              "FLUSH TABLES",
	"handler":            "HANDLER orders OPEN",
	"check table":        "CHECK TABLE orders",
	"optimize":           "OPTIMIZE TABLE orders",
	"do":                 "DO sneaky()",
	"call":               "CALL sneaky()",
	"prepare":            "PREPARE x FROM 'DELETE FROM orders'",
	"xa":                 "XA START 'mine'",
}

// mariaAccounts makes three where they are missing: reader and watcher by the printed lines, and owner.
func mariaAccounts(t *testing.T, s *servers.SQLServer) {
	t.Helper()
	if strings.Contains(adminRuns(t, s, "SELECT count(*) FROM mysql.user WHERE user = 'reader'"), "\n0\n") {
		for _, statement := range made(s, "reader") {
			if !strings.Contains(statement, "PROCESS") {
				s.Exec(strings.ReplaceAll(statement, "@'%'", "@'127.0.0.1'"))
			}
		}
		for _, statement := range made(s, "watcher") {
			s.Exec(strings.ReplaceAll(statement, "@'%'", "@'127.0.0.1'"))
		}
		s.Exec("CREATE USER owner@'127.0.0.1' IDENTIFIED BY '" + word + "'")
		s.Exec("GRANT ALL ON shop.* TO owner@'127.0.0.1'")
	}
}

func TestMariaDBAttemptsChangeNothing(t *testing.T) {
	s := sharedMariaDB(t)
	mariaAccounts(t, s)
	changeNothing(t, s, s, "watcher", mariaAttempts, mariaState)
}

func TestMariaDBAccountsThatMayDoMoreAreRefused(t *testing.T) {
	s := sharedMariaDB(t)
	a, of := account(s, servers.User, servers.Password)
	wantRefusal(t, a, of, "SELECT 1", "ALL PRIVILEGES ON `shop`.*")
	wantRefusal(t, a, of, "SELECT 1", "GRANT SELECT, SHOW VIEW ON shop.* TO reader@'%';")
	for user, grant := range map[string]string{
		"one": "GRANT SELECT, INSERT ON shop.* TO ", "two": "GRANT UPDATE (item) ON shop.orders TO ", "three": "GRANT clerks TO ", "four": "GRANT EXECUTE ON FUNCTION shop.sneaky TO ",
		"nine": "GRANT SELECT ON mysql.servers TO ", "ten": "GRANT SELECT ON *.* TO ", "eleven": "GRANT SELECT ON `m%`.* TO ",
		"five": "GRANT FILE ON *.* TO ", "six": "GRANT PROXY ON 'admin'@'127.0.0.1' TO ", "seven": "GRANT SUPER ON *.* TO ", "eight": "GRANT CREATE TEMPORARY TABLES ON shop.* TO ",
	} {
		name := user + "@'127.0.0.1'"
		s.Exec("CREATE USER " + name + " IDENTIFIED BY '" + word + "'")
		s.Exec("GRANT SELECT ON shop.* TO " + name)
		s.Exec(grant + name)
		a, of := account(s, user, word)
		wantRefusal(t, a, of, "SELECT 1", "may do more than read")
	}
}

func TestGranted(t *testing.T) {
	for line, want := range map[string]string{
		"GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '*" + strings.Repeat("A", 40) + "'":          "",
		"GRANT SELECT, SHOW VIEW ON `shop`.* TO `a`@`%`":                                                   "",
		"GRANT SELECT (`id`, `item`) ON `shop`.`orders` TO `a`@`%`":                                        "",
		"GRANT SELECT, UPDATE (`item`) ON `shop`.`orders` TO `a`@`%`":                                      "UPDATE ON `shop`.`orders`",
		"GRANT SELECT (`x), INSERT (y`) ON `shop`.`orders` TO `a`@`%`":                                     "GRANT SELECT (`x), INSERT (y`) ON `shop`.`orders`",
		"GRANT SELECT ON `shop`.* TO `a`@`%` WITH GRANT OPTION":                                            "GRANT OPTION ON `shop`.*",
		"GRANT SELECT, PROCESS ON *.* TO `a`@`%`":                                                          "SELECT ON *.*",
		"GRANT SHOW VIEW ON `_y%l`.* TO `a`@`%`":                                                           "SHOW VIEW ON `_y%l`.*",
		"GRANT SELECT (`user`) ON `mysql`.`user` TO `a`@`%`":                                               "SELECT ON `mysql`.`user`",
		"GRANT SELECT ON `my\\_sql`.* TO `a`@`%`":                                                          "",
		"GRANT EXECUTE ON PROCEDURE `shop`.`p` TO `a`@`%`":                                                 "GRANT EXECUTE ON PROCEDURE `shop`.`p`",
		"GRANT `clerks` TO `a`@`%`":                                                                        "GRANT `clerks`",
		"GRANT PROXY ON 'root'@'%' TO 'a'@'%'":                                                             "GRANT PROXY ON 'root'@'%'",
		"GRANT ALL PRIVILEGES ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '*" + strings.Repeat("A", 40) + "'": "ALL PRIVILEGES ON *.*",
		"SET DEFAULT ROLE clerks FOR `a`@`%`":                                                              "SET DEFAULT ROLE clerks FOR `a`@`%`",
		"GRANT SELECT ON `shop`.* TO `a`@`%` REQUIRE SSL WITH MAX_USER_CONNECTIONS 10":                     "",
	} {
		if got := strings.Join(granted([]string{line}), ";"); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestMariaDBAnswers(t *testing.T) {
	s := sharedMariaDB(t)
	mariaAccounts(t, s)
	a, of := account(s, "watcher", word)
	for statement, want := range map[string]string{
		"SELECT id, item, NULL AS none FROM orders ORDER BY id LIMIT 2;": "id\titem\tnone\n1\titem 1\tNULL\n2\titem 2\tNULL\n(2 rows)\n",
		"show tables":       "Tables_in_shop\nnumbers\norders\n(2 rows)\n",
		"SELECT x'ff' AS b": "b\n0xff\n(1 row)\n",
		"SELECT 'geheim' AS authentication_string, 'x' AS Password_Hash": "authentication_string\tPassword_Hash\n[redacted]\t[redacted]\n(1 row)\n",
		"SELECT 1.5 AS a, 1 = 1 AS b, now() > 0 AS c":                    "a\tb\tc\n1.5\t1\t1\n(1 row)\n",
	} {
		if got, err := a.Ask(t.Context(), of, statement); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", statement, got, err, want)
		}
	}
	for statement, part := range map[string]string{
		"SELECT id FROM orders ORDER BY id": "\n500\n(500 rows shown; there are more)\n",
		"SHOW PROCESSLIST":                  "watcher",
		"SHOW GRANTS":                       "PASSWORD '…'",
		"DESC orders":                       "item",
	} {
		got, err := a.Ask(t.Context(), of, statement)
		if err != nil {
			t.Errorf("%s: %v", statement, err)
		}
		says(t, got, part)
	}
	if _, err := a.Ask(t.Context(), of, "SELECT nothing FROM orders"); err == nil {
		t.Error("a mistake has an answer")
	} else {
		says(t, err.Error(), "refuses the statement: Unknown column 'nothing'")
	}
	wantRefusal(t, a, of, "/* a */ SELECT 1", "without a comment")
	if _, err := a.Ask(t.Context(), of, "SELECT /*+ a */ SLEEP(60) AS endless"); err == nil {
		t.Error("it ended")
	}
	wantGone(t, s, "SELECT count(*) FROM information_schema.processlist WHERE info LIKE '%AS endless'")
}

func TestRedis(t *testing.T) {
	s := sharedRedis(t)
	conn, err := redis.DialURL(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	huge := strings.Repeat("ä", 1<<20)
	for _, command := range []string{"SET greeting hello", "HSET h f v", "SET huge x" + huge, "HSET h big " + huge, "RPUSH heavy " + huge,
		"ZADD weighty 1 " + huge, "HSET h password geheim", "SET empty ", "SADD set a", "SADD members " + huge, "RPUSH list a b c", "ZADD z 1 a", "FUNCTION LOAD #!lua\x20name=l\nredis.register_function('f',function()return\x201\x20end)",
		"ACL SETUSER reader on >" + word + " ~* &* +@read +ping +info", "ACL SETUSER monitor on >" + word + " ~* +@all -@write"} {
		words := strings.SplitN(command, " ", 10)
		if words[0] == "FUNCTION" {
			words = []string{"FUNCTION", "LOAD", strings.TrimPrefix(command, "FUNCTION LOAD ")}
		}
		arguments := make([]any, len(words)-1)
		for i, word := range words[1:] {
			arguments[i] = word
		}
		if _, err := conn.Do(words[0], arguments...); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
	}
	for user, password := range map[string]string{"": servers.Password, "reader": word, "monitor": word} {
		a := &Asker{Environ: []string{"WORD=" + password}}
		of := inventory.Query{Database: strings.TrimSuffix("redis://"+user+"@", "//@") + s.Addr, PasswordEnv: "WORD"}
		if user == "" {
			of.Database = "redis://" + s.Addr
		}
		for statement, want := range map[string]string{
			"ping": "PONG\n(1 row)\n", "GET greeting": "hello\n(1 row)\n", "GET nothing": "(nil)\n(1 row)\n", "HGET h f": "v\n(1 row)\n", "LRANGE list 0 -1": "refused",
			"LRANGE list -2 -1": "b\nc\n(2 rows)\n", "ZRANGE z 0 99": "a\n(1 row)\n", "ZRANGE z 0 100": "refused", "LRANGE list 0 99": "a\nb\nc\n(3 rows)\n",
			"GET huge": "x" + huge[:maxValue-18] + "… (cut)\n(1 row)\n", "GET empty": "\n(1 row)\n", "LRANGE none 0 9": "(0 rows)\n", "HGET h none": "(nil)\n(1 row)\n",
			"HGET h password": "[redacted]\n(1 row)\n", "HGET h big": "too large", "LRANGE heavy 0 0": "too large", "ZRANGE weighty 0 0": "too large",
			"SMEMBERS set": "a\n(1 row)\n", "SMEMBERS members": "too large", "OBJECT ENCODING greeting": "embstr\n(1 row)\n",
		} {
			if want == "refused" {
				wantRefusal(t, a, of, statement, "not run: a range")
			} else if want == "too large" {
				wantRefusal(t, a, of, statement, "not run: it would read from 2.")
			} else if got, err := a.Ask(t.Context(), of, statement); err != nil || got != want {
				t.Errorf("%s: %s: %q, %v; want %q", user, statement, got, err, want)
			}
		}
		before, err := redis.String(conn.Do("DEBUG", "DIGEST"))
		if err != nil {
			before = "no digest"
		}
		for _, statement := range []string{
			"SET greeting taken", "DEL greeting", "EVAL return(1) 0", "EVAL_RO return(1) 0", "FCALL_RO f 0", "DUMP greeting", "HRANDFIELD h -10000000", "LCS greeting greeting",
			"SUNION a b", "KEYS *", "CONFIG SET maxmemory 1", "CONFIG GET requirepass", "CONFIG GET *", "CONFIG GET maxmemory* requirepass", "CLIENT KILL ID 1", "CLIENT LIST ID 1", "ACL LIST",
			"FLUSHALL", "DEBUG SLEEP 1", "MONITOR", "SUBSCRIBE a", "SAVE", "SHUTDOWN", "SLOWLOG RESET", "SLOWLOG GET 100", "SCAN 0 COUNT 1001", "SCAN 0 MATCH a*b*c*d", "ZRANGE z 0 9 BYSCORE",
			"GETDEL greeting", "GETEX greeting PERSIST", "GET 'greeting'", "SORT list STORE other", "MEMORY PURGE", "LATENCY RESET", "CLUSTER RESET", "OBJECT HELP", "SENTINEL RESET *", "SENTINEL FAILOVER m", "WAIT 1 0", "EXISTS a b c",
			"GET a\nDEL a", "SCAN 0 MATCH *[" + strings.Repeat("z", 65), "GET " + strings.Repeat("k", 513),
		} {
			wantRefusal(t, a, of, statement, "not run: Redis is asked PING")
		}
		if after, err := redis.String(conn.Do("DEBUG", "DIGEST")); err == nil && after != before {
			t.Errorf("%s: the data differs", user)
		}
	}
	a, of := &Asker{Environ: []string{"WORD=" + servers.Password}}, inventory.Query{Database: "redis://" + s.Addr, PasswordEnv: "WORD"}
	for _, statement := range []string{
		"INFO", "INFO memory", "ROLE", "TIME", "DBSIZE", "LASTSAVE", "CLIENT LIST", "SLOWLOG LEN", "SLOWLOG GET", "SLOWLOG GET 5", "CONFIG GET maxmemory*", "CONFIG GET save",
		"LATENCY LATEST", "LATENCY DOCTOR", "MEMORY STATS", "MEMORY DOCTOR", "TTL greeting", "TYPE greeting", "EXISTS greeting", "STRLEN greeting", "LLEN list", "HLEN h",
		"SCARD none", "ZCARD z", "XLEN none", "SCAN 0", "SCAN 0 MATCH g*g COUNT 1000 TYPE string", "OBJECT IDLETIME list", "OBJECT FREQ none",
	} {
		if got, err := a.Ask(t.Context(), of, statement); err != nil {
			t.Errorf("%s: %q, %v", statement, got, err)
		}
	}
}

func TestLines(t *testing.T) {
	for database, parts := range map[string][]string{
		"postgres://probe@db1/shop?sslmode=require": {
			"GRANT CONNECT ON DATABASE shop TO reader;\n", `query: {database: "postgres://reader@db1/shop?sslmode=require", password_env: READER_PASSWORD}`,
		},
		"postgresql://reader:secret@db1/My%22shop?sslpassword=secret": {
			`GRANT CONNECT ON DATABASE "My""shop" TO claudeops_reader;`, `query: {database: "postgresql://claudeops_reader@db1/My%22shop", password_env`,
		},
		"postgres://shop@db1":            {"ON DATABASE shop TO reader;"},
		"mysql://reader:secret@db2/Wiki": {"GRANT SELECT, SHOW VIEW ON `Wiki`.* TO claudeops_reader@'%';", `query: {database: "mysql://claudeops_reader@db2/Wiki"`},
		"redis://:secret@db3":            {`query: {database: "redis://db3", password_env: READER_PASSWORD}`},
	} {
		got := strings.Join(Lines(database), "\n")
		for _, part := range parts {
			says(t, got, part)
		}
		if strings.Contains(got, "secret") {
			t.Error(got)
		}
	}
}
