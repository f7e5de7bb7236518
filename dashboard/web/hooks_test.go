package web

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/hooks"
)

// pageText returns the texts of a page's main part, with single blanks, and reports whether it has a form.
func pageText(t *testing.T, page string) (text string, form bool) {
	t.Helper()
	_, main, _ := strings.Cut(page, `<main `)
	var words []string
	for tokens := html.NewTokenizer(strings.NewReader(main)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return strings.Join(words, " "), form
		case html.TextToken:
			words = append(words, strings.Fields(html.UnescapeString(string(tokens.Text())))...)
		case html.StartTagToken:
			name, _ := tokens.TagName()
			form = form || string(name) == "form"
		default:
		}
	}
}

func TestHooksAreShownInEachState(t *testing.T) {
	got := newTestServer(t).get("/hooks")
	wantReply(t, got, http.StatusOK, `aria-current="page"`)
	text, form := pageText(t, got.body)
	for _, want := range []string{
		"7 hooks 4 switched off 416 calls 18 failed",
		"audit.sh excluded $HOME/.claude/hooks/audit.sh --append Failed in a row 0 Calls 192 Skipped 0 Last call 1 min ago Always runs, whatever it does.",
		"format.sh on $HOME/.claude/hooks/format.sh", "Last error: Exit code 1: prettier: cannot read .prettierrc",
		"logger switched off by hand logger -t claude", "To switch it on again: claude-hooks reset logger ",
		"make off in a session", "Kept the agent from ending in 1 session, and is skipped there. To switch it on again: claude-hooks reset make ",
		"npx on trial npx --yes eslint --fix $CLAUDE_FILE_PATHS", "Next try its next call",
		"digest.py waits for another", "Waits for notify.py, which it depends on. To switch it on again: claude-hooks reset notify.py ",
		"notify.py switched off", "Failed in a row 4 Calls 16 Skipped 3 Last call 1 min ago Last failure 1 min ago Next try in 3 min",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if form || strings.Contains(text, "circuit breaker is off") {
		t.Errorf("a form: %t\n%s", form, text)
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestHooksPageIsMissingWhereNoHookHasRun(t *testing.T) {
	for name, home := range map[string]string{"an empty home": t.TempDir(), "no home": ""} {
		s := newTestServer(t, func(o *dashboard.Options) { o.Home = home })
		wantReply(t, s.get("/hooks"), http.StatusNotFound, "No hook of Claude Code has run")
		wantReply(t, s.get(apiPrefix+"/hooks"), http.StatusNotFound, `"status":404`)
		if page := s.get("/"); strings.Contains(page.body, `href="/hooks"`) {
			t.Errorf("%s: the navigation leads to hooks", name)
		}
	}
	wantReply(t, newTestServer(t).get("/"), http.StatusOK, `<a href="/hooks" >`)
}

func TestHooksPageShowsFaults(t *testing.T) {
	const off = "The circuit breaker is off"
	for name, c := range map[string]struct{ config, state, says, not string }{
		"breaker off":   {"circuit_breaker: {enabled: false}", `{"hooks": {"a": {"state": "open"}}}`, off + ": every hook runs. a on a", "claude-hooks reset"},
		"configuration": {"circuit_breaker: {nonsense: 1}", `{"hooks": {"a": {"state": "open"}}}`, `unknown field "nonsense"`, off},
		"state":         {"", "{", "not a hook state", off},
		"no hook":       {"", "{}", "No hook is known.", off},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			fine(t, os.MkdirAll(filepath.Join(home, ".claude"), 0o700))
			fine(t, os.WriteFile(hooks.ConfigPath(home), []byte(c.config), 0o600))
			fine(t, os.WriteFile(filepath.Join(home, ".claude", "hook_state.json"), []byte(c.state), 0o600))
			got := newTestServer(t, func(o *dashboard.Options) { o.Home = home }).get("/hooks")
			wantReply(t, got, http.StatusOK)
			if text, _ := pageText(t, got.body); !strings.Contains(text, c.says) || strings.Contains(text, c.not) {
				t.Errorf("want %q and not %q:\n%s", c.says, c.not, text)
			}
		})
	}
}
