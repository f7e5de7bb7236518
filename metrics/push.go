package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/push"
	"github.com/prometheus/common/expfmt"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
)

const (
	// job is the name of claudeops in Prometheus.
	job = "claudeops"
	// maxAnswer limits the part of a Pushgateway's answer that is read, in bytes: its beginning explains a rejection.
	maxAnswer = 4 << 10
	// maxReason limits the part of it that is reported, in characters.
	maxReason = 300
	// longest is the time limit of a push without a deadline.
	longest = 30 * time.Second
)

// Push replaces what the Pushgateway at address has about this instance: the job claudeops on this host. The address may contain user and
// password. No proxy is used, and redirects are not followed.
func (e Exporter) Push(ctx context.Context, address string, f Figures) error {
	to, err := url.Parse(address)
	if err != nil || to.Host == "" {
		return errors.New("not the address of a Pushgateway; write it like http://127.0.0.1:9091")
	}
	host := e.Host
	if host == "" {
		if host, err = os.Hostname(); err != nil {
			return fmt.Errorf("find out the name of this machine: %w", err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	transport := &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10}
	bare := url.URL{Scheme: to.Scheme, Host: to.Host, Path: strings.TrimSuffix(strings.TrimRight(to.Path, "/"), "/metrics")}
	p := push.New(bare.String(), job).Grouping("instance", host).Gatherer(e.registry(f)).
		Format(expfmt.NewFormat(expfmt.TypeTextPlain)).Client(gateway{transport, "claudeops/" + e.Version})
	if to.User != nil {
		password, _ := to.User.Password()
		p = p.BasicAuth(to.User.Username(), password)
	}
	if err := p.PushContext(ctx); err != nil { // the error may quote an answer that quotes the request
		return fmt.Errorf("push to the Pushgateway at %s: %s", to.Host, text.Shorten(text.Line(text.Clean(notify.NewMask(address).String(err.Error()))), maxReason))
	}
	return nil
}

// gateway sends requests to a Pushgateway.
type gateway struct {
	http.RoundTripper
	agent string
}

// Do returns only successful answers: a rejection or a redirect is an error.
func (g gateway) Do(r *http.Request) (*http.Response, error) {
	r.Header.Set("User-Agent", g.agent)
	answer, err := g.RoundTrip(r)
	if err != nil || answer.StatusCode == http.StatusOK || answer.StatusCode == http.StatusAccepted {
		return answer, err
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if len(text) > 0 { // only used in the error, and may be cut
		err = nil
	}
	if answer.StatusCode/100 == 3 {
		text = []byte("it redirects, which is not followed")
	}
	return nil, errors.Join(fmt.Errorf("it answered %s: %s", answer.Status, text), err, answer.Body.Close())
}
