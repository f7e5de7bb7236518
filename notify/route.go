package notify

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/store"
)

// Route is a target and how to reach it.
type Route struct {
	Target
	URL  string // an Apprise URL; empty if an Apprise API server uses its stored configuration
	Text bool   // the target's URL asks for plain text
	Mask Mask   // for text about the target
}

// Routes returns the routes to the targets: one for each URL, so that a failing one does not affect the others, or one for the stored
// configuration of an Apprise API server.
func (s Settings) Routes() []Route {
	if s.APIURL != "" && s.Key != "" {
		name := WebName(s.APIURL) + ", its stored configuration"
		if s.Tags != "" {
			name += " (tags " + Clip(s.Tags, MaxTitle) + ")"
		}
		return []Route{{Target: Target{Hash: hash("key", s.APIURL, s.Key, s.Tags), Name: name}, Mask: s.mask()}}
	}
	var routes []Route
	for _, entry := range s.URLs {
		name, u := config.CutTargetName(entry)
		if slices.ContainsFunc(routes, func(r Route) bool { return r.URL == u }) {
			continue
		}
		routes = append(routes, Route{Target: Target{Hash: hash("url", u), Name: cmp.Or(name, appriseName(u))}, URL: u, Text: asksForText(u), Mask: s.mask(u)})
	}
	tellApart(routes)
	return routes
}

// mask also masks the settings' own secrets.
func (s Settings) mask(urls ...string) Mask {
	if s.APIURL != "" {
		urls = append(urls, s.APIURL)
	}
	if s.Key != "" {
		urls = append(urls, s.Key)
	}
	return NewMask(urls...)
}

// Form returns the message as the route's target gets it, and Apprise's name for that format.
func (r Route) Form(m Message) (form Message, format string) {
	if form, format = m.Markdown(), "markdown"; r.Text {
		form, format = m.Plain(), "text"
	}
	if form.Type == "" {
		form.Type = store.InfoMessage
	}
	return form, format
}

// hash identifies a target in the outbox. It depends only on the parts, not on how messages are sent.
func hash(parts ...string) string {
	sum := sha256.Sum256([]byte("claudeops: target of notifications\x00" + strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// tellApart numbers targets with the same name.
func tellApart(routes []Route) {
	seen := map[string]int{}
	for i := range routes {
		name := routes[i].Name
		if seen[name]++; seen[name] > 1 {
			routes[i].Name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
	}
}

// WebName returns an http or https URL for people: without password, path and query.
func WebName(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "a URL that cannot be read"
	}
	return u.Scheme + "://" + u.Host
}

// appriseName returns an Apprise URL for people: "ntfy://ntfy.sh", or "tgram://…" if a token is in the place of the host.
func appriseName(text string) string {
	scheme, rest, _ := strings.Cut(text, "://")
	host := plainHost(authority(rest))
	if host == "" {
		host = "…"
	}
	return Clip(strings.ToLower(scheme), MaxTitle) + "://" + host
}

// authority returns the part of a URL between scheme and path.
func authority(rest string) string {
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		return rest[:end]
	}
	return rest
}

// plainName matches a host that is no token: the name of a domain, or of a neighbour with its port. Longer labels, and
// such with capitals, look like tokens.
var plainName = lazy.Regexp(`^(([a-z0-9-]{1,24}\.)+[a-z]{2,12}(:[0-9]{1,5})?|[a-z][a-z0-9-]{0,23}:[0-9]{1,5}|localhost)$`)

// plainHost returns the host and port of an authority; empty if they may be a token.
func plainHost(authority string) string {
	at := authority[strings.LastIndexByte(authority, '@')+1:]
	if addr, err := netip.ParseAddrPort(at); err == nil {
		return addr.String()
	}
	addr, err := netip.ParseAddr(strings.Trim(at, "[]"))
	if err == nil && addr.Zone() == "" || plainName().MatchString(at) {
		return at
	}
	return ""
}

// asksForText reports whether an Apprise URL asks for plain text.
func asksForText(text string) bool {
	_, query, _ := strings.Cut(text, "?")
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(pair, "="); strings.EqualFold(name, "format") && strings.EqualFold(value, "text") {
			return true
		}
	}
	return false
}
