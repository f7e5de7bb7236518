package web

import (
	"bytes"
	"embed"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/claudeops/claudeops/internal/text"
)

// This file defines what must hold for a page with any content.

//go:embed templates/*.html
var hostileTemplates embed.FS

// hostileRules define the elements and attributes that pages may have.
type hostileRules struct {
	elements   map[string]bool // by name
	attributes map[string]bool // of htmx, by name: other attributes have their own rules
}

// readHostileRules collects the elements of our templates and charts.
func readHostileRules() (hostileRules, error) {
	r := hostileRules{elements: map[string]bool{}, attributes: map[string]bool{}}
	const byParser = "html head body tbody" // even if a template omits them
	const inFunctions = "time"
	const inCharts = "svg g path rect line circle text title polyline polygon use symbol desc figure figcaption"
	for _, name := range strings.Fields(byParser + " " + inFunctions + " " + inCharts) {
		r.elements[name] = true
	}
	element, attribute := regexp.MustCompile(`<([a-z][a-z0-9]*)[\s>{/]`), regexp.MustCompile(`\s(hx-[a-z-]+)=`)
	files, err := hostileTemplates.ReadDir("templates")
	if err != nil {
		return r, err
	}
	for _, f := range files {
		text, err := hostileTemplates.ReadFile("templates/" + f.Name())
		if err != nil {
			return r, err
		}
		for _, found := range element.FindAllSubmatch(text, -1) {
			r.elements[string(found[1])] = true
		}
		for _, found := range attribute.FindAllSubmatch(text, -1) {
			r.attributes[string(found[1])] = true
		}
	}
	for _, never := range strings.Fields("iframe object embed applet frame frameset base math style template portal foreignobject animate set audio video source img image picture") {
		delete(r.elements, never)
	}
	return r, nil
}

// examine returns what is wrong with a page, as a browser would parse it, and the page's frame: the elements around content, each as its
// path from the root. Content must not be able to end or repeat them.
func (r hostileRules) examine(page []byte) (faults, frame []string) {
	faults = hostileBytes(page)
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return append(faults, err.Error()), nil
	}
	for n := range doc.Descendants() {
		switch n.Type {
		case html.CommentNode:
			faults = append(faults, fmt.Sprintf("a comment: %.60q", n.Data))
		case html.ElementNode:
			faults = append(faults, r.elementFaults(n)...)
			if !inFrame(n) {
				continue
			}
			way := n.Data
			for up := n.Parent; up != nil && up.Type == html.ElementNode; up = up.Parent {
				way = up.Data + " " + way
			}
			frame = append(frame, way)
		}
	}
	slices.Sort(frame)
	return faults, frame
}

// inFrame reports whether an element is part of a page's frame.
func inFrame(n *html.Node) bool {
	switch n.Data {
	case "html", "head", "body", "main", "h1", "script", "link", "meta", "base":
		return true
	case "header", "footer", "nav", "aside": // the number of those in a card or a list depends on the content
		return !slices.ContainsFunc(slices.Collect(n.Ancestors()), func(up *html.Node) bool { return up.Data == "main" })
	case "title":
		return n.Namespace == ""
	}
	return slices.Contains([]string{"page", "said", "stale"}, hostileAttr(n, "id")) || hostileAttr(n, "role") == "banner"
}

// hostileBytes are not permitted in any answer.
func hostileBytes(body []byte) (found []string) {
	if !utf8.Valid(body) {
		found = append(found, "bytes that are no UTF-8")
	}
	for i, c := range string(body) {
		if c != '\n' && c != '\t' && (c < ' ' || c == 0x7f || text.Steers(c)) {
			return append(found, fmt.Sprintf("%U at byte %d, behind %.60q", c, i, lastBytes(body[:i], 60)))
		}
	}
	return found
}

func lastBytes(b []byte, most int) []byte { return b[max(0, len(b)-most):] }

// hostileAttribute returns the name of an attribute that a template has.
var hostileAttribute = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9:-]*$`)

func (r hostileRules) elementFaults(n *html.Node) (found []string) {
	fault := func(format string, args ...any) {
		found = append(found, fmt.Sprintf("<%s>: "+format, append([]any{n.Data}, args...)...))
	}
	if !r.elements[strings.ToLower(n.Data)] {
		fault("no element of ours")
	}
	if n.DataAtom == atom.Script && (hostileAttr(n, "src") == "" || n.FirstChild != nil) {
		fault("a script within the page: %.80q", hostileText(n))
	}
	if n.DataAtom == atom.Meta && hostileAttr(n, "http-equiv") != "" {
		fault("http-equiv")
	}
	for _, a := range n.Attr {
		key := a.Key
		if a.Namespace != "" {
			key = a.Namespace + ":" + a.Key
		}
		switch {
		case !hostileAttribute.MatchString(key):
			fault("an attribute called %.60q", key)
		case strings.HasPrefix(key, "on"), key == "style", key == "srcdoc", key == "srcset", key == "formaction", key == "ping", key == "background",
			key == "poster", key == "data", key == "manifest", key == "is", key == "slot", key == "autofocus" && n.DataAtom != atom.Input, strings.HasPrefix(key, "data-hx-"):
			fault("the attribute %s=%.80q", key, a.Val)
		case strings.HasPrefix(key, "hx-"):
			if !r.attributes[key] {
				fault("the attribute %s=%.80q", key, a.Val)
			}
			if key == "hx-get" && !hostileSiteHas(a.Val) {
				fault("hx-get=%.80q", a.Val)
			}
		case key == "src":
			if !strings.HasPrefix(a.Val, "/assets/") {
				fault("src=%.80q", a.Val)
			}
		case key == "action":
			if !hostileSiteHas(a.Val) {
				fault("action=%.80q", a.Val)
			}
		case key == "xlink:href", key == "href" && n.Namespace == "svg":
			if !strings.HasPrefix(a.Val, "#") && !(strings.EqualFold(n.Data, "a") && hostileSiteHas(a.Val)) {
				fault("%s=%.80q", key, a.Val)
			}
		case key == "href":
			if n.DataAtom != atom.A && !strings.HasPrefix(a.Val, "/assets/") {
				fault("href=%.80q", a.Val)
			} else if !hostileSiteHas(a.Val) && !hostileWebLink(a.Val) {
				fault("href=%.80q", a.Val)
			}
		}
	}
	return found
}

// hostileSiteHas reports whether a browser would take a URL for one of this server.
func hostileSiteHas(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" || strings.ContainsAny(address, "\\\t\n\r") {
		return false
	}
	return strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") || strings.HasPrefix(address, "?") || strings.HasPrefix(address, "#")
}

// hostileWebLink reports whether a URL is an absolute web address.
func hostileWebLink(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && address == strings.TrimSpace(address) &&
		(strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://"))
}

func hostileAttr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hostileText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
