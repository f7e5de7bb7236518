package notify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/claudeops/claudeops/config"
)

// maxAnswer limits the part of a body that is read, and maxHeader the headers, in bytes.
const (
	maxAnswer = 64 << 10
	maxHeader = 64 << 10
)

// newClient returns a client with the operator's proxies, which follows no redirect.
func newClient(environ []string, within time.Duration) *http.Client {
	find := (&httpproxy.Config{
		HTTPProxy: proxy(environ, "HTTP_PROXY"), HTTPSProxy: proxy(environ, "HTTPS_PROXY"), NoProxy: proxy(environ, "NO_PROXY"),
	}).ProxyFunc()
	return &http.Client{
		Timeout:       within,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  func(r *http.Request) (*url.URL, error) { return find(r.URL) },
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			ForceAttemptHTTP2:      true,
			MaxResponseHeaderBytes: maxHeader,
			DisableKeepAlives:      true, // what a server sends on an idle connection would be printed to standard error
		},
	}
}

// webURL parses a server's URL from a configuration variable.
func webURL(address, variable, example string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s is not an http or https URL; write it like %s", variable, example)
	}
	u.Fragment = ""
	return u, nil
}

// proxy returns a proxy variable of the operator's environment, which may be a file and not this process's environment.
func proxy(environ []string, name string) string {
	return cmp.Or(config.Lookup(environ, strings.ToLower(name)), config.Lookup(environ, name))
}

// proxies returns the values that may contain a password.
func proxies(environ []string) []string {
	return []string{proxy(environ, "HTTP_PROXY"), proxy(environ, "HTTPS_PROXY")}
}

// answer is a response.
type answer struct {
	status   int
	kind     string // content type, such as text/html
	location string // of a redirect, redacted
	body     []byte // the beginning, as far as received
}

// post sends a request, and reads its answer up to maxAnswer.
func post(ctx context.Context, c *http.Client, to *url.URL, header http.Header, body []byte) (a answer, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(body))
	if err != nil {
		return a, errors.New("the request cannot be made") // the original error contains the URL
	}
	request.Header = header
	response, err := c.Do(request)
	if err != nil {
		return a, err
	}
	defer func() { _ = response.Body.Close() }() // already read as far as needed
	a.status = response.StatusCode
	a.kind, _, _ = mime.ParseMediaType(response.Header.Get("Content-Type"))
	if to, err := response.Location(); err == nil {
		a.location = Clip(WebName(to.String()), MaxTitle)
	}
	a.body, _ = io.ReadAll(io.LimitReader(response.Body, maxAnswer)) // a partial body is enough: the status is known
	return a, nil
}

// errUnanswered is that a server gave no answer.
var errUnanswered = errors.New("gave no answer")

// unanswered describes for a person why no answer came; mask redacts others' words in it. The outer parts of an error contain the URL.
func unanswered(ctx context.Context, err error, within time.Duration, mask func(string) string) error {
	var timeout net.Error
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%w in the time that was left", errUnanswered)
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf("%w within %s", errUnanswered, within)
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return fmt.Errorf("%w: %s", errUnanswered, Clip(mask(err.Error()), maxLine))
}
