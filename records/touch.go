package records

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// Operator is the sessions.agent value of a person who runs a command as an agent would.
const Operator = "operator"

// Untouchable returns why nothing but a person may remediate a service now, as a clause; empty if it may be: it is outside of its hours
// (remediate.hours), or so many other services were remediated within an hour that this is no accident of one.
func (b *Records) Untouchable(ctx context.Context, service string) (string, error) {
	service = b.Inventory.NameOf(service)
	if s, known := b.Inventory.Get(service); known && !s.Remediable(b.Now()) {
		return "it may be remediated at " + s.Hours.String() + " only (remediate.hours)", nil
	}
	most := b.Config.MaxServicesPerHour
	if most == 0 || b.Store == nil {
		return "", nil
	}
	others, err := b.Store.RemediatedSince(ctx, b.Now().Add(-time.Hour))
	if err != nil {
		return "", err
	}
	others = slices.DeleteFunc(others, func(name string) bool { return name == service })
	if len(others) < most {
		return "", nil
	}
	return fmt.Sprintf("CLAUDEOPS_MAX_SERVICES_PER_HOUR is %d, and other services had their turn within this hour: %s", most, text.Few(others, 5)), nil
}

// NotNow is like Untouchable, but returns nothing in a session that does what a person has approved, or what a person does. In any other
// session it returns, too, that the service is well and nothing that is unwell needs it.
func (b *Records) NotNow(ctx context.Context, service string) (string, error) {
	if !b.InSession() || b.Store == nil {
		return b.Untouchable(ctx, service)
	}
	session, unread := b.Store.Session(ctx, b.Config.Agent.SessionID)
	if unread == nil && byPerson(session) {
		return "", nil
	}
	why, err := b.Untouchable(ctx, service)
	if err != nil || why != "" {
		return why, cmp.Or(err, unread)
	}
	if well, err := b.wellAndApart(ctx, b.Inventory.NameOf(service)); err != nil || !well {
		return "", err
	}
	return healthyAndApart, unread
}

const healthyAndApart = "the program's own checks find it healthy, and nothing that is unwell depends on it"

// byPerson reports whether a session does what a person has approved, or what a person does.
func byPerson(s store.Session) bool { return s.Trigger == store.ByApproval || s.Agent == Operator }

// wellAndApart reports whether the program's own checks find a service healthy, and neither it nor a service that depends on it has an
// incident, an alert or a person's question. Whatever a model has read then, it has no reason to act on it.
func (b *Records) wellAndApart(ctx context.Context, service string) (bool, error) {
	if _, known := b.Inventory.Get(service); !known {
		return false, nil
	}
	last, err := b.Store.LastChecks(ctx, service, b.Now().Add(-statusLasts))
	if err != nil || check.Worst(store.Results(last))[service] != check.Healthy || last[0].Source != store.Probed {
		return false, err
	}
	open, err := b.Store.OpenIncidents(ctx)
	if err != nil {
		return false, err
	}
	firing, err := b.Store.CountFiring(ctx)
	if err != nil {
		return false, err
	}
	troubled := slices.Concat(slices.Collect(maps.Keys(open)), b.Config.Services)
	for _, a := range firing {
		troubled = append(troubled, a.Service)
	}
	apart := map[string]bool{}
	return !slices.ContainsFunc(troubled, func(name string) bool { return b.needs(b.Inventory.NameOf(name), service, apart) }), nil
}

// needs reports whether a service is another, or depends on it. Those in apart do not, and those that do not are added to it.
func (b *Records) needs(service, on string, apart map[string]bool) bool {
	if service == on {
		return true
	}
	if apart[service] {
		return false
	}
	s, known := b.Inventory.Get(service)
	if known && slices.ContainsFunc(s.DependsOn, func(name string) bool { return b.needs(name, on, apart) }) {
		return true
	}
	apart[service] = true
	return false
}
