package web

import (
	"net/url"
	"time"

	"github.com/claudeops/claudeops/dashboard"
)

// view is what every template gets.
type view struct {
	Title     string   // of the page, for <title> and h1
	Nav       string   // which entry is current: home, sessions, incidents, services, events, cooldowns, hooks or settings; may be empty
	Instance  string   // empty where there is one
	Instances []string // names, where there are several
	Base      string   // "" or "/at/NAME"
	Path      string   // the page's own address, escaped, with its query and without what is shown once
	Now       time.Time
	CSRF      string // for forms: the value of their field csrf_token
	LoggedIn  bool   // a token is set: show "Log out"
	Own       bool   // actions are possible
	Version   string
	Notice    string // what an action did, shown once
	Live      string // seconds between partial updates of #page; empty is none
	Data      any    // the page's type from package dashboard, or one of those below
}

// What pages get as Data, where it is no type of package dashboard. Form holds the filters as they were asked for, Next is the address of
// the next page and empty on the last one.
type (
	// fleetLine is an instance on the first page of several. One of Overview and Unavailable is set.
	fleetLine struct {
		Name        string
		Overview    *dashboard.Overview
		Unavailable *dashboard.UnavailableError
	}

	sessionsView struct {
		Page  *dashboard.SessionsPage
		Query dashboard.SessionQuery
		Form  url.Values
		Next  string
	}

	sessionView struct{ *dashboard.SessionDetail }

	logView struct {
		ID   int64
		Page *dashboard.LogPage
		Live bool // the session runs: more will come
	}

	incidentsView struct {
		Page *dashboard.IncidentsPage
		Form url.Values
		Next string
	}

	servicesView struct {
		Page *dashboard.ServicesPage
		Form url.Values
		Next string
	}

	eventsView struct {
		Page *dashboard.EventsPage
		Form url.Values
		Next string
	}

	loginView struct {
		Next  string // where to go then: an address of ours
		Fault string // why the last try failed
	}

	// faultView says what happened and what to do.
	faultView struct {
		Title, Detail, Advice string
		Status                int
		Link, LinkText        string // where to go on, below the base; empty: nowhere
	}
)

// servicePath is the address of a service's page below the base. Any name has one, those of foreign databases among them.
func servicePath(name string) string {
	if stepsAway(name) {
		return "/services/-?name=" + url.QueryEscape(name)
	}
	return "/services/" + url.PathEscape(name)
}

// stepsAway is about names that browsers and servers take for steps within a path, even when they are escaped: they stand in the query.
func stepsAway(name string) bool { return name == "" || name == "." || name == ".." || name == "/" }
