package inventory

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"

	"github.com/claudeops/claudeops/check"
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
	if bare == "" || len(bare) > maxHost || bare[0] == '-' || bare[0] == '.' {
		return false
	}
	if strings.Contains(bare, ":") {
		addr, err := netip.ParseAddr(bare)
		return err == nil && !strings.ContainsFunc(addr.Zone(), func(r rune) bool { return !isLabel(r) && r != '.' })
	}
	if bare[len(bare)-1] == '.' || strings.Contains(bare, "..") {
		return false
	}
	for _, r := range bare {
		if !isLabel(r) && r != '.' && (r <= unicode.MaxASCII || !unicode.In(r, unicode.L, unicode.M, unicode.Nd)) {
			return false
		}
	}
	return true
}

// isLabel reports whether r is an ASCII letter or digit, a dash or an underscore.
func isLabel(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}

// urlHost is the host of a check's URL, empty where it names none, as that of a socket or a file. The fault never repeats
// the URL: there may be a password in it.
func urlHost(text string, of check.Type) (host, fault string) {
	u, err := url.Parse(text)
	switch {
	case of == check.HTTP && (err != nil || u.Scheme != "http" && u.Scheme != "https" || !isHost(bareHost(u.Hostname()))):
		return "", "not an http URL; write it like https://host:8443/path"
	case err != nil || u.Scheme == "" || u.Opaque != "":
		return "", "not a URL; write it like scheme://host:port/path"
	case u.Host == "":
		return "", ""
	}
	if host = bareHost(u.Hostname()); !isHost(host) {
		return "", "a URL whose host is none; write it like scheme://host:port/path"
	}
	return host, ""
}

// addressHost is the host of a host, server or address; empty for the path of a socket.
func addressHost(text string) (host, fault string) {
	if strings.HasPrefix(text, "/") {
		return "", ""
	}
	if host = bareHost(text); !isHost(host) {
		return "", "neither a host nor a host with a port; write it like db1, db1:5432 or [2001:db8::1]:5432"
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
