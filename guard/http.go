package guard

import (
	"net/url"
	"path"
	"slices"
	"strings"

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

// guarded reports whether a URL's port is one of those, and whether its path is shown all the same. What stands below a path may be any
// name where the host is known.
func (k *walker) guarded(a asked) (shown, guarded bool) {
	paths, guarded := open(a.Port())
	return guarded && path.Clean(a.Path) == a.Path && !strings.Contains(a.EscapedPath(), "%") && slices.ContainsFunc(paths, func(known string) bool {
		rest, below := strings.CutPrefix(a.Path, known)
		return below && (rest == "" || strings.HasSuffix(known, "/") && (a.known || k.reading(rest)))
	}), guarded
}
