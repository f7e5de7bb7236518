package web

import (
	"errors"
	"mime"
	"net/http"
)

// limitBody bounds what a request may send, and reads the form of one that changes something: before anybody else does, who would pass
// over what is wrong with it.
func (s *server) limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBodyBytes)
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		if err := readForm(r); err != nil {
			s.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// readForm parses the body, which must be a form as browsers send it.
func readForm(r *http.Request) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength != 0 && (err != nil || kind != "application/x-www-form-urlencoded") {
		return &fault{
			status: http.StatusUnsupportedMediaType, title: "Not a form", detail: "What was sent is no application/x-www-form-urlencoded.",
			advice: "Use the buttons of the pages.",
		}
	}
	err = r.ParseForm()
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return &fault{
			status: http.StatusRequestEntityTooLarge, title: "Too much was sent", detail: "A request may send 64 KiB at most.",
			advice: "Use the buttons of the pages.",
		}
	case err != nil:
		return &fault{
			status: http.StatusBadRequest, title: "Not a form", detail: "What was sent cannot be read: " + err.Error() + ".",
			advice: "Use the buttons of the pages.",
		}
	}
	return nil
}
