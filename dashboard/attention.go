package dashboard

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/claudeops/claudeops/breaker"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
)

// askedLasts is how long people are taken to be needed where nothing says that it is over: as long as they are not told again.
const askedLasts = 24 * time.Hour

// mostAsked is how many notifications are read for what is shown of them: some are of services that nobody is needed for now.
const mostAsked = 500

// attention is what people were asked and that is not over: about an open incident, until it recovers or somebody silences its service to work
// on it; about the watch itself and what has no incident, until a cycle that began later has gone well; and hooks that are switched off.
func (i *Instance) attention(ctx context.Context, b *records.Records, s *snapshot, o *Overview) (err error) {
	if o.LastCycle, err = b.Store.LastCycle(ctx); err != nil {
		return err
	}
	since := i.now().Add(-askedLasts)
	good, err := b.Store.LastGoodCycle(ctx, since)
	if err != nil {
		return err
	}
	if good != nil {
		since = *good
	}
	asked, err := b.Store.AskedOf(ctx, since, mostAsked)
	if err != nil {
		return err
	}
	o.Attention = make([]Attention, 0, mostAttention)
	if s.cooldownFault != nil {
		o.Attention = append(o.Attention, Attention{
			Kind: string(store.HumanAttention), Title: "cooldown.json cannot be read", Body: s.cooldownFault.Error(), At: o.At,
		})
	}
	for _, n := range asked {
		needed, err := stillNeeded(ctx, b, n)
		if err != nil {
			return err
		}
		if needed {
			o.Attention = append(o.Attention, attentionOf(n))
		}
	}
	o.Attention = append(o.Attention, i.hooksOff(b, o.At)...)
	// The sort keeps the order of those of the same time.
	slices.SortStableFunc(o.Attention, func(x, y Attention) int { return y.At.Compare(x.At) })
	o.Attention = o.Attention[:min(len(o.Attention), mostAttention)]
	return nil
}

// stillNeeded reports whether people are still asked for what they were told: not of a service of another shard, nor of one that is in
// maintenance or silenced, at which somebody is.
func stillNeeded(ctx context.Context, b *records.Records, n store.Notification) (bool, error) {
	if n.Service == "" {
		return true, nil
	}
	if b.Inventory.Elsewhere(n.Service) != "" {
		return false, nil
	}
	hold, err := b.Quiet(ctx, n.Service)
	return !hold.Quiet, err
}

// hooksOff are the hooks that are switched off, however long they are. Where their state cannot be read, the page of hooks says so.
func (i *Instance) hooksOff(b *records.Records, now time.Time) []Attention {
	off, err := breaker.SwitchedOff(filepath.Join(b.Config.StateDir, breaker.StateName))
	if err != nil {
		return nil
	}
	all := make([]Attention, len(off))
	for n, hook := range off {
		all[n] = Attention{
			Kind: string(store.CircuitOpen), Title: fmt.Sprintf("The hook %s is switched off", clip(breaker.ShortName(hook.Command), mostSpan)),
			Body: fmt.Sprintf("%s\n\n%s", clip(hook.Command, mostCommand), clip(hook.Error, mostCommand)), At: now,
		}
		if hook.Since != nil {
			all[n].At = hook.Since.UTC()
		}
	}
	return all
}

func attentionOf(n store.Notification) Attention {
	return Attention{Service: n.Service, Incident: n.IncidentID, Kind: string(n.Kind), Title: n.Title, Body: n.Body, At: n.CreatedAt}
}
