package guard

import (
	"net/url"
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
