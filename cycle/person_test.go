package cycle

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/store"
)

// rounds is how many rounds a cycle makes while a person decides something, each of which finds one more service down.
const rounds = 8

// meanwhile makes rounds in one process while a person does something in another, from the beginning of one of them on. fault is what the
// services have in a round.
func (r *room) meanwhile(moment int, fault func(round int) string, person func(*ledger.Records) error) error {
	r.t.Helper()
	other, err := ledger.Open(r.t.Context(), r.Config, r.Redactor, r.Now, store.ReadWrite)
	must(r.t, err)
	other.Inventory = r.Inventory
	did := make(chan error, 1)
	done := newRun(1, agentProbe, nil)
	done.session = r.ran(1, r.now, store.Completed, 0, "")
	for round := range rounds {
		if round == moment%rounds {
			go func() {
				for range moment { // a little later each time
					runtime.Gosched()
				}
				did <- person(other)
			}()
		}
		found := map[string]string{}
		for n := range round + 1 {
			found[fmt.Sprintf("s%d", n)] = fault(round)
		}
		r.finds(found)
		_, err := r.plan(r.t.Context(), Beside, done, func(r *Round) { r.Works = "The next cycle looks at it" })
		must(r.t, err)
	}
	err = <-did
	must(r.t, other.Close())
	return err
}

// crowd returns a room with a service for each round, and the incident of the first.
func crowd(t *testing.T) (*room, store.Incident) {
	r := newRoom(t)
	text := "services:\n"
	for n := range rounds {
		text += fmt.Sprintf("  - {name: s%d, checks: [{type: http, url: 'http://localhost/'}]}\n", n)
	}
	inv, err := inventory.Parse([]byte(text))
	must(t, err)
	r.Inventory, r.Config.ApprovalExpires = inv, 24*time.Hour
	i := r.opens("s0", r.now)
	i.Fingerprint = check.Fingerprint([]check.Result{{Service: "s0", Type: check.HTTP, Status: check.Down, Error: "refused"}})
	must(t, r.Store.SaveIncident(t.Context(), i))
	return r, i
}

// Whatever the moment: what a person decides in the middle of a cycle is seen by its next round, or comes after it.
func TestAPersonIsNeverOverwritten(t *testing.T) {
	const by = "command, by ann"
	same := func(int) string { return "refused" }
	other := func(round int) string { return map[bool]string{true: "refused", false: "no route"}[round < rounds/2] }
	changing := func(round int) string { return strings.Repeat("refused ", round+1) }
	moments := rounds
	if !testing.Short() {
		moments *= 8
	}
	for moment := range moments {
		t.Run(fmt.Sprintf("closes/%d", moment), func(t *testing.T) {
			r, i := crowd(t)
			must(t, r.meanwhile(moment, changing, func(b *ledger.Records) error { return b.CloseIncident(t.Context(), i.ID, by) }))
			is, err := r.Store.Incident(t.Context(), i.ID)
			must(t, err)
			if is.ClosedAt == nil {
				t.Error("the incident that a person has closed is open")
			}
		})
		t.Run(fmt.Sprintf("silences/%d", moment), func(t *testing.T) {
			r, _ := crowd(t)
			var last []store.Notification
			must(t, r.meanwhile(moment, same, func(b *ledger.Records) error {
				_, _, err := b.Silence(t.Context(), "", time.Hour, "", by)
				if err == nil {
					last, err = b.Store.Notifications(t.Context(), store.NotificationFilter{})
				}
				return err
			}))
			all, err := r.Store.Notifications(t.Context(), store.NotificationFilter{})
			must(t, err)
			wantSame(t, len(all), len(last))
		})
		t.Run(fmt.Sprintf("approves/%d", moment), func(t *testing.T) {
			r, i := crowd(t)
			of := r.proposes(i)
			must(t, r.meanwhile(moment, same, func(b *ledger.Records) error {
				_, err := b.Decide(t.Context(), of.ID, store.ProposalApproved, by, "")
				return err
			}))
			is, err := r.Store.Proposal(t.Context(), of.ID)
			must(t, err)
			wantSame(t, is.Status, store.ProposalApproved)
			wantSame(t, is.DecidedBy, by)
		})
		t.Run(fmt.Sprintf("approves what is outdated/%d", moment), func(t *testing.T) {
			r, i := crowd(t)
			of := r.proposes(i)
			decided := r.meanwhile(moment, other, func(b *ledger.Records) error {
				_, err := b.Decide(t.Context(), of.ID, store.ProposalApproved, by, "")
				return err
			})
			late := (*ledger.DecidedError)(nil)
			if decided != nil && !errors.As(decided, &late) {
				t.Fatal(decided)
			}
			is, err := r.Store.Proposal(t.Context(), of.ID)
			must(t, err)
			wantSame(t, is.Status, store.ProposalVoid)
			wantSame(t, len(r.told(store.Message)), map[bool]int{true: 1}[decided == nil]) // who approved it is told
		})
	}
}

// proposes keeps a proposal for the service of an incident.
func (r *room) proposes(i store.Incident) store.Proposal {
	r.t.Helper()
	session := r.ran(2, r.now, store.Completed, 0, "").ID
	p, err := r.Propose(r.t.Context(), store.Proposal{
		SessionID: &session, Tier: 2, Service: i.Service, Action: "ask", Program: "/bin/true", Argv: []string{"true"}, Dir: "/",
	}, "true", r.service(i.Service).About(r.Redactor.String))
	must(r.t, err)
	return p
}
