package web

import (
	"context"
	_ "embed"
	"net/http"
	"slices"
	"strings"
)

const apiPrefix = "/api/v1"

// openapi describes the API. Tests compare the handlers with it.
//
//go:embed openapi.yaml
var openapi []byte

// reader reads what a URL shows; answer handles a request itself. Errors are returned before anything is sent.
type (
	reader func(r *http.Request) (content, error)
	answer func(w http.ResponseWriter, r *http.Request) error
)

// resource is something that the dashboard shows: a page at path, and the same as JSON at api, below apiPrefix.
type resource struct {
	path, api string
	page      string // the name of its template
	noun      string // what the id or name in its path identifies; empty if it has none
	read      reader
}

func (s *server) resources() []resource {
	return []resource{
		{"/{$}", "/overview", "home", "", s.overview},
		{"/sessions", "/sessions", "sessions", "", s.sessions()},
		{"/sessions/{id}", "/sessions/{id}", "session", "session", s.session()},
		{"/sessions/{id}/log", "/sessions/{id}/log", "log", "session", s.log()},
		{"/incidents", "/incidents", "incidents", "", s.incidents()},
		{"/incidents/{id}", "/incidents/{id}", "incident", "incident", s.incident()},
		{"/services", "/services", "services", "", s.services()},
		{"/services/{name}", "/services/{name}", "service", "service", s.service},
		{"/proposals", "/proposals", "proposals", "", s.proposals()},
		{"/proposals/{id}", "/proposals/{id}", "proposal", "proposal", s.proposal},
		{"/events", "/events", "events", "", s.events()},
		{"/cooldowns", "/cooldowns", "cooldowns", "", s.cooldowns},
		{"/hooks", "/hooks", "hooks", "", s.hooks},
		{"/settings", "/settings", "settings", "", s.settings},
	}
}

// route is a URL.
type route struct {
	method, path string
	noun         string // as in a resource
	answer       answer
}

// routes returns all routes but those of logging in.
func (s *server) routes() []route {
	all := append(s.actions(), []route{
		{"GET", streamPath, "session", s.stream},
		{"GET", logFilePath, "session", s.logFile},
		{"GET", "/metrics", "", s.metrics},
	}...)
	for _, res := range s.resources() {
		all = append(all, route{"GET", res.path, res.noun, s.asPage(res.page, res.read)})
		all = append(all, route{"GET", apiPrefix + res.api, res.noun, s.asJSON(res.read)})
	}
	return all
}

// handler returns the complete handler, with its middleware from the outside in.
func (s *server) handler() http.Handler {
	var h http.Handler = s.mux()
	h = s.guardForms(h)
	h = s.demandLogin(h)
	h = s.limitBody(h)
	h = s.intake(h)
	h = s.checkHost(h)
	h = s.recovered(h)
	return withHeaders(h)
}

// mux returns the handler of each URL. An unsupported method is 405, an unknown URL 404.
func (s *server) mux() *http.ServeMux {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	handle := func(method, path string, h http.HandlerFunc) {
		mux.HandleFunc(method+" "+path, h)
		methods[path] = append(methods[path], method)
	}
	for _, r := range s.routes() {
		handle(r.method, r.path, s.answers(r))
	}
	handle("GET", apiPrefix+"/openapi.yaml", func(w http.ResponseWriter, _ *http.Request) {
		writeBody(w, http.StatusOK, "application/yaml; charset=utf-8", openapi)
	})
	handle("POST", alertsPath, s.takeAlerts)
	handle("GET", "/login", s.loginPage)
	handle("POST", "/login", s.login)
	handle("POST", logoutPath, s.logout)
	handle("GET", "/healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeBody(w, http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n"))
	})
	handle("GET", "/assets/{path...}", serveAsset)
	for path, allowed := range methods {
		if slices.Contains(allowed, "GET") {
			allowed = append(allowed, "HEAD")
		}
		slices.Sort(allowed)
		mux.HandleFunc(path, s.notAllowed(strings.Join(allowed, ", ")))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &fault{
			Status: http.StatusNotFound, Title: "There is no such page", Detail: "There is nothing at " + quoted(r.URL.Path) + ".",
			Advice: "The first page leads to all there is.", Link: "/", LinkText: "First page",
		})
	})
	return mux
}

// notAllowed answers an unsupported method.
func (s *server) notAllowed(allowed string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", allowed)
		s.fail(w, r, &fault{
			Status: http.StatusMethodNotAllowed, Title: "Not possible here",
			Detail: quoted(r.Method) + " is not possible at this address; it takes " + allowed + ".",
			Advice: "The first page leads to all there is.", Link: "/", LinkText: "First page",
		})
	}
}

// answers serves a route, within answerTimeout.
func (s *server) answers(route route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if route.path != streamPath { // a stream has no time limit
			ctx, cancel := context.WithTimeout(r.Context(), answerTimeout)
			defer cancel()
			r = r.WithContext(ctx)
		}
		if err := route.answer(w, r); err != nil {
			s.fail(w, r, notFoundIn(err, route.noun))
		}
	}
}

// asPage answers with a page.
func (s *server) asPage(name string, read reader) answer {
	return func(w http.ResponseWriter, r *http.Request) error {
		c, err := read(r)
		if err != nil {
			return err
		}
		nav := name
		switch name {
		case "session", "log":
			nav = "sessions"
		case "incident", "service", "proposal":
			nav += "s"
		}
		v := s.view(r, c.title, nav, c.data)
		v.Notice, v.Live, v.Form, v.Query, v.Next = s.takeNotice(w, r), c.live, r.URL.Query(), c.query, c.next
		s.page(w, r, http.StatusOK, name, v)
		return nil
	}
}

// asJSON answers with JSON.
func (s *server) asJSON(read reader) answer {
	return func(w http.ResponseWriter, r *http.Request) error {
		c, err := read(r)
		if err != nil {
			return err
		}
		document, err := s.json(c.data)
		if err != nil {
			return err
		}
		writeBody(w, http.StatusOK, "application/json", append(document, '\n'))
		return nil
	}
}

// view returns the input of a page.
func (s *server) view(r *http.Request, title, nav string, data any) view {
	return view{
		Title: title, Nav: nav, Hooks: s.hooksKnown(), Path: r.URL.RequestURI(), Now: s.now(),
		LoggedIn: s.logins != nil && s.logins.loggedIn(r), Alone: byLink(r), Version: s.options.Version, Data: data,
	}
}

// audience is the kind of reader, which determines the form of an error.
type audience int

const (
	forPeople   audience = iota // pages
	forPrograms                 // JSON
	forScrapers                 // text, or a file
)

// kindOf decides only by the URL, because errors may occur before a handler is chosen.
func kindOf(r *http.Request) audience {
	path := r.URL.Path
	switch {
	case strings.HasPrefix(path, "/api/"):
		return forPrograms
	case path == "/metrics", path == "/healthz", strings.HasPrefix(path, "/assets/"),
		strings.HasPrefix(path, "/sessions/") && strings.HasSuffix(path, "/log/stream"):
		return forScrapers
	}
	return forPeople
}
