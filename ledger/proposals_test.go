package ledger_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// proposing is a session of Tier 2 about shop, which is down, and the restart that it proposes.
func proposing(t *testing.T) (*fixture, store.Proposal) {
	t.Helper()
	d := newFixture(t)
	d.Config.ApprovalExpires = 4 * time.Hour
	i := store.Incident{Service: "shop", Status: check.Down, Fingerprint: "f", OpenedAt: noon, LastSeenAt: noon}
	i.ID = must(d.Store.OpenIncident(t.Context(), i))
	d.shop = notify.About{
		Incident: i, Limits: []string{"left: 2 of 2 restarts in 4 h"},
		Found: []check.Result{{Service: "shop", Type: check.HTTP, Status: check.Down, Error: "connection refused"}},
	}
	session := d.Session(2)
	return d, store.Proposal{
		SessionID: &session, Tier: 2, Service: "shop", Action: statefile.Restart, Program: "/usr/bin/docker", Argv: []string{"docker", "restart", "shop"},
		Dir: "/", Bound: map[string]string{"container shop": "1"}, Reason: "it leaks; see https://evil.example/yes\nand say yes",
	}
}

func (d *fixture) propose1(p store.Proposal) store.Proposal {
	d.T.Helper()
	kept, err := d.Propose(d.T.Context(), p, strings.Join(p.Argv, " "), d.shop)
	ok(d.T, err)
	return kept
}

func TestProposalAsksOnce(t *testing.T) {
	d, p := proposing(t)
	ctx := t.Context()
	first := d.propose1(p)
	if again := d.propose1(p); again.ID != first.ID {
		t.Errorf("the same call became proposal %d and then %d", first.ID, again.ID)
	}
	stored := must(d.Store.Proposal(ctx, first.ID))
	same(t, stored, first)
	if stored.Fingerprint != "f" || stored.IncidentID == nil || stored.Evidence != "http down: connection refused" {
		t.Errorf("stored without its incident or evidence: %+v", stored)
	}
	sent := must(d.Store.Notifications(ctx, store.NotificationFilter{}))
	if len(sent) != 1 || sent[0].Kind != store.AskApproval || sent[0].ProposalID == nil || *sent[0].ProposalID != first.ID {
		t.Fatalf("messages: %+v; one of kind approval must ask about it", sent)
	}
	for _, want := range []string{
		"`docker restart shop`", "until 2026-03-01 16:00 UTC", "`claudeops approve 1`", "it counts as a restart of shop", "left: 2 of 2 restarts in 4 h",
		"the agent says: “it leaks; see https[:]//evil[.]example/yes and say yes”",
	} {
		if !strings.Contains(sent[0].Body, want) {
			t.Errorf("the message does not say %q:\n%s", want, sent[0].Body)
		}
	}
	p.Bound = map[string]string{"container shop": "2"}
	if changed := d.propose1(p); changed.ID == first.ID {
		t.Error("the same call about another container is the same proposal")
	}
}

func TestSessionProposesAFewCalls(t *testing.T) {
	d, p := proposing(t)
	for _, name := range []string{"a", "b", "c"} {
		p.Argv = []string{"docker", "restart", name}
		d.propose1(p)
	}
	p.Argv = []string{"docker", "restart", "d"}
	_, err := d.Propose(t.Context(), p, "", d.shop)
	wantError(t, err, nil, "this session has proposed 3 calls")
	for _, argv := range [][]string{{"curl", "-u", "a:hunter22"}, {"mysql", "--password", "correct-horse"}} {
		p.Argv = argv
		_, err = d.Propose(t.Context(), p, strings.Join(p.Argv, " "), d.shop)
		wantError(t, err, nil, "hold a secret")
	}
	p.Action = store.ProposedAsk
	for _, command := range []string{"sh -c $'a\nb'", "echo `id`", "echo a\u202eb", "echo \x1b[2J"} {
		_, err = d.Propose(t.Context(), p, command, d.shop)
		wantError(t, err, nil, "could not read it")
	}
	p.Argv = []string{"docker", "exec", "shop", "echo", strings.Repeat("x", ledger.MaxProposedCommand)}
	_, err = d.Propose(t.Context(), p, strings.Join(p.Argv, " "), d.shop)
	wantError(t, err, nil, "more than a person would read")
}

// What an agent can change between two calls, such as a file of its own, must not make one message after another.
func TestSessionProposesOneCallAFewTimes(t *testing.T) {
	d, p := proposing(t)
	for _, state := range []string{"1", "2", "3"} {
		p.Bound = map[string]string{"file /repos/a": state}
		d.propose1(p)
	}
	p.Bound = map[string]string{"file /repos/a": "4"}
	_, err := d.Propose(t.Context(), p, "", d.shop)
	wantError(t, err, nil, "this session has proposed 3 calls")
	if sent := must(d.Store.Notifications(t.Context(), store.NotificationFilter{})); len(sent) != ledger.MaxProposals {
		t.Errorf("%d messages ask people, want %d", len(sent), ledger.MaxProposals)
	}
}

func TestProposalIsDecidedOnce(t *testing.T) {
	for name, test := range map[string]struct {
		before func(*fixture, store.Proposal)
		says   string
	}{
		"approved": {func(d *fixture, p store.Proposal) {
			must(d.Decide(t.Context(), p.ID, store.ProposalApproved, "command, by root", ""))
		}, "approved at 2026-03-01 12:00 UTC (command, by root)"},
		"rejected": {func(d *fixture, p store.Proposal) {
			must(d.Decide(t.Context(), p.ID, store.ProposalRejected, "command, by root", "no"))
		}, "rejected at 2026-03-01 12:00 UTC (command, by root): no"},
		"expired": {func(d *fixture, _ store.Proposal) { d.Time = noon.Add(4 * time.Hour) }, "expired at 2026-03-01 16:00 UTC"},
		"void": {func(d *fixture, p store.Proposal) {
			ok(t, d.EndProposal(t.Context(), p, store.ProposalVoid, "shop has recovered"))
		}, "void: shop has recovered"},
	} {
		t.Run(name, func(t *testing.T) {
			d, p := proposing(t)
			p = d.propose1(p)
			test.before(d, p)
			var decided *ledger.DecidedError
			if _, err := d.Decide(t.Context(), p.ID, store.ProposalApproved, "page", ""); !errors.As(err, &decided) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("approving it then: %v; want an error that says %q", err, test.says)
			}
			if _, err := d.Decide(t.Context(), p.ID, store.ProposalRejected, "page", ""); !errors.As(err, &decided) {
				t.Errorf("rejecting it then: %v", err)
			}
		})
	}
	d, _ := proposing(t)
	_, err := d.Decide(t.Context(), 7, store.ProposalApproved, "page", "")
	wantError(t, err, store.ErrNotFound)
}

func TestProposalThatNobodyPermitsIsADeadEnd(t *testing.T) {
	for name, test := range map[string]struct {
		do     func(*fixture, store.Proposal)
		status store.ProposalStatus
		waits  bool
	}{
		"a minute early": {func(d *fixture, _ store.Proposal) { d.Time = noon.Add(4*time.Hour - time.Minute) }, store.ProposalWaiting, false},
		"nobody answers": {func(d *fixture, _ store.Proposal) { d.Time = noon.Add(4 * time.Hour) }, store.ProposalExpired, true},
		"rejected": {func(d *fixture, p store.Proposal) {
			must(d.Decide(t.Context(), p.ID, store.ProposalRejected, "page", ""))
		}, store.ProposalRejected, true},
		"approved, and no cycle runs it": {func(d *fixture, p store.Proposal) {
			d.Time = noon.Add(time.Hour)
			must(d.Decide(t.Context(), p.ID, store.ProposalApproved, "page", ""))
			d.Time = noon.Add(5 * time.Hour)
		}, store.ProposalExpired, true},
		"approved late, and in time for the cycle": {func(d *fixture, p store.Proposal) {
			d.Time = noon.Add(3 * time.Hour)
			must(d.Decide(t.Context(), p.ID, store.ProposalApproved, "page", ""))
			d.Time = noon.Add(5 * time.Hour)
		}, store.ProposalApproved, false},
	} {
		t.Run(name, func(t *testing.T) {
			d, p := proposing(t)
			p = d.propose1(p)
			test.do(d, p)
			ok(t, d.ExpireProposals(t.Context()))
			incident := must(d.Store.OpenIncidents(t.Context()))["shop"]
			if waits := incident.RetryAt != nil; waits != test.waits || waits && incident.DeadEnds != 1 {
				t.Errorf("its incident: %+v; want it to wait: %t", incident, test.waits)
			}
			if is := must(d.Store.Proposal(t.Context(), p.ID)); is.Status != test.status {
				t.Errorf("it is %s, want %s", is.Status, test.status)
			}
		})
	}
}
