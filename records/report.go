package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// Reported is the output of `claudeops report`.
type Reported struct {
	Stored   int               `json:"stored"`
	Services []ReportedService `json:"services"`
	Handoff  string            `json:"handoff,omitempty"` // what happened to handoff.json; empty if nothing
}

// ReportedService is one reported service with the use of its limits.
type ReportedService struct {
	Service      string       `json:"service"`
	Status       check.Status `json:"status"`
	Restart      string       `json:"restart"`
	Redeployment string       `json:"redeployment"`
	InCooldown   bool         `json:"in_cooldown"`
}

// Report stores check results and, for Tier 1, makes the resulting handoff. A later report of a service replaces its earlier one, and
// rewrites or removes the handoff that the earlier one made. Counters are updated after the tier.
func (b *Records) Report(ctx context.Context, results []check.Result) (Reported, error) {
	var session *int64
	if b.InSession() {
		session = &b.Config.Agent.SessionID
	}
	b.redact(results)
	b.Named(results)
	services := make([]string, 0, len(results))
	for _, r := range results {
		services = append(services, r.Service)
	}
	if err := b.refuseElsewhere(services, "leave it out and report the others again"); err != nil {
		return Reported{}, err
	}
	if err := b.Store.AddChecks(ctx, session, b.Now(), results); err != nil {
		return Reported{}, err
	}
	b.Forget()
	answer := Reported{Stored: len(results)}
	// If limits cannot be read, that is reported at the end; it must not keep the next tier from being requested.
	limits, limitsErr := b.Limits(ctx)
	if limitsErr == nil {
		answer.Services, limitsErr = reported(ctx, limits, check.Worst(results))
	}
	if b.Config.Agent.Tier != 1 || session == nil {
		return answer, limitsErr
	}
	var err error
	answer.Handoff, err = b.reportHandoff(ctx, *session)
	return answer, errors.Join(limitsErr, err)
}

// Probed stores the results of the program's own checks in a session (0 for none), and the restart counts of containers. In Tier 1 it
// makes the handoff for all results of the session, and returns what happened to it, if anything.
func (b *Records) Probed(ctx context.Context, session int64, tier int, results []check.Result, restarts map[string]int) (handoff string, err error) {
	b.redact(results)
	err = b.Store.AddProbed(ctx, session, b.Now(), results, restarts)
	b.Forget()
	if err != nil || tier != 1 {
		return "", err
	}
	return b.reportHandoff(ctx, session)
}

// Named replaces the services' names in results with those of the inventory.
func (b *Records) Named(results []check.Result) {
	for i := range results {
		results[i].Service = b.Inventory.NameOf(results[i].Service)
	}
}

// refuseElsewhere returns an error if one of the services belongs to another shard, because results from here say nothing about it there.
// do is the advice in the error.
func (b *Records) refuseElsewhere(services []string, do string) error {
	var others []string
	for _, service := range services {
		text := service + " is looked after by " + b.Inventory.Elsewhere(service)
		if b.Inventory.Elsewhere(service) != "" && !slices.Contains(others, text) {
			others = append(others, text)
		}
	}
	if others == nil {
		return nil
	}
	return fmt.Errorf("not for this shard: %s; %s", text.Few(others, 10), do)
}

func (b *Records) redact(results []check.Result) {
	for i := range results {
		results[i].Error = b.Redactor.String(results[i].Error)
	}
}

// reported returns the services with their limits, in name order.
func reported(ctx context.Context, limits Limits, worst map[string]check.Status) (list []ReportedService, err error) {
	for _, name := range slices.Sorted(maps.Keys(worst)) {
		restart, redeployment, err := limits.Both(ctx, name)
		if err != nil {
			return nil, err
		}
		list = append(list, ReportedService{
			Service: name, Status: worst[name], Restart: restart.String(), Redeployment: redeployment.String(),
			InCooldown: !restart.Permitted() || !redeployment.Permitted(),
		})
	}
	return list, nil
}

// reportHandoff writes, rewrites or removes handoff.json according to everything that the session has reported. It does not touch a
// handoff that the agent wrote itself.
func (b *Records) reportHandoff(ctx context.Context, session int64) (string, error) {
	path := HandoffPath(b.Config)
	old, _, err := handoff.Read(path, 1)
	var invalid *handoff.InvalidError
	exists := !errors.Is(err, fs.ErrNotExist)
	if err != nil && exists && !errors.As(err, &invalid) {
		return "", err
	}
	if exists && old.WrittenBy != handoff.ByReport {
		return "handoff.json is not of `claudeops report` and was left as it is; check it with `claudeops handoff validate`", nil
	}
	stored, err := b.Store.LatestBySession(ctx, session)
	if err != nil {
		return "", err
	}
	results := store.Results(stored)
	affected := Unhealthy(results)
	if len(affected) == 0 {
		if !exists {
			return "", nil
		}
		return "handoff.json removed: everything reported is healthy now", handoff.Remove(path)
	}
	if affected, err = b.startableFirst(ctx, affected); err != nil {
		return "", err
	}
	h, err := b.fittingHandoff(ctx, handoff.Handoff{WrittenBy: handoff.ByReport}, affected, results)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("handoff.json written: Tier 2 is asked for %s", text.Few(h.ServicesAffected, 10)), handoff.Write(path, h, 1)
}

// Unhealthy returns the services with an unhealthy result, in name order.
func Unhealthy(results []check.Result) (names []string) {
	for name, status := range check.Worst(results) {
		if status.Unwell() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ResultsOf returns the results of the given services.
func ResultsOf(services []string, results []check.Result) (about []check.Result) {
	asked := make(map[string]bool, len(services))
	for _, name := range services {
		asked[name] = true
	}
	for _, r := range results {
		if asked[r.Service] {
			about = append(about, r)
		}
	}
	return about
}

// startableFirst moves the services that start no tier now to the end: those whose incident waits or is flapping, and those held back. If
// there is no room for all, they are left out.
func (b *Records) startableFirst(ctx context.Context, affected []string) ([]string, error) {
	if len(affected) == 0 {
		return nil, nil
	}
	open, err := b.Store.OpenIncidents(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.Look(ctx); err != nil {
		return nil, err
	}
	var first, last []string
	for _, name := range affected {
		hold, err := b.Hold(ctx, name)
		if err != nil {
			return nil, err
		}
		if at := open[name].RetryAt; hold != (Hold{}) || at != nil && at.After(b.Trusted()) || open[name].Flapping() {
			last = append(last, name)
		} else {
			first = append(first, name)
		}
	}
	return append(first, last...), nil
}

// CompleteHandoff adds unwell services in results that Tier 1's handoff does not name (left, or nil), except those held back, as far as
// there is room. It returns the names that it added. The results of checks that could not be made, if any, replace left's UnknownChecks.
func (b *Records) CompleteHandoff(ctx context.Context, left *handoff.Handoff, results []check.Result) (completed *handoff.Handoff, added []string, err error) {
	base := handoff.Handoff{WrittenBy: handoff.ByReport}
	if left != nil {
		base = *left
	}
	known := map[string]bool{}
	for _, name := range base.ServicesAffected {
		known[name] = true
	}
	missing, err := b.startableFirst(ctx, slices.DeleteFunc(Unhealthy(results), func(name string) bool { return known[name] }))
	if err != nil {
		return nil, nil, err
	}
	affected, isNew := slices.Clone(base.ServicesAffected), map[string]bool{}
	for _, name := range missing {
		hold, err := b.Hold(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		if hold == (Hold{}) {
			affected, isNew[name] = append(affected, name), true
		}
	}
	if len(isNew) == 0 {
		return withUnknown(left, results), nil, nil
	}
	if left != nil { // it already has its own results of the services that it names
		own := slices.DeleteFunc(slices.Clone(left.CheckResults), func(r check.Result) bool { return isNew[r.Service] })
		results = append(own, slices.DeleteFunc(slices.Clone(results), func(r check.Result) bool { return !isNew[r.Service] && r.Status != check.Unknown })...)
	}
	h, err := b.fittingHandoff(ctx, base, affected, results)
	if err != nil || len(h.ServicesAffected) <= len(base.ServicesAffected) {
		return withUnknown(left, results), nil, err
	}
	return &h, h.ServicesAffected[len(base.ServicesAffected):], nil
}

// withUnknown returns Tier 1's handoff (nil if it left none) with the results of the checks that could not be made, if there is room for
// them. If there is nothing to add, it returns left.
func withUnknown(left *handoff.Handoff, results []check.Result) *handoff.Handoff {
	if left == nil {
		return nil
	}
	h := *left
	h.TakeUnknown(results)
	if text, err := h.Marshal(); err != nil || len(text) > handoff.MaxBytes || bytes.Equal(h.UnknownChecks, left.UnknownChecks) {
		return left
	}
	return &h
}

// fittingHandoff returns base completed for the affected services. If it would be too large, it first leaves out results that are not
// unwell, then services from the end, and finally all but the worst result of the first service. Everything left out is still stored, and
// the cycle decides about it too.
func (b *Records) fittingHandoff(ctx context.Context, base handoff.Handoff, affected []string, results []check.Result) (handoff.Handoff, error) {
	base.SchemaVersion, base.RecommendedTier = handoff.SchemaVersion, 2
	limits, unknown := b.Limits(ctx)
	times, err := b.Store.AllActTimes(ctx, limits.DayBegins())
	if err != nil {
		return base, err
	}
	limits = limits.WithDays(times)
	for n := len(affected); n > 0; n /= 2 {
		h := base
		h.ServicesAffected = affected[:n]
		fitting := results
		if h.CooldownState, err = snapshot(ctx, limits, unknown, h.ServicesAffected); err != nil {
			return h, err
		}
		if len(h.CooldownState) > handoff.MaxBytes { // the file has more white space
			continue
		}
		if n < len(affected) {
			fitting = ResultsOf(h.ServicesAffected, fitting)
		}
		unwell := slices.DeleteFunc(slices.Clone(fitting), func(r check.Result) bool { return !r.Status.Unwell() })
		for _, left := range [][]check.Result{fitting, unwell} {
			h.Take(left)
			if text, err := h.Marshal(); err != nil || len(text) <= handoff.MaxBytes {
				return h, err
			}
			h.UnknownChecks = nil
		}
	}
	return shortestHandoff(base, affected[0], results), nil
}

// shortestHandoff returns a handoff for one service whose results alone exceed the size limit.
func shortestHandoff(base handoff.Handoff, service string, results []check.Result) handoff.Handoff {
	var worst check.Result
	for _, r := range results {
		if r.Service == service && r.Status.Worse(worst.Status) {
			worst = r
		}
	}
	worst.Error, worst.Extra = notify.Clip(worst.Error, MaxFound), nil
	return handoff.Handoff{
		SchemaVersion: base.SchemaVersion, RecommendedTier: base.RecommendedTier, ServicesAffected: []string{service},
		CheckResults: []check.Result{worst}, CooldownState: jsontext.Value(`{"unreadable":"too large for a handoff"}`), WrittenBy: base.WrittenBy,
	}
}
