package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

func init() { addCommand((*app).sessionsCommand) }

func (a *app) sessionsCommand() *cobra.Command {
	return listed("sessions", "List the tiers that ran, or show one with its chain",
		a.sessionsListCommand, a.sessionsShowCommand)
}

func (a *app) sessionsListCommand(db *string) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List sessions, the newest first"}
	limit := limitFlag(c)
	var status store.Status
	flags.Var(c.Flags(), &status, "status", "", "only those of this `STATUS`: running, completed, escalated, failed, timed_out or interrupted",
		flags.OneOf(store.Running, store.Completed, store.Escalated, store.Failed, store.TimedOut, store.Interrupted))
	tier := tierFlag(c, "tier", "only those of tier `N`: 1, 2 or 3", 1, 2, 3)
	all := c.Flags().Bool("all", false, "quiet cycles too, which found what the one before had found")
	c.RunE = list(a, listing[store.Session]{
		db: db, filters: []string{"status", "tier"}, none: "no session yet; `claudeops run-once` makes the first", noMatch: "no session matches",
		query: func(ctx context.Context, s *store.Store) ([]store.Session, error) {
			want := store.SessionFilter{Status: status, Tier: *tier, Loud: !*all, Limit: int(*limit)}
			sessions, err := s.Sessions(ctx, want)
			if len(sessions) > 0 || err != nil {
				return sessions, err
			}
			want.Loud = false // better than no output
			return s.Sessions(ctx, want)
		},
		heading: []string{"ID", "FROM", "TIER", "STATUS", "STARTED", "TOOK", "TURNS", "COST", "MODEL"},
		row: func(s store.Session) []string {
			return []string{
				number(&s.ID), number(s.ParentID), strconv.Itoa(s.Tier), string(s.Status), a.local(s.StartedAt),
				took(s.DurationMS), strconv.Itoa(s.NumTurns), text.Cost(s.CostUSD), cmp.Or(s.Model, s.Agent),
			}
		},
	})
	return c
}

// shownSession is the output of `sessions show --json`.
type shownSession struct {
	store.Session
	Chain        []int64 `json:"chain"`
	ChainCostUSD float64 `json:"chain_cost_usd"`
	// Proposals are those that it made, and the one that it ran.
	Proposals []store.Proposal `json:"proposals,omitempty"`
}

func (a *app) sessionsShowCommand(db *string) *cobra.Command {
	c := &cobra.Command{Use: "show ID", Short: "Show a session with the chain it belongs to"}
	commands := c.Flags().Bool("commands", false, "show every command and what was decided of it")
	c.RunE = a.onStore(db, func(ctx context.Context, s *store.Store, args []string) error {
		session, err := s.Session(ctx, parseID(args[0]))
		switch {
		case err != nil:
			return err
		case *commands && *db != "":
			return a.showCommands(session.ID, filepath.Dir(session.LogPath)) // the audit is beside the log
		case *commands:
			return a.showCommands(session.ID, a.loaded.config.ResultsDir)
		}
		chain, err := s.Chain(ctx, session.ID)
		if err != nil {
			return err
		}
		shown := shownSession{Session: session}
		if shown.Proposals, err = s.Proposals(ctx, store.ProposalFilter{Session: session.ID}); err != nil {
			return err
		}
		for _, link := range chain {
			shown.Chain = append(shown.Chain, link.ID)
			shown.ChainCostUSD += link.CostUSD
		}
		return a.answer(shown, a.sessionText(shown, chain))
	})
	return c
}

func (a *app) sessionText(s shownSession, chain []store.Session) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Session %d: Tier %d, %s\n\n", s.ID, s.Tier, s.Status)
	for _, line := range [][2]string{
		{"started", a.local(s.StartedAt)}, {"took", took(s.DurationMS)}, {"agent", strings.TrimSuffix(s.Agent+", "+s.Model, ", ")}, {"trigger", s.Trigger},
		{"cost", fmt.Sprintf("%s, %d turns, %d tokens in, %d out", text.Cost(s.CostUSD), s.NumTurns, s.InputTokens, s.OutputTokens)},
		{"error", s.Error}, {"log", s.LogPath},
	} {
		if line[1] != "" {
			fmt.Fprintf(&b, "  %-8s %s\n", line[0], a.indented(line[1], 11))
		}
	}
	if len(chain) > 1 {
		fmt.Fprintf(&b, "\nChain, %s together:\n", text.Cost(s.ChainCostUSD))
		for _, link := range chain {
			mark := " "
			if link.ID == s.ID {
				mark = "*"
			}
			fmt.Fprintf(&b, "%s %ssession %d: Tier %d, %s, %s, %s, %d turns\n", mark, strings.Repeat("  ", link.Tier-1), link.ID, link.Tier,
				link.Status, text.Cost(link.CostUSD), took(link.DurationMS), link.NumTurns)
		}
	}
	b.WriteString(a.proposalLines(s.Proposals))
	for _, part := range [][2]string{{"Question", s.Question}, {"Response", s.Response}, {"Handoff", indentedJSON(s.HandoffJSON)}} {
		if part[1] != "" {
			fmt.Fprintf(&b, "\n%s:\n  %s\n", part[0], a.indented(part[1], 2))
		}
	}
	return b.String()
}

// showCommands lists the guard's decisions in a session.
func (a *app) showCommands(id int64, results string) error {
	entries, err := guard.Audit{Path: guard.AuditPath(results, id)}.Read()
	if err != nil {
		return err
	}
	var rows [][]string
	for _, e := range entries {
		exit := "-"
		if e.Exit != nil {
			exit = strconv.Itoa(*e.Exit)
		}
		rows = append(rows, []string{a.local(e.Time), e.Tool, string(e.Decision), exit, actionsOf(e), e.Command})
		if e.Reason != "" {
			rows = append(rows, []string{"", "", "", "", "", "  " + e.Reason})
		}
	}
	if a.json {
		return a.printJSON(entries)
	}
	return show(a, rows, "no command was called in this session, or its record was pruned", []string{"TIME", "TOOL", "DECISION", "EXIT", "ACTION", "COMMAND"},
		slices.Clone[[]string])
}

// actionsOf describes a command's actions: "restart of shop". Harmless actions are listed only if there are no others.
func actionsOf(e guard.Entry) string {
	var words []string
	for _, action := range e.Actions {
		if action != guard.Observe || len(e.Actions) == 1 {
			words = append(words, string(action))
		}
	}
	slices.Sort(words)
	text := strings.Join(words, ", ")
	if len(e.Services) > 0 {
		text += " of " + strings.Join(e.Services, ", ")
	}
	return text
}
