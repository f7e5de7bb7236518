package notify

import (
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// SettingsOf returns the settings of a configuration, without an environment for programs.
func SettingsOf(c config.Config) Settings {
	return Settings{URLs: c.AppriseURLs, APIURL: c.AppriseAPIURL, Key: c.AppriseKey, Tags: c.AppriseTags}
}

// RoutingOf returns the routing of a configuration and a services file; inv may be nil.
func RoutingOf(c config.Config, inv *inventory.Inventory) (r Routing) {
	for _, route := range SettingsOf(c).Routes() {
		r.Targets = append(r.Targets, route.Target)
	}
	if inv != nil {
		r.Rules = inv.Notify
	}
	return r
}

// Late returns the oldest overdue notification: one that no silence, pause or quiet hours of some target hold back; nil if there is none.
// quiet reports whether quiet hours hold back an older one.
func (r Routing) Late(ctx context.Context, s *store.Store, now time.Time) (oldest *store.Notification, quiet bool, err error) {
	waiting, err := s.Unheld(ctx, now)
	if err != nil || len(waiting) == 0 {
		return nil, false, err
	}
	var messages []int64
	for _, n := range waiting {
		if n.MessageID != nil {
			messages = append(messages, *n.MessageID)
		}
	}
	deliveries, err := s.Deliveries(ctx, messages)
	if err != nil {
		return nil, false, err
	}
	for _, n := range waiting {
		for _, to := range r.Recipients(n.Kind, n.Type, n.Service, now) {
			got := n.MessageID != nil && slices.ContainsFunc(deliveries, func(d store.Delivery) bool {
				return d.Message == *n.MessageID && d.Target == to.Hash
			})
			if to.Until.IsZero() && !got {
				return &n, quiet, nil
			}
			quiet = quiet || !to.Until.IsZero()
		}
	}
	return nil, quiet, nil
}

// Backlog counts the notifications that wait and the targets that could not be reached; without targets, nothing waits.
func (r Routing) Backlog(ctx context.Context, s *store.Store) (pending, failing int64, err error) {
	if len(r.Targets) == 0 {
		return 0, 0, nil
	}
	if pending, err = s.PendingNotifications(ctx); err != nil {
		return 0, 0, err
	}
	unreachable, err := r.Failing(ctx, s)
	return pending, int64(len(unreachable)), err
}

// Failing returns the targets that could not be reached when they were last tried, by name. Those that were removed since stay on record
// until the next delivery.
func (r Routing) Failing(ctx context.Context, s *store.Store) ([]store.FailingTarget, error) {
	failing, err := s.FailingTargets(ctx)
	return slices.DeleteFunc(failing, func(f store.FailingTarget) bool {
		return !slices.ContainsFunc(r.Targets, func(t Target) bool { return t.Hash == f.Hash })
	}), err
}
