package web

import (
	"net/http"

	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/store"
)

// How often pages look whether there is something new, in seconds. A page of older things does not.
const (
	liveHome    = "10"
	liveList    = "15"
	liveSession = "5"
)

// The way back from an id or a name that there is not.
const (
	sessionList  = "/sessions"
	incidentList = "/incidents"
	serviceList  = "/services"
)

func (s *server) sessions(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	q, err := s.filters(r).sessions()
	if err != nil {
		return err
	}
	page, err := i.Sessions(r.Context(), q)
	if err != nil {
		return err
	}
	v := s.view(r, "Sessions", "sessions", sessionsView{Page: page, Query: q, Form: r.URL.Query(), Next: further(r, "before", page.Next, decimal)})
	s.newest(&v, q.Before == 0)
	s.page(w, r, http.StatusOK, "sessions", v)
	return nil
}

// newest lets the first page of a list look for what is new.
func (s *server) newest(v *view, first bool) {
	if first {
		v.Live = liveList
	}
}

func (s *server) session(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	id, err := idOf(r, "session", sessionList)
	if err != nil {
		return err
	}
	detail, err := i.Session(r.Context(), id)
	if err != nil {
		return notFoundIn(err, sessionList, "session")
	}
	v := s.view(r, "Session #"+decimal(id), "sessions", sessionView{detail})
	if detail.Session.Status == store.Running && !detail.Gone {
		v.Live = liveSession
	}
	s.page(w, r, http.StatusOK, "session", v)
	return nil
}

func (s *server) log(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	id, err := idOf(r, "session", sessionList)
	if err != nil {
		return err
	}
	from, err := s.filters(r).offset()
	if err != nil {
		return err
	}
	detail, err := i.Session(r.Context(), id)
	if err != nil {
		return notFoundIn(err, sessionList, "session")
	}
	page, err := i.LogPage(r.Context(), id, from)
	if err != nil {
		return notFoundIn(err, sessionList, "session")
	}
	live := detail.Session.Status == store.Running && !detail.Gone
	s.page(w, r, http.StatusOK, "log", s.view(r, "Log of session #"+decimal(id), "sessions", logView{ID: id, Page: page, Live: live}))
	return nil
}

func (s *server) incidents(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	q, err := s.filters(r).incidents()
	if err != nil {
		return err
	}
	page, err := i.Incidents(r.Context(), q)
	if err != nil {
		return err
	}
	v := s.view(r, "Incidents", "incidents", incidentsView{Page: page, Form: r.URL.Query(), Next: further(r, "before", page.Next, decimal)})
	s.newest(&v, q.Before == 0)
	s.page(w, r, http.StatusOK, "incidents", v)
	return nil
}

func (s *server) readIncident(r *http.Request, i *dashboard.Instance) (*dashboard.IncidentDetail, error) {
	id, err := idOf(r, "incident", incidentList)
	if err != nil {
		return nil, err
	}
	detail, err := i.Incident(r.Context(), id)
	if err != nil {
		return nil, notFoundIn(err, incidentList, "incident")
	}
	return detail, nil
}

func (s *server) incident(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	detail, err := s.readIncident(r, i)
	if err != nil {
		return err
	}
	v := s.view(r, "Incident #"+decimal(detail.ID), "incidents", detail)
	if detail.ClosedAt == nil {
		v.Live = liveList
	}
	s.page(w, r, http.StatusOK, "incident", v)
	return nil
}

// postmortem is a text to take away, and no page: browsers save it.
func (s *server) postmortem(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	detail, err := s.readIncident(r, i)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="incident-`+decimal(detail.ID)+`.md"`)
	writeBody(w, http.StatusOK, []byte(s.cleanText(detail.Postmortem())))
	return nil
}

func (s *server) services(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	q, err := s.filters(r).services()
	if err != nil {
		return err
	}
	page, err := i.Services(r.Context(), q)
	if err != nil {
		return err
	}
	v := s.view(r, "Services", "services", servicesView{Page: page, Form: r.URL.Query(), Next: further(r, "after", page.Next, asIs)})
	v.Live = liveList
	s.page(w, r, http.StatusOK, "services", v)
	return nil
}

func (s *server) service(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	span, err := s.filters(r).span()
	if err != nil {
		return err
	}
	detail, err := i.Service(r.Context(), nameOf(r), span)
	if err != nil {
		return notFoundIn(err, serviceList, "service")
	}
	v := s.view(r, detail.Name, "services", detail)
	v.Live = liveList
	s.page(w, r, http.StatusOK, "service", v)
	return nil
}

func (s *server) events(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	q, err := s.filters(r).events()
	if err != nil {
		return err
	}
	page, err := i.Events(r.Context(), q)
	if err != nil {
		return err
	}
	v := s.view(r, "Events", "events", eventsView{Page: page, Form: r.URL.Query(), Next: further(r, "before", page.Next, decimal)})
	s.newest(&v, q.Before == 0)
	s.page(w, r, http.StatusOK, "events", v)
	return nil
}

func (s *server) cooldowns(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	list, err := i.Cooldowns(r.Context())
	if err != nil {
		return err
	}
	v := s.view(r, "Cooldowns", "cooldowns", list)
	v.Live = liveList
	s.page(w, r, http.StatusOK, "cooldowns", v)
	return nil
}

func (s *server) hooks(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	own, err := s.own(i, "the circuits of its hooks")
	if err != nil {
		return err
	}
	health, err := own.Hooks(r.Context())
	if err != nil {
		return err
	}
	v := s.view(r, "Hooks", "hooks", health)
	v.Live = liveList
	s.page(w, r, http.StatusOK, "hooks", v)
	return nil
}

func (s *server) settings(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	own, err := s.own(i, "its settings")
	if err != nil {
		return err
	}
	s.page(w, r, http.StatusOK, "settings", s.view(r, "Settings", "settings", own.Variables))
	return nil
}

// own is what is known of an instance beyond its database.
func (s *server) own(i *dashboard.Instance, what string) (*dashboard.Own, error) {
	if own := i.Own(); own != nil {
		return own, nil
	}
	return nil, &fault{
		status: http.StatusNotFound, title: "Not known here",
		detail: "Of this instance the database alone was named: " + what + " cannot be seen or changed here.",
		advice: "Open the dashboard of that machine itself: the one that is started there without --db.", link: "/", linkText: "First page",
	}
}

// metrics is what Prometheus reads.
func (s *server) metrics(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	figures, err := i.Figures(r.Context())
	if err != nil {
		return err
	}
	text, err := metrics.Exporter{Version: s.options.Version}.Text(figures)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	writeBody(w, http.StatusOK, s.cleaner.plain.Bytes(text))
	return nil
}
