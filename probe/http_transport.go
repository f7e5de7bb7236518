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
	// maxHeader limits the headers of a response, in bytes.
	maxHeader = 256 << 10
	// maxIdle and maxIdlePerHost limit the connections that are kept for another check of their host, for idleFor.
	maxIdle        = 256
	maxIdlePerHost = 16
	idleFor        = 5 * time.Second
	// handshakeWithin limits TLS handshakes through a proxy, which the end of an attempt does not stop.
	handshakeWithin = 10 * time.Second
)

// route is how a check reaches servers: the certificates that it accepts, and its proxy.
type route struct {
	ca       string // file; empty for the system's
	insecure bool
	proxy    string // as HTTP.Proxy
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

func newTransport(by route, s Settings) (*http.Transport, error) {
	config := &tls.Config{
		InsecureSkipVerify: by.insecure, //nolint:gosec // only if the operator has configured it
		NextProtos:         []string{"h2", "http/1.1"},
		Time:               s.Now,
		ClientSessionCache: nil, // a resumed session would not show a certificate that has changed since
	}
	if by.ca != "" {
		var err error
		if config.RootCAs, err = readCA(by.ca); err != nil {
			return nil, fmt.Errorf("the check's ca file %w", err)
		}
	}
	return &http.Transport{
		Proxy:                  proxy(by.proxy, s),
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

// proxy selects the proxy of a request: none, that of a URL, or one from the operator's environment as curl does.
func proxy(of string, s Settings) func(*http.Request) (*url.URL, error) {
	switch of {
	case "":
		return nil
	case "environment":
	default:
		return func(*http.Request) (*url.URL, error) { return url.Parse(of) }
	}
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

// proxyRefusal is the error for a proxy that refuses to connect.
func proxyRefusal(_ context.Context, at *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return fmt.Errorf("the proxy %s does not connect us: HTTP %d", at.Host, answer.StatusCode)
}

// progress records how far a request has come, so that a finding can say what it waited for. A transport continues to connect after the
// request is over, for use by another request; attempt ends that.
type progress struct {
	attempt context.Context //nolint:containedctx // for the dial, whose own context outlives the attempt
	stage   atomic.Int32
}

// The stages of a request, in order. A request with an existing connection stays in the first.
const (
	asking int32 = iota
	connecting
	lookingUp // the first part of connecting
	reaching  // the rest of connecting
	securing
	waiting
)

type progressKey struct{}

// follow returns a context in which a request records its progress in p.
func (p *progress) follow(ctx context.Context) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// within returns a context that also ends with the attempt that needs the connection.
func within(ctx context.Context) (context.Context, *progress, context.CancelFunc) {
	p, ok := ctx.Value(progressKey{}).(*progress)
	if !ok {
		return ctx, &progress{}, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	release := context.AfterFunc(p.attempt, cancel)
	return ctx, p, func() { release(); cancel() }
}

// dial connects to a server, with TLS if config is set; otherwise the server may be a proxy. It records the stages in the request's
// progress.
func dial(config *tls.Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, p, done := within(ctx)
		defer done()
		p.stage.Store(connecting)
		conn, err := new(net.Dialer).DialContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			DNSStart: func(httptrace.DNSStartInfo) { p.stage.Store(lookingUp) },
			DNSDone: func(found httptrace.DNSDoneInfo) {
				if found.Err == nil {
					p.stage.Store(reaching)
				}
			},
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
		named.ServerName, _, _ = net.SplitHostPort(address) // the name that was dialled
		secured := tls.Client(conn, named)
		if err := secured.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, err
		}
		p.stage.Store(waiting)
		return secured, nil
	}
}

// listener delays reading from a connection until something was written. A server that speaks first is not an HTTP server, and the
// transport would print what it sends to this program's standard error.
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
