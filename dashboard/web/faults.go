package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/store"
)

// fault is an error as clients are told of it: what happened, and what to do.
type fault struct {
	status                int
	title, detail, advice string
	link, linkText        string // where to go on, below the base; empty: nowhere
	live                  bool   // it may be over soon: the page looks again by itself
	err                   error
}

func (f *fault) Error() string { return f.title + ": " + f.detail }
func (f *fault) Unwrap() error { return f.err }

// faultOf puts any error into words.
func faultOf(err error) *fault {
	var (
		known       *fault
		unavailable *dashboard.UnavailableError
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &unavailable):
		return &fault{
			status: http.StatusServiceUnavailable, title: unavailable.Title, detail: causeOf(unavailable), advice: unavailable.Advice, live: true, err: err,
		}
	case errors.Is(err, context.DeadlineExceeded):
		return &fault{
			status: http.StatusGatewayTimeout, title: "It took too long", detail: "This could not be read within " + answerTimeout.String() + ".",
			advice: "Try again. Where it stays so, the machine or its disk is overloaded.", err: err,
		}
	case errors.Is(err, dashboard.ErrBusy):
		return &fault{
			status: http.StatusConflict, title: "Not while a cycle runs", detail: "Nothing was changed: " + err.Error() + ".",
			advice: "Go back and try again when the cycle has ended.", err: err,
		}
	case errors.Is(err, store.ErrLocked): // for actions; what reads says so itself
		return &fault{
			status: http.StatusServiceUnavailable, title: "The database is locked", detail: sentence(err.Error()),
			advice: "Close what has a transaction open in it, a database browser for example, and try again.", err: err,
		}
	case errors.Is(err, store.ErrNotFound):
		return &fault{status: http.StatusNotFound, title: "Not found", detail: sentence(err.Error()), advice: "It may have been pruned.", err: err}
	}
	return &fault{
		status: http.StatusInternalServerError, title: "This did not work", detail: sentence(err.Error()),
		advice: "Try again; `claudeops doctor` says what may be wrong with this machine.", err: err,
	}
}

func causeOf(u *dashboard.UnavailableError) string {
	if u.Err == nil {
		return ""
	}
	return sentence(u.Err.Error())
}

func sentence(text string) string {
	if text == "" {
		return ""
	}
	if first := text[0]; first >= 'a' && first <= 'z' {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return strings.TrimSuffix(text, ".") + "."
}

// quoted shows what a client sent, of bounded length.
func quoted(text string) string {
	const most = 100
	if len(text) > most {
		return strconv.Quote(text[:most]) + "…"
	}
	return strconv.Quote(text)
}

// notFoundIn is an unknown id or name, with the way to the list of what there is.
func notFoundIn(err error, list, what string) error {
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	f := faultOf(err)
	f.title, f.link, f.linkText = "There is no such "+what, list, "All "+what+"s"
	return f
}

// fail answers with an error: as JSON below /api/, as text where programs read it, otherwise as a page.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(r.Context().Err(), context.Canceled) {
		return // nobody is there to be told
	}
	f := faultOf(err)
	if f.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	switch kindOf(r) {
	case forPrograms:
		s.failJSON(w, f)
	case forScrapers:
		s.failText(w, f)
	default:
		s.failPage(w, r, f)
	}
}

func (s *server) failText(w http.ResponseWriter, f *fault) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	writeBody(w, f.status, []byte(s.cleanText(f.title+": "+f.detail+" "+f.advice+"\n")))
}

// faultPage is the page of errors.
const faultPage = "fault"

// failPage answers with the page of an error, for which there is time though that of the request is over.
func (s *server) failPage(w http.ResponseWriter, r *http.Request, f *fault) {
	r = r.WithContext(context.WithoutCancel(r.Context()))
	v := s.view(r, f.title, "", faultView{
		Title: f.title, Detail: f.detail, Advice: f.advice, Status: f.status, Link: f.link, LinkText: f.linkText,
	})
	if f.live && r.Method == http.MethodGet {
		v.Live = "5"
	}
	s.page(w, r, f.status, faultPage, v)
}

// recovered makes an answer of a panic, and lets no connection die of it.
func (s *server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch cause := recover(); cause {
			case nil:
			case http.ErrAbortHandler:
				panic(cause)
			default:
				if w.Header().Get("Content-Type") == eventStream { // it has begun: all that can be done is to break it off
					panic(http.ErrAbortHandler)
				}
				s.fail(w, r, fmt.Errorf("a fault of this program: %v", cause))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
