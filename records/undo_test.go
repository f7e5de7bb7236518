package records

import (
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

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
