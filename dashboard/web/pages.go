package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/store"
)

// How often pages check for updates, in seconds. Pages of older things do not.
const (
	liveHome    = "10"
	liveList    = "15"
	liveSession = "5"
)

// view is the input of every template.
type view struct {
	Title    string // of the page, for <title> and h1
	Nav      string // current navigation entry: home, sessions, incidents, services, events, cooldowns, hooks or settings; may be empty
	Hooks    bool   // there is a page of hooks
	Path     string // the page's own URL, escaped, with its query
	Now      time.Time
	LoggedIn bool // a token is set: show "Log out"
	Alone    bool // only a link admits to this page: it leads to no other
	Version  string
	Notice   string              // the result of an action, shown once
	Live     string              // seconds between partial updates of #page; empty for none
	Form     url.Values          // the filters as given
	Query    store.SessionFilter // the filters of sessions as parsed
	Next     string              // the URL of the next page; empty on the last one
	Data     any                 // the API's answer, or loginView or *fault
}

type loginView struct {
	Next  string // where to go next: a URL of this dashboard
	Fault string // why the last attempt failed
}

// content is what a URL shows: data, as JSON or by its page's template, and additional input of the page.
type content struct {
	data  any
	title string
	live  string
	query store.SessionFilter
	next  string
}

// shown reads what a query asks for, and the additional input of its page.
func shown[Q, D any](
	s *server, ask func(*filters) (Q, error), read func(context.Context, Q) (D, error),
	page func(*filters, Q, D) content,
) reader {
	return func(r *http.Request) (content, error) {
		f := s.filters(r)
		q, err := ask(f)
		if err != nil {
			return content{}, err
		}
		data, err := read(r.Context(), q)
		if err != nil {
			return content{}, err
		}
		c := page(f, q, data)
		c.data = data
		return c, nil
	}
}

// liveFirst returns the update interval of a list, for its first page only.
func liveFirst(before int64) string {
	if before == 0 {
		return liveList
	}
	return ""
}

func (s *server) overview(r *http.Request) (content, error) {
	o, err := s.instance.Overview(r.Context())
	return content{data: o, title: "Overview", live: liveHome}, err
}

func (s *server) sessions() reader {
	page := func(f *filters, q store.SessionFilter, p *dashboard.SessionsPage) content {
		return content{title: "Sessions", live: liveFirst(q.Before), query: q, next: further(f, "before", p.Next)}
	}
	return shown(s, (*filters).sessions, s.instance.Sessions, page)
}

func (s *server) session() reader {
	return shown(s, (*filters).pathID, s.instance.Session, func(_ *filters, id int64, d *dashboard.SessionDetail) content {
		c := content{title: fmt.Sprintf("Session #%d", id)}
		if d.Session.Status == store.Running && !d.Gone {
			c.live = liveSession
		}
		return c
	})
}

func (s *server) log() reader {
	return shown(s, (*filters).pathID, s.instance.LogPage, func(_ *filters, id int64, _ *dashboard.LogPage) content {
		return content{title: fmt.Sprintf("Log of session #%d", id)}
	})
}

func (s *server) incidents() reader {
	page := func(f *filters, q store.IncidentFilter, p *dashboard.IncidentsPage) content {
		return content{title: "Incidents", live: liveFirst(q.Before), next: further(f, "before", p.Next)}
	}
	return shown(s, (*filters).incidents, s.instance.Incidents, page)
}

func (s *server) incident() reader {
	return shown(s, (*filters).pathID, s.instance.Incident, func(_ *filters, id int64, d *dashboard.IncidentDetail) content {
		c := content{title: fmt.Sprintf("Incident #%d", id)}
		if d.ClosedAt == nil {
			c.live = liveList
		}
		return c
	})
}

func (s *server) services() reader {
	page := func(f *filters, _ dashboard.ServiceQuery, p *dashboard.ServicesPage) content {
		return content{title: "Services", live: liveList, next: further(f, "after", p.Next)}
	}
	return shown(s, (*filters).services, s.instance.Services, page)
}

func (s *server) service(r *http.Request) (content, error) {
	f := s.filters(r)
	span, err := f.span()
	if err != nil {
		return content{}, err
	}
	d, err := s.instance.Service(r.Context(), f.pathName(), span)
	if err != nil {
		return content{}, err
	}
	return content{data: d, title: d.Name, live: liveList}, nil
}

func (s *server) events() reader {
	page := func(f *filters, q store.EventFilter, p *dashboard.EventsPage) content {
		return content{title: "Events", live: liveFirst(q.Before), next: further(f, "before", p.Next)}
	}
	return shown(s, (*filters).events, s.instance.Events, page)
}

type cooldownList struct {
	Cooldowns []dashboard.Cooldown `json:"cooldowns"`
}

func (s *server) cooldowns(r *http.Request) (content, error) {
	list, err := s.instance.Cooldowns(r.Context())
	return content{data: cooldownList{list}, title: "Cooldowns", live: liveList}, err
}

type settingList struct {
	Settings []config.Variable `json:"settings"`
}

func (s *server) settings(*http.Request) (content, error) {
	return content{data: settingList{s.options.Variables}, title: "Settings"}, nil
}

// metrics answers Prometheus.
func (s *server) metrics(w http.ResponseWriter, r *http.Request) error {
	figures, err := s.instance.Figures(r.Context())
	if err != nil {
		return err
	}
	text, err := metrics.Exporter{Version: s.options.Version}.Text(figures)
	if err != nil {
		return err
	}
	writeBody(w, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", s.cleaner.plain.Bytes(text))
	return nil
}

// servicePath returns the path of a service's page. Names that browsers and servers interpret as path segments such as
// "..", even escaped, are put into the query.
func servicePath(name string) string {
	switch name {
	case "", ".", "..", "/":
		return "/services/-?name=" + url.QueryEscape(name)
	}
	return "/services/" + url.PathEscape(name)
}
