package probe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpproxy"
)

const (
	// maxHeader is how long the headers of an answer may be, in bytes.
	maxHeader = 256 << 10
	// maxIdle and maxIdlePerHost are how many connections wait for another check of their host, for idleFor.
	maxIdle        = 256
	maxIdlePerHost = 16
	idleFor        = 5 * time.Second
	// handshakeWithin bounds TLS through a proxy, which no attempt ends.
	handshakeWithin = 10 * time.Second
)

// trust is whose certificates a check believes.
type trust struct {
	ca       string // file; empty for the system's
	insecure bool
}

// transports are those of a client, one for each trust. They are made when they are needed first.
type transports struct {
	mu   sync.Mutex
	made map[trust]*http.Transport
}

// get returns the transport for checks that trust so.
func (t *transports) get(whom trust, s Settings) (*http.Transport, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if made := t.made[whom]; made != nil {
		return made, nil
	}
	config, err := whom.config(s.Now)
	if err != nil {
		return nil, err
	}
	made := newTransport(config, s)
	if t.made == nil {
		t.made = map[trust]*http.Transport{}
	}
	t.made[whom] = made
	return made, nil
}

// close ends the connections that wait for another check.
func (t *transports) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, made := range t.made {
		made.CloseIdleConnections()
	}
}

// config is the TLS configuration that believes those.
func (whom trust) config(now func() time.Time) (*tls.Config, error) {
	config := &tls.Config{
		InsecureSkipVerify: whom.insecure, //nolint:gosec // where the operator wrote so
		NextProtos:         []string{"h2", "http/1.1"},
		Time:               now,
		ClientSessionCache: nil, // a resumed session would not show a certificate that was changed since
	}
	if whom.ca == "" {
		return config, nil
	}
	pem, err := os.ReadFile(whom.ca)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, fmt.Errorf("the check's ca file %s cannot be read: %w", whom.ca, err)
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("the check's ca file %s has no certificate in it (PEM is expected)", whom.ca)
	}
	return config, nil
}

func newTransport(config *tls.Config, s Settings) *http.Transport {
	return &http.Transport{
		Proxy:                  proxy(s),
		DialContext:            dial,
		DialTLSContext:         dialTLS(config),
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    handshakeWithin,
		ForceAttemptHTTP2:      true,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		IdleConnTimeout:        idleFor,
		OnProxyConnectResponse: proxyRefusal,
	}
}

// proxy finds the proxy of a request in the operator's environment, as curl and most programs do.
func proxy(s Settings) func(*http.Request) (*url.URL, error) {
	first := func(names ...string) string {
		for _, name := range names {
			if value, found := s.Lookup(name); found && value != "" {
				return value
			}
		}
		return ""
	}
	config := httpproxy.Config{
		HTTPProxy:  first("http_proxy", "HTTP_PROXY"),
		HTTPSProxy: first("https_proxy", "HTTPS_PROXY"),
		NoProxy:    first("no_proxy", "NO_PROXY"),
	}
	find := config.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return find(r.URL) }
}

// proxyRefusal is the error of a proxy that does not connect us.
func proxyRefusal(_ context.Context, at *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return fmt.Errorf("the proxy %s does not connect us: HTTP %d", at.Host, answer.StatusCode)
}

// progress is how far a request has come, so that a finding can say what it waited for. A transport goes on connecting when the
// request that wanted it is over, for another that may come; attempt is there to end that.
type progress struct {
	attempt context.Context //nolint:containedctx // of the dial, whose own context outlives the attempt
	stage   atomic.Int32
}

// The stages of a request, in order. One that has a connection already is in the first.
const (
	asking int32 = iota
	connecting
	lookingUp // a part of connecting, which begins it
	reaching  // the rest of it
	securing
	waiting
)

type progressKey struct{}

// follow returns a context with which a request makes progress.
func (p *progress) follow(ctx context.Context) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// reach notes a stage.
func (p *progress) reach(stage int32) { p.stage.Store(stage) }

// within returns a context that also ends with the attempt that wants the connection.
func within(ctx context.Context) (context.Context, *progress, context.CancelFunc) {
	p, ok := ctx.Value(progressKey{}).(*progress)
	if !ok {
		return ctx, &progress{}, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	release := context.AfterFunc(p.attempt, cancel)
	return ctx, p, func() { release(); cancel() }
}

// connect makes a connection. Its stages are those of the request that wants it.
func connect(ctx context.Context, p *progress, network, address string) (net.Conn, error) {
	p.reach(connecting)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { p.reach(lookingUp) },
		DNSDone:  func(httptrace.DNSDoneInfo) { p.reach(reaching) },
	})
	return new(net.Dialer).DialContext(ctx, network, address)
}

// dial connects to a server without TLS, or to a proxy.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, p, done := within(ctx)
	defer done()
	conn, err := connect(ctx, p, network, address)
	if err != nil {
		return nil, err
	}
	p.reach(waiting)
	return &listener{Conn: conn, spoken: make(chan struct{})}, nil
}

// listener is a connection on which nothing is heard before something was said: a server that speaks first is none of HTTP, and a
// transport writes what it says to the program's standard error.
type listener struct {
	net.Conn
	once   sync.Once
	spoken chan struct{}
}

func (l *listener) Read(p []byte) (int, error) {
	<-l.spoken
	return l.Conn.Read(p)
}

func (l *listener) Write(p []byte) (int, error) {
	l.speak()
	return l.Conn.Write(p)
}

func (l *listener) Close() error {
	l.speak()
	return l.Conn.Close()
}

func (l *listener) speak() { l.once.Do(func() { close(l.spoken) }) }

// dialTLS connects to a server with TLS.
func dialTLS(config *tls.Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, p, done := within(ctx)
		defer done()
		conn, err := connect(ctx, p, network, address)
		if err != nil {
			return nil, err
		}
		p.reach(securing)
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			_ = conn.Close()
			return nil, err
		}
		config := config.Clone()
		config.ServerName = host
		secured := tls.Client(conn, config)
		if err := secured.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, err
		}
		p.reach(waiting)
		return secured, nil
	}
}
