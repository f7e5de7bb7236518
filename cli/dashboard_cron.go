package cli

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// leaveTime is how long the dashboard of cron may take to end.
const leaveTime = 10 * time.Second

var errEndedByItself = errors.New("it has ended unasked")

// besideCron serves a dashboard by the configuration with which cron began, until end is called: it goes on while cron waits for its last
// cycle. If it cannot be served, that is an error; if it ends later, that is logged, and cycles continue.
func (a *app) besideCron(ctx context.Context, l *loaded, f *dashboardFlags) (end func(), err error) {
	o, err := a.dashboardOptions(l, f)
	if err != nil {
		return nil, err
	}
	listening, ended := make(chan struct{}), make(chan error, 1)
	o.Listening = func(addr string) {
		l.log.Info("dashboard", "url", dashboardURL(addr))
		close(listening)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		err := cmp.Or(a.serve(ctx, o), errEndedByItself)
		ended <- err
		select {
		case <-listening:
			if ctx.Err() == nil {
				l.log.Error("the dashboard has ended; cycles go on without it", "reason", err.Error())
			}
		default: // cron does not begin
		}
	}()
	select {
	case <-listening:
	case err := <-ended:
		cancel()
		return nil, listenError(o.Addr, err)
	}
	return func() {
		cancel()
		select {
		case <-ended: //nolint:errcheck // it is logged
		case <-time.After(leaveTime): // the process ends then anyway
			l.log.Warn("the dashboard does not end in time")
		}
	}, nil
}
