package guard

import (
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strconv"
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

// wholePath is a whole path of which every name begins with a letter, a digit or an underscore.
var wholePath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:/[A-Za-z0-9_][A-Za-z0-9_.+-]*)+$`) })

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

func plainHost(name string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"), "."))
}

func (k *walker) secretHost(name string) bool {
	return slices.ContainsFunc(k.world.Policy.SecretHosts, func(h string) bool {
		suffix, wild := strings.CutPrefix(h, "*")
		return strings.EqualFold(h, name) || wild && strings.HasSuffix(name, suffix)
	})
}

// address reads an IP address in every spelling that programs take: 10.0.0.1, 167772161, 0x0a.0.0.1, ::ffff:10.0.0.1. Only the usual
// spelling is ok; in another one a host that hands out credentials is still found.
func address(name string) (addr netip.Addr, numeric, ok bool) {
	name, _, _ = strings.Cut(name, "%")
	if addr, err := netip.ParseAddr(name); err == nil {
		return carried(addr), true, true
	}
	parts := strings.Split(name, ".")
	if len(parts) > 4 {
		return addr, false, false
	}
	var value uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 0, 32)
		if err != nil || strings.Contains(part, "_") {
			return addr, false, false
		}
		if i == len(parts)-1 {
			value = value<<(8*(4-i)) | n
		} else {
			value = value<<8 | n&0xff
		}
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true, value>>16 == 0xa9fe
}

// carried is the IPv4 address that an IPv6 address stands for: mapped, compatible, or behind NAT64.
func carried(addr netip.Addr) netip.Addr {
	if addr = addr.Unmap(); addr.Is4() || addr == netip.IPv6Loopback() {
		return addr
	}
	b := addr.As16()
	for _, prefix := range []string{"::/96", "64:ff9b::/96"} {
		if netip.MustParsePrefix(prefix).Contains(addr) {
			return netip.AddrFrom4([4]byte(b[12:]))
		}
	}
	return addr
}

// sshWord is a host, or USER@HOST: ssh hands both to shells that its configuration names.
var sshWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?([A-Za-z0-9_][A-Za-z0-9_.-]*|[0-9A-Fa-f]*:[0-9A-Fa-f:.]+)$`)
})

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

// thisMachine reports whether a plain name is one of this machine's own.
func thisMachine(name string) bool {
	addr, numeric, ok := address(name)
	own, err := os.Hostname()
	return numeric && ok && addr.IsLoopback() || name == "localhost" || err == nil && strings.EqualFold(name, own)
}
