package tiers

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/statefile"
)

// Marker is one line `[COOLDOWN:action:service] result — message` that the agent wrote (SPEC-0007 REQ-7). The cooldown skill defines the
// form.
type Marker struct {
	Action  statefile.Action
	Service string
	Success bool
	Message string
}

// maxMessage limits the message of a marker that is kept, in bytes.
const maxMessage = 1000

// Markers returns the first markers in an agent's text, each on its own line, at most most of them. Similar lines are ignored, and so are
// markers in code, quotations or HTML of the Markdown text, because agents quote there what others wrote.
func Markers(message string, most int) []Marker {
	if !strings.Contains(message, "[COOLDOWN:") {
		return nil
	}
	var found []Marker
	for _, line := range ownLines([]byte(message)) {
		if m, ok := parseMarker(line); ok && len(found) < most {
			found = append(found, m)
		}
	}
	return found
}

// markdown parses what separates an agent's own lines from quoted ones. It does not parse underlined headings, because a horizontal rule
// often follows a marker.
var markdown = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
		),
	)
})

// maxNesting limits how deep blocks may be nested. Reports written by people stay below ten.
const maxNesting = 24

// shallow is a block parser that opens no block deeper than maxNesting: goldmark's time grows with the square of the depth.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if len(pc.OpenedBlocks()) >= maxNesting {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// quoting matches the tags of HTML elements that hold what others wrote. Such an element may span paragraphs.
var quoting = regexp.MustCompile(`(?i)<(/?)(?:blockquote|code|pre|q|samp)\b`)

// ownLines returns the lines of paragraphs that begin neither in code nor in a quotation.
func ownLines(source []byte) (lines []string) {
	quoted := 0 // open elements
	html := func(code []byte) {
		for _, tag := range quoting.FindAllSubmatch(code, -1) {
			if len(tag[1]) == 0 {
				quoted++
			} else {
				quoted = max(0, quoted-1)
			}
		}
	}
	paragraph := func(n ast.Node) {
		own := map[int]bool{} // offsets at which the agent's own text begins
		for inline := n.FirstChild(); inline != nil; inline = inline.NextSibling() {
			switch inline := inline.(type) {
			case *ast.Text:
				own[inline.Segment.Start] = quoted == 0
			case *ast.RawHTML:
				html(inline.Segments.Value(source))
			}
		}
		for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
			if own[line.Start] {
				lines = append(lines, string(line.Value(source)))
			}
		}
	}
	_ = ast.Walk(markdown().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Blockquote:
			return ast.WalkSkipChildren, nil
		case *ast.HTMLBlock:
			html(n.Lines().Value(source))
			if n.HasClosure() {
				html(n.ClosureLine.Value(source))
			}
		case *ast.Paragraph, *ast.TextBlock: // TextBlock: in a list without blank lines
			paragraph(n)
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return lines
}

// markerForm matches a marker without emphasis. Names consist of letters, digits, hyphens, underscores and dots, as for containers and
// units. Any white space may follow the bracket, because models also write no-break spaces.
var markerForm = regexp.MustCompile(`(?s)^\[COOLDOWN:(\w+):([\w.-]+)\][\s\v\x{85}\pZ]*(success|failure)(?:[ \t—–-](.*))?$`)

func parseMarker(line string) (Marker, bool) {
	m := markerForm.FindStringSubmatch(strings.TrimRightFunc(strings.Trim(strings.TrimSpace(line), "*"), unicode.IsSpace))
	if m == nil || len(m[2]) > check.MaxServiceName {
		return Marker{}, false
	}
	action, err := statefile.ParseAction(m[1])
	message := strings.TrimLeft(m[4], " —–-:")
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "")
	}
	return Marker{action, m[2], m[3] == "success", message}, err == nil
}
