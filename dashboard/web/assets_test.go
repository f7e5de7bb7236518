package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAssetsMayBeKeptWhileTheirContentIsTheSame(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /assets/{path...}", serveAsset)
	for path, c := range map[string]struct {
		status      int
		kind, cache string
	}{
		asset("app.css"):            {200, "text/css; charset=utf-8", "immutable"},
		asset("app.js"):             {200, "text/javascript; charset=utf-8", "immutable"},
		asset("icon.svg"):           {200, "image/svg+xml", "immutable"},
		asset("vendor/htmx.min.js"): {200, "text/javascript; charset=utf-8", "immutable"},
		"/assets/app.css":           {200, "text/css; charset=utf-8", "no-cache"},
		"/assets/app.css?v=older":   {200, "text/css; charset=utf-8", "no-cache"},
		"/assets/none.css":          {404, "text/plain; charset=utf-8", ""},
		"/assets/vendor":            {404, "text/plain; charset=utf-8", ""},
		"/assets/..%2fassets.go":    {404, "text/plain; charset=utf-8", ""},
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != c.status || !strings.HasPrefix(w.Header().Get("Content-Type"), c.kind) || !strings.Contains(w.Header().Get("Cache-Control"), c.cache) {
			t.Errorf("%s: %d %s %q, want %d %s %q", path, w.Code, w.Header().Get("Content-Type"), w.Header().Get("Cache-Control"), c.status, c.kind, c.cache)
		}
	}
}

func TestOurScriptPutsForeignTextInAsText(t *testing.T) {
	script := assetText(t, "app.js")
	if !strings.HasPrefix(script, "'use strict';\n") {
		t.Error("app.js is not strict")
	}
	for _, never := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", ".style", "http://", "https://"} {
		if strings.Contains(script, never) {
			t.Errorf("app.js contains %s", never)
		}
	}
	if style := assetText(t, "app.css"); strings.Contains(style, "url(") || strings.Contains(style, "@import") {
		t.Error("app.css loads something")
	}
}

func assetText(t *testing.T, name string) string {
	t.Helper()
	content := must(assetFiles.ReadFile("assets/" + name))(t)
	return string(content)
}
