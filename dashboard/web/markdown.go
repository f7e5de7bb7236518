package web

import (
	"bufio"
	"bytes"
	"errors"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	marktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/idna"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// maxMarkdown is how much of a text is shown, and maxRendered how much HTML it may become, in bytes.
	maxMarkdown = 128 << 10
	maxRendered = 1 << 20
	// maxParsed is how long a text may be for its Markdown to be read. Agents' reports have a few thousand bytes.
	maxParsed = 16 << 10
	// maxOpening is how many characters, or runs of one, may open emphasis, code, links, tags or escapes.
	maxOpening = 3000
	// maxCells bounds the tables of a text: each row becomes as many cells as the table has columns, written or not.
	maxCells = 20_000
	// maxNesting is how deep lists, quotes and emphasis may be nested. A report that a person would write has fewer than ten levels.
	maxNesting = 24
	// firstHeading is the level of a text's highest headings: one below that of the sections of our pages.
	firstHeading = 3
)

// reports turns Markdown into HTML, in goldmark's safe mode. HTML is no part of this Markdown, and images and links to anything but http are
// shown as the text that they are, so that a reader sees what was tried.
var reports = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(without(parser.DefaultBlockParsers(), parser.NewHTMLBlockParser())...),
		parser.WithInlineParsers(without(parser.DefaultInlineParsers(), parser.NewRawHTMLParser())...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)),
	goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), // style="" is not allowed by our policy
		extension.Strikethrough,
	),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(reportRenderer{}, 100))),
)

func without(parsers []util.PrioritizedValue, one any) []util.PrioritizedValue {
	return slices.DeleteFunc(parsers, func(p util.PrioritizedValue) bool { return p.Value == one })
}

// markdown renders a foreign text. What is far too long is cut, and said to be; what is long, is nested deep, takes the parser too much to
// read, or would become too much HTML, is shown as it was written.
func markdown(source string) template.HTML {
	cut := 0
	if len(source) > maxMarkdown {
		cut = len(source)
		source = text.ShortenBytes(source, maxMarkdown)
		cut -= len(source)
	}
	source = clipLines(text.Printable(strings.ToValidUTF8(source, "\uFFFD")))
	var out bounded
	if len(source) > maxParsed || crowded(source) || !render(&out, []byte(source)) {
		out.Reset()
		out.WriteString(`<pre class="asis">`)
		out.WriteString(template.HTMLEscapeString(source))
		out.WriteString("</pre>")
	}
	if cut > 0 {
		out.WriteString(`<p class="cut">` + template.HTMLEscapeString(count(cut)) + ` more bytes are not shown; they are in the raw log.</p>`)
	}
	return template.HTML(out.String()) //nolint:gosec // made by goldmark in its safe mode, and by the renderer below
}

// bounded takes so much HTML and no more.
type bounded struct{ bytes.Buffer }

var errTooMuch = errors.New("too much HTML")

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxRendered {
		return 0, errTooMuch
	}
	return b.Buffer.Write(p)
}

// blankLines are more of them than mean anything in Markdown. The parser remembers each for every list item that it is in.
var blankLines = regexp.MustCompile(`\n(?:[ \t]*\n){3,}`)

func render(out *bounded, source []byte) bool {
	source = blankLines.ReplaceAllLiteral(source, []byte("\n\n\n"))
	document := reports.Parser().Parse(marktext.NewReader(source), parser.WithContext(parser.NewContext()))
	if deeper(document, maxNesting) {
		return false
	}
	settleHeadings(document)
	return reports.Renderer().Render(bufio.NewWriter(out), source, document) == nil
}

// settleHeadings gives a text's headings levels below our own of which none is left out, as who moves from heading to heading expects.
func settleHeadings(document ast.Node) {
	var above []int // the levels, as they were written, of the headings that the next one may be below
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		heading, is := n.(*ast.Heading)
		if !is || !entering {
			return ast.WalkContinue, nil
		}
		for len(above) > 0 && above[len(above)-1] >= heading.Level {
			above = above[:len(above)-1]
		}
		above = append(above, heading.Level)
		heading.Level = min(6, firstHeading+len(above)-1)
		return ast.WalkContinue, nil
	})
}

// deeper reports whether a node has descendants more than so many levels below it. It looks no deeper than that.
func deeper(n ast.Node, levels int) bool {
	if levels == 0 {
		return n.HasChildren()
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if deeper(c, levels-1) {
			return true
		}
	}
	return false
}

// crowded is about texts for which a parser of Markdown takes a time or a memory that grows with the square of their length: much that opens
// something, deep nesting, wide tables of many rows. No real report is like that.
func crowded(source string) bool {
	lines, columns := 0, 0
	for line := range strings.Lines(source) {
		if quoteDepth(line) > maxNesting {
			return true
		}
		lines++
		columns = max(columns, strings.Count(line, "|"))
	}
	opening := strings.Count(source, "[") + strings.Count(source, "<") + strings.Count(source, `\|`) + runs(source, "*_~`")
	return columns*lines > maxCells || opening > maxOpening
}

// runs is how many runs of one of these characters there are: a line of stars is one.
func runs(text, characters string) (n int) {
	for i := range len(text) {
		if strings.IndexByte(characters, text[i]) >= 0 && (i == 0 || text[i-1] != text[i]) {
			n++
		}
	}
	return n
}

// quoteDepth is how many quotes and list items a line opens. A rule, which is written with the same characters, opens none, nor does a
// mark of a list item that text follows without a blank.
func quoteDepth(line string) int {
	depth, rule := 0, true
	for {
		line = strings.TrimLeft(line, " \t\r\n")
		if line == "" {
			if rule {
				return 0
			}
			return depth
		}
		found := mark.FindString(line)
		if found == "" {
			return depth
		}
		rule = rule && strings.ContainsAny(found[:1], "-*")
		line = line[len(found):]
		depth++
	}
}

// mark is the mark of a quote, or of a list item with the blank or the line's end behind it.
var mark = regexp.MustCompile(`^(?:>|(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t\r\n]|$))`)

// maxLine is how much of a line is shown, in bytes: browsers take minutes to break a word of a megabyte into lines.
const maxLine = 4 << 10

// clipLines cuts lines that are too long, and says of each how much is missing.
func clipLines(long string) string {
	if len(long) <= maxLine {
		return long
	}
	var b strings.Builder
	for line := range strings.Lines(long) {
		if len(line) <= maxLine {
			b.WriteString(line)
			continue
		}
		line = strings.TrimSuffix(line, "\n")
		shown := text.ShortenBytes(line, maxLine)
		b.WriteString(shown + "… (" + count(len(line)-len(shown)) + " more bytes in this line)\n")
	}
	return b.String()
}

// reportRenderer renders the nodes that goldmark's own renderer would render in another way than we want.
type reportRenderer struct{}

func (reportRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, renderLink)
	r.Register(ast.KindAutoLink, renderAutoLink)
	r.Register(ast.KindImage, renderImage)
	r.Register(extensionast.KindTable, renderTable)
}

// webAddress returns an address that a link may have, with the host that it leads to in ASCII. Only whole addresses of the web are links:
// a relative one would lead to our own pages.
func webAddress(destination []byte) (address, host string) {
	u, err := url.Parse(string(destination))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Opaque != "" {
		return "", ""
	}
	host, err = idna.Punycode.ToASCII(u.Hostname())
	if err != nil || host == "" {
		return "", ""
	}
	if u.User != nil {
		u.User = url.User(u.User.Username()) // a password would be masked, and the address be none
	}
	return u.String(), host
}

func openLink(w util.BufWriter, address string) {
	_, _ = w.WriteString(`<a rel="noopener noreferrer nofollow external" href="`)
	_, _ = w.Write(util.EscapeHTML([]byte(address)))
	_, _ = w.WriteString(`">`)
}

// writeTarget writes where something leads to. Its error ends the rendering: a text may name one long address in many places.
func writeTarget(w util.BufWriter, before string, where []byte, after string) (ast.WalkStatus, error) {
	_, _ = w.WriteString(before + ` <span class="host">(`)
	_, _ = w.Write(util.EscapeHTML(where))
	if _, err := w.WriteString(`)</span>` + after); err != nil {
		return ast.WalkStop, err
	}
	return ast.WalkContinue, nil
}

func renderLink(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	destination := node.(*ast.Link).Destination
	address, host := webAddress(destination)
	switch {
	case address == "" && !entering:
		return writeTarget(w, "", destination, "")
	case address == "":
	case entering:
		openLink(w, address)
	default:
		return writeTarget(w, "</a>", []byte(host), "")
	}
	return ast.WalkContinue, nil
}

func renderAutoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.AutoLink)
	address, host := webAddress(n.URL(source))
	if address != "" {
		openLink(w, address)
	}
	_, _ = w.Write(util.EscapeHTML(n.Label(source)))
	if address != "" {
		return writeTarget(w, "</a>", []byte(host), "")
	}
	return ast.WalkContinue, nil
}

// renderImage writes what the image is said to show, and loads nothing.
func renderImage(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<span class="image">image: `)
		return ast.WalkContinue, nil
	}
	return writeTarget(w, "", node.(*ast.Image).Destination, "</span>")
}

// renderTable gives a table a box of its own to scroll in.
func renderTable(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>` + "\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}
