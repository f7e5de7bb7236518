package records

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

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
	names, err := b.Store.RemediatedSince(ctx, b.Trusted().Add(-time.Hour))
	if err != nil {
		return "", err
	}
	others := slices.DeleteFunc(names, func(name string) bool { return name == service })
	if len(others) < most {
		return "", nil
	}
	return fmt.Sprintf("%s were remediated within the last hour (%s), which is no accident of one service: CLAUDEOPS_MAX_SERVICES_PER_HOUR is %d",
		text.Count(len(others), "other service"), text.Few(others, 5), most), nil
}

// refuseUntouchable returns an error and asks a human if the service is Untouchable, unless a person has approved what the session does.
func (b *Records) refuseUntouchable(ctx context.Context, w Wanted) error {
	why, err := b.Untouchable(ctx, w.Service)
	if err != nil || why == "" {
		return err
	}
	id := b.Config.Agent.SessionID
	session, err := b.Store.Session(ctx, id)
	if err != nil || session.Trigger == store.ByApproval {
		return err
	}
	limits, err := b.Limits(ctx, w.Service)
	if err != nil {
		return err
	}
	refusal := &HeldError{w.Service, Hold{Reason: why}}
	err = b.Together(ctx, func() error {
		message := fmt.Sprintf("a %s of %s%s%s", w.Action, w.Service, RefusedWords, why)
		if err := b.Store.AddEvent(ctx, store.Event{SessionID: &id, Level: store.Warning, Service: w.Service, CreatedAt: b.Now(), Message: message}); err != nil {
			return err
		}
		return b.requestOnce(ctx, limits, w.Service, Ask{Cause: NotNow, Why: fmt.Sprintf("A %s was wanted and refused: %s", w.Action, why)})
	})
	if err != nil {
		return err
	}
	return refusal
}
