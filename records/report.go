package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
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
	var invalid *strict.InvalidError
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
	h := handoff.Handoff{WrittenBy: handoff.ByReport}
	affected, h.LeftOut = firstOf(affected, maxHandedOver)
	if err := b.complete(ctx, &h, affected, results); err != nil {
		return "", err
	}
	written := "handoff.json written: Tier 2 is asked for " + text.Few(affected, 10)
	if h.LeftOut > 0 {
		written += fmt.Sprintf("; %d more are unwell, but a report hands over %d at most", h.LeftOut, maxHandedOver)
	}
	return written, handoff.Write(path, h, 1)
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

// startableFirst moves the services that start no tier now to the end: those whose incident waits or is flapping, and those held back. They
// are the first to be left out.
func (b *Records) startableFirst(ctx context.Context, affected []string) ([]string, error) {
	if len(affected) == 0 {
		return nil, nil
	}
	open, err := b.Store.OpenIncidents(ctx)
	if err != nil {
		return nil, err
	}
	var first, last []string
	for _, name := range affected {
		hold, err := b.Hold(ctx, name)
		if err != nil {
			return nil, err
		}
		if at := open[name].RetryAt; hold != (Hold{}) || at != nil && at.After(b.Now()) || open[name].Flapping() {
			last = append(last, name)
		} else {
			first = append(first, name)
		}
	}
	return append(first, last...), nil
}

// maxHandedOver limits the services that the program itself names in a handoff. The others are stored, and the cycle decides about them too.
const maxHandedOver = 200

// CompleteHandoff adds unwell services in results that Tier 1's handoff does not name (left, or nil), except those held back. It returns
// the names that it added. The results of checks that could not be made, if any, replace left's UnknownChecks.
func (b *Records) CompleteHandoff(ctx context.Context, left *handoff.Handoff, results []check.Result) (completed *handoff.Handoff, added []string, err error) {
	h := handoff.Handoff{WrittenBy: handoff.ByReport}
	if left != nil {
		h = *left
	}
	missing, err := b.startableFirst(ctx, handoff.Without(Unhealthy(results), h.ServicesAffected))
	if err != nil {
		return nil, nil, err
	}
	for _, name := range missing {
		hold, err := b.Hold(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		if hold == (Hold{}) {
			added = append(added, name)
		}
	}
	added, h.LeftOut = firstOf(added, maxHandedOver-len(h.ServicesAffected))
	if len(added) == 0 {
		if left == nil {
			return nil, nil, nil
		}
		h.TakeUnknown(results)
		return &h, nil, nil
	}
	if left != nil { // it already has its own results of the services that it names
		isNew := map[string]bool{}
		for _, name := range added {
			isNew[name] = true
		}
		own := slices.DeleteFunc(slices.Clone(left.CheckResults), func(r check.Result) bool { return isNew[r.Service] })
		results = append(own, slices.DeleteFunc(slices.Clone(results), func(r check.Result) bool { return !isNew[r.Service] && r.Status != check.Unknown })...)
	}
	err = b.complete(ctx, &h, slices.Concat(h.ServicesAffected, added), results)
	return &h, added, err
}

// firstOf returns the first most names, and the number of the others.
func firstOf(names []string, most int) (first []string, others int) {
	n := min(len(names), max(most, 0))
	return names[:n], len(names) - n
}

// complete completes a handoff for the affected services. Of more results than a report may have, it takes those of these services that
// are unwell.
func (b *Records) complete(ctx context.Context, h *handoff.Handoff, affected []string, results []check.Result) (err error) {
	h.SchemaVersion, h.RecommendedTier, h.ServicesAffected = handoff.SchemaVersion, 2, affected
	if len(results) > check.MaxResults {
		results = slices.DeleteFunc(ResultsOf(affected, results), func(r check.Result) bool { return !r.Status.Unwell() })
	}
	h.Take(results)
	h.CooldownState, err = b.Snapshot(ctx, affected)
	return err
}
