package receiver

import (
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
)

// serve records a request and answers it.
func (r *Receiver) serve(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxRequest))
	if err != nil {
		r.refuse(w, request, "cannot be read: "+err.Error())
		return
	}
	if strings.HasPrefix(request.URL.Path, "/ping/") {
		r.servePing(w, request, body)
		return
	}
	m, err := decode(request, body)
	if err != nil {
		r.refuse(w, request, err.Error())
		return
	}
	r.mu.Lock()
	r.messages = append(r.messages, m)
	n, by := len(r.messages), r.answer
	r.mu.Unlock()
	a := Answer{}
	if by != nil {
		a = by(n, m)
	}
	if a.isZero() {
		a = r.asTheRealServer(m)
	}
	r.give(w, request, a, func(status int) { r.messages[n-1].Status = status })
}

func (r *Receiver) servePing(w http.ResponseWriter, request *http.Request, body []byte) {
	p, err := readPing(request, body)
	if err != nil {
		r.refuse(w, request, err.Error())
		return
	}
	r.mu.Lock()
	r.pings = append(r.pings, p)
	n, by := len(r.pings), r.pong
	r.mu.Unlock()
	a := Answer{}
	if by != nil {
		a = by(n, p)
	}
	if a.isZero() {
		a = Answer{Status: http.StatusOK, Body: "OK"}
	}
	r.give(w, request, a, func(status int) { r.pings[n-1].Status = status })
}

func (a Answer) isZero() bool {
	return a.Status == 0 && a.Header == nil && a.Body == "" && a.Redirect == "" && !a.Hang && !a.Endless && !a.Close && a.Raw == nil
}

// asTheRealServer returns the answer of the real server for a message.
func (r *Receiver) asTheRealServer(m Message) Answer {
	isAPI := m.Format != ""
	r.mu.Lock()
	tags, stored := r.keys[m.Key]
	r.mu.Unlock()
	switch {
	case isAPI && m.Key == "" && !m.usable(), m.Key != "" && (!stored || !tagged(m.Tag, tags)):
		return Answer{Status: http.StatusNoContent}
	case isAPI && strings.Contains(m.Header.Get("Accept"), "application/json"):
		return jsonAnswer(http.StatusOK, nil)
	}
	return Answer{Status: http.StatusOK, Body: "Notification(s) sent."}
}

// Undelivered is the answer of an Apprise API that could not deliver a message; warnings are the lines of its log.
func Undelivered(warnings ...string) Answer {
	return jsonAnswer(http.StatusFailedDependency, "One or more notification could not be sent.", warnings...)
}

func jsonAnswer(status int, fault any, warnings ...string) Answer {
	details := [][3]string{}
	for _, text := range warnings {
		details = append(details, [3]string{"WARNING", "2026-11-21 21:57:07,156", text})
	}
	body, _ := json.Marshal(map[string]any{"error": fault, "details": details}) // these types can always be encoded
	return Answer{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: string(body)}
}

// refuse rejects an invalid request and records why.
func (r *Receiver) refuse(w http.ResponseWriter, request *http.Request, why string) {
	r.fault(request.Method + " " + request.URL.Path + " " + why)
	r.give(w, request, jsonAnswer(http.StatusBadRequest, why), func(int) {})
}

// give writes the answer. It calls took with the status, under the lock, before the client can receive the answer.
func (r *Receiver) give(w http.ResponseWriter, request *http.Request, a Answer, took func(status int)) {
	switch {
	case a.Hang:
		<-request.Context().Done()
		return
	case a.Close, a.Raw != nil:
		r.giveRaw(w, a)
		return
	}
	for name, values := range a.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	if a.Status == 0 {
		a.Status = http.StatusOK
		if a.Redirect != "" {
			a.Status = http.StatusFound
		}
	}
	if a.Redirect != "" {
		w.Header().Set("Location", a.Redirect)
	}
	r.mu.Lock()
	took(a.Status)
	r.mu.Unlock()
	w.WriteHeader(a.Status)
	_, err := io.WriteString(w, a.Body)
	chunk := strings.Repeat("without end ", 1<<10)
	for a.Endless && err == nil { // until the client disconnects
		_, err = io.WriteString(w, chunk)
	}
}

// giveRaw calls a.Raw with the connection, if set, and closes it.
func (r *Receiver) giveRaw(w http.ResponseWriter, a Answer) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		r.fault("a connection cannot be taken over: " + err.Error())
		return
	}
	if a.Raw != nil {
		a.Raw(conn)
	}
	_ = conn.Close() // the client may have closed it
}
