package records

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Of several who undo the same at once, one does; the others are told that it was decided.
func TestAnUndoAtOnceIsApprovedOnce(t *testing.T) {
	d := newFixture(t)
	ctx := t.Context()
	u := store.Undo{Service: "shop", Tier: 3, Done: "docker compose up -d", Dir: "/", Steps: [][]string{{"docker", "compose", "up", "-d"}}, CreatedAt: d.now}
	u.ID = must(d.Store.AddUndo(ctx, u))
	people := make([]*fixture, 4)
	for n := range people {
		people[n] = fixtureIn(t, d.dir)
		people[n].Config.ApprovalExpires = time.Hour
		t.Cleanup(func() { ok(t, people[n].Close()) })
	}
	errs := make([]error, len(people))
	var group sync.WaitGroup
	for n, p := range people {
		group.Go(func() {
			_, errs[n] = p.Undo(ctx, u, store.Proposal{Program: "/usr/bin/docker"}, "command, by "+strconv.Itoa(n))
		})
	}
	group.Wait()
	done := 0
	for _, err := range errs {
		if decided := (*DecidedError)(nil); err == nil {
			done++
		} else if !errors.As(err, &decided) || decided.Proposal.Status != store.ProposalApproved {
			t.Errorf("another one: %v", err)
		}
	}
	all, err := d.Store.Proposals(ctx, store.ProposalFilter{})
	ok(t, err)
	if done != 1 || len(all) != 1 || all[0].Status != store.ProposalApproved {
		t.Errorf("%d were approved, of the proposals %+v", done, all)
	}
}

// The redeployment that is to be undone has used up the window.
func TestAnUndoIsOneRedeploymentBeyondTheWindow(t *testing.T) {
	d := newFixture(t)
	ctx := t.Context()
	d.Config.ApprovalExpires = time.Hour
	d.done("shop", statefile.Redeployment, time.Hour)
	d.session(3)
	d.wantRefused(redeploy("shop"), "1 of 1 used in 24 h")
	u := store.Undo{Service: "shop", Tier: 3, Done: "docker compose up -d", Dir: "/", Steps: [][]string{{"docker", "compose", "up", "-d"}}, CreatedAt: d.now}
	u.ID = must(d.Store.AddUndo(ctx, u))
	p, err := d.Undo(ctx, u, store.Proposal{Program: "/usr/bin/docker"}, "command, by root")
	ok(t, err)
	session := d.session(3)
	ok(t, d.Store.ClaimProposal(ctx, p.ID, session))
	d.wantGranted(redeploy("shop"))
	d.now = d.now.Add(time.Second)
	for range 2 {
		if d.reserves(redeploy("shop")) == nil {
			t.Error("a second one beyond the window is granted")
		}
		d.session(3)
	}
}
