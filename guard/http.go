package guard

import (
	"net/url"
	"path"
	"slices"
	"strings"
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
	if err != nil || !plainURL(text, parsed) {
		k.deny(u, Unknown, "the URL "+quoted(text)+" cannot be read plainly: no braces, brackets, blanks, user names or backslashes")
		return
	}
	host := parsed.Hostname()
	if tells(parsed) {
		k.deny(u, Forbidden, "what "+quoted(text)+" answers may hold secrets")
		return
	}
	if strings.Contains(host, "%") || !k.hostname(u, host) || k.knownHost(host) {
		if strings.Contains(host, "%") {
			k.deny(u, Unknown, "the host of "+quoted(text)+" cannot be read plainly")
		}
		return
	}
	if own || parsed.RawQuery != "" || parsed.ForceQuery || parsed.Fragment != "" {
		k.deny(u, Unknown, quoted(host)+" is named neither by the inventory nor by the policy: it may be asked for a plain URL only, without query, body or headers")
	}
	if u.has("-L", "--location", "--post301", "--post302", "--post303") || u.name == "wget" && (u.value("--max-redirect") == nil || u.value("--max-redirect").text != "0") {
		k.deny(u, Unknown, quoted(host)+" is named neither by the inventory nor by the policy: do not follow where it redirects to (curl without -L, wget with --max-redirect=0)")
	}
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
	}
	return nil, false
}

// tells reports whether a URL may ask for secrets.
func tells(u *url.URL) bool {
	p := path.Clean("/" + u.Path)
	lower := strings.ToLower(p)
	for _, part := range []string{"/actuator/env", "/actuator/heapdump", "/actuator/configprops", "/v1/kv", "/debug/pprof/cmdline"} {
		if strings.Contains(lower+"/", part+"/") {
			return true
		}
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
