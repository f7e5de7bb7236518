package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/claudeops/claudeops/dashboard"
)

// BenchmarkPages measures a page without the network.
func BenchmarkPages(b *testing.B) {
	lab := must(homelab())(b)
	s := &site{deeds: &deeds{}, lab: lab, now: testNow}
	o := testOptions(b, s, lab)
	instance := dashboard.New(o)
	defer instance.Close()
	server := must(newServer(o, instance))(b)
	h := server.handler()
	for _, path := range []string{"/", "/sessions", fmt.Sprintf("/sessions/%d", lab.Chain[1]), "/services", "/assets/app.css"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				w := httptest.NewRecorder()
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.Host = "localhost"
				h.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
