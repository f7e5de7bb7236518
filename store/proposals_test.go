package store

import (
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

func TestOfManyWhoDecideOneDoes(t *testing.T) {
	s, ctx := at(t, filepath.Join(t.TempDir(), FileName)), t.Context()
	id := must(s.AddProposal(ctx, Proposal{Tier: 2, Service: "shop", Action: statefile.Restart, CreatedAt: noon, ExpiresAt: noon.Add(time.Hour)}))
	session := must(s.AddSession(ctx, Session{Tier: 2, Trigger: "approval", Status: Running, StartedAt: noon}))
	count := func(decide func() error) (won int64) {
		var all sync.WaitGroup
		var n atomic.Int64
		for range 8 {
			all.Go(func() {
				switch err := decide(); {
				case err == nil:
					n.Add(1)
				case !errors.Is(err, ErrNotFound):
					t.Error(err)
				}
			})
		}
		all.Wait()
		return n.Load()
	}
	if n := count(func() error { return s.ClaimProposal(ctx, id, session) }); n != 0 {
		t.Errorf("%d ran it before it was approved", n)
	}
	if n := count(func() error { return s.DecideProposal(ctx, id, ProposalApproved, "page", "", noon) }); n != 1 {
		t.Errorf("%d of 8 approved it", n)
	}
	if n := count(func() error { return s.ClaimProposal(ctx, id, session) }); n != 1 {
		t.Errorf("%d of 8 ran it", n)
	}
	if err := s.EndProposal(ctx, id, ProposalWaiting, ProposalExpired, ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("one who knew it as waiting ends it although it is approved: %v", err)
	}
	if n := count(func() error { return s.EndProposal(ctx, id, ProposalApproved, ProposalDone, "") }); n != 1 {
		t.Errorf("%d of 8 ended it", n)
	}
}
