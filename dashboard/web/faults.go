package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// fault is an error for clients: what happened, and what to do. In JSON it is a problem of RFC 9457.
type fault struct {
	Title          string `json:"title"`
	Status         int    `json:"status"`
	Detail         string `json:"detail"`
	Advice         string `json:"advice"`
	Link, LinkText string `json:"-"` // where to continue, below the base; empty: nowhere
	live           bool   // possibly temporary: the page reloads by itself
	err            error
}

func (f *fault) Error() string { return f.Title + ": " + f.Detail }
func (f *fault) Unwrap() error { return f.err }

// faultOf converts any error to a fault.
func faultOf(err error) *fault {
	var (
		known       *fault
		unavailable *dashboard.UnavailableError
		closed      *ledger.ClosedError
		decided     *ledger.DecidedError
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &unavailable):
		return &fault{
			Status: http.StatusServiceUnavailable, Title: unavailable.Title, Detail: sentence(unavailable.Err.Error()), Advice: unavailable.Advice, live: true, err: err,
		}
	case errors.Is(err, context.DeadlineExceeded):
		return &fault{
			Status: http.StatusGatewayTimeout, Title: "It took too long", Detail: "This could not be read within " + answerTimeout.String() + ".",
			Advice: "Try again. Where it stays so, the machine or its disk is overloaded.", err: err,
		}
	case errors.As(err, &closed):
		return &fault{
			Status: http.StatusConflict, Title: "Closed already", Detail: sentence(err.Error()), Advice: "Nothing was changed.", err: err,
			Link: fmt.Sprintf("/incidents/%d", closed.ID), LinkText: "The incident",
		}
	case errors.As(err, &decided):
		return &fault{
			Status: http.StatusConflict, Title: "Decided already", Detail: sentence(err.Error()), Advice: "Nothing was changed, and nothing more runs.",
			err: err, Link: fmt.Sprintf("/proposals/%d", decided.Proposal.ID), LinkText: "The proposal",
		}
	case errors.Is(err, store.ErrLocked): // for actions; reads have their own message
		return &fault{
			Status: http.StatusServiceUnavailable, Title: "The database is locked", Detail: sentence(err.Error()),
			Advice: "Close what has a transaction open in it, a database browser for example, and try again.", err: err,
		}
	case errors.Is(err, store.ErrNotFound):
		return &fault{Status: http.StatusNotFound, Title: "Not found", Detail: sentence(err.Error()), Advice: "It may have been pruned.", err: err}
	}
	return &fault{
		Status: http.StatusInternalServerError, Title: "This did not work", Detail: sentence(err.Error()),
		Advice: "Try again; `claudeops doctor` says what may be wrong with this machine.", err: err,
	}
}

// sentence formats an error's message as a sentence.
func sentence(message string) string {
	if message == "" {
		return ""
	}
	if first := message[0]; first >= 'a' && first <= 'z' {
		message = strings.ToUpper(message[:1]) + message[1:]
	}
	return strings.TrimSuffix(message, ".") + "."
}

// quoted quotes client input, shortened.
func quoted(sent string) string { return text.Quote(sent, 100) }

// notFoundIn returns an error for an unknown id or name, with a link to the list.
func notFoundIn(err error, noun string) error {
	if noun == "" || !errors.Is(err, store.ErrNotFound) {
		return err
	}
	f := faultOf(err)
	f.Title, f.Link, f.LinkText = "There is no such "+noun, "/"+noun+"s", "All "+noun+"s"
	return f
}

// fail answers with an error: as JSON below /api/, as text for programs that read text, otherwise as a page.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(r.Context().Err(), context.Canceled) {
		return // the client is gone
	}
	f := faultOf(err)
	if f.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	switch kindOf(r) {
	case forPrograms:
		document, err := s.json(f)
		if err == nil { // cannot fail for strings and a number
			writeBody(w, f.Status, "application/problem+json", append(document, '\n'))
			return
		}
	case forPeople:
		// The error page is rendered even if the request's time is over.
		r = r.WithContext(context.WithoutCancel(r.Context()))
		v := s.view(r, f.Title, "", f)
		if f.live && r.Method == http.MethodGet {
			v.Live = "5"
		}
		s.page(w, r, f.Status, faultPage, v)
		return
	case forScrapers:
	}
	writeBody(w, f.Status, "text/plain; charset=utf-8", []byte(s.cleanText(f.Title+": "+f.Detail+" "+f.Advice+"\n")))
}

// faultPage is the name of the error page.
const faultPage = "fault"

// recovered answers a panic with an error, so that no connection breaks.
func (s *server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch cause := recover(); cause {
			case nil:
			case http.ErrAbortHandler:
				panic(cause)
			default:
				if w.Header().Get("Content-Type") == eventStream { // it has begun, so it can only be cut off
					panic(http.ErrAbortHandler)
				}
				s.fail(w, r, fmt.Errorf("a fault of this program: %v", cause))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
