package probe

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"github.com/claudeops/claudeops/internal/strict"
)

// Patterns of hosts in the JSON schema: a name or IPv4 address, and an IPv6 address.
const (
	hostPattern = `[^\\x00-\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\x7f][^\\x00-\\x2c\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\x7f]*`
	ip6Pattern  = `[0-9A-Fa-f]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%[A-Za-z0-9_.-]+)?`
)

// BareHost returns the host in text in normal form: without port, brackets and a dot at the end, ASCII letters in lower case, an IP
// address as netip formats it. If text contains no host, isHost refuses the result.
func BareHost(text string) string {
	host := strings.TrimSuffix(withoutPort(text), ".")
	if strings.Contains(host, ":") || host != "" && host[0] >= '0' && host[0] <= '9' {
		if ip, err := netip.ParseAddr(host); err == nil {
			return ip.Unmap().String()
		}
	}
	return lower(host)
}

// withoutPort removes the port and the brackets of an IPv6 address. A text with several colons and no brackets is an IPv6 address.
func withoutPort(text string) string {
	if inner, bracketed := strings.CutPrefix(text, "["); bracketed {
		host, rest, closed := strings.Cut(inner, "]")
		if port, found := strings.CutPrefix(rest, ":"); closed && (rest == "" || found && isPort(port)) {
			return host
		}
		return text
	}
	if host, port, found := strings.Cut(text, ":"); found && isPort(port) {
		return host
	}
	return text
}

func isPort(text string) bool {
	return text != "" && len(text) <= 5 && strings.Trim(text, "0123456789") == ""
}

// lower lower-cases only ASCII letters: a look-alike (the Kelvin sign for a k) must not become a letter.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// maxHost limits a host name, in bytes (RFC 1035, 2.3.4).
const maxHost = 253

// isHost reports whether a result of BareHost is a name or an address. It must not begin with a dash, which programs would read as an
// option.
func isHost(bare string) bool {
	if bare == "" || len(bare) > maxHost || bare[0] == '-' || bare[0] == '.' || bare[len(bare)-1] == '.' {
		return false
	}
	if strings.Contains(bare, ":") {
		addr, err := netip.ParseAddr(bare)
		return err == nil && !strings.ContainsFunc(addr.Zone(), func(r rune) bool { return !isLabel(r) && r != '.' })
	}
	if strings.Contains(bare, "..") || !isASCII(ascii(bare)) {
		return false
	}
	return !strings.ContainsFunc(bare, func(r rune) bool { return !isLetter(r) && r != '.' })
}

// isLetter reports whether r may be in a label: as for isLabel, or a non-ASCII letter or digit.
func isLetter(r rune) bool {
	return isLabel(r) || r > unicode.MaxASCII && unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// isLabel reports whether r is an ASCII letter or digit, a dash or an underscore.
func isLabel(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}

// names writes names beyond ASCII as DNS has them; unlike idna.Lookup, it permits underscores.
var names = idna.New(idna.MapForLookup(), idna.StrictDomainName(false))

// ascii returns a host, with or without a port, as DNS has it. What is not possible in DNS stays as it is.
func ascii(text string) string {
	name, err := names.ToASCII(text)
	if err != nil || isASCII(text) {
		return text
	}
	return name
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

// httpURL returns the host of an http check's URL. The fault never quotes the URL, which may contain a password.
func httpURL(text string) (host, fault string) {
	u, fault := parseURL(text, "https://host:8443/path", "http", "https")
	switch {
	case fault != "":
		return "", fault
	case u.Host == "":
		return "", "a URL without a host; write it like https://host:8443/path"
	}
	return BareHost(u.Hostname()), ""
}

// databaseURL returns the host of a database check's URL; empty for a file.
func databaseURL(text string) (host, fault string) {
	u, fault := parseURL(text, "postgres://probe@db1:5432/shop", "postgres", "postgresql", "mysql", "mariadb", "redis", "rediss", sqliteScheme)
	switch {
	case fault != "":
		return "", fault
	case u.Scheme == sqliteScheme && (u.Host != "" || u.User != nil || u.Path == "" || strings.HasSuffix(u.Path, "/")):
		return "", "not the path of a file that begins with /; write it like sqlite:///srv/shop.db, with three slashes"
	}
	d, fault := parseDatabase(text)
	if fault == "" && u.Host == "" && d.network == "tcp" {
		socket := "?socket=/path"
		if strings.HasPrefix(u.Scheme, "postgres") {
			socket = "?host=/folder"
		}
		fault = "a URL without a host; write it like " + u.Scheme + "://probe@db1/shop, or " + socket + " for that of a socket"
	}
	return BareHost(u.Hostname()), fault
}

// engineURL returns the host of a container engine's URL; empty for a socket.
func engineURL(text string) (host, fault string) {
	u, fault := parseURL(text, "unix:///var/run/docker.sock or tcp://docker1:2376", "unix", "tcp", "http", "https")
	switch {
	case fault != "":
		return "", fault
	case u.Scheme == "unix" && (u.Host != "" || len(u.Path) < 2):
		return "", "not the path of a socket that begins with /; write it like unix:///var/run/docker.sock, with three slashes"
	case u.Scheme != "unix" && u.Host == "":
		return "", "a URL without a host; write it like tcp://docker1:2376"
	}
	return BareHost(u.Hostname()), ""
}

// parseURL parses a URL with one of the schemes. Its host must be valid, if it has one.
func parseURL(text, example string, schemes ...string) (u *url.URL, fault string) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme == "" || !strings.HasPrefix(text[len(u.Scheme):], "://") || strict.HasControl(text) || strict.HasControl(u.Path):
		return nil, "not a URL; write it like " + example
	case !slices.Contains(schemes, u.Scheme):
		return nil, "a URL of another kind; write it like " + example
	case u.Host == "":
		return u, ""
	case !isHost(BareHost(u.Hostname())):
		return nil, "a URL with an invalid host; write it like " + example
	case u.Port() != "" && !inPorts(u.Port()):
		return nil, "a URL with an invalid port; must be from 1 to 65535"
	}
	return u, ""
}

func inPorts(port string) bool {
	n, err := strconv.Atoi(port)
	return err == nil && n >= 1 && n <= 65535
}

// portIn returns the port after a host; empty if there is none.
func portIn(text string) string {
	if host := withoutPort(text); host != text && !strings.HasSuffix(text, "]") {
		return text[strings.LastIndexByte(text, ':')+1:]
	}
	return ""
}

// addressHost returns the host of an address HOST:PORT; empty for the path of a socket.
func addressHost(text string) (host, fault string) {
	const expected = "write it like db1:5432, [2001:db8::1]:5432 or /run/db.sock"
	if strings.HasPrefix(text, "/") {
		if text == "/" || strict.HasControl(text) {
			return "", "not the path of a socket; " + expected
		}
		return "", ""
	}
	host = BareHost(text)
	switch port := portIn(text); {
	case !isHost(host):
		return "", "neither a host with a port nor the path of a socket; " + expected
	case port == "":
		return "", "a host without a port; " + expected
	case !inPorts(port):
		return "", "a port that is none, from 1 to 65535; " + expected
	}
	return host, ""
}

// serverHost returns the host of a server; the port is optional.
func serverHost(text string) (host, fault string) {
	host = BareHost(text)
	if port := portIn(text); !isHost(host) || port != "" && !inPorts(port) {
		return "", "neither a host nor a host with a port; write it like 10.0.0.53, 10.0.0.53:5353 or [2001:db8::53]:53"
	}
	return host, ""
}

// SSHHost returns the host of an ssh target.
func SSHHost(text string) (host, fault string) {
	user, host, found := strings.Cut(text, "@")
	if !found {
		user, host = "x", text
	}
	isUser := user != "" && user[0] != '-' && !strings.ContainsFunc(user, func(r rune) bool { return !isLabel(r) && r != '.' })
	if bare := BareHost(host); isUser && isHost(bare) && withoutPort(host) == host {
		return bare, ""
	}
	return "", "not what ssh reaches; write it like db1 or ops@db1, without a port (that belongs into ssh's own configuration)"
}

// SSHPattern is the pattern of an ssh target in the JSON schema.
const SSHPattern = `^([A-Za-z0-9_.][A-Za-z0-9_.-]*@)?(` + hostPattern + `|` + ip6Pattern + `)$`

// hostOfURL returns the host of a URL; empty if it has none.
func hostOfURL(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return BareHost(u.Hostname())
}

// withoutUser returns a URL for people: without user, query and fragment.
func withoutUser(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}
