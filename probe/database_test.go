package probe

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/servers"
)

const (
	long  = time.Minute // for attempts that should get an answer
	short = time.Second // for attempts that should not
)

// The servers of the tests use TLS, with certificates of one authority.
var (
	sharedAuthority = servers.Share(&suite, servers.NewAuthority)
	sharedPostgres  = sharedWithTLS(func(t servers.T, a *servers.Authority) *servers.SQLServer {
		return servers.Postgres(t, servers.PostgresTLS(a)...)
	})
	sharedMariaDB = sharedWithTLS(func(t servers.T, a *servers.Authority) *servers.SQLServer {
		return servers.MariaDB(t, servers.MariaDBTLS(a)...)
	})
	sharedRedis = sharedWithTLS(func(t servers.T, a *servers.Authority) *servers.RedisServer {
		return servers.RedisTLS(t, servers.Password, a)
	})
)

func sharedWithTLS[S any](start func(servers.T, *servers.Authority) S) func(servers.T) S {
	return servers.Share(&suite, func(t servers.T) S { return start(t, sharedAuthority(t)) })
}

// attemptDatabase makes one attempt of a database check.
func attemptDatabase(t *testing.T, d Database, timeout time.Duration, environ ...string) check.Result {
	t.Helper()
	return attemptOnce(t, &Check{Type: check.Database, Timeout: timeout, Options: &d}, Settings{Environ: environ})
}

// wantOfDatabase checks a finding: no credentials, one line, a duration if healthy.
func wantOfDatabase(t *testing.T, f check.Result, status check.Status, text string) {
	t.Helper()
	f.Error = unmarked(f.Error)
	if f.Status != status || !strings.Contains(f.Error, text) || status == check.Healthy && f.Error != "" {
		t.Errorf("found %s %q, want %s with %q", f.Status, f.Error, status, text)
	}
	if status == check.Healthy && f.ResponseTimeMS == nil {
		t.Error("a healthy result has no time")
	}
	if status == check.Down && f.ResponseTimeMS != nil {
		t.Errorf("took %d ms without an answer", *f.ResponseTimeMS)
	}
	if strings.Contains(f.Error, servers.Password) || strings.Contains(f.Error, "wrong-word") {
		t.Errorf("a password in %q", f.Error)
	}
	if strings.ContainsAny(f.Error, "\r\n\x00") {
		t.Errorf("more than a line: %q", f.Error)
	}
}

// eventuallyFinds asks until the finding is as expected, and fails with the last one if that does not happen.
func eventuallyFinds(t *testing.T, ask func() check.Result, status check.Status, text string) {
	t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for {
		f := ask()
		if f.Status == status && strings.Contains(unmarked(f.Error), text) || time.Now().After(deadline) {
			wantOfDatabase(t, f, status, text)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// wantLate repeats an attempt without a complete answer with increasing timeouts, until the finding says how far it came; the time it
// needs depends on the machine. In want, TIME stands for the timeout, and * for anything.
func wantLate(t *testing.T, ask func(timeout time.Duration) check.Result, want string) (found check.Result) {
	t.Helper()
	return wantLateAs(t, check.Down, ask, want)
}

func wantLateAs(t *testing.T, status check.Status, ask func(timeout time.Duration) check.Result, want string) (found check.Result) {
	t.Helper()
	for timeout := 300 * time.Millisecond; ; timeout *= 4 {
		found = ask(timeout)
		late := strings.ReplaceAll(want, "TIME", timeout.String())
		if found.Status == status && matches(unmarked(found.Error), late) || timeout > time.Minute {
			wantHTTP(t, found, status, late)
			return found
		}
	}
}

// wantGoroutines fails the test if more goroutines remain than there were.
func wantGoroutines(t *testing.T, before int) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// server is what the tests need of each kind of server.
type server struct {
	url  func(user, password, database string) string
	addr string
	proc *servers.Process
}

// networked returns the kinds of servers, by their names in findings.
func networked(t *testing.T) map[string]server {
	t.Helper()
	pg, maria, red := sharedPostgres(t), sharedMariaDB(t), sharedRedis(t)
	return map[string]server{
		"PostgreSQL": {url: pg.URLFor, addr: pg.Addr, proc: pg.Process},
		"MySQL":      {url: maria.URLFor, addr: maria.Addr, proc: maria.Process},
		"Redis":      {url: func(_, password, _ string) string { return red.URLFor(password) }, addr: red.Addr, proc: red.Process},
	}
}

func (s server) good() Database {
	return Database{URL: s.url(servers.User, servers.Password, servers.Database)}
}

func TestDatabaseIsHealthy(t *testing.T) {
	for name, s := range networked(t) {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			for range 3 {
				wantOfDatabase(t, attemptDatabase(t, s.good(), long), check.Healthy, "")
			}
			wantGoroutines(t, before)
		})
	}
}

func TestDatabasePasswordComesFromTheEnvironment(t *testing.T) {
	for name, s := range networked(t) {
		t.Run(name, func(t *testing.T) {
			d := Database{URL: s.url(servers.User, "wrong-word", servers.Database), PasswordEnv: "DB_WORD"}
			wantOfDatabase(t, attemptDatabase(t, d, long, "DB_WORD=other", "DB_WORD="+servers.Password), check.Healthy, "")
			wantOfDatabase(t, attemptDatabase(t, d, long, "DB_WORD="+servers.Password+"\r\n"), check.Healthy, "") // from a file
			f := attemptDatabase(t, d, long, "DB_WORDS="+servers.Password)
			wantOfDatabase(t, f, check.Unknown, "the variable DB_WORD is not set")
		})
	}
}

func TestDatabaseRefusesAWrongPassword(t *testing.T) {
	for name, s := range networked(t) {
		t.Run(name, func(t *testing.T) {
			wrong := &Check{Type: check.Database, Timeout: long, Options: &Database{URL: s.url(servers.User, "wrong-word", servers.Database)}}
			wantOfDatabase(t, attemptOnce(t, wrong, Settings{}), check.Unknown, name+" at "+s.addr+" refuses the password")
			if attemptOf(wrong, Settings{})(t.Context()).Status != check.Unknown {
				t.Error("a wrong password is tried again, which locks accounts")
			}
		})
	}
}

func TestDatabaseThatIsUnknown(t *testing.T) {
	all := networked(t)
	for name, url := range map[string]string{
		"PostgreSQL": all["PostgreSQL"].url(servers.User, servers.Password, "nowhere"),
		"Redis":      all["Redis"].url("", servers.Password, "") + "/99",
	} {
		t.Run(name, func(t *testing.T) {
			wantOfDatabase(t, attemptDatabase(t, Database{URL: url}, long), check.Unknown, "has no database")
		})
	}
	t.Run("MySQL", func(t *testing.T) {
		url := all["MySQL"].url(servers.User, servers.Password, "nowhere") // it does not reveal this to a user without privileges
		wantOfDatabase(t, attemptDatabase(t, Database{URL: url}, long), check.Unknown, "does not let user \"probe\" use database \"nowhere\"")
		wantOfDatabase(t, attemptDatabase(t, Database{URL: all["MySQL"].url("admin", "", "nowhere")}, long), check.Unknown,
			"has no database \"nowhere\"")
		url = all["MySQL"].url(servers.User, servers.Password, "")
		wantOfDatabase(t, attemptDatabase(t, Database{URL: url, Query: "SELECT * FROM nothing"}, long), check.Unknown, "No database selected (1046)")
	})
}

func TestDatabaseThatRefusesTheAccount(t *testing.T) {
	maria := sharedMariaDB(t)
	maria.Exec("CREATE USER locked IDENTIFIED BY 'pw' ACCOUNT LOCK")
	url := networked(t)["MySQL"].url("locked", "pw", "")
	wantOfDatabase(t, attemptDatabase(t, Database{URL: url}, long), check.Unknown, `refuses user "locked": Access denied, this account is locked (4151)`)
}

// What a server says of its own trouble is no fault of the statement.
func TestDatabaseThatSaysThatItIsBroken(t *testing.T) {
	lost := fake(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "\x20\x00\x00\x00\xff\x8c\x07#42S02orders is not in engine")
	})
	crashed := fake(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "\x20\x00\x00\x00\xff\xaa\x04#HY000orders is found crashed")
	})
	full, replica := servers.Redis(t, "", "maxmemory 1"), servers.Redis(t, "", "replicaof 127.0.0.1 1")
	for url, text := range map[string]string{
		"mysql://ada@" + lost:    "is not in engine",
		"mysql://ada@" + crashed: "is found crashed",
		full.URL():               "OOM command not allowed",
		replica.URL():            "READONLY",
	} {
		wantOfDatabase(t, attemptDatabase(t, Database{URL: url, Query: "EVAL return(redis.call('set','a','b')) 1 a"}, long), check.Down, text)
	}
}

func TestDatabaseThatIsStopped(t *testing.T) {
	for name, s := range networked(t) {
		t.Run(name, func(t *testing.T) {
			s.proc.Kill()
			defer s.proc.Start()
			wantOfDatabase(t, attemptDatabase(t, s.good(), long), check.Down, "connection refused by "+s.addr)
		})
	}
}

func TestDatabaseThatAcceptsAndSaysNothing(t *testing.T) {
	for name, s := range networked(t) {
		t.Run(name, func(t *testing.T) {
			wantOfDatabase(t, attemptDatabase(t, s.good(), long), check.Healthy, "") // the driver starts some goroutines only once
			before := runtime.NumGoroutine()
			s.proc.Pause()
			defer s.proc.Resume()
			f := wantLate(t, func(timeout time.Duration) check.Result { return attemptDatabase(t, s.good(), timeout) },
				"connected to "+s.addr+", but no answer within TIME*")
			wantOfDatabase(t, f, check.Down, s.addr)
			wantGoroutines(t, before)
		})
	}
}

func TestDatabaseQuery(t *testing.T) {
	all := networked(t)
	for _, c := range []struct {
		server, query string
		status        check.Status
		text          string
	}{
		{"PostgreSQL", "SELECT 'well'", check.Healthy, ""},
		{"PostgreSQL", "SELECT false", check.Healthy, ""},
		{"PostgreSQL", "SET work_mem = '4MB'; SELECT NULL", check.Healthy, ""},
		{"PostgreSQL", "SELECT 1 WHERE 1 = 2", check.Down, "gave no row"},
		{"PostgreSQL", "SELECT 1/(2-n) FROM generate_series(1, 3) n", check.Unknown, "refuses the statement: division by zero (22012)"},
		{"PostgreSQL", "SELECT 'a'::int", check.Unknown, "(22P02)"},
		{"PostgreSQL", "SET work_mem = -5", check.Unknown, "(22023)"},
		{"PostgreSQL", "SELECT (SELECT n FROM generate_series(1, 2) n)", check.Unknown, "(21000)"},
		{"PostgreSQL", "SET transaction_read_only = on; CREATE TABLE t (n int)", check.Unknown, "(25006)"},
		{"PostgreSQL", "SELECT DISTINCT 1 FOR UPDATE", check.Unknown, "(0A000)"},
		{"PostgreSQL", "CREATE TEMP TABLE t (n int NOT NULL); INSERT INTO t VALUES (NULL)", check.Unknown, "(23502)"},
		{"PostgreSQL", "CREATE TABLE nowhere.t (n int)", check.Unknown, "(3F000)"},
		{"PostgreSQL", "DO $$ BEGIN RAISE 'too old'; END $$", check.Down, "too old (P0001)"},
		{"PostgreSQL", "SELECT * FROM nothing", check.Unknown, `refuses the statement: relation "nothing" does not exist`},
		{"PostgreSQL", "SELECT repeat('a', 5000000)", check.Down, ""},
		{"PostgreSQL", "SELECT repeat('a', 1000) FROM generate_series(1, 1000000)", check.Down, "sent more than"},
		{"PostgreSQL", ";", check.Down, "gave no row"},
		{"MySQL", "SELECT 'well'", check.Healthy, ""},
		{"MySQL", "SELECT 1 FROM DUAL WHERE 1 = 2", check.Down, "gave no row"},
		{"MySQL", "SELECT * FROM nothing", check.Unknown, "nothing' doesn't exist"},
		{"MySQL", "SELECT CONVERT('a' USING nothing)", check.Unknown, "(1115)"},
		{"MySQL", "SELECT n FROM (SELECT 1 AS n) a JOIN (SELECT 2 AS n) b", check.Unknown, "(1052)"},
		{"MySQL", "SELECT 1 FROM DUAL WHERE max(1) > 0", check.Unknown, "(1111)"},
		{"MySQL", "SELECT (SELECT 1 UNION SELECT 2)", check.Unknown, "(1242)"},
		{"MySQL", "SELECT exp(9999)", check.Unknown, "(1690)"},
		{"MySQL", "SELECT @@nothing", check.Unknown, "(1193)"},
		{"MySQL", "SELECT 'a' COLLATE nothing", check.Unknown, "(1273)"},
		{"MySQL", "SELECT 'a' COLLATE utf8mb4_bin = 'a' COLLATE utf8mb4_general_ci", check.Unknown, "(1267)"},
		{"MySQL", "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'too old'", check.Down, "too old (1644)"},
		{"MySQL", "SET @a = 1", check.Down, "gave no row"},
		{"MySQL", "SELECT repeat('a', 5000000)", check.Down, "sent more than"},
		{"MySQL", "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t", check.Unknown, "t' doesn't exist"},
		{"MySQL", "SELECT @@max_statement_time > 0 AND @@max_statement_time <= 61 AS bounded FROM DUAL HAVING bounded", check.Healthy, ""},
		{"Redis", "PING", check.Healthy, ""},
		{"Redis", "GET nothing", check.Down, "gave no row"},
		{"Redis", "KEYS nothing", check.Down, "gave no row"},
		{"Redis", "GET", check.Unknown, "wrong number of arguments"},
		{"Redis", "CONFIG GET maxmemory", check.Healthy, ""},
		{"Redis", `EVAL return{1,2,'a'} 0`, check.Healthy, ""},
		{"Redis", `EVAL return(redis.call('nope')) 0`, check.Unknown, "refuses the command: Unknown Redis command"},
		{"Redis", `EVAL return( 0`, check.Unknown, "refuses the command: Error compiling script"},
		{"Redis", `EVAL return(nope.x) 0`, check.Unknown, "refuses the command: user_script"},
		{"Redis", "EVALSHA 0123456789012345678901234567890123456789 0", check.Unknown, "refuses the command: NOSCRIPT"},
		{"Redis", "EVAL redis.call('set','well','x')return(redis.call('lpush','well','y')) 1 well", check.Unknown, "refuses the command: WRONGTYPE"},
		{"Redis", "CONFIG NOPE", check.Unknown, "refuses the command: unknown subcommand"},
		{"Redis", `EVAL return(string.rep('a',5000000)) 0`, check.Down, "sent more than 4.0 MiB"},
	} {
		t.Run(c.server+" "+c.query, func(t *testing.T) {
			d := all[c.server].good()
			d.Query = c.query
			wantOfDatabase(t, attemptDatabase(t, d, long), c.status, c.text)
		})
	}
}

// A query that is cut short by the end of the attempt does not continue on the server, where each cycle would add one.
func TestDatabaseQueryThatDoesNotEnd(t *testing.T) {
	all := networked(t)
	before := runtime.NumGoroutine()
	for name, query := range map[string]string{
		"PostgreSQL": "SELECT pg_sleep(3600) AS endless",
		"MySQL":      "SELECT benchmark(1000000000000, md5('endless'))",
	} {
		t.Run(name, func(t *testing.T) {
			d := all[name].good()
			d.Query = query
			f := wantLate(t, func(timeout time.Duration) check.Result { return attemptDatabase(t, d, timeout) },
				"logged in to "+all[name].addr+", but no answer within TIME*")
			wantOfDatabase(t, f, check.Down, all[name].addr)
		})
	}
	wantGoroutines(t, before)
	still := all["PostgreSQL"].good()
	still.Query = "SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '%AS endless' AND state = 'active')"
	eventuallyFinds(t, func() check.Result { return attemptDatabase(t, still, long) }, check.Healthy, "")
	still = all["MySQL"].good()
	still.Query = "SELECT 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM information_schema.processlist WHERE info LIKE 'SELECT benchmark%')"
	eventuallyFinds(t, func() check.Result { return attemptDatabase(t, still, long) }, check.Healthy, "")
}

func TestDatabaseWithTooManyConnections(t *testing.T) {
	red := servers.Redis(t, "", "maxclients 1")
	hold, err := net.Dial("tcp", red.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Close()
	if _, err := io.WriteString(hold, "PING\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := hold.Read(make([]byte, 16)); err != nil {
		t.Fatal(err)
	}
	wantOfDatabase(t, attemptDatabase(t, Database{URL: red.URL()}, long), check.Degraded, "has too many connections")

	pg := sharedPostgres(t)
	pg.Exec("ALTER ROLE " + servers.User + " CONNECTION LIMIT 0")
	defer pg.Exec("ALTER ROLE " + servers.User + " CONNECTION LIMIT -1")
	wantOfDatabase(t, attemptDatabase(t, Database{URL: pg.URL()}, long), check.Degraded, "has too many connections: too many connections for role")

	shared := sharedMariaDB(t)
	shared.Exec("CREATE USER often IDENTIFIED BY 'pw' WITH MAX_QUERIES_PER_HOUR 1")
	limited := Database{URL: networked(t)["MySQL"].url("often", "pw", ""), Query: "SELECT 1"}
	wantOfDatabase(t, attemptDatabase(t, limited, long), check.Unknown, "'max_queries_per_hour' resource (current value: 1) (1226)")

	maria := servers.MariaDB(t, "--max-connections=10", "--connect-timeout=600") // its own: while it is full, no statement could lift the limit
	var holds []net.Conn
	eventuallyFinds(t, func() check.Result {
		conn, err := net.Dial("tcp", maria.Addr)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 256)); err != nil {
			t.Fatal(err)
		}
		holds = append(holds, conn)
		return attemptDatabase(t, Database{URL: maria.URL()}, long)
	}, check.Degraded, "MySQL at "+maria.Addr+" has too many connections")
	for _, conn := range holds {
		_ = conn.Close()
	}
	eventuallyFinds(t, func() check.Result { return attemptDatabase(t, Database{URL: maria.URL()}, long) }, check.Healthy, "")
}

func TestDatabaseThatAsksForTime(t *testing.T) {
	loading := servers.Redis(t, "", "enable-debug-command yes", "key-load-delay 50000", "loading-process-events-interval-bytes 1024")
	tellRedis(t, loading.Addr, "DEBUG POPULATE 2000", "DEBUG RELOAD")
	busy := servers.Redis(t, "", "busy-reply-threshold 1")
	tellRedis(t, busy.Addr, "EVAL 'while true do end' 0")
	primary := servers.Redis(t, "")
	orphan := servers.RedisReplica(t, primary)
	tellRedis(t, orphan.Addr, "CONFIG SET replica-serve-stale-data no")
	primary.Stop()
	stopping := servers.Postgres(t)
	session, err := pgconn.Connect(t.Context(), stopping.URL()) // which it waits for
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close(t.Context())
	stopping.Exec("COPY (SELECT 1) TO PROGRAM 'cat >/dev/null; kill -TERM $(head -n 1 postmaster.pid)'")
	leaving := fake(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "\x24\x00\x00\x00\xff\x1d\x04#08S01Server shutdown in progress")
	})
	joining := fake(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "\x20\x00\x00\x00\xff\x17\x04#08S01WSREP has not yet prepa")
	})
	for _, tt := range []struct{ url, query, text string }{
		{loading.URL(), "", "is still loading its data"},
		{busy.URL(), "", "runs a script: Redis is busy running a script"},
		{orphan.URL(), "GET orders", "has no connection to its primary"},
		{stopping.URL(), "", "takes no connections: the database system is shutting down"},
		{"mysql://ada@" + leaving, "", "is shutting down"},
		{"mysql://ada@" + joining, "", "is not ready: WSREP has not yet prepa"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			var f check.Result
			eventuallyFinds(t, func() check.Result {
				f = attemptDatabase(t, Database{URL: tt.url, Query: tt.query}, long)
				return f
			}, check.Degraded, tt.text)
			if !strings.HasPrefix(f.Error, check.AsksForTime) {
				t.Errorf("finding %+v; it asks for time", f)
			}
		})
	}
}

// tellRedis sends commands and does not wait for the answer to the last.
func tellRedis(t *testing.T, addr string, commands ...string) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	for n, command := range commands {
		if _, err := io.WriteString(conn, command+"\r\n"); err != nil {
			t.Fatal(err)
		}
		if n == len(commands)-1 {
			return
		}
		if said, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.HasPrefix(said, "+OK") {
			t.Fatalf("%s: %q, %v", command, said, err)
		}
	}
}

// Settings in the environment and in the home directory are ignored.
func TestDatabaseIsThatOfTheURLOnly(t *testing.T) {
	pg := sharedPostgres(t) // it is started without these variables
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "service"), []byte("[other]\nhost=192.0.2.1\noptions=-c work_mem=x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"PGHOST": "192.0.2.1", "PGPORT": "1", "PGUSER": "other", "PGDATABASE": "other",
		"PGPASSWORD": servers.Password, "PGOPTIONS": "-c work_mem=x", "PGSSLMODE": "verify-full", "PGSSLROOTCERT": "/nonexistent",
		"PGTZ": "Nowhere", "PGTARGETSESSIONATTRS": "standby", "PGSERVICE": "other", "PGSERVICEFILE": filepath.Join(home, "service"),
		"PGREQUIREAUTH": "none", "PGSSLCERTMODE": "x", "PGMINPROTOCOLVERSION": "9", "PGCONNECT_TIMEOUT": "x", "PGCHANNELBINDING": "require",
	} {
		t.Setenv(name, value)
	}
	d, fault := parseDatabase("postgres://u@localhost?search_path=shop")
	if fault != "" {
		t.Fatal(fault)
	}
	config, err := postgresConfig(d, d.parsed)
	if err != nil {
		t.Fatal(err)
	}
	if config.Host != "localhost" || config.RequireAuth != "!password" || config.ValidateConnect != nil || config.ChannelBinding != "prefer" ||
		len(config.RuntimeParams) != 2 {
		t.Errorf("the environment came in: %+v", config)
	}
	wantOfDatabase(t, attemptDatabase(t, Database{URL: pg.URL()}, long), check.Healthy, "")
	wantOfDatabase(t, attemptDatabase(t, Database{URL: "postgres://" + servers.User + "@" + pg.Addr + "/" + servers.Database}, long),
		check.Unknown, "wants a password of user")
}

// What can never work is a fault of the services file, in the words of the check.
func TestDatabaseFaultsOfTheCheck(t *testing.T) {
	for _, c := range []struct{ url, text string }{
		{"postgres://u@h/db?passfile=/etc/shadow", `PostgreSQL: the URL's option "passfile" is not known; there are host, sslmode`},
		{"postgres://u@h/db?servicefile=/tmp/x", `option "servicefile" is not known`},
		{"postgres://u@h/db?sslmod=require", `option "sslmod" is not known`},
		{"postgres://u@h/db?sslmode", `option sslmode has no value`},
		{"postgres://u@h/db?sslmode=require&sslmode=disable", `has the option "sslmode" twice`},
		{"postgres://u@h/db?sslmode=whatever", "PostgreSQL: failed to configure TLS (sslmode is invalid)"},
		{"postgres://u@h/db?sslmode=%zz", `option sslmode has no value`},
		{"postgres://u@h/db?channel_binding=always", "PostgreSQL: unknown channel_binding value: always"},
		{"postgres://u@h/db?connect_timeout=3s", "PostgreSQL: invalid connect_timeout"},
		{"postgres://u@h/db?connect_timeout=-1", "PostgreSQL: invalid connect_timeout"},
		{"postgres://u@h/db?target_session_attrs=master", "PostgreSQL: unknown target_session_attrs value: master"},
		{"postgres://u@h/db?require_auth=plain", "PostgreSQL: invalid require_auth"},
		{"postgres://u@h/db?min_protocol_version=9", "PostgreSQL: invalid min_protocol_version"},
		{"postgres://u@h/db?sslcertmode=x", "PostgreSQL: invalid sslcertmode"},
		{"postgres://u@h/db?sslcert=/c", "PostgreSQL: the URL's options sslcert and sslkey are needed both"},
		{"postgres://u@h/db?sslrootcert=ca.pem", `option sslrootcert is "ca.pem", and must be a path that begins with /`},
		{"mysql://u@h/db?allowAllFiles=true", `MySQL: the URL's option "allowAllFiles" is not known`},
		{"mysql://u@h/db?readTimeout=3s", "is not used"},
		{"mysql://u@h/db?strict=true", `option "strict" is not known`},
		{"mysql://u@h/db?cleartext", `option "cleartext" is not known`},
		{"mysql://u@h/db?ssl-mode=SOMETIMES", `option "ssl-mode" is not known`},
		{"mysql://u@h/db?tls=custom", "MySQL: the URL's options: invalid value / unknown config name: custom"},
		{"mysql://u@h/db?allowCleartextPasswords=yes", "MySQL: the URL's options: invalid bool value: yes"},
		{"mysql://u@h/db?loc=Europe/Nowhere", "MySQL: the URL's options: unknown time zone Europe/Nowhere"},
		{"redis://h/shop", "Redis: the URL's path must be the number of a database, like /0"},
		{"redis://h/-1", "must be the number of a database"},
		{"redis://h/99999999999999999999", "must be the number of a database"},
		{"redis://h/?insecure=true", "are those of rediss"},
		{"redis://h/?db=1", `option "db" is not known`},
		{"rediss://h/?insecure=maybe", `option insecure is "maybe"`},
		{"rediss://h/?ca=x.pem", "must be a path that begins with /"},
		{"sqlite:///x?vfs=unix-none", `SQLite: the URL's option "vfs" is not known; there are immutable`},
		{"sqlite:///x?immutable=yes", `option immutable is "yes", and must be 1 or 0`},
	} {
		t.Run(c.url, func(t *testing.T) {
			if _, fault := databaseURL(c.url); !strings.Contains(fault, c.text) {
				t.Errorf("the services file's fault is %q, want %q", fault, c.text)
			}
			f := attemptDatabase(t, Database{URL: c.url}, long)
			wantOfDatabase(t, f, check.Unknown, c.text)
		})
	}
}

// The files that a URL names are read by the check alone: the services file may be judged elsewhere, or before they are there.
func TestDatabaseFilesAreReadByTheCheckAlone(t *testing.T) {
	for url, text := range map[string]string{
		"postgres://u@h/db?sslmode=verify-full&sslrootcert=/nonexistent": "open /nonexistent: no such file",
		"postgres://u@h/db?sslcert=/nonexistent&sslkey=/nonexistent":     "open /nonexistent: no such file",
		"mysql://u@h/db?ca=/nonexistent":                                 "the check's ca file /nonexistent cannot be read",
		"rediss://h/?ca=/nonexistent":                                    "the check's ca file /nonexistent cannot be read",
	} {
		if _, fault := databaseURL(url); fault != "" {
			t.Errorf("%s: %s", url, fault)
		}
		wantOfDatabase(t, attemptDatabase(t, Database{URL: url}, long), check.Unknown, text)
	}
}

// URLs as providers document them, tried at servers of ours.
func TestDatabaseURLsOfProviders(t *testing.T) {
	all := networked(t)
	untrusted := "is not signed by an authority that is trusted here"
	for _, c := range []struct {
		url    string
		status check.Status
		text   string
	}{
		{"postgresql://alex:AbC123@ep-cool-darkness-123456.us-east-2.aws.neon.tech/dbname?sslmode=require&channel_binding=require", check.Healthy, ""},
		{"postgres://alex:AbC123@ep-x-1.us-east-2.aws.neon.tech/dbname?sslmode=require&connect_timeout=30", check.Healthy, ""},
		{"postgres://alex:AbC123@ep-x-1.us-east-2.aws.neon.tech/dbname?options=-c%20statement_timeout%3D5s", check.Healthy, ""},
		{"postgresql://postgres:pw@db.abcdefgh.supabase.co:5432/postgres", check.Healthy, ""},
		{"postgres://postgres.abcdefgh:pw@aws-0-eu-west-1.pooler.supabase.com:6543/postgres?pgbouncer=true", check.Healthy, ""},
		{"postgres://u:pw@shop.abc.eu-west-1.rds.amazonaws.com:5432/shop?sslmode=verify-full&sslrootcert=/nonexistent/global-bundle.pem", check.Unknown,
			"no such file"},
		{"postgresql://doadmin:pw@db-postgresql-fra1-1.db.ondigitalocean.com:25060/defaultdb?sslmode=require", check.Healthy, ""},
		{"postgres://avnadmin:pw@pg-1-shop.aivencloud.com:12691/defaultdb?sslmode=require", check.Healthy, ""},
		{"postgresql://postgres.x:pw@eu.pg.psdb.cloud:5432/postgres?sslmode=verify-full&sslrootcert=system", check.Down, untrusted},
		{"postgres://u:pw@ec2-1.compute-1.amazonaws.com:5432/d1?ssl=true", check.Healthy, ""},
		{"postgres://u:pw@h1:5432/shop?target_session_attrs=read-write", check.Healthy, ""},
		{"postgres://u:pw@h1:5432/shop?target_session_attrs=standby", check.Down, "is not standby, as target_session_attrs asks"},
		{"postgres://u:pw@h1:5432/shop?sslmode=disable&channel_binding=require", check.Unknown, "as channel_binding=require asks"},
		{"mysql://doadmin:pw@db-mysql-fra1-1.db.ondigitalocean.com:25060/defaultdb?ssl-mode=REQUIRED", check.Healthy, ""},
		{"mysql://avnadmin:pw@mysql-1-shop.aivencloud.com:12691/defaultdb?ssl-mode=REQUIRED", check.Healthy, ""},
		{"mysql://u:pscale_pw_x@aws.connect.psdb.cloud/shop?sslaccept=strict", check.Down, untrusted},
		{`mysql://u:pscale_pw_x@aws.connect.psdb.cloud/shop?ssl={"rejectUnauthorized":true}`, check.Down, untrusted},
		{"mysql://u:pscale_pw_x@aws.connect.psdb.cloud/shop?tls=true&interpolateParams=true", check.Down, untrusted},
		{"mysql://u:pw@h/shop?parseTime=true&charset=utf8mb4,utf8&loc=Europe/Berlin", check.Healthy, ""},
		{"redis://default:pw@redis-12345.c1.eu-west-1-3.ec2.redns.redis-cloud.com:12345", check.Healthy, ""},
		{"rediss://default:pw@eu1-shop-1.upstash.io:6379", check.Down, untrusted},
		{"rediss://default:pw@eu1-shop-1.upstash.io:6379?ssl_cert_reqs=none", check.Healthy, ""},
		{"rediss://default:pw@shop-valkey.db.ondigitalocean.com:25061", check.Down, untrusted},
		{"rediss://default:pw@valkey-1-shop.aivencloud.com:12692", check.Down, untrusted},
	} {
		t.Run(c.url, func(t *testing.T) {
			given, err := url.Parse(c.url)
			if err != nil {
				t.Fatal(err)
			}
			if host, fault := databaseURL(c.url); fault != "" || host != given.Hostname() {
				t.Errorf("host %q, fault %q", host, fault)
			}
			kind := dialects[given.Scheme].name
			ours, err := url.Parse(all[kind].good().URL)
			if err != nil {
				t.Fatal(err)
			}
			given.Host, given.User, given.Path = ours.Host, ours.User, ours.Path
			if given.Scheme == "rediss" {
				given.Host = sharedRedis(t).TLSAddr
			}
			wantOfDatabase(t, attemptDatabase(t, Database{URL: given.String()}, long), c.status, c.text)
		})
	}
}

// fake listens, and calls serve for each connection, until the test ends.
func fake(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serve(conn)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	return l.Addr().String()
}

func TestDatabaseTLS(t *testing.T) {
	pg, maria, red, ca := sharedPostgres(t), sharedMariaDB(t), sharedRedis(t), sharedAuthority(t).File
	byName := func(url string) string { return strings.Replace(url, "@127.0.0.1:", "@localhost:", 1) }
	tlsRed := "rediss://:" + servers.Password + "@" + red.TLSAddr
	noTLS := fake(t, func(c net.Conn) { // for PostgreSQL
		_, _ = io.ReadFull(c, make([]byte, 8))
		_, _ = io.WriteString(c, "N")
		_, _ = io.Copy(io.Discard, c)
	})
	noTLSMySQL := fake(t, func(c net.Conn) { _, _ = io.WriteString(c, helloOfMySQL); _, _ = io.Copy(io.Discard, c) })
	encrypted := "SELECT 1 FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl"
	encryptedMySQL := "SELECT 1 FROM information_schema.session_status WHERE variable_name = 'Ssl_cipher' AND variable_value <> ''"
	for _, c := range []struct {
		name, url, query string
		status           check.Status
		text             string
	}{
		{"PostgreSQL as it comes", pg.URL(), encrypted, check.Healthy, ""},
		{"PostgreSQL without", pg.URL() + "?sslmode=disable", encrypted, check.Down, "gave no row"},
		{"PostgreSQL require", pg.URL() + "?sslmode=require", encrypted, check.Healthy, ""},
		{"PostgreSQL unknown authority", pg.URL() + "?sslmode=verify-full", "", check.Down, "is not signed by an authority that is trusted here"},
		{"PostgreSQL verified", pg.URL() + "?sslmode=verify-full&sslrootcert=" + ca, encrypted, check.Healthy, ""},
		{"PostgreSQL with an authority", pg.URL() + "?sslrootcert=" + ca, encrypted, check.Healthy, ""},
		{"PostgreSQL by another name", byName(pg.URL()) + "?sslrootcert=" + ca, "", check.Down,
			"the certificate of localhost is for another name: 127.0.0.1"},
		{"PostgreSQL by whatever name", byName(pg.URL()) + "?sslmode=verify-ca&sslrootcert=" + ca, encrypted, check.Healthy, ""},
		{"PostgreSQL by an unknown authority", pg.URL() + "?sslmode=verify-ca", encrypted, check.Down, "not signed by an authority that is trusted here"},
		{"PostgreSQL by another login", pg.URL() + "?require_auth=md5", "", check.Unknown, "asks for a login that require_auth does not permit (md5)"},
		{"PostgreSQL has none", "postgres://u:p@" + noTLS + "/?sslmode=require", "", check.Down, "has no TLS, which the URL asks for"},
		{"MySQL as it comes", maria.URL(), encryptedMySQL, check.Healthy, ""},
		{"MySQL without", maria.URL() + "?tls=false", encryptedMySQL, check.Down, "gave no row"},
		{"MySQL unverified", maria.URL() + "?tls=skip-verify", encryptedMySQL, check.Healthy, ""},
		{"MySQL unknown authority", maria.URL() + "?tls=true", "", check.Down, "is not signed by an authority that is trusted here"},
		{"MySQL verified", maria.URL() + "?ca=" + ca, encryptedMySQL, check.Healthy, ""},
		{"MySQL by another name", byName(maria.URL()) + "?ca=" + ca, "", check.Down, "is for another name"},
		{"MySQL has none", "mysql://u:p@" + noTLSMySQL + "/?tls=true", "", check.Down, "has no TLS, which the URL asks for"},
		{"Redis verified", tlsRed + "?ca=" + ca, "", check.Healthy, ""},
		{"Redis unknown authority", tlsRed, "", check.Down, "is not signed by an authority that is trusted here"},
		{"Redis unverified", tlsRed + "?insecure=true", "", check.Healthy, ""},
		{"Redis has only TLS", strings.Replace(red.URL(), red.Addr, red.TLSAddr, 1), "", check.Down, red.TLSAddr},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := attemptDatabase(t, Database{URL: c.url, Query: c.query}, long)
			wantOfDatabase(t, f, c.status, c.text)
			t.Log(f.Error)
		})
	}
}

func TestDatabaseSockets(t *testing.T) {
	maria := sharedMariaDB(t)
	maria.Exec("CREATE USER IF NOT EXISTS '" + servers.User + "'@'localhost' IDENTIFIED BY '" + servers.Password + "'")
	url := "mysql://" + servers.User + ":" + servers.Password + "@/?socket=" + maria.Socket()
	wantOfDatabase(t, attemptDatabase(t, Database{URL: url}, long), check.Healthy, "")
	own, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	maria.Exec("CREATE USER IF NOT EXISTS '" + own.Username + "'@'localhost'")
	maria.Exec("ALTER USER '" + own.Username + "'@'localhost' IDENTIFIED BY '" + servers.Password + "'")
	wantOfDatabase(t, attemptDatabase(t, Database{URL: "mysql:///?socket=" + maria.Socket(), PasswordEnv: "WORD"}, long,
		"WORD="+servers.Password), check.Healthy, "")
	for url, place := range map[string]string{
		"mysql://u:p@/db?socket=/nonexistent/s":                  "there is no socket /nonexistent/s",
		"postgres://u:p@/db?host=/nonexistent/":                  "there is no socket /nonexistent/.s.PGSQL.5432",
		"postgres://u:p@:5433/db?host=/nonexistent":              "there is no socket /nonexistent/.s.PGSQL.5433",
		"redis:///1?socket=/nonexistent/r":                       "there is no socket /nonexistent/r",
		"postgres://u:p@h.invalid/db":                            "there is no host h.invalid",
		"rediss://:" + servers.Password + "@127.0.0.1:1":         "connection refused by 127.0.0.1:1",
		"mariadb://u:" + servers.Password + "@127.0.0.1:1/db":    "connection refused by 127.0.0.1:1",
		"postgresql://u:" + servers.Password + "@127.0.0.1:1/db": "connection refused by 127.0.0.1:1",
	} {
		wantOfDatabase(t, attemptDatabase(t, Database{URL: url}, long), check.Down, place)
	}
}

// helloOfMySQL is the greeting of a server without TLS.
const helloOfMySQL = "\x4f\x00\x00\x00\x0a5.5.5-10.11\x00\x01\x00\x00\x00abcdefgh\x00\xff\xf7\x08\x02\x00\xff\x81\x15" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00abcdefghijkl\x00mysql_native_password\x00"

func urlAt(scheme, addr string) string {
	options := map[string]string{"postgres": "?sslmode=disable", "mysql": "?tls=false"}
	return scheme + "://" + servers.User + ":" + servers.Password + "@" + addr + "/0" + options[scheme]
}

// Who has taken a server's port may ask for the password.
func TestPostgreSQLsPasswordIsNotSentInTheClear(t *testing.T) {
	got := make(chan string, 1)
	addr := fake(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "R\x00\x00\x00\x08\x00\x00\x00\x03")
		all, _ := io.ReadAll(c)
		got <- string(all)
	})
	f := attemptDatabase(t, Database{URL: urlAt("postgres", addr)}, long)
	wantOfDatabase(t, f, check.Unknown, "require_auth")
	if sent := <-got; strings.Contains(sent, servers.Password) {
		t.Errorf("sent: %q", sent)
	}
}

// Whatever a server sends, the attempt ends with a clear text.
func TestDatabaseServersThatAreNone(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("end", askServersThatAreNone)
	wantGoroutines(t, before)
}

func askServersThatAreNone(t *testing.T) {
	flood := func(pattern string) func(net.Conn) {
		block := bytes.Repeat([]byte(pattern), 1+(64<<10)/len(pattern))
		return func(c net.Conn) {
			for {
				if _, err := c.Write(block); err != nil {
					return
				}
			}
		}
	}
	say := func(text string) func(net.Conn) {
		return func(c net.Conn) { _, _ = io.WriteString(c, text); _, _ = io.Copy(io.Discard, c) }
	}
	hang := func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }
	type outcome struct {
		name, addr string
		found      chan check.Result
	}
	var all []*outcome // concurrently, because most wait for the timeout
	for _, scheme := range []string{"postgres", "mysql", "redis"} {
		for name, serve := range map[string]func(net.Conn){
			"closes":                func(net.Conn) {},
			"silence":               hang,
			"HTTP":                  say("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
			"SSH":                   say("SSH-2.0-OpenSSH_9.2\r\n"),
			"zeros":                 flood("\x00"),
			"text":                  flood("all work and no play "),
			"lines":                 flood("+OK\r\n"),
			"notices":               flood("N\x00\x00\x00\x08SX\x00\x00"),
			"parameters":            flood("S\x00\x00\x00\x08a\x00b\x00"),
			"packets":               flood("\xff\xff\xff\x00" + strings.Repeat("x", 1<<12)),
			"a beginning of MySQL":  say(helloOfMySQL[:20]),
			"a file is asked for":   say(helloOfMySQL + "\x0d\x00\x00\x02\xfb/etc/hostname"),
			"authentication oddity": say("R\x00\x00\x00\x08\x00\x00\x00\x63"),
		} {
			o := &outcome{name: scheme + " " + name, addr: fake(t, serve), found: make(chan check.Result, 1)}
			all = append(all, o)
			go func() { o.found <- attemptDatabase(t, Database{URL: urlAt(scheme, o.addr)}, short) }()
		}
	}
	for _, o := range all {
		f := <-o.found
		t.Run(o.name, func(t *testing.T) {
			wantOfDatabase(t, f, check.Down, o.addr)
			t.Log(f.Error)
		})
	}
}
