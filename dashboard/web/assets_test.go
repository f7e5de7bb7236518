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
		asset("icon.svg"):           {200, "image/svg+xml; charset=utf-8", "immutable"},
		asset("vendor/htmx.min.js"): {200, "text/javascript; charset=utf-8", "immutable"},
		"/assets/app.css":           {200, "text/css; charset=utf-8", "no-cache"},
		"/assets/app.css?v=older":   {200, "text/css; charset=utf-8", "no-cache"},
		"/assets/none.css":          {404, "text/plain; charset=utf-8", ""},
		"/assets/vendor":            {404, "text/plain; charset=utf-8", ""},
		"/assets/..%2fassets.go":    {404, "text/plain; charset=utf-8", ""},
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != c.status || w.Header().Get("Content-Type") != c.kind || !strings.Contains(w.Header().Get("Cache-Control"), c.cache) {
			t.Errorf("%s: %d %s %q, want %d %s %q", path, w.Code, w.Header().Get("Content-Type"), w.Header().Get("Cache-Control"), c.status, c.kind, c.cache)
		}
	}
}

func TestOurScriptPutsForeignTextInAsText(t *testing.T) {
	script := string(assets()["app.js"].content)
	if !strings.HasPrefix(script, "'use strict';\n") {
		t.Error("app.js is not strict")
	}
	for _, never := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", ".style", "http://", "https://"} {
		if strings.Contains(script, never) {
			t.Errorf("app.js contains %s", never)
		}
	}
	for name, file := range assets() {
		if strings.HasSuffix(name, ".css") && (strings.Contains(string(file.content), "url(") || strings.Contains(string(file.content), "@import")) {
			t.Errorf("%s loads something", name)
		}
	}
}
