package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestUndoIsKeptAndProposed(t *testing.T) {
	s, ctx := fresh(t), t.Context()
	session := must(s.AddSession(ctx, Session{Tier: 3, Trigger: "cron", Status: Running, StartedAt: noon}))
	u := Undo{
		SessionID: &session, ToolUseID: "call.1", Service: "shop", Tier: 3, Done: "docker compose up -d", Dir: "/repos/shop",
		Steps: [][]string{{"docker", "tag", "sha256:a", "shop:1"}, {"docker", "compose", "up", "-d", "web"}},
		Was:   map[string]string{"web": "sha256:a"}, Became: map[string]string{"web": "sha256:b"}, CreatedAt: noon,
	}
	u.ID = must(s.AddUndo(ctx, u))
	if diff := cmp.Diff(u, must(s.Undo(ctx, u.ID))); diff != "" {
		t.Error(diff)
	}
	later := u
	later.CreatedAt = noon.Add(time.Hour)
	later.ID = must(s.AddUndo(ctx, later))
	if all := must(s.Undos(ctx, 10)); len(all) != 1 || all[0].ID != later.ID {
		t.Errorf("what can be undone of shop is %+v; want the latest alone", all)
	}
	proposal := must(s.AddProposal(ctx, Proposal{Tier: 3, Service: "shop", Action: ProposedRedeployment, CreatedAt: noon, ExpiresAt: noon.Add(time.Hour)}))
	if _, found, err := s.UndoOf(ctx, proposal); found || err != nil {
		t.Errorf("a proposal about something else undoes it: %v", err)
	}
	ok(t, s.ProposeUndo(ctx, later.ID, proposal))
	if is, found, err := s.UndoOf(ctx, proposal); !found || is.ID != later.ID || err != nil {
		t.Errorf("the proposal undoes %+v, %t, %v", is, found, err)
	}
	ok(t, s.DecideProposal(ctx, proposal, ProposalApproved, "command, by root", "", noon))
	ok(t, s.ClaimProposal(ctx, proposal, session))
	if is, found, err := s.UndoRunBy(ctx, session); !found || is.ID != later.ID || err != nil {
		t.Errorf("the session undoes %+v, %t, %v", is, found, err)
	}
	must(s.Prune(ctx, noon.Add(time.Minute), false, never))
	wantError(t, second(s.Undo(ctx, u.ID)), ErrNotFound)
	same(t, must(s.Undo(ctx, later.ID)).ID, later.ID)
}
