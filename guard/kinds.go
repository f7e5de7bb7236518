package guard

import (
	"net"
	"net/netip"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/netname"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// judged are the kinds of which an expression does not decide, or not alone.
var judged = map[string]func(*judge, string) bool{
	"FAR":  func(_ *judge, s string) bool { return plainPath(s) && !ClosedName(s) },
	"META": (*judge).noDevice,
	"DEV":  (*judge).noDevice,
	"REPO": (*judge).repo,
	"REPOFILE": func(j *judge, s string) bool {
		return plainPath(s) && !strings.HasPrefix(s, ":") && !ClosedName(absolute(s, j.at))
	},
	"BLOB":     (*judge).blob,
	"HOST":     (*judge).host,
	"SSHHOST":  (*judge).sshHost,
	"HOSTPORT": (*judge).hostPort,
	"HOSTHDR":  (*judge).hostHeader,
	"URL":      (*judge).url,
	"DNS":      (*judge).dnsName,
	"KUBE":     kubeKinds,
	"KNAME":    kubeNamed,
	"TMPL":     func(_ *judge, s string) bool { return template(s) },
}

// kind reports whether a word is of a kind: its expression matches the whole, and its function agrees.
func (j *judge) kind(name, word string) bool {
	expression, decides := j.Table.kinds[name], judged[name]
	switch {
	case expression != nil && !expression.MatchString(word):
		return false
	case decides != nil:
		return decides(j, word)
	}
	return expression != nil
}

// plainPath reports whether a path is no option and leads nowhere else by its names.
func plainPath(p string) bool {
	return p != "" && p[0] != '-' && !slices.Contains(strings.Split(p, "/"), "..") && !strings.ContainsAny(p, "\x00\n")
}

// noDevice reports whether a path is none of /dev but a disk: opening others counts.
func (j *judge) noDevice(p string) bool {
	return plainPath(p) && (!below(p, "/dev") || j.Table.kinds["DISK"].MatchString(p))
}

// below reports whether a path is a folder or lies in it.
func below(p, folder string) bool {
	return p == folder || strings.HasPrefix(p, strings.TrimSuffix(folder, "/")+"/")
}

// absolute returns a path from the root, without .. in it.
func absolute(p, folder string) string {
	if path.IsAbs(p) {
		return path.Clean(p)
	}
	return path.Join(folder, p)
}

// repo reports whether a path is that of a repository below REPOS_DIR, or of a file in one, whose name is not closed: as it is written, and
// where its links lead. It is no URL of one elsewhere, which programs take in its place.
func (j *judge) repo(p string) bool {
	if !plainPath(p) || strings.Contains(p, ":") {
		return false
	}
	if j.far {
		return !ClosedName(p)
	}
	p = absolute(p, j.dir)
	real, repos := resolved(p), resolved(j.ReposDir)
	if !below(p, j.ReposDir) && !below(p, repos) || !below(real, repos) {
		j.why = quoted(p) + " is not below " + j.ReposDir
		return false
	}
	return !ClosedName(p) && !ClosedName(real)
}

// blob reports whether a word is a file of a revision: REV:PATH.
func (j *judge) blob(s string) bool {
	revision, file, is := strings.Cut(s, ":")
	return is && j.Table.kinds["REV"].MatchString(revision) && plainPath(file) && !ClosedName(absolute(file, j.at))
}

// knows reports whether a host may be asked: this machine, one of the table's or the inventory's, a container or a service that runs here.
func (g *Guard) knows(host string) bool {
	host = probe.BareHost(host)
	switch {
	case host == "":
		return false
	case thisMachine(host), slices.Contains(g.Table.Hosts, host), g.Inventory.KnowsHost(host), g.Inventory.KnowsSSH(host):
		return true
	}
	if _, service := g.Inventory.Lookup(host); service { // a service, by its name in a network of containers
		return true
	}
	return g.Reports != nil && g.Reports(host) // last, because it asks the engine or the cluster
}

// thisMachine reports whether a host is this machine, by its name or an address of it.
func thisMachine(host string) bool {
	if own, err := os.Hostname(); netname.Loopback(host) || err == nil && strings.EqualFold(host, own) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	addresses, _ := net.InterfaceAddrs() // without them, it is another machine
	return slices.ContainsFunc(addresses, func(a net.Addr) bool {
		prefix, err := netip.ParsePrefix(a.String())
		return err == nil && prefix.Addr().Unmap() == addr.Unmap()
	})
}

func (j *judge) host(s string) bool {
	if !hostForm.MatchString(s) || !j.knows(s) {
		j.why = quoted(s) + " is no host that the services file, a running container or `hosts:` of the operator's policy names"
		return false
	}
	return true
}

// hostForm matches names and addresses as people write them: no port, no number for an address, nothing that is an option.
var hostForm = regexp.MustCompile(`^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*|\[?[0-9A-Fa-f:]+\]?)$`)

func (j *judge) sshHost(s string) bool {
	user, host, named := strings.Cut(s, "@")
	if !named {
		return j.host(s)
	}
	return userForm.MatchString(user) && j.host(host)
}

var userForm = regexp.MustCompile(`^[a-z_][a-z0-9_-]*$`)

func (j *judge) hostPort(s string) bool {
	host, port, err := net.SplitHostPort(s)
	return err == nil && strings.Trim(port, "0123456789") == "" && port != "" && j.host(host)
}

// hostHeader reports whether a header is Host, with a known one.
func (j *judge) hostHeader(s string) bool {
	name, host, _ := strings.Cut(s, ":")
	return strings.EqualFold(name, "Host") && j.host(probe.BareHost(strings.TrimSpace(host)))
}

// url reports whether a URL may be asked by GET or HEAD: of a known host, with a path and a query that the table lists, or the whole of an
// inventory's check, letter by letter.
func (j *judge) url(s string) bool {
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	if j.checked(s) {
		return true
	}
	u, err := url.Parse(s)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.User != nil, u.Fragment != "", u.Opaque != "", strings.HasSuffix(u.Host, ":"):
		j.why = quoted(s) + " is no plain http or https URL"
		return false
	case !j.host(u.Hostname()):
		return false
	}
	asked := u.Port() + u.EscapedPath()
	if u.RawQuery != "" || u.ForceQuery {
		asked += "?" + u.RawQuery
	}
	if !slices.ContainsFunc(j.Table.urls, func(e *regexp.Regexp) bool { return e.MatchString(asked) }) {
		j.why = quoted(asked) + ", the port and the path, is no path that only looks; an operator may add it (`urls:` of the policy)"
		return false
	}
	return true
}

// checked reports whether a URL is one that a check of the inventory asks.
func (j *judge) checked(address string) bool {
	return j.asks(func(of string) bool { return of == address })
}

// asks reports whether a check of the services file asks such a URL.
func (j *judge) asks(such func(address string) bool) bool {
	return slices.ContainsFunc(j.Inventory.Everything(), func(s inventory.Service) bool {
		return slices.ContainsFunc(s.Checks, func(c probe.Check) bool {
			asks, isHTTP := c.Options.(*probe.HTTP)
			return isHTTP && such(asks.URL)
		})
	})
}

// dnsName reports whether a name may be looked up: the server of any other would learn what an agent writes into it. A known host, and a
// domain with one below it; of an address, one of a private network.
func (j *judge) dnsName(s string) bool {
	name := strings.TrimSuffix(serviceLabels.ReplaceAllString(strings.TrimPrefix(s, "@"), ""), ".")
	addr, err := netip.ParseAddr(name)
	domain := strings.Contains(name, ".") && (slices.ContainsFunc(j.Table.Hosts, func(h string) bool { return strings.HasSuffix(h, "."+name) }) ||
		j.asks(func(of string) bool {
			u, err := url.Parse(of)
			return err == nil && strings.HasSuffix(probe.BareHost(u.Host), "."+name)
		}))
	if !hostForm.MatchString(name) || !domain && !(err == nil && addr.IsPrivate()) && !j.knows(name) {
		j.why = "a query for " + quoted(s) + " would tell its letters to the server of that name, which neither the services file nor `hosts:` of the operator's policy names"
		return false
	}
	return true
}

// serviceLabels matches the labels before a host in service records.
var serviceLabels = regexp.MustCompile(`^(?:_(?:acme-challenge|dmarc|https?|tcp|udp|smtp|submission|imaps?|ldap|sip)\.)+`)

// kubeKinds reports whether a word names kinds of Kubernetes, but no Secrets: KIND[,KIND], KIND/NAME.
func kubeKinds(_ *judge, s string) bool {
	kinds, name, named := strings.Cut(s, "/")
	for kind := range strings.SplitSeq(strings.ToLower(kinds), ",") {
		if !kubeKind.MatchString(kind) || strings.Contains(kind, "secret") {
			return false
		}
	}
	return !named || kubeName.MatchString(name)
}

// kubeNamed reports whether a word is the name of an object, or KIND/NAME.
func kubeNamed(j *judge, s string) bool {
	return kubeName.MatchString(s) || strings.Contains(s, "/") && kubeKinds(j, s)
}

var (
	kubeKind = regexp.MustCompile(`^[a-z][a-z0-9.]*$`)
	kubeName = regexp.MustCompile(`^[a-z0-9*][A-Za-z0-9.:-]*$`)
)

// template reports whether a template of the engine shows single fields, or objects as JSON, in which environments are masked.
func template(s string) bool {
	s = strings.TrimPrefix(s, "table ")
	if s == "json" || s == "table" {
		return true
	}
	for _, action := range action.FindAllStringSubmatch(s, -1) {
		field := field.FindStringSubmatch(action[1])
		switch {
		case between.MatchString(action[1]):
		case field == nil:
			return false
		case field[1] == "json", field[2] == ".Command": // of a list, one text
		case field[2] == ".", environments.MatchString(field[2]) && !attribute.MatchString(field[2]):
			return false
		}
	}
	return !strings.Contains(action.ReplaceAllString(s, ""), "{{")
}

var (
	action = regexp.MustCompile(`\{\{(.*?)\}\}`)
	field  = regexp.MustCompile(`^\s*(?:(json|range)\s+)?(\.|(?:\.[A-Za-z0-9]+)+)\s*$`)
	// between matches what shows nothing of an object.
	between = regexp.MustCompile(`^\s*(?:end|println|"(?:[^"\\]|\\[nt])*")\s*$`)
	// environments matches fields with values that are a deployment's own, which Go prints in no form that names them.
	environments = regexp.MustCompile(`(?i)\.(?:env|cmd|args|entrypoint|command|options|secrets?|configs|attributes|config|logconfig|spec|containerspec|tasktemplate)(?:\.|$)`)
	attribute    = regexp.MustCompile(`\.(?:Attributes\.(?:name|exitCode|image|signal|container|execDuration)|Config\.(?:Image|User|WorkingDir|Hostname|ExposedPorts|Healthcheck\.[A-Za-z]+))$`)
)
