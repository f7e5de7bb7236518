package notify

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"golang.org/x/net/http/httpproxy"

	"github.com/claudeops/claudeops/config"
)

const (
	// maxAnswer limits the part of a body that is read, and maxHeader the headers, in bytes.
	maxAnswer = 64 << 10
	maxHeader = 64 << 10
	// maxRetryAfter is the longest wait that a server may ask for.
	maxRetryAfter = time.Hour
)

// poster sends requests of one kind, and retries if that can help.
type poster struct {
	http     *http.Client
	attempts int
	pause    time.Duration // before the second attempt; doubles each time
	repeat   bool          // a request without an answer may be repeated once
}

func newPoster(environ []string, each time.Duration) *poster {
	find := (&httpproxy.Config{
		HTTPProxy: proxy(environ, "HTTP_PROXY"), HTTPSProxy: proxy(environ, "HTTPS_PROXY"), NoProxy: proxy(environ, "NO_PROXY"),
	}).ProxyFunc()
	return &poster{http: &http.Client{
		Timeout:       each,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  func(r *http.Request) (*url.URL, error) { return find(r.URL) },
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			ForceAttemptHTTP2:      true,
			MaxResponseHeaderBytes: maxHeader,
			DisableKeepAlives:      true, // what a server sends on an idle connection would be printed to standard error
		},
	}}
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
	status     int
	kind       string // content type, such as text/html
	location   string // of a redirect, redacted
	body       []byte // the beginning, as far as received
	retryAfter time.Duration
}

// errUnanswered means that a request was sent but not answered: it may have been carried out.
var errUnanswered = errors.New("did not answer")

// post sends a request until it succeeds, finally fails, or ctx ends. Without an answer the error is errUnanswered, or says why there was
// no connection.
func (p *poster) post(ctx context.Context, to *url.URL, header http.Header, body []byte) (answer, error) {
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, to.String(), body)
	if err != nil {
		return answer{}, errors.New("the request cannot be made") // the original error contains the URL
	}
	request.Header = header
	var last answer // of the attempt before a pause, in case ctx ends
	client := &retryablehttp.Client{
		HTTPClient: p.http, RetryMax: p.attempts - 1, RetryWaitMin: p.pause, RetryWaitMax: 8 * p.pause,
		ErrorHandler:   retryablehttp.PassthroughErrorHandler,
		RequestLogHook: func(retryablehttp.Logger, *http.Request, int) { sent.Store(false) },
		CheckRetry: func(ctx context.Context, response *http.Response, _ error) (bool, error) {
			last = answer{}
			if response == nil {
				return ctx.Err() == nil && (!sent.Load() || p.repeat), nil
			}
			last = answer{status: response.StatusCode, retryAfter: retryAfter(response.Header.Get("Retry-After"), time.Now())}
			return ctx.Err() == nil && busy(response.StatusCode) && fits(ctx, last.retryAfter), nil
		},
		Backoff: func(least, most time.Duration, n int, _ *http.Response) time.Duration {
			if last.retryAfter > 0 {
				return last.retryAfter
			}
			return min(least<<n, most)
		},
	}
	response, err := client.Do(request)
	switch {
	case err == nil:
		defer func() { _ = response.Body.Close() }() // already read as far as needed
		return read(response), nil
	case last.status != 0: // ctx ended during the pause after it
		return last, nil
	case sent.Load():
		return answer{}, fmt.Errorf("%w: %w", errUnanswered, err)
	}
	return answer{}, err
}

// busy reports whether another attempt may get a different status.
func busy(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500 && status != http.StatusNotImplemented
}

// fits reports whether there is time for a pause and another attempt.
func fits(ctx context.Context, pause time.Duration) bool {
	deadline, has := ctx.Deadline()
	return !has && pause <= time.Minute || has && pause < time.Until(deadline)
}

// retryAfter parses a Retry-After header: seconds or a date. 0 means none.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0
	}
	if strings.Trim(text, "0123456789") == "" {
		seconds, err := strconv.ParseInt(text, 10, 32)
		if err != nil || seconds > int64(maxRetryAfter/time.Second) {
			return maxRetryAfter
		}
		return time.Duration(seconds) * time.Second
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return min(max(0, date.Sub(now)), maxRetryAfter)
}

// read reads an answer, up to maxAnswer.
func read(response *http.Response) answer {
	a := answer{status: response.StatusCode, retryAfter: retryAfter(response.Header.Get("Retry-After"), time.Now())}
	a.kind, _, _ = mime.ParseMediaType(response.Header.Get("Content-Type"))
	if to, err := response.Location(); err == nil {
		a.location = Clip(WebName(to.String()), MaxTitle)
	}
	a.body, _ = io.ReadAll(io.LimitReader(response.Body, maxAnswer)) // a partial body is enough: the status is known
	return a
}

// unreached describes for a person why no answer came; mask redacts others' words in it.
func unreached(ctx context.Context, err error, within time.Duration, mask func(string) string) string {
	var timeout net.Error
	late := ctx.Err() != nil || errors.As(err, &timeout) && timeout.Timeout()
	left := fmt.Sprintf("within %s", within)
	if ctx.Err() != nil {
		left = "in the time that was left"
	}
	switch {
	case errors.Is(err, errUnanswered) && late:
		return "took what was sent and did not answer " + left
	case errors.Is(err, errUnanswered):
		return "took what was sent and gave no answer that can be read: " + mask(cause(err))
	case late:
		return "could not be reached " + left
	}
	return "could not be reached: " + mask(cause(err))
}

// cause returns the innermost part of a network error that has a message. The outer parts contain the URL.
func cause(err error) string {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	var call *os.SyscallError
	var op *net.OpError
	var at *url.Error
	switch {
	case errors.As(err, &authority):
		return "its certificate is signed by no authority that this machine trusts"
	case errors.As(err, &certificate):
		return "its certificate is not valid: " + certificate.Err.Error()
	case errors.As(err, &record):
		return "it does not speak TLS"
	case errors.As(err, &call):
		return call.Err.Error()
	case errors.As(err, &op) && op.Op == "dial":
		return op.Err.Error()
	case errors.As(err, &at):
		return at.Err.Error()
	}
	return err.Error()
}
