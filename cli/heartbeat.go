package cli

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/notify"
)

// Time limits of a heartbeat, and after a signal to end.
const (
	beatTime        = 10 * time.Second
	hurriedBeatTime = 2 * time.Second
)

// heartbeat reports a cycle to its monitor, which raises an alarm if none runs. A nil heartbeat does nothing.
type heartbeat struct {
	send    func(context.Context, notify.Beat, string) error
	of      *loaded // for its log
	started sync.WaitGroup
}

// heartbeat returns the heartbeat for CLAUDEOPS_HEARTBEAT_URL; nil if that is not set. It works even if the rest of the configuration is
// invalid, so that this can be reported.
func (a *app) heartbeat(l *loaded) *heartbeat {
	url := strings.TrimSpace(l.environment.Get(config.Prefix + "HEARTBEAT_URL"))
	if url == "" {
		return nil
	}
	if a.Beat != nil {
		return &heartbeat{send: a.Beat, of: l}
	}
	monitor := notify.Monitor{URL: url, Run: uuid.NewString(), Environ: l.environment.Environ(), Version: VersionName()}
	return &heartbeat{send: monitor.Beat, of: l}
}

// begin reports, concurrently with the cycle, that it has the lock.
func (h *heartbeat) begin(ctx context.Context) {
	if h != nil {
		h.started.Go(func() { h.beat(ctx, beatTime, notify.Started, "") })
	}
}

// alive reports, during the cycle, that monitoring continues.
func (h *heartbeat) alive(ctx context.Context) {
	if h != nil {
		h.beat(ctx, beatTime, notify.Well, "a tier is running, and watching goes on")
	}
}

// end reports how the cycle ended, or why it could not begin. It is not called if another cycle has the lock: that one reports.
func (h *heartbeat) end(ctx context.Context, well bool, text string) {
	if h == nil {
		return
	}
	h.started.Wait()
	longest, beat := beatTime, notify.Failed
	if ctx.Err() != nil {
		longest = hurriedBeatTime
	}
	if well {
		beat = notify.Well
	}
	h.beat(context.WithoutCancel(ctx), longest, beat, text)
}

func (h *heartbeat) beat(ctx context.Context, longest time.Duration, beat notify.Beat, text string) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	if err := h.send(ctx, beat, text); err != nil {
		h.of.log.Warn(err.Error())
	}
}
