package records

import (
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// OldestPending returns when the oldest overdue notification was queued: one that no silence, pause or quiet hours of some target hold
// back. It is nil if there is none.
func (b *Records) OldestPending(ctx context.Context, now time.Time) (*time.Time, error) {
	waiting, err := b.Store.Unheld(ctx, now)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	var messages []int64
	for _, n := range waiting {
		if n.MessageID != nil {
			messages = append(messages, *n.MessageID)
		}
	}
	deliveries, err := b.Store.Deliveries(ctx, messages)
	if err != nil {
		return nil, err
	}
	has := map[store.Delivery]bool{}
	for _, d := range deliveries {
		has[store.Delivery{Message: d.Message, Target: d.Target}] = true
	}
	routing := notify.Routing{Targets: b.targets()}
	if b.Inventory != nil {
		routing.Rules = b.Inventory.Notify
	}
	for _, n := range waiting {
		for _, to := range routing.Recipients(n.Kind, n.Type, n.Service, now) {
			if to.Until.IsZero() && (n.MessageID == nil || !has[store.Delivery{Message: *n.MessageID, Target: to.Hash}]) {
				return &n.CreatedAt, nil
			}
		}
	}
	return nil, nil
}

// targets returns the configured targets.
func (b *Records) targets() (all []notify.Target) {
	c := b.Config
	for _, r := range (notify.Settings{URLs: c.AppriseURLs, APIURL: c.AppriseAPIURL, Key: c.AppriseKey, Tags: c.AppriseTags}).Routes() {
		all = append(all, r.Target)
	}
	return all
}

// FailingTargets counts the configured targets that could not be reached. Removed targets stay on record until the next delivery.
func (b *Records) FailingTargets(ctx context.Context) (n int64, err error) {
	failing, err := b.Store.FailingTargets(ctx)
	if err != nil || len(failing) == 0 {
		return 0, err
	}
	for _, target := range b.targets() {
		if slices.ContainsFunc(failing, func(f store.FailingTarget) bool { return f.Hash == target.Hash }) {
			n++
		}
	}
	return n, nil
}
