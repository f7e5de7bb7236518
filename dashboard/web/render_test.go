package web

import (
	"bytes"
	"context"
	"html/template"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/internal/mask"
)

func TestPagesHaveNoSecrets(t *testing.T) {
	for _, secret := range []string{
		"hunter2hunter2", "p+ss/w=rd==", `a"b'c<d>e&f`, "with a blank", "line one of a key\nline two of the key", "%41%42%43%44", "Zürich-Geheimnis", "content", "section",
	} {
		c := newCleaner(mask.New([]string{secret}))
		s := &server{cleaner: c}
		var page bytes.Buffer
		err := template.Must(template.New("").Parse(
			`<section class="content"><p title="a {{.}} b" id=x>See {{.}} here</p><a href="/services/{{.}}?q={{.}}">x</a><!-- {{.}} --><input value='{{.}}'></section>`,
		)).Execute(&page, secret)
		if err != nil {
			t.Fatal(err)
		}
		got := string(s.clean(page.Bytes()))
		if rest := strings.NewReplacer(`<section class="content">`, "", "</section>", "").Replace(got); strings.Contains(rest, secret) {
			t.Errorf("%q is left in %s", secret, got)
		}
		for _, form := range escapedForms(secret) {
			if rest := strings.NewReplacer(`<section class="content">`, "", "</section>", "").Replace(got); strings.Contains(rest, form) {
				t.Errorf("%q is left in %s", form, got)
			}
		}
		if !strings.HasPrefix(got, `<section class="content"><p title="a `+mask.Redacted+` b" id="x">See `+mask.Redacted) || !strings.HasSuffix(got, "</section>") {
			t.Errorf("without %q the page is %s", secret, got)
		}
	}
}

func TestWhatSteersIsVisible(t *testing.T) {
	s := &server{}
	if got := string(s.clean([]byte("<p>a\u202eb\x1b[0m\r\n\tc\u2028\xff</p>"))); got != "<p>a\uFFFDb\uFFFD[0m\uFFFD\n\tc\uFFFD\uFFFD</p>" {
		t.Errorf("%q", got)
	}
}

func TestPagesAreBounded(t *testing.T) {
	s := newTestServer(t)
	answer := func(ctx context.Context, v view) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.server.page(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/login", nil), http.StatusOK, "login", v)
		return w
	}
	v := view{Title: "Log in", Nav: "login", Path: "/login", Now: testNow, Data: loginView{Fault: strings.Repeat("x", maxPage)}}
	if w := answer(t.Context(), v); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "longer than 16 MiB") {
		t.Errorf("too long: %d %.300s", w.Code, w.Body)
	}
	v.Data = loginView{}
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if w := answer(late, v); w.Code != http.StatusGatewayTimeout || !strings.Contains(w.Body.String(), "It took too long") {
		t.Errorf("too late: %d %.300s", w.Code, w.Body)
	}
	if w := answer(t.Context(), v); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestJSONHasListsForNil(t *testing.T) {
	s := newTestServer(t).server
	got, err := s.json(map[string]any{"c": struct{ X *float64 }{}, "d": []int(nil)})
	if err != nil || string(got) != `{"c":{"X":null},"d":[]}` {
		t.Errorf("%s, %v", got, err)
	}
}
