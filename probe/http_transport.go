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
	var err error
	if config.RootCAs, err = readCA(whom.ca); err != nil {
		return nil, fmt.Errorf("the check's ca file %w", err)
	}
	return config, nil
}

// readCA reads a file of certificates.
func readCA(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, fmt.Errorf("%s cannot be read: %w", file, err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s has no certificate in it (PEM is expected)", file)
	}
	return roots, nil
}

func newTransport(whom trust, s Settings) (*http.Transport, error) {
	config, err := whom.config(s.Now)
	if err != nil {
		return nil, err
	}
	return &http.Transport{
		Proxy:                  proxy(s),
		DialContext:            dial(nil),
		DialTLSContext:         dial(config),
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    handshakeWithin,
		ForceAttemptHTTP2:      true,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		IdleConnTimeout:        idleFor,
		OnProxyConnectResponse: proxyRefusal,
	}, nil
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

// dial connects to a server, with TLS where there is a configuration of it; without, what it connects to may be a proxy. The stages of the
// connection are those of the request that wants it.
func dial(config *tls.Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, p, done := within(ctx)
		defer done()
		p.stage.Store(connecting)
		conn, err := new(net.Dialer).DialContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			DNSStart: func(httptrace.DNSStartInfo) { p.stage.Store(lookingUp) },
			DNSDone:  func(httptrace.DNSDoneInfo) { p.stage.Store(reaching) },
		}), network, address)
		if err != nil {
			return nil, err
		}
		if config == nil {
			p.stage.Store(waiting)
			return &listener{Conn: conn, spoken: make(chan struct{})}, nil
		}
		p.stage.Store(securing)
		named := config.Clone()
		named.ServerName, _, _ = net.SplitHostPort(address) // which was dialled
		secured := tls.Client(conn, named)
		if err := secured.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, err
		}
		p.stage.Store(waiting)
		return secured, nil
	}
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
