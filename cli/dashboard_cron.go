package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/dashboard"
)

// leaveTime is how long the dashboard of cron may take to end.
const leaveTime = 10 * time.Second

const (
	goesOn     = "the dashboard goes on with the settings that it had"
	endedEarly = "the dashboard has ended; cycles go on without it"
)

var errEndedByItself = errors.New("it has ended unasked")

// sideDashboard is a dashboard that cron serves. It has its own goroutines; cron waits for it only at the end.
type sideDashboard struct {
	app      *app
	flags    *dashboardFlags
	ctx      context.Context //nolint:containedctx // of all that it serves: it goes on while cron waits for its last cycle
	cancel   context.CancelFunc
	renewals chan *loaded // reloaded configurations; holds only the newest
	gone     chan struct{}
}

// besideCron serves a dashboard for as long as cron runs. If it cannot be served, that is an error; if it ends later, that is logged, and
// cycles continue.
func (a *app) besideCron(ctx context.Context, l *loaded, f *dashboardFlags) (*sideDashboard, error) {
	o, err := a.dashboardOptions(ctx, l, f)
	if err != nil {
		return nil, err
	}
	listener, err := listenTCP(ctx, o.Addr)
	if err != nil {
		return nil, listenError(o.Addr, err)
	}
	d := &sideDashboard{app: a, flags: f, renewals: make(chan *loaded, 1), gone: make(chan struct{})}
	d.ctx, d.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s := d.serve(o, listener, l.log)
	select {
	case <-s.listening:
		go d.follow(s)
		return d, nil
	case <-s.ended:
		d.cancel()
		return nil, s.err
	}
}

// renew passes a reloaded configuration to the dashboard without waiting.
func (d *sideDashboard) renew(l *loaded) {
	select {
	case <-d.renewals: // outdated
	default:
	}
	d.renewals <- l
}

// end ends the dashboard with cron, and waits at most leaveTime; the process ends then anyway.
func (d *sideDashboard) end(log *slog.Logger) {
	d.cancel()
	select {
	case <-d.gone:
	case <-time.After(leaveTime):
		log.Warn("the dashboard does not end in time")
	}
}

// follow serves the dashboard by each configuration in turn.
func (d *sideDashboard) follow(s *serving) {
	defer close(d.gone)
	for {
		select {
		case <-d.ctx.Done():
			s.stop()
			s.release()
			return
		case l := <-d.renewals:
			s = d.renewed(s, l)
		}
	}
}

// renewed serves the dashboard by a reloaded configuration. If that fails, the earlier one stays in use.
func (d *sideDashboard) renewed(s *serving, l *loaded) *serving {
	o, err := d.app.dashboardOptions(d.ctx, l, d.flags)
	if err != nil {
		l.log.Error(goesOn, "reason", err.Error())
		return s
	}
	if !s.over() && o.Addr == s.options.Addr {
		s.stop()
		return d.serve(o, s.listener, l.log)
	}
	listener, err := listenTCP(d.ctx, o.Addr)
	switch _, port, _ := net.SplitHostPort(s.options.Addr); {
	case err != nil && s.over():
		l.log.Error("the dashboard cannot be served; cycles go on without it", "reason", listenError(o.Addr, err).Error())
		return s
	case errors.Is(err, syscall.EADDRINUSE) && strings.HasSuffix(o.Addr, ":"+port): // it may be this dashboard's own port
		s.stop()
		s.release()
		if listener, err = listenTCP(d.ctx, o.Addr); err == nil {
			break
		}
		l.log.Error(goesOn, "reason", listenError(o.Addr, err).Error())
		o = s.options
		if listener, err = listenTCP(d.ctx, o.Addr); err != nil {
			l.log.Error(endedEarly, "reason", listenError(o.Addr, err).Error())
			return s
		}
	case err != nil:
		l.log.Error(goesOn, "reason", listenError(o.Addr, err).Error())
		return s
	default:
		s.stop()
		s.release()
	}
	return d.serve(o, listener, l.log)
}

// serving is a dashboard that is or was served.
type serving struct {
	options   dashboard.Options
	listener  *net.TCPListener
	log       *slog.Logger
	cancel    context.CancelFunc
	listening chan struct{} // closed when it accepts connections
	ended     chan struct{} // closed when it has ended
	err       error         // why it ended unrequested; set before ended is closed
}

// serve serves at a listener until d ends or the dashboard is stopped.
func (d *sideDashboard) serve(o dashboard.Options, listener *net.TCPListener, log *slog.Logger) *serving {
	ctx, cancel := context.WithCancel(d.ctx)
	s := &serving{options: o, listener: listener, log: log, cancel: cancel, listening: make(chan struct{}), ended: make(chan struct{})}
	_ = listener.SetDeadline(time.Time{}) // if that fails, so does accepting a connection
	o.Listener = lentListener{listener}
	o.Listening = func(addr string) {
		log.Info("dashboard", "url", dashboardURL(addr))
		close(s.listening)
	}
	go func() {
		defer close(s.ended)
		defer cancel()
		err := d.app.serve(ctx, o)
		if ctx.Err() != nil {
			if err != nil {
				log.Warn("the dashboard did not end cleanly", "reason", err.Error())
			}
			return
		}
		s.err = cmp.Or(err, errEndedByItself)
		s.release()
		select {
		case <-s.listening:
			log.Error(endedEarly, "reason", s.err.Error())
		default: // besideCron returns the error
		}
	}()
	return s
}

func (s *serving) stop() {
	s.cancel()
	<-s.ended
}

func (s *serving) over() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// release closes the listener, unless it is closed already.
func (s *serving) release() {
	if err := s.listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		s.log.Warn("the dashboard's address is not released", "reason", err.Error())
	}
}

// lentListener is a listener whose Close only ends Accept and leaves it open: connections wait until the next dashboard is served on it.
type lentListener struct{ *net.TCPListener }

func (l lentListener) Close() error { return l.SetDeadline(time.Unix(1, 0)) }

func listenTCP(ctx context.Context, addr string) (*net.TCPListener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return listener.(*net.TCPListener), nil //nolint:forcetypeassert // which is what tcp gives
}
