package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).proposalsCommand) }

func (a *app) proposalsCommand() *cobra.Command {
	return listed("proposals", "List what agents have proposed, or show one",
		a.proposalsListCommand, a.proposalsShowCommand)
}

func (a *app) proposalsListCommand(db *string) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List proposals, the newest first"}
	limit := limitFlag(c)
	c.RunE = list(a, listing[store.Proposal]{
		db: db, none: "no proposal yet; CLAUDEOPS_APPROVAL says what becomes one",
		query: func(ctx context.Context, s *store.Store) ([]store.Proposal, error) {
			all, err := s.Proposals(ctx, store.ProposalFilter{Limit: int(*limit)})
			return a.proposalsNow(all), err
		},
		heading: []string{"ID", "PROPOSED", "TIER", "SERVICE", "ACTION", "STATUS", "COMMAND"},
		row: func(p store.Proposal) []string {
			return []string{strconv.FormatInt(p.ID, 10), a.local(p.CreatedAt), strconv.Itoa(p.Tier), p.Service, string(p.Action), string(p.Status), guard.CommandLine(p.Argv)}
		},
	})
	return c
}

func (a *app) proposalsShowCommand(db *string) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show a proposal: what would run, why, and what it depends on",
		RunE: a.onStore(db, func(ctx context.Context, s *store.Store, args []string) error {
			p, err := s.Proposal(ctx, parseID(args[0]))
			if err != nil {
				return err
			}
			p = notify.ProposalAt(p, a.Now())
			return a.answer(p, a.proposalText(p))
		}),
	}
}

func (a *app) proposalText(p store.Proposal) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Proposal %d: %s\n\n", p.ID, a.line(notify.ProposalState(p)))
	lines := [][2]string{
		{"command", guard.CommandLine(p.Argv)}, {"program", p.Program}, {"folder", p.Dir}, {"service", p.Service}, {"action", string(p.Action)},
		{"tier", fmt.Sprint(p.Tier)}, {"proposed", a.local(p.CreatedAt)}, {"agent", p.Reason}, {"checks", p.Evidence},
	}
	if p.SessionID != nil {
		lines = append(lines, [2]string{"asked in", fmt.Sprintf("session %d", *p.SessionID)})
	}
	if p.RunSessionID != nil {
		lines = append(lines, [2]string{"run in", fmt.Sprintf("session %d", *p.RunSessionID)})
	}
	if p.IncidentID != nil {
		lines = append(lines, [2]string{"incident", fmt.Sprint(*p.IncidentID)})
	}
	for _, line := range lines {
		if line[1] != "" {
			fmt.Fprintf(&b, "  %-9s %s\n", line[0], a.indented(line[1], 12))
		}
	}
	if len(p.Bound) > 0 {
		b.WriteString("\nIt runs only while these are as they were:\n")
		for _, name := range slices.Sorted(maps.Keys(p.Bound)) {
			fmt.Fprintf(&b, "  %s: %s\n", a.line(name), a.line(p.Bound[name]))
		}
	}
	if p.Status == store.ProposalWaiting {
		fmt.Fprintf(&b, "\n`claudeops approve %d` permits it, `claudeops reject %d` refuses it.\n", p.ID, p.ID)
	}
	return b.String()
}

// proposalsNow returns proposals as they are now.
func (a *app) proposalsNow(all []store.Proposal) []store.Proposal {
	for n := range all {
		all[n] = notify.ProposalAt(all[n], a.Now())
	}
	return all
}

// proposalLines lists the proposals of an incident or a session, below a heading; empty if there are none.
func (a *app) proposalLines(all []store.Proposal) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nProposals:\n")
	for _, line := range firstLines(a.proposalsNow(all), func(p store.Proposal) string {
		return fmt.Sprintf("%d: %s\n     %s", p.ID, a.line(guard.CommandLine(p.Argv)), a.line(notify.ProposalState(p)))
	}) {
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}
