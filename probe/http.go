package probe

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/netname"
	"github.com/claudeops/claudeops/internal/strict"
)

// maxBody limits how much of a body is searched, in bytes.
const maxBody = 1 << 20

func init() {
	register(Type{Name: "http", What: "an http check", Doc: "Asks a URL.", Recorded: check.HTTP,
		Called: "http https url web", Written: "a URL is written type: http, url: https://…",
		Options: func() Options {
			return &HTTP{Method: http.MethodGet, Status: []StatusRange{{200, 299}}, Redirects: 5, CertificateDays: 14}
		}})
}

// HTTP requests a URL.
type HTTP struct {
	URL             string
	Method          string            // GET by default
	Headers         map[string]string // by canonical name
	HeadersEnv      map[string]string // by canonical name, the variable with the value
	Status          []StatusRange     // of the last response; never empty
	Body            string            // the body must contain it; empty for anything
	BodyRegex       *regexp.Regexp    // the body must match it; nil for anything
	Redirects       int               // how many to follow; 0: the redirect is the response
	CertificateDays int               // a certificate that expires sooner is degraded; 0 does not check
	CA              string            // file with trusted certificates; empty for the system's
	Insecure        bool              // accept any certificate
	Proxy           string            // its URL, or "environment"; empty for none
}

var methods = regexp.MustCompile(`^[A-Z][A-Z-]{0,19}$`)

// StatusRange is an inclusive range of HTTP status codes.
type StatusRange struct{ From, To int }

// Fields returns the keys of the services file.
func (h *HTTP) Fields() []strict.Field {
	const oneStatus = `{"$ref":"#/$defs/status"}`
	header := func(value string) string {
		return "\"type\":\"object\",\"propertyNames\":{\"pattern\":\"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$\"},\"additionalProperties\":{" + value + "}"
	}
	redirects := strict.Whole(&h.Redirects, 0, 20)
	return []strict.Field{
		{Name: "url", Doc: "an `http://` or `https://` URL", Required: "the http:// or https:// URL that is asked",
			Takes: reachedURL(&h.URL, `"pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+"`, httpURL)},
		{Name: "method", Doc: "a method, in upper case", Takes: strict.Matching(&h.Method, methods, " is no HTTP method; must be in upper case, like GET, HEAD or POST")},
		{Name: "headers", Default: "none", Doc: "a mapping of headers to texts", Takes: strict.Takes{
			Schema: header(`"type":"string","pattern":"^[^\\x00-\\x08\\x0a-\\x1f\\x7f]*$"`),
			Read:   func(r *strict.Reader, name string, n *strict.Node) { h.Headers = readHeaders(r, name, n, headerValue) }}},
		{Name: "headers_env", Default: "none", Doc: "a mapping of headers to names of [environment variables](#secrets) that have their values. " +
			"A header is in one of the two", Takes: strict.Takes{
			Schema: header(`"$ref":"#/$defs/variable"`),
			Read: func(r *strict.Reader, name string, n *strict.Node) {
				h.HeadersEnv = readHeaders(r, name, n, strict.Variable)
			}}},
		{Name: "status", Doc: "which codes of the last answer are well: a code (`200`), a class (`2xx`), a range (`200-299`), or a list of such",
			Takes: strict.Takes{Init: `"200-299"`, Schema: `"anyOf":[` + oneStatus + `,{"type":"array","minItems":1,"items":` + oneStatus + `}]`, Read: h.readStatuses}},
		{Name: "body", Default: "any", Takes: strict.Filled(&h.Body, "what the answer contains"),
			Doc: "a text that the answer contains, in its first MiB, as a browser shows it: unpacked, by the page's charset"},
		{Name: "body_regex", Default: "any", Doc: "a [regular expression](https://github.com/google/re2/wiki/Syntax) that the answer matches, in its first MiB",
			Takes: strict.Takes{Schema: `"type":"string","minLength":1`, Read: h.readRegex}},
		{Name: "redirects", Doc: "how many redirects are followed, up to 20; with `0` or `false` the redirect is the answer. Another host gets `GET` and `HEAD` only, " +
			"and of the headers `User-Agent`, `Accept` and `Accept-Language`", Takes: strict.Takes{
			Init: redirects.Init, Schema: `"anyOf":[{` + redirects.Schema + `},{"const":false}]`,
			Read: func(r *strict.Reader, name string, n *strict.Node) {
				switch {
				case n.Kind != strict.Boolean:
					redirects.Read(r, name, n)
				case strings.EqualFold(n.Value, "true"):
					r.Fault(n, name, "true; must be how many redirects are followed, or false")
				default:
					h.Redirects = 0
				}
			}}},
		{Name: "certificate_days", Doc: "a certificate that ends in fewer days is degraded, one that `insecure` believes too; up to 3650, `0` does not look",
			Takes: strict.Whole(&h.CertificateDays, 0, 3650)},
		{Name: "ca", Default: "the system's", Doc: "path of a file with the certificates that are believed", Takes: strict.File(&h.CA)},
		{Name: "insecure", Doc: "`true` believes any certificate; then there is no `ca`", Takes: strict.Bool(&h.Insecure)},
		{Name: "proxy", Default: "none", Doc: "the URL of a proxy, or `environment` for what `http_proxy`, `https_proxy` and `no_proxy` name", Takes: strict.Judged(&h.Proxy,
			`"pattern":"^(environment|(https?|socks5)://[^\\s/?#]+/?)$"`, proxyFault)},
	}
}

// Finish checks rules about several fields.
func (h *HTTP) Finish(r *strict.Reader, n *strict.Node, _ string) {
	for _, name := range slices.Sorted(maps.Keys(h.HeadersEnv)) {
		if _, both := h.Headers[name]; both {
			r.Fault(n.Member("headers_env"), "headers_env", strict.Quote(name)+" is in headers too; must be in one of them")
		}
	}
	if h.Insecure && h.CA != "" {
		r.Fault(n.Member("ca"), "ca", "means nothing beside insecure, by which any certificate is believed; keep one of them")
	}
}

// readHeaders reads a mapping of header names to values.
func readHeaders(r *strict.Reader, name string, n *strict.Node, takes func(to *string) strict.Takes) map[string]string {
	if !r.Mapping(n, name, "a mapping of headers' names") {
		return nil
	}
	headers := make(map[string]string, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := &n.Content[i]
		header := http.CanonicalHeaderKey(key.Value)
		_, twice := headers[header]
		switch {
		case key.Kind == strict.List || key.Kind == strict.Mapping:
			r.Fault(key, name, key.Kind.String()+" as a key; must be a text")
		case len(key.Value) > maxHost || !httpguts.ValidHeaderFieldName(key.Value):
			r.Fault(key, name, strict.Quote(key.Value)+" is not a header name; write it like X-Api-Key")
		case header == "Content-Length" || header == "Transfer-Encoding" || header == "Trailer":
			r.Fault(key, name, header+" is written by the request itself; leave it out")
		case twice:
			r.Fault(key, name, strict.Quote(key.Value)+" is given twice (upper and lower case are one); must be given once")
		default:
			var value string
			takes(&value).Read(r, name+": "+header, &n.Content[i+1])
			headers[header] = value
		}
	}
	return headers
}

func proxyFault(text string) string {
	if at, err := url.Parse(text); text == "environment" || err == nil && at.Host != "" && slices.Contains([]string{"http", "https", "socks5"}, at.Scheme) {
		return ""
	}
	return "is no proxy; must be a URL like http://proxy.example.org:3128, or environment"
}

// headerValue accepts a header's value. Faults never quote it, because it may contain a password.
func headerValue(to *string) strict.Takes {
	return strict.Judged(to, "", func(text string) string {
		if !httpguts.ValidHeaderFieldValue(text) {
			return "has a line break or another control character in it; must be one line"
		}
		return ""
	})
}

func (h *HTTP) readStatuses(r *strict.Reader, name string, n *strict.Node) {
	h.Status = nil
	if n.Kind != strict.List {
		h.Status = []StatusRange{readStatus(r, name, n)}
	} else if len(n.Content) == 0 {
		r.Fault(n, name, "empty; "+statusExpected)
	} else {
		for i := range n.Content {
			h.Status = append(h.Status, readStatus(r, name, &n.Content[i]))
		}
	}
}

const statusExpected = "must be a status code, like 200, \"2xx\" or \"200-299\""

func readStatus(r *strict.Reader, name string, n *strict.Node) StatusRange {
	if n.Kind != strict.Text && n.Kind != strict.Number {
		r.Fault(n, name, n.Kind.String()+"; "+statusExpected)
		return StatusRange{}
	}
	if class, isClass := strings.CutSuffix(n.Value, "xx"); isClass && len(class) == 1 && class[0] >= '1' && class[0] <= '5' {
		from := int(class[0]-'0') * 100
		return StatusRange{from, from + 99}
	}
	first, last, isRange := strings.Cut(n.Value, "-")
	if !isRange {
		last = first
	}
	from, fine := strict.Digits(first)
	to, too := strict.Digits(last)
	switch {
	case !fine || !too || from < 100 || to > 599:
		r.Fault(n, name, strict.Quote(n.Value)+"; "+statusExpected)
	case from > to:
		r.Fault(n, name, fmt.Sprintf("%q ends before it begins; write it like \"%d-%d\"", n.Value, to, from))
	}
	return StatusRange{from, to}
}

func (h *HTTP) readRegex(r *strict.Reader, name string, n *strict.Node) {
	given, ok := r.NonEmpty(n, name, "a regular expression")
	if !ok {
		return
	}
	regex, err := regexp.Compile(given)
	if err != nil {
		text := err.Error() // it repeats the pattern
		if strict.HasControl(text) || len(text) > 120 {
			text = strict.Quote(text)
		}
		r.Fault(n, name, strings.TrimPrefix(text, "error parsing regexp: ")+"; must be a regular expression as Go and RE2 have them")
	}
	h.BodyRegex = regex
}

// About describes the check.
func (h *HTTP) About() About {
	return About{Target: withoutUser(h.URL), Asked: h.URL, Host: hostOfURL(h.URL), Variables: slices.Sorted(maps.Values(h.HeadersEnv)),
		Secrets: func(environ []string) []string { return slices.Concat(h.credentials(environ), inURL(h.Proxy)) }}
}

// credentials returns the secrets that the check sends to its server.
func (h *HTTP) credentials(environ []string) []string {
	values := inURL(h.URL)
	for name, value := range h.Headers {
		if secretName(name) {
			values = append(values, inHeader(value)...)
		}
	}
	for _, variable := range h.HeadersEnv {
		for _, value := range valuesOf(environ, variable) {
			values = append(values, inHeader(value)...)
		}
	}
	return values
}

// webCheck is an http check, prepared. Each attempt uses a copy.
type webCheck struct {
	check  *Check
	want   *HTTP
	target *url.URL    // without user and fragment
	host   string      // the Host header; empty for the target's host
	header http.Header // only a small part of it is sent to other hosts
	secret bool        // the header has a credential
	tls    *tls.Config
	proxy  func(*http.Request) (*url.URL, error)
	now    func() time.Time

	jar       *cookiejar.Jar // what the servers of this attempt have set
	began     time.Time
	abroad    bool   // a redirect led away from the target's host
	certified string // what is wrong with a certificate although it was accepted
}

// Prepare returns the attempt.
func (h *HTTP) Prepare(c *Client, k *Check, _ string) Try {
	w := &webCheck{check: k, want: h, proxy: proxyOf(h.Proxy, c.settings), now: c.settings.Now,
		secret: len(h.credentials(c.settings.Environ)) > 0}
	target, _ := url.Parse(h.URL) // which has succeeded for the services file
	if fault := w.setHeader(target.User, c.settings); fault != "" {
		return always(fault)
	}
	w.target = bare(target)
	var err error
	if w.tls, err = h.tls(w.now); err != nil {
		return always(err.Error())
	}
	return func(ctx context.Context) check.Result {
		one := *w
		return one.attempt(ctx)
	}
}

// bare returns a URL as it is requested and shown: without the user, who goes into a header, and without the fragment; the host as DNS
// has it, and the query escaped where people and servers leave that to the browser.
func bare(u *url.URL) *url.URL {
	plain := *u
	plain.User, plain.Fragment, plain.RawFragment = nil, "", ""
	plain.Host = ascii(u.Host)
	plain.RawQuery = unescapedQuery.ReplaceAllStringFunc(u.RawQuery, url.PathEscape)
	return &plain
}

// unescapedQuery matches what a query may only have escaped (RFC 3986, 3.4), except the brackets, which browsers leave as they are.
var unescapedQuery = regexp.MustCompile(`[^!$-;=?-\[\]_a-z~]`)

// setHeader collects the check's headers. The fault says why the check cannot be made.
func (w *webCheck) setHeader(user *url.Userinfo, s Settings) (fault string) {
	w.header = defaultHeader().Clone()
	for name, value := range w.want.Headers {
		w.header.Set(name, value)
	}
	for _, name := range slices.Sorted(maps.Keys(w.want.HeadersEnv)) {
		variable := w.want.HeadersEnv[name]
		value, found := s.Lookup(variable)
		if !found {
			return fmt.Sprintf("the variable %s is not set, from which this check has its header %s", variable, name)
		}
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

// defaultHeader is the header of a check that sets none. It must not be modified.
var defaultHeader = sync.OnceValue(func() http.Header {
	version := "devel"
	if build, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(build.Main.Version, "v") {
		version = build.Main.Version
	}
	return http.Header{"User-Agent": {"claudeops/" + version + " (+https://github.com/claudeops/claudeops)"}, "Accept": {"*/*"}}
})

// attempt requests the target, follows redirects, and judges the last response.
func (w *webCheck) attempt(ctx context.Context) check.Result {
	w.began = time.Now()
	w.jar, _ = cookiejar.New(nil) // never fails
	method, target := cmp.Or(w.want.Method, http.MethodGet), w.target
	for followed := 0; ; followed++ {
		answer, failed := w.ask(ctx, method, target)
		if answer == nil {
			return failed
		}
		next, redirected := redirect(answer)
		if !redirected || w.want.Redirects == 0 {
			return w.judge(ctx, answer, target)
		}
		_ = answer.Body.Close()
		if followed == w.want.Redirects {
			return down(fmt.Sprintf("more than %d redirects, last to %s", followed, quoted(next)))
		}
		was := target
		var fault string
		if target, fault = follow(was, next); fault != "" {
			return down(fault)
		}
		w.abroad = w.abroad || !sameHost(was, target)
		method = methodAfter(answer.StatusCode, method)
		if w.abroad && method != http.MethodGet && method != http.MethodHead {
			return down(fmt.Sprintf("%s redirects a %s to another host, %s, which is not followed", shown(was), method, quoted(target.Host)))
		}
	}
}

// ask sends one request. The caller must close the response's body. Without a response failed says why.
func (w *webCheck) ask(ctx context.Context, method string, target *url.URL) (answer *http.Response, failed check.Result) {
	request := new(http.Request).WithContext(ctx)
	request.Method, request.URL, request.Header, request.Host = method, target, w.header, w.host
	if w.abroad {
		request.Host, request.Header = "", w.headerAbroad()
	}
	site := *target
	site.Host = cmp.Or(request.Host, site.Host)
	request.Header = request.Header.Clone()
	for _, cookie := range w.jar.Cookies(&site) {
		request.AddCookie(cookie)
	}
	stage := new(atomic.Int32)
	answer, err := w.transport(ctx, stage).RoundTrip(request)
	if err != nil {
		return nil, w.notAnswered(ctx, err, stage.Load(), target)
	}
	w.jar.SetCookies(&site, answer.Cookies())
	if text := w.certificateFault(answer.TLS, target.Hostname()); text != "" {
		w.certified = text
	}
	return answer, check.Result{}
}

// headerAbroad returns the headers that any host may see: the default ones, and those about accepted content.
func (w *webCheck) headerAbroad() http.Header {
	header := defaultHeader().Clone()
	for _, name := range [...]string{"User-Agent", "Accept", "Accept-Language"} {
		if values := w.header.Values(name); len(values) > 0 && w.want.HeadersEnv[name] == "" {
			header[name] = values
		}
	}
	return header
}

// redirect returns the target of a redirect.
func redirect(answer *http.Response) (location string, redirected bool) {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		location = answer.Header.Get("Location")
	}
	return location, location != ""
}

// follow resolves the target of a redirect.
func follow(from *url.URL, location string) (to *url.URL, fault string) {
	to, err := from.Parse(location)
	switch {
	case err != nil:
		return nil, shown(from) + " redirects to what is no URL: " + quoted(location)
	case to.Scheme != "http" && to.Scheme != "https":
		return nil, fmt.Sprintf("%s redirects to %s, which is not http", shown(from), quoted(location))
	case to.Host == "":
		return nil, shown(from) + " redirects to a URL without a host: " + quoted(location)
	}
	return bare(to), ""
}

// sameHost reports whether a redirect stays on one host, which may see all headers: host and port are the same, or it only switches from
// http to https.
func sameHost(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	if from.Scheme == to.Scheme {
		return netname.Port(from) == netname.Port(to)
	}
	return from.Scheme == "http" && netname.Port(from) == "80" && netname.Port(to) == "443"
}

// methodAfter returns the method after a redirect, as browsers and curl choose it.
func methodAfter(status int, method string) string {
	if status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect || method == http.MethodHead {
		return method
	}
	return http.MethodGet
}

// judge returns the result for the last response.
func (w *webCheck) judge(ctx context.Context, answer *http.Response, target *url.URL) check.Result {
	defer func() { _ = answer.Body.Close() }()
	found := check.Result{Status: check.Healthy, ResponseTimeMS: milliseconds(time.Since(w.began))}
	what := func() string { return fmt.Sprintf("HTTP %d from %s", answer.StatusCode, shown(target)) }
	if answer.StatusCode == http.StatusProxyAuthRequired && !w.expects(answer.StatusCode) && w.proxy != nil && target.Scheme == "http" {
		if at, err := w.proxy(answer.Request); err == nil && at != nil { // it has answered itself
			return unmade(proxyRefusal(ctx, at, nil, answer).Error())
		}
	}
	switch {
	case !w.expects(answer.StatusCode) && w.refused(answer.StatusCode):
		found.Status, found.Error = check.Unknown, what()+" although the check sends a credential: give it the right one"
	case !w.expects(answer.StatusCode):
		found.Status, found.Error = check.Down, what()+w.expected(answer)
	case w.want.Body != "" || w.want.BodyRegex != nil:
		body, unread := readable(answer)
		fault, last := searchBody(ctx, body, w.want, w.check.Timeout)
		found.ResponseTimeMS = milliseconds(last.Sub(w.began))
		switch {
		case fault != "" && unread != "":
			found.Status = check.Unknown
			found.Error = what() + ", but its body is encoded as " + quoted(unread) + ", which checks cannot read: they can read gzip"
		case fault != "":
			found.Status, found.Error = check.Down, what()+", but "+fault
		}
	}
	if found.Status == check.Healthy && w.certified != "" {
		found.Status, found.Error = check.Degraded, w.certified
	}
	return found
}

// refused reports whether the server refuses the check's credential, which says nothing of the service. Another host gets none.
func (w *webCheck) refused(status int) bool {
	return w.secret && !w.abroad && (status == http.StatusUnauthorized || status == http.StatusForbidden)
}

func (w *webCheck) expects(status int) bool {
	return slices.ContainsFunc(w.want.Status, func(r StatusRange) bool { return r.From <= status && status <= r.To })
}

// expected names the target of a redirect that was not followed, and the expected statuses if they are not the default.
func (w *webCheck) expected(answer *http.Response) string {
	text := ""
	if to, redirected := redirect(answer); redirected {
		text = " to " + quoted(to)
	}
	if len(w.want.Status) == 1 && w.want.Status[0] == (StatusRange{From: 200, To: 299}) {
		return text
	}
	var ranges []string
	for _, r := range w.want.Status {
		if r.From == r.To {
			ranges = append(ranges, strconv.Itoa(r.From))
		} else {
			ranges = append(ranges, fmt.Sprintf("%d-%d", r.From, r.To))
		}
	}
	return text + ", expected " + strings.Join(ranges, " or ")
}

// shown formats a URL for people.
func shown(u *url.URL) string { return Excerpt(bare(u).String(), 150) }

// addressOf returns the address of a URL's server.
func addressOf(u *url.URL) string { return net.JoinHostPort(u.Hostname(), netname.Port(u)) }
