package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// orders is a small shop over the homelab's PostgreSQL. It has two faults of a kind that real ones have: a report keeps its connection,
// and an import keeps its lock until the program ends.
type orders struct {
	database string // its URL without the password
	password string // read once, at the start

	mu   sync.Mutex // one request at a time uses conn
	conn *pgconn.PgConn

	kept sync.Map // connections that are never closed
}

const (
	ordersWithin = 5 * time.Second // one statement
	ordersReport = "SELECT state, count(*) FROM orders GROUP BY state"
)

// serveOrders serves on a port of loopback until ctx ends. secret is the file with the password.
func serveOrders(ctx context.Context, address, database, secret string) error {
	password, err := os.ReadFile(secret)
	if err != nil {
		return err
	}
	o := &orders{database: database, password: strings.TrimSpace(string(password))}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders", o.answer(o.count))
	mux.HandleFunc("POST /report", o.answer(o.report))
	mux.HandleFunc("POST /import", o.answer(o.importing))
	return serveHTTP(ctx, address, mux)
}

// answer logs an error and keeps it from who asked.
func (o *orders) answer(work func(context.Context) (string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), ordersWithin)
		defer cancel()
		text, err := work(ctx)
		if err != nil {
			logLine("error: %s %s: %v", r.Method, r.URL.Path, err)
			http.Error(w, "internal server error", http.StatusInternalServerError)
			return
		}
		_, _ = fmt.Fprintln(w, text)
	}
}

func (o *orders) connect(ctx context.Context) (*pgconn.PgConn, error) {
	config, err := pgconn.ParseConfig(o.database)
	if err != nil {
		return nil, err
	}
	config.Password = o.password
	return pgconn.ConnectConfig(ctx, config)
}

// count uses a connection that is kept, and another one where that has broken.
func (o *orders) count(ctx context.Context) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.conn != nil {
		if text, err := o.ask(ctx); err == nil || ctx.Err() != nil {
			return text, err
		}
	}
	conn, err := o.connect(ctx)
	if err != nil {
		return "", err
	}
	o.conn = conn
	return o.ask(ctx)
}

func (o *orders) ask(ctx context.Context) (string, error) {
	results, err := o.conn.Exec(ctx, "SELECT count(*) FROM orders").ReadAll()
	if err != nil {
		_ = o.conn.Close(ctx)
		return "", err
	}
	return "orders: " + string(results[0].Rows[0][0]), nil
}

// report forgets to close its connection.
func (o *orders) report(ctx context.Context) (string, error) {
	conn, err := o.connect(ctx)
	if err != nil {
		return "", err
	}
	o.kept.Store(conn, true)
	_, err = conn.Exec(ctx, ordersReport).ReadAll()
	return "reported", err
}

// importing takes a lock for a transaction that it never ends.
func (o *orders) importing(ctx context.Context) (string, error) {
	conn, err := o.connect(ctx)
	if err != nil {
		return "", err
	}
	o.kept.Store(conn, true)
	_, err = conn.Exec(ctx, "BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE").ReadAll()
	return "importing", err
}

// logLine writes a line of a homelab program's log.
func logLine(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().UTC().Format("15:04:05 ")+format+"\n", args...)
}

// serveHTTP serves on a port of loopback until ctx ends.
func serveHTTP(ctx context.Context, address string, handler http.Handler) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return serveOn(ctx, listener, handler)
}

func serveOn(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	logLine("listening on %s", listener.Addr())
	if err := server.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}
