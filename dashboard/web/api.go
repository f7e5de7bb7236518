package web

import (
	"bytes"
	_ "embed"
	"errors"
	"io"
	"math"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/text"
)

const apiPrefix = "/api/v1"

// openapi describes what follows. Tests hold the handlers to it.
//
//go:embed openapi.yaml
var openapi []byte

// reader reads what an endpoint answers with.
type reader func(r *http.Request, i *dashboard.Instance) (any, error)

// endpoint is an address below that of an instance's API.
type endpoint struct {
	path string
	read reader
}

func (s *server) endpoints() []endpoint {
	return []endpoint{
		{"/overview", func(r *http.Request, i *dashboard.Instance) (any, error) { return i.Overview(r.Context()) }},
		{"/sessions", s.apiSessions},
		{"/sessions/{id}", s.apiSession},
		{"/sessions/{id}/log", s.apiLog},
		{"/incidents", s.apiIncidents},
		{"/incidents/{id}", func(r *http.Request, i *dashboard.Instance) (any, error) { return s.readIncident(r, i) }},
		{"/services", s.apiServices},
		{"/services/{name}", s.apiService},
		{"/events", s.apiEvents},
		{"/cooldowns", s.apiCooldowns},
		{"/hooks", s.apiHooks},
		{"/settings", s.apiSettings},
	}
}

func (s *server) apiSessions(r *http.Request, i *dashboard.Instance) (any, error) {
	q, err := s.filters(r).sessions()
	if err != nil {
		return nil, err
	}
	return i.Sessions(r.Context(), q)
}

func (s *server) apiSession(r *http.Request, i *dashboard.Instance) (any, error) {
	id, err := idOf(r, "session", sessionList)
	if err != nil {
		return nil, err
	}
	detail, err := i.Session(r.Context(), id)
	return detail, notFoundIn(err, sessionList, "session")
}

func (s *server) apiLog(r *http.Request, i *dashboard.Instance) (any, error) {
	id, err := idOf(r, "session", sessionList)
	if err != nil {
		return nil, err
	}
	from, err := s.filters(r).offset()
	if err != nil {
		return nil, err
	}
	page, err := i.LogPage(r.Context(), id, from)
	return page, notFoundIn(err, sessionList, "session")
}

func (s *server) apiIncidents(r *http.Request, i *dashboard.Instance) (any, error) {
	q, err := s.filters(r).incidents()
	if err != nil {
		return nil, err
	}
	return i.Incidents(r.Context(), q)
}

func (s *server) apiServices(r *http.Request, i *dashboard.Instance) (any, error) {
	q, err := s.filters(r).services()
	if err != nil {
		return nil, err
	}
	return i.Services(r.Context(), q)
}

func (s *server) apiService(r *http.Request, i *dashboard.Instance) (any, error) {
	span, err := s.filters(r).span()
	if err != nil {
		return nil, err
	}
	detail, err := i.Service(r.Context(), nameOf(r), span)
	return detail, notFoundIn(err, serviceList, "service")
}

func (s *server) apiEvents(r *http.Request, i *dashboard.Instance) (any, error) {
	q, err := s.filters(r).events()
	if err != nil {
		return nil, err
	}
	return i.Events(r.Context(), q)
}

func (s *server) apiCooldowns(r *http.Request, i *dashboard.Instance) (any, error) {
	list, err := i.Cooldowns(r.Context())
	return struct {
		Cooldowns []dashboard.Cooldown `json:"cooldowns"`
	}{list}, err
}

func (s *server) apiHooks(r *http.Request, i *dashboard.Instance) (any, error) {
	own, err := s.own(i, "the circuits of its hooks")
	if err != nil {
		return nil, err
	}
	return own.Hooks(r.Context())
}

func (s *server) apiSettings(_ *http.Request, i *dashboard.Instance) (any, error) {
	own, err := s.own(i, "its settings")
	if err != nil {
		return nil, err
	}
	list := make([]apiSetting, len(own.Variables))
	for n, v := range own.Variables {
		list[n] = apiSetting(v)
	}
	return struct {
		Settings []apiSetting `json:"settings"`
	}{list}, nil
}

// apiSetting is a setting as `claudeops env --json` names its parts.
type apiSetting struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Source  string `json:"source"`
	Default string `json:"default"`
	Meaning string `json:"meaning"`
}

// apiInstance is an instance and where its API stands.
type apiInstance struct {
	Name string `json:"name"`
	API  string `json:"api"`
	Own  bool   `json:"own"` // hooks and settings are known
}

func (s *server) instances(_ *http.Request, _ *dashboard.Instance) (any, error) {
	all := s.fleet.Instances()
	list := make([]apiInstance, len(all))
	for n, i := range all {
		list[n] = apiInstance{i.Name, s.base(i) + apiPrefix, i.Own() != nil}
	}
	return struct {
		Instances []apiInstance `json:"instances"`
	}{list}, nil
}

func (s *server) openAPI(w http.ResponseWriter, _ *http.Request, _ *dashboard.Instance) error {
	w.Header().Set("Content-Type", "application/yaml; charset=utf-8")
	writeBody(w, http.StatusOK, openapi)
	return nil
}

// asJSON makes an answer of what is read.
func (s *server) asJSON(read reader) answer {
	return func(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
		v, err := read(r, i)
		if err != nil {
			return err
		}
		text, err := s.json(v)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/json")
		writeBody(w, http.StatusOK, append(text, '\n'))
		return nil
	}
}

// problem is an error as the API tells it (RFC 9457).
type problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Advice string `json:"advice"`
}

func (s *server) failJSON(w http.ResponseWriter, f *fault) {
	text, err := s.json(problem{f.title, f.status, f.detail, f.advice})
	if err != nil { // it has strings and a number in it
		s.failText(w, f)
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	writeBody(w, f.status, append(text, '\n'))
}

// json writes v on one line, with secrets taken out of its strings alone: a number that happens to be one must not become something that is
// no JSON. Bytes that are no UTF-8, which foreign databases may hold, become U+FFFD.
func (s *server) json(v any) ([]byte, error) {
	document, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), finite)
	if err != nil {
		return nil, err
	}
	if document, err = s.withoutSecrets(document); err != nil {
		return nil, err
	}
	return []byte(text.PrintableJSON(string(document))), nil
}

// finite writes 0 for a number that JSON has none for, which a foreign database may hold, or its sums come to.
var finite = json.WithMarshalers(json.MarshalToFunc(func(to *jsontext.Encoder, f float64) error {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return to.WriteToken(jsontext.Int(0))
	}
	return errors.ErrUnsupported
}))

func (s *server) withoutSecrets(text []byte) ([]byte, error) {
	if out := s.cleaner.plain.Bytes(text); bytes.Equal(out, text) {
		return text, nil
	}
	var out bytes.Buffer
	from := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	to := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true)) // two names may be two secrets
	for {
		token, err := from.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
		case err != nil:
			return nil, err
		}
		if token.Kind() == '"' {
			token = jsontext.String(s.cleaner.plain.String(token.String()))
		}
		if err := to.WriteToken(token); err != nil {
			return nil, err
		}
	}
}
