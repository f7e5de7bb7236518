package notify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// attemptWithin is the time limit for a message.
const attemptWithin = 10 * time.Second

// server sends messages through an Apprise API server.
type server struct {
	settings Settings
	client   *http.Client
	own      Mask // for text that belongs to no route
}

func newServer(s Settings) *server {
	return &server{s, newClient(s.Environ, attemptWithin), NewMask(append(proxies(s.Environ), s.APIURL, s.Key)...)}
}

// send posts a message: with urls if no key is used, with tag if one is.
func (a *server) send(ctx context.Context, r Route, m Message) error {
	to, err := a.endpoint()
	if err != nil {
		return err
	}
	form, format := r.Form(m)
	tag := ""
	if r.URL == "" {
		tag = a.settings.Tags
	}
	body, err := json.Marshal(struct {
		Message
		Format string `json:"format"`
		URLs   string `json:"urls,omitempty"`
		Tag    string `json:"tag,omitempty"`
	}{form, format, r.URL, tag})
	if err != nil {
		return errors.New("the message cannot be written as JSON")
	}
	got, err := post(ctx, a.client, to, http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {"claudeops/" + a.settings.Version},
	}, body)
	name := WebName(a.settings.APIURL)
	mask := func(foreign string) string { return a.own.String(r.Mask.String(foreign)) }
	if err != nil {
		return fmt.Errorf("%s %w", name, unanswered(ctx, err, attemptWithin, mask))
	}
	if why := got.fault(r, mask); why != "" {
		return errors.New(Clip(fmt.Sprintf("%s answered %d%s", name, got.status, why), maxLine))
	}
	return nil
}

// endpoint returns the URL for messages. The server may be below a path of a proxy.
func (a *server) endpoint() (*url.URL, error) {
	u, err := webURL(a.settings.APIURL, "CLAUDEOPS_APPRISE_API_URL", "http://127.0.0.1:8000")
	if err != nil {
		return nil, err
	}
	u.RawPath = ""
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/notify") + "/notify/" + a.settings.Key
	return u, nil
}

// fault returns why an answer is not a success, to follow the status; empty if it is one. mask redacts the server's words in it.
//
// A message counts as accepted if the status is a success and nothing received contradicts it, even if the answer is cut off: sent again,
// it would arrive twice. A web page is not a success: it comes from a portal, or from another server at this address.
func (a answer) fault(r Route, mask func(string) string) string {
	detail, denies := a.detail()
	detail = Clip(mask(detail), maxLine)
	success := a.status >= 200 && a.status < 300
	switch {
	case a.status == http.StatusNoContent && r.URL != "":
		return ": it notified no one, because it can make nothing of the target's URL; see CLAUDEOPS_APPRISE_URLS"
	case a.status == http.StatusNoContent:
		return ": it notified no one, because it has nothing stored under that key or tag; " +
			"see CLAUDEOPS_APPRISE_KEY and CLAUDEOPS_APPRISE_TAGS"
	case success && denies:
		return ", and that it failed: " + detail
	case success && a.kind == "text/html":
		return " with a page, which is no answer of an Apprise API; see CLAUDEOPS_APPRISE_API_URL"
	case success:
		return ""
	case a.status >= 300 && a.status < 400 && a.location == "":
		return ", which is no answer of an Apprise API"
	case a.status >= 300 && a.status < 400:
		return ", to " + mask(a.location) + ": name that in CLAUDEOPS_APPRISE_API_URL"
	case a.status == http.StatusUnauthorized, a.status == http.StatusForbidden:
		return ": it wants another user and password in CLAUDEOPS_APPRISE_API_URL" + inBrackets(detail)
	case a.status == http.StatusNotFound, a.status == http.StatusMethodNotAllowed:
		return ": there is no Apprise API at this address" + inBrackets(detail)
	case a.status == http.StatusFailedDependency:
		if log := a.log(); len(log) > 0 {
			detail = Clip(mask(log[0]), maxLine)
		}
		return ": the message reached it, and it could not bring it to the service" + inBrackets(detail)
	case detail == "":
		return ": " + strings.ToLower(http.StatusText(a.status))
	}
	return ": " + detail
}

func inBrackets(detail string) string {
	if detail == "" {
		return ""
	}
	return " (" + detail + ")"
}

// members returns the members of the answer's JSON object, as far as they were received.
func (a answer) members() (object map[string]any) {
	_ = json.Unmarshal(a.body, &object) // anything decoded before an error counts
	return object
}

// log returns the lines of Apprise's log that report a failure; the answer's details are [level, time, text] each.
func (a answer) log() (failed []string) {
	details, _ := a.members()["details"].([]any)
	for _, detail := range details {
		line, _ := detail.([]any)
		if len(line) != 3 {
			continue
		}
		level, _ := line[0].(string)
		text, isText := line[2].(string)
		if isText && (level == "WARNING" || level == "ERROR" || level == "CRITICAL") {
			failed = append(failed, text)
		}
	}
	return failed
}

// detail returns an answer's description of a failure: the error in its JSON, or the first line of its text. denies
// reports whether it is JSON that says it failed.
func (a answer) detail() (text string, denies bool) {
	if object := a.members(); len(object) > 0 {
		text, _ = object["error"].(string)
		return text, text != ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(a.body)), "\n")
	if a.kind == "text/html" || strings.HasPrefix(first, "<") || strings.HasPrefix(first, "{") {
		return "", false
	}
	return first, false
}
