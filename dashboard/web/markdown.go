package web

import (
	"bufio"
	"bytes"
	"errors"
	"html/template"
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

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// maxMarkdown limits a displayed text, and maxRendered the resulting HTML, in bytes.
	maxMarkdown = 128 << 10
	maxRendered = 1 << 20
	// maxParsed limits a text that is parsed as Markdown. Agents' reports have a few thousand bytes.
	maxParsed = 16 << 10
	// maxOpening limits the characters, or runs of one, that may open emphasis, code, links, tags or escapes.
	maxOpening = 3000
	// maxCells limits the tables of a text: each row gets as many cells as the table has columns, written or not.
	maxCells = 20_000
	// maxNesting limits the nesting of lists, quotes and emphasis. Reasonable reports have fewer than ten levels.
	maxNesting = 24
	// firstHeading is the level of a text's highest headings: one below our sections.
	firstHeading = 3
)

// reports converts Markdown to HTML, in goldmark's safe mode. HTML is not supported, and images and links are shown as text, so that a
// reader sees what was tried.
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

// markdown renders a foreign text. Far too long texts are cut, with a note. Long or deeply nested texts, those that are expensive to
// parse, and those that would become too much HTML are shown as written.
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

// bounded is a buffer with a limit.
type bounded struct{ bytes.Buffer }

var errTooMuch = errors.New("too much HTML")

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxRendered {
		return 0, errTooMuch
	}
	return b.Buffer.Write(p)
}

// blankLines matches more blank lines than matter in Markdown. The parser stores each one for every enclosing list item.
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

// settleHeadings moves a text's headings to levels below ours without gaps, as readers who navigate by headings expect.
func settleHeadings(document ast.Node) {
	var above []int // original levels of the possible parents of the next heading
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

// deeper reports whether a node has descendants more than levels below it. It does not search deeper.
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

// crowded reports whether parsing a text may take quadratic time or memory: many opening characters, deep nesting, or wide tables with
// many rows. Real reports are not like that.
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

// runs counts the runs of these characters: a line of stars is one.
func runs(text, characters string) (n int) {
	for i := range len(text) {
		if strings.IndexByte(characters, text[i]) >= 0 && (i == 0 || text[i-1] != text[i]) {
			n++
		}
	}
	return n
}

// quoteDepth returns the number of quotes and list items that a line opens. A thematic break, with the same characters, opens none, nor
// does a list marker followed by text without a blank.
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

// mark matches the marker of a quote, or of a list item with the following blank or line end.
var mark = regexp.MustCompile(`^(?:>|(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t\r\n]|$))`)

// maxLine limits a displayed line, in bytes: browsers take minutes to wrap a word of a megabyte.
const maxLine = 4 << 10

// clipLines cuts long lines, and adds the length of the rest.
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

// reportRenderer renders the nodes that goldmark renders differently from what we need.
type reportRenderer struct{}

func (reportRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, renderLink)
	r.Register(ast.KindAutoLink, renderAutoLink)
	r.Register(ast.KindImage, renderImage)
	r.Register(extensionast.KindTable, renderTable)
}

// writeTarget writes the target of a link. Its error ends the rendering: a text may repeat one long address many times.
func writeTarget(w util.BufWriter, before string, where []byte, after string) (ast.WalkStatus, error) {
	_, _ = w.WriteString(before + ` <span class="host">(`)
	_, _ = w.Write(util.EscapeHTML(where))
	if _, err := w.WriteString(`)</span>` + after); err != nil {
		return ast.WalkStop, err
	}
	return ast.WalkContinue, nil
}

// renderLink writes a link's text and where it would lead: what an agent says is never a link.
func renderLink(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		return ast.WalkContinue, nil
	}
	return writeTarget(w, "", node.(*ast.Link).Destination, "")
}

func renderAutoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.Write(util.EscapeHTML(node.(*ast.AutoLink).Label(source)))
	}
	return ast.WalkContinue, nil
}

// renderImage writes the image's description, and loads nothing.
func renderImage(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<span class="image">image: `)
		return ast.WalkContinue, nil
	}
	return writeTarget(w, "", node.(*ast.Image).Destination, "</span>")
}

// renderTable makes a table scroll separately.
func renderTable(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>` + "\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}
