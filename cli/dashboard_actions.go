package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/metrics"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/store"
)

// dashboardActions is what people do on a dashboard, and what it shows besides the records. Requests use it concurrently, and cron reloads its
// configuration meanwhile, so it shares nothing with app.
type dashboardActions struct {
	config   config.Config
	redactor *mask.Redactor
	log      *slog.Logger
	now      func() time.Time
	acting   sync.Mutex // the cycle lock does not exclude requests within one process

	reading sync.Mutex
	file    os.FileInfo // of the inventory when it was read
	gone    bool        // the file was missing
	last    *inventory.Inventory
}

// shown returns what a dashboard shows and can do. The redactor of its pages includes the secrets of the inventory's checks.
func (a *app) shown(l *loaded) dashboard.Options {
	o := &dashboardActions{config: l.config, log: l.log, now: a.Now}
	o.redactor = l.hiding(o.inventory())
	home, _ := os.UserHomeDir() // without one no hooks are shown
	return dashboard.Options{
		Actions: o, Config: l.config, Variables: l.environment.Variables(), Inventory: o.inventory, Home: home,
		LinkTarget: o.linkTarget, KeepAlerts: o.keepAlerts, Redactor: o.redactor, Now: a.Now,
	}
}

// ResetCounters does nothing for a service in the inventory without counters.
func (o *dashboardActions) ResetCounters(ctx context.Context, service, by string) error {
	err := o.atOnce(ctx, func(b *ledger.Records) error { return resetCounters(ctx, b, service, by) })
	if inv := o.inventory(); inv != nil && errors.Is(err, store.ErrNotFound) {
		if _, known := inv.Get(service); known {
			return nil
		}
	}
	return err
}

// keepAlerts keeps what another program sends. It does not wait for a running cycle, and several may send at once.
func (o *dashboardActions) keepAlerts(ctx context.Context, body []byte, fault error) (kept ledger.Kept, err error) {
	b, err := ledger.Open(ctx, o.config, o.redactor, o.now, store.ReadWrite)
	if err != nil {
		return kept, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	b.Inventory = o.inventory()
	return b.TakeAlerts(ctx, body, fault)
}

// atOnce runs f on the records, also while a cycle runs, as the commands do.
func (o *dashboardActions) atOnce(ctx context.Context, f func(*ledger.Records) error) error {
	o.acting.Lock()
	defer o.acting.Unlock()
	b, err := ledger.Open(ctx, o.config, o.redactor, o.now, store.ReadWrite)
	if err != nil {
		return err
	}
	b.Inventory = o.inventory()
	if err = f(b); err == nil {
		if err := (metrics.Exporter{Version: VersionName()}).Write(ctx, b); err != nil {
			o.log.Warn(err.Error()) // alerts should not wait for the next cycle, but it is done
		}
	}
	return errors.Join(err, b.Close())
}

// Silence silences a service that the inventory or the records know, or pauses everything.
func (o *dashboardActions) Silence(ctx context.Context, service string, lasts time.Duration, reason, by string) error {
	return o.atOnce(ctx, func(b *ledger.Records) (err error) {
		if service != "" {
			if service, err = silenceable(ctx, b, service); err != nil {
				return err
			}
		}
		_, _, err = b.Silence(ctx, service, lasts, reason, by)
		return err
	})
}

func (o *dashboardActions) EndSilence(ctx context.Context, service, by string) error {
	return o.atOnce(ctx, func(b *ledger.Records) error {
		st, _, err := state.Mended(ctx, b)
		if err != nil {
			return err
		}
		active, what := st.Pause, "a pause"
		if service != "" {
			is := st.Service(service)
			active, what = is.Silence, "a silence of "+is.Name
		}
		if active == nil {
			return fmt.Errorf("%s: %w: it is over", what, store.ErrNotFound)
		}
		return b.EndSilence(ctx, *active, by)
	})
}

func (o *dashboardActions) CloseIncident(ctx context.Context, id int64, by string) error {
	return o.atOnce(ctx, func(b *ledger.Records) error { return b.CloseIncident(ctx, id, by) })
}

func (o *dashboardActions) Acknowledge(ctx context.Context, id int64, by string) error {
	return o.atOnce(ctx, func(b *ledger.Records) error { return b.Acknowledge(ctx, id, by) })
}

// Approve permits a proposal, and asks a running cron for the cycle that runs it.
func (o *dashboardActions) Approve(ctx context.Context, id int64, by string) error {
	return o.atOnce(ctx, func(b *ledger.Records) error {
		if _, err := b.Decide(ctx, id, store.ProposalApproved, by, ""); err != nil {
			return err
		}
		return statedir.Wake(o.config.StateDir, store.ByApproval)
	})
}

func (o *dashboardActions) Reject(ctx context.Context, id int64, by, reason string) error {
	return o.atOnce(ctx, func(b *ledger.Records) error {
		_, err := b.Decide(ctx, id, store.ProposalRejected, by, reason)
		return err
	})
}

// linkTarget returns the name of the target whose link it is; empty if it is none of ours, or its target is configured no more.
func (o *dashboardActions) linkTarget(p store.Proposal, to string) string {
	links, err := notify.OpenLinks(o.config.StateDir)
	if err != nil {
		o.log.Warn(err.Error())
		return ""
	}
	hash := links.Target(p, to)
	if hash == "" {
		return ""
	}
	for _, target := range notify.RoutingOf(o.config, nil).Targets {
		if target.Hash == hash {
			return target.Name
		}
	}
	return ""
}

// Cron looks for requests each second.
const (
	takenWithin = 2 * time.Second
	lookEvery   = 50 * time.Millisecond
)

// CheckNow asks a running cron for a cycle, and waits a moment to learn whether there is one.
func (o *dashboardActions) CheckNow(ctx context.Context, by string) (taken bool, err error) {
	err = o.atOnce(ctx, func(b *ledger.Records) error {
		return b.Store.AddEvent(ctx, store.Event{Level: store.Info, Message: "a cycle was asked for (" + by + ")"})
	})
	if err != nil {
		return false, err
	}
	if err := statedir.Wake(o.config.StateDir, "manual"); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, takenWithin)
	defer cancel()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		if waits, err := statedir.Awaited(o.config.StateDir); err != nil || !waits {
			return err == nil, err
		}
		select {
		case <-ctx.Done():
			return false, nil
		case <-look.C:
		}
	}
}

// inventory returns the inventory, rereading the file after a change. While it cannot be read, the last valid one stays in use, and the
// error is logged once.
func (o *dashboardActions) inventory() *inventory.Inventory {
	o.reading.Lock()
	defer o.reading.Unlock()
	is, err := os.Stat(o.config.Inventory)
	if err == nil && o.file != nil && os.SameFile(o.file, is) && o.file.Size() == is.Size() && o.file.ModTime().Equal(is.ModTime()) || err != nil && o.gone {
		return o.last
	}
	o.file, o.gone = is, err != nil
	inv, err := readInventory(o.config)
	if err != nil {
		o.log.Warn(err.Error())
		return o.last
	}
	o.last = inv
	return inv
}
