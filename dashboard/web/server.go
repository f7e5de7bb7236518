// Package web serves the dashboard: pages, a JSON API, raw logs as they are written, and metrics.
//
// It hides access control (hosts, logins, tokens, headers, limits) and the conversion of package dashboard's results to answers. It
// guarantees that nothing is sent that could run in a browser, that no secret leaves, that every wait ends, and that each error is an
// answer with a remedy.
package web

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"github.com/claudeops/claudeops/dashboard"
)

// Limits for one client.
const (
	maxHeaderBytes = 16 << 10
	maxBodyBytes   = 64 << 10
	maxConnections = 256
	maxStreams     = 64

	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = time.Minute
	answerTimeout     = 10 * time.Second // for reading or changing records in one request
	shutdownTimeout   = 5 * time.Second
)

// server answers the requests of one dashboard.
type server struct {
	options  dashboard.Options
	instance *dashboard.Instance
	loopback bool // it listens on a loopback address
	now      func() time.Time
	pages    map[string]*template.Template
	cleaner  cleaner
	logins   *logins       // nil if no token is required
	senders  *logins       // of alerts; nil if none are taken
	streams  chan struct{} // one place for each stream
	ending   chan struct{} // closed when streams must end
}

// Serve serves a dashboard until ctx ends, which is not an error. It rejects what MayListen rejects.
func Serve(ctx context.Context, o dashboard.Options) error {
	if err := MayListen(o.Addr, o.Token); err != nil {
		return err
	}
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return fmt.Errorf("listen for the dashboard: %w", err)
	}
	return serve(ctx, o, listener)
}

// serve accepts connections until ctx ends, then waits for current answers, at most shutdownTimeout.
func serve(ctx context.Context, o dashboard.Options, listener net.Listener) error {
	s, err := newServer(o)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	httpServer := s.httpServer()
	ended := make(chan error, 1)
	go func() { ended <- httpServer.Serve(netutil.LimitListener(listener, maxConnections)) }()
	if o.Listening != nil {
		o.Listening(listener.Addr().String())
	}
	select {
	case err := <-ended:
		return fmt.Errorf("serve the dashboard: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	err = httpServer.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) { // clients that have not read their answer are cut off
		err = httpServer.Close()
	}
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	if err != nil {
		return fmt.Errorf("end the dashboard: %w", err)
	}
	return nil
}

func newServer(o dashboard.Options) (*server, error) {
	pages, err := parsePages()
	if err != nil {
		return nil, err
	}
	return &server{
		options: o, instance: dashboard.New(o), loopback: loopbackAddress(o.Addr), now: o.Now, pages: pages,
		cleaner: newCleaner(o.Redactor), logins: newLogins(o.Token), senders: newLogins(o.Config.AlertToken),
		streams: make(chan struct{}, maxStreams), ending: make(chan struct{}),
	}, nil
}

// httpServer returns the server with its limits. Its log is discarded: errors are in answers, or only about connections.
func (s *server) httpServer() *http.Server {
	h := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(io.Discard, "", 0), // net/http's messages about broken connections
	}
	h.RegisterOnShutdown(func() { close(s.ending) })
	return h
}
