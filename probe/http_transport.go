package probe

import (
	"cmp"
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
	// handshakeWithin limits TLS handshakes through a proxy, which the end of an attempt does not stop.
	handshakeWithin = 10 * time.Second
)

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

// tls returns how the check judges a server's certificate.
func (h *HTTP) tls(now func() time.Time) (*tls.Config, error) {
	config := &tls.Config{
		InsecureSkipVerify: h.Insecure, //nolint:gosec // only if the operator has configured it
		NextProtos:         []string{"h2", "http/1.1"},
		Time:               now,
		ClientSessionCache: nil, // a resumed session would not show a certificate that has changed since
	}
	if h.CA != "" {
		var err error
		if config.RootCAs, err = readCA(h.CA); err != nil {
			return nil, fmt.Errorf("the check's ca file %w", err)
		}
	}
	return config, nil
}

// transport returns the transport of a request. Each request has a connection of its own, as each check is to show that there is one.
func (w *webCheck) transport(attempt context.Context, stage *atomic.Int32) *http.Transport {
	return &http.Transport{
		Proxy:                  w.proxy,
		DialContext:            dial(attempt, nil, stage),
		DialTLSContext:         dial(attempt, w.tls, stage),
		TLSClientConfig:        w.tls,
		TLSHandshakeTimeout:    handshakeWithin,
		ForceAttemptHTTP2:      true,
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: maxHeader,
		OnProxyConnectResponse: proxyRefusal,
	}
}

// proxyOf selects the proxy of a request: none, that of a URL, or one from the operator's environment as curl does.
func proxyOf(given string, s Settings) func(*http.Request) (*url.URL, error) {
	switch given {
	case "":
		return nil
	case "environment":
	default:
		return func(*http.Request) (*url.URL, error) { return url.Parse(given) }
	}
	value := func(lower, upper string) string {
		first, _ := s.Lookup(lower)
		second, _ := s.Lookup(upper)
		return cmp.Or(first, second)
	}
	config := httpproxy.Config{
		HTTPProxy:  value("http_proxy", "HTTP_PROXY"),
		HTTPSProxy: value("https_proxy", "HTTPS_PROXY"),
		NoProxy:    value("no_proxy", "NO_PROXY"),
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

// The stages of a request, so that a result can say what it waited for.
const (
	connecting int32 = iota
	lookingUp        // a part of connecting
	securing
	waiting
)

// dial connects to a server, with TLS if config is set; otherwise the server may be a proxy. It ends with the attempt: the context that a
// transport gives it does not.
func dial(attempt context.Context, config *tls.Config, stage *atomic.Int32) func(_ context.Context, network, address string) (net.Conn, error) {
	return func(_ context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(httptrace.WithClientTrace(attempt, &httptrace.ClientTrace{
			DNSStart: func(httptrace.DNSStartInfo) { stage.Store(lookingUp) },
			DNSDone: func(found httptrace.DNSDoneInfo) {
				if found.Err == nil {
					stage.Store(connecting)
				}
			},
		}), network, address)
		if err != nil {
			return nil, err
		}
		if config == nil {
			stage.Store(waiting)
			return &listener{Conn: conn, spoken: make(chan struct{})}, nil
		}
		stage.Store(securing)
		named := config.Clone()
		named.ServerName, _, _ = net.SplitHostPort(address) // the name that was dialled
		secured := tls.Client(conn, named)
		if err := secured.HandshakeContext(attempt); err != nil {
			_ = conn.Close()
			return nil, err
		}
		stage.Store(waiting)
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
