package tiers

import (
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/statefile"
)

func TestMarkers(t *testing.T) {
	text := strings.Join([]string{
		"I restarted it.",
		"[COOLDOWN:restart:jellyfin] success — Restarted container, now healthy",
		"  [COOLDOWN:redeployment:adguard-home] failure - OOM kill persists  ",
		"**[COOLDOWN:restart:db_1.service] failure – still down**",
		"[COOLDOWN:restart:shop] success",
		"[COOLDOWN:restart:mail]\u00a0success — behind a no-break space",
		"see [COOLDOWN:restart:shop] success — not on a line of its own",
		"[COOLDOWN:reboot:shop] success — no such action",
		"[COOLDOWN:restart:] success — no service",
		"[COOLDOWN:restart:sh op] success — no such name",
		"[COOLDOWN:restart:shop] perhaps — no such result",
		"[COOLDOWN:restart:shop",
	}, "\n")
	want := []Marker{
		{statefile.Restart, "jellyfin", true, "Restarted container, now healthy"},
		{statefile.Redeployment, "adguard-home", false, "OOM kill persists"},
		{statefile.Restart, "db_1.service", false, "still down"},
		{statefile.Restart, "shop", true, ""},
		{statefile.Restart, "mail", true, "behind a no-break space"},
	}
	if got := Markers(text, 100); !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// In the texts, @ stands for a marker. In code and quotations, it is what others wrote.
func TestMarkersInCodeAndQuotationsAreNone(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want int
	}{
		"fenced":                           {"```\n@\n@\n@\n```", 0},
		"fenced, with a language":          {"The log says:\n```text\n@\n```\n", 0},
		"fenced by tildes":                 {"~~~\n@\n~~~", 0},
		"fence that is not closed":         {"```\n@\n\n@", 0},
		"longer fence around a fence":      {"````\n```\n@\n```\n@\n````", 0},
		"tildes do not close backticks":    {"```\n~~~\n@\n```", 0},
		"an indented fence within":         {"```\n        ```\n@\n```", 0},
		"behind a fence":                   {"```\n@\n```\n@", 1},
		"between fences":                   {"```\nx\n```\n@\n```\n@\n```", 1},
		"fenced in a list":                 {"- ```\n  @\n  ```\n@", 1},
		"fenced deep in a list":            {"1. a\n   - ```sh\n     @\n     ```\n\n@", 1},
		"no fence, but code in a line":     {"```x``` and\n@", 1},
		"two backticks are no fence":       {"``\n@\n``", 0},
		"indented by four":                 {"Output:\n\n    @", 0},
		"indented by a tab":                {"Output:\n\n\t@", 0},
		"indented by three":                {"   @", 1},
		"inline code":                      {"`@`", 0},
		"inline code of two":               {"``@``", 0},
		"inline code over lines":           {"It said `this\n@\nand that`.", 0},
		"a backtick alone":                 {"It said ` this\n@\nand that.", 1},
		"a backtick of another paragraph":  {"It said ` this\n\n@\n\nand ` that.", 1},
		"runs of another length":           {"It said ` this\n@\nand `` that.", 1},
		"code in the lines around":         {"I ran `docker restart shop`.\n@\nAnd `curl` says 200.", 1},
		"quoted":                           {"> @", 0},
		"quoted without a space":           {">@", 0},
		"quoted in a list":                 {"- > @", 0},
		"a quotation goes on":              {"> The log says:\n@", 0},
		"behind a quotation":               {"> The log says:\n\n@", 1},
		"code behind a quotation":          {"> The log says:\n```\n@\n```\n@", 1},
		"HTML's pre":                       {"<pre>\n@\n\n@\n</pre>\n\n@", 1},
		"HTML's blockquote":                {"<blockquote>\n@\n</blockquote>\n\n@", 1},
		"HTML's blockquote of paragraphs":  {"<blockquote>\n\n@\n\n@\n\n</blockquote>\n\n@", 1},
		"HTML's code in a paragraph":       {"The log says <code>\n@\n</code> and\n@", 1},
		"HTML in code quotes nothing":      {"A page that begins with `<pre>`.\n@", 1},
		"another element of HTML":          {"It answers<br>\n@", 1},
		"an HTML comment":                  {"<!--\n@\n-->\n@", 1},
		"items of a list":                  {"- @\n- @", 2},
		"behind an item's first line":      {"1. I restarted it.\n   @", 1},
		"before a rule":                    {"@\n---\n", 1},
		"deep in quotations":               {strings.Repeat(">", 100) + "@", 0},
		"carriage returns":                 {"```\r\n@\r\n```\r\n@\r\n", 1},
		"on lines of their own among text": {"I restarted it.\n@\nIt is well.\n\n@\n", 2},
	} {
		text := strings.ReplaceAll(tt.text, "@", "[COOLDOWN:restart:shop] success — restarted")
		if got := Markers(text, 100); len(got) != tt.want {
			t.Errorf("%s: %d markers, want %d: %+v", name, len(got), tt.want, got)
		}
	}
}

// No text has a marker once it is shown as code or as a quotation.
func FuzzMarkers(f *testing.F) {
	for _, seed := range []string{"", "[COOLDOWN:restart:shop] success — x", "```\n[COOLDOWN:restart:shop] success\n```", "`\n> [COOLDOWN:restart:shop] failure\n", "- ~~~\n\t[COOLDOWN:restart:shop] success"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := Markers(text, 1000); len(got) > strings.Count(text, "[COOLDOWN:") {
			t.Errorf("%q: more markers than there are: %+v", text, got)
		}
		fence := strings.Repeat("`", len(text)+3)
		lines := strings.Split(text, "\n")
		for _, shown := range []string{
			fence + "\n" + text + "\n" + fence,
			"> " + strings.Join(lines, "\n> "),
			"    " + strings.Join(lines, "\n    "),
		} {
			if got := Markers(shown, 1000); len(got) > 0 {
				t.Errorf("%q: %+v", shown, got)
			}
		}
	})
}
