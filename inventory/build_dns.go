package inventory

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
)

func dnsForm() form {
	return form{
		of: check.DNS, what: "a dns check",
		begin: func(c *Check) { c.DNS = &DNS{Record: "A"} },
		fields: []field[Check]{
			{"name", func(b *builder, c *Check, value *node) { c.DNS.Name, _ = b.text(value, "name") }}, // judged by its record
			{"record", func(b *builder, c *Check, value *node) { c.DNS.Record = b.record(value) }},
			{"server", func(b *builder, c *Check, value *node) { c.DNS.Server = b.server(value) }},
			{"answer", func(b *builder, c *Check, value *node) { c.DNS.Answer = b.answers(value) }},
		},
		finish: func(b *builder, c *Check, n *node) {
			b.require(n, "name", "the name that is asked for")
			value := n.member("name")
			if value == nil || value.kind != str {
				return
			}
			address, err := netip.ParseAddr(c.DNS.Name)
			switch isAddress := err == nil && address.Zone() == ""; {
			case isAddress && c.DNS.Record != "PTR":
				b.fault(value, "name", shown(c.DNS.Name)+" is an address, whose name `record: PTR` asks for; must be a name like www.example.org")
			case !isAddress && !isDomain(c.DNS.Name):
				b.fault(value, "name", shown(c.DNS.Name)+" is no name of DNS; write it like www.example.org")
			}
		},
	}
}

// records are the types of records that a dns check may ask for.
func records() []string {
	return []string{"A", "AAAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT", "CAA"}
}

func (b *builder) record(value *node) string {
	given, ok := b.text(value, "record")
	if ok && !slices.Contains(records(), given) {
		b.fault(value, "record", shown(given)+" is none of "+strings.Join(records(), ", "))
	}
	return given
}

// server is a host, or a host with a port.
func (b *builder) server(value *node) string {
	return b.reaches(value, "server", serverHost)
}

func (b *builder) answers(value *node) []string {
	const expected = "what must be among the answers"
	if value.kind != list {
		given, _ := b.filled(value, "answer", expected)
		return []string{given}
	}
	if len(value.content) == 0 {
		b.fault(value, "answer", "empty; must be "+expected+", or left out for any")
	}
	answers := make([]string, len(value.content))
	for i := range value.content {
		answers[i], _ = b.filled(&value.content[i], "answer", expected)
	}
	return answers
}

// isDomain reports whether DNS can be asked for a name: labels of at most 63 bytes, a dot at the end or none. Underscores, letters
// beyond ASCII, slashes (RFC 2317) and a star for the first label are such too.
func isDomain(name string) bool {
	if name == "." {
		return true // the root
	}
	name = strings.TrimSuffix(name, ".")
	if name == "" || len(name) > maxHost {
		return false
	}
	for label := range strings.SplitSeq(strings.TrimPrefix(name, "*."), ".") {
		if label == "" || len(label) > 63 || strings.ContainsFunc(label, func(r rune) bool { return !isLetter(r) && r != '/' }) {
			return false
		}
	}
	return true
}
