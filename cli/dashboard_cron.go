package cli

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/dashboard"
)

// leaveTime is how long a dashboard beside the schedule may take to end with it.
const leaveTime = 10 * time.Second

// sideDashboard is a dashboard beside the schedule.
type sideDashboard struct {
	app   *app
	flags *dashboardFlags
	serve func(context.Context, dashboard.Options) error
	end   func() // ends it with cron
	next  chan sideOptions
	door  door
}

// sideOptions are those of a configuration, and its log.
type sideOptions struct {
	dashboard.Options
	log *slog.Logger
}

// besideCron serves a dashboard for as long as cron runs. That it cannot be served is an error, and that it ends later is told in the log:
// cycles go on.
func (a *app) besideCron(ctx context.Context, l *loaded, f *dashboardFlags) (*sideDashboard, error) {
	o, err := a.dashboardOptions(ctx, l, f)
	if err != nil {
		return nil, err
	}
	// It goes on while cron, told to end, waits for its cycle.
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d := &sideDashboard{app: a, flags: f, serve: a.serve, next: make(chan sideOptions, 1)}
	if err := d.door.open(serving, o.Addr); err != nil {
		cancel()
		return nil, listenError(o.Addr, err)
	}
	listening, ended, gone := make(chan struct{}), make(chan error, 1), make(chan struct{})
	go func() {
		defer close(gone)
		ended <- d.run(serving, sideOptions{o, l.log}, listening)
	}()
	select {
	case <-listening:
	case err := <-ended:
		cancel()
		return nil, err
	}
	d.end = func() { leave(cancel, gone, l.log) }
	return d, nil
}

const goesOn = "the dashboard goes on with the settings that it had"

// renew has the dashboard served by a configuration that was read again. Where that is none for a dashboard it goes on with what it has.
func (d *sideDashboard) renew(ctx context.Context, l *loaded) {
	o, err := d.app.dashboardOptions(ctx, l, d.flags)
	if err != nil {
		l.log.Error(goesOn, "reason", err.Error())
		return
	}
	select {
	case <-d.next: // not begun yet, and out of date
	default:
	}
	d.next <- sideOptions{o, l.log}
}

// run serves by one configuration after the other until ctx ends, at the door that is open; begun is closed when the first is served. Before
// that its error is the caller's to tell, after that it is told in the log.
func (d *sideDashboard) run(ctx context.Context, o sideOptions, begun chan<- struct{}) error {
	defer func() { d.door.close(o.log) }()
	var first sync.Once
	begins := func() { first.Do(func() { close(begun) }) }
	for round := 0; ; round++ {
		s := d.begin(ctx, o, begins)
		next, err := d.served(ctx, s, o)
		switch {
		case ctx.Err() != nil:
			return err
		case err == nil:
			o = next
			continue
		case round == 0 && !s.begun():
			return err
		}
		o.log.Error("the dashboard has ended; cycles go on without it", "reason", err.Error())
		d.door.close(o.log)
		if o, err = d.another(ctx, o); err != nil {
			return nil // ctx has ended
		}
	}
}

// serving is a dashboard that is served.
type serving struct {
	cancel    context.CancelFunc
	listening chan struct{} // closed when it is
	ended     chan error
}

func (s serving) begun() bool {
	select {
	case <-s.listening:
		return true
	default:
		return false
	}
}

// stop ends it, and says in a log where that went wrong.
func (s serving) stop(log *slog.Logger) {
	s.cancel()
	if err := <-s.ended; err != nil {
		log.Warn("the dashboard ended otherwise than it should", "reason", err.Error())
	}
}

// begin serves at the door.
func (d *sideDashboard) begin(ctx context.Context, o sideOptions, begins func()) serving {
	s := serving{listening: make(chan struct{}), ended: make(chan error, 1)}
	o.Listener = d.door.lend()
	o.Listening = func(addr string) {
		o.log.Info("dashboard", "url", dashboardURL(addr))
		begins()
		close(s.listening)
	}
	ctx, s.cancel = context.WithCancel(ctx)
	go func() { s.ended <- d.serve(ctx, o.Options) }()
	return s
}

// served waits until a dashboard is to be served otherwise, and returns by which options; the error is why it has ended. Where those cannot
// be, it goes on as it was.
func (d *sideDashboard) served(ctx context.Context, s serving, o sideOptions) (sideOptions, error) {
	for {
		select {
		case err := <-s.ended:
			s.cancel()
			if ctx.Err() == nil {
				err = whyEnded(err)
			}
			return o, err
		case next := <-d.next:
			if next.Addr == d.door.addr {
				s.stop(o.log)
				return next, nil
			}
			var to door
			err := to.open(ctx, next.Addr)
			switch {
			case err == nil:
				s.stop(o.log)
				d.door.close(o.log)
				d.door = to
				return next, nil
			case errors.Is(err, syscall.EADDRINUSE) && samePort(next.Addr, d.door.addr): // perhaps it is this dashboard that has it
				s.stop(o.log)
				return d.move(ctx, o, next)
			}
			next.log.Error(goesOn, "reason", listenError(next.Addr, err).Error())
		}
	}
}

// move closes the door before the next is opened, or opens it again where that cannot be.
func (d *sideDashboard) move(ctx context.Context, o, next sideOptions) (sideOptions, error) {
	d.door.close(o.log)
	err := d.door.open(ctx, next.Addr)
	if err == nil {
		return next, nil
	}
	next.log.Error(goesOn, "reason", listenError(next.Addr, err).Error())
	if err := d.door.open(ctx, o.Addr); err != nil {
		return o, listenError(o.Addr, err)
	}
	return o, nil
}

// another waits for options with which a door can be opened; an error is that ctx has ended.
func (d *sideDashboard) another(ctx context.Context, o sideOptions) (sideOptions, error) {
	for {
		select {
		case o = <-d.next:
		case <-ctx.Done():
			return o, ctx.Err()
		}
		err := d.door.open(ctx, o.Addr)
		if err == nil {
			return o, nil
		}
		o.log.Error("the dashboard cannot be served; cycles go on without it", "reason", listenError(o.Addr, err).Error())
	}
}

var errEndedByItself = errors.New("it has ended without being told to")

// whyEnded is why a dashboard ended that nobody told to.
func whyEnded(err error) error {
	if err == nil {
		return errEndedByItself
	}
	return err
}

// leave ends a dashboard and waits until it is gone, at most leaveTime: the process ends then anyway.
func leave(cancel context.CancelFunc, gone <-chan struct{}, log *slog.Logger) {
	cancel()
	late := time.NewTimer(leaveTime)
	defer late.Stop()
	select {
	case <-gone:
	case <-late.C:
		log.Warn("the dashboard does not end; it is left where it is")
	}
}
