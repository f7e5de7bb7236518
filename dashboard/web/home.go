package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"golang.org/x/sync/errgroup"

	"github.com/claudeops/claudeops/dashboard"
)

// instanceBase is the address below which the pages of an instance stand where there are several.
func instanceBase(name string) string { return "/at/" + url.PathEscape(name) }

// home is the first page of an instance.
func (s *server) home(w http.ResponseWriter, r *http.Request, i *dashboard.Instance) error {
	overview, err := i.Overview(r.Context())
	if err != nil {
		return err
	}
	v := s.view(r, "Overview", "home", overview)
	v.Live = liveHome
	s.page(w, r, http.StatusOK, "home", v)
	return nil
}

// fleetPage is the first page of several instances.
func (s *server) fleetPage(w http.ResponseWriter, r *http.Request, _ *dashboard.Instance) error {
	v := s.view(r, "All instances", "fleet", s.fleetLines(r.Context()))
	v.Live = liveHome
	s.page(w, r, http.StatusOK, "fleet", v)
	return nil
}

// fleetLines reads the overview of every instance, a few at a time. One that cannot be read does not keep the others from being shown.
func (s *server) fleetLines(ctx context.Context) []fleetLine {
	const atOnce = 4
	all := s.fleet.Instances()
	lines := make([]fleetLine, len(all))
	var readers errgroup.Group
	readers.SetLimit(atOnce)
	for n, i := range all {
		readers.Go(func() error {
			overview, err := i.Overview(ctx)
			lines[n] = fleetLine{Name: i.Name, Overview: overview, Unavailable: unavailable(err)}
			return nil
		})
	}
	_ = readers.Wait() // none of them returns an error
	return lines
}

// unavailable makes of any error one that can be shown in a line.
func unavailable(err error) *dashboard.UnavailableError {
	if err == nil {
		return nil
	}
	var u *dashboard.UnavailableError
	if errors.As(err, &u) {
		return u
	}
	f := faultOf(err)
	return &dashboard.UnavailableError{Title: f.title, Advice: f.advice, Err: err}
}
