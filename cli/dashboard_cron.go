package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/dashboard"
)

// leaveTime is how long a dashboard beside the schedule may take to end with it.
const leaveTime = 10 * time.Second

const (
	goesOn     = "the dashboard goes on with the settings that it had"
	endedEarly = "the dashboard has ended; cycles go on without it"
)

var errEndedByItself = errors.New("it has ended unasked")

// sideDashboard is a dashboard beside the schedule. renew and end are called by one goroutine.
type sideDashboard struct {
	app     *app
	flags   *dashboardFlags
	log     *slog.Logger
	ctx     context.Context //nolint:containedctx // of all that it serves: it goes on while cron waits for its last cycle
	cancel  context.CancelFunc
	serving *serving
}

// serving is a dashboard that is served, or was.
type serving struct {
	options   dashboard.Options
	listener  *net.TCPListener
	cancel    context.CancelFunc
	listening chan struct{} // closed when it takes connections
	ended     chan struct{} // closed when it has ended
	err       error         // why it ended by itself; set before ended is closed
}

// besideCron serves a dashboard for as long as cron runs. That it cannot be served is an error; if it ends later, the log says so, and cycles
// go on.
func (a *app) besideCron(ctx context.Context, l *loaded, f *dashboardFlags) (*sideDashboard, error) {
	o, err := a.dashboardOptions(ctx, l, f)
	if err != nil {
		return nil, err
	}
	listener, err := listenTCP(ctx, o.Addr)
	if err != nil {
		return nil, listenError(o.Addr, err)
	}
	d := &sideDashboard{app: a, flags: f, log: l.log}
	d.ctx, d.cancel = context.WithCancel(context.WithoutCancel(ctx))
	d.begin(o, listener)
	select {
	case <-d.serving.listening:
		return d, nil
	case <-d.serving.ended:
		d.cancel()
		return nil, d.serving.err
	}
}

func listenTCP(ctx context.Context, addr string) (*net.TCPListener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return listener.(*net.TCPListener), nil //nolint:forcetypeassert // which is what tcp gives
}

// lentListener is a listener whose Close ends a wait for connections and leaves it open: those who come before the next dashboard is served
// there wait for it.
type lentListener struct{ *net.TCPListener }

func (l lentListener) Close() error { return l.SetDeadline(time.Unix(1, 0)) }

// begin serves at a listener until d ends or stop is called.
func (d *sideDashboard) begin(o dashboard.Options, listener *net.TCPListener) {
	ctx, cancel := context.WithCancel(d.ctx)
	s := &serving{options: o, listener: listener, cancel: cancel, listening: make(chan struct{}), ended: make(chan struct{})}
	log := d.log
	d.serving = s
	_ = listener.SetDeadline(time.Time{}) // if that fails, so does taking a connection
	o.Listener = lentListener{listener}
	o.Listening = func(addr string) {
		log.Info("dashboard", "url", dashboardURL(addr))
		close(s.listening)
	}
	go func() {
		defer close(s.ended)
		defer cancel()
		err := d.app.serve(ctx, o)
		if ctx.Err() == nil { // by itself
			s.err = cmp.Or(err, errEndedByItself)
			s.close(log)
			select {
			case <-s.listening:
				log.Error(endedEarly, "reason", s.err.Error())
			default: // besideCron returns the error
			}
			return
		}
		if err != nil {
			log.Warn("the dashboard did not end cleanly", "reason", err.Error())
		}
		if d.ctx.Err() != nil {
			s.close(log)
		}
	}()
}

func (s *serving) stop() {
	s.cancel()
	<-s.ended
}

func (s *serving) close(log *slog.Logger) {
	if err := s.listener.Close(); err != nil {
		log.Warn("the dashboard's address is not released", "reason", err.Error())
	}
}

// renew serves by a configuration that was read again. Where it cannot be served by that, it goes on with what it has.
func (d *sideDashboard) renew(ctx context.Context, l *loaded) {
	o, err := d.app.dashboardOptions(ctx, l, d.flags)
	if err != nil {
		l.log.Error(goesOn, "reason", err.Error())
		return
	}
	was := d.serving
	runs := true
	select {
	case <-was.ended:
		runs = false
	default:
	}
	d.log = l.log
	if runs && o.Addr == was.options.Addr {
		was.stop()
		d.begin(o, was.listener)
		return
	}
	listener, err := listenTCP(ctx, o.Addr)
	switch {
	case err != nil && !runs:
		l.log.Error("the dashboard cannot be served; cycles go on without it", "reason", listenError(o.Addr, err).Error())
		return
	case errors.Is(err, syscall.EADDRINUSE) && samePort(o.Addr, was.options.Addr): // perhaps it is this dashboard that has it
		was.stop()
		was.close(l.log)
		if listener, err = listenTCP(ctx, o.Addr); err != nil {
			l.log.Error(goesOn, "reason", listenError(o.Addr, err).Error())
			o = was.options
			if listener, err = listenTCP(ctx, o.Addr); err != nil {
				l.log.Error(endedEarly, "reason", listenError(o.Addr, err).Error())
				return
			}
		}
	case err != nil:
		l.log.Error(goesOn, "reason", listenError(o.Addr, err).Error())
		return
	case runs:
		was.stop()
		was.close(l.log)
	}
	d.begin(o, listener)
}

// samePort reports whether two addresses have the same port.
func samePort(x, y string) bool {
	_, px, errX := net.SplitHostPort(x)
	_, py, errY := net.SplitHostPort(y)
	return errX == nil && errY == nil && px == py
}

// end ends it with cron and waits until it is gone, at most leaveTime: the process ends then anyway.
func (d *sideDashboard) end() {
	d.cancel()
	select {
	case <-d.serving.ended:
	case <-time.After(leaveTime):
		d.log.Warn("the dashboard does not end in time")
	}
}
