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
	if tells(parsed) {
		k.deny(u, Forbidden, "what "+quoted(text)+" answers may hold secrets")
		return
	}
	if relays(u, parsed) && !k.checkedURL(text) {
		k.deny(u, Unknown, "what stands behind the ? of "+quoted(text)+" may have the server ask another host; ask that one, or look at the probe's results in its monitoring")
		return
	}
	if !k.asks(u, parsed) {
		k.deny(u, Unknown, "a question with values at a port of this machine that the inventory does not name may change something; leave out what stands behind the ?")
		return
	}
	if strings.Contains(host, "%") || !k.hostname(u, host) || k.knownHost(host) {
		if strings.Contains(host, "%") {
			k.deny(u, Unknown, "the host of "+quoted(text)+" cannot be read plainly")
		}
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

// asks reports whether a request only asks. Behind a port of this machine may be anything that changes by GET: there the query has no
// values, unless the inventory names the port or it is one of those that servers have for being looked at.
func (k *walker) asks(use *use, u *url.URL) bool {
	values := strings.Contains(u.RawQuery, "=") || use.has("-d", "--data-raw", "--data-urlencode")
	if !values || !thisMachine(plainHost(u.Hostname())) {
		return true
	}
	switch u.Port() {
	case "9090", "9093", "9100", "9200", "3100", "6060", "8983": // prometheus, alertmanager, node exporter, elasticsearch, loki, pprof, solr
		return true
	}
	inv, err := k.inventory()
	return err == nil && inv != nil && slices.ContainsFunc(inv.Everything(), func(s inventory.Service) bool {
		return slices.ContainsFunc(s.Checks, func(c inventory.Check) bool { return c.HTTP != nil && samePort(c.HTTP.URL, u) })
	})
}

// checkedURL reports whether a URL is that of one of the inventory's checks, letter by letter.
func (k *walker) checkedURL(text string) bool {
	inv, err := k.inventory()
	return err == nil && inv != nil && slices.ContainsFunc(inv.Everything(), func(s inventory.Service) bool {
		return slices.ContainsFunc(s.Checks, func(c inventory.Check) bool { return c.HTTP != nil && c.HTTP.URL == text })
	})
}

// elsewhere is what looks like a URL, a path without scheme, or HOST:PORT.
var elsewhere = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`//|^[^/?#="'{}() ]*[^/?#="'{}() :]:[0-9]+(?:[/?#].*)?$|^\[|^[0-9]+(?:\.[0-9]+){3}$`)
})

// hostInPath is a scheme or a port in a path, as proxies have it there.
var hostInPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:[0-9]*(?:/|$)`) })

// relays reports whether a server is told whom to ask, as exporters and proxies are: by a name or a value of the query, or by the path.
func relays(use *use, u *url.URL) bool {
	if strings.Contains(u.Path, "//") || hostInPath().MatchString(u.Path) || strings.Contains(path.Clean("/"+strings.ToLower(u.Path))+"/", "/probe/") && strings.Contains(u.RawQuery, "=") {
		return true
	}
	queries := []string{u.RawQuery}
	for _, g := range use.given {
		if slices.ContainsFunc(g.option.names, func(name string) bool { return strings.HasPrefix(name, "--data") || name == "--url-query" }) {
			for _, w := range g.values {
				queries = append(queries, w.text)
			}
		}
	}
	for part := range strings.FieldsFuncSeq(strings.Join(queries, "&"), func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(part, "=")
		for range 3 { // a proxy in front may have read it once
			name, value = decoded(name), decoded(value)
		}
		if slices.Contains([]string{"target", "url", "uri", "host", "hostname", "domain", "ip", "address", "addr", "endpoint", "server", "dest", "destination", "proxy", "redirect", "callback", "webhook", "backend", "upstream", "instance_url", "stream.url", "shards"}, strings.ToLower(name)) ||
			elsewhere().MatchString(name) || elsewhere().MatchString(value) {
			return true
		}
	}
	return false
}

// decoded is a text of a query; one that cannot be decoded stays.
func decoded(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// samePort reports whether a URL is at the port of another.
func samePort(text string, other *url.URL) bool {
	u, err := url.Parse(text)
	return err == nil && u.Port() == other.Port() && u.Scheme == other.Scheme
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

// open are the paths of servers whose other answers are secrets, or by which everything can be done.
func open(port string) (paths []string, guarded bool) {
	switch port {
	case "2375", "2376": // docker
		return []string{"/_ping", "/version"}, true
	case "2379": // etcd
		return []string{"/health", "/livez", "/readyz", "/metrics", "/version"}, true
	case "8200": // vault
		return []string{"/v1/sys/health", "/v1/sys/seal-status", "/v1/sys/leader"}, true
	case "8500", "8501": // consul
		return []string{"/v1/status", "/v1/health", "/v1/catalog", "/v1/agent/members", "/v1/agent/metrics"}, true
	case "10250", "10255": // kubelet
		return []string{"/healthz", "/metrics"}, true
	case "2019": // caddy
		return []string{"/metrics"}, true
	case "8001": // kubectl proxy
		return []string{"/healthz", "/livez", "/readyz", "/version"}, true
	case "8983": // solr, which deletes by GET
		return []string{"/solr/admin/info/health", "/solr/admin/info/system"}, true
	case "9901", "15000": // envoy
		return []string{"/ready", "/stats", "/clusters", "/listeners", "/memory"}, true
	case "8888": // spring's config server
		return []string{"/health", "/healthz", "/metrics", "/actuator/health"}, true
	case "4646": // nomad
		return []string{"/v1/agent/health", "/v1/status", "/v1/metrics"}, true
	case "9001", "2812": // supervisord and monit, which restart by GET
		return nil, true
	}
	return nil, false
}

// secretPaths are those by which servers show secrets, or by which everything can be asked.
var secretPaths = []string{
	"/env", "/environment", "/environ", "/heapdump", "/configprops", "/v1/kv", "/debug/pprof/cmdline", "/.env", "/jolokia", "/systeminfo", "/server-info", "/info.php",
	"/api/v1/status/config", "/config_dump", "/certs", "/rawdata", "/middlewares", "/api/definitions", "/api/parameters", "/_config", "/_profiler",
	"/apis", "/api/v1/namespaces", "/api/v1/secrets", "/api/v1/pods", "/api/v1/configmaps", "/api/v1/podtemplates", "/api/v1/replicationcontrollers", "/api/v1/services", "/api/v1/nodes",
	"/api/v1/watch", "/api/v1/proxy", "/api/v1/persistentvolumes", "/api/v1/serviceaccounts", "/api/v1/events", "/api/v1/endpoints", "/api/v1/docker", "/api/v1/containers", "/api/v1/subcontainers",
}

// readName is what every server reads of a name in a path; .env begins with its dot.
var readName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.?[^.~,; ]*`) })

// tells reports whether a URL may ask for secrets. Of a name in its path some servers read no more than stands before a dot or a ;, or
// drop what stands behind it.
func tells(u *url.URL) bool {
	p := path.Clean("/" + u.Path)
	lower := strings.ToLower(p)
	names := strings.Split(lower, "/")
	for i, name := range names {
		names[i] = readName().FindString(name)
	}
	for _, form := range []string{lower + "/", strings.Join(names, "/") + "/"} {
		if slices.ContainsFunc(secretPaths, func(part string) bool { return strings.Contains(form, part+"/") }) {
			return true
		}
	}
	if strings.Contains(lower, "phpinfo") || strings.Contains(lower, "%") {
		return true
	}
	paths, guarded := open(u.Port())
	return guarded && (strings.Contains(u.EscapedPath(), "%") || strings.Contains(u.Path, "..") || strings.Contains(u.Path, "//") ||
		!slices.ContainsFunc(paths, func(known string) bool { return below(p, known) }))
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
