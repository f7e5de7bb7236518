package records

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// Reported is the output of `claudeops report`.
type Reported struct {
	Stored   int               `json:"stored"`
	Services []ReportedService `json:"services"`
	Handoff  string            `json:"handoff,omitempty"` // what Tier 2 is asked for when Tier 1 ends; empty if nothing
}

// ReportedService is one reported service with the use of its limits.
type ReportedService struct {
	Service      string       `json:"service"`
	Status       check.Status `json:"status"`
	Restart      string       `json:"restart"`
	Redeployment string       `json:"redeployment"`
	InCooldown   bool         `json:"in_cooldown"`
}

// Report stores check results. A later report of a service replaces its earlier one. Tier 1's are its handoff: the cycle makes it when
// the tier has ended, and updates counters then.
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
	stored, err := b.Store.LatestBySession(ctx, *session)
	if err != nil {
		return answer, err
	}
	answer.Handoff = AsksFor(firstOf(Unhealthy(store.Results(stored)), maxHandedOver))
	return answer, limitsErr
}

// Probed redacts and stores the results of the program's own checks in a session, 0 for none.
func (b *Records) Probed(ctx context.Context, session int64, results []check.Result) error {
	defer b.Forget()
	b.redact(results)
	return b.Store.AddProbed(ctx, session, b.Now(), results, nil)
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
