package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// settings is config.json of a small service.
type settings struct {
	Name       string `json:"name"`
	Listen     string `json:"listen"`
	Backend    string `json:"backend,omitempty"`    // URL of what it asks itself
	Credential string `json:"credential,omitempty"` // file with the password for the backend
	Accepts    string `json:"accepts,omitempty"`    // file with the password that it wants to be shown
	Pages      int    `json:"pages,omitempty"`      // pages of its site
	CachePages int    `json:"cache_pages,omitempty"`
	Template   string `json:"template,omitempty"`   // file of the pages' form
	OpenFiles  uint64 `json:"open_files,omitempty"` // most descriptors
	Exclusive  bool   `json:"exclusive,omitempty"`  // it has a pid file and a lock
	Backup     string `json:"backup,omitempty"`     // when the backup is made: "every 1s"
	Clock      bool   `json:"clock,omitempty"`      // it tells the time, corrected by data/drift
	NoHealth   bool   `json:"no_health,omitempty"`  // it has no page for checks
}

// small is a small service of the homelab: one process with a configuration, a log and a listener.
type small struct {
	settings
	dir      string
	drift    time.Duration
	mu       sync.Mutex
	sessions [][]byte
}

const (
	readPage    = 25 * time.Millisecond // what the store takes for a page that is not in the cache
	mostConfig  = 64 << 10
	sessionSize = 4 << 20
)

// serveSmall runs a small service with the configuration in its folder, until ctx ends. It is what the homelab's processes are.
func serveSmall(ctx context.Context, log io.Writer, dir string) error {
	s := &small{dir: dir}
	say := func(format string, values ...any) {
		_, _ = fmt.Fprintf(log, "%s %s\n", time.Now().Add(s.drift).UTC().Format(time.RFC3339), fmt.Sprintf(format, values...)) // its log may be gone
	}
	err := s.run(ctx, say)
	if err != nil {
		say("fatal: %v", err)
	}
	return err
}

func (s *small) run(ctx context.Context, say func(string, ...any)) error {
	if err := s.configure(); err != nil {
		return err
	}
	if err := s.claim(); err != nil {
		return err
	}
	if s.Clock {
		s.drift = readDrift(filepath.Join(s.dir, "data", "drift"))
		say("clock: corrected by %v, from data/drift", s.drift)
	}
	if s.OpenFiles > 0 {
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: s.OpenFiles, Max: s.OpenFiles}); err != nil {
			return fmt.Errorf("open_files: %w", err)
		}
	}
	l, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return err
	}
	say("%s listens on %s, %d of %d pages in the cache", s.Name, s.Listen, s.CachePages, s.Pages)
	if err := os.WriteFile(filepath.Join(s.dir, "run", "ready"), nil, 0o600); err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if s.Template != "" {
		go func() { end(s.warmUp()) }()
	}
	if s.Backup != "" {
		go s.backUp(ctx, say)
	}
	server := &http.Server{Handler: s.handler(say), ErrorLog: nil, ReadHeaderTimeout: time.Hour}
	go func() {
		if err := server.Serve(&told{Listener: l, say: say}); !errors.Is(err, http.ErrServerClosed) {
			end(err)
		}
	}()
	<-ctx.Done()
	_ = server.Close() // it is ending
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// told says in the log what kept it from taking a connection.
type told struct {
	net.Listener
	say  func(string, ...any)
	once sync.Once
}

func (t *told) Accept() (net.Conn, error) {
	conn, err := t.Listener.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		t.once.Do(func() { t.say("error: %v", err) })
	}
	return conn, err
}

func (s *small) configure() error {
	f, err := os.Open(filepath.Join(s.dir, "config.json"))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	decoder := json.NewDecoder(io.LimitReader(f, mostConfig))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s.settings); err != nil {
		return fmt.Errorf("config.json: invalid configuration: %w", err)
	}
	return nil
}

// claim writes the pid file and the lock of a service that may run only once.
func (s *small) claim() error {
	if !s.Exclusive {
		return nil
	}
	pid := filepath.Join(s.dir, "run", "pid")
	if text, err := os.ReadFile(pid); err == nil {
		return fmt.Errorf("already running as process %s, says the pid file %s", strings.TrimSpace(string(text)), pid)
	}
	host, _ := os.Hostname() // an empty name is as good
	lock := filepath.Join(s.dir, "data", "lock")
	if text, err := os.ReadFile(lock); err == nil && strings.TrimSpace(string(text)) != host {
		return fmt.Errorf("the data is locked by %s, says the lock file %s", strings.TrimSpace(string(text)), lock)
	}
	return errors.Join(os.WriteFile(pid, []byte(strconv.Itoa(os.Getpid())), 0o600), os.WriteFile(lock, []byte(host), 0o600))
}

// readDrift returns a clock's correction; none if there is no file.
func readDrift(path string) time.Duration {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	drift, err := time.ParseDuration(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return drift
}

// warmUp makes the pages of the cache. It returns nil never: it waits for the end where all is well.
func (s *small) warmUp() error {
	time.Sleep(4 * pace)
	if _, err := template.ParseFiles(filepath.Join(s.dir, s.Template)); err != nil {
		return fmt.Errorf("warm up the cache: %w", err)
	}
	select {}
}

// backUp makes a backup as often as configured.
func (s *small) backUp(ctx context.Context, say func(string, ...any)) {
	every, err := time.ParseDuration(strings.TrimPrefix(s.Backup, "every "))
	if err != nil {
		say("warning: schedule of backup, %q: not understood; backup is not scheduled", s.Backup)
		return
	}
	for {
		if err := os.WriteFile(filepath.Join(s.dir, "data", "backup"), []byte(time.Now().UTC().Format(time.RFC3339Nano)), 0o600); err != nil {
			say("error: backup: %v", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
	}
}

func (s *small) handler(say func(string, ...any)) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) {
		if s.NoHealth {
			http.NotFound(w, r)
			return
		}
		s.render()
		if err := s.askBackend(r.Context()); err != nil {
			say("error: %v", err)
			http.Error(w, "unavailable", http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n") // the client may be gone
	})
	mux.HandleFunc("GET /account", func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		if want, err := os.ReadFile(filepath.Join(s.dir, s.Accepts)); err != nil || s.Accepts == "" || password != strings.TrimSpace(string(want)) {
			say("warning: wrong password from %s", r.RemoteAddr)
			http.Error(w, "unauthorized", http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /time", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, time.Now().Add(s.drift).UTC().Format(time.RFC3339)+"\n")
	})
	mux.HandleFunc("POST /sessions", func(w http.ResponseWriter, _ *http.Request) {
		session := make([]byte, sessionSize)
		for i := range session {
			session[i] = byte(i)
		}
		s.mu.Lock()
		s.sessions = append(s.sessions, session)
		say("%d sessions are kept", len(s.sessions))
		s.mu.Unlock()
		w.WriteHeader(http.StatusCreated)
	})
	return mux
}

// render reads the pages that are not in the cache.
func (s *small) render() { time.Sleep(time.Duration(s.Pages-s.CachePages) * readPage) }

// askBackend asks what the service needs itself.
func (s *small) askBackend(ctx context.Context) error {
	if s.Backend == "" {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, time.Second)
	defer stop()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Backend, nil)
	if err != nil {
		return err
	}
	if s.Credential != "" {
		password, err := os.ReadFile(filepath.Join(s.dir, s.Credential))
		if err != nil {
			return err
		}
		q.SetBasicAuth(s.Name, strings.TrimSpace(string(password)))
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return fmt.Errorf("backend: %w", err)
	}
	defer func() { _ = r.Body.Close() }()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("backend: HTTP %s from %s", r.Status, s.Backend)
	}
	return nil
}
