package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"
	"github.com/jackc/pgx/v5"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/query"
	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/testkit/servers"
)

// call is something that an agent does, and the same made bare. Both return how long it took.
type call struct {
	name       string
	ours, bare func() time.Duration
}

// BenchmarkAgentCall measures each call of an agent and the same bare, in turns. Goals: at most 4 ms more for `true` in the sandbox, at most
// 8 ms more for a look. A query is the tool's, its account already judged, beside a connection of the driver's own.
func BenchmarkAgentCall(b *testing.B) {
	release(b, "claudeops")
	calls := []call{trueCall(b), lookCall(b), postgresCall(b), redisCall(b)}
	took := make([][2][]time.Duration, len(calls))
	round := func() {
		for i, c := range calls {
			took[i][0] = append(took[i][0], c.ours())
			took[i][1] = append(took[i][1], c.bare())
		}
	}
	round() // judges the accounts
	clear(took)
	for b.Loop() {
		round()
	}
	for len(took[0][0]) < leastPairs {
		round()
	}
	b.ReportMetric(0, "ns/op")
	for i, c := range calls {
		ours, bare := median(took[i][0]), median(took[i][1])
		b.ReportMetric(float64(ours.Microseconds())/1000, c.name+"-ms")
		b.ReportMetric(float64(bare.Microseconds())/1000, c.name+"-bare-ms")
		b.ReportMetric(float64((ours-bare).Microseconds())/1000, c.name+"-more-ms")
		b.ReportMetric(float64(ours)/float64(bare), c.name+"-x-bare")
	}
}

// timed returns what runs do, which must succeed, and says how long it took.
func timed(b *testing.B, do func() error) func() time.Duration {
	return func() time.Duration {
		began := time.Now()
		if err := do(); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
}

func trueCall(b *testing.B) call {
	b.Helper()
	shim, err := filepath.Abs("../claudeops-shim")
	if err != nil {
		b.Fatal(err)
	}
	domain, err := sandbox.New(shim, sandbox.Access{
		Read: []string{"/usr", "/bin", "/lib", "/lib64", "/etc", "/proc"}, Write: []string{b.TempDir()},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = domain.Close() })
	argv := []string{"/bin/bash", "-c", "/bin/true"}
	confined := func() error {
		result, err := domain.Run(b.Context(), sandbox.Command{Argv: argv})
		if err == nil && result != (sandbox.Result{}) {
			err = fmt.Errorf("%+v", result)
		}
		return err
	}
	return call{"true", timed(b, confined), timed(b, func() error { return exec.Command(argv[0], argv[1:]...).Run() })}
}

// lookCall is docker, in truth a program that ends at once, called by the same shell text in a session's sandbox and outside.
func lookCall(b *testing.B) call {
	b.Helper()
	const calls = 20
	text := fmt.Sprintf("began=${EPOCHREALTIME/./}; for i in {1..%d}; do docker ps || exit; done; "+
		"echo $((${EPOCHREALTIME/./} - began))", calls)
	dir, environ := stage(b)
	if err := os.Symlink("/bin/true", filepath.Join(dir, "home", "docker")); err != nil {
		b.Fatal(err)
	}
	environ = append(environ, "PATH="+filepath.Join(dir, "home")+":"+os.Getenv("PATH"))
	by := func(argv ...string) func() time.Duration {
		return func() time.Duration {
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Env = environ
			out, err := cmd.Output()
			if err != nil {
				b.Fatalf("%q: %v: %s", argv, err, out)
			}
			took, err := strconv.Atoi(strings.TrimSpace(string(out)))
			if err != nil {
				b.Fatal(err)
			}
			return time.Duration(took) * time.Microsecond / calls
		}
	}
	return call{"look", by("../claudeops", "sandbox", "--tier", "1", text), by("/bin/bash", "-c", text)}
}

func postgresCall(b *testing.B) call {
	b.Helper()
	const statement = "SELECT 1 AS one"
	s := servers.Postgres(b)
	s.Exec("CREATE ROLE reader LOGIN PASSWORD '" + servers.Password + "' IN ROLE pg_monitor")
	of := s.URLFor("reader", servers.Password, servers.Database)
	bare := func() error {
		conn, err := pgx.Connect(b.Context(), of)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(context.WithoutCancel(b.Context())) }()
		var one int
		return conn.QueryRow(b.Context(), statement).Scan(&one)
	}
	return call{"postgres", byTool(b, of, statement), timed(b, bare)}
}

func redisCall(b *testing.B) call {
	b.Helper()
	s := servers.Redis(b, servers.Password)
	bare := func() error {
		conn, err := redis.DialURL(s.URL())
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }()
		_, err = conn.Do("DBSIZE")
		return err
	}
	return call{"redis", byTool(b, s.URL(), "DBSIZE"), timed(b, bare)}
}

// byTool puts a statement to the database of a URL as the tool `query` does.
func byTool(b *testing.B, url, statement string) func() time.Duration {
	asker := &query.Asker{Environ: []string{"WORD=" + servers.Password}}
	of := inventory.Query{Database: strings.Replace(url, ":"+servers.Password, "", 1), PasswordEnv: "WORD"}
	return timed(b, func() error {
		_, err := asker.Ask(b.Context(), of, statement)
		return err
	})
}
