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
	// maxAnswer is how much of an answer's body is read, and maxHeader how long its headers may be, in bytes.
	maxAnswer = 64 << 10
	maxHeader = 64 << 10
	// maxRetryAfter is the longest that a server may ask to be left alone.
	maxRetryAfter = time.Hour
)

// poster sends requests of one kind, again where that can help.
type poster struct {
	http     *http.Client
	attempts int
	pause    time.Duration // before the second attempt; doubled for each more
	repeat   bool          // what was sent and not answered may be sent once more
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
			DisableKeepAlives:      true, // on a connection that waits, what a server says unasked goes to our standard error
		},
	}}
}

// webURL reads the URL of a server in a variable of the configuration.
func webURL(address, variable, example string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s is not an http or https URL; write it like %s", variable, example)
	}
	u.Fragment = ""
	return u, nil
}

// proxy is a variable for proxies in the operator's environment, which may be a file that this process's own does not have.
func proxy(environ []string, name string) string {
	return cmp.Or(config.Lookup(environ, strings.ToLower(name)), config.Lookup(environ, name))
}

// proxies are the values that may have a password in them.
func proxies(environ []string) []string {
	return []string{proxy(environ, "HTTP_PROXY"), proxy(environ, "HTTPS_PROXY")}
}

// answer is what came back.
type answer struct {
	status     int
	kind       string // content type, such as text/html
	location   string // of a redirect, as far as a person may see it
	body       []byte // the beginning, as far as it came
	retryAfter time.Duration
}

// errUnanswered is that a request was sent and no answer came: it may have been carried out.
var errUnanswered = errors.New("did not answer")

// post sends a request to its end or that of ctx. Where no answer came the error is errUnanswered or says why there was no connection.
func (p *poster) post(ctx context.Context, to *url.URL, header http.Header, body []byte) (answer, error) {
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, to.String(), body)
	if err != nil {
		return answer{}, errors.New("the request cannot be made") // the error has the URL in it
	}
	request.Header = header
	var last answer // of the attempt before a pause, which ctx may end
	client := &retryablehttp.Client{
		HTTPClient: p.http, RetryMax: p.attempts - 1, RetryWaitMin: p.pause, RetryWaitMax: 8 * p.pause,
		ErrorHandler:   retryablehttp.PassthroughErrorHandler,
		RequestLogHook: func(retryablehttp.Logger, *http.Request, int) { sent.Store(false) },
		CheckRetry: func(ctx context.Context, response *http.Response, err error) (bool, error) {
			last = answer{}
			if response == nil {
				return ctx.Err() == nil && (!sent.Load() || p.repeat) && mayPass(err), nil
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
		defer func() { _ = response.Body.Close() }() // what we wanted of it is read
		return read(response), nil
	case last.status != 0: // and ctx ended during the pause after it
		return last, nil
	case sent.Load():
		return answer{}, fmt.Errorf("%w: %w", errUnanswered, err)
	}
	return answer{}, err
}

// busy is about statuses that another attempt may change.
func busy(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500 && status != http.StatusNotImplemented
}

// mayPass reports whether what kept a connection from coming about may be over in a moment.
func mayPass(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var name *net.DNSError
	return !errors.As(err, &certificate) && !errors.As(err, &record) && (!errors.As(err, &name) || !name.IsNotFound)
}

// fits reports whether there is time for a pause and an attempt after it.
func fits(ctx context.Context, pause time.Duration) bool {
	deadline, has := ctx.Deadline()
	return !has && pause <= time.Minute || has && pause < time.Until(deadline)
}

// retryAfter reads a Retry-After header: seconds, or a date. 0 is that it asks for nothing.
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

// read takes in as much of an answer as there is, up to maxAnswer.
func read(response *http.Response) answer {
	a := answer{status: response.StatusCode, retryAfter: retryAfter(response.Header.Get("Retry-After"), time.Now())}
	a.kind, _, _ = mime.ParseMediaType(response.Header.Get("Content-Type"))
	if to, err := response.Location(); err == nil {
		a.location = Clip(WebName(to.String()), MaxTitle)
	}
	a.body, _ = io.ReadAll(io.LimitReader(response.Body, maxAnswer)) // what comes of it counts: the status has been given
	return a
}

// unreached says why no answer came, for a person; mask is for what others say in that.
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

// cause is the innermost part of a network error that says something. The rest of it has the URL.
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
