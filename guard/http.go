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

// request judges a call of curl or wget. Where neither inventory nor policy names the host, it is GET or HEAD of a literal URL and
// nothing else: what a model has read cannot leave in it.
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

// url judges one URL.
func (k *walker) url(u *use, w word, own bool) {
	text := w.text
	if questions(w) {
		text = w.glob
	}
	text, ok := schemed(text)
	if !ok {
		k.deny(u, Unknown, quoted(text)+" is no plain http or https URL")
		return
	}
	parsed, err := url.Parse(text)
	if err != nil || !plainURL(text, parsed) || parsed.Port() != "" && !canonical(parsed.Port()) {
		k.deny(u, Unknown, "the URL "+quoted(text)+" cannot be read plainly: no braces, brackets, blanks, user names or backslashes")
		return
	}
	host := parsed.Hostname()
	if strings.Contains(host, "%") {
		k.deny(u, Unknown, "the host of "+quoted(text)+" cannot be read plainly")
		return
	}
	if !k.hostname(u, host) {
		return
	}
	if shown, guarded := k.guarded(parsed); guarded && !shown {
		k.deny(u, Forbidden, "what "+quoted(text)+" answers may hold secrets")
		return
	}
	checked := k.checkedURL(u, text)
	if !checked && !k.looks(parsed) {
		k.deny(u, Unknown, "some servers change something, or show secrets, by a GET of "+quoted(parsed.Path)+": ask for / or for a path of words such as health, ready, status, metrics, version, api, "+
			"or for the very URL of a check of the inventory; docker logs and journalctl say more")
		return
	}
	if !checked && !k.asks(u, parsed) {
		k.deny(u, Unknown, "a question with values may change something: its words are those of looking (verbose, format=json, limit=5) and go to a host and port that a check of the inventory names, "+
			"or it goes to the API of a server of monitoring, and by no --resolve, --connect-to and -H Host; leave out what stands behind the ?")
		return
	}
	if k.knownHost(host) {
		return
	}
	if resolved(host) && !u.silent() {
		k.deny(u, Unknown, quoted(host)+" is named neither by the inventory nor by the policy: what it answers is not shown (curl -o /dev/null or -I, wget --spider)")
	}
	if own || parsed.RawQuery != "" || parsed.ForceQuery || parsed.Fragment != "" {
		k.deny(u, Unknown, quoted(host)+" is named neither by the inventory nor by the policy: it may be asked for a plain URL only, without query, body or headers")
	}
	if u.has("-L", "--location", "--post301", "--post302", "--post303") || u.name == "wget" && (u.value("--max-redirect") == nil || u.value("--max-redirect").text != "0") {
		k.deny(u, Unknown, quoted(host)+" is named neither by the inventory nor by the policy: do not follow where it redirects to (curl without -L, wget with --max-redirect=0)")
	}
}

// looks reports whether a server is only looked at by a URL's path: that of a port whose answers are guarded, / or one of the policy's words.
// It may begin as that of a check of the same server does.
func (k *walker) looks(u *url.URL) bool {
	if shown, _ := k.guarded(u); shown || u.Path == "" || u.Path == "/" {
		return true
	}
	name := path.Base(u.Path)
	if u.Port() != "9090" && strings.HasSuffix(u.Path, "/v1/alerts") || u.Port() == "9093" && name == "status" { // the configuration of an alertmanager
		return false
	}
	if strings.Contains(u.EscapedPath(), "%") || strings.Contains(u.Path, "//") || strings.Contains(u.Path, "/.") || telling().MatchString(u.Path) {
		return false
	}
	return k.reading(u.Path) || k.checks(func(check *url.URL) bool {
		rest, ok := strings.CutPrefix(u.Path, path.Dir(check.Path)+"/")
		return ok && rest != "" && sameServer(check, u) && k.reading(rest)
	})
}

// telling is what servers answer with their configuration, although its words are of those by which they are looked at.
var telling = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)server[^a-z]*info|info[^a-z]*php|_m?search|_nodes(?:/?$|/[^s]|/s[^t])|nodes/[^/]*[,_]|^/v1\.[0-9]+/|^/v2/(?:queue|groups)`)
})

// reading reports whether a text is nothing but words by which servers are looked at.
func (k *walker) reading(text string) bool {
	text = strings.ToLower(text)
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789/._-,;") == "" && !slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }), func(word string) bool {
		return !slices.Contains(k.world.Policy.Reading, word)
	})
}

// asks reports whether a query only asks. Its values are free where an operator names the host, and for the API of a server of monitoring.
// Elsewhere it has the policy's words alone, and values only where a check of the inventory names that very host and port: behind another
// may be anything that changes by GET.
func (k *walker) asks(use *use, u *url.URL) bool {
	query := u.RawQuery
	for _, g := range use.given {
		if slices.ContainsFunc(g.option.names, func(name string) bool { return strings.HasPrefix(name, "--data") }) {
			for _, w := range g.values {
				query += "&=" + w.text
			}
		}
	}
	host, diverted := plainHost(u.Hostname()), use.diverted()
	shown, _ := k.guarded(u)
	switch free := shown || monitored().MatchString(u.Port()+u.Path) || slices.ContainsFunc(k.world.Policy.Hosts, func(h string) bool { return strings.EqualFold(h, host) }); {
	case query == "", free && !diverted:
		return true
	case strings.ContainsAny(query, "./") || !k.reading(strings.NewReplacer("&", "/", "=", "/").Replace(query)): // with a dot it may be a host
		return false
	case !strings.Contains(query, "="):
		return true
	case diverted, use.f.place != "" && thisMachine(host): // another machine than the inventory's
		return false
	}
	return k.checks(func(check *url.URL) bool { return sameServer(check, u) })
}

// monitored are ports and paths that servers have for being looked at: prometheus, alertmanager, node exporter, elasticsearch, loki, pprof.
var monitored = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:9090|9093|9100|9200|3100|6060)(?:/api/v[12]/.*|/loki/api/.*|/_(?:cat|cluster|nodes)(?:/.*)?|/metrics|/debug/pprof/.*|/_(?:count|stats))$`)
})

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

// resolved reports whether anybody's name server may say which host a name means: not of an address, of a name without a dot, and of names
// that lead no further than a local network.
func resolved(host string) bool {
	_, numeric, _ := address(host)
	return !numeric && strings.Contains(host, ".") && !slices.ContainsFunc([]string{".svc", ".cluster.local", ".local", ".lan", ".localdomain"}, func(end string) bool {
		return strings.HasSuffix(plainHost(host), end)
	})
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

// guarded reports whether a URL's port is one of those, and whether its path is shown all the same.
func (k *walker) guarded(u *url.URL) (shown, guarded bool) {
	paths, guarded := open(u.Port())
	return guarded && path.Clean(u.Path) == u.Path && !strings.Contains(u.EscapedPath(), "%") && slices.ContainsFunc(paths, func(known string) bool {
		return u.Path == known || strings.HasSuffix(known, "/") && strings.HasPrefix(u.Path, known)
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
