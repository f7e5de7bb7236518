package web

import (
	"net/http"

	"github.com/claudeops/claudeops/dashboard"
)

// The actions change something, through the functions of the instance's own configuration. They lead back to the page that they were asked
// for on, where a notice says what was done.

func (s *server) resetCounters(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	own, err := s.own(i, "its counters")
	if err != nil {
		return err
	}
	name := nameOf(r)
	if err := own.ResetCounters(r.Context(), name, remote(r).String()); err != nil {
		return notFoundIn(err, serviceList, "service")
	}
	i.Changed()
	seeOther(w, s.notices.add(s.base(i)+servicePath(name), noticeCounters))
	return nil
}

func (s *server) resetHook(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	own, err := s.own(i, "the circuits of its hooks")
	if err != nil {
		return err
	}
	command := r.PostForm.Get("command")
	if command == "" {
		return &fault{
			status: http.StatusBadRequest, title: "Which hook?", detail: "The field command is empty; it names the hook.",
			advice: "Use the button beside the hook.", link: "/hooks", linkText: "All hooks",
		}
	}
	if err := own.ResetHook(r.Context(), command, remote(r).String()); err != nil {
		return notFoundIn(err, "/hooks", "hook")
	}
	i.Changed()
	seeOther(w, s.notices.add(s.base(i)+"/hooks", noticeHook))
	return nil
}
