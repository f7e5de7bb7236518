package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/justinas/nosurf"

	"github.com/claudeops/claudeops/dashboard"
)

// audience is who reads an answer, and so how an error is told.
type audience int

const (
	forPeople   audience = iota // pages
	forPrograms                 // JSON
	forScrapers                 // text, or a file
)

// kindOf goes by the address alone, because errors come before any handler is found.
func kindOf(r *http.Request) audience {
	path := r.URL.Path
	if rest, found := strings.CutPrefix(path, "/at/"); found {
		_, rest, _ = strings.Cut(rest, "/")
		path = "/" + rest
	}
	switch {
	case strings.HasPrefix(path, "/api/"):
		return forPrograms
	case path == "/metrics", path == "/healthz", strings.HasPrefix(path, "/assets/"),
		strings.HasPrefix(path, "/sessions/") && strings.HasSuffix(path, "/log/stream"),
		strings.HasPrefix(path, "/incidents/") && strings.HasSuffix(path, "/postmortem.md"):
		return forScrapers
	}
	return forPeople
}

// answer answers a request about an instance, which is nil where the address is about none. An error comes before anything was sent.
type answer func(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error

// A route is an address below that of an instance.
type route struct {
	method, path string
	answer       answer
	endless      bool // a stream, without a deadline
}

// routes are all addresses of an instance.
func (s *server) routes() []route {
	all := []route{
		{method: "GET", path: "/{$}", answer: s.home},
		{method: "GET", path: "/sessions", answer: s.sessions},
		{method: "GET", path: "/sessions/{id}", answer: s.session},
		{method: "GET", path: "/sessions/{id}/log", answer: s.log},
		{method: "GET", path: "/sessions/{id}/log/stream", answer: s.stream, endless: true},
		{method: "GET", path: "/incidents", answer: s.incidents},
		{method: "GET", path: "/incidents/{id}", answer: s.incident},
		{method: "GET", path: "/incidents/{id}/postmortem.md", answer: s.postmortem},
		{method: "GET", path: "/services", answer: s.services},
		{method: "GET", path: "/services/{name}", answer: s.service},
		{method: "POST", path: "/services/{name}/reset", answer: s.resetCounters},
		{method: "GET", path: "/events", answer: s.events},
		{method: "GET", path: "/cooldowns", answer: s.cooldowns},
		{method: "GET", path: "/hooks", answer: s.hooks},
		{method: "POST", path: "/hooks/reset", answer: s.resetHook},
		{method: "GET", path: "/settings", answer: s.settings},
		{method: "GET", path: "/metrics", answer: s.metrics},
	}
	for _, e := range s.endpoints() {
		all = append(all, route{method: "GET", path: apiPrefix + e.path, answer: s.asJSON(e.read)})
	}
	return all
}

// handler is everything: what each request goes through, from the outside in.
func (s *server) handler() http.Handler {
	var h http.Handler = s.mux()
	h = s.guardForms(h)
	h = s.demandLogin(h)
	h = s.open.answered(h)
	h = s.limitBody(h)
	h = s.checkHost(h)
	h = s.recovered(h)
	return withHeaders(h)
}

// mux finds the handler of an address. The same address by another method is 405, any other 404.
func (s *server) mux() *http.ServeMux {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	handle := func(method, path string, h http.HandlerFunc) {
		mux.HandleFunc(method+" "+path, h)
		methods[path] = append(methods[path], method)
	}
	if s.several {
		handle("GET", "/{$}", s.bounded(s.fleetPage))
	}
	for _, r := range s.routes() {
		path := r.path
		if s.several {
			path = "/at/{instance}" + path
		}
		handle(r.method, path, s.of(r))
	}
	handle("GET", apiPrefix+"/instances", s.bounded(s.asJSON(s.instances)))
	handle("GET", apiPrefix+"/openapi.yaml", s.bounded(s.openAPI))
	handle("GET", "/login", s.bounded(noInstance(s.loginPage)))
	handle("POST", "/login", s.bounded(noInstance(s.login)))
	handle("POST", "/logout", s.bounded(noInstance(s.logout)))
	handle("GET", "/healthz", healthy)
	handle("GET", "/assets/{path...}", serveAsset)
	for path, allowed := range methods {
		mux.HandleFunc(path, s.notAllowed(allowed))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &fault{
			status: http.StatusNotFound, title: "There is no such page", detail: "Nothing stands at " + quoted(r.URL.Path) + ".",
			advice: "The first page leads to all there is.", link: "/", linkText: "First page",
		})
	})
	return mux
}

func noInstance(f func(http.ResponseWriter, *http.Request) error) answer {
	return func(w http.ResponseWriter, r *http.Request, _ *dashboard.Instance) error { return f(w, r) }
}

// notAllowed answers a method that an address does not have.
func (s *server) notAllowed(methods []string) http.HandlerFunc {
	allowed := slices.Clone(methods)
	if slices.Contains(allowed, "GET") {
		allowed = append(allowed, "HEAD")
	}
	slices.Sort(allowed)
	list := strings.Join(allowed, ", ")
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", list)
		s.fail(w, r, &fault{
			status: http.StatusMethodNotAllowed, title: "Not possible here",
			detail: quoted(r.Method) + " is not possible at this address; it takes " + list + ".",
			advice: "The first page leads to all there is.", link: "/", linkText: "First page",
		})
	}
}

// bounded gives an answer without an instance its deadline.
func (s *server) bounded(a answer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), answerTimeout)
		defer cancel()
		r = r.WithContext(ctx)
		if err := a(w, r, nil); err != nil {
			s.fail(w, r, err)
		}
	}
}

// of finds the instance that a request is about, and answers within the deadline.
func (s *server) of(route route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		i, err := s.instance(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if !route.endless {
			ctx, cancel := context.WithTimeout(r.Context(), answerTimeout)
			defer cancel()
			r = r.WithContext(ctx)
		}
		if err := route.answer(w, r, i); err != nil {
			s.fail(w, r, err)
		}
	}
}

// instance is the one that a request is about.
func (s *server) instance(r *http.Request) (*dashboard.Instance, error) {
	all := s.fleet.Instances()
	if !s.several {
		return all[0], nil
	}
	name := r.PathValue("instance")
	for _, i := range all {
		if i.Name == name {
			return i, nil
		}
	}
	return nil, &fault{
		status: http.StatusNotFound, title: "There is no such instance", detail: "None of the instances is called " + quoted(name) + ".",
		advice: "The first page names all of them.", link: "/", linkText: "All instances",
	}
}

// current is the instance that a request's address names, nil where it names none that there is.
func (s *server) current(r *http.Request) *dashboard.Instance {
	if s.several && r.PathValue("instance") == "" {
		return nil
	}
	i, err := s.instance(r)
	if err != nil {
		return nil
	}
	return i
}

// base is the address below which the pages of the request's instance stand.
func (s *server) base(i *dashboard.Instance) string {
	if !s.several || i == nil {
		return ""
	}
	return instanceBase(i.Name)
}

// view is what a page gets. Who is not logged in is not told which instances there are.
func (s *server) view(r *http.Request, title, nav string, data any) view {
	i := s.current(r)
	if nav == "" && s.several && i == nil {
		nav = "fleet"
	}
	in := s.logins != nil && s.logins.hasCookie(r)
	v := view{
		Title: title, Nav: nav, Base: s.base(i), Path: ownPath(r), Now: s.now(), CSRF: nosurf.Token(r), LoggedIn: in,
		Own: i != nil && i.Own() != nil, Version: s.options.Version, Notice: s.notices.of(r.URL.Query()), Data: data,
	}
	if s.several && (s.logins == nil || in) {
		for _, other := range s.fleet.Instances() {
			v.Instances = append(v.Instances, other.Name)
		}
		if i != nil {
			v.Instance = i.Name
		}
	}
	return v
}

// ownPath is the address of a page, without what is shown once.
func ownPath(r *http.Request) string {
	query := r.URL.Query()
	query.Del("notice")
	if len(query) == 0 {
		return r.URL.EscapedPath()
	}
	return r.URL.EscapedPath() + "?" + query.Encode()
}

func healthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	writeBody(w, http.StatusOK, []byte("ok\n"))
}
