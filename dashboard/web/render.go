package web

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	nethtml "golang.org/x/net/html"

	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
)

// maxPage limits a page; the longest page of real records is a fraction of it.
const maxPage = 16 << 20

// pageBuffer collects a page until its time or its limit is reached.
type pageBuffer struct {
	ctx  context.Context
	text bytes.Buffer
}

func (b *pageBuffer) Write(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.text.Len()+len(p) > maxPage {
		return 0, &fault{
			Status: http.StatusInternalServerError, Title: "This page is too long",
			Detail: "It would be longer than " + strconv.Itoa(maxPage>>20) + " MiB, which browsers do not bear.",
			Advice: "What it shows is in the database of the instance; `claudeops` prints it piece by piece.", Link: "/", LinkText: "First page",
		}
	}
	return b.text.Write(p)
}

// render executes a template. The result has no secrets and no control characters.
func (s *server) render(ctx context.Context, name string, v view) ([]byte, error) {
	page := s.pages[name]
	if page == nil {
		return nil, fmt.Errorf("there is no template for the page %q", name)
	}
	out := pageBuffer{ctx: ctx}
	if err := page.ExecuteTemplate(&out, "layout", v); err != nil {
		return nil, fmt.Errorf("make the page: %w", err)
	}
	return s.clean(out.text.Bytes()), nil
}

// page answers with a page. Nothing is sent before it is complete, so that a failure gets its own answer.
func (s *server) page(w http.ResponseWriter, r *http.Request, status int, name string, v view) {
	body, err := s.render(r.Context(), name, v)
	switch {
	case err == nil:
		writeBody(w, status, "text/html; charset=utf-8", body)
	case name == faultPage: // the templates themselves failed, so answer without them
		writeBody(w, http.StatusInternalServerError, "text/plain; charset=utf-8", []byte(s.cleanText("This page could not be made: "+err.Error()+"\n")))
	default:
		s.fail(w, r, err)
	}
}

// cleaner removes secrets from pages.
type cleaner struct {
	plain   *mask.Redactor // knows the secrets as they are
	escaped *mask.Redactor // knows them as written in HTML and in URLs
}

func newCleaner(r *mask.Redactor) cleaner { return cleaner{plain: r, escaped: r.With(escapedForms)} }

// escapedForms returns the forms, other than the plain one, in which a text may be written in a page.
func escapedForms(text string) []string {
	ofTemplates := strings.ReplaceAll(template.HTMLEscapeString(text), "+", "&#43;")
	query, path := url.QueryEscape(text), url.PathEscape(text)
	return []string{
		ofTemplates, template.HTMLEscapeString(text), query, path, strings.ReplaceAll(query, "+", "%20"),
		strings.ReplaceAll(path, "+", "&#43;"), strings.ReplaceAll(path, "&", "&amp;"),
	}
}

// clean makes finished HTML fit to be sent. A page without secrets, as almost all are, is only scanned. Otherwise they are removed from
// texts and visible attributes, so that markup stays intact even if it looks like a secret.
func (s *server) clean(page []byte) []byte {
	if out := s.cleaner.escaped.Bytes(page); len(out) != len(page) || &out[0] != &page[0] {
		page = s.cleaner.withoutSecrets(page)
	}
	return text.PrintableBytes(page)
}

// cleanText is clean for plain text.
func (s *server) cleanText(foreign string) string {
	return text.Printable(s.cleaner.plain.String(foreign))
}

// withoutSecrets rewrites a page token by token.
func (c cleaner) withoutSecrets(page []byte) []byte {
	var out bytes.Buffer
	from := nethtml.NewTokenizer(bytes.NewReader(page))
	raw := false // within an element whose text is not HTML
	for {
		kind := from.Next()
		if kind == nethtml.ErrorToken {
			return out.Bytes() // the only error is the end, as it reads from memory
		}
		asIs := string(from.Raw())
		token := from.Token()
		if kind == nethtml.StartTagToken {
			raw = token.Data == "script" || token.Data == "style"
		}
		switch {
		case kind == nethtml.TextToken && raw:
			asIs = c.plain.String(asIs)
		case kind == nethtml.TextToken:
			if text := c.escaped.String(token.Data); text != token.Data {
				asIs = html.EscapeString(text)
			}
		case kind == nethtml.CommentToken:
			asIs = ""
		case kind == nethtml.StartTagToken, kind == nethtml.SelfClosingTagToken:
			asIs = c.tag(asIs, token)
		}
		out.WriteString(asIs)
	}
}

// tag returns a tag without secrets in its attributes. Attributes for our own style and script contain no foreign text.
func (c cleaner) tag(asIs string, token nethtml.Token) string {
	changed := false
	for i, a := range token.Attr {
		switch a.Key {
		case "class", "id", "name", "type", "rel", "role", "method", "for", "lang", "d", "viewbox":
			continue
		}
		if strings.HasPrefix(a.Key, "hx-") && a.Key != "hx-get" {
			continue
		}
		if text := c.escaped.String(a.Val); text != a.Val {
			token.Attr[i].Val, changed = text, true
		}
	}
	if !changed {
		return asIs
	}
	return token.String()
}

// json writes v on one line, without secrets and control characters.
func (s *server) json(v any) ([]byte, error) {
	document, err := s.cleaner.plain.JSON(v)
	if err != nil {
		return nil, err
	}
	return []byte(text.PrintableJSON(string(document))), nil
}
