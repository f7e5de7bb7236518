package cli

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/notify"
)

// How long a heartbeat may take, and where a signal wants the process to end.
const (
	beatTime       = 10 * time.Second
	hurriedBeating = 2 * time.Second
)

// heartbeat tells a monitor that cycles run, so that somebody notices when they do not. A nil one tells nobody.
type heartbeat struct {
	ping    notify.Pinger
	url     string
	run     string
	log     *slog.Logger
	started sync.WaitGroup
}

// heartbeat is that of CLAUDEOPS_HEARTBEAT_URL, nil where there is none. It needs no configuration that is whole: that something in it
// is wrong is what it may have to tell.
func (a *app) heartbeat(l *loaded) *heartbeat {
	url := strings.TrimSpace(l.environment.Get(config.Prefix + "HEARTBEAT_URL"))
	if url == "" || a.Pinger == nil {
		return nil
	}
	return &heartbeat{ping: a.Pinger(l.environment.Environ(), VersionName()), url: url, run: uuid.NewString(), log: l.log}
}

// begin tells of a cycle that has the lock, beside it.
func (h *heartbeat) begin(ctx context.Context) {
	if h == nil {
		return
	}
	h.started.Go(func() { h.beat(ctx, beatTime, notify.Started, "") })
}

// end tells how the cycle ended, or why it could not begin. Not called for one that another cycle's lock kept from it: that one beats.
func (h *heartbeat) end(ctx context.Context, well bool, text string) {
	if h == nil {
		return
	}
	h.started.Wait()
	longest := beatTime
	if ctx.Err() != nil {
		longest = hurriedBeating
	}
	beat := notify.Failed
	if well {
		beat = notify.Well
	}
	h.beat(context.WithoutCancel(ctx), longest, beat, text)
}

func (h *heartbeat) beat(ctx context.Context, longest time.Duration, beat notify.Beat, text string) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	if err := h.ping(ctx, h.url, beat, h.run, text); err != nil {
		h.log.Warn(err.Error())
	}
}
