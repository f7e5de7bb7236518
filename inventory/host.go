package inventory

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// bareHost is the host that text names, in one spelling: without port, brackets and a dot at the end, ASCII letters in
// lower case, an IP address as netip writes it. Of text that names no host it makes something that isHost refuses.
func bareHost(text string) string {
	host := strings.TrimSuffix(withoutPort(text), ".")
	if strings.Contains(host, ":") || host != "" && host[0] >= '0' && host[0] <= '9' {
		if ip, err := netip.ParseAddr(host); err == nil {
			return ip.Unmap().String()
		}
	}
	return lower(host)
}

// withoutPort also takes the brackets of an IPv6 address away. More than one colon without them is such an address.
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

// lower leaves letters beyond ASCII alone: a look-alike (the Kelvin sign for a k) must not become the letter.
func lower(text string) string {
	for i := range len(text) {
		if text[i] >= 'A' && text[i] <= 'Z' {
			return strings.Map(lowerASCII, text)
		}
	}
	return text
}

func lowerASCII(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		r += 'a' - 'A'
	}
	return r
}

// maxHost is how long a host's name may be, in bytes (RFC 1035, 2.3.4).
const maxHost = 253

// isHost reports whether what bareHost made is a name or an address. None begins with a dash, which programs take for an option.
func isHost(bare string) bool {
	if bare == "" || len(bare) > maxHost || bare[0] == '-' || bare[0] == '.' || bare[len(bare)-1] == '.' {
		return false
	}
	if strings.Contains(bare, ":") {
		addr, err := netip.ParseAddr(bare)
		return err == nil && !strings.ContainsFunc(addr.Zone(), func(r rune) bool { return !isLabel(r) && r != '.' })
	}
	if strings.Contains(bare, "..") {
		return false
	}
	for _, r := range bare {
		if !isLetter(r) && r != '.' {
			return false
		}
	}
	return true
}

// isLetter reports whether r may stand in a host's label: isLabel, or a letter or digit beyond ASCII.
func isLetter(r rune) bool {
	return isLabel(r) || r > unicode.MaxASCII && unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// isLabel reports whether r is an ASCII letter or digit, a dash or an underscore.
func isLabel(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}

// httpURL is the host of an http check's URL. No fault of a URL ever repeats it: there may be a password in it.
func httpURL(text string) (host, fault string) {
	u, fault := parseURL(text, "https://host:8443/path", isHTTP)
	switch {
	case fault != "":
		return "", fault
	case u.Host == "":
		return "", "a URL without a host; write it like https://host:8443/path"
	}
	return bareHost(u.Hostname()), ""
}

func isHTTP(scheme string) bool { return scheme == "http" || scheme == "https" }

// databaseURL is the host of a database check's URL, empty where it is a file.
func databaseURL(text string) (host, fault string) {
	u, fault := parseURL(text, "postgres://probe@db1:5432/shop", isDatabase)
	switch {
	case fault != "":
		return "", fault
	case u.Scheme == sqliteScheme && (u.Host != "" || u.User != nil || u.Path == "" || strings.HasSuffix(u.Path, "/")):
		return "", "not the path of a file that begins with /; write it like sqlite:///srv/shop.db, with three slashes"
	case u.Scheme != sqliteScheme && u.Host == "" && !hasSocket(u.RawQuery):
		return "", "a URL without a host; write it like " + u.Scheme + "://probe@db1/shop, or ?socket=/path for that of a socket"
	}
	return bareHost(u.Hostname()), ""
}

// hasSocket reports whether a database URL's options say where its socket is: its path, or for PostgreSQL that of its folder.
func hasSocket(options string) bool {
	values, err := url.ParseQuery(options)
	return err == nil && (strings.HasPrefix(values.Get("socket"), "/") || strings.HasPrefix(values.Get("host"), "/"))
}

// engineURL is the host of a container engine's URL, empty where it is a socket.
func engineURL(text string) (host, fault string) {
	u, fault := parseURL(text, "unix:///var/run/docker.sock or tcp://docker1:2376", isEngine)
	switch {
	case fault != "":
		return "", fault
	case u.Scheme == "unix" && (u.Host != "" || len(u.Path) < 2):
		return "", "not the path of a socket that begins with /; write it like unix:///var/run/docker.sock, with three slashes"
	case u.Scheme != "unix" && u.Host == "":
		return "", "a URL without a host; write it like tcp://docker1:2376"
	}
	return bareHost(u.Hostname()), ""
}

func isEngine(scheme string) bool { return scheme == "unix" || scheme == "tcp" || isHTTP(scheme) }

// parseURL takes a URL of one of the schemes that fit, whose host, where it has one, can be one.
func parseURL(text, example string, fits func(scheme string) bool) (u *url.URL, fault string) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme == "" || !strings.HasPrefix(text[len(u.Scheme):], "://") || hasControl(text) || hasControl(u.Path):
		return nil, "not a URL; write it like " + example
	case !fits(u.Scheme):
		return nil, "a URL of another kind; write it like " + example
	case u.Host == "":
		return u, ""
	case !isHost(bareHost(u.Hostname())):
		return nil, "a URL whose host is none; write it like " + example
	case u.Port() != "" && !inPorts(u.Port()):
		return nil, "a URL whose port is none; must be from 1 to 65535"
	}
	return u, ""
}

func inPorts(port string) bool {
	n, err := strconv.Atoi(port)
	return err == nil && n >= 1 && n <= 65535
}

// portOf is the port behind a host, empty where there is none.
func portOf(text string) string {
	if host := withoutPort(text); host != text && !strings.HasSuffix(text, "]") {
		return text[strings.LastIndexByte(text, ':')+1:]
	}
	return ""
}

// addressHost is the host of an address, a host with its port; empty for the path of a socket.
func addressHost(text string) (host, fault string) {
	const expected = "write it like db1:5432, [2001:db8::1]:5432 or /run/db.sock"
	if strings.HasPrefix(text, "/") {
		if text == "/" || hasControl(text) {
			return "", "not the path of a socket; " + expected
		}
		return "", ""
	}
	host = bareHost(text)
	switch port := portOf(text); {
	case !isHost(host):
		return "", "neither a host with a port nor the path of a socket; " + expected
	case port == "":
		return "", "a host without a port; " + expected
	case !inPorts(port):
		return "", "a port that is none, from 1 to 65535; " + expected
	}
	return host, ""
}

// serverHost is the host of a server, which need not have a port.
func serverHost(text string) (host, fault string) {
	host = bareHost(text)
	if port := portOf(text); !isHost(host) || port != "" && !inPorts(port) {
		return "", "neither a host nor a host with a port; write it like 10.0.0.53, 10.0.0.53:5353 or [2001:db8::53]:53"
	}
	return host, ""
}

// sshHost is the host of an ssh target.
func sshHost(text string) (host, fault string) {
	host = text
	if user, rest, found := strings.Cut(text, "@"); found {
		if host = rest; !isUser(user) {
			host = ""
		}
	}
	if bare := bareHost(host); bare != "" && isHost(bare) && withoutPort(host) == host {
		return bare, ""
	}
	return "", "not what ssh reaches; write it like db1 or ops@db1, without a port (that belongs into ssh's own configuration)"
}

func isUser(name string) bool {
	return name != "" && name[0] != '-' && !strings.ContainsFunc(name, func(r rune) bool { return !isLabel(r) && r != '.' })
}
