package web

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	extensionast "github.com/yuin/goldmark/extension/ast"
	marktext "github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/testkit/seeded"
)

// harmless are the elements that a report may contain, and the permitted attributes of each.
var harmless = map[string]string{
	"h3": "", "h4": "", "h5": "", "h6": "", "p": "class", "br": "", "hr": "", "em": "", "strong": "", "del": "", "code": "class", "pre": "class",
	"blockquote": "", "ul": "", "ol": "start", "li": "", "a": "href rel title", "span": "class", "div": "class tabindex role aria-label",
	"table": "", "thead": "", "tbody": "", "tr": "", "th": "align", "td": "align",
}

// wantHarmless reports anything that could do more than be read.
func wantHarmless(t *testing.T, source, page string) {
	t.Helper()
	from := html.NewTokenizer(strings.NewReader(page))
	open := 0
	for {
		switch from.Next() {
		case html.ErrorToken:
			if open != 0 {
				t.Errorf("%q leaves %d elements open: %q", source, open, page)
			}
			return
		case html.CommentToken, html.DoctypeToken:
			t.Errorf("%q becomes a comment or worse: %q", source, page)
		case html.EndTagToken:
			open--
		case html.SelfClosingTagToken, html.StartTagToken:
			token := from.Token()
			if token.Data != "br" && token.Data != "hr" {
				open++
			}
			allowed, known := harmless[token.Data]
			if !known {
				t.Errorf("%q becomes <%s>: %q", source, token.Data, page)
			}
			for _, a := range token.Attr {
				if !strings.Contains(" "+allowed+" ", " "+a.Key+" ") {
					t.Errorf("%q becomes <%s %s>: %q", source, token.Data, a.Key, page)
				}
				if a.Key == "href" && !strings.HasPrefix(a.Val, "http://") && !strings.HasPrefix(a.Val, "https://") {
					t.Errorf("%q becomes a link to %q", source, a.Val)
				}
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	for source, want := range map[string]string{
		"# One\n###### Six":                           "<h3>One</h3>\n<h4>Six</h4>\n",
		"### a\n## b\n##### c\n# d":                   "<h3>a</h3>\n<h3>b</h3>\n<h4>c</h4>\n<h3>d</h3>\n",
		"a *b* **c** ~~d~~ `e`":                       "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>\n",
		"[in](/services/x)":                           "<p>in <span class=\"host\">(/services/x)</span></p>\n",
		"[x](javascript:alert(1))":                    "<p>x <span class=\"host\">(javascript:alert(1))</span></p>\n",
		"[x](JaVaScRiPt:alert(1))":                    "<p>x <span class=\"host\">(JaVaScRiPt:alert(1))</span></p>\n",
		"[x](data:text/html,y)":                       "<p>x <span class=\"host\">(data:text/html,y)</span></p>\n",
		"[x](//evil.example)":                         "<p>x <span class=\"host\">(//evil.example)</span></p>\n",
		"[x](https:evil)":                             "<p>x <span class=\"host\">(https:evil)</span></p>\n",
		"<mailto:a@b.example>":                        "<p>mailto:a@b.example</p>\n",
		"![chart](https://evil.example/x.png)":        "<p><span class=\"image\">image: chart <span class=\"host\">(https://evil.example/x.png)</span></span></p>\n",
		"a <b onclick=x>c</b>":                        "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n",
		"<script>\nalert(1)\n</script>":               "<p>&lt;script&gt;\nalert(1)\n&lt;/script&gt;</p>\n",
		"a\u202eb\x00c\x1bd":                          "<p>a\uFFFDb\uFFFDc\uFFFDd</p>\n",
		"\xff":                                        "<p>\uFFFD</p>\n",
		"[bank](https://bank.example@evil.example/x)": "<p>bank <span class=\"host\">(https://bank.example@evil.example/x)</span></p>\n",
		"<https://b\u00e4nk.example>":                 "<p>https://b\u00e4nk.example</p>\n",
	} {
		got := string(markdown(source))
		if got != want {
			t.Errorf("%q becomes\n%q, want\n%q", source, got, want)
		}
		wantHarmless(t, source, got)
	}
}

func TestMarkdownTablesScrollInABoxOfTheirOwn(t *testing.T) {
	got := string(markdown("| a | b |\n|:-:|--:|\n| 1 | 2 |"))
	for _, words := range []string{`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>`, `<th align="center">a</th>`, `<td align="right">2</td>`, "</table></div>"} {
		if !strings.Contains(got, words) {
			t.Errorf("no %q in %s", words, got)
		}
	}
	wantHarmless(t, "a table", got)
}

func TestMarkdownOfPayloadsIsHarmless(t *testing.T) {
	payloads := must(seeded.Payloads("testdata/payloads.txt"))(t)
	if len(payloads) < 20 {
		t.Fatalf("only %d payloads", len(payloads))
	}
	for _, payload := range payloads {
		for _, form := range []string{payload, "[x](" + payload + ")", "[x](<" + payload + ">)", "![" + payload + "](" + payload + ")", "<" + payload + ">", "```" + payload + "\n" + payload, "# " + payload,
			"| " + payload + " |\n|--|\n| " + payload + " |", "[x]: " + payload + "\n\n[x]", "> - " + payload} {
			wantHarmless(t, form, string(markdown(form)))
		}
	}
}

// What would take a parser long, or nest without end, is shown as it was written; what is too long is cut, and said to be.
func TestMarkdownIsBounded(t *testing.T) {
	for name, source := range map[string]string{
		"quotes": strings.Repeat(">", 100000), "quoted text": strings.Repeat("> ", 30) + "x", "quotes and text": strings.Repeat(">", 100000) + "a", "empty items": strings.Repeat("+ ", 60000), "numbers": strings.Repeat("1. ", 40000) + "x",
		"rules": strings.Repeat(strings.Repeat("- ", 60)+"\n", 1000), "lists": strings.Repeat("- ", 60000) + "x", "brackets": strings.Repeat("[", 100000),
		"links": strings.Repeat("[a](", 30000), "images": strings.Repeat("![", 60000), "emphasis": strings.Repeat("*a **b ", 18000), "stars": strings.Repeat("*", 130000) + "a",
		"code": strings.Repeat("`a``", 30000), "angles": strings.Repeat("<a", 60000), "pipes": "|" + strings.Repeat("a|", 60000) + "\n|" + strings.Repeat("-|", 60000), "tildes": strings.Repeat("~~a~", 30000),
		"deep list": deepList(200), "lines of brackets": strings.Repeat("[a\n", 40000), "references": strings.Repeat("[a]: b\n", 18000) + strings.Repeat("[a]", 1000),
		"wide tables":         "|" + strings.Repeat("a|", 480) + "\n|" + strings.Repeat("-|", 480) + "\n" + strings.Repeat("|\n", 60000),
		"tall tables":         strings.Repeat("a|", 40) + "\n" + strings.Repeat("-|", 40) + "\n" + strings.Repeat("|\n", 60000),
		"seemingly parted":    "|" + strings.Repeat("a|", 39) + "\n|" + strings.Repeat("-|", 39) + "\n\u2003\n" + strings.Repeat("|\n", 60000),
		"parted by U+00A0":    "|" + strings.Repeat("a|", 39) + "\n|" + strings.Repeat("-|", 39) + "\n\u00a0\n" + strings.Repeat("|\n", 60000),
		"many tables":         strings.Repeat("a|a|a|a\n-|-|-|-\n|\n|\n|\n|\n\n", 4000),
		"tables in quotes":    "> " + strings.Repeat("a|", 40) + "\n> " + strings.Repeat("-|", 40) + "\n" + strings.Repeat("> |\n", 30000),
		"tables in lists":     "1. " + strings.Repeat("a|", 40) + "\n   " + strings.Repeat("-|", 40) + "\n" + strings.Repeat("   |\n", 25000),
		"tables with escapes": "a|b\n-|-\n" + strings.Repeat("`\\|`|", 20000),
		"one far address":     "[x]: http://e.example/" + strings.Repeat("y", 4000) + "\n\n" + strings.Repeat("[x] ", 7900),
		"one far place":       "[x]: /" + strings.Repeat("y", 4000) + "\n\n" + strings.Repeat("[x] ", 7900),
		"one far image":       "[x]: http://e.example/" + strings.Repeat("<", 1300) + "\n\n" + strings.Repeat("![x] ", 7900),
		"underscores":         strings.Repeat("_a __b ", 18000), "comments": strings.Repeat("<!-- ", 25000), "entities": strings.Repeat("&#", 60000), "many lines of stars": strings.Repeat("**a *b\n", 16000),
		"blank lines in lists": strings.Repeat("1) ", 23) + strings.Repeat("\n", 120000), "blank lines in a deep list": deepList(100) + strings.Repeat("\n", 100000) + "a", "a paragraph of emphasis": strings.Repeat(strings.Repeat("*a_", 1300)+"\n", 30),
	} {
		t.Run(name, func(t *testing.T) {
			for _, source := range []string{source, text.ShortenBytes(source, maxParsed)} {
				got := string(markdown(source))
				wantHarmless(t, name, got)
				wantBounded(t, source, got)
			}
		})
	}
	long := string(markdown(strings.Repeat("ä\n", maxMarkdown)))
	if !strings.Contains(long, "262,144 more bytes are not shown") {
		t.Errorf("it does not say what is missing: %s", long[len(long)-200:])
	}
}

// wantBounded reports a text that becomes too much HTML, or that passes crowded although the parser makes more cells of it than counted:
// only the number of cells may exceed that of characters.
func wantBounded(t *testing.T, source, page string) {
	t.Helper()
	if len(page) > maxRendered+100 {
		t.Errorf("%d bytes become %d: %.200q", len(source), len(page), source)
	}
	source = clipLines(text.Printable(strings.ToValidUTF8(text.ShortenBytes(source, maxMarkdown), "\uFFFD")))
	if len(source) > maxParsed || crowded(source) {
		return
	}
	nodes, cells := 0, 0
	document := reports.Parser().Parse(marktext.NewReader([]byte(source)))
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			nodes++
			if n.Kind() == extensionast.KindTableCell {
				cells++
			}
		}
		return ast.WalkContinue, nil
	})
	if cells > maxCells || nodes-cells > 4*len(source)+16 {
		t.Errorf("%d bytes become %d cells and %d nodes: %.200q", len(source), cells, nodes, source)
	}
}

// What people write, and output of programs within it, is still Markdown.
func TestMarkdownKeepsWhatReportsHold(t *testing.T) {
	fence := func(text string) string { return "## Findings\n\n```\n" + text + "\n```\n\n- **shop** is down\n" }
	for name, row := range map[string]struct{ source, want string }{
		"a homelab":      {"| Service | Up | Since |\n|---|---|---|\n" + strings.Repeat("| shop | 99.9 % | 2026-11-22 |\n", 300), "<table>"},
		"all days":       {"|" + strings.Repeat(" d |", 31) + "\n|" + strings.Repeat(":-:|", 31) + "\n|" + strings.Repeat(" 1 |", 31), "<table>"},
		"many dates":     {"| from | until |\n|--|--|\n" + strings.Repeat("| 10-12 | 11-12 |\n", 900), "<table>"},
		"psql":           {fence(" id | service | state\n----+-----------------------+----------\n  1 | shop | down"), "<strong>shop</strong>"},
		"mysql":          {fence("+----------------------------------------+\n| Variable_name                          |\n+----------------------------------------+"), "<strong>shop</strong>"},
		"pytest":         {fence("------------------------------ Captured log call ------------------------------"), "<strong>shop</strong>"},
		"ansible":        {fence(strings.Repeat("TASK [restart] "+strings.Repeat("*", 80)+"\nok: [shop]\n\n", 60)), "<strong>shop</strong>"},
		"an nginx log":   {fence(strings.Repeat("127.0.0.1 - - [22/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 502 157 \"-\" \"-\"\n", 150) + "| a |\n|---|"), "<strong>shop</strong>"},
		"names in code":  {fence(strings.Repeat("pg_stat_user_tables idx_scan_total\n", 300)), "<strong>shop</strong>"},
		"a ruled banner": {"----------------------------------------\n\n**shop** is down", "<strong>shop</strong>"},
	} {
		if got := string(markdown(row.source)); !strings.Contains(got, row.want) {
			t.Errorf("%s (%d bytes) has no %s any more: %.100q", name, len(row.source), row.want, got)
		}
	}
}

func TestMarkdownCutsLinesThatNoBrowserBreaks(t *testing.T) {
	got := string(markdown("short\n\n`" + strings.Repeat("x", 100000) + "` end\n\nlast"))
	for _, words := range []string{"<p>short</p>", "95,910 more bytes in this line", "<p>last</p>"} {
		if !strings.Contains(got, words) {
			t.Errorf("no %q in it", words)
		}
	}
	if len(got) > 2*maxLine {
		t.Errorf("%d bytes are left", len(got))
	}
}

func deepList(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}

func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"# a\n\n- [b](https://c.example \"d\")\n\n```e\nf", "<a href=x>", "| a |\n|-|\n|b|", "![[a](b)](c)", "&lt;&#x3c;", "1. a\n\n   > b"} {
		f.Add(seed)
	}
	f.Add("a|b\n-|-\n|\n|\n`\\|`")
	f.Add("- a|b\n  -|-\n  |\n> c|d\n> -|-\n> |")
	f.Fuzz(func(t *testing.T, source string) {
		got := string(markdown(source))
		wantHarmless(t, source, got)
		wantBounded(t, source, got)
	})
}
