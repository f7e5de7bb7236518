package guard

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// reaches reports whether a program was given a host. Then every word of it is literal, so that nothing that was read can leave in one.
func (k *walker) reaches(u *use, values []typed) bool {
	if !slices.ContainsFunc(values, func(v typed) bool {
		return v.typ == "host" || v.typ == "dbhost" || v.typ == "url" || v.typ == "sshhost"
	}) {
		return true
	}
	for _, w := range u.words {
		if !w.known && !questions(w) {
			k.deny(u, Unknown, "what is sent to another host stands there literally, and this is only known when it runs ("+w.why+"); write it out, or loop over literal names")
			return false
		}
	}
	return true
}

// questions reports whether a word is a URL whose question mark only looks like a pattern: no file has such a name.
func questions(w word) bool {
	return w.glob != "" && w.under == "" && strings.Contains(w.text, ":") && !strings.ContainsAny(w.glob, "*[\\(")
}

// databaseHost judges a server that a database's client talks to, HOST or HOST:PORT: only one that is known, because another could ask the
// client for its password or its files. A folder is that of a socket.
func (k *walker) databaseHost(u *use, w word) {
	if !k.wantKnown(u, w) || wholePath().MatchString(w.text) && !k.writable(w.text) {
		return
	}
	name := w.text
	if host, port, has := strings.Cut(name, ":"); has && canonical(port) {
		name = host
	}
	if k.hostname(u, name) && !k.knownHost(name) {
		k.deny(u, Unknown, "neither inventory nor policy names the server "+quoted(name))
	}
}

// host judges the name or address of a host that a program reaches.
func (k *walker) host(u *use, w word) {
	if !k.wantKnown(u, w) {
		return
	}
	name := w.text
	if i := strings.LastIndexByte(name, ':'); i > 0 && strings.Count(name, ":") == 1 || strings.HasPrefix(name, "[") && i > strings.IndexByte(name, ']') && i > 0 {
		name = name[:i]
	}
	k.hostname(u, name)
}

// hostname refuses hosts that hand out credentials, and spellings that hide which host is meant.
func (k *walker) hostname(u *use, name string) bool {
	name = plainHost(name)
	addr, numeric, ok := address(name)
	switch {
	case numeric && !ok:
		k.deny(u, Unknown, "the address "+quoted(name)+" is written in an unusual way; write four decimal numbers")
		return false
	case k.secretHost(name) || numeric && (addr.IsLinkLocalUnicast() && addr.Is4() || k.secretHost(addr.String())):
		k.deny(u, Forbidden, quoted(name)+" hands out credentials")
		return false
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:") != "" || name == "" || strings.HasPrefix(name, "-"):
		k.deny(u, Unknown, "the host "+quoted(name)+" is written in an unusual way; write its plain name")
		return false
	case !numeric && telltale().MatchString(name) && resolved(name) && !strings.HasSuffix(name, ".amazonaws.com") && !k.knownHost(name):
		k.deny(u, Unknown, "so many digits in the name "+quoted(name)+" could carry what was read to the name server that answers for it; reached are short names, and those that operators name (a check of the inventory, hosts: of their policy)")
		return false
	}
	return true
}

// telltale is a name that could be a text in hexadecimal or other digits. Those of AWS have as many, and no customer answers for them.
var telltale = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9a-f]{16}|(?:[0-9][^0-9]*){16}`) })

// resolved reports whether a host may lie anywhere, and its name be asked of anybody's name server: it is no address of this machine or
// of a network of one's own, no name without a dot, and none that leads no further than a local network.
func resolved(host string) bool {
	if addr, numeric, _ := address(host); numeric {
		return !addr.IsPrivate() && !addr.IsLoopback() && !addr.IsLinkLocalUnicast() && !addr.IsUnspecified() && !carriers().Contains(addr)
	}
	return strings.Contains(host, ".") && !slices.ContainsFunc([]string{".svc", ".cluster.local", ".local", ".lan", ".localdomain"}, func(end string) bool {
		return strings.HasSuffix(plainHost(host), end)
	})
}

// carriers are the addresses that carriers, and networks over others, give out behind their own (RFC 6598).
var carriers = sync.OnceValue(func() netip.Prefix { return netip.MustParsePrefix("100.64.0.0/10") })

func (k *walker) secretHost(name string) bool {
	return slices.ContainsFunc(k.world.Policy.SecretHosts, func(h string) bool {
		suffix, wild := strings.CutPrefix(h, "*")
		return strings.EqualFold(h, name) || wild && strings.HasSuffix(name, suffix)
	})
}

// sshHost judges the host that ssh goes to.
func (k *walker) sshHost(u *use, w word) {
	if !k.wantKnown(u, w) {
		return
	}
	m := sshWord().FindStringSubmatch(w.text)
	if m == nil || !k.knownSSH(plainHost(m[1])) {
		k.deny(u, Unknown, "neither the inventory nor the policy knows "+quoted(w.text)+" as a host to reach by ssh; it is written HOST or USER@HOST")
	}
}

func (k *walker) knownSSH(name string) bool {
	if slices.ContainsFunc(k.world.Policy.SSH, func(h string) bool { return strings.EqualFold(h, name) }) {
		return true
	}
	inv, err := k.inventory()
	return err == nil && inv.KnowsSSH(name)
}

// knownHost reports whether a host may be asked with query, headers and body.
func (k *walker) knownHost(name string) bool {
	name = plainHost(name)
	if thisMachine(name) {
		return true
	}
	if slices.ContainsFunc(k.world.Policy.Hosts, func(h string) bool { return strings.EqualFold(h, name) }) {
		return true
	}
	inv, err := k.inventory()
	if err != nil {
		return false
	}
	_, service := inv.Lookup(name) // as which it is reached in a network of containers
	return service || inv.KnowsHost(name) || k.knownSSH(name)
}
