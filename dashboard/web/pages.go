package web

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/claudeops/claudeops/config"
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

// view is what every template gets.
type view struct {
	Title     string   // of the page, for <title> and h1
	Nav       string   // which entry is current: home, sessions, incidents, services, events, cooldowns, hooks or settings; may be empty
	Instance  string   // empty where there is one
	Instances []string // names, where there are several
	Base      string   // "" or "/at/NAME"
	Path      string   // the page's own address, escaped, with its query
	Now       time.Time
	CSRF      string // for forms: the value of their field csrf_token
	LoggedIn  bool   // a token is set: show "Log out"
	Own       bool   // actions are possible
	Version   string
	Notice    string                 // what an action did, shown once
	Live      string                 // seconds between partial updates of #page; empty is none
	Form      url.Values             // the filters as they were asked for
	Query     dashboard.SessionQuery // and as they were understood, of sessions
	Next      string                 // the address of the next page; empty on the last one
	Data      any                    // what the API answers with, or loginView, *fault or []fleetLine
}

type loginView struct {
	Next  string // where to go then: an address of ours
	Fault string // why the last try failed
}

// fleetLine is an instance on the first page of several. One of Overview and Unavailable is set.
type fleetLine struct {
	Name        string
	Overview    *dashboard.Overview
	Unavailable *dashboard.UnavailableError
}

// content is what an address shows: data, as JSON or by the template of its page, and what the page needs besides.
type content struct {
	data  any
	title string
	live  string
	query dashboard.SessionQuery
	next  string
}

func (s *server) overview(r *http.Request, i *dashboard.Instance) (content, error) {
	o, err := i.Overview(r.Context())
	return content{data: o, title: "Overview", live: liveHome}, err
}

func (s *server) sessions(r *http.Request, i *dashboard.Instance) (content, error) {
	q, err := s.filters(r).sessions()
	if err != nil {
		return content{}, err
	}
	page, err := i.Sessions(r.Context(), q)
	if err != nil {
		return content{}, err
	}
	return content{data: page, title: "Sessions", live: liveFirst(q.Before), query: q, next: further(r, "before", decimal(page.Next))}, nil
}

// liveFirst is for lists whose first page shows what is new.
func liveFirst(before int64) string {
	if before == 0 {
		return liveList
	}
	return ""
}

func (s *server) session(r *http.Request, i *dashboard.Instance) (content, error) {
	id, err := idOf(r)
	if err != nil {
		return content{}, err
	}
	d, err := i.Session(r.Context(), id)
	if err != nil {
		return content{}, err
	}
	c := content{data: d, title: "Session #" + decimal(id)}
	if d.Session.Status == store.Running && !d.Gone {
		c.live = liveSession
	}
	return c, nil
}

func (s *server) log(r *http.Request, i *dashboard.Instance) (content, error) {
	id, err := idOf(r)
	if err != nil {
		return content{}, err
	}
	from, err := s.filters(r).offset()
	if err != nil {
		return content{}, err
	}
	page, err := i.LogPage(r.Context(), id, from)
	return content{data: page, title: "Log of session #" + decimal(id)}, err
}

func (s *server) incidents(r *http.Request, i *dashboard.Instance) (content, error) {
	q, err := s.filters(r).incidents()
	if err != nil {
		return content{}, err
	}
	page, err := i.Incidents(r.Context(), q)
	if err != nil {
		return content{}, err
	}
	return content{data: page, title: "Incidents", live: liveFirst(q.Before), next: further(r, "before", decimal(page.Next))}, nil
}

func readIncident(r *http.Request, i *dashboard.Instance) (*dashboard.IncidentDetail, error) {
	id, err := idOf(r)
	if err != nil {
		return nil, err
	}
	return i.Incident(r.Context(), id)
}

func (s *server) incident(r *http.Request, i *dashboard.Instance) (content, error) {
	d, err := readIncident(r, i)
	if err != nil {
		return content{}, err
	}
	c := content{data: d, title: "Incident #" + decimal(d.ID)}
	if d.ClosedAt == nil {
		c.live = liveList
	}
	return c, nil
}

func (s *server) services(r *http.Request, i *dashboard.Instance) (content, error) {
	q, err := s.filters(r).services()
	if err != nil {
		return content{}, err
	}
	page, err := i.Services(r.Context(), q)
	if err != nil {
		return content{}, err
	}
	return content{data: page, title: "Services", live: liveList, next: further(r, "after", page.Next)}, nil
}

func (s *server) service(r *http.Request, i *dashboard.Instance) (content, error) {
	span, err := s.filters(r).span()
	if err != nil {
		return content{}, err
	}
	d, err := i.Service(r.Context(), nameOf(r), span)
	if err != nil {
		return content{}, err
	}
	return content{data: d, title: d.Name, live: liveList}, nil
}

func (s *server) events(r *http.Request, i *dashboard.Instance) (content, error) {
	q, err := s.filters(r).events()
	if err != nil {
		return content{}, err
	}
	page, err := i.Events(r.Context(), q)
	if err != nil {
		return content{}, err
	}
	return content{data: page, title: "Events", live: liveFirst(q.Before), next: further(r, "before", decimal(page.Next))}, nil
}

type cooldownList struct {
	Cooldowns []dashboard.Cooldown `json:"cooldowns"`
}

func (s *server) cooldowns(r *http.Request, i *dashboard.Instance) (content, error) {
	list, err := i.Cooldowns(r.Context())
	return content{data: cooldownList{list}, title: "Cooldowns", live: liveList}, err
}

func (s *server) hooks(r *http.Request, i *dashboard.Instance) (content, error) {
	own, err := ownOf(i, "the circuits of its hooks")
	if err != nil {
		return content{}, err
	}
	health, err := own.Hooks(r.Context())
	return content{data: health, title: "Hooks", live: liveList}, err
}

type settingList struct {
	Settings []config.Variable `json:"settings"`
}

func (s *server) settings(_ *http.Request, i *dashboard.Instance) (content, error) {
	own, err := ownOf(i, "its settings")
	if err != nil {
		return content{}, err
	}
	return content{data: settingList{own.Variables}, title: "Settings"}, nil
}

// ownOf is what is known of an instance beyond its database.
func ownOf(i *dashboard.Instance, what string) (*dashboard.Own, error) {
	if own := i.Own(); own != nil {
		return own, nil
	}
	return nil, &fault{
		Status: http.StatusNotFound, Title: "Not known here",
		Detail: "Of this instance the database alone was named: " + what + " cannot be seen or changed here.",
		Advice: "Open the dashboard of that machine itself: the one that is started there without --db.", Link: "/", LinkText: "First page",
	}
}

// postmortem is a text to take away, and no page: browsers save it.
func (s *server) postmortem(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	d, err := readIncident(r, i)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="incident-`+decimal(d.ID)+`.md"`)
	writeBody(w, http.StatusOK, "text/markdown; charset=utf-8", []byte(s.cleanText(d.Postmortem())))
	return nil
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
	writeBody(w, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", s.cleaner.plain.Bytes(text))
	return nil
}

type instance struct {
	Name string `json:"name"`
	API  string `json:"api"`
	Own  bool   `json:"own"` // hooks and settings are known
}

type instanceList struct {
	Instances []instance `json:"instances"`
}

func (s *server) instances(*http.Request, *dashboard.Instance) (content, error) {
	var list instanceList
	for _, i := range s.fleet.Instances() {
		list.Instances = append(list.Instances, instance{i.Name, s.base(i) + apiPrefix, i.Own() != nil})
	}
	return content{data: list}, nil
}

// fleetPage is the first page of several instances, of which a few are read at a time. One that cannot be read does not keep the others from
// being shown.
func (s *server) allInstances(r *http.Request, _ *dashboard.Instance) (content, error) {
	const atOnce = 4
	all := s.fleet.Instances()
	lines := make([]fleetLine, len(all))
	var readers errgroup.Group
	readers.SetLimit(atOnce)
	for n, i := range all {
		readers.Go(func() error {
			overview, err := i.Overview(r.Context())
			lines[n] = fleetLine{Name: i.Name, Overview: overview}
			if err != nil && !errors.As(err, &lines[n].Unavailable) {
				f := faultOf(err)
				lines[n].Unavailable = &dashboard.UnavailableError{Title: f.Title, Advice: f.Advice, Err: err}
			}
			return nil
		})
	}
	_ = readers.Wait() // none of them returns an error
	return content{data: lines, title: "All instances", live: liveHome}, nil
}

// resetCounters and resetHook change something, through the functions of the instance's own configuration. They lead back to the page with the
// button, where a notice says what was done.
func (s *server) resetCounters(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	own, err := ownOf(i, "its counters")
	if err != nil {
		return err
	}
	name := nameOf(r)
	if err := own.ResetCounters(r.Context(), name, remote(r).String()); err != nil {
		return err
	}
	i.Changed()
	s.seeNotice(w, r, s.base(i)+servicePath(name), "counters")
	return nil
}

func (s *server) resetHook(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	own, err := ownOf(i, "the circuits of its hooks")
	if err != nil {
		return err
	}
	command := r.PostForm.Get("command")
	if command == "" {
		return &fault{
			Status: http.StatusBadRequest, Title: "Which hook?", Detail: "The field command is empty; it names the hook.",
			Advice: "Use the button beside the hook.", Link: "/hooks", LinkText: "All hooks",
		}
	}
	if err := own.ResetHook(r.Context(), command, remote(r).String()); err != nil {
		return err
	}
	i.Changed()
	s.seeNotice(w, r, s.base(i)+"/hooks", "hook")
	return nil
}

// noticeCookie names the notice that the next page shows, for noticeLasts at most. No other site can set it.
const (
	noticeCookie = "claudeops_notice"
	noticeLasts  = 30 * time.Second
)

var notices = map[string]string{
	"counters": "The counters of this service were reset.",
	"hook":     "What was known of the hook is forgotten; its circuit is closed.",
}

// seeNotice sends a browser to a page, where it sees the notice once.
func (s *server) seeNotice(w http.ResponseWriter, r *http.Request, address, notice string) {
	http.SetCookie(w, s.noticeCookie(r, notice, int(noticeLasts/time.Second)))
	seeOther(w, address)
}

func (s *server) noticeCookie(r *http.Request, notice string, maxAge int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // without TLS browsers would not send a Secure one
		Name: noticeCookie, Value: notice, Path: "/", MaxAge: maxAge, HttpOnly: true, Secure: byTLS(r), SameSite: http.SameSiteStrictMode,
	}
}

// takeNotice is the notice that a request asks to see, which it asks for no more.
func (s *server) takeNotice(w http.ResponseWriter, r *http.Request) string {
	cookie, err := r.Cookie(noticeCookie)
	if err != nil {
		return ""
	}
	http.SetCookie(w, s.noticeCookie(r, "", -1))
	return notices[cookie.Value]
}

// servicePath is the address of a service's page below the base. Names that browsers and servers take for steps within a path, even when they
// are escaped, are in the query.
func servicePath(name string) string {
	switch name {
	case "", ".", "..", "/":
		return "/services/-?name=" + url.QueryEscape(name)
	}
	return "/services/" + url.PathEscape(name)
}
