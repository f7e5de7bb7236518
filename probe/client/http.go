package client

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

const (
	// maxBody is how much of a body is searched, in bytes.
	maxBody = 1 << 20
	// maxRest is how much of a body that nobody searches is read, in bytes, so that its connection can be used again.
	maxRest = 4 << 10
)

// webCheck is an http check, prepared. Its attempts share nothing that changes.
type webCheck struct {
	check     *inventory.Check
	want      *inventory.HTTP
	target    *url.URL    // without user and fragment
	host      string      // the Host header; empty for that of the target
	header    http.Header // of which other hosts see little
	transport http.RoundTripper
	now       func() time.Time
}

// http prepares an http check.
func (c *client) http(k *inventory.Check) probe.Try {
	w := &webCheck{check: k, want: k.HTTP, now: c.settings.Now}
	target, err := url.Parse(k.HTTP.URL)
	if err != nil || target.Host == "" || !speaksHTTP(target) {
		return always("the check's url is not one: write it like https://example.org/health")
	}
	if fault := w.setHeader(target.User, c.settings); fault != "" {
		return always(fault)
	}
	w.target = bare(target)
	if w.transport, err = c.transports.get(trust{k.HTTP.CA, k.HTTP.Insecure}, c.settings); err != nil {
		return always(err.Error())
	}
	return w.attempt
}

func speaksHTTP(u *url.URL) bool { return u.Scheme == "http" || u.Scheme == "https" }

// bare is a URL as it is asked for and shown: without the user, who goes into a header, and without what is for browsers.
func bare(u *url.URL) *url.URL {
	plain := *u
	plain.User, plain.Fragment, plain.RawFragment = nil, "", ""
	return &plain
}

// setHeader collects the headers of the check; the fault says what keeps it from being made.
func (w *webCheck) setHeader(user *url.Userinfo, s probe.Settings) (fault string) {
	w.header = defaultHeader()
	if len(w.want.Headers) == 0 && len(w.want.HeadersEnv) == 0 && user == nil {
		return ""
	}
	w.header = w.header.Clone()
	for name, value := range w.want.Headers {
		w.header.Set(name, value)
	}
	for _, name := range slices.Sorted(maps.Keys(w.want.HeadersEnv)) {
		variable := w.want.HeadersEnv[name]
		value, found := s.Lookup(variable)
		if !found {
			return fmt.Sprintf("the variable %s is not set, from which this check has its header %s", variable, name)
		}
		value = strings.TrimSpace(value) // of a file, the end of the line
		if strings.ContainsAny(value, "\r\n\x00") {
			return fmt.Sprintf("the variable %s has several lines, and cannot be the header %s", variable, name)
		}
		w.header.Set(name, value)
	}
	w.host = w.header.Get("Host")
	w.header.Del("Host")
	if user != nil && w.header.Get("Authorization") == "" {
		password, _ := user.Password()
		r := http.Request{Header: w.header}
		r.SetBasicAuth(user.Username(), password)
	}
	return ""
}

// defaultHeader is the header of a check that sets none. It is not to be changed.
var defaultHeader = sync.OnceValue(func() http.Header {
	version := "devel"
	if build, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(build.Main.Version, "v") {
		version = build.Main.Version
	}
	return http.Header{"User-Agent": {"claudeops/" + version + " (+https://github.com/claudeops/claudeops)"}}
})

// visit is one attempt of a webCheck.
type visit struct {
	*webCheck
	began     time.Time
	abroad    bool   // a redirect led away from the target's host
	certified string // what is wrong with a certificate that was good enough to be believed
}

// attempt asks the target, follows its redirects, and judges the last answer.
func (w *webCheck) attempt(ctx context.Context) probe.Finding {
	v := &visit{webCheck: w, began: time.Now()}
	method, target := w.want.Method, w.target
	if method == "" {
		method = http.MethodGet
	}
	for followed := 0; ; followed++ {
		answer, fault := v.ask(ctx, method, target)
		if fault != "" {
			return down(fault)
		}
		next, redirected := redirect(answer)
		if !redirected || w.want.Redirects == 0 {
			return v.judge(ctx, answer, target)
		}
		_ = answer.Body.Close()
		if followed == w.want.Redirects {
			return down(fmt.Sprintf("more than %d redirects, last to %s", followed, quoted(next)))
		}
		was := target
		if target, fault = follow(was, next); fault != "" {
			return down(fault)
		}
		v.abroad = v.abroad || !sameHost(was, target)
		method = methodAfter(answer.StatusCode, method)
		if v.abroad && method != http.MethodGet && method != http.MethodHead {
			return down(fmt.Sprintf("%s redirects a %s to another host, %s, which is not followed", shown(was), method, quoted(target.Host)))
		}
	}
}

// ask sends one request. The answer's body is to be closed.
func (v *visit) ask(ctx context.Context, method string, target *url.URL) (answer *http.Response, fault string) {
	p := &progress{attempt: ctx}
	request := new(http.Request).WithContext(p.follow(ctx))
	request.Method, request.URL, request.Header, request.Host = method, target, v.header, v.host
	if v.abroad {
		request.Host, request.Header = "", v.headerAbroad()
	}
	answer, err := v.transport.RoundTrip(request)
	if err != nil {
		return nil, v.notAnswered(ctx, err, p, target)
	}
	if text := v.certificateFault(answer.TLS, target.Hostname()); text != "" {
		v.certified = text
	}
	return answer, ""
}

// headerAbroad is what any host may know of the check's headers: what would be sent without the check, and what answer it takes.
func (w *webCheck) headerAbroad() http.Header {
	header := defaultHeader().Clone()
	for _, name := range [...]string{"User-Agent", "Accept", "Accept-Language"} {
		if values := w.header.Values(name); len(values) > 0 && w.want.HeadersEnv[name] == "" {
			header[name] = values
		}
	}
	return header
}

// redirect returns where an answer sends us.
func redirect(answer *http.Response) (location string, redirected bool) {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		location = answer.Header.Get("Location")
	}
	return location, location != ""
}

// follow is the URL that a redirect from one means.
func follow(from *url.URL, location string) (to *url.URL, fault string) {
	to, err := from.Parse(location)
	switch {
	case err != nil:
		return nil, shown(from) + " redirects to what is no URL: " + quoted(location)
	case !speaksHTTP(to):
		return nil, fmt.Sprintf("%s redirects to %s, which is not http", shown(from), quoted(location))
	case to.Host == "":
		return nil, shown(from) + " redirects to a URL without a host: " + quoted(location)
	}
	return bare(to), ""
}

// sameHost reports whether what one URL's host may know the other's may too: host and port are the same, or it is the same host
// that now has TLS.
func sameHost(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	if from.Scheme == to.Scheme {
		return portOf(from) == portOf(to)
	}
	return from.Scheme == "http" && portOf(from) == "80" && portOf(to) == "443"
}

func portOf(u *url.URL) string {
	switch port := u.Port(); {
	case port != "":
		return port
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// methodAfter is the method after a redirect, as browsers and curl have it.
func methodAfter(status int, method string) string {
	switch status {
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return method
	}
	if method == http.MethodHead {
		return method
	}
	return http.MethodGet
}

// judge says what the last answer means.
func (v *visit) judge(ctx context.Context, answer *http.Response, target *url.URL) probe.Finding {
	defer func() { _ = answer.Body.Close() }()
	found := probe.Finding{Status: check.Healthy, Took: time.Since(v.began)}
	what := func() string { return fmt.Sprintf("HTTP %d from %s", answer.StatusCode, shown(target)) }
	switch {
	case !v.expects(answer.StatusCode):
		found.Status, found.Error = check.Down, what()+v.expected(answer)
	case v.want.Body != "" || v.want.BodyRegex != nil:
		fault, last := searchBody(ctx, answer.Body, v.want, v.check.Timeout)
		found.Took = last.Sub(v.began)
		if fault != "" {
			found.Status, found.Error = check.Down, what()+", but "+fault
		}
	}
	if found.Status == check.Healthy && v.certified != "" {
		found.Status, found.Error = check.Degraded, v.certified
	}
	readRest(answer)
	return found
}

// readRest reads a body that is said to be short, so that the connection can be used again. Any other is left where it is.
func readRest(answer *http.Response) {
	if answer.ContentLength > 0 && answer.ContentLength <= maxRest {
		_, _ = io.CopyN(io.Discard, answer.Body, maxRest)
	}
}

func (v *visit) expects(status int) bool {
	return slices.ContainsFunc(v.want.Status, func(r inventory.StatusRange) bool { return r.From <= status && status <= r.To })
}

// expected says where an answer redirects to that was not to be followed, and what was expected where that is not what everybody does.
func (v *visit) expected(answer *http.Response) string {
	text := ""
	if to, redirected := redirect(answer); redirected {
		text = " to " + quoted(to)
	}
	if len(v.want.Status) == 1 && v.want.Status[0] == (inventory.StatusRange{From: 200, To: 299}) {
		return text
	}
	var ranges []string
	for _, r := range v.want.Status {
		if r.From == r.To {
			ranges = append(ranges, strconv.Itoa(r.From))
		} else {
			ranges = append(ranges, fmt.Sprintf("%d-%d", r.From, r.To))
		}
	}
	return text + ", expected " + strings.Join(ranges, " or ")
}

// shown is a URL for a person.
func shown(u *url.URL) string { return probe.Excerpt(bare(u).String(), 150) }

// quoted is a foreign text for a person.
func quoted(text string) string { return probe.Excerpt(strings.ToValidUTF8(text, "?"), 100) }

// shorten leaves most runes of the operator's own text at most, the last of which is then an ellipsis; a foreign one is an excerpt.
func shorten(text string, most int) string {
	if n := 0; len(text) > most {
		for at := range text {
			if n++; n == most {
				return text[:at] + "…"
			}
		}
	}
	return text
}

// addressOf is where a URL's server listens.
func addressOf(u *url.URL) string { return net.JoinHostPort(u.Hostname(), portOf(u)) }
