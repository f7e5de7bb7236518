package notify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// beatWithin is the time limit for a heartbeat, and beatAttemptWithin for one of its two attempts, between which is beatPause.
	beatWithin        = 10 * time.Second
	beatAttemptWithin = 5 * time.Second
	beatPause         = 500 * time.Millisecond
	// maxBeat is how much text healthchecks.io keeps of a beat, in bytes.
	maxBeat = 10_000
)

// Beat is a signal to a heartbeat monitor, in the protocol of healthchecks.io.
type Beat string

// The beats.
const (
	Started Beat = "start"
	Well    Beat = ""
	Failed  Beat = "fail"
)

// Monitor is the heartbeat monitor for one run, such as healthchecks.io.
type Monitor struct {
	URL     string   // a secret: never in an error
	Run     string   // a UUID shared by the run's beats, as healthchecks.io requires; may be empty
	Environ []string // for proxy settings
	Version string   // of claudeops, sent as user agent
}

// Beat sends a beat with a text that the monitor keeps. It ends soon after ctx does. Its error is one line.
func (m Monitor) Beat(ctx context.Context, beat Beat, body string) error {
	to, err := m.endpoint(beat)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, beatWithin)
	defer cancel()
	client, header := newClient(m.Environ, beatAttemptWithin), http.Header{
		"Content-Type": {"text/plain; charset=utf-8"}, "User-Agent": {"claudeops/" + m.Version},
	}
	words := []byte(text.ShortenBytes(Message{Body: body}.Plain().Body, maxBeat))
	got, err := post(ctx, client, to, header, words)
	if err != nil || got.status >= 500 {
		select {
		case <-ctx.Done():
		case <-time.After(beatPause):
			got, err = post(ctx, client, to, header, words)
		}
	}
	mask := NewMask(append(proxies(m.Environ), m.URL)...).String
	name := "the heartbeat monitor at " + to.Host
	if err != nil {
		return fmt.Errorf("%s %w", name, unanswered(ctx, err, beatAttemptWithin, mask))
	}
	if why := got.beatFault(mask); why != "" {
		return errors.New(Clip(fmt.Sprintf("%s answered %d%s", name, got.status, why), maxLine))
	}
	return nil
}

// endpoint returns the URL of a beat: its word is added to the path, the run to the query.
func (m Monitor) endpoint(beat Beat) (*url.URL, error) {
	u, err := webURL(m.URL, "CLAUDEOPS_HEARTBEAT_URL", "https://hc-ping.com/your-uuid")
	if err != nil {
		return nil, err
	}
	if beat != Well {
		u = u.JoinPath(string(beat))
	}
	if m.Run != "" {
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += "rid=" + url.QueryEscape(m.Run)
	}
	return u, nil
}

// beatFault returns what is wrong with an answer, to follow its status. The monitor answers 200 even for an unknown check.
func (a answer) beatFault(mask func(string) string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(string(a.body)), "\n")
	switch {
	case a.status >= 300 && a.status < 400 && a.location != "":
		return ", to " + mask(a.location) + ": name that in CLAUDEOPS_HEARTBEAT_URL"
	case a.status == http.StatusNotFound, a.status < 300 && strings.Contains(first, "(not found)"):
		return ": it has no such check; see CLAUDEOPS_HEARTBEAT_URL"
	case a.status < 300 && strings.Contains(first, "(rate limited)"):
		return ": it was beaten too often, and did not count this"
	case a.status < 300:
		return ""
	case first == "" || strings.HasPrefix(first, "<"):
		return ": " + strings.ToLower(http.StatusText(a.status))
	}
	return ": " + Clip(mask(first), maxLine)
}
