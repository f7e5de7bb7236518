package cycle

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// What a pause's end looks at: what is unwell now, whenever that began, but for what is silenced still.
func TestTheEndOfAPauseLooksAtAllThatIsUnwell(t *testing.T) {
	r := newRoom(t)
	_, _, err := r.Silence(t.Context(), "", time.Hour, "", "command, by ann")
	must(t, err)
	r.again(night.Add(time.Hour))
	_, _, err = r.Silence(t.Context(), "mail", time.Hour, "", "command, by ann")
	must(t, err)
	r.finds(map[string]string{"shop": "HTTP 502", "mail": "refused", "db": ""})
	must(t, r.notifySilencesEnded(t.Context()))
	r.wantTold(store.Message, "The pause is over: shop is down", `Everything was paused from 2026-11-21 03:00 to 04:00 UTC.

- shop: now it is down: http: HTTP 502; meanwhile it was not checked

Everything: `+"`claudeops events`")
	wantSame(t, r.told(store.Message)[0].Type, notify.Warning)
}

// A name or a message that an alert's sender or an agent chose is no link there.
func TestTheEndOfAPauseHasNoLinkThatOthersMade(t *testing.T) {
	r := newRoom(t)
	_, _, err := r.Silence(t.Context(), "", time.Hour, "", "command, by ann")
	must(t, err)
	r.again(night.Add(time.Hour))
	r.finds(map[string]string{"https://evil.example/pay": "see evil.example"})
	must(t, r.notifySilencesEnded(t.Context()))
	r.wantTold(store.Message, "The pause is over: https[:]//evil[.]example/pay is down", `Everything was paused from 2026-11-21 03:00 to 04:00 UTC.

- https[:]//evil[.]example/pay: now it is down: http: see evil[.]example; meanwhile it was not checked

Everything: `+"`claudeops events`")
}

func TestAnIncidentInASilence(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dead := store.Incident{Status: check.Down, Fingerprint: "f", DeadEnds: 2, RetryAt: &at, LastChain: chainAttention}
	if diff := cmp.Diff(dead, worked(dead)); diff != "" {
		t.Errorf("a dead end stays one, -want +got:\n%s", diff)
	}
	if got := worked(store.Incident{Fingerprint: "f", LastChain: chainSolved, HollowFixes: 1}); got.LastChain != chainNone || got.HollowFixes != 1 {
		t.Errorf("after a chain that ended as solved it is %+v", got)
	}
	after, stuck := seenUnhealthy(recoveredQuietly(dead), check.Down, "f", at)
	if stuck || after.DeadEnds != 0 || after.RetryAt != nil {
		t.Errorf("the same trouble after a recovery is %+v", after)
	}
}
