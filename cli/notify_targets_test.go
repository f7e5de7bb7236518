package cli

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

func TestWhoHasAMessageAndWhoWaitsForIt(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) *time.Time { t := now.Add(time.Duration(minutes) * time.Minute); return &t }
	id := int64(1)
	message := store.Notification{ID: 1, MessageID: &id, NextAttemptAt: *at(-1)}
	done := message
	done.DeliveredAt = at(-1)
	refused := message
	refused.LastError, refused.NextAttemptAt = "b: HTTP 400", *at(4)
	targets := []notify.Target{{Hash: "A", Name: "a"}, {Hash: "B", Name: "b"}}
	had := func(hash string) store.Delivery {
		return store.Delivery{Message: 1, Target: hash, DeliveredAt: *at(-1)}
	}
	fails := func(hash string, minutes int) store.FailingTarget {
		return store.FailingTarget{Hash: hash, Name: "named " + hash, RetryAt: *at(minutes), LastError: "refused connection"}
	}
	for name, tt := range map[string]struct {
		n       store.Notification
		targets []notify.Target
		got     []store.Delivery
		failing []store.FailingTarget
		want    []recipient
	}{
		"before the first attempt": {store.Notification{ID: 1}, targets, []store.Delivery{had("A")}, nil, []recipient{{Target: "a"}, {Target: "b"}}},
		"one of two": {
			message, targets, []store.Delivery{had("A")}, []store.FailingTarget{fails("B", 2)},
			[]recipient{{Target: "a", DeliveredAt: at(-1)}, {Target: "b", RetryAt: at(2), Error: "refused connection"}},
		},
		"a target whose time has come": {
			message, targets[1:], nil, []store.FailingTarget{fails("B", -2)}, []recipient{{Target: "b", Error: "refused connection"}},
		},
		"a time of a clock that ran ahead": {
			message, targets[1:], nil, []store.FailingTarget{fails("B", 24*60)}, []recipient{{Target: "b", Error: "refused connection"}},
		},
		"a message that one refused": {
			refused, targets, nil, nil, []recipient{{Target: "a", RetryAt: at(4)}, {Target: "b", RetryAt: at(4), Error: "HTTP 400"}},
		},
		"a target that came later": {done, targets, []store.Delivery{had("A")}, nil, []recipient{{Target: "a", DeliveredAt: at(-1)}}},
		"targets that went": {
			message, targets[:1], []store.Delivery{had("B"), had("C"), {Message: 2, Target: "A"}}, []store.FailingTarget{fails("C", 1)},
			[]recipient{
				{Target: "a"},
				{Target: "a target that is not configured here", DeliveredAt: at(-1), unconfigured: true},
				{Target: "a target that is not configured here", DeliveredAt: at(-1), unconfigured: true},
			},
		},
		"none is configured": {
			done, nil, []store.Delivery{had("A")}, nil,
			[]recipient{{Target: "a target that is not configured here", DeliveredAt: at(-1), unconfigured: true}},
		},
		"nothing is known": {done, nil, nil, nil, []recipient{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := recipients(tt.n, notify.Routing{Targets: tt.targets}, tt.got, tt.failing, now)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(recipient{}), cmpopts.EquateApproxTime(0)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
