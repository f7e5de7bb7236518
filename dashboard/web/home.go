package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

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

// homes keeps the last first page of each instance as it was rendered, because most of what browsers ask for are those. It is as good as new
// while the overview is the same and no relative time in it has changed.
type homes struct {
	mu   sync.Mutex
	last map[homeKey]keptPage
}

// homeKey is all that a first page depends on but its overview and the time.
type homeKey struct {
	base, path, notice string
	loggedIn           bool
}

type keptPage struct {
	overview *dashboard.Overview
	second   int64 // since 1970; of the layout's own clock
	body     []byte
}

// maxHomes bounds how many pages are kept.
const maxHomes = 64

// kept is render, or what it made last time of the same.
func (s *server) kept(ctx context.Context, name string, v view) ([]byte, error) {
	overview, ok := v.Data.(*dashboard.Overview)
	if !ok {
		return s.render(ctx, name, v)
	}
	key := homeKey{v.Base, v.Path, v.Notice, v.LoggedIn}
	second := v.Now.Truncate(time.Second).Unix()
	if body := s.homes.find(key, overview, second); body != nil {
		return body, nil
	}
	body, err := s.render(ctx, name, v)
	if err == nil {
		s.homes.keep(key, keptPage{overview, second, body})
	}
	return body, err
}

func (h *homes) find(key homeKey, overview *dashboard.Overview, second int64) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	if last := h.last[key]; last.overview == overview && last.second == second {
		return last.body
	}
	return nil
}

func (h *homes) keep(key homeKey, page keptPage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last == nil || len(h.last) >= maxHomes && h.last[key].body == nil {
		h.last = map[homeKey]keptPage{}
	}
	h.last[key] = page
}
