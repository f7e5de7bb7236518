package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/dashboard"
)

// action does something, and returns the page to go on with and the notice for it. by says who asks.
type action func(r *http.Request, by string) (page, notice string, err error)

// actions are the buttons of pages.
func (s *server) actions() []route {
	return []route{
		{"POST", "/services/{name}/reset", "service", s.acts(s.resetCounters)},
		{"POST", "/services/{name}/silence", "service", s.acts(s.silence)},
		{"POST", "/services/{name}/silence/end", "service", s.acts(s.endSilence)},
		{"POST", "/pause", "", s.acts(s.pause)},
		{"POST", "/pause/end", "", s.acts(s.endPause)},
		{"POST", "/check", "", s.checkNow},
		{"POST", "/incidents/{id}/acknowledge", "incident", s.acts(s.onIncident("acknowledged", dashboard.Actions.Acknowledge))},
		{"POST", "/incidents/{id}/close", "incident", s.acts(s.onIncident("closed", dashboard.Actions.CloseIncident))},
		{"POST", "/proposals/{id}/approve", "proposal", s.decides("approved", approve)},
		{"POST", "/proposals/{id}/reject", "proposal", s.decides("rejected", reject)},
	}
}

// acts answers with a redirect to a page, which says what was done.
func (s *server) acts(do action) answer {
	return func(w http.ResponseWriter, r *http.Request) error {
		page, notice, err := do(r, who(r))
		if err != nil {
			return err
		}
		s.instance.Changed()
		s.seeNotice(w, r, page, notice)
		return nil
	}
}

func (s *server) resetCounters(r *http.Request, by string) (page, notice string, err error) {
	name := s.filters(r).pathName()
	return servicePath(name), "counters", s.options.ResetCounters(r.Context(), name, by)
}

func (s *server) silence(r *http.Request, by string) (page, notice string, err error) {
	name := s.filters(r).pathName()
	return servicePath(name), "silenced", s.quieten(r, name, by)
}

func (s *server) endSilence(r *http.Request, by string) (page, notice string, err error) {
	name := s.filters(r).pathName()
	return servicePath(name), "unsilenced", s.options.EndSilence(r.Context(), name, by)
}

func (s *server) pause(r *http.Request, by string) (page, notice string, err error) {
	return "/", "paused", s.quieten(r, "", by)
}

func (s *server) endPause(r *http.Request, by string) (page, notice string, err error) {
	return "/", "unpaused", s.options.EndSilence(r.Context(), "", by)
}

// quietTimes are how long a silence or a pause may last that a page asks for.
var quietTimes = map[string]time.Duration{"1h": time.Hour, "4h": 4 * time.Hour, "1d": 24 * time.Hour}

// quieten silences a service, or pauses everything, for the time and the reason of a form.
func (s *server) quieten(r *http.Request, service, by string) error {
	lasts, known := quietTimes[r.PostForm.Get("for")]
	if !known {
		return &fault{
			Status: http.StatusBadRequest, Title: "For how long?", Detail: "The field for is none of 1h, 4h and 1d.",
			Advice: "Use the button of the page; `claudeops silence` takes any time.",
		}
	}
	return s.options.Silence(r.Context(), service, lasts, r.PostForm.Get("reason"), by)
}

// onIncident does something to the incident in a request's path.
func (s *server) onIncident(notice string, do func(dashboard.Actions, context.Context, int64, string) error) action {
	return func(r *http.Request, by string) (string, string, error) {
		id, err := s.filters(r).pathID()
		if err != nil {
			return "", "", err
		}
		return fmt.Sprintf("/incidents/%d", id), notice, do(s.options.Actions, r.Context(), id, by)
	}
}

// checkNow handles POST /check, and leads back to the page of the service that the form names, or to the first page. Where nothing starts a
// cycle at once, it says when the next one is due.
func (s *server) checkNow(w http.ResponseWriter, r *http.Request) error {
	taken, err := s.options.CheckNow(r.Context(), who(r))
	if err != nil {
		return err
	}
	o, err := s.instance.Overview(r.Context())
	if err != nil {
		return err
	}
	notice := "unwatched"
	switch next := o.NextCycle(); {
	case taken:
		notice = "check"
	case o.AtWork() != nil:
		notice = "running"
	case next != nil:
		notice = dueNotice + strconv.FormatInt(next.Unix(), 10)
	}
	page := "/"
	if name := r.PostForm.Get("service"); name != "" {
		page = servicePath(name)
	}
	s.seeNotice(w, r, page, notice)
	return nil
}

// dueNotice begins a notice that goes on with the time of the next cycle.
const dueNotice = "due-"

// noticeText returns a notice in words; empty if there is no such notice.
func (s *server) noticeText(notice string) string {
	if at, due := strings.CutPrefix(notice, dueNotice); due {
		unix, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			return ""
		}
		next := time.Unix(unix, 0).In(s.now().Location())
		return "No `claudeops cron` runs here that could start a cycle at once. The next one is due at " + next.Format("15:04 MST") + oneNow
	}
	return notices[notice]
}

const oneNow = "; `claudeops run-once` runs one now."

// noticeCookie names the notice for the next page, and lasts for noticeLasts at most. Other sites cannot set it.
const (
	noticeCookie = "claudeops_notice"
	noticeLasts  = 30 * time.Second
)

// notices are what actions did, in words.
var notices = map[string]string{
	"counters":     "The counters of this service were reset.",
	"silenced":     "It is silenced: checks go on, nothing is remediated or sent.",
	"unsilenced":   "It is silenced no longer.",
	"paused":       "Everything is paused: checks go on, nothing is remediated or sent.",
	"unpaused":     "Nothing is paused any longer.",
	"acknowledged": "The incident is acknowledged: no reminder is sent until it changes.",
	"closed":       "The incident is closed.",
	"approved":     "Approved. It runs in the next cycle, after a fresh check.",
	"rejected":     "Rejected. It does not run.",
	"check":        "A cycle begins within ten seconds.",
	"running":      "A cycle is running. Where `claudeops cron` runs the cycles, another follows it.",
	"unwatched":    "No `claudeops cron` runs here that could start a cycle at once" + oneNow,
}

// seeNotice redirects a browser to a page, which shows the notice once.
func (s *server) seeNotice(w http.ResponseWriter, r *http.Request, address, notice string) {
	http.SetCookie(w, s.noticeCookie(r, notice, int(noticeLasts/time.Second)))
	seeOther(w, address)
}

func (s *server) noticeCookie(r *http.Request, notice string, maxAge int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // without TLS browsers would not send a Secure one
		Name: noticeCookie, Value: notice, Path: "/", MaxAge: maxAge, HttpOnly: true, Secure: byTLS(r), SameSite: http.SameSiteStrictMode,
	}
}

// takeNotice returns the notice that a request asks for, and removes the cookie.
func (s *server) takeNotice(w http.ResponseWriter, r *http.Request) string {
	cookie, err := r.Cookie(noticeCookie)
	if err != nil {
		return ""
	}
	http.SetCookie(w, s.noticeCookie(r, "", -1))
	return s.noticeText(cookie.Value)
}
