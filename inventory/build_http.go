package inventory

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
)

const (
	maxRedirects       = 20
	maxCertificateDays = 3650
)

func httpForm() form {
	return form{
		of: check.HTTP, what: "an http check",
		begin: func(c *Check) {
			c.HTTP = &HTTP{
				Method: "GET", Status: []StatusRange{{200, 299}}, Redirects: DefaultRedirects, CertificateDays: DefaultCertificateDays,
			}
		},
		fields: []field[Check]{
			{"url", func(b *builder, c *Check, value *node) { c.HTTP.URL = b.url(value, "url", httpURL) }},
			{"method", func(b *builder, c *Check, value *node) { c.HTTP.Method = b.method(value) }},
			{"headers", func(b *builder, c *Check, value *node) {
				c.HTTP.Headers = b.headers(value, "headers", (*builder).headerValue)
			}},
			{"headers_env", func(b *builder, c *Check, value *node) {
				c.HTTP.HeadersEnv = b.headers(value, "headers_env", (*builder).variable)
			}},
			{"status", func(b *builder, c *Check, value *node) { c.HTTP.Status = b.statuses(value) }},
			{"body", func(b *builder, c *Check, value *node) {
				c.HTTP.Body, _ = b.filled(value, "body", "what the answer contains")
			}},
			{"body_regex", func(b *builder, c *Check, value *node) { c.HTTP.BodyRegex = b.regex(value) }},
			{"redirects", func(b *builder, c *Check, value *node) { c.HTTP.Redirects = b.redirects(value) }},
			{"certificate_days", func(b *builder, c *Check, value *node) {
				c.HTTP.CertificateDays = b.whole(value, "certificate_days", 0, maxCertificateDays)
			}},
			{"ca", func(b *builder, c *Check, value *node) { c.HTTP.CA = b.path(value, "ca") }},
			{"insecure", func(b *builder, c *Check, value *node) { c.HTTP.Insecure = b.boolean(value, "insecure") }},
		},
		finish: func(b *builder, c *Check, n *node) {
			b.require(n, "url", "the http:// or https:// URL that is asked")
			for _, name := range slices.Sorted(maps.Keys(c.HTTP.HeadersEnv)) {
				if _, both := c.HTTP.Headers[name]; both {
					b.fault(n.member("headers_env"), "headers_env", shown(name)+" stands in headers too; must be in one of them")
				}
			}
			if c.HTTP.Insecure && c.HTTP.CA != "" {
				b.fault(n.member("ca"), "ca", "means nothing beside insecure, by which any certificate is believed; keep one of them")
			}
		},
	}
}

func (b *builder) method(value *node) string {
	given, ok := b.text(value, "method")
	if ok && (given == "" || len(given) > 20 || strings.Trim(given, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") != "" || given[0] == '-') {
		b.fault(value, "method", shown(given)+" is no HTTP method; must be in upper case, like GET, HEAD or POST")
	}
	return given
}

// headers reads a mapping of headers' names to what read makes of the values.
func (b *builder) headers(value *node, name string, read func(b *builder, value *node, name string) string) map[string]string {
	if !b.isMapping(value, name, "a mapping of headers' names") {
		return nil
	}
	headers := make(map[string]string, len(value.content)/2)
	for i := 0; i+1 < len(value.content); i += 2 {
		k := &value.content[i]
		header := canonicalHeader(k.value)
		_, twice := headers[header]
		switch {
		case k.kind == list || k.kind == mapping:
			b.fault(k, name, k.kind.String()+" as a key; must be a text")
		case !isToken(k.value):
			b.fault(k, name, shown(k.value)+" is no header's name; write it like X-Api-Key")
		case header == "Content-Length" || header == "Transfer-Encoding" || header == "Trailer":
			b.fault(k, name, header+" is written by the request itself; leave it out")
		case twice:
			b.fault(k, name, shown(k.value)+" is given twice (upper and lower case are one); must be given once")
		default:
			headers[header] = read(b, &value.content[i+1], name+": "+header)
		}
	}
	return headers
}

// headerValue never repeats the value in a fault: there may be a password in it.
func (b *builder) headerValue(value *node, name string) string {
	given, ok := b.text(value, name)
	if ok && strings.ContainsFunc(given, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		b.fault(value, name, "has a line break or another control character in it; must be one line")
		return ""
	}
	return given
}

// isToken reports whether a text can be a header's name (RFC 9110, 5.6.2).
func isToken(text string) bool {
	return text != "" && len(text) <= maxHost && !strings.ContainsFunc(text, func(r rune) bool {
		return !isLabel(r) && !strings.ContainsRune("!#$%&'*+.^`|~", r)
	})
}

// canonicalHeader is a header's name as HTTP's libraries write it: Content-Type.
func canonicalHeader(name string) string {
	canonical := []byte(name)
	upper := true
	for i, c := range canonical {
		switch {
		case upper && c >= 'a' && c <= 'z':
			canonical[i] -= 'a' - 'A'
		case !upper && c >= 'A' && c <= 'Z':
			canonical[i] += 'a' - 'A'
		}
		upper = c == '-'
	}
	return string(canonical)
}

const statusExpected = "must be a status code, like 200, \"2xx\" or \"200-299\""

func (b *builder) statuses(value *node) []StatusRange {
	if value.kind != list {
		return []StatusRange{b.status(value)}
	}
	if len(value.content) == 0 {
		b.fault(value, "status", "empty; "+statusExpected)
	}
	statuses := make([]StatusRange, len(value.content))
	for i := range value.content {
		statuses[i] = b.status(&value.content[i])
	}
	return statuses
}

func (b *builder) status(value *node) StatusRange {
	given := value.value
	if value.kind != str && value.kind != number {
		b.fault(value, "status", value.kind.String()+"; "+statusExpected)
		return StatusRange{}
	}
	if class, isClass := strings.CutSuffix(given, "xx"); isClass && len(class) == 1 && class[0] >= '1' && class[0] <= '5' {
		from := int(class[0]-'0') * 100
		return StatusRange{from, from + 99}
	}
	first, last, isRange := strings.Cut(given, "-")
	if !isRange {
		last = first
	}
	from, fine := digits(first)
	to, too := digits(last)
	switch {
	case !fine || !too || from < 100 || to > 599:
		b.fault(value, "status", shown(given)+"; "+statusExpected)
	case from > to:
		b.fault(value, "status", fmt.Sprintf("%q ends before it begins; write it like \"%d-%d\"", given, to, from))
	}
	return StatusRange{from, to}
}

func (b *builder) regex(value *node) *regexp.Regexp {
	given, ok := b.filled(value, "body_regex", "a regular expression")
	if !ok {
		return nil
	}
	if regex := b.regexes[given]; regex != nil {
		return regex
	}
	regex, err := regexp.Compile(given)
	b.regexes[given] = regex
	if err != nil {
		b.fault(value, "body_regex", strings.TrimPrefix(told(err), "error parsing regexp: ")+"; must be a regular expression as Go and RE2 have them")
	}
	return regex
}

func (b *builder) redirects(value *node) int {
	if value.kind == boolean {
		if b.boolean(value, "redirects") {
			b.fault(value, "redirects", "true; must be how many redirects are followed, or false")
		}
		return 0
	}
	return b.whole(value, "redirects", 0, maxRedirects)
}

// path is that of a file. It is absolute, since programs that read the inventory run in different folders.
func (b *builder) path(value *node, name string) string {
	given, ok := b.text(value, name)
	if ok && (!strings.HasPrefix(given, "/") || hasControl(given)) {
		b.fault(value, name, "not the path of a file; must begin with /")
	}
	return given
}
