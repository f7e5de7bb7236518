package guard

import (
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// asked is a URL that a request fetches.
type asked struct {
	*url.URL
	known   bool // the inventory or the policy names its host
	guarded bool // its port serves secrets
	shown   bool // guarded, but this path serves none
}

// monitored matches the read-only API of monitoring servers, each at its own ports. Query values are free there. Another path on the same
// port may belong to a program that changes something.
var monitored = lazy.Regexp(`^(?:` + strings.Join([]string{
	// prometheus, victoriametrics and its vmalert, thanos
	`(?:9090|8428|8880|10902)(?:/prometheus)?/(?:federate|metrics)`,
	`(?:9090|8428|8880|10902)(?:/prometheus)?/api/v1/(?:query|query_range|query_exemplars|series|labels|label` + name + `/values|metadata|targets|targets/metadata|rules|alerts|alertmanagers|stores)`,
	`(?:9090|8428|8880|10902)(?:/prometheus)?/api/v1/status/(?:tsdb|buildinfo|runtimeinfo|walreplay)`,
	`9093/(?:metrics|api/v[12]/(?:alerts|alerts/groups|silences|receivers))`, // alertmanager
	`9100/metrics`, // node exporter
	`3100/(?:metrics|loki/api/v1/(?:query|query_range|series|labels|label` + name + `/values|index/stats|index/volume|index/volume_range|status/buildinfo))`,
	// elasticsearch: its secrets are in a keystore, not in its settings
	`9200/_cat/(?:aliases|allocation|count|fielddata|health|indices|master|nodes|pending_tasks|plugins|recovery|segments|shards|tasks|templates|thread_pool)(?:` + index + `)?`,
	`9200/_cluster/(?:health(?:` + index + `)?|stats|settings|pending_tasks|allocation/explain)`,
	`9200/_nodes/(?:hot_threads|stats` + part + `)`,
	`9200(?:` + index + `)?/_(?:count|stats` + part + `|settings|recovery|segments|shard_stores|ilm/explain)`,
	`9200/_(?:snapshot/_status|ilm/status|slm/status)`,
	`6060/debug/pprof/(?:goroutine|threadcreate|heap|allocs|block|mutex)`, // a heap profile counts allocations and shows no content
}, "|") + `)/?$`)

// name, index and part match variable parts of a path.
const name, index, part = `/[A-Za-z0-9_][A-Za-z0-9_.*,-]*`, `/(?:_all|[A-Za-z0-9*][A-Za-z0-9_.*,-]*)`, `(?:/[a-z_,]+)*`

// revealing matches ports and paths at which servers return their configuration, although the words look harmless: apache, php,
// elasticsearch, docker, etcd, alertmanager and rulers.
var revealing = lazy.Regexp(`(?i)server[^a-z]*info|info[^a-z]*server|php.*info|info.*php|_m?search|_nodes(?:/?$|/[^s]|/s[^t])|nodes/[^/]*[,_]|^[0-9]*/v1\.[0-9]+/|^[0-9]*/v2/(?:queue|groups)` +
	`|/v1/alerts[/;,]*$|/v2/status[/;,]*$|^9093/.*status|alertmanager.*status`)

// profile matches the profiles of Go programs, and detail how they may be shown. Other query values trigger a garbage collection, or
// measure for any time.
var (
	profile = lazy.Regexp(`^6060/debug/pprof/`)
	detail  = lazy.Regexp(`^debug=[012]$`)
)

// meter matches one named metric of Spring.
var meter = lazy.Regexp(`^/actuator/metrics/[A-Za-z0-9._-]+$`)

// sameServer reports whether two URLs have the same host and port. All names of this machine are one host, and the http and https ports
// of a site are one port.
func sameServer(a, b *url.URL) bool {
	host, name := plainHost(a.Hostname()), plainHost(b.Hostname())
	return webPort(a) == webPort(b) && (host == name || thisMachine(host) && thisMachine(name))
}

// webPort returns the scheme and port of a URL; empty for 80 and 443.
func webPort(u *url.URL) string {
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		return u.Scheme + port
	}
	return ""
}

// open lists, by port, the paths that may be requested of servers whose other paths return secrets or allow everything. A path with a
// slash at its end includes everything below it.
var open = map[string]string{
	"2375": openDocker, "2376": openDocker, "2377": openDocker, "4243": openDocker,
	"2379": "/health /livez /readyz /metrics /version",          // etcd
	"8200": "/v1/sys/health /v1/sys/seal-status /v1/sys/leader", // vault
	"8500": openConsul, "8501": openConsul, "10250": openKubelet, "10255": openKubelet,
	"2019": "/metrics",                                        // caddy
	"8001": "/healthz /livez /readyz /version",                // kubectl proxy
	"8983": "/solr/admin/info/health /solr/admin/info/system", // solr, which deletes by GET
	"9901": openEnvoy, "15000": openEnvoy,
	"8888": "/health /healthz /metrics /actuator/health /actuator/health.json", // spring's config server
	"4646": "/v1/agent/health /v1/status/ /v1/metrics",                         // nomad
	"9001": "", "2812": "", "9191": "", "1717": "", "8025": "",                 // supervisord and monit restart by GET; uWSGI shows requests; a mailbox
}

const (
	openDocker  = "/_ping /version"
	openConsul  = "/v1/status/ /v1/health/ /v1/catalog/ /v1/agent/members /v1/agent/metrics"
	openKubelet = "/healthz /metrics"
	openEnvoy   = "/ready /stats /stats/prometheus /clusters /listeners /memory"
)

// schemed returns a URL with its scheme. Programs guess a missing scheme from the host name, and read file:/x as a file.
func schemed(text string) (string, bool) {
	lower := strings.ToLower(text)
	if strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		return text, !strings.HasPrefix(strings.SplitN(text, "://", 2)[1], "/")
	}
	host, _, _ := strings.Cut(lower, "/")
	name, port, hasPort := strings.Cut(host, ":")
	if strings.HasPrefix(host, "[") {
		name, port, hasPort = host, "", false
	}
	first, _, _ := strings.Cut(name, ".")
	if strings.HasPrefix(text, "/") || hasPort && !isNumber(port) || slices.Contains([]string{"ftp", "dict", "ldap", "imap", "smtp", "pop3"}, first) {
		return text, false
	}
	return "http://" + text, true
}

// plainURL reports whether a URL has nothing in it that programs parse differently.
func plainURL(text string, parsed *url.URL) bool {
	host := parsed.Host
	if strings.HasPrefix(host, "[") {
		text = strings.Replace(text, "["+parsed.Hostname()+"]", "", 1)
	}
	for _, r := range text {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune("\\{}[]@\"'`<>^|", r) {
			return false
		}
	}
	return parsed.User == nil && host != "" && (parsed.Port() != "" || !strings.HasSuffix(host, ":"))
}

// isNumber reports whether a text is a number of at most 1,000,000 without a sign.
func isNumber(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0 && n <= 1_000_000 && s[0] != '+'
}

// request judges a call of curl or wget: GET or HEAD of monitoring paths on known hosts, without following redirects.
func (j *judge) request(c *invocation) error {
	if method, given := c.value("-X", "--request", "--method"); given && method != "GET" && method != "HEAD" {
		return unknown("only GET and HEAD are granted, not %s", quoted(method))
	}
	sends := c.has("-d", "--data", "--data-raw", "--data-urlencode", "--data-binary", "--data-ascii", "--json", "--post-data")
	if sends && !c.has("-G", "--get") {
		return unknown("a request with a body may change something; only GET and HEAD are granted")
	}
	if err := j.namesHosts(c); err != nil {
		return err
	}
	asked := false
	for _, v := range c.values {
		if v.typ == "url" {
			asked = true
			if err := j.url(c, v.text); err != nil {
				return err
			}
		}
	}
	if !asked && !c.has("-V", "--version", "-h", "--help") {
		return unknown("the URL is missing")
	}
	if c.name == "wget" && j.place == "" && !c.has("--max-redirect") {
		j.argv = slices.Insert(j.argv, 1, "--max-redirect=0")
	}
	return nil
}

// namesHosts judges the hosts in Host headers, which a proxy would contact, and the ports to which a name is redirected. The policy
// judges the target host.
func (j *judge) namesHosts(c *invocation) error {
	for _, header := range c.valuesOf("--header") {
		if name, host, _ := strings.Cut(header, ":"); strings.EqualFold(name, "host") {
			host, _, _ = strings.Cut(strings.TrimSpace(host), ":")
			if err := j.hostname(host); err != nil {
				return err
			}
			if j.isDashboard(host) { // a proxy would lead there
				return forbidden("%s is this program's own dashboard", quoted(host))
			}
		}
	}
	for _, led := range c.valuesOf("--resolve", "--connect-to") {
		for port := range strings.SplitSeq(led, ":") {
			if _, guarded := open[strings.TrimLeft(port, "0")]; guarded {
				return forbidden("what answers at port %s may hold secrets", port)
			}
		}
	}
	return nil
}

// url judges one URL.
func (j *judge) url(c *invocation, text string) error {
	u, text, err := readURL(text)
	if err != nil {
		return err
	}
	if err := j.host(u.Hostname()); err != nil {
		return err
	}
	a := asked{URL: u, known: j.knownHost(u.Hostname())}
	if a.shown, a.guarded = j.guarded(a); a.guarded && !a.shown {
		return forbidden("what %s answers may hold secrets", quoted(text))
	}
	checked := j.checkedURL(c, text)
	switch {
	case !checked && !j.looks(a):
		return unknown("some servers change something, or show secrets, by a GET of %s: ask for / or for a path of words such as health, ready, status, metrics, version, api, "+
			"or for the very URL of a check of the inventory; docker logs and journalctl say more", quoted(u.Path))
	case !a.known && (c.sends() || u.RawQuery != "" || u.ForceQuery || u.Fragment != ""):
		return unknown("%s is only reachable by the policy: it may be asked for a plain URL only, without query, body or headers", quoted(u.Hostname()))
	case a.known && !checked && !j.asks(c, a):
		return unknown("a query with values may change something: ask with words that only look (verbose, format=json, limit=5), a host and port that a check of the inventory names " +
			"or the API of a monitoring server, without --resolve, --connect-to and -H Host; or leave the query out")
	case !a.known && manyDigits().MatchString(a.Path):
		return unknown("a path there may have at most four digits, because more could carry data; request / or omit the number")
	case j.follows(c) && !(checked && j.place == ""):
		return unknown("a redirect may lead to any host: follow none (curl without -L, wget with --max-redirect=0), or ask for the very URL of a check of the inventory")
	}
	return nil
}

// urlHost judges the host of a URL that a program requests with an unknown method.
func (j *judge) urlHost(text string) error {
	u, _, err := readURL(text)
	if err != nil {
		return err
	}
	if err := j.host(u.Hostname()); err != nil {
		return err
	}
	if !j.knownHost(u.Hostname()) {
		return unknown("%s is only reachable by the policy: curl and wget may ask it for a plain URL; an operator names it in hosts:", quoted(u.Hostname()))
	}
	return nil
}

// readURL parses a URL that every program understands in the same way.
func readURL(text string) (u *url.URL, whole string, err error) {
	whole, ok := schemed(text)
	if !ok {
		return nil, text, unknown("%s is no plain http or https URL", quoted(text))
	}
	u, err = url.Parse(whole)
	switch {
	case err != nil || !plainURL(whole, u) || u.Port() != "" && !canonical(u.Port()):
		return nil, text, unknown("the URL %s cannot be read plainly: no braces, brackets, blanks, user names or backslashes", quoted(whole))
	case strings.Contains(u.Hostname(), "%"):
		return nil, text, unknown("the host of %s cannot be read plainly", quoted(whole))
	}
	return u, whole, nil
}

// sends reports whether a request carries words that the caller chose, besides its URL.
func (c *invocation) sends() bool {
	return c.has("-d", "--data", "--data-raw", "--data-urlencode", "-H", "--header", "-A", "--user-agent", "-U")
}

// follows reports whether a request follows redirects. The wget of this machine is run with an option that prevents it; the wget in a
// container cannot be.
func (j *judge) follows(c *invocation) bool {
	if limit, given := c.value("--max-redirs", "--max-redirect"); given {
		return strings.Trim(limit, "0") != ""
	}
	return c.has("-L", "--location", "--post301", "--post302", "--post303")
}

// looks reports whether a URL's path only reads a server's state: /, an open path of a guarded port, a path of a monitoring server, or
// one made of the policy's words. It may also begin like the path of a check of the same server. Names that are in no list (of an index,
// a label, a metric) may go to known hosts only.
func (j *judge) looks(a asked) bool {
	at := a.Port() + a.Path
	switch {
	case a.shown || a.Path == "" || a.Path == "/":
		return true
	case strings.Contains(a.EscapedPath(), "%") || strings.Contains(a.Path, "//") || strings.Contains(a.Path, "/."):
		return false
	case (monitored().MatchString(at) || meter().MatchString(a.Path)) && (a.known || j.reading(a.Path)):
		return true
	case revealing().MatchString(at):
		return false
	}
	return j.reading(a.Path) || j.checks(func(check *url.URL) bool {
		rest, ok := strings.CutPrefix(a.Path, path.Dir(check.Path)+"/")
		return ok && rest != "" && sameServer(check, a.URL) && j.reading(rest)
	})
}

// reading reports whether a path consists of the policy's read-only words. Its last two names may be one of the policy's pairs, such as
// health/db.
func (j *judge) reading(text string) bool {
	text = strings.Trim(strings.ToLower(text), "/")
	before, last := path.Split(text)
	first, second := path.Split(strings.TrimSuffix(before, "/"))
	return j.looking(text) || j.looking(first) && slices.ContainsFunc(j.world.Policy.Reading, func(pair string) bool {
		firsts, seconds, is := strings.Cut(pair, "/")
		return is && slices.Contains(strings.Split(firsts, "|"), strings.TrimPrefix(second, "_")) && slices.Contains(strings.Split(seconds, "|"), last)
	})
}

// looking reports whether all words of a text are in the policy's list.
func (j *judge) looking(text string) bool {
	text = strings.ToLower(text)
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789/._-,;") == "" && !slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }), func(word string) bool {
		return !slices.Contains(j.world.Policy.Reading, word)
	})
}

// asks reports whether a query to a known host only reads. Its values are free where an operator names the host, and for the API of a
// monitoring server. Otherwise it must consist of the policy's words, and may have values only where a check of the inventory names the
// same host and port: any other port may change something on a GET.
func (j *judge) asks(c *invocation, a asked) bool {
	query := strings.Join(append([]string{a.RawQuery}, c.valuesOf("--data", "--data-raw", "--data-urlencode")...), "&=")
	host, diverted, at := plainHost(a.Hostname()), c.diverted(), a.Port()+a.Path
	monitoring := monitored().MatchString(at) && (!profile().MatchString(at) || detail().MatchString(query))
	switch free := a.shown || monitoring || hasHost(j.world.Policy.Hosts, host); {
	case query == "", free && !diverted:
		return true
	case strings.ContainsAny(query, "./") || !j.looking(strings.NewReplacer("&", "/", "=", "/").Replace(query)): // a dot may make it a host
		return false
	case !strings.Contains(query, "="):
		return true
	case diverted, j.place != "" && thisMachine(host): // another machine than the one in the inventory
		return false
	}
	return j.checks(func(check *url.URL) bool { return sameServer(check, a.URL) })
}

// diverted reports whether another server or virtual host may answer than the one in the URL.
func (c *invocation) diverted() bool {
	return c.has("--resolve", "--connect-to") || slices.ContainsFunc(c.valuesOf("--header"), func(w string) bool {
		name := strings.ToLower(w)
		return strings.HasPrefix(name, "host") || strings.HasPrefix(name, "x-")
	})
}

// checkedURL reports whether a request is exactly the one of a check in the inventory.
func (j *judge) checkedURL(c *invocation, text string) bool {
	return !c.diverted() && !c.has("--data", "--data-raw", "--data-urlencode") && j.checks(func(check *url.URL) bool { return check.String() == text })
}

// checks reports whether so holds for the URL of any check in the inventory.
func (j *judge) checks(so func(check *url.URL) bool) bool {
	inv, err := j.inventory()
	return err == nil && inv != nil && slices.ContainsFunc(inv.Everything(), func(s inventory.Service) bool {
		return slices.ContainsFunc(s.Checks, func(c probe.Check) bool {
			asks, isHTTP := c.Options.(*probe.HTTP)
			if !isHTTP {
				return false
			}
			check, err := url.Parse(asks.URL)
			return err == nil && so(check)
		})
	})
}

// guarded reports whether a URL's port serves secrets, and whether its path is open nevertheless. Below an open path any name is allowed
// if the host is known.
func (j *judge) guarded(a asked) (shown, guarded bool) {
	paths, guarded := open[a.Port()]
	return guarded && path.Clean(a.Path) == a.Path && !strings.Contains(a.EscapedPath(), "%") && slices.ContainsFunc(strings.Fields(paths), func(known string) bool {
		rest, below := strings.CutPrefix(a.Path, known)
		return below && (rest == "" || strings.HasSuffix(known, "/") && (a.known || j.reading(rest)))
	}), guarded
}

// manyDigits matches more than four digits, which could encode text.
var manyDigits = lazy.Regexp(`(?:[0-9][^0-9]*){5}`)
