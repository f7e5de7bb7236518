package guard

import (
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/internal/netname"
)

// address parses an IP address in every spelling that programs accept: 10.0.0.1, 167772161, 0x0a.0.0.1, ::ffff:10.0.0.1. ok is true for
// the usual spelling only; the address is returned for the others too, so that hosts that hand out credentials are recognised.
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

// carried returns the IPv4 address embedded in an IPv6 address: mapped, compatible, or NAT64.
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

func plainHost(name string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"), "."))
}

// wholePath matches an absolute path in which every name begins with a letter, a digit or an underscore.
var wholePath = lazy.Regexp(`^(?:/[A-Za-z0-9_][A-Za-z0-9_.+-]*)+$`)

// sshWord matches HOST or USER@HOST. ssh passes both to shells that its configuration names.
var sshWord = lazy.Regexp(`^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?([A-Za-z0-9_][A-Za-z0-9_.-]*|[0-9A-Fa-f]*:[0-9A-Fa-f:.]+)$`)

// thisMachine reports whether a plain name is one of this machine's own.
func thisMachine(name string) bool {
	addr, numeric, ok := address(name)
	own, err := os.Hostname()
	return numeric && ok && addr.IsLoopback() || name == "localhost" || err == nil && strings.EqualFold(name, own)
}

// canonical reports whether a text is a number as the shell writes it: decimal, without leading zeros, at most 15 digits.
func canonical(s string) bool {
	return s != "" && len(s) <= 15 && strings.Trim(s, "0123456789") == "" && (s[0] != '0' || s == "0")
}

// host judges the host that a program contacts, given as HOST or HOST:PORT.
func (j *judge) host(name string) error {
	if i := strings.LastIndexByte(name, ':'); i > 0 && strings.Count(name, ":") == 1 || strings.HasPrefix(name, "[") && i > strings.IndexByte(name, ']') && i > 0 {
		name = name[:i]
	}
	if err := j.hostname(name); err != nil {
		return err
	}
	if !j.knownHost(name) && !j.reachable(name) {
		return unknown("%s is named neither by the inventory nor by the policy, nor is it a container or a service that runs here; an operator adds it (reachable: of their policy)", quoted(name))
	}
	return nil
}

// hostname refuses hosts that hand out credentials, and spellings that hide which host is meant.
func (j *judge) hostname(name string) error {
	name = plainHost(name)
	addr, numeric, ok := address(name)
	switch {
	case numeric && !ok:
		return unknown("the address %s is written in an unusual way; write four decimal numbers", quoted(name))
	case j.secretHost(name) || numeric && (addr.IsLinkLocalUnicast() && addr.Is4() || j.secretHost(addr.String())):
		return forbidden("%s hands out credentials", quoted(name))
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789.-_:") != "" || name == "" || strings.HasPrefix(name, "-"):
		return unknown("the host %s is written in an unusual way; write its plain name", quoted(name))
	}
	return nil
}

func (j *judge) secretHost(name string) bool {
	return slices.ContainsFunc(j.world.Policy.SecretHosts, func(h string) bool {
		suffix, wild := strings.CutPrefix(h, "*")
		return strings.EqualFold(h, name) || wild && strings.HasSuffix(name, suffix)
	})
}

// databaseHost judges the server that a database client connects to. It must be known, because any other could ask the client for its
// password or its files. A directory is that of a socket.
func (j *judge) databaseHost(w string) error {
	if wholePath().MatchString(w) {
		if j.isSession(w) {
			return unknown("an agent could have created a server's socket in %s", quoted(w))
		}
		return nil
	}
	name := w
	if host, port, has := strings.Cut(name, ":"); has && canonical(port) {
		name = host
	}
	if err := j.hostname(name); err != nil {
		return err
	}
	if !j.knownHost(name) {
		return unknown("neither inventory nor policy names the server %s", quoted(name))
	}
	return nil
}

// sshHostName returns the host of HOST or USER@HOST; empty if the word has another form.
func sshHostName(w string) string {
	if m := sshWord().FindStringSubmatch(w); m != nil {
		return plainHost(m[1])
	}
	return ""
}

// sshHost judges the host that ssh connects to.
func (j *judge) sshHost(w string) error {
	if name := sshHostName(w); name == "" || !j.knownSSH(name) {
		return unknown("neither the inventory nor the policy knows %s as a host to reach by ssh; it is written HOST or USER@HOST", quoted(w))
	}
	return nil
}

func (j *judge) knownSSH(name string) bool {
	if hasHost(j.world.Policy.SSH, name) {
		return true
	}
	inv, err := j.inventory()
	return err == nil && inv.KnowsSSH(name)
}

// knownHost reports whether requests with query, headers and body may go to a host: this machine, one that the inventory or the policy
// names, or one that the container engine or the cluster reports.
func (j *judge) knownHost(name string) bool {
	name = plainHost(name)
	if thisMachine(name) || hasHost(j.world.Policy.Hosts, name) || j.knownSSH(name) {
		return true
	}
	if inv, err := j.inventory(); err == nil {
		if _, service := inv.Lookup(name); service || inv.KnowsHost(name) { // a service, by its name in a container network
			return true
		}
	}
	return j.world.Reports != nil && j.world.Reports(name) // last, because it asks the engine or the cluster
}

// reachable reports whether the policy allows to resolve and ping a host, and to request plain URLs of it.
func (j *judge) reachable(name string) bool {
	return hasHost(j.world.Policy.Reachable, plainHost(name))
}

func hasHost(list []string, name string) bool {
	return slices.ContainsFunc(list, func(h string) bool { return strings.EqualFold(h, name) })
}

// asksNames judges a DNS query: known names and the domains that contain them, at known servers.
func (j *judge) asksNames(c *invocation) error {
	names := append(c.valuesOf("-q", "-x"), c.operands...)
	for i, w := range names {
		server, isServer := strings.CutPrefix(w, "@")
		switch {
		case strings.HasPrefix(w, "+") || strings.HasPrefix(w, "-"), recordTypes().MatchString(w):
		case isServer, i == 1 && (c.name == "host" || c.name == "nslookup"):
			if err := j.host(server); err != nil {
				return err
			}
		case w == "." || j.mayAsk(serviceLabels().ReplaceAllString(w, "")):
		default:
			return unknown("a query for %s could send data to the server of that name, which is neither in the inventory nor in the policy; an operator can add it (reachable: in the policy)", quoted(w))
		}
	}
	return nil
}

var recordTypes = lazy.Regexp(`^(?i:A|AAAA|ANY|AXFR|CAA|CNAME|DNSKEY|DS|HINFO|HTTPS|LOC|MX|NAPTR|NS|NSEC3?|PTR|RRSIG|SOA|SPF|SRV|SSHFP|SVCB|TLSA|TXT|IN|CH)$`)

// mayAsk reports whether a name may be resolved: a known host, or a domain with one.
func (j *judge) mayAsk(name string) bool {
	name = plainHost(name)
	if j.hostname(name) != nil {
		return false
	}
	if addr, numeric, _ := address(name); numeric && addr.IsPrivate() { // private addresses are resolved in this network only
		return true
	}
	return j.knownHost(name) || j.reachable(name) || j.hasHostBelow(name) || clusterName().MatchString(name)
}

// clusterName matches names of cluster services, which the cluster's own DNS server answers.
var clusterName = lazy.Regexp(`^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)?\.svc(?:\.cluster\.local)?|kubernetes\.default)$`)

// serviceLabels matches the labels that precede a host name in service records.
var serviceLabels = lazy.Regexp(`^(?:_(?:acme-challenge|dmarc|mta-sts|smtp|http|https|ldap|kerberos|sip|sips|submission|imap|imaps|tcp|udp|tls|443|25)\.)+`)

// hasHostBelow reports whether a known host lies in a domain.
func (j *judge) hasHostBelow(domain string) bool {
	within := func(host string) bool {
		return strings.Contains(domain, ".") && strings.HasSuffix(plainHost(host), "."+domain)
	}
	return slices.ContainsFunc(slices.Concat(j.world.Policy.Hosts, j.world.Policy.Reachable, j.world.Policy.SSH), within) ||
		j.checks(func(check *url.URL) bool { return within(check.Hostname()) })
}

// listeners refuses access to this program's own listeners, however their name and port are written.
func (j *judge) listeners(c *invocation) error {
	hosts, ports := c.endpoints()
	if len(hosts) == 0 && len(ports) == 0 {
		return nil
	}
	if len(hosts) == 0 {
		hosts = []string{"localhost"}
	}
	if err := j.dashboard(hosts, ports); err != nil {
		return err
	}
	for _, listener := range j.world.Listeners {
		_, own, err := net.SplitHostPort(listener)
		if err != nil || !slices.ContainsFunc(ports, func(port string) bool { return portIn(port, own) }) {
			continue
		}
		for _, host := range hosts {
			switch here, known := j.isHere(host); {
			case here && j.nowhere != "":
				return final("no address of %s is known, and at port %s of this machine listens this program; use the address", quoted(j.nowhere), own)
			case here && known:
				return forbidden("%s, port %s, is this program's own", quoted(host), own)
			case here:
				return final("no address of %s is known, and at port %s of this machine listens this program; use the address", quoted(host), own)
			}
		}
	}
	return nil
}

// dashboard refuses access to the dashboard by the name that people use, and by an address of that name.
func (j *judge) dashboard(hosts, ports []string) error {
	name, own, _ := net.SplitHostPort(j.world.Dashboard)
	if name == "" || !slices.ContainsFunc(ports, func(port string) bool { return portIn(port, own) }) {
		return nil
	}
	for _, host := range hosts {
		if j.isDashboard(host) {
			return forbidden("%s, port %s, is this program's own dashboard", quoted(host), own)
		}
	}
	return nil
}

// isDashboard reports whether a host is the dashboard's name, or an address of that name.
func (j *judge) isDashboard(host string) bool {
	name, _, _ := net.SplitHostPort(j.world.Dashboard)
	name, host = plainHost(name), plainHost(host)
	addr, numeric, _ := address(host)
	return name != "" && (host == name || numeric && (addr.String() == name || j.world.Lookup != nil && slices.Contains(j.world.Lookup(name), addr)))
}

// endpoints returns the hosts and ports that a call may reach; ports as they are written.
func (c *invocation) endpoints() (hosts, ports []string) {
	reaches := false
	for _, v := range c.values {
		host, port := v.text, ""
		switch v.typ {
		case "url":
			if text, ok := schemed(v.text); ok {
				if u, err := url.Parse(text); err == nil {
					host, port = u.Hostname(), netname.Port(u)
				}
			}
		case "sshhost":
			host = sshHostName(v.text)
		case "host", "dbhost":
			if name, number, has := strings.Cut(v.text, ":"); has && canonical(number) {
				host, port = name, number
			}
		default:
			continue
		}
		hosts, ports, reaches = append(hosts, host), append(ports, port), true
	}
	if host, port, err := net.SplitHostPort(c.lastOf("-connect")); err == nil {
		hosts, ports, reaches = append(hosts, host), append(ports, port), true
	}
	if c.has("--resolve", "--connect-to") { // these can redirect a name to loopback
		hosts = append(hosts, "localhost")
	}
	switch {
	case c.rule.Check == "endpoint":
		for _, port := range c.operands[min(1, len(c.operands)):] {
			if n, err := net.LookupPort("tcp", port); err == nil { // a port given by its service name
				port = strconv.Itoa(n)
			}
			ports = append(ports, port)
		}
	case c.name == "ssh":
		ports = append(ports, c.valuesOf("-o")...)
	case !reaches:
		return nil, nil
	}
	return hosts, append(ports, c.valuesOf("-p", "-P", "--port", "--resolve", "--connect-to")...)
}

// portIn reports whether a word names a port: alone, in a range, after Port=, or in a redirection of a name.
func portIn(word, port string) bool {
	numbers := strings.FieldsFunc(word, func(r rune) bool { return r < '0' || r > '9' })
	for i, n := range numbers {
		if n = strings.TrimLeft(n, "0"); n == port {
			return true
		}
		if i > 0 && strings.Contains(word, numbers[i-1]+"-"+numbers[i]) {
			from, _ := strconv.Atoi(numbers[i-1])
			to, _ := strconv.Atoi(n)
			at, _ := strconv.Atoi(port)
			if from <= at && at <= to {
				return true
			}
		}
	}
	return false
}

// isHere reports whether a host is this machine: by its names, its addresses, or what a name resolves to. A name without known addresses
// counts as this machine, and known is then false.
func (j *judge) isHere(host string) (here, known bool) {
	host = plainHost(host)
	addr, numeric, _ := address(host)
	switch {
	case netname.Loopback(host), numeric && (addr.IsLoopback() || addr.IsUnspecified()):
		return !j.machine && (j.container == "" || j.world.SharesNetwork == nil || j.world.SharesNetwork(j.container)), true
	case numeric:
		return slices.Contains(interfaceAddresses(), addr), true
	case thisMachine(host):
		return true, true
	}
	var found []netip.Addr
	if j.world.Lookup != nil {
		found = j.world.Lookup(host)
	}
	own := interfaceAddresses()
	return len(found) == 0 || slices.ContainsFunc(found, func(addr netip.Addr) bool {
		addr = addr.Unmap()
		return addr.IsLoopback() || addr.IsUnspecified() || slices.Contains(own, addr)
	}), len(found) > 0
}

// interfaceAddresses returns the addresses of this machine's interfaces.
func interfaceAddresses() (list []netip.Addr) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range all {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil {
			list = append(list, prefix.Addr().Unmap())
		}
	}
	return list
}

// lastOf returns the last value of an option; empty if the option is not given.
func (c *invocation) lastOf(names ...string) string {
	last, _ := c.value(names...)
	return last
}
