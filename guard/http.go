package guard

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/claudeops/claudeops/inventory"
)

// request judges a call of curl or wget. Where neither inventory nor policy names the host, it is GET or HEAD of a literal URL of few
// words and nothing else. That does not keep in what a model has read, which may still choose among names, ports and words: it leaves
// by the bit and not by the page.
func (k *walker) request(u *use, values []typed) {
	if method := u.value("-X", "--request", "--method"); method != nil && (!method.known || method.text != "GET" && method.text != "HEAD") {
		k.deny(u, Unknown, "only GET and HEAD are granted, not "+quoted(method.text))
		return
	}
	sends := u.has("-d", "--data", "--data-raw", "--data-urlencode", "--data-binary", "--data-ascii", "--json", "--post-data")
	if sends && !u.has("-G", "--get") {
		k.deny(u, Unknown, "a request with a body may change something; only GET and HEAD are granted")
		return
	}
	if u.has("-v", "--verbose", "--trace", "--trace-ascii") && slices.ContainsFunc(k.world.Environ, proxyLogin) {
		k.deny(u, Forbidden, "it shows how the proxy is logged in at, whose password stands in the environment; leave out -v and --trace")
		return
	}
	own := sends || u.has("-H", "--header", "-A", "--user-agent", "-e", "--referer", "-b", "--cookie", "-u", "--user", "--password", "-U", "--oauth2-bearer")
	k.fileValues(u)
	k.redirectedHosts(u)
	found := false
	for _, v := range values {
		if v.typ == "url" && !u.failed {
			found = true
			k.url(u, v.word, own)
		}
	}
	if !found && !u.failed && !u.has("-V", "--version", "-h", "--help") {
		k.deny(u, Unknown, "the URL is missing")
	}
}

// has reports whether one of these options was given.
func (u *use) has(names ...string) bool {
	return slices.ContainsFunc(u.given, func(g given) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(g.option.names, n) })
	})
}

// fileValues refuses values that stand for the content of a file.
func (k *walker) fileValues(u *use) {
	for _, g := range u.given {
		for _, w := range g.values {
			if name, host, _ := strings.Cut(w.text, ":"); slices.Contains(g.option.names, "--header") && strings.EqualFold(name, "host") { // a proxy would ask it
				host, _, _ = strings.Cut(strings.TrimSpace(host), ":")
				k.hostname(u, host)
			}
			if strings.HasPrefix(w.text, "@") || slices.Contains(g.option.names, "--data-urlencode") && strings.Contains(w.text, "@") {
				k.deny(u, Unknown, "a value that is read from a file ("+quoted(w.text)+") is not granted; write it out")
			}
		}
	}
}

// redirectedHosts judges options that lead a name elsewhere: only to hosts that are known.
func (k *walker) redirectedHosts(u *use) {
	for _, g := range u.given {
		if !slices.Contains(g.option.names, "--resolve") && !slices.Contains(g.option.names, "--connect-to") {
			continue
		}
		for _, w := range g.values {
			parts := strings.SplitN(w.text, ":", 3)
			target := parts[len(parts)-1]
			if slices.Contains(g.option.names, "--connect-to") {
				target, _, _ = strings.Cut(target, ":")
			}
			port := parts[1%len(parts)]
			if slices.Contains(g.option.names, "--connect-to") {
				port = parts[len(parts)-1][strings.LastIndexByte(parts[len(parts)-1], ':')+1:]
			}
			if _, guarded := open(port); guarded {
				k.deny(u, Forbidden, "what answers at port "+port+" may hold secrets")
			}
			if port != "" && !canonical(port) {
				k.deny(u, Unknown, "the port "+quoted(port)+" is written in an unusual way")
			}
			if len(parts) != 3 || !k.knownHost(target) {
				k.deny(u, Unknown, "the name would be led to a host that neither inventory nor policy names")
			}
		}
	}
}

// asked is a URL that a request asks for.
type asked struct {
	*url.URL
	known   bool // inventory or policy names its host
	guarded bool // its port answers with secrets
	shown   bool // but not at this path
}

// url judges one URL.
func (k *walker) url(u *use, w word, own bool) {
	text, parsed := k.readURL(u, w)
	if parsed == nil || !k.hostname(u, parsed.Hostname()) {
		return
	}
	a := asked{URL: parsed, known: k.knownHost(parsed.Hostname())}
	if a.shown, a.guarded = k.guarded(a); a.guarded && !a.shown {
		k.deny(u, Forbidden, "what "+quoted(text)+" answers may hold secrets")
		return
	}
	checked := k.checkedURL(u, text)
	switch {
	case !checked && !k.looks(a):
		k.deny(u, Unknown, "some servers change something, or show secrets, by a GET of "+quoted(parsed.Path)+": ask for / or for a path of words such as health, ready, status, metrics, version, api, "+
			"or for the very URL of a check of the inventory; docker logs and journalctl say more")
	case !a.known:
		k.stranger(u, a, own)
	case !checked && !k.asks(u, a):
		k.deny(u, Unknown, "a question with values may change something: its words are those of looking (verbose, format=json, limit=5) and go to a host and port that a check of the inventory names, "+
			"or it goes to the API of a server of monitoring, and by no --resolve, --connect-to and -H Host; leave out what stands behind the ?")
	case u.showsRedirected(a, checked):
		k.deny(u, Unknown, "a redirect may lead to what hands out secrets, so what it leads to is not shown: follow none (curl without -L, wget with --max-redirect=0), "+
			"or add -I or -o /dev/null -w '%{http_code} %{url_effective}', or ask for the very URL of a check of the inventory")
	}
}

// showsRedirected reports whether a request to a known host may show what it was redirected to, which could hand out secrets. Where a check
// of the inventory leads, its operator has decided. The wget of containers cannot be told to follow none, and that of this machine need not
// for what runs here.
func (u *use) showsRedirected(a asked, checked bool) bool {
	switch here := u.f.place == ""; {
	case !u.follows() || u.silent(), checked && here:
		return false
	case u.name == "curl":
		return true
	default:
		return here && !thisMachine(plainHost(a.Hostname()))
	}
}

// readURL reads a URL of which every program understands the same, or refuses it.
func (k *walker) readURL(u *use, w word) (text string, parsed *url.URL) {
	text = w.text
	if questions(w) {
		text = w.glob
	}
	text, ok := schemed(text)
	if !ok {
		k.deny(u, Unknown, quoted(text)+" is no plain http or https URL")
		return text, nil
	}
	parsed, err := url.Parse(text)
	switch {
	case err != nil || !plainURL(text, parsed) || parsed.Port() != "" && !canonical(parsed.Port()):
		k.deny(u, Unknown, "the URL "+quoted(text)+" cannot be read plainly: no braces, brackets, blanks, user names or backslashes")
	case strings.Contains(parsed.Hostname(), "%"):
		k.deny(u, Unknown, "the host of "+quoted(text)+" cannot be read plainly")
	default:
		return text, parsed
	}
	return text, nil
}

// stranger judges a request to a host that neither inventory nor policy names.
func (k *walker) stranger(u *use, a asked, own bool) {
	named := quoted(a.Hostname()) + " is named neither by the inventory nor by the policy: "
	if resolved(a.Hostname()) && !u.silent() {
		k.deny(u, Unknown, named+"what it answers is not shown (curl -o /dev/null or -I, wget --spider)")
	}
	if own || a.RawQuery != "" || a.ForceQuery || a.Fragment != "" {
		k.deny(u, Unknown, named+"it may be asked for a plain URL only, without query, body or headers")
	}
	if manyDigits().MatchString(a.Path) {
		k.deny(u, Unknown, named+"a path there has four digits at most, since more could carry what was read; ask for / or leave the number out")
	}
	if u.follows() {
		k.deny(u, Unknown, named+"do not follow where it redirects to (curl without -L, wget with --max-redirect=0)")
	}
}

// manyDigits is a path of more than four digits, which could be a text in numbers.
var manyDigits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:[0-9][^0-9]*){5}`) })

// follows reports whether a request goes on to where it is redirected. wget does so by itself.
func (u *use) follows() bool {
	limit := u.value("--max-redirs", "--max-redirect")
	return (u.name == "wget" || u.has("-L", "--location", "--post301", "--post302", "--post303")) && (limit == nil || limit.text != "0")
}

// looks reports whether a server is only looked at by a URL's path: that of a port whose answers are guarded, /, that of a server of
// monitoring, or one of the policy's words. It may begin as that of a check of the same server does. Names that nobody lists (of
// an index, a label, a meter) go to known hosts only.
func (k *walker) looks(a asked) bool {
	at := a.Port() + a.Path
	switch {
	case a.shown || a.Path == "" || a.Path == "/":
		return true
	case strings.Contains(a.EscapedPath(), "%") || strings.Contains(a.Path, "//") || strings.Contains(a.Path, "/."):
		return false
	case (monitored().MatchString(at) || meter().MatchString(a.Path)) && (a.known || k.reading(a.Path)):
		return true
	case telling().MatchString(at):
		return false
	}
	return k.reading(a.Path) || k.checks(func(check *url.URL) bool {
		rest, ok := strings.CutPrefix(a.Path, path.Dir(check.Path)+"/")
		return ok && rest != "" && sameServer(check, a.URL) && k.reading(rest)
	})
}

// telling are ports and paths that servers answer with their configuration, although the words are of those by which they are looked at:
// of apache, php, elasticsearch, docker, etcd, alertmanager and what keeps its rules for it.
var telling = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)server[^a-z]*info|info[^a-z]*server|php.*info|info.*php|_m?search|_nodes(?:/?$|/[^s]|/s[^t])|nodes/[^/]*[,_]|^[0-9]*/v1\.[0-9]+/|^[0-9]*/v2/(?:queue|groups)` +
		`|/v1/alerts[/;,]*$|/v2/status[/;,]*$|^9093/.*status|alertmanager.*status`)
})

// reading reports whether a path is nothing but words by which servers are looked at. Its last two names may be a pair of the policy:
// health/db.
func (k *walker) reading(text string) bool {
	text = strings.Trim(strings.ToLower(text), "/")
	before, last := path.Split(text)
	first, second := path.Split(strings.TrimSuffix(before, "/"))
	return k.looking(text) || k.looking(first) && slices.ContainsFunc(k.world.Policy.Reading, func(pair string) bool {
		firsts, seconds, is := strings.Cut(pair, "/")
		return is && slices.Contains(strings.Split(firsts, "|"), strings.TrimPrefix(second, "_")) && slices.Contains(strings.Split(seconds, "|"), last)
	})
}

// looking reports whether a text has no other words than those of the policy.
func (k *walker) looking(text string) bool {
	text = strings.ToLower(text)
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789/._-,;") == "" && !slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }), func(word string) bool {
		return !slices.Contains(k.world.Policy.Reading, word)
	})
}

// asks reports whether a query to a known host only asks. Its values are free where an operator names the host, and for the API of a
// server of monitoring. Elsewhere it has the policy's words alone, and values only where a check of the inventory names that very host
// and port: behind another may be anything that changes by GET.
func (k *walker) asks(use *use, a asked) bool {
	query := a.RawQuery
	for _, g := range use.given {
		if slices.ContainsFunc(g.option.names, func(name string) bool { return strings.HasPrefix(name, "--data") }) {
			for _, w := range g.values {
				query += "&=" + w.text
			}
		}
	}
	host, diverted := plainHost(a.Hostname()), use.diverted()
	at := a.Port() + a.Path
	monitoring := monitored().MatchString(at) && (!profile().MatchString(at) || detail().MatchString(query))
	operators := slices.ContainsFunc(k.world.Policy.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
	switch free := a.shown || monitoring || operators; {
	case query == "", free && !diverted:
		return true
	case strings.ContainsAny(query, "./") || !k.looking(strings.NewReplacer("&", "/", "=", "/").Replace(query)): // with a dot it may be a host
		return false
	case !strings.Contains(query, "="):
		return true
	case diverted, use.f.place != "" && thisMachine(host): // another machine than the inventory's
		return false
	}
	return k.checks(func(check *url.URL) bool { return sameServer(check, a.URL) })
}

// monitored are the questions that servers of monitoring answer, each at its own ports: a query's values are free. Another path there
// may be that of another program, which changes something.
var monitored = sync.OnceValue(func() *regexp.Regexp {
	const name, index, part = `/[A-Za-z0-9_][A-Za-z0-9_.*,-]*`, `/(?:_all|[A-Za-z0-9*][A-Za-z0-9_.*,-]*)`, `(?:/[a-z_,]+)*`
	return regexp.MustCompile(`^(?:` + strings.Join([]string{
		// prometheus, victoriametrics and its vmalert, thanos
		`(?:9090|8428|8880|10902)(?:/prometheus)?/(?:federate|metrics)`,
		`(?:9090|8428|8880|10902)(?:/prometheus)?/api/v1/(?:query|query_range|query_exemplars|series|labels|label` + name + `/values|metadata|targets|targets/metadata|rules|alerts|alertmanagers|stores)`,
		`(?:9090|8428|8880|10902)(?:/prometheus)?/api/v1/status/(?:tsdb|buildinfo|runtimeinfo|walreplay)`,
		`9093/(?:metrics|api/v[12]/(?:alerts|alerts/groups|silences|receivers))`, // alertmanager
		`9100/metrics`, // node exporter
		`3100/(?:metrics|loki/api/v1/(?:query|query_range|series|labels|label` + name + `/values|index/stats|index/volume|index/volume_range|status/buildinfo))`,
		// elasticsearch, whose secrets are in no settings but in a keystore
		`9200/_cat/(?:aliases|allocation|count|fielddata|health|indices|master|nodes|pending_tasks|plugins|recovery|segments|shards|tasks|templates|thread_pool)(?:` + index + `)?`,
		`9200/_cluster/(?:health(?:` + index + `)?|stats|settings|pending_tasks|allocation/explain)`,
		`9200/_nodes/(?:hot_threads|stats` + part + `)`,
		`9200(?:` + index + `)?/_(?:count|stats` + part + `|settings|recovery|segments|shard_stores|ilm/explain)`,
		`9200/_(?:snapshot/_status|ilm/status|slm/status)`,
		`6060/debug/pprof/(?:goroutine|threadcreate|heap|allocs|block|mutex)`, // of the heap it counts where it was taken, and shows nothing that lies there
	}, "|") + `)/?$`)
})

// profile are the profiles of Go programs, and detail how they are shown: by another query they collect garbage, or measure for as long as it says.
var (
	profile = when(`^6060/debug/pprof/`)
	detail  = when(`^debug=[012]$`)
)

// meter is one meter of spring's, by its name.
var meter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/actuator/metrics/[A-Za-z0-9._-]+$`) })

// diverted reports whether another server, or another site of it, may answer than the URL says.
func (u *use) diverted() bool {
	return u.has("--resolve", "--connect-to") || slices.ContainsFunc(u.given, func(g given) bool {
		return slices.Contains(g.option.names, "--header") && slices.ContainsFunc(g.values, func(w word) bool {
			name := strings.ToLower(w.text)
			return strings.HasPrefix(name, "host") || strings.HasPrefix(name, "x-")
		})
	})
}

// checkedURL reports whether a request is that of one of the inventory's checks, letter by letter.
func (k *walker) checkedURL(use *use, text string) bool {
	return !use.diverted() && !use.has("-d", "--data-raw", "--data-urlencode") && k.checks(func(check *url.URL) bool { return check.String() == text })
}

// checks reports whether one of the URLs of the inventory's checks is so.
func (k *walker) checks(so func(check *url.URL) bool) bool {
	inv, err := k.inventory()
	return err == nil && inv != nil && slices.ContainsFunc(inv.Everything(), func(s inventory.Service) bool {
		return slices.ContainsFunc(s.Checks, func(c inventory.Check) bool {
			if c.HTTP == nil {
				return false
			}
			check, err := url.Parse(c.HTTP.URL)
			return err == nil && so(check)
		})
	})
}

// sameServer reports whether two URLs are at the same host and port; this machine has several names, and a site http and https.
func sameServer(a, b *url.URL) bool {
	host, name := plainHost(a.Hostname()), plainHost(b.Hostname())
	return webPort(a) == webPort(b) && (host == name || thisMachine(host) && thisMachine(name))
}

// webPort is the scheme and port of a URL; empty for those of the web.
func webPort(u *url.URL) string {
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		return u.Scheme + port
	}
	return ""
}

// silent reports whether a request shows nothing of what is answered but its head: a name may lead to any host, also to one that hands
// out credentials.
func (u *use) silent() bool {
	bodies, nowhere := len(u.operands), 0
	for _, g := range u.given {
		switch {
		case slices.Contains(g.option.names, "-I"), slices.Contains(g.option.names, "--spider"):
			nowhere = 1 << 20
		case slices.Contains(g.option.names, "--trace"), slices.Contains(g.option.names, "--trace-ascii"):
			return false
		case slices.Contains(g.option.names, "--url"):
			bodies++
		case slices.Contains(g.option.names, "--output"), slices.Contains(g.option.names, "--output-document"):
			if !g.values[0].is("/dev/null") {
				return false
			}
			nowhere++
		}
	}
	return nowhere >= bodies
}

// open are the paths of servers whose other answers are secrets, or by which everything can be done: each alone, or with all below it.
func open(port string) (paths []string, guarded bool) {
	switch port {
	case "2375", "2376", "2377", "4243": // docker
		return []string{"/_ping", "/version"}, true
	case "2379": // etcd
		return []string{"/health", "/livez", "/readyz", "/metrics", "/version"}, true
	case "8200": // vault
		return []string{"/v1/sys/health", "/v1/sys/seal-status", "/v1/sys/leader"}, true
	case "8500", "8501": // consul
		return []string{"/v1/status/", "/v1/health/", "/v1/catalog/", "/v1/agent/members", "/v1/agent/metrics"}, true
	case "10250", "10255": // kubelet
		return []string{"/healthz", "/metrics"}, true
	case "2019": // caddy
		return []string{"/metrics"}, true
	case "8001": // kubectl proxy
		return []string{"/healthz", "/livez", "/readyz", "/version"}, true
	case "8983": // solr, which deletes by GET
		return []string{"/solr/admin/info/health", "/solr/admin/info/system"}, true
	case "9901", "15000": // envoy
		return []string{"/ready", "/stats", "/stats/prometheus", "/clusters", "/listeners", "/memory"}, true
	case "8888": // spring's config server
		return []string{"/health", "/healthz", "/metrics", "/actuator/health", "/actuator/health.json"}, true
	case "4646": // nomad
		return []string{"/v1/agent/health", "/v1/status/", "/v1/metrics"}, true
	case "9001", "2812", "9191", "1717", "8025": // supervisord and monit, which restart by GET; uWSGI's requests; people's mail
		return nil, true
	}
	return nil, false
}

// guarded reports whether a URL's port is one of those, and whether its path is shown all the same. What stands below a path may be any
// name where the host is known.
func (k *walker) guarded(a asked) (shown, guarded bool) {
	paths, guarded := open(a.Port())
	return guarded && path.Clean(a.Path) == a.Path && !strings.Contains(a.EscapedPath(), "%") && slices.ContainsFunc(paths, func(known string) bool {
		rest, below := strings.CutPrefix(a.Path, known)
		return below && (rest == "" || strings.HasSuffix(known, "/") && (a.known || k.reading(rest)))
	}), guarded
}

// schemed is a URL with its scheme. Programs guess one from a name's beginning, and take file:/x for a file.
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
	_, isPort := digits(port)
	first, _, _ := strings.Cut(name, ".")
	if strings.HasPrefix(text, "/") || hasPort && (port == "" || !isPort) || slices.Contains([]string{"ftp", "dict", "ldap", "imap", "smtp", "pop3"}, first) {
		return text, false
	}
	return "http://" + text, true
}

// plainURL reports whether a URL has nothing in it that programs read in different ways.
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
