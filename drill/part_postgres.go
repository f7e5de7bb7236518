package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// postgres is the part with a PostgreSQL (db), its replica (db-replica) and a shop that uses it (orders).
const postgres = "postgres"

func init() {
	registerPart(Part{Name: postgres, Start: startPostgres, Services: watchedPostgres, Reset: resetPostgres})
}

func startPostgres(ctx context.Context, lab *Lab) error {
	if closed := closedAbove(lab.Dir); os.Getuid() == 0 && closed != "" {
		return missing("PostgreSQL does not run as root, and only root may enter %s; set TMPDIR to another folder", closed)
	}
	password := rand.Text()
	if err := errors.Join(lab.write("vault/db", password), lab.write("vault/orders", password)); err != nil {
		return err
	}
	if os.Getuid() == 0 { // PostgreSQL runs as nobody, whose folders are below
		if err := errors.Join(os.Chmod(lab.Dir, 0o711), os.Chmod(lab.Path("srv"), 0o711)); err != nil {
			return err
		}
	}
	primary, err := newPrimary(ctx, lab.Folder("db"), lab.Port("db"), password)
	if err != nil {
		return err
	}
	if err := lab.Add(ctx, primary.server("db")); err != nil {
		return err
	}
	if err := primary.fill(ctx); err != nil {
		return err
	}
	replica, err := newReplica(ctx, lab.Folder("db-replica"), lab.Port("db-replica"), primary)
	if err != nil {
		return err
	}
	server := replica.server("db-replica")
	server.Deploy = func() error { return replica.setPrimary(primary.port, primary.password) }
	if err := lab.Add(ctx, server); err != nil {
		return err
	}
	if err := errors.Join(os.MkdirAll(lab.Folder("orders"), 0o700), deployOrders(lab)); err != nil {
		return err
	}
	shop := lab.own("orders", lab.Address("orders"), primary.urlWithout(dbOrders), lab.ordersSecret())
	shop.Ready, shop.Deploy = listens(lab.Address("orders")), func() error { return deployOrders(lab) }
	return lab.Add(ctx, shop)
}

// closedAbove returns a folder above dir that other users may not enter; "" without one.
func closedAbove(dir string) string {
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
	}
	for dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm()&0o001 == 0 {
			return dir
		}
	}
	return ""
}

// primary and replica return the clusters of the homelab.
func (lab *Lab) primary() (*cluster, error) { return lab.cluster("db") }
func (lab *Lab) replica() (*cluster, error) { return lab.cluster("db-replica") }

func (lab *Lab) cluster(name string) (*cluster, error) {
	password, err := os.ReadFile(lab.Path("vault", "db"))
	if err != nil {
		return nil, err
	}
	return newCluster(lab.Folder(name), lab.Port(name), string(password))
}

// query runs a statement in PostgreSQL as its operator does with psql, and returns the rows.
func (lab *Lab) query(ctx context.Context, name, statement string) (rows string, err error) {
	if !lab.uses(postgres) || name != "db" && name != "db-replica" {
		return "", fmt.Errorf("%q is no database; expected db or db-replica", name)
	}
	c, err := lab.cluster(name)
	if err != nil {
		return "", err
	}
	return c.ask(ctx, dbOperator, statement)
}

func (lab *Lab) ordersSecret() string { return filepath.Join(lab.Folder("orders"), "password") }

// deployOrders puts the password of the vault where orders reads it at its start.
func deployOrders(lab *Lab) error {
	password, err := os.ReadFile(lab.Path("vault", "orders"))
	if err != nil {
		return err
	}
	return os.WriteFile(lab.ordersSecret(), password, 0o600)
}

// replicates gives a row where a replica is connected to its primary and not behind it.
const replicates = "SELECT 1 FROM pg_stat_wal_receiver WHERE status = 'streaming' AND (pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn() " +
	"OR now() - pg_last_xact_replay_timestamp() < interval '1s')"

// endIdle ends the sessions that are idle in a transaction, with the locks that they hold.
const endIdle = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'"

// databasePassword is the variable with the password of the account that agents ask with.
const databasePassword = "DRILL_DATABASE_PASSWORD"

func watchedPostgres(lab *Lab) []Service {
	password, _ := os.ReadFile(lab.Path("vault", "db")) // Start has written it
	url := func(name string) string {
		c := cluster{port: lab.Port(name)}
		return c.url(dbProbe, string(password), dbName)
	}
	asked := func(name string) []string { // by agents, with the account of the checks, which may only look
		return []string{fmt.Sprintf(`query: {database: "postgres://%s@127.0.0.1:%d/%s", password_env: %s}`, dbProbe, lab.Port(name), dbName, databasePassword)}
	}
	return []Service{
		{Name: "db", More: asked("db"), Checks: []string{fmt.Sprintf(`{type: database, url: "%s", timeout: 3s, attempts: 1}`, url("db"))}},
		{Name: "db-replica", DependsOn: []string{"db"}, More: asked("db-replica"),
			Checks: []string{fmt.Sprintf(`{type: database, url: "%s", query: "%s", timeout: 3s, attempts: 1}`, url("db-replica"), replicates)}},
		{Name: "orders", DependsOn: []string{"db"}, More: []string{"actions: {end_idle_transactions: " + lab.runs("query", "db", endIdle) + "}"},
			Checks: []string{fmt.Sprintf(`{type: http, url: "http://%s/orders", body: "orders: 100", timeout: 2s, attempts: 1}`, lab.Address("orders"))}},
	}
}

func resetPostgres(ctx context.Context, lab *Lab) error {
	primary, err := lab.primary()
	if err != nil {
		return err
	}
	if err := errors.Join(lab.StopProgram("orders"), lab.Restart(ctx, "db"), lab.write("vault/orders", primary.password)); err != nil {
		return err
	}
	if err := primary.do(ctx, dbAdmin, "ALTER ROLE "+dbOrders+" PASSWORD '"+primary.password+"'"); err != nil {
		return err
	}
	return errors.Join(lab.Redeploy(ctx, "db-replica"), lab.Redeploy(ctx, "orders"))
}

// rotate gives orders another password in the database, as the vault has it.
func rotate(ctx context.Context, lab *Lab) error {
	primary, err := lab.primary()
	if err != nil {
		return err
	}
	password := rand.Text()
	return errors.Join(lab.write("vault/orders", password), primary.do(ctx, dbAdmin, "ALTER ROLE "+dbOrders+" PASSWORD '"+password+
		"'; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '"+dbOrders+"'"))
}

// post sends a request to one of the homelab's servers, and returns the status of the answer.
func (lab *Lab) post(ctx context.Context, name, path string) (status int, err error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+lab.Address(name)+path, strings.NewReader(""))
	if err != nil {
		return 0, err
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, io.LimitReader(r.Body, mostRequest))
	return r.StatusCode, errors.Join(err, r.Body.Close())
}
